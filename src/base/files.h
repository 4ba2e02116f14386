/* How files are opened: a table of callbacks that the creator of a session gives. Below the faces no file is opened in another way (tests/layers). */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum files_use {
	FILES_READ,    /* the content, of a pipe or a terminal, too */
	FILES_REGULAR, /* the content of a regular file. Fails with EISDIR for a folder, with EINVAL for anything else, and waits for nothing */
	FILES_REPLACE, /* a new content, which takes the place of the old one when the file is closed */
	FILES_APPEND   /* bytes behind the content, which no other process changes meanwhile */
};

/* An open file. */
struct files_open {
	FILE *stream; /* at its beginning, for FILES_APPEND at its end; can be positioned if it is a regular file's, or for FILES_REPLACE */
	void *state;  /* of the callbacks */
};

struct files {
	void *self;
	/* Opens a file. Returns false with errno set if that fails. */
	bool (*open)(void *self, const char *path, enum files_use use, struct files_open *f);
	/* Closes a file. If it was opened for writing, the new bytes are kept if `keep` is true and all of them could be written, else the old content stays. Returns false
	 * with errno set if bytes that should be kept are not. */
	bool (*close)(void *self, struct files_open *f, bool keep);
};

/* The files of the host: a new content is written beside the old one and renamed (base/file_replace.h). */
extern const struct files files_of_host;

/* In all functions `fs` may be NULL, which is files_of_host. */

/* Opens a file by fs->open and returns what that returns: false, with errno set, if the file can't be opened. */
bool files_open(const struct files *fs, const char *path, enum files_use use, struct files_open *f);
/* Closes a file by fs->close and returns what that returns: false, with errno set, if the new content could not be kept. */
bool files_close(const struct files *fs, struct files_open *f, bool keep);
/* Opens a file to read it, FILES_READ or FILES_REGULAR, and reads it into memory that the caller frees. Appends a NUL, and stores the number of bytes in *n. Stops after more
 * than `most` bytes: *n > most then says that the file is too long. Returns NULL with errno set if the file can't be read. */
char *files_read(const struct files *fs, const char *path, enum files_use use, size_t most, size_t *n);
/* Writes n bytes as a file's whole content. Returns false with errno set, and keeps the old content, if that fails. */
bool files_write(const struct files *fs, const char *path, const void *bytes, size_t n);
/* Adds n bytes to the end of a file, and creates it if need be. Returns false with errno set, and leaves the file as it was, if that fails. */
bool files_append(const struct files *fs, const char *path, const void *bytes, size_t n);
/* Returns 0 if a path leads to a regular file that can be read, else the errno of FILES_REGULAR. */
int files_test(const struct files *fs, const char *path);

#endif
