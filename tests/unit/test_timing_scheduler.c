/* Warp schedulers: the order in which each looks at its warps, worked out by hand from the rules. */
#include "pipe_core.h"

/* n warps placed in slots 0 .. n-1, ids in that order; one scheduler. */
static struct pipe_core *machine(enum scheduler_kind kind, uint32_t n, uint32_t limit)
{
	struct pipe_core *p = pipe_new();
	p->cfg.n_warps = 8;
	p->cfg.scheduler = kind;
	p->cfg.scheduler_limit = limit;
	pipe_start(p);
	for (uint32_t k = 0; k < n; k++) {
		p->warp[k].used = true;
		p->warp[k].dynamic_id = p->s.next_dynamic_id++;
		p->s.live |= UINT64_C(1) << k;
		scheduler_warp_placed(&p->c, k);
	}
	return p;
}

static void place(struct pipe_core *p, uint32_t warp)
{
	p->warp[warp] = (struct core_warp){.used = true, .dynamic_id = p->s.next_dynamic_id++};
	p->s.live |= UINT64_C(1) << warp;
	scheduler_warp_placed(&p->c, warp);
}

static void retire(struct pipe_core *p, uint32_t warp)
{
	p->warp[warp].used = false;
	p->warp[warp].done = true;
	p->s.live &= ~(UINT64_C(1) << warp);
	scheduler_warp_retired(&p->c, warp);
}

static void issued(struct pipe_core *p, uint32_t k, uint32_t warp, uint32_t n)
{
	p->s.issued = n;
	p->warp[warp].n_issued += n;
	scheduler_issued(&p->c, k, warp);
}

static void expect_of(struct pipe_core *p, uint32_t k, const char *want, int line)
{
	uint8_t order[CORE_WARPS_MAX];
	char text[256] = "";
	uint32_t n = scheduler_order(&p->c, k, order);
	for (uint32_t i = 0; i < n; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), i ? " %u" : "%u", order[i]);
	if (strcmp(text, want))
		fail_msg("line %d: order is %s, not %s", line, text, want);
}
#define expect(p, want) expect_of(p, 0, want, __LINE__)

/* ---- waiting ---- */

static void what_a_warp_waits_for(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_LRR, 2, 0);
	struct core *c = &p->c;
	struct core_warp *w = &p->warp[1];
	assert_false(warp_waiting(c, 1));
	assert_true(warp_waiting(c, 5)); /* nobody there */
	w->done = true;
	assert_true(warp_waiting(c, 1));
	w->done = false;
	w->atomics = 3;
	assert_true(warp_waiting(c, 1));
	w->atomics = 0;
	w->stores = 4; /* outstanding stores hold nobody up */
	assert_false(warp_waiting(c, 1));
	w->waits = CORE_AT_BARRIER;
	assert_true(warp_waiting(c, 1));
	w->waits = 0;
	w->membar = true;
	w->n_reserved = 1;
	assert_true(warp_waiting(c, 1));
	assert_true(w->membar);
	w->n_reserved = 0;
	assert_false(warp_waiting(c, 1));
	assert_false(w->membar); /* cleared: registers reserved from now on are nothing to it */
	w->n_reserved = 1;
	assert_false(warp_waiting(c, 1));
	pipe_free(p);
}

/* ---- one level ---- */

static void loose_round_robin(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_LRR, 4, 0);
	expect(p, "0 1 2 3");
	issued(p, 0, 0, 1);
	expect(p, "1 2 3 0");
	expect(p, "1 2 3 0");
	issued(p, 0, 2, 1);
	expect(p, "3 0 1 2");
	issued(p, 0, 3, 1);
	expect(p, "0 1 2 3");
	retire(p, 1);
	expect(p, "0 2 3");
	retire(p, 3); /* the last issued */
	expect(p, "0 2");
	place(p, 6);
	issued(p, 0, 0, 1);
	expect(p, "2 6 0");
	pipe_free(p);
}

/* Warp w belongs to scheduler w mod 3, and each goes its own way. */
static void schedulers_share_the_slots(void **state)
{
	(void)state;
	static const enum scheduler_kind kinds[] = {SCHEDULER_LRR, SCHEDULER_GTO, SCHEDULER_OLDEST, SCHEDULER_LOWEST};
	for (unsigned n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
		struct pipe_core *p = pipe_new();
		p->cfg.schedulers = 3;
		p->cfg.n_warps = 8;
		p->cfg.scheduler = kinds[n];
		pipe_start(p);
		for (uint32_t k = 0; k < 8; k++)
			place(p, k);
		expect_of(p, 0, "0 3 6", __LINE__);
		expect_of(p, 1, "1 4 7", __LINE__);
		expect_of(p, 2, "2 5", __LINE__);
		retire(p, 4);
		expect_of(p, 1, "1 7", __LINE__);
		pipe_free(p);
	}
}

/* 64 warps of one scheduler, the most there can be. */
static void all_slots_fit(void **state)
{
	(void)state;
	static const enum scheduler_kind kinds[] = {SCHEDULER_LRR, SCHEDULER_GTO, SCHEDULER_WARP_LIMITING, SCHEDULER_TWO_LEVEL};
	for (unsigned n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
		struct pipe_core *p = pipe_new();
		p->cfg.n_warps = CORE_WARPS_MAX;
		p->cfg.scheduler = kinds[n];
		p->cfg.scheduler_limit = 64;
		pipe_start(p);
		for (uint32_t k = 0; k < CORE_WARPS_MAX; k++)
			place(p, k);
		uint8_t order[CORE_WARPS_MAX];
		scheduler_issued(&p->c, 0, 63);
		assert_int_equal(scheduler_order(&p->c, 0, order), 64);
		uint64_t seen = 0;
		for (unsigned k = 0; k < 64; k++)
			seen |= UINT64_C(1) << order[k];
		assert_int_equal(seen, UINT64_MAX);
		pipe_free(p);
	}
}

static void greedy_then_oldest(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_GTO, 4, 0);
	expect(p, "0 1 2 3"); /* the greedy one is slot 0 at first */
	issued(p, 0, 2, 1);
	expect(p, "2 0 1 3");
	expect(p, "2 0 1 3");
	retire(p, 0);
	expect(p, "2 1 3");
	place(p, 0); /* the youngest now */
	expect(p, "2 1 3 0");
	issued(p, 0, 0, 1);
	expect(p, "0 1 2 3");
	/* greedy goes with the slot: retired and filled again within a cycle, it is still first */
	retire(p, 0);
	place(p, 0);
	expect(p, "0 1 2 3");
	retire(p, 0);
	expect(p, "1 2 3");
	pipe_free(p);
}

static void oldest_first(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_OLDEST, 3, 0);
	issued(p, 0, 2, 1);
	expect(p, "0 1 2");
	retire(p, 0);
	place(p, 0);
	expect(p, "1 2 0");
	pipe_free(p);
}

/* The first two of the sorted list, where those that wait come last, and the greedy one besides. */
static void warp_limiting(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_WARP_LIMITING, 5, 2);
	expect(p, "0 1");
	issued(p, 0, 4, 1); /* can't be, but for the limit */
	expect(p, "4 0 1");
	p->warp[0].atomics = 1;
	expect(p, "4 1 2");
	issued(p, 0, 1, 1);
	expect(p, "1 2"); /* greedy, and one of the two */
	p->warp[2].done = true;
	expect(p, "1 3");
	p->warp[3].done = p->warp[4].done = true;
	expect(p, "1");
	pipe_free(p);
}

/* One warp has the turn: the first behind the last issued that doesn't wait. It keeps it until it issues. */
static void strict_round_robin(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_RRR, 4, 0);
	expect(p, "0");
	expect(p, "0");
	issued(p, 0, 0, 1);
	expect(p, "1");
	p->warp[1].atomics = 1;
	expect(p, "2");
	p->warp[2].done = p->warp[3].done = true;
	expect(p, "0");
	p->warp[0].done = true;
	expect(p, "");
	pipe_free(p);
}

static void lowest_numbered(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_LOWEST, 3, 0);
	issued(p, 0, 1, 1);
	expect(p, "0 1 2");
	retire(p, 0);
	expect(p, "1 2");
	place(p, 0);
	expect(p, "0 1 2");
	pipe_free(p);
}

/* By instructions issued since the warp was placed; the lower slot in a draw. */
static void furthest_ahead_and_behind(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_FURTHEST_AHEAD, 4, 0);
	struct pipe_core *q = machine(SCHEDULER_FURTHEST_BEHIND, 4, 0);
	expect(p, "0 1 2 3");
	expect(q, "0 1 2 3");
	static const struct {
		uint32_t warp;
		const char *ahead, *behind;
	} rows[] = {{2, "2 0 1 3", "0 1 3 2"}, {3, "2 3 0 1", "0 1 2 3"}, {3, "3 2 0 1", "0 1 2 3"},
		    {0, "3 0 2 1", "1 0 2 3"}, {0, "0 3 2 1", "1 2 0 3"}, {1, "0 3 1 2", "1 2 0 3"}};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		issued(p, 0, rows[k].warp, 1);
		issued(q, 0, rows[k].warp, 1);
		expect_of(p, 0, rows[k].ahead, (int)k);
		expect_of(q, 0, rows[k].behind, (int)k);
	}
	retire(p, 0);
	expect(p, "3 1 2");
	place(p, 0);
	expect(p, "3 1 2 0");
	place(q, 4);
	expect(q, "4 1 2 0 3");
	pipe_free(p);
	pipe_free(q);
}

/* ---- two levels ---- */

/* Eight slots, warps in all; three active. */
static void two_level_rotates_after_an_issue(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_TWO_LEVEL, 8, 3);
	expect(p, "0 1 2");
	issued(p, 0, 0, 1);
	expect(p, "1 2 0");
	issued(p, 0, 2, 1); /* its successor first, itself last */
	expect(p, "0 1 2");
	expect(p, "0 1 2");
	pipe_free(p);
}

/* Waiting warps go to the back of the queue in list order, and its front takes their places, whatever its state. */
static void two_level_moves_waiting_warps(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_TWO_LEVEL, 8, 3);
	struct scheduler_state *s = &p->scheduler[0];
	expect(p, "0 1 2");
	p->warp[0].atomics = p->warp[2].atomics = p->warp[3].atomics = 1;
	expect(p, "1 3 4"); /* pending: 5 6 7 0 2 */
	assert_int_equal(s->n_pending, 5);
	assert_int_equal(scheduler_pending(s, 0), 5);
	assert_int_equal(scheduler_pending(s, 4), 2);
	expect(p, "1 4 5"); /* 3 went: 6 7 0 2 3 */
	p->warp[1].atomics = p->warp[4].atomics = p->warp[5].atomics = 1;
	expect(p, "6 7 0"); /* 2 3 1 4 5 */
	p->warp[0].atomics = 0;
	expect(p, "6 7 0");
	pipe_free(p);
}

/* Slots without a warp wait too: with two warps in eight slots the active list is mostly empty ones, which go round. */
static void two_level_turns_empty_slots_over(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_TWO_LEVEL, 1, 3);
	place(p, 5);
	/* active 0 1 2, pending 3 4 5 6 7 */
	expect(p, "0");	  /* 1 2 out, 3 4 in; pending 5 6 7 1 2 */
	expect(p, "0 5"); /* 3 4 out, 5 6 in; pending 7 1 2 3 4 */
	expect(p, "0 5"); /* 6 out, 7 in */
	p->warp[5].done = true;
	expect(p, "0"); /* 5 7 out, 1 2 in; 3 4 6 5 7 */
	p->warp[5].done = false;
	expect(p, "0");	  /* 3 4; 6 5 7 1 2 */
	expect(p, "0 5"); /* 6 5; 7 1 2 3 4 */
	pipe_free(p);
}

/* The next instruction reads the result of a long operation: demoted, reserved or not, for the mark counts. */
static void two_level_demotes_for_long_operations(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_TWO_LEVEL, 8, 3);
	uint32_t load = pipe_insn(p, PIPE_LOAD, 70, SRC(1)), use = pipe_insn(p, PIPE_ALU, 4, SRC(2, 3, 70));
	uint32_t no_use = pipe_insn(p, PIPE_ALU, 70, SRC(2));
	expect(p, "0 1 2");
	scoreboard_reserve(&p->c, 1, &p->insns[load], true);
	p->warp[1].ibuffer[0] = (struct ibuffer_entry){use, true};
	p->warp[1].ibuffer[1] = (struct ibuffer_entry){no_use, true};
	p->warp[1].next = 1;
	expect(p, "0 1 2"); /* it writes the register: no reason to go */
	p->warp[1].next = 0;
	p->warp[1].ibuffer[0].valid = false;
	expect(p, "0 1 2");
	p->warp[1].ibuffer[0].valid = true;
	p->warp[1].ibuffer[0].pc = REQUEST_NO_PC;
	expect(p, "0 1 2");
	p->warp[1].ibuffer[0].pc = use;
	scoreboard_release(&p->c, 1, &p->insns[load], false);
	expect(p, "0 2 3");
	scoreboard_release(&p->c, 1, &p->insns[load], true);
	issued(p, 0, 3, 1);
	p->warp[4].ibuffer[0] = (struct ibuffer_entry){use, true};
	expect(p, "0 2 3");
	pipe_free(p);
}

/* The list turns once for each instruction of a dual issue, both times at the place where the warp stood. From 0 1 2 3, warp 0 at place 0:
 * 1 2 3 0, then 2 3 0 1. Warp 0 at place 2: behind 2 is place 3: 2 3 0 1 -> 1 2 3 0 -> 0 1 2 3. */
static void two_level_turns_twice_for_a_dual_issue(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_TWO_LEVEL, 8, 4);
	expect(p, "0 1 2 3");
	issued(p, 0, 0, 2);
	expect(p, "2 3 0 1");
	issued(p, 0, 0, 2);
	expect(p, "0 1 2 3");
	pipe_free(p);
}

/* More active places than slots: there is nobody to promote. */
static void two_level_with_few_warps(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_TWO_LEVEL, 8, 20);
	expect(p, "0 1 2 3 4 5 6 7");
	p->warp[3].done = true;
	expect(p, "0 1 2 4 5 6 7 3");
	pipe_free(p);
}

/* Skipping n cycles is walking them, for all numbers of waiting warps. */
static void skipping_is_walking(void **state)
{
	(void)state;
	static const enum scheduler_kind kinds[] = {SCHEDULER_TWO_LEVEL, SCHEDULER_TL, SCHEDULER_LRR};
	static const uint64_t cycles[] = {0, 1, 2, 3, 7, 24, 100, 1001};
	uint8_t order[CORE_WARPS_MAX];
	for (unsigned n = 0; n < 3 * 48 * 8; n++) {
		struct pipe_core *twin[2];
		for (unsigned t = 0; t < 2; t++) {
			struct pipe_core *p = twin[t] = pipe_new();
			p->cfg.scheduler = kinds[n % 3];
			p->cfg.scheduler_limit = 5;
			p->cfg.schedulers = 2;
			pipe_start(p);
			for (uint32_t warp = 0; warp < n / 3 % 48; warp++)
				place(p, warp * 7 % 48);
			for (uint64_t k = cycles[n / 144]; k && t; k--) {
				scheduler_order(&p->c, 0, order);
				scheduler_order(&p->c, 1, order);
			}
			if (!t)
				for (uint32_t k = 0; k < p->c.cfg->schedulers; k++)
					scheduler_skip(&p->c, k, cycles[n / 144]);
		}
		for (unsigned k = 0; k < 2; k++) {
			const struct scheduler_state *a = &twin[0]->scheduler[k], *b = &twin[1]->scheduler[k];
			assert_int_equal(a->n_active, b->n_active);
			assert_int_equal(a->n_pending, b->n_pending);
			for (uint32_t i = 0; i < a->n_active; i++)
				assert_int_equal(a->active[i], b->active[i]);
			for (uint32_t i = 0; i < a->n_pending; i++)
				assert_int_equal(scheduler_pending(a, i), scheduler_pending(b, i));
		}
		pipe_free(twin[0]);
		pipe_free(twin[1]);
	}
}

/* 3.1's: all pending at first, one promoted and one demoted a cycle; only warps that don't wait come in; an issue moves to the end. */
static void tl_of_31(void **state)
{
	(void)state;
	struct pipe_core *p = machine(SCHEDULER_TL, 6, 3);
	expect(p, "0");
	p->warp[1].atomics = 1;
	expect(p, "0 2");
	expect(p, "0 2 3");
	expect(p, "0 2 3"); /* pending: 1 4 5 6 7 */
	issued(p, 0, 2, 2);
	expect(p, "0 3 2");
	p->warp[0].done = p->warp[3].done = true;
	expect(p, "3 2 4"); /* 0 out; pending 1 5 6 7 0, 1 still waits */
	p->warp[1].atomics = 0;
	expect(p, "2 4 1");
	assert_int_equal(p->scheduler[0].n_pending, 5);
	assert_int_equal(scheduler_pending(&p->scheduler[0], 0), 5);
	assert_int_equal(scheduler_pending(&p->scheduler[0], 3), 0);
	assert_int_equal(scheduler_pending(&p->scheduler[0], 4), 3);
	pipe_free(p);
}

/* ---- candidates ---- */

static uint32_t roll(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* Changes what a warp waits for, alike in both machines. */
static void disturb(struct pipe_core *p, uint32_t warp, uint32_t what)
{
	struct core_warp *w = &p->warp[warp];
	const uint64_t bit = UINT64_C(1) << warp;
	if (!w->used && what > 8)
		place(p, warp);
	else if (what == 0 && w->used)
		retire(p, warp);
	else if (what < 4)
		w->atomics ^= 1;
	w->ibuffer[0].valid = what & 1;
	bool runs = w->used && !w->done && !w->atomics && w->ibuffer[0].valid;
	p->s.runnable = runs ? p->s.runnable | bit : p->s.runnable & ~bit;
	p->s.blocked = runs && what > 9 ? p->s.blocked | bit : p->s.blocked & ~bit;
}

/* Of `p` the candidates, of its twin `q` the whole order: the candidates are those of it that can issue. */
static void compare_candidates(struct pipe_core *p, struct pipe_core *q, uint32_t k, uint32_t *seed)
{
	uint8_t some[CORE_WARPS_MAX], all[CORE_WARPS_MAX];
	bool blocked = true, held = false;
	uint32_t n = scheduler_candidates(&p->c, k, some, &blocked), n_all = scheduler_order(&q->c, k, all), at = 0;
	for (uint32_t i = 0; i < n_all; i++) {
		if (!(q->s.runnable >> all[i] & 1))
			continue;
		if (q->s.blocked >> all[i] & 1) {
			held = true;
			continue;
		}
		assert_true(at < n);
		assert_int_equal(some[at++], all[i]);
	}
	assert_int_equal(at, n);
	assert_int_equal(blocked, held);
	if (!n || !roll(seed, 4))
		return;
	uint32_t warp = some[roll(seed, n)], times = 1 + roll(seed, 2);
	issued(p, k, warp, times);
	issued(q, k, warp, times);
}

static void candidates_are_the_order_without_the_hopeless(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < SCHEDULERS; kind++) {
		uint32_t seed = kind + 1;
		struct pipe_core *twin[2];
		for (unsigned t = 0; t < 2; t++) {
			twin[t] = pipe_new();
			twin[t]->cfg.scheduler = (enum scheduler_kind)kind;
			twin[t]->cfg.scheduler_limit = 5;
			twin[t]->cfg.schedulers = 2;
			pipe_start(twin[t]);
		}
		for (unsigned cycle = 0; cycle < 20000; cycle++) {
			uint32_t warp = roll(&seed, 48), what = roll(&seed, 12);
			disturb(twin[0], warp, what);
			disturb(twin[1], warp, what);
			compare_candidates(twin[0], twin[1], 0, &seed);
			compare_candidates(twin[0], twin[1], 1, &seed);
		}
		pipe_free(twin[0]);
		pipe_free(twin[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_warp_waits_for),
		cmocka_unit_test(loose_round_robin),
		cmocka_unit_test(schedulers_share_the_slots),
		cmocka_unit_test(all_slots_fit),
		cmocka_unit_test(greedy_then_oldest),
		cmocka_unit_test(oldest_first),
		cmocka_unit_test(warp_limiting),
		cmocka_unit_test(strict_round_robin),
		cmocka_unit_test(lowest_numbered),
		cmocka_unit_test(furthest_ahead_and_behind),
		cmocka_unit_test(two_level_rotates_after_an_issue),
		cmocka_unit_test(two_level_moves_waiting_warps),
		cmocka_unit_test(two_level_turns_empty_slots_over),
		cmocka_unit_test(two_level_demotes_for_long_operations),
		cmocka_unit_test(two_level_turns_twice_for_a_dual_issue),
		cmocka_unit_test(two_level_with_few_warps),
		cmocka_unit_test(skipping_is_walking),
		cmocka_unit_test(tl_of_31),
		cmocka_unit_test(candidates_are_the_order_without_the_hopeless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
