/* malloc that cannot return NULL: out of host memory prints one line and exits the process. */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);

/* Grows the array *v of `size`-byte elements so that it holds at least `need`; new capacity goes to *cap. */
void *xgrow(void *v, size_t *cap, size_t need, size_t size);

#endif
