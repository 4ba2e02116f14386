/* The table of schedulers, and the orders of those that need nothing but a sorted list. Orders hold live warps only; of those that wait some may
 * be left out, for they can't issue anyway. */
#include "timing/core/core_valid.h"
#include "timing/core/scheduler_internal.h"

#include <assert.h>
#include <string.h>

static_assert(CORE_WARPS_MAX == 64, "warps of a core are bits of 64");

const struct scheduler_rule scheduler_rules[SCHEDULERS] = {
#define SCHEDULER(kind, option, parameters, name, key, start, own, help) \
	[SCHEDULER_##kind] = {option, parameters, name, key, start, own},
#include "timing/core/schedulers.def"
#undef SCHEDULER
};

/* A walk that starts after the last issued warp needs warps sorted by slot. */
#define SCHEDULER(kind, option, parameters, name, key, start, own, help) \
	static_assert((start) != AFTER_LAST_ISSUED || (key) == BY_SLOT, #kind);
#include "timing/core/schedulers.def"
#undef SCHEDULER

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
	if (!w->used || w->done || w->atomics || w->waits)
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
	switch (c->rule->key) {
	case BY_SLOT: break;
	case BY_AGE: return w->dynamic_id << 6 | warp;
	case BY_MOST_ISSUED: return ~w->n_issued << 6 | warp;
	case BY_LEAST_ISSUED: return w->n_issued << 6 | warp;
	}
	return warp;
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

/* Else keys change only when warps come and go. */
static bool keys_move(const struct core *c)
{
	return c->rule->key == BY_MOST_ISSUED || c->rule->key == BY_LEAST_ISSUED;
}

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

uint32_t scheduler_round_robin(const struct scheduler_state *s, uint8_t *order)
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

uint32_t scheduler_order(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX])
{
	struct scheduler_state *s = &c->scheduler[k];
	refresh(c, s);
	if (c->rule->own)
		return c->rule->own->order(c, s, order);
	if (keys_move(c))
		sort(c, s);
	switch (c->rule->start) {
	case AT_FIRST: break;
	case AT_LAST_ISSUED: return order_greedy(s, order);
	case AFTER_LAST_ISSUED: return scheduler_round_robin(s, order);
	}
	return order_sorted(s, order);
}

uint32_t scheduler_candidates(struct core *c, uint32_t k, uint8_t order[CORE_WARPS_MAX], bool *blocked)
{
	const struct scheduler_state *s = &c->scheduler[k];
	const uint64_t runs = c->s->runnable, can = runs & ~c->s->blocked, held = runs & c->s->blocked;
	uint32_t kept = 0;
	*blocked = !c->rule->own && held & s->mine;
	if (!c->rule->own &&
	    !(can & s->mine)) /* every live warp has a place in it: nothing but the candidates counts */
		return 0;
	for (uint32_t i = 0, n = scheduler_order(c, k, order); i < n; i++) {
		*blocked = *blocked || held >> order[i] & 1;
		if (can >> order[i] & 1)
			order[kept++] = order[i];
	}
	return kept;
}

bool scheduler_has_list(const struct core *c) { return c->rule->own || keys_move(c); }

uint32_t scheduler_first_of(struct core *c, uint32_t k, uint64_t warps)
{
	struct scheduler_state *s = &c->scheduler[k];
	if (c->rule->start == AFTER_LAST_ISSUED && s->has_last && warps & ~up_to(s->last))
		warps &= ~up_to(s->last);
	if (c->rule->key == BY_SLOT)
		return (uint32_t)__builtin_ctzll(warps);
	refresh(c, s);
	/* eight places at a time: where the first of them is can't be predicted, that it is among the first eight can */
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
	c->rule = &scheduler_rules[c->cfg->scheduler];
	for (uint32_t k = 0; k < c->cfg->schedulers; k++) {
		struct scheduler_state *s = &c->scheduler[k];
		memset(s, 0, sizeof *s);
		for (uint32_t warp = k; warp < c->cfg->n_warps; warp += c->cfg->schedulers)
			s->mine |= UINT64_C(1) << warp;
		s->last = k; /* the greedy warp of the beginning is the first slot */
		s->stale = true;
		if (c->rule->own && c->rule->own->init)
			c->rule->own->init(c, s);
	}
}

uint64_t scheduler_skip(struct core *c, uint32_t k, uint64_t cycles)
{
	struct scheduler_state *s = &c->scheduler[k];
	const uint64_t held = c->s->runnable & c->s->blocked & s->mine;
	uint8_t order[CORE_WARPS_MAX];
	bool blocked = held != 0;
	if (c->rule->own && c->rule->own->skip)
		return c->rule->own->skip(c, s, cycles, held);
	if (c->rule->own)
		scheduler_candidates(c, k, order, &blocked);
	return blocked ? cycles : 0;
}

void scheduler_warp_placed(struct core *c, uint32_t warp) { c->scheduler[warp % c->cfg->schedulers].stale = true; }
void scheduler_warp_retired(struct core *c, uint32_t warp) { c->scheduler[warp % c->cfg->schedulers].stale = true; }

/* ---- validation ---- */

/* Each of its warps once, first those of the one list, then those of the other; what comes after them is zero. */
static bool lists_are_valid(const struct scheduler_state *s, bool levels)
{
	uint64_t seen = 0;
	if (s->n_active > CORE_WARPS_MAX || s->n_pending > CORE_WARPS_MAX || (!levels && (s->n_active || s->n_pending)))
		return false;
	for (uint32_t k = 0; k < CORE_WARPS_MAX; k++) {
		const uint8_t list[] = {s->active[k], s->pending[k]};
		const bool is_in[] = {k < s->n_active, k < s->n_pending};
		for (unsigned i = 0; i < 2; i++) {
			if (!is_in[i] && list[i])
				return false;
			if (is_in[i] && (list[i] >= CORE_WARPS_MAX || seen >> list[i] & 1))
				return false;
			seen |= is_in[i] ? UINT64_C(1) << list[i] : 0;
		}
	}
	return !levels || seen == s->mine;
}

bool schedulers_are_valid(const struct core_valid *v)
{
	const struct core *c = v->c;
	const bool levels = c->rule->own && c->rule->own->levels;
	for (uint32_t k = 0; k < c->cfg->schedulers; k++) {
		const struct scheduler_state *s = &c->scheduler[k];
		uint64_t mine = 0, sorted = 0;
		for (uint32_t warp = k; warp < c->cfg->n_warps; warp += c->cfg->schedulers)
			mine |= UINT64_C(1) << warp;
		if (s->mine != mine || s->last >= CORE_WARPS_MAX || !VALID_BOOL(s->has_last) || !VALID_BOOL(s->stale) ||
		    s->n_sorted > CORE_WARPS_MAX || !lists_are_valid(s, levels))
			return false;
		for (uint32_t i = 0; i < CORE_WARPS_MAX; i++) {
			if (s->sorted[i] >= CORE_WARPS_MAX || (i < s->n_sorted && sorted >> s->sorted[i] & 1))
				return false;
			sorted |= i < s->n_sorted ? UINT64_C(1) << s->sorted[i] : 0;
		}
		if (!s->stale && sorted != (c->s->live & mine))
			return false;
	}
	return true;
}
