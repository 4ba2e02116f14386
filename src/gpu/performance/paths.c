/* Performance mode: warps whose lanes wait for lanes of the same warp, where a launch has independent threads.
 *
 * Every PATH_INTERVAL cycles each diverged warp that has run since is observed (wait.h) for some hundred instructions. A warp that was in no such
 * wait is observed more and more seldom. If the running path waits, another one of the warp runs. From then on the warp is observed without a pause,
 * and PATH_ROUNDS equal rounds are enough: a lock is handed on in some hundred cycles. Intervals count from the beginning of the batch, so nothing
 * depends on how a run is cut into requests. */
#include "gpu/performance/performance.h"
#include "gpu/wait/wait.h"
#include "gpu/wait/paths.h"

#define PATH_INTERVAL 4096u
#define PATH_RARELY 4u	    /* binary logarithm: a warp is observed at least every 16th interval */
#define PATH_STEPS 512u	    /* instructions of a round at most */
#define PATH_LONG 8192u	    /* the same in every 32nd observation of a warp */
#define PATH_FIRST 64u	    /* the same in a warp that has waited, twice as many after each round that was longer */
#define PATH_ROUNDS 2u	    /* of a warp in which a path has waited before */
#define PATH_TURN 4096u	    /* instructions of a path that doesn't wait, while others have waited */

/* Returns true if a path of the warp has been seen to wait. */
static bool has_waited(const struct gpu *g, const struct exec_warp *w) { return paths_of(g, w)->paths.epoch; }

static void observe(struct gpu *g, uint32_t slot, uint32_t warp)
{
	const struct exec_warp *w = &gpu_cta_at(g, slot)->warp[warp];
	const uint32_t failures = paths_of(g, w)->failures;
	g->perf->timing.observes = true;
	timing_ask(&g->perf->timing);
	if (!has_waited(g, w)) {
		wait_begin(g, slot, warp, GPU_LOOK_NONE, failures % 32 == 31 ? PATH_LONG : PATH_STEPS);
		return;
	}
	wait_begin(g, slot, warp, GPU_LOOK_NONE, PATH_FIRST << (failures < 7 ? failures : 7));
	wait_require_rounds(g, slot, warp, PATH_ROUNDS);
}

/* An observation has ended without a wait. `changed`: since the warp has changed memory. */
static void observation_over(struct gpu *g, uint32_t slot, uint32_t warp, bool changed)
{
	const bool again = has_waited(g, &gpu_cta_at(g, slot)->warp[warp]);
	struct path_record *r = paths_touch(g, slot, warp);
	r->failures = again && changed ? 0 : r->failures + 1;
	if (again)
		observe(g, slot, warp);
}

/* Starts to observe a warp if that is due in the interval. */
static void look_at_warp(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t interval)
{
	struct exec_cta *c = gpu_cta_at(g, slot);
	struct exec_warp *w = &c->warp[warp];
	if (w->waiting != WAIT_NONE || !paths_other_lanes(g, c, w))
		return;
	const uint32_t failures = paths_of(g, w)->failures, rarely = failures < PATH_RARELY ? failures : PATH_RARELY;
	if (!(interval & ((UINT64_C(1) << rarely) - 1)))
		observe(g, slot, warp);
}

bool paths_are_observed(const struct gpu *g)
{
	for (uint32_t k = 0; k < gpu_state(g)->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
		for (uint32_t w = 0; w < c->n_warps; w++)
			if (c->warp[w].waiting != WAIT_NONE)
				return true;
	}
	return false;
}

void paths_cycle(struct gpu *g, uint64_t cycle)
{
	if (cycle % PATH_INTERVAL)
		return;
	const uint32_t *residents = gpu_residents(g);
	for (uint32_t k = 0; k < gpu_state(g)->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, residents[k]);
		for (uint32_t w = 0; w < c->n_warps; w++)
			look_at_warp(g, residents[k], w, cycle / PATH_INTERVAL);
	}
	g->perf->timing.observes = paths_are_observed(g);
	timing_ask(&g->perf->timing);
}

/* The running path waits, or has had its turn. */
static void switch_way(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t lanes)
{
	struct timing_state *t = g->perf->timing.s;
	if (!paths_switch(g, slot, warp, gpu_state(g)->epoch + t->changes, lanes))
		livelock_all_paths_wait(g, slot, warp);
	paths_touch(g, slot, warp)->failures = paths_touch(g, slot, warp)->repeats = 0;
	observe(g, slot, warp);
}

void paths_repeat(struct gpu *g, uint32_t slot, uint32_t warp)
{
	paths_touch(g, slot, warp)->repeats = exec_simt_top(&g->exec, &gpu_cta_at(g, slot)->warp[warp])->mask;
	observe(g, slot, warp);
}

void paths_observed(void *gpu, uint32_t slot, uint32_t warp, uint32_t pc, bool changed)
{
	struct gpu *g = gpu;
	struct exec_cta *c = gpu_cta_at(g, slot);
	struct exec_warp *w = &c->warp[warp];
	if (w->state == EXEC_WARP_RUNNABLE && !paths_other_lanes(g, c, w))
		return;
	if (paths_of(g, w)->repeats && w->state == EXEC_WARP_RUNNABLE) {
		switch_way(g, slot, warp, paths_of(g, w)->repeats);
		return;
	}
	const enum wait_news news = wait_step(g, slot, warp, pc, &g->exec.effect.access, changed);
	if (w->state != EXEC_WARP_RUNNABLE)
		return;
	if (news == WAIT_IS_FOUND || (has_waited(g, w) && w->executed - paths_of(g, w)->paths.since >= PATH_TURN))
		switch_way(g, slot, warp, news == WAIT_IS_FOUND ? wait_lanes(g, slot, warp) : 0);
	else if (news == WAIT_IS_OVER)
		observation_over(g, slot, warp, changed);
}

void paths_landed(void *gpu, uint32_t slot, uint32_t warp)
{
	struct gpu *g = gpu;
	wait_end(g, slot, warp);
	observation_over(g, slot, warp, true);
}
