/* The two-level schedulers, two_level_active of 3.2.2 and tl of 3.1: a short list of active warps, and a queue of pending ones, retired and empty slots included. */
#include "timing/core/scheduler_internal.h"

#include <string.h>

/* Both lists begin at their arrays' starts and are zero after their ends: equal lists are equal bytes, whether cycles were skipped or not. */
static void push_pending(struct scheduler_state *s, uint32_t warp) { s->pending[s->n_pending++] = (uint8_t)warp; }

static uint32_t pop_pending(struct scheduler_state *s)
{
	uint32_t warp = s->pending[0];
	memmove(s->pending, s->pending + 1, --s->n_pending);
	s->pending[s->n_pending] = 0;
	return warp;
}

static void start_with(struct scheduler_state *s, uint32_t first)
{
	for (uint64_t left = s->mine; left; left &= left - 1) {
		uint32_t warp = (uint32_t)__builtin_ctzll(left);
		if (s->n_active < first)
			s->active[s->n_active++] = (uint8_t)warp;
		else
			push_pending(s, warp);
	}
}

/* two_level_active starts with the first slots active, tl with all pending. */
static void two_level_init(const struct core *c, struct scheduler_state *s) { start_with(s, c->cfg->scheduler_limit); }
static void tl_init(const struct core *c, struct scheduler_state *s)
{
	(void)c;
	start_with(s, 0);
}

/* One of the first four sources of the warp's next instruction is the result of a long operation (or was marked as one and the mark was
 * forgotten). */
static bool blocked_by_long_op(const struct core *c, uint32_t warp)
{
	const struct core_warp *w = &c->warp[warp];
	const struct ibuffer_entry *b = &w->ibuffer[w->next];
	if (!b->valid || b->pc == REQUEST_NO_PC)
		return false;
	const struct timing_insn *ti = &c->program->insns[b->pc];
	const uint64_t *marks = core_long_op(c, warp);
	for (unsigned k = 0; k < ti->n_in && k < sizeof ti->in / sizeof ti->in[0]; k++)
		if (ti->in[k] && marks[ti->in[k] >> 6] >> (ti->in[k] & 63) & 1)
			return true;
	return false;
}

/* Moves up to `most` warps that wait, or are blocked, to the back of the queue. */
static void demote(struct core *c, struct scheduler_state *s, uint32_t most)
{
	uint32_t kept = 0, moved = 0;
	for (uint32_t k = 0; k < s->n_active; k++) {
		uint32_t warp = s->active[k];
		if (moved < most && (warp_waiting(c, warp) || blocked_by_long_op(c, warp))) {
			push_pending(s, warp);
			moved++;
		} else {
			s->active[kept++] = (uint8_t)warp;
		}
	}
	memset(s->active + kept, 0, s->n_active - kept);
	s->n_active = kept;
}

/* tl: the first pending warp that doesn't wait becomes active. */
static void promote_one(struct core *c, struct scheduler_state *s)
{
	for (uint32_t k = 0; k < s->n_pending; k++) {
		uint32_t warp = scheduler_pending(s, k);
		if (warp_waiting(c, warp))
			continue;
		s->active[s->n_active++] = (uint8_t)warp;
		for (uint32_t m = k; m; m--)
			s->pending[m] = s->pending[m - 1];
		pop_pending(s);
		return;
	}
}

static uint32_t live_active(const struct core *c, const struct scheduler_state *s, uint8_t *order)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < s->n_active; k++)
		if (c->s->live >> s->active[k] & 1)
			order[n++] = s->active[k];
	return n;
}

static uint32_t two_level_order(struct core *c, struct scheduler_state *s, uint8_t *order)
{
	demote(c, s, CORE_WARPS_MAX);
	while (s->n_active < c->cfg->scheduler_limit && s->n_pending)
		s->active[s->n_active++] = (uint8_t)pop_pending(s);
	return live_active(c, s, order);
}

static uint32_t tl_order(struct core *c, struct scheduler_state *s, uint8_t *order)
{
	demote(c, s, 1);
	if (s->n_active < c->cfg->scheduler_limit)
		promote_one(c, s);
	return live_active(c, s, order);
}

static bool same_lists(const struct scheduler_state *a, const struct scheduler_state *b)
{
	if (a->n_active != b->n_active || a->n_pending != b->n_pending || memcmp(a->active, b->active, a->n_active))
		return false;
	for (uint32_t k = 0; k < a->n_pending; k++)
		if (scheduler_pending(a, k) != scheduler_pending(b, k))
			return false;
	return true;
}

static bool any_active(const struct core *c, const struct scheduler_state *s, uint64_t warps)
{
	for (uint32_t k = 0; k < s->n_active; k++)
		if ((c->s->live & warps) >> s->active[k] & 1)
			return true;
	return false;
}

/* While no warp changes, the lists come round again after some cycles. `seen` is what they were 1, 2, 4, 8 ... cycles after the start. */
static uint64_t levels_skip(struct core *c, struct scheduler_state *s, uint64_t cycles, uint64_t held)
{
	struct scheduler_state seen = *s;
	uint8_t order[CORE_WARPS_MAX];
	uint64_t period = 0, look = 1, n = 0, before = 0; /* n: with one of them active; before: of these those until `seen` */
	while (cycles) {
		c->rule->own->order(c, s, order);
		cycles--;
		period++;
		n += any_active(c, s, held);
		if (same_lists(s, &seen)) {
			n += (n - before) * (cycles / period);
			cycles %= period;
			period = look = 0; /* what is left is less than a round */
		} else if (period == look) {
			seen = *s;
			before = n;
			look *= 2;
			period = 0;
		}
	}
	return n;
}

/* Begins the active list after place `at`. */
static void rotate(struct scheduler_state *s, uint32_t at)
{
	uint8_t turned[CORE_WARPS_MAX];
	uint32_t front = s->n_active - at - 1;
	memcpy(turned, s->active + at + 1, front);
	memcpy(turned + front, s->active, at + 1);
	memcpy(s->active, turned, s->n_active);
}

static uint32_t place_of(const struct scheduler_state *s, uint32_t warp)
{
	uint32_t at = 0;
	while (at < s->n_active && s->active[at] != warp)
		at++;
	return at;
}

/* The list is rotated so that the warp is last, but once for each instruction issued, and every time at the place where the warp was at first:
 * after a dual issue another one is last. */
static void two_level_issued(struct core *c, struct scheduler_state *s, uint32_t warp)
{
	const uint32_t at = place_of(s, warp);
	if (at == s->n_active)
		return;
	for (uint32_t times = c->s->issued ? c->s->issued : 1; times; times--)
		rotate(s, at);
}

/* The warp goes to the end. */
static void tl_issued(struct core *c, struct scheduler_state *s, uint32_t warp)
{
	const uint32_t at = place_of(s, warp);
	(void)c;
	if (at == s->n_active)
		return;
	memmove(s->active + at, s->active + at + 1, s->n_active - at - 1);
	s->active[s->n_active - 1] = (uint8_t)warp;
}

const struct scheduler_own scheduler_two_level = {
	.levels = true, .init = two_level_init, .order = two_level_order, .issued = two_level_issued, .skip = levels_skip};
const struct scheduler_own scheduler_tl = {.levels = true, .init = tl_init, .order = tl_order, .issued = tl_issued, .skip = levels_skip};
