#include "base/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xalloc.h"

#define LINKS_MAX 40 /* as the kernel follows */
#define TRIES 16     /* random names that are tried */

/* Returns the folder part of a path with its slash, "" without one. */
static void folder_of(const char *path, struct text *out)
{
	text_clear(out);
	text_addn(out, path, (size_t)(file_base_name(path) - path));
}

/* Returns true if a name belongs to procfs. Links there lead to open files, not to names. */
static bool is_in_proc(const char *path)
{
	struct statfs fs;
	const int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	const bool is_proc = fd >= 0 && !fstatfs(fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;
	if (fd >= 0)
		close(fd);
	return is_proc;
}

/* Returns the content of a symbolic link, for the caller to free; NULL with errno set if there is none. */
static char *link_content(const char *path)
{
	for (size_t cap = 256;; cap *= 2) {
		char *s = xmalloc(cap + 1);
		const ssize_t n = readlink(path, s, cap);
		if (n >= 0 && (size_t)n < cap) {
			s[n] = '\0';
			return s;
		}
		const int error = errno;
		free(s);
		errno = error;
		if (n < 0)
			return NULL;
	}
}

/* Returns the path of the file that a path leads to, for the caller to free; NULL if no name of it is known. */
static char *follow_links(const char *path)
{
	char *at = xstrdup(path);
	for (unsigned k = 0; k < LINKS_MAX && !is_in_proc(at); k++) {
		char *content = link_content(at);
		if (!content && errno == EINVAL) /* no link: the file itself */
			return at;
		if (!content)
			break;
		struct text next = {0};
		if (*content != '/')
			folder_of(at, &next);
		text_add(&next, content);
		free(content);
		free(at);
		at = text_take(&next);
	}
	free(at);
	return NULL;
}

static bool is_mount_point(int folder, const char *name)
{
	struct statx st;
	return !statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &st) &&
	       (st.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

static int open_folder(const char *path)
{
	struct text folder = {0};
	folder_of(path, &folder);
	const int fd = open(folder.n ? text_str(&folder) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	text_free(&folder);
	return fd;
}

/* Creates the temporary file. Returns its descriptor, -1 with errno set if that fails. */
static int create_part(struct file_replacement *w, mode_t mode)
{
	int fd = -1;
	for (unsigned k = 0; k < TRIES && fd < 0; k++) {
		uint64_t random;
		if (getrandom(&random, sizeof random, 0) != sizeof random)
			return -1;
		snprintf(w->part, sizeof w->part, ".warpstep-%016llx", (unsigned long long)random);
		fd = openat(w->folder, w->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

/* Gives the temporary file the owner and the mode of the file that it will replace. */
static bool copy_owner(int fd, const struct stat *old)
{
	struct stat st;
	if (fstat(fd, &st))
		return false;
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) && fchown(fd, old->st_uid, old->st_gid))
		return false;
	return !fchmod(fd, old->st_mode & 0777);
}

static void discard(struct file_replacement *w)
{
	if (w->folder >= 0 && *w->part)
		unlinkat(w->folder, w->part, 0);
	if (w->folder >= 0)
		close(w->folder);
	free(w->name);
	w->folder = -1;
	w->name = NULL;
}

/* Opens a temporary file beside the regular file `old`, or beside where a new file will be if `old` is NULL. Returns false if the target
 * has to be written in place. */
static bool open_beside(struct file_replacement *w, const char *path, const struct stat *old)
{
	char *target = old ? follow_links(path) : xstrdup(path);
	struct stat st;
	if (!target)
		return false;
	w->folder = open_folder(target);
	w->name = xstrdup(file_base_name(target));
	free(target);
	bool ok = w->folder >= 0 && *w->name;
	if (ok && old)
		ok = !fstatat(w->folder, w->name, &st, AT_SYMLINK_NOFOLLOW) && st.st_dev == old->st_dev &&
		     st.st_ino == old->st_ino && !is_mount_point(w->folder, w->name);
	int fd = ok ? create_part(w, old ? 0600 : 0666) : -1;
	if (fd < 0)
		*w->part = '\0';
	if (fd >= 0 && (!old || copy_owner(fd, old)))
		w->file = fdopen(fd, "wb");
	if (!w->file && fd >= 0)
		close(fd);
	if (!w->file)
		discard(w);
	return w->file;
}

/* Returns false with errno set if a regular file may not be written. The kernel's rules for links in shared folders count, too. */
static bool may_write(const char *path, struct stat *st)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return false;
	const bool ok = !fstat(fd, st);
	close(fd);
	return ok;
}

/* Returns the descriptor of this process that a path names, as shells and awk know these names; -1 if it names none. */
static int own_descriptor(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	if (!strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
		const size_t n = strlen(folders[i]);
		if (strncmp(path, folders[i], n))
			continue;
		const size_t digits = strspn(path + n, "0123456789");
		return digits && digits < 9 && !path[n + digits] ? atoi(path + n) : -1;
	}
	return -1;
}

/* Opens a descriptor of this process for writing behind what was written to it until now. */
static FILE *open_descriptor(int descriptor)
{
	if (descriptor == STDOUT_FILENO)
		fflush(stdout);
	const int fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
	if (fd >= 0 && !f)
		close(fd);
	return f;
}

bool file_replace_open(struct file_replacement *w, const char *path)
{
	struct stat st;
	*w = (struct file_replacement){.folder = -1};
	const int descriptor = own_descriptor(path);
	if (descriptor >= 0)
		return (w->file = open_descriptor(descriptor)) != NULL;
	const bool exists = !stat(path, &st);
	if (exists && S_ISREG(st.st_mode)) {
		if (!may_write(path, &st))
			return false;
		open_beside(w, path, &st);
	} else if (!exists && errno == ENOENT && lstat(path, &st) && errno == ENOENT) {
		open_beside(w, path, NULL);
	}
	if (!w->file)
		w->file = fopen(path, "wbe");
	return w->file;
}

/* Moves the temporary file to the target's name. */
static bool put_in_place(struct file_replacement *w)
{
	if (w->folder < 0)
		return true;
	const bool ok = !renameat(w->folder, w->part, w->folder, w->name);
	if (ok)
		*w->part = '\0';
	return ok;
}

bool file_replace_close(struct file_replacement *w, bool keep)
{
	int error = 0;
	if (!w->file)
		return false;
	errno = 0;
	if (fflush(w->file) || ferror(w->file))
		error = errno ? errno : EIO;
	if (fclose(w->file) && !error)
		error = errno;
	w->file = NULL;
	if (keep && !error && !put_in_place(w))
		error = errno;
	discard(w);
	errno = error;
	return !error;
}

bool file_replace_is_possible(const char *path)
{
	struct stat st;
	const int descriptor = own_descriptor(path);
	if (descriptor >= 0)
		return fcntl(descriptor, F_GETFD) >= 0;
	if (stat(path, &st)) {
		struct text folder = {0};
		const bool is_new = errno == ENOENT && *file_base_name(path);
		folder_of(path, &folder);
		const bool ok = is_new && !access(folder.n ? text_str(&folder) : ".", W_OK | X_OK);
		text_free(&folder);
		return ok;
	}
	if (S_ISREG(st.st_mode))
		return may_write(path, &st);
	if (S_ISDIR(st.st_mode))
		errno = EISDIR;
	return !S_ISDIR(st.st_mode) && !access(path, W_OK);
}

int file_lock(const char *path)
{
	struct stat mine, there;
	for (;;) {
		const int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
		if (fd < 0)
			return -1;
		/* where the file system has no locks, writing still works */
		if (flock(fd, LOCK_EX) || fstat(fd, &mine) || stat(path, &there) ||
		    (mine.st_dev == there.st_dev && mine.st_ino == there.st_ino))
			return fd;
		close(fd); /* replaced since it was opened */
	}
}
