#include "base/xalloc.h"

#include <stdio.h>
#include <string.h>

static void out_of_memory(size_t n)
{
	fprintf(stderr, "error: out of memory (%zu bytes asked for)\n", n);
	exit(1);
}

void *xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);
	if (!p)
		out_of_memory(n);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);
	if (!p)
		out_of_memory(n * size);
	return p;
}

void *xcalloc_aligned(size_t alignment, size_t size)
{
	void *p = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
	if (!p)
		out_of_memory(size);
	return memset(p, 0, size);
}

void *xrealloc(void *p, size_t n)
{
	void *q = realloc(p, n ? n : 1);
	if (!q)
		out_of_memory(n);
	return q;
}

char *xstrndup(const char *s, size_t n)
{
	char *p = xmalloc(n + 1);
	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *xstrdup(const char *s) { return xstrndup(s, strlen(s)); }

void *xgrow(void *v, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return v;
	size_t n = *cap ? *cap : 16;
	while (n < need)
		n += n / 2 + 8;
	if (n > SIZE_MAX / size)
		out_of_memory(SIZE_MAX);
	*cap = n;
	return xrealloc(v, n * size);
}
