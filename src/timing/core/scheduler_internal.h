/* Shared by the files of the warp schedulers. */
#ifndef TIMING_SCHEDULER_INTERNAL_H
#define TIMING_SCHEDULER_INTERNAL_H

#include "timing/core/scheduler.h"

/* ---- scheduler_levels.c: two_level_active of 3.2.2 and tl of 3.1 ---- */
void levels_init(const struct core *c, struct scheduler_state *s);
uint32_t levels_order(struct core *c, struct scheduler_state *s, uint8_t *order);
/* In how many of the cycles one of the warps `held` was active. */
uint64_t levels_skip(struct core *c, struct scheduler_state *s, uint64_t cycles, uint64_t held);
void levels_issued(struct core *c, struct scheduler_state *s, uint32_t warp);

#endif
