/* Shared by the files of the warp schedulers. */
#ifndef TIMING_SCHEDULER_INTERNAL_H
#define TIMING_SCHEDULER_INTERNAL_H

#include "timing/core/scheduler.h"

/* What schedulers.def names. */
extern const struct scheduler_own scheduler_limited, scheduler_strict, scheduler_two_level, scheduler_tl;

/* Slots from the one after the last issued; that one comes last. */
uint32_t scheduler_round_robin(const struct scheduler_state *s, uint8_t *order);

#endif
