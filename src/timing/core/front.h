/* What the stages of a core's front end share (fetch.c, issue.c, core.c). */
#ifndef TIMING_FRONT_H
#define TIMING_FRONT_H

#include "timing/core/scheduler.h"
#include "timing/timing.h"

/* After a warp's flags, I-buffer or counters changed: which of the core's sets of warps it belongs to. */
void front_update(struct core *c, uint32_t warp);
/* What front_update would find of a warp that has just issued an instruction without consequences for the front end: it stays among those
 * that can issue, or its I-buffer is empty now. */
static inline void front_issued(struct core_state *s, uint32_t warp, bool empty)
{
	const uint64_t bit = UINT64_C(1) << warp;
	for (unsigned k = 0; k < UNIT_KINDS; k++)
		s->starved[k] &= ~bit;
	s->runnable &= ~(empty ? bit : 0);
	s->fetchable |= empty ? bit : 0;
}
/* Empties the I-buffer. */
void front_flush(struct core *c, uint32_t warp);
void front_fetch(struct core *c, uint64_t now);
/* Tells the L1I of the cycles it had nothing to do in. */
void front_count_l1i(struct core *c);
void front_decode(struct core *c);
/* The issue stage; false: stopped in front of an instruction, call again to go on. */
bool front_issue(struct core *c, uint64_t now);
/* Warps that were ready and can't go because their pipeline registers are still full. */
uint64_t front_starving(const struct core *c);
void front_turn_schedulers(struct core *c, uint64_t cycles);

#endif
