/* Bump allocator: many small objects that die together (syntax trees, symbol tables). */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

struct pool_block;

/* Initialise with {0}. Memory is zeroed and 16-byte aligned; allocation failure aborts the process with a message
 * (the only place besides xalloc where it does). */
struct pool {
	struct pool_block *blocks;
	char *next, *end;
	size_t total; /* bytes reserved from malloc */
};

void *pool_alloc(struct pool *p, size_t bytes);
void *pool_dup(struct pool *p, const void *src, size_t bytes);
char *pool_strn(struct pool *p, const char *s, size_t n); /* NUL-terminated copy */
void pool_free(struct pool *p);

#define POOL_NEW(p, type) ((type *)pool_alloc((p), sizeof(type)))
#define POOL_ARRAY(p, type, n) ((type *)pool_alloc((p), sizeof(type) * (size_t)(n)))

#endif
