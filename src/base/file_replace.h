/* Writing files of the host without a half-written one. Behind base/files.h, which others use. */
#ifndef BASE_FILE_REPLACE_H
#define BASE_FILE_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define FILE_REPLACE_PART_MAX 32

/* A file that is being written. The caller reads `file` only. */
struct file_replacement {
	FILE *file;
	int folder; /* folder of the target; -1: the target is written in place */
	char *name; /* the target's name in `folder` */
	char part[FILE_REPLACE_PART_MAX];
};

/* Opens a file for a new content, as fopen(path, "wb") would, and leaves the old content alone: the new one goes to a temporary file of
 * mode 0600 and a random name in the same folder. Symbolic links are followed. Terminals, pipes, mount points and files whose
 * folder or owner doesn't allow a replacement are written in place. /dev/stdout and /dev/fd/N are this process's descriptors. Returns false with errno set if the file can't be written. */
bool file_replace_open(struct file_replacement *w, const char *path);

/* Closes the file. With `keep`, the new content takes the place of the old one, with the old file's owner and mode, or with those of
 * a new file. Without `keep`, or if a byte couldn't be written, the old content stays. Returns false with errno set if the new content
 * isn't in place although `keep` asked for that. */
bool file_replace_close(struct file_replacement *w, bool keep);

/* Tests, without changing anything, whether file_replace_open could open a file. Returns false with errno set if not. */
bool file_replace_is_possible(const char *path);

/* Opens a file for appending, creates it if need be, and locks it against other callers of file_lock. Returns a descriptor, or -1
 * with errno set. Closing the descriptor unlocks the file. */
int file_lock(const char *path);

#endif
