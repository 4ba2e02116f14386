/* Page-wise memory straight from the host's kernel. It begins as zeros and returns to the host as soon as it is dropped. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stdint.h>

/* Reserves `bytes` of zeroed address space, aligned to a large page (2 MiB). A page takes memory only once it is touched, so a reservation may
 * exceed the host's memory. Returns NULL if the host refuses. */
void *pages_reserve(uint64_t bytes);
/* Allocates `bytes` of zeroed memory that the caller will fill. Returns NULL if the host has not that much. */
void *pages_take(uint64_t bytes);
/* Enlarges a reservation from `bytes` to `more` with its contents, perhaps at another address, which is returned. Returns NULL and changes nothing if
 * the host refuses. */
void *pages_grow(void *p, uint64_t bytes, uint64_t more);
/* Gives whole private pages back to the host; they read as zero again. */
void pages_drop(void *p, uint64_t bytes);
/* Zeroes whole pages and gives them back to the host, also pages of a file that another process maps: both then read zeros. */
void pages_zero(void *p, uint64_t bytes);
/* Unmaps a reservation or allocation of `bytes`; does nothing if p is NULL. */
void pages_free(void *p, uint64_t bytes);

#endif
