/* malloc that cannot return NULL: out of host memory prints one line and exits the process. */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Allocates n bytes, uninitialised. */
void *xmalloc(size_t n);
/* Allocates n zeroed elements of `size` bytes. */
void *xcalloc(size_t n, size_t size);
/* Allocates one zeroed element of `size` bytes at an address that is a multiple of `alignment`, as _Alignof gives it: for types that malloc's alignment is
 * too small for. `free` releases it. */
void *xcalloc_aligned(size_t alignment, size_t size);
/* Resizes an allocation, which may move; p may be NULL. */
void *xrealloc(void *p, size_t n);
/* Copies a string. */
char *xstrdup(const char *s);
/* Copies n bytes of s, all of which must exist, and appends a NUL. */
char *xstrndup(const char *s, size_t n);

/* Grows the array v of *cap elements of `size` bytes so that it holds at least `need`; updates *cap and returns the array, which may have moved. */
void *xgrow(void *v, size_t *cap, size_t need, size_t size);

#endif
