#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static char *read_all(FILE *f, size_t most, size_t *n)
{
	char *s = NULL;
	size_t cap = 0, got = 1;
	*n = 0;
	if (!fseek(f, 0, SEEK_END)) {
		long size = ftell(f);
		rewind(f);
		/* one byte more shows the end without growing */
		if (size > 0 && (unsigned long)size < most)
			s = xgrow(s, &cap, (size_t)size + 2, 1);
	}
	while (got && *n <= most) {
		if (cap - *n < 2)
			s = xgrow(s, &cap, cap + cap / 2 + 4096, 1);
		got = fread(s + *n, 1, cap - *n - 1, f);
		*n += got;
	}
	s[*n] = '\0';
	return s;
}

char *file_read_open(FILE *f, size_t most, size_t *n)
{
	errno = 0;
	char *s = read_all(f, most, n);
	int error = ferror(f) ? (errno ? errno : EIO) : 0;
	if (!error)
		return s;
	free(s);
	errno = error;
	return NULL;
}

const char *file_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}
