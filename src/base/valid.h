/* What validators of restored state share: what is wrong, and sets of indices that may be used once.
 *
 * A validator looks at state that may hold anything, before any other code does. Its messages name the part that is wrong, as a phrase. */
#ifndef BASE_VALID_H
#define BASE_VALID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* True if the bytes of a bool are one. */
#define VALID_BOOL(x) (*(const unsigned char *)(const void *)&(x) <= 1)

/* Writes the phrase to `what` unless that has one already. Returns false. */
__attribute__((format(printf, 2, 3))) bool invalid(struct text *what, const char *fmt, ...);

/* Indices 1 to n - 1 of a pool, each with a byte: 0 while nothing has claimed it. */
struct valid_pool {
	uint8_t *claimed;
	uint64_t n;
};
/* Makes a pool of the indices 1 to n - 1, all unclaimed. */
void valid_pool_init(struct valid_pool *p, uint64_t n);
/* Frees a pool. */
void valid_pool_free(struct valid_pool *p);
/* Claims an index with a byte other than 0. Returns false if there is no such index, or if it is claimed. */
bool valid_claim(struct valid_pool *p, uint64_t k, uint8_t with);
/* Returns true if a pool has the index. */
static inline bool valid_index(const struct valid_pool *p, uint64_t k) { return k && k < p->n; }
/* Returns how many indices have this byte, index 0 left out. */
uint64_t valid_count(const struct valid_pool *p, uint8_t with);

#endif
