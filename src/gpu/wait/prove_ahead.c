/* Performance mode: the proof that a warp waits for ever, made at once: the warp runs ahead (exec/speculate.h), is observed (wait.h), its wait is
 * proven (prove.c), and all of it is taken back. Of a warp with several paths (paths.h) each of them is proven. */
#include "exec/pending.h"
#include "exec/speculate.h"
#include "gpu/wait/prove.h"
#include "gpu/wait/wait.h"
#include "gpu/wait/paths.h"

#define ROUNDS 2u	    /* equal ones after which the proof begins: it doesn't rest on them */
#define ROUND_FIRST 128u    /* instructions of a round at most, four times as many after each attempt in vain, */
#define ROUND_TIMES 3u	    /* so many times */
#define STEPS_MOST 100000u  /* of a proof */

struct attempt {
	struct gpu *g;
	struct exec_speculation *aside;
	uint32_t slot, warp;
	uint32_t round_most;
	uint32_t steps;
};

/* Executes an instruction. *changed: it has changed memory. Returns false if it can't be executed aside. */
static bool step(struct attempt *t, bool *changed)
{
	const uint64_t stores = t->g->exec.n_stores;
	if (t->steps++ == STEPS_MOST || !exec_speculation_step(t->aside))
		return false;
	*changed = t->g->exec.n_stores != stores;
	return true;
}

static void observe(const struct attempt *t)
{
	wait_begin(t->g, t->slot, t->warp, GPU_LOOK_NONE, t->round_most);
	wait_require_rounds(t->g, t->slot, t->warp, ROUNDS);
}

/* Runs until the path on top of the SIMT stack is seen to wait. If its lanes exit before, the next one is on top. */
static bool finds_wait(struct attempt *t)
{
	struct gpu *g = t->g;
	const struct exec_warp *w = &gpu_cta_at(g, t->slot)->warp[t->warp];
	enum wait_news news = WAIT_GOES_ON;
	observe(t);
	while (news == WAIT_GOES_ON) {
		const uint32_t exited = w->exited;
		bool changed;
		if (!exec_speculation_may_step(t->aside) || !step(t, &changed))
			return false;
		if (w->exited != exited)
			observe(t);
		else
			news = wait_step(g, t->slot, t->warp, g->exec.pc, &g->exec.effect.access, changed);
	}
	return news == WAIT_IS_FOUND;
}

static bool proves_wait(struct attempt *t)
{
	struct gpu *g = t->g;
	enum prove_news news = PROVE_GOES_ON;
	prove_begin(g, t->slot, t->warp, false);
	while (news == PROVE_GOES_ON && gpu_state(g)->probe.active) {
		bool changed;
		if (!exec_speculation_may_step(t->aside))
			return false;
		prove_before(g);
		if (!step(t, &changed))
			return false;
		news = prove_after(g, changed);
	}
	return news == PROVE_DONE;
}

/* Proves one path after the other, until all lanes that can run are proven to wait. */
static bool proves_ways(struct attempt *t)
{
	struct gpu *g = t->g;
	struct exec_cta *c = gpu_cta_at(g, t->slot);
	const struct exec_warp *w = &c->warp[t->warp];
	struct exec_ways ways = {.epoch = gpu_state(g)->epoch};
	uint32_t proven = 0;
	for (;;) {
		if (!finds_wait(t) || !proves_wait(t))
			return false;
		const uint32_t lanes = wait_lanes(g, t->slot, t->warp) | exec_simt_top(&g->exec, w)->mask;
		proven |= lanes;
		if (!(paths_other_lanes(g, c, w) & ~proven))
			return true;
		if (!exec_switch_way(&g->exec, c, t->warp, &ways, ways.epoch, lanes))
			return false;
	}
}

static bool has_effects_under_way(const struct gpu *g, uint32_t slot, uint32_t warp)
{
	for (const struct exec_pending *p = NULL; (p = exec_pending_next(&g->exec, p));)
		if (p->cta == slot && p->warp == warp)
			return true;
	return false;
}

struct prove_ahead prove_ahead(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t tries)
{
	struct exec_cta *c = gpu_cta_at(g, slot);
	if (has_effects_under_way(g, slot, warp))
		return (struct prove_ahead){0};
	const struct wait_record record = *wait_record_of(g, slot, warp);
	const struct gpu_probe probe = gpu_state(g)->probe;
	struct attempt t = {.g = g, .slot = slot, .warp = warp, .round_most = ROUND_FIRST << 2 * (tries < ROUND_TIMES ? tries : ROUND_TIMES)};
	exec_enter(&g->exec, &gpu_launch_at(g, c->launch)->launch);
	t.aside = exec_speculation_begin(&g->exec, c, warp);
	const bool is_proven = proves_ways(&t);
	exec_speculation_end(t.aside);
	const uint32_t looked = gpu_state(g)->probe.looked;
	*wait_touch_record(g, slot, warp) = record;
	gpu_state(g)->probe = probe;
	return (struct prove_ahead){true, is_proven, t.steps + looked};
}
