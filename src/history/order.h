/* Whether what a launch does depends on the order of its warps. Private to src/history. */
#ifndef HISTORY_ORDER_H
#define HISTORY_ORDER_H

#include "history/internal.h"

/* Judges accesses of warps while they run: two accesses to a word, one of them a write, must be of one warp, or of one block with a barrier of the whole
 * block between. */
struct order;
/* Creates a judge of a launch, which is registered with exec. The caller frees it with order_free. Returns NULL if too many watchers are registered. */
struct order *order_create(struct history *h, uint32_t launch);
/* Returns true if, as far as the accesses so far say, no other order of the launch's warps could have led to another result. */
bool order_is_fixed(const struct order *o);
/* Removes a judge and releases it. Does nothing for NULL. */
void order_free(struct order *o);

/* Returns true if no instruction that the launch may execute depends on time, or on where a warp runs, or has effects that aren't judged: atomics with a
 * result, clocks, writes to surfaces. */
bool order_is_fixed_by_code(struct history *h, const struct exec_launch *launch);

#endif
