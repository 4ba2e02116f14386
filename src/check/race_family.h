/* What orders launches that threads have made: with their parents, with each other, with what comes after. */
#ifndef CHECK_RACE_FAMILY_H
#define CHECK_RACE_FAMILY_H

#include "check/race_order.h"
#include "check/race_state.h"

/* Returns true if all of launch a is ordered before or after all of launch b. A launch and one that its threads have made are not: single accesses are, as
 * race_family_knows says. */
bool race_family_orders(const struct gpu *g, const struct order *o, uint32_t a, uint32_t b);
/* Returns true if the access of thread `uid` of launch *l at time `stamp` is ordered before the block in a slot, by the threads that made the launch of
 * either. */
bool race_family_knows(const struct gpu *g, const struct race *r, uint32_t slot, const struct gpu_launch_info *l, uint32_t uid, uint32_t stamp);

#endif
