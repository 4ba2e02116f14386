/* Bump allocator: many small objects that die together (syntax trees, symbol tables). */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

struct pool_block;

/* A list of blocks; initialise with {0}. Memory from it is zeroed and 16-byte aligned. Without host memory the process exits, as in xalloc.h. */
struct pool {
	struct pool_block *blocks;
	char *next, *end;
	size_t total; /* bytes taken from malloc */
};

/* Allocates zeroed memory that lives until pool_free. */
void *pool_alloc(struct pool *p, size_t bytes);
/* Copies `bytes` bytes into the pool. */
void *pool_dup(struct pool *p, const void *src, size_t bytes);
/* Copies n bytes into the pool and appends a NUL. */
char *pool_strn(struct pool *p, const char *s, size_t n);
/* Frees all memory of the pool, which is empty afterwards. */
void pool_free(struct pool *p);

#define POOL_NEW(p, type) ((type *)pool_alloc((p), sizeof(type)))
#define POOL_ARRAY(p, type, n) ((type *)pool_alloc((p), sizeof(type) * (size_t)(n)))

#endif
