/* Threads stepped and continued at random, with a machine that is none: no lane goes back, jumps while nobody else may run, or passes over a hit. */
#include <stdlib.h>

#include "fake_lanes.h"

struct watcher {
	struct fake f;
	size_t at[FAKE_WARPS * FAKE_LANES + 1]; /* position on its way, for gdb */
	uint32_t seed;
};

static uint32_t chance(struct watcher *w, uint32_t n)
{
	w->seed = w->seed * 1103515245 + 12345;
	return (w->seed >> 16) % n;
}

/* The position a lane shows, at or after `from`. */
static size_t position(struct watcher *w, uint64_t uid, size_t from)
{
	const uint64_t pc = gdb_pc(&w->f, uid);
	size_t e = from;
	while (e < w->f.n && !(w->f.way[e].pc == pc && w->f.way[e].lanes & lanes_bit(fake_lane_of(uid))))
		e++;
	assert_true(e < w->f.n || pc == FAKE_END);
	return e;
}

/* `left`: gdb saw the one that is stepped where the machine had been. */
static void check_alone(struct watcher *w, uint64_t stepped, bool left)
{
	for (uint64_t uid = 1; uid <= FAKE_WARPS * FAKE_LANES; uid++) {
		const size_t now = position(w, uid, w->at[uid]);
		if (uid == stepped) {
			size_t next = w->at[uid] + 1;
			while (next < w->f.n && !(w->f.way[next].lanes & lanes_bit(fake_lane_of(uid))))
				next++;
			assert_true(now == next || (now > next && left));
		} else if (fake_warp(uid) == fake_warp(stepped)) {
			assert_int_equal(now, w->at[uid]);
		}
		w->at[uid] = now;
	}
}

static void at_random(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 300; seed++) {
		struct watcher w = {.seed = seed};
		fake_begin(&w.f, parted, N(parted));
		for (uint64_t uid = 1; uid <= 8; uid++)
			w.at[uid] = position(&w, uid, 0);
		for (unsigned i = 0; i < 30; i++) {
			const uint64_t uid = 1 + chance(&w, 4);
			struct lanes_seen seen;
			const bool left = lanes_see(w.f.lanes, uid, &seen);
			if (w.at[uid] == w.f.n)
				continue;
			gdb_step(&w.f, uid);
			check_alone(&w, uid, left);
		}
		fake_end(&w.f);
	}
}

/* Each lane hits the breakpoint as often as it comes by, whoever is stepped or continued meanwhile. */
static void every_hit_at_random(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 300; seed++) {
		struct watcher w = {.seed = seed};
		unsigned counts[9] = {0};
		fake_begin(&w.f, loop, N(loop));
		w.f.together = chance(&w, 2);
		lanes_set_break_mode(w.f.lanes, BREAK_LANE);
		gdb_insert(&w.f, 0, 0x20, FAKE_ALL);
		gdb_continue(&w.f);
		for (unsigned i = 0; i < 200 && w.f.tid != FAKE_HOST; i++) {
			const uint64_t tid = w.f.tid;
			counts[tid] += gdb_pc(&w.f, tid) == 0x20;
			while (gdb_pc(&w.f, tid) == 0x20)
				counts[tid] += gdb_step_over(&w.f, tid, 0);
			if (chance(&w, 3))
				gdb_continue(&w.f);
			else
				gdb_continue_one(&w.f, tid);
			if (gdb_pc(&w.f, w.f.tid) == FAKE_END)
				gdb_continue(&w.f);
		}
		for (uint64_t uid = 1; uid <= 8; uid++)
			assert_int_equal(counts[uid], 3);
		fake_end(&w.f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(at_random), cmocka_unit_test(every_hit_at_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
