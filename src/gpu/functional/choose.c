/* Functional mode: which block runs next, and which of its warps. The order: schedule.c. */
#include "gpu/functional/functional.h"

void functional_advance_block(const struct gpu *g, struct exec_cta *c)
{
	uint32_t from = c->n_opened ? 0 : c->current + 1;
	c->n_opened = 0;
	for (uint32_t k = 0; k < c->n_warps; k++) {
		uint32_t w = (from + k) % c->n_warps;
		if (functional_warp_can_run(g, &c->warp[w])) {
			c->current = w;
			return;
		}
	}
}

/* Returns true if at least one warp of the block can run now, and its context has the turn. */
static bool block_can_run(const struct gpu *g, const struct exec_cta *c)
{
	if (!functional_is_in_turn(g, gpu_launch_at(g, c->launch)))
		return false;
	for (uint32_t k = 0; k < c->n_warps; k++)
		if (functional_warp_can_run(g, &c->warp[k]))
			return true;
	return false;
}

uint32_t functional_first_block(const struct gpu *g)
{
	return gpu_state(g)->nested ? gpu_launch_at(g, gpu_running(g))->first_resident : 0;
}

/* The first resident block from `first` up to `end` that can go on, GPU_NONE if there is none. */
static uint32_t first_between(const struct gpu *g, uint32_t first, uint32_t end)
{
	for (uint32_t k = first; k < end; k++)
		if (block_can_run(g, gpu_cta_at(g, gpu_residents(g)[k])))
			return k;
	return GPU_NONE;
}

/* Returns true if the block that ran has given its turn away: its warps wait, or another one has to have a turn. */
static bool has_yielded(const struct gpu *g, bool passes_on)
{
	const struct gpu_state *s = gpu_state(g);
	if (s->current >= s->n_resident || s->current < functional_first_block(g))
		return false;
	const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[s->current]);
	bool waits = false;
	for (uint32_t k = 0; k < c->n_warps && !passes_on; k++) {
		if (functional_warp_can_run(g, &c->warp[k]))
			return false;
		waits = waits || c->warp[k].state == EXEC_WARP_RUNNABLE;
	}
	return waits || passes_on;
}

uint32_t functional_lone_block(const struct gpu *g)
{
	const struct gpu_alone *a = &gpu_state(g)->alone;
	for (uint32_t k = functional_first_block(g); a->launch && k < gpu_state(g)->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
		if (c->launch + 1 == a->launch && c->linear == a->cta && a->warp < c->n_warps)
			return k;
	}
	return GPU_NONE;
}

/* Index of the resident block that runs next, GPU_NONE if none of them can. */
static uint32_t choose_resident(const struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	const uint32_t first = functional_first_block(g);
	if (has_yielded(g, false)) {
		const uint32_t k = first_between(g, s->current + 1, s->n_resident);
		return k != GPU_NONE ? k : first_between(g, first, s->current);
	}
	if (s->current < s->n_resident && s->current >= first && block_can_run(g, gpu_cta_at(g, gpu_residents(g)[s->current])))
		return s->current;
	return first_between(g, first, s->n_resident);
}

/* Index of the block that runs next, which is started if need be: after one that has yielded it is the next one. GPU_NONE: none can. */
static uint32_t choose_or_start(struct gpu *g, bool passes_on)
{
	const struct gpu_state *s = gpu_state(g);
	const bool yielded = has_yielded(g, passes_on);
	const uint32_t before = s->current;
	uint32_t k = yielded ? first_between(g, before + 1, s->n_resident) : choose_resident(g);
	if (k == GPU_NONE && functional_start_any_block(g)) {
		gpu_transition(g);
		return s->n_resident - 1;
	}
	return k == GPU_NONE && yielded ? first_between(g, functional_first_block(g), before + 1) : k;
}

bool functional_next_warp(const struct gpu *g, uint32_t *cta_slot, uint32_t *warp)
{
	const uint32_t lone = functional_lone_block(g), k = lone != GPU_NONE ? lone : choose_resident(g);
	if (k == GPU_NONE)
		return false;
	*cta_slot = gpu_residents(g)[k];
	*warp = lone != GPU_NONE ? gpu_state(g)->alone.warp : gpu_cta_at(g, *cta_slot)->current;
	return true;
}

/* Outside of the seed's choices those are the default's, made as often. */
static bool choose_by_default(struct gpu *g, bool passes_on)
{
	struct gpu_state *s = gpu_state(g);
	const uint32_t k = choose_or_start(g, passes_on);
	if (k == GPU_NONE)
		return false;
	struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
	if (c->warp[c->current].executed) /* not of a block that has just begun */
		functional_advance_block(g, c);
	c->warp[c->current].quantum = GPU_QUANTUM;
	s->current = k;
	s->schedule.chosen = true;
	s->schedule.n++;
	return true;
}

static bool choose_by_seed(struct gpu *g, bool passes_on)
{
	struct gpu_state *s = gpu_state(g);
	const struct exec_cta *c = s->current < s->n_resident ? gpu_cta_at(g, gpu_residents(g)[s->current]) : NULL;
	if (s->schedule.chosen && c && !passes_on && functional_warp_can_run(g, &c->warp[c->current]))
		return true;
	gpu_transition(g);
	return gpu_schedule_is_seeded(g) && !passes_on ? gpu_schedule_choose(g, functional_first_block(g))
						       : choose_by_default(g, passes_on);
}

static bool choose_in_order(struct gpu *g, bool passes_on)
{
	struct gpu_state *s = gpu_state(g);
	const uint32_t k = choose_or_start(g, passes_on);
	if (k == GPU_NONE)
		return false;
	struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
	const uint32_t warp = c->current;
	if (!functional_warp_can_run(g, &c->warp[warp]))
		functional_advance_block(g, c);
	if (s->current != k || c->current != warp)
		gpu_transition(g);
	s->current = k;
	return true;
}

static bool choose(struct gpu *g, bool passes_on)
{
	return gpu_state(g)->schedule.spec.seed ? choose_by_seed(g, passes_on) : choose_in_order(g, passes_on);
}

bool functional_choose_block(struct gpu *g, bool passes_on)
{
	struct gpu_state *s = gpu_state(g);
	if (choose(g, passes_on))
		return true;
	if (!s->turn_context)
		return false;
	s->turn_context = 0; /* the others go on */
	return choose(g, passes_on);
}
