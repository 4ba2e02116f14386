/* Hints to the host's caches. */
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

#include <stddef.h>

#define PREFETCH_LINE 64u /* bytes of a cache line of the host */

/* Asks the host to load n bytes at p into its caches for reading and writing. Any address is allowed. */
static inline void prefetch(const void *p, size_t n)
{
	for (size_t i = 0; i < n; i += PREFETCH_LINE)
		__builtin_prefetch((const char *)p + i, 1);
}

#endif
