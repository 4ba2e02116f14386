/* The folder of the files that are written for gdb. Its owner holds its lock: what a warpstep that was killed has left goes with the next one. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "gdbstub/image/room.h"

#define PREFIX "warpstep-gdb-"
#define TRIES 8u

/* Removes the folder if it is this user's and no process uses it any more. */
static void remove_left(int tmp, const char *name)
{
	struct stat st;
	const int fd = openat(tmp, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	DIR *d = !fstat(fd, &st) && st.st_uid == geteuid() && !flock(fd, LOCK_EX | LOCK_NB) ? fdopendir(fd) : NULL;
	if (!d) {
		close(fd);
		return;
	}
	for (const struct dirent *e; (e = readdir(d));)
		unlinkat(fd, e->d_name, 0); /* no folder is */
	unlinkat(tmp, name, AT_REMOVEDIR);
	closedir(d);
}

static void remove_all_left(void)
{
	DIR *d = opendir(P_tmpdir);
	if (!d)
		return;
	for (const struct dirent *e; (e = readdir(d));)
		if (!strncmp(e->d_name, PREFIX, strlen(PREFIX)))
			remove_left(dirfd(d), e->d_name);
	closedir(d);
}

/* On a file system without locks, no process takes the folder for one that was left. */
static void lock(int fd)
{
	while (flock(fd, LOCK_EX) && errno == EINTR)
		;
}

/* Returns false if another process has removed the folder as one that was left, before it was locked. */
static bool is_there(int fd)
{
	struct stat st;
	return !fstat(fd, &st) && st.st_nlink;
}

bool folder_make(struct image_room *r)
{
	if (!r->folder)
		remove_all_left();
	for (unsigned k = 0; !r->folder && k < TRIES; k++) {
		char name[] = P_tmpdir "/" PREFIX "XXXXXX";
		if (!mkdtemp(name))
			return false;
		r->folder_lock = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (r->folder_lock < 0) {
			rmdir(name);
			continue;
		}
		lock(r->folder_lock);
		if (is_there(r->folder_lock))
			r->folder = xstrdup(name);
		else
			close(r->folder_lock);
	}
	return r->folder;
}

void folder_free(struct image_room *r)
{
	if (!r->folder)
		return;
	rmdir(r->folder);
	close(r->folder_lock);
	free(r->folder);
}
