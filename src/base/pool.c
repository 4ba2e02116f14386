#include "base/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct pool_block {
	struct pool_block *next;
	size_t bytes;
};

#define POOL_FIRST ((size_t)16 << 10)
#define POOL_LARGEST ((size_t)4 << 20)

static void pool_more(struct pool *p, size_t bytes)
{
	size_t size = p->total < POOL_FIRST ? POOL_FIRST : p->total / 4;
	if (size > POOL_LARGEST)
		size = POOL_LARGEST;
	if (size < bytes)
		size = bytes;
	struct pool_block *b = xcalloc(1, sizeof *b + size);
	b->next = p->blocks;
	b->bytes = size;
	p->blocks = b;
	p->next = (char *)(b + 1);
	p->end = p->next + size;
	p->total += size + sizeof *b;
}

void *pool_alloc(struct pool *p, size_t bytes)
{
	bytes = (bytes + 15) & ~(size_t)15;
	if ((size_t)(p->end - p->next) < bytes || !p->next)
		pool_more(p, bytes);
	void *r = p->next;
	p->next += bytes;
	return r;
}

void *pool_dup(struct pool *p, const void *src, size_t bytes)
{
	void *r = pool_alloc(p, bytes);
	if (bytes)
		memcpy(r, src, bytes);
	return r;
}

char *pool_strn(struct pool *p, const char *s, size_t n)
{
	char *r = pool_alloc(p, n + 1);
	if (n)
		memcpy(r, s, n);
	return r;
}

void pool_free(struct pool *p)
{
	while (p->blocks) {
		struct pool_block *b = p->blocks;
		p->blocks = b->next;
		free(b);
	}
	*p = (struct pool){0};
}
