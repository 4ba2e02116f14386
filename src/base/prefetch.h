/* Asks for memory that is going to be needed soon. Nothing is read that the program could see: any address will do. */
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

#include <stddef.h>

#define PREFETCH_LINE 64u /* bytes of a line of the host's cache */

/* n bytes at p, to be read and written. */
static inline void prefetch(const void *p, size_t n)
{
	for (size_t i = 0; i < n; i += PREFETCH_LINE)
		__builtin_prefetch((const char *)p + i, 1);
}

#endif
