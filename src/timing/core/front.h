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
/* Retires a warp that is done, and its block with its last warp. */
void front_retire(struct core *c, uint32_t warp, uint64_t now);

/* ---- one instruction issues ---- */
/* Returns the execution state of a core's warp. */
static inline struct exec_warp *front_exec_warp(const struct core *c, const struct core_warp *w) { return &c->t->cta[w->cta_slot].warp[w->index]; }
/* Passes the instruction at t->at (c->t), which warp *w is about to issue, to the hooks t->before_issue and t->watch.look. Returns true, with
 * t->status EXEC_MARK or EXEC_BUDGET, if the machine stops in front of it. */
bool front_stops_before(struct core *c, const struct core_warp *w);
/* Executes the next instruction of warp *w. Returns false if exec stopped in front of that instruction. */
bool front_execute(struct core *c, const struct core_warp *w);
/* Ends the observation of an instruction that did not issue. */
void front_end_observed(struct timing *t);
/* Allocates an instruction in flight for the instruction at `pc` that exec has just executed, and returns its index. */
uint32_t front_new_inst(struct core *c, uint32_t warp, uint32_t pc, uint32_t issue_mask, uint64_t now);
/* Updates the core's warp after lanes have exited. */
void front_note_exits(struct core *c, uint32_t warp, const struct exec_warp *e, uint32_t exited_before);
/* Updates which warps of a CTA wait at a barrier, after a warp arrived or exited. */
void front_note_barriers(struct core *c, uint32_t slot);
/* Reports the instruction at t->at, which warp *w has issued, to t->on_observed if it is observed. Returns true, with t->stopped TIMING_AFTER, if the
 * machine stops after it (t->one or t->stop_after). */
bool front_stops_after(struct core *c, const struct core_warp *w);

/* Executes the issue stage. Returns false if the stage stopped in front of or after an instruction; the next call resumes it. */
bool front_issue(struct core *c, uint64_t now);
/* Returns the warps that were ready and can't issue because their pipeline registers are still full. */
uint64_t front_starving(const struct core *c);
/* Advances the order of the schedulers (4.x) by `cycles` cycles. */
void front_turn_schedulers(struct core *c, uint64_t cycles);

#endif
