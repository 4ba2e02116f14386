/* Orders of one level. Orders hold live warps only; of those that wait some may be left out, for they can't issue anyway. */
#include "timing/scheduler_internal.h"
#include "timing/timing.h"

#include <assert.h>
#include <string.h>

static_assert(CORE_WARPS_MAX == 64, "warps of a core are bits of 64");

/* Slots 0..warp. */
static uint64_t up_to(uint32_t warp) { return (UINT64_C(2) << warp) - 1; }

static uint32_t add_slots(uint64_t slots, uint8_t *order, uint32_t n)
{
	for (; slots; slots &= slots - 1)
		order[n++] = (uint8_t)__builtin_ctzll(slots);
	return n;
}

/* ---- states of a warp ---- */

bool warp_waiting(struct core *c, uint32_t warp)
{
	struct core_warp *w = &c->warp[warp];
	if (!w->used || w->done || w->atomics)
		return true;
	if (w->membar) {
		if (w->n_reserved)
			return true;
		w->membar = false;
	}
	return c->t->cta(c->t->gpu, w->cta_slot)->warp[w->index].state == EXEC_WARP_BARRIER;
}

/* ---- sorted lists ---- */

/* `a` comes before `b` that stands in front of it now. Slots break ties, so that an order never depends on the past. */
static bool comes_first(const struct core *c, uint32_t a, uint32_t b)
{
	const struct core_warp *x = &c->warp[a], *y = &c->warp[b];
	if (c->cfg->scheduler == SCHEDULER_FURTHEST_AHEAD && x->n_issued != y->n_issued)
		return x->n_issued > y->n_issued;
	if (c->cfg->scheduler == SCHEDULER_FURTHEST_BEHIND && x->n_issued != y->n_issued)
		return x->n_issued < y->n_issued;
	if (c->cfg->scheduler == SCHEDULER_FURTHEST_AHEAD || c->cfg->scheduler == SCHEDULER_FURTHEST_BEHIND)
		return a < b;
	return x->dynamic_id < y->dynamic_id;
}

/* Insertion: the list is nearly sorted but after a change of its warps. */
static void sort(const struct core *c, struct scheduler_state *s)
{
	for (unsigned k = 1; k < s->n_sorted; k++) {
		uint8_t warp = s->sorted[k];
		unsigned at = k;
		for (; at && comes_first(c, warp, s->sorted[at - 1]); at--)
			s->sorted[at] = s->sorted[at - 1];
		s->sorted[at] = warp;
	}
}

/* Ages change only when warps come and go. */
static void refresh_by_age(const struct core *c, struct scheduler_state *s)
{
	if (!s->stale)
		return;
	s->stale = false;
	s->n_sorted = (uint8_t)add_slots(c->s->live & s->mine, s->sorted, 0);
	sort(c, s);
}

static void refresh_by_progress(const struct core *c, struct scheduler_state *s)
{
	if (s->stale)
		refresh_by_age(c, s);
	else
		sort(c, s);
}

static uint32_t copy_sorted(const struct scheduler_state *s, uint8_t *order)
{
	memcpy(order, s->sorted, s->n_sorted);
	return s->n_sorted;
}

/* ---- orders ---- */

/* Slots from the one behind the last issued; that one comes last. */
static uint32_t order_round_robin(const struct core *c, const struct scheduler_state *s, uint8_t *order)
{
	uint64_t slots = c->s->live & s->mine, before = s->has_last ? up_to(s->last) : 0;
	return add_slots(slots & before, order, add_slots(slots & ~before, order, 0));
}

/* The last issued warp, then all others from the oldest to the youngest. */
static uint32_t order_greedy(const struct core *c, struct scheduler_state *s, uint8_t *order)
{
	uint32_t n = 0;
	refresh_by_age(c, s);
	if (c->s->live >> s->last & 1)
		order[n++] = (uint8_t)s->last;
	for (unsigned k = 0; k < s->n_sorted; k++)
		if (s->sorted[k] != s->last)
			order[n++] = s->sorted[k];
	return n;
}

/* The greedy warp, and the oldest `limit` of those that don't wait (it may be one of them). */
static uint32_t order_limited(struct core *c, struct scheduler_state *s, uint8_t *order)
{
	uint32_t n = 0, considered = 0;
	refresh_by_age(c, s);
	if (c->s->live >> s->last & 1)
		order[n++] = (uint8_t)s->last;
	for (unsigned k = 0; k < s->n_sorted && considered < c->cfg->scheduler_limit; k++) {
		if (warp_waiting(c, s->sorted[k]))
			continue;
		considered++;
		if (s->sorted[k] != s->last)
			order[n++] = s->sorted[k];
	}
	return n;
}

/* GPGPU-Sim 4's strict round robin: one warp has the turn, whether it can issue or not, the first behind the last issued that doesn't
 * wait. */
static uint32_t order_strict(struct core *c, const struct scheduler_state *s, uint8_t *order)
{
	uint32_t n = order_round_robin(c, s, order);
	for (uint32_t k = 0; k < n; k++)
		if (!warp_waiting(c, order[k])) {
			order[0] = order[k];
			return 1;
		}
	return 0;
}

uint32_t scheduler_order(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX])
{
	struct scheduler_state *s = &c->scheduler[k];
	switch (c->cfg->scheduler) {
	case SCHEDULER_LRR: return order_round_robin(c, s, order);
	case SCHEDULER_GTO: return order_greedy(c, s, order);
	case SCHEDULER_WARP_LIMITING: return order_limited(c, s, order);
	case SCHEDULER_RRR: return order_strict(c, s, order);
	case SCHEDULER_LOWEST: return add_slots(c->s->live & s->mine, order, 0);
	case SCHEDULER_TWO_LEVEL:
	case SCHEDULER_TL: return levels_order(c, s, order);
	case SCHEDULER_OLDEST: refresh_by_age(c, s); break;
	case SCHEDULER_FURTHEST_AHEAD:
	case SCHEDULER_FURTHEST_BEHIND: refresh_by_progress(c, s); break;
	}
	return copy_sorted(s, order);
}

/* ---- events ---- */

void scheduler_init(struct core *c)
{
	for (uint32_t k = 0; k < c->cfg->schedulers; k++) {
		struct scheduler_state *s = &c->scheduler[k];
		memset(s, 0, sizeof *s);
		for (uint32_t warp = k; warp < c->cfg->n_warps; warp += c->cfg->schedulers)
			s->mine |= UINT64_C(1) << warp;
		s->last = k; /* the greedy warp of the beginning is the first slot */
		s->stale = true;
		levels_init(c, s);
	}
}

void scheduler_issued(struct core *c, uint32_t k, uint32_t warp)
{
	struct scheduler_state *s = &c->scheduler[k];
	s->last = warp;
	s->has_last = true;
	if (c->cfg->scheduler == SCHEDULER_TWO_LEVEL || c->cfg->scheduler == SCHEDULER_TL)
		levels_issued(c, s, warp);
}

void scheduler_warp_placed(struct core *c, uint32_t warp) { c->scheduler[warp % c->cfg->schedulers].stale = true; }
void scheduler_warp_retired(struct core *c, uint32_t warp) { c->scheduler[warp % c->cfg->schedulers].stale = true; }
