/* Shared by the files of the warp schedulers. */
#ifndef TIMING_SCHEDULER_INTERNAL_H
#define TIMING_SCHEDULER_INTERNAL_H

#include "timing/core/scheduler.h"

/* The functions that rows of schedulers.def name. */
extern const struct scheduler_own scheduler_limited, scheduler_strict, scheduler_two_level, scheduler_tl;

/* Stores the scheduler's slots, beginning after the warp issued last, and returns how many. */
uint32_t scheduler_round_robin(const struct scheduler_state *s, uint8_t *order);

#endif
