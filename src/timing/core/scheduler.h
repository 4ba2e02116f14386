/* Warp schedulers: in which order a scheduler looks at its warps. Source: GPGPU-Sim manual "Warp scheduling", behaviour of 3.2.2. */
#ifndef TIMING_SCHEDULER_H
#define TIMING_SCHEDULER_H

#include "timing/core/core.h"

struct scheduler_state {
	uint64_t mine;	   /* warp slots of this scheduler */
	uint32_t last;	   /* warp issued last */
	bool has_last;	   /* none yet: lrr starts at the first */
	bool stale;	   /* a slot was filled or emptied: `sorted` is to be made anew */
	uint8_t n_sorted;
	uint8_t sorted[CORE_WARPS_MAX]; /* live warps by slot, age, or instructions issued, as the kind wants */
	/* two-level schedulers: warps looked at, and a queue of the others */
	uint32_t n_active, n_pending;
	uint8_t active[CORE_WARPS_MAX], pending[CORE_WARPS_MAX]; /* the next one first */
};
static inline uint32_t scheduler_pending(const struct scheduler_state *s, uint32_t k)
{
	return s->pending[k];
}

/* When the device is created; nothing of it is reset between kernels. */
void scheduler_init(struct core *c);
/* Warp slots of scheduler k (w mod schedulers == k) in the order to be tried; returns how many. May demote and promote warps of the two-level
 * schedulers, so it is called exactly once per scheduler and cycle. */
uint32_t scheduler_order(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX]);
/* The same for the issue stage: of warps that can't issue (empty I-buffer, waiting, known to be held back by the scoreboard) those are left out
 * whose presence changes nothing. *blocked: one that the scoreboard holds back would have been looked at. */
uint32_t scheduler_candidates(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX], bool *blocked);
/* So many cycles of scheduler k in which nothing issues and no warp's state changes: the two-level schedulers' lists move on. In how many of
 * them a warp that the scoreboard holds back would have been looked at. */
uint64_t scheduler_skip(struct core *c, uint32_t k, uint64_t cycles);
/* Orders in which every live warp has a place need no list: the first of some of the scheduler's warps (not empty). */
bool scheduler_has_list(const struct core *c);
uint32_t scheduler_first_of(struct core *c, uint32_t k, uint64_t warps);
static inline uint32_t scheduler_first(struct core *c, uint32_t k, uint64_t warps)
{
	const uint32_t last = c->scheduler[k].last;
	return c->cfg->scheduler == SCHEDULER_GTO && warps >> last & 1 ? last : scheduler_first_of(c, k, warps);
}
/* The walk ended with this warp having issued c->s->issued instructions. */
void scheduler_requeue(struct core *c, uint32_t k, uint32_t warp); /* of the two-level ones */
static inline void scheduler_issued(struct core *c, uint32_t k, uint32_t warp)
{
	struct scheduler_state *s = &c->scheduler[k];
	s->last = warp;
	s->has_last = true;
	if (c->cfg->scheduler == SCHEDULER_TWO_LEVEL || c->cfg->scheduler == SCHEDULER_TL)
		scheduler_requeue(c, k, warp);
}
/* A warp slot was filled or emptied: cached orders are void. */
void scheduler_warp_placed(struct core *c, uint32_t warp);
void scheduler_warp_retired(struct core *c, uint32_t warp);
/* All lanes done, at a barrier, a memory barrier pending with reserved registers (it is cleared when there are none), or
 * outstanding atomics. */
bool warp_waiting(struct core *c, uint32_t warp);

#endif
