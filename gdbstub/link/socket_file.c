/* A socket file to listen on: `unix:PATH`. Its mode keeps other users out. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "gdbstub/link/room.h"

/* Returns false, with the reason, if the path is too long for a socket's address. */
static bool set_address(struct sockaddr_un *a, const char *path, struct text *why)
{
	*a = (struct sockaddr_un){.sun_family = AF_UNIX};
	const size_t n = strlen(path);
	if (n && n < sizeof a->sun_path) {
		memcpy(a->sun_path, path, n + 1);
		return true;
	}
	text_addf(why, n ? "the name of a socket file has at most %zu bytes" : "unix: wants the name of a socket file",
		  sizeof a->sun_path - 1);
	return false;
}

static int open_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

/* Binds a socket to its file, which never has another mode than 0600. */
static bool bind_private(int fd, const struct sockaddr_un *a)
{
	const mode_t before = umask(0177);
	const bool ok = !bind(fd, (const struct sockaddr *)a, sizeof *a);
	const int error = errno;
	umask(before);
	errno = error;
	return ok;
}

/* Removes a socket file that no server listens on any more. Returns false, with the reason, for every other file. */
static bool remove_stale(const struct sockaddr_un *a, struct text *why)
{
	struct stat st;
	if (lstat(a->sun_path, &st))
		return true;
	if (!S_ISSOCK(st.st_mode)) {
		text_addf(why, "can't listen on '%s': it is no socket", a->sun_path);
		return false;
	}
	const int fd = open_socket();
	const bool is_dead = fd >= 0 && connect(fd, (const struct sockaddr *)a, sizeof *a) && errno == ECONNREFUSED;
	if (fd >= 0)
		close(fd);
	if (!is_dead) {
		text_addf(why, "can't listen on '%s': a live server has it, or another user", a->sun_path);
		return false;
	}
	if (!unlink(a->sun_path))
		return true;
	text_addf(why, "can't replace '%s': %s", a->sun_path, strerror(errno));
	return false;
}

/* Keeps what it takes to remove the file at the end, from any current folder. */
static void keep_name(struct stub *s, const char *path)
{
	const char *name = file_base_name(path);
	char *folder = name == path ? xstrdup(".") : xstrndup(path, (size_t)(name - path));
	s->link->socket_folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	s->link->socket_name = xstrdup(name);
	struct stat st = {0};
	fstatat(s->link->socket_folder, name, &st, AT_SYMLINK_NOFOLLOW);
	s->link->socket_inode = st.st_ino;
	free(folder);
}

int socket_file_listen(struct stub *s, const char *path, struct text *why)
{
	struct sockaddr_un a;
	if (!set_address(&a, path, why))
		return -1;
	const int fd = open_socket();
	bool ok = fd >= 0 && bind_private(fd, &a);
	if (!ok && fd >= 0 && errno == EADDRINUSE) {
		if (!remove_stale(&a, why)) {
			close(fd);
			return -1;
		}
		ok = bind_private(fd, &a);
	}
	if (ok && !listen(fd, SOMAXCONN)) {
		gdbstub_close(s); /* the listener until now */
		keep_name(s, path);
		return fd;
	}
	text_addf(why, "can't listen on '%s': %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (ok)
		unlink(path);
	return -1;
}

void socket_file_remove(struct stub *s)
{
	struct link_room *l = s->link;
	struct stat st;
	if (l->socket_folder >= 0 && !fstatat(l->socket_folder, l->socket_name, &st, AT_SYMLINK_NOFOLLOW) &&
	    st.st_ino == l->socket_inode)
		unlinkat(l->socket_folder, l->socket_name, 0);
	if (l->socket_folder >= 0)
		close(l->socket_folder);
	l->socket_folder = -1;
	free(l->socket_name);
	l->socket_name = NULL;
}
