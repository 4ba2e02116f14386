/* Performance mode with one warp that runs alone: the schedulers of all cores issue nothing of the other warps. What these have issued before completes. */
#include "gpu/performance/performance.h"

/* Returns the block of the warp that runs alone, NULL if it isn't resident. */
static const struct exec_cta *lone_block(struct gpu *g)
{
	const struct gpu_alone *a = &gpu_state(g)->alone;
	bool done;
	const int32_t slot = a->launch ? gpu_find_cta(g, a->launch - 1, a->cta, &done) : -1;
	const struct exec_cta *c = slot < 0 ? NULL : gpu_cta_at(g, (uint32_t)slot);
	return c && a->warp < c->n_warps ? c : NULL;
}

static bool is_at_barrier(const struct gpu *g, const struct exec_cta *lone)
{
	return lone && lone->warp[gpu_state(g)->alone.warp].state == EXEC_WARP_BARRIER;
}

void perf_hold_warps(struct gpu *g)
{
	const struct exec_cta *lone = lone_block(g);
	for (uint32_t k = 0; k < g->n_cores; k++) {
		struct core *c = &g->perf->timing.core[k];
		for (uint64_t left = c->s->live; left; left &= left - 1) {
			const uint32_t warp = (uint32_t)__builtin_ctzll(left);
			const struct core_warp *w = &c->warp[warp];
			core_hold_warp(c, warp, lone && (gpu_cta_at(g, w->cta_slot) != lone || w->index != gpu_state(g)->alone.warp));
		}
	}
	g->perf->lone_waits = is_at_barrier(g, lone);
}

void perf_alone_cycle(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	const struct exec_cta *lone = lone_block(g);
	bool done = false;
	gpu_find_cta(g, s->alone.launch - 1, s->alone.cta, &done);
	const bool is_over = done || (lone && lone->warp[s->alone.warp].state == EXEC_WARP_DONE);
	if (is_over)
		s->alone = (struct gpu_alone){.launch = 0};
	perf_hold_warps(g);
	g->perf->lone_waits |= is_over;
}
