/* Shared by the stages of a core's front end (fetch.c, issue.c, core.c). */
#ifndef TIMING_FRONT_H
#define TIMING_FRONT_H

#include "timing/core/scheduler.h"
#include "timing/timing.h"

/* Updates the core's sets of warps (runnable, fetchable, retirable ...) after a warp's flags, I-buffer or counters have changed. */
void front_update(struct core *c, uint32_t warp);
/* Removes a warp from those that starve of pipeline registers. */
void front_clear_starving(struct core_state *s, uint32_t warp);
/* Updates the sets as front_update does, faster, for a warp that has just issued an instruction without effect on the front end; `empty`: its I-buffer is empty
 * now. */
static inline void front_issued(struct core_state *s, uint32_t warp, bool empty)
{
	const uint64_t bit = UINT64_C(1) << warp;
	if (s->starving & bit)
		front_clear_starving(s, warp);
	s->runnable &= ~(empty ? bit : 0);
	s->fetchable |= empty ? bit : 0;
}
/* Empties a warp's I-buffer. */
void front_flush(struct core *c, uint32_t warp);
/* Executes the fetch stage, and retires warps that are done. */
void front_fetch(struct core *c, uint64_t now);
/* Adds the uncounted cycles to the L1I's count. */
void front_count_l1i(struct core *c);
/* Executes the decode stage: moves the fetch buffer into a warp's I-buffer. */
void front_decode(struct core *c);
/* Executes the issue stage. Returns false if it stopped before an instruction; the next call resumes it. */
bool front_issue(struct core *c, uint64_t now);
/* Returns the warps that were ready and can't issue because their pipeline registers are still full. */
uint64_t front_starving(const struct core *c);
/* Advances the order of the schedulers (4.x) by `cycles` cycles. */
void front_turn_schedulers(struct core *c, uint64_t cycles);

#endif
