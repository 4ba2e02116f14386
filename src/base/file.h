/* Whole files, and their names. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

/* What a file holds, with a NUL after it, for the caller to free; *n: its bytes. Of a longer file than `most` bytes it reads one byte
 * more at least, so that *n tells. NULL with errno set if it can't be read, folders included. */
char *file_read(const char *path, size_t most, size_t *n);

/* The last part of a path. */
const char *file_base_name(const char *path);

#endif
