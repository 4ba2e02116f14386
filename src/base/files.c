/* Files by way of a session's callbacks, and the callbacks for the files of the host. */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_replace.h"
#include "base/xalloc.h"

/* ---- the host's files ---- */

/* What is kept of a file that is open for writing. */
struct writing {
	struct file_replacement replacement; /* FILES_REPLACE */
	bool appends;
	off_t before; /* FILES_APPEND: size at the beginning; -1: no regular file */
};

static FILE *open_regular(const char *path)
{
	struct stat st;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return NULL;
	int error = fstat(fd, &st) ? errno : S_ISDIR(st.st_mode) ? EISDIR : S_ISREG(st.st_mode) ? 0 : EINVAL;
	FILE *f = error ? NULL : fdopen(fd, "rb");
	error = f || error ? error : errno;
	if (!f)
		close(fd);
	errno = error;
	return f;
}

static FILE *open_appending(struct writing *w, const char *path)
{
	struct stat st;
	const int fd = file_lock(path);
	if (fd < 0)
		return NULL;
	w->before = !fstat(fd, &st) && S_ISREG(st.st_mode) ? st.st_size : -1;
	FILE *f = fdopen(fd, "ab");
	const int error = errno;
	if (!f)
		close(fd);
	errno = error;
	return f;
}

static bool host_open(void *self, const char *path, enum files_use use, struct files_open *f)
{
	struct writing w = {.appends = use == FILES_APPEND};
	(void)self;
	*f = (struct files_open){0};
	switch (use) {
	case FILES_READ: f->stream = fopen(path, "rbe"); return f->stream;
	case FILES_REGULAR: f->stream = open_regular(path); return f->stream;
	case FILES_REPLACE: f->stream = file_replace_open(&w.replacement, path) ? w.replacement.file : NULL; break;
	case FILES_APPEND: f->stream = open_appending(&w, path); break;
	}
	if (!f->stream)
		return false;
	f->state = xmalloc(sizeof w);
	*(struct writing *)f->state = w;
	return true;
}

/* Closes a file that bytes were added to. Cuts them off again, if not all of them could be written, or if they aren't to be kept. */
static bool close_appended(FILE *f, off_t before, bool keep)
{
	errno = 0;
	int error = fflush(f) || ferror(f) ? (errno ? errno : EIO) : 0;
	if ((error || !keep) && before >= 0 && ftruncate(fileno(f), before) && !error)
		error = errno;
	if (fclose(f) && !error)
		error = errno;
	errno = error;
	return !error;
}

static bool host_close(void *self, struct files_open *f, bool keep)
{
	(void)self;
	struct writing *w = f->state;
	bool ok = true;
	if (!w)
		fclose(f->stream);
	else if (w->appends)
		ok = close_appended(f->stream, w->before, keep);
	else
		ok = file_replace_close(&w->replacement, keep);
	const int error = errno;
	free(w);
	*f = (struct files_open){0};
	errno = error;
	return ok;
}

const struct files files_of_host = {.open = host_open, .close = host_close};

/* ---- any files ---- */

static const struct files *used(const struct files *fs) { return fs ? fs : &files_of_host; }

bool files_open(const struct files *fs, const char *path, enum files_use use, struct files_open *f)
{
	return used(fs)->open(used(fs)->self, path, use, f);
}

bool files_close(const struct files *fs, struct files_open *f, bool keep)
{
	return used(fs)->close(used(fs)->self, f, keep);
}

char *files_read(const struct files *fs, const char *path, enum files_use use, size_t most, size_t *n)
{
	struct files_open f;
	if (!files_open(fs, path, use, &f))
		return NULL;
	char *bytes = file_read_open(f.stream, most, n);
	const int error = errno;
	files_close(fs, &f, false);
	errno = error;
	return bytes;
}

static bool write_bytes(const struct files *fs, const char *path, enum files_use use, const void *bytes, size_t n)
{
	struct files_open f;
	if (!files_open(fs, path, use, &f))
		return false;
	errno = 0;
	const bool is_written = fwrite(bytes, 1, n, f.stream) == n;
	const int error = is_written ? 0 : errno ? errno : EIO;
	const bool is_closed = files_close(fs, &f, is_written);
	if (error)
		errno = error;
	return is_written && is_closed;
}

bool files_write(const struct files *fs, const char *path, const void *bytes, size_t n)
{
	return write_bytes(fs, path, FILES_REPLACE, bytes, n);
}

bool files_append(const struct files *fs, const char *path, const void *bytes, size_t n)
{
	return write_bytes(fs, path, FILES_APPEND, bytes, n);
}

int files_test(const struct files *fs, const char *path)
{
	struct files_open f;
	if (!files_open(fs, path, FILES_REGULAR, &f))
		return errno;
	files_close(fs, &f, false);
	return 0;
}
