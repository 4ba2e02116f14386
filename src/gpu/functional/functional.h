/* Functional mode inside src/gpu: blocks of the running launch, the turns of warps, and the choice of what runs next. */
#ifndef GPU_FUNCTIONAL_FUNCTIONAL_H
#define GPU_FUNCTIONAL_FUNCTIONAL_H

#include "gpu/device/internal.h"

/* Runs the machine in functional mode until the request is fulfilled or an event occurs. */
void functional_run(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev);
/* Stores the slot and index of the warp that executes next. Returns false if no resident warp can run. */
bool functional_next_warp(const struct gpu *g, uint32_t *cta_slot, uint32_t *warp);
/* Makes the next warp that can run the block's current warp. `current` is unchanged if no warp can run. */
void functional_advance_block(const struct gpu *g, struct exec_cta *c);
/* Returns the index of the running launch's first resident block. Blocks before that index belong to launches that wait for it. */
uint32_t functional_first_block(const struct gpu *g);
/* Returns the index among the resident blocks of the block whose warp runs alone, GPU_NONE if there is none or its launch waits for a nested one. */
uint32_t functional_lone_block(const struct gpu *g);
/* Sets gpu_state.current to the block that runs now, and starts the block if need be. passes_on: the block's turn is over, and another one runs if
 * there is one. Returns false if no block can run. */
bool functional_choose_block(struct gpu *g, bool passes_on);
/* Selects the first launch that has begun and isn't done, if the running launch isn't such a launch. */
void functional_resume_concurrent(struct gpu *g);
/* Starts the next block of the running launch, else of another launch that has begun, of the context that has the turn. Returns false if no block can be
 * started. */
bool functional_start_any_block(struct gpu *g);
/* Gives the turn to the next context, among those with launches that have begun. Returns false if there is only one such context. */
bool functional_pass_to_context(struct gpu *g);
/* Returns true if blocks of the launch may run in this turn. */
static inline bool functional_is_in_turn(const struct gpu *g, const struct gpu_launch_info *l)
{
	const uint32_t turn = gpu_state(g)->turn_context;
	return __builtin_expect(!turn, 1) || l->launch.context + 1 == turn;
}
/* Returns true if a stream operation can begin or a host operation is under way. Returns false during a nested launch. */
bool functional_operation_is_ready(struct gpu *g);
/* Makes the launch of the current block (gpu_state.current) the running launch. Does nothing if only one launch has begun or a nested launch runs. */
void functional_set_running(struct gpu *g);
/* Starts the next block of the running launch. Returns false if no block is left or the device has no room. */
bool functional_start_block(struct gpu *g);
/* Removes the resident block with the given index; no block is current afterwards. */
void functional_finish_block(struct gpu *g, uint32_t index);
/* Removes all resident blocks. */
void functional_drop_blocks(struct gpu *g);
/* Forgets what was learned about waits in earlier launches, as a launch begins. */
void turn_begin(struct gpu *g);
/* Returns how many instructions the warp may execute before turn_after must be called. */
uint64_t turn_budget(const struct gpu *g, uint32_t slot, uint32_t warp);
/* Prepares the warp for a turn: ends a wait whose memory has changed, and records what a proof needs. */
void turn_before(struct gpu *g, uint32_t slot, uint32_t warp);
/* Records that the warp has executed instructions, with `n_stores` stores. Returns true if its turn is over because it waits. */
bool turn_after(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t n_stores);
/* Ends a warp's turn that ended without waiting: updates its idle turns, and observes the warp or starts a proof if that is due. */
void turn_end(struct gpu *g, uint32_t slot, uint32_t warp);
/* Chooses a waiting warp when only waiting warps are left, to prove its wait or to test whether it continues. Returns false if all wait
 * forever. */
bool turn_choose_waiting(struct gpu *g);
/* Ends the wait of a warp. If the warp is proven to wait forever, gpu_warp_spins stays true until memory changes. */
void turn_resume(struct gpu *g, uint32_t slot, uint32_t warp);
/* Requests that another block or launch runs next, because no block has ended for a long time. */
void turn_request_other_block(struct gpu *g);
/* Restores the full patience of gpu_state after a block has ended. */
void turn_block_ended(struct gpu *g);
/* Gives the turn to the context of a launch that begins. */
void turn_launch_begins(struct gpu *g, const struct gpu_launch_info *l);
/* Returns true if the warp is the one whose wait is being proven, and which therefore runs. */
static inline bool turn_is_probe(const struct gpu_state *s, uint32_t slot, uint32_t warp)
{
	return s->probe.active && s->probe.cta_slot == slot && s->probe.warp == warp;
}
/* Returns true for a waiting warp if the memory that it waits for has changed, or if its wait is being proven. */
bool turn_wait_has_ended(const struct gpu *g, const struct exec_warp *w);
/* Returns true if the warp can execute an instruction now: it is runnable and doesn't wait. */
static inline bool functional_warp_can_run(const struct gpu *g, const struct exec_warp *w)
{
	return w->state == EXEC_WARP_RUNNABLE && (__builtin_expect(!w->waiting, 1) || turn_wait_has_ended(g, w));
}
/* Returns true if the turns of a launch's warps are interrupted to find out whether the warps wait. */
static inline bool turn_observes_early(const struct gpu_state *s, const struct gpu_launch_info *l)
{
	return __builtin_expect(s->n_known || (l->may_wait && !s->look[GPU_LOOK_LIKELY].skip), 0) && !s->schedule.spec.seed;
}
/* Returns true if a turn of the warp needs turn_budget, turn_before and turn_after: the warp may wait, a proof runs, or stores are compared. */
static inline bool turn_is_special(const struct gpu *g, const struct gpu_launch_info *l, const struct exec_warp *w)
{
	const struct gpu_state *s = gpu_state(g);
	return __builtin_expect(w->waiting | s->probe.active | g->exec.wants.compares, 0) || turn_observes_early(s, l);
}
/* Records that the warp has changed memory. */
static inline void turn_changed(struct exec_warp *w)
{
	w->changed = 3;
}
/* Restarts the seeded schedule for a launch that begins, in functional mode. */
void gpu_schedule_begin(struct gpu *g, uint32_t launch);
/* Returns true if the seed decides the next scheduling choice. */
bool gpu_schedule_is_seeded(const struct gpu *g);
/* Makes a seeded choice of the next block and warp, among resident blocks from index `first` on. Returns false if no warp can run. */
bool gpu_schedule_choose(struct gpu *g, uint32_t first);

#endif
