/* Reading an open file to its end, and the last part of a path. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

/* Reads an open file to its end into memory that the caller frees, appends a NUL, and stores the number of bytes in *n. Stops after more than
 * `most` bytes. Returns NULL with errno set if reading fails. */
char *file_read_open(FILE *f, size_t most, size_t *n);

/* Returns the part of `path` behind its last '/', or all of it. */
const char *file_base_name(const char *path);

#endif
