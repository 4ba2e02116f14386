/* Orders of one level. Orders hold live warps only; of those that wait some may be left out, for they can't issue anyway. */
#include "timing/core/scheduler_internal.h"

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
	if (!w->used || w->done || w->atomics || w->at_barrier)
		return true;
	if (w->membar) {
		if (w->n_reserved)
			return true;
		w->membar = false;
	}
	return false;
}

/* ---- sorted lists ---- */

/* The smaller comes first. Slots break ties, so that an order never depends on the past. */
static uint64_t sort_key(const struct core *c, uint32_t warp)
{
	const struct core_warp *w = &c->warp[warp];
	switch (c->cfg->scheduler) {
	case SCHEDULER_GTO:
	case SCHEDULER_WARP_LIMITING:
	case SCHEDULER_OLDEST: return w->dynamic_id << 6 | warp;
	case SCHEDULER_FURTHEST_AHEAD: return ~w->n_issued << 6 | warp;
	case SCHEDULER_FURTHEST_BEHIND: return w->n_issued << 6 | warp;
	default: return warp;
	}
}

/* By insertion: the list is nearly sorted, but after a change of its warps. */
static void sort(const struct core *c, struct scheduler_state *s)
{
	uint64_t key[CORE_WARPS_MAX];
	for (unsigned k = 0; k < s->n_sorted; k++) {
		uint8_t warp = s->sorted[k];
		uint64_t own = sort_key(c, warp);
		unsigned at = k;
		for (; at && own < key[at - 1]; at--) {
			key[at] = key[at - 1];
			s->sorted[at] = s->sorted[at - 1];
		}
		key[at] = own;
		s->sorted[at] = warp;
	}
}

/* Ages and slots change only when warps come and go. */
static void refresh(const struct core *c, struct scheduler_state *s)
{
	if (!s->stale)
		return;
	s->stale = false;
	s->n_sorted = (uint8_t)add_slots(c->s->live & s->mine, s->sorted, 0);
	sort(c, s);
}

/* ---- orders ---- */

static uint32_t order_sorted(const struct scheduler_state *s, uint8_t *order)
{
	memcpy(order, s->sorted, sizeof s->sorted); /* all of it: a known size needs no call */
	return s->n_sorted;
}

static uint32_t order_by_progress(const struct core *c, struct scheduler_state *s, uint8_t *order)
{
	sort(c, s);
	return order_sorted(s, order);
}

/* Slots from the one behind the last issued; that one comes last. */
static uint32_t order_round_robin(const struct scheduler_state *s, uint8_t *order)
{
	uint32_t first = 0;
	while (s->has_last && first < s->n_sorted && s->sorted[first] <= s->last)
		first++;
	memcpy(order, s->sorted + first, s->n_sorted - first);
	memcpy(order + s->n_sorted - first, s->sorted, first);
	return s->n_sorted;
}

/* The last issued warp, then all others from the oldest to the youngest. */
static uint32_t order_greedy(const struct scheduler_state *s, uint8_t *order)
{
	uint32_t at = 0, n = order_sorted(s, order);
	while (at < n && order[at] != s->last)
		at++;
	if (at == n)
		return n;
	memmove(order + 1, order, at);
	order[0] = (uint8_t)s->last;
	return n;
}

/* The greedy warp, and the oldest `limit` of those that don't wait (it may be one of them). */
static uint32_t order_limited(struct core *c, const struct scheduler_state *s, uint8_t *order)
{
	uint32_t n = 0, considered = 0;
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
	uint32_t n = order_round_robin(s, order);
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
	refresh(c, s);
	switch (c->cfg->scheduler) {
	case SCHEDULER_LRR: return order_round_robin(s, order);
	case SCHEDULER_GTO: return order_greedy(s, order);
	case SCHEDULER_WARP_LIMITING: return order_limited(c, s, order);
	case SCHEDULER_RRR: return order_strict(c, s, order);
	case SCHEDULER_TWO_LEVEL:
	case SCHEDULER_TL: return levels_order(c, s, order);
	case SCHEDULER_FURTHEST_AHEAD:
	case SCHEDULER_FURTHEST_BEHIND: return order_by_progress(c, s, order);
	case SCHEDULER_OLDEST:
	case SCHEDULER_LOWEST: break;
	}
	return order_sorted(s, order);
}

/* The set's warps in the order of the sorted list. */
static uint32_t pick(const struct scheduler_state *s, uint64_t can, uint8_t *order)
{
	uint32_t n = 0;
	for (uint32_t k = 0; can && k < s->n_sorted; k++) {
		uint64_t bit = UINT64_C(1) << s->sorted[k];
		if (can & bit)
			order[n++] = s->sorted[k];
		can &= ~bit;
	}
	return n;
}

/* Orders in which every live warp has a place: nothing but the candidates counts. */
static uint32_t candidates_of_all(struct core *c, struct scheduler_state *s, uint64_t can, uint8_t *order)
{
	uint64_t before = s->has_last ? up_to(s->last) : 0;
	refresh(c, s);
	switch (c->cfg->scheduler) {
	case SCHEDULER_LOWEST: return add_slots(can, order, 0);
	case SCHEDULER_LRR: return add_slots(can & before, order, add_slots(can & ~before, order, 0));
	case SCHEDULER_GTO:
		if (!(can >> s->last & 1))
			break;
		order[0] = (uint8_t)s->last;
		return 1 + pick(s, can & ~(UINT64_C(1) << s->last), order + 1);
	case SCHEDULER_FURTHEST_AHEAD:
	case SCHEDULER_FURTHEST_BEHIND: sort(c, s); break;
	default: break;
	}
	return pick(s, can, order);
}

uint32_t scheduler_candidates(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX], bool *blocked)
{
	struct scheduler_state *s = &c->scheduler[k];
	const uint64_t runs = c->s->runnable, can = runs & ~c->s->blocked, held = runs & c->s->blocked;
	uint32_t n, kept = 0;
	switch (c->cfg->scheduler) {
	case SCHEDULER_WARP_LIMITING:
	case SCHEDULER_RRR:
	case SCHEDULER_TWO_LEVEL:
	case SCHEDULER_TL: break;
	default:
		*blocked = (held & s->mine) != 0;
		return can & s->mine ? candidates_of_all(c, s, can & s->mine, order) : 0;
	}
	n = scheduler_order(c, k, order);
	*blocked = false;
	for (uint32_t i = 0; i < n; i++) {
		*blocked = *blocked || held >> order[i] & 1;
		if (can >> order[i] & 1)
			order[kept++] = order[i];
	}
	return kept;
}

bool scheduler_has_list(const struct core *c)
{
	switch (c->cfg->scheduler) {
	case SCHEDULER_LRR:
	case SCHEDULER_GTO:
	case SCHEDULER_OLDEST:
	case SCHEDULER_LOWEST: return false;
	default: return true;
	}
}

uint32_t scheduler_first_of(struct core *c, uint32_t k, uint64_t warps)
{
	struct scheduler_state *s = &c->scheduler[k];
	if (c->cfg->scheduler == SCHEDULER_LRR && s->has_last && warps & ~up_to(s->last))
		warps &= ~up_to(s->last);
	if (c->cfg->scheduler == SCHEDULER_LRR || c->cfg->scheduler == SCHEDULER_LOWEST)
		return (uint32_t)__builtin_ctzll(warps);
	refresh(c, s);
	/* eight places at a time: where the first of them is can't be foretold, that it is among the first eight can */
	for (unsigned at = 0;; at += 8) {
		unsigned found = 0;
		for (unsigned n = 0; n < 8; n++)
			found |= (unsigned)(warps >> s->sorted[at + n] & 1) << n;
		if (found)
			return s->sorted[at + (unsigned)__builtin_ctz(found)];
	}
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

void scheduler_requeue(struct core *c, uint32_t k, uint32_t warp) { levels_issued(c, &c->scheduler[k], warp); }

uint64_t scheduler_skip(struct core *c, uint32_t k, uint64_t cycles)
{
	struct scheduler_state *s = &c->scheduler[k];
	const uint64_t held = c->s->runnable & c->s->blocked & s->mine;
	uint8_t order[CORE_WARPS_MAX];
	bool blocked = held != 0;
	if (c->cfg->scheduler == SCHEDULER_TWO_LEVEL || c->cfg->scheduler == SCHEDULER_TL)
		return levels_skip(c, s, cycles, held);
	if (c->cfg->scheduler == SCHEDULER_WARP_LIMITING || c->cfg->scheduler == SCHEDULER_RRR)
		scheduler_candidates(c, k, order, &blocked);
	return blocked ? cycles : 0;
}

void scheduler_warp_placed(struct core *c, uint32_t warp) { c->scheduler[warp % c->cfg->schedulers].stale = true; }
void scheduler_warp_retired(struct core *c, uint32_t warp) { c->scheduler[warp % c->cfg->schedulers].stale = true; }
