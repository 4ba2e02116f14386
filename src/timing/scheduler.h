/* Warp schedulers: in which order a scheduler looks at its warps. Source: GPGPU-Sim manual "Warp scheduling", behaviour of 3.2.2. */
#ifndef TIMING_SCHEDULER_H
#define TIMING_SCHEDULER_H

#include "timing/core.h"

struct scheduler_state {
	uint32_t last;	   /* warp issued last */
	bool has_last;	   /* none yet: lrr starts at the first */
	uint32_t n_active, n_pending;
	uint8_t active[CORE_WARPS_MAX], pending[CORE_WARPS_MAX]; /* two-level schedulers: warps */
	uint32_t rotation; /* rrr */
};

void scheduler_init(struct core *c);
/* Warp slots of scheduler k (w mod schedulers == k) in the order to be tried; returns how many. May demote and promote warps of the two-level
 * schedulers, so it is called exactly once per scheduler and cycle. */
uint32_t scheduler_order(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX]);
/* The walk ended with this warp having issued. */
void scheduler_issued(struct core *c, uint32_t k, uint32_t warp);
/* All lanes done, at a barrier, a memory barrier pending with reserved registers (it is cleared when there are none), or
 * outstanding atomics. */
bool warp_waiting(struct core *c, uint32_t warp);

#endif
