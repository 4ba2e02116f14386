/* Functional mode: which block runs next, and which of its warps. The order: schedule.c. */
#include "gpu/performance.h"
#include "gpu/stream_internal.h"

void gpu_advance_block(struct exec_cta *c)
{
	uint32_t from = c->n_opened ? 0 : c->current + 1;
	c->n_opened = 0;
	for (uint32_t k = 0; k < c->n_warps; k++) {
		uint32_t w = (from + k) % c->n_warps;
		if (c->warp[w].state == EXEC_WARP_RUNNABLE) {
			c->current = w;
			return;
		}
	}
}

bool gpu_can_go_on(const struct gpu *g, const struct exec_cta *c)
{
	for (uint32_t k = 0; k < c->n_warps; k++)
		if (c->warp[k].state == EXEC_WARP_RUNNABLE && !gpu_warp_spins(g, &c->warp[k]))
			return true;
	return false;
}

uint32_t gpu_first_of_running(const struct gpu *g)
{
	return gpu_state(g)->nested ? gpu_launch_at(g, gpu_running(g))->first_resident : 0;
}

/* Index of the resident block that runs next, GPU_NONE if none of them can. */
static uint32_t choose_resident(const struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	const uint32_t *r = gpu_residents(g), first = gpu_first_of_running(g);
	if (s->current != GPU_NONE && s->current < s->n_resident && s->current >= first &&
	    gpu_can_go_on(g, gpu_cta_at(g, r[s->current])))
		return s->current;
	for (uint32_t k = first; k < s->n_resident; k++)
		if (gpu_can_go_on(g, gpu_cta_at(g, r[k])))
			return k;
	return GPU_NONE;
}

bool gpu_next_warp(struct gpu *g, uint32_t *cta_slot, uint32_t *warp)
{
	if (g->perf)
		return perf_next_warp(g, cta_slot, warp);
	uint32_t k = choose_resident(g);
	if (k == GPU_NONE)
		return false;
	*cta_slot = gpu_residents(g)[k];
	*warp = gpu_cta_at(g, *cta_slot)->current;
	return true;
}

/* Outside of the seed's choices those are the default's, made as often. */
static bool choose_by_default(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t k = choose_resident(g);
	if (k == GPU_NONE && gpu_start_block(g))
		k = s->n_resident - 1;
	if (k == GPU_NONE)
		return false;
	struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
	if (c->warp[c->current].executed) /* not of a block that has just begun */
		gpu_advance_block(c);
	c->warp[c->current].quantum = GPU_QUANTUM;
	s->current = k;
	s->schedule.chosen = true;
	s->schedule.n++;
	return true;
}

static bool choose_by_seed(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	const struct exec_cta *c = s->current < s->n_resident ? gpu_cta_at(g, gpu_residents(g)[s->current]) : NULL;
	if (s->schedule.chosen && c && c->warp[c->current].state == EXEC_WARP_RUNNABLE &&
	    !gpu_warp_spins(g, &c->warp[c->current]))
		return true;
	gpu_transition(g);
	return gpu_schedule_is_seeded(g) ? gpu_schedule_choose(g, gpu_first_of_running(g)) : choose_by_default(g);
}

static bool choose_in_order(struct gpu *g, bool passes_on)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t k = passes_on ? gpu_choose_other(g) : GPU_NONE;
	if (k == GPU_NONE)
		k = choose_resident(g);
	if (k == GPU_NONE && gpu_start_any_block(g)) {
		gpu_transition(g);
		k = s->n_resident - 1;
	}
	if (k == GPU_NONE)
		return false;
	if (s->current != k)
		gpu_transition(g);
	s->current = k;
	return true;
}

bool gpu_choose_block(struct gpu *g, bool passes_on)
{
	return gpu_state(g)->schedule.spec.seed ? choose_by_seed(g) : choose_in_order(g, passes_on);
}
