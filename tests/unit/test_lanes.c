/* gdb's threads and the warps' lanes, with a machine that is none. What is expected is what gdb sees of threads of a processor that move alone:
 * each goes its way by steps of one, none is moved that isn't resumed, and each hit of a breakpoint is reported once (docs/manual/gdb-details.md). */
#include <stdlib.h>

#include "fake_lanes.h"
#include "gdbstub/lanes/timeline.h"

/* ---- steps ---- */

static void nobody_is_stepped_twice(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_step(&f, 1);
	assert_int_equal(gdb_pc(&f, 1), 0x20);
	for (uint64_t uid = 2; uid <= 4; uid++)
		assert_int_equal(gdb_pc(&f, uid), 0x10);
	for (uint64_t uid = 2; uid <= 4; uid++) {
		gdb_step(&f, uid);
		assert_int_equal(f.tid, uid);
		assert_int_equal(gdb_pc(&f, uid), 0x20);
	}
	assert_int_equal(f.moves, 1);
	gdb_step(&f, 2); /* they are level: now the machine moves again */
	assert_int_equal(f.moves, 2);
	assert_int_equal(gdb_pc(&f, 2), 0x30);
	assert_int_equal(gdb_pc(&f, 1), 0x20);
	fake_end(&f);
}

static void everybody_catches_up(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_step(&f, 1);
	gdb_step(&f, 1);
	assert_int_equal(gdb_pc(&f, 3), 0x10);
	gdb_step_all(&f, 1);
	for (uint64_t uid = 1; uid <= 4; uid++)
		assert_int_equal(gdb_pc(&f, uid), 0x40);
	fake_end(&f);
}

/* Lane 3's side comes first: lane 0 moves only after it, and lane 2 has moved with it. */
static void a_step_lasts_until_it_moves(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, parted, N(parted));
	gdb_step_all(&f, 1);
	gdb_step_all(&f, 1);
	assert_int_equal(gdb_pc(&f, 1), 0x40);
	assert_int_equal(gdb_pc(&f, 4), 0x30);
	gdb_step(&f, 1);
	assert_int_equal(gdb_pc(&f, 1), 0x50);
	assert_int_equal(gdb_pc(&f, 2), 0x40);
	assert_int_equal(gdb_pc(&f, 4), 0x30);
	const unsigned moves = f.moves;
	gdb_step(&f, 4);
	assert_int_equal(gdb_pc(&f, 4), 0x50);
	assert_int_equal(f.moves, moves);
	fake_end(&f);
}

/* While the other side runs a lane that waits stays where it is: it isn't stale, and the next step of it moves it. */
static void who_waits_is_not_left(void **state)
{
	struct fake f;
	struct lanes_seen seen;
	(void)state;
	fake_begin(&f, parted, N(parted));
	gdb_step_all(&f, 4);
	gdb_step_all(&f, 4);
	gdb_step(&f, 4);
	assert_int_equal(gdb_pc(&f, 4), 0x38);
	assert_true(lanes_see(f.lanes, 3, &seen));
	assert_false(lanes_see(f.lanes, 1, &seen));
	assert_int_equal(gdb_pc(&f, 1), 0x40);
	fake_end(&f);
}

/* Other warps run meanwhile: gdb keeps the pc of those it has looked at. */
static void others_that_were_looked_at(void **state)
{
	struct fake f;
	struct lanes_seen seen;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.together = true;
	f.looked[f.n_looked++] = 6;
	gdb_step(&f, 1);
	assert_int_equal(gdb_pc(&f, 6), 0x10);
	assert_true(lanes_see(f.lanes, 6, &seen));
	assert_int_equal(seen.executed, 0);
	assert_true(lanes_needs_snapshot(f.lanes, 5, 0));
	gdb_step(&f, 6);
	assert_int_equal(gdb_pc(&f, 6), 0x20);
	assert_int_equal(f.moves, 2);
	fake_end(&f);
}

static void an_interrupted_step_moves_nobody(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.interrupts = true;
	gdb_step(&f, 1);
	assert_int_equal(f.signal, 2);
	for (uint64_t uid = 1; uid <= 8; uid++)
		assert_int_equal(gdb_pc(&f, uid), 0x10);
	assert_int_equal(f.moves, 0);
	fake_end(&f);
}

static void entering_a_kernel(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.at_launch[0] = f.at_launch[1] = true;
	gdb_step(&f, 1);
	assert_int_equal(f.moves, 0);
	assert_int_equal(gdb_pc(&f, 1), 0x10);
	assert_int_equal(gdb_pc(&f, 2), FAKE_LAUNCH);
	gdb_step(&f, 2);
	assert_int_equal(gdb_pc(&f, 2), 0x10);
	assert_int_equal(f.moves, 0);
	fake_end(&f);
}

static void who_has_ended_does_not_run(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, 1);
	gdb_step(&f, 1);
	assert_int_equal(gdb_pc(&f, 1), FAKE_END);
	assert_int_equal(gdb_pc(&f, 2), 0x10); /* for gdb it hasn't */
	gdb_step(&f, 2);
	assert_int_equal(gdb_pc(&f, 2), FAKE_END);
	gdb_step(&f, 2);
	assert_int_equal(f.signal, 0);
	assert_non_null(strstr(text_str(&f.console), "does not run"));
	fake_end(&f);
}

/* ---- breakpoints ---- */

static void one_stop_for_a_warp(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_insert(&f, 0, 0x30, FAKE_ALL);
	gdb_continue(&f);
	hits(&f, 1, 0x30);
	gdb_step_over(&f, 1, 0);
	gdb_continue(&f);
	hits(&f, 5, 0x30);
	gdb_step_over(&f, 5, 0);
	gdb_continue(&f);
	assert_int_equal(f.tid, FAKE_HOST);
	fake_end(&f);
}

/* gdb passes a lane over without showing it: the next one has its turn. */
static void passed_over(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_insert(&f, 0, 0x30, FAKE_ALL);
	gdb_continue_unseen(&f);
	for (uint64_t uid = 1; uid < 4; uid++) {
		hits(&f, uid, 0x30);
		gdb_step_over(&f, uid, 0);
		gdb_continue_unseen(&f);
	}
	hits(&f, 4, 0x30);
	assert_int_equal(f.at[0], 2); /* none of these steps was made */
	fake_end(&f);
}

static void every_lane(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, loop, N(loop));
	lanes_set_break_mode(f.lanes, BREAK_LANE);
	gdb_insert(&f, 0, 0x20, 0x5); /* a condition: lanes 0 and 2 */
	for (unsigned round = 0; round < 3; round++) {
		for (uint64_t warp = 0; warp < 2; warp++)
			for (uint64_t uid = 4 * warp + 1; uid <= 4 * warp + 3; uid += 2) {
				if (round || uid > 1)
					gdb_step_over(&f, f.tid, 0);
				gdb_continue(&f);
				hits(&f, uid, 0x20);
			}
	}
	gdb_step_over(&f, f.tid, 0);
	gdb_continue(&f);
	assert_int_equal(f.tid, FAKE_HOST);
	fake_end(&f);
}

/* Lane 0 is stepped past a breakpoint: the others are still there, with their own hits, and the machine doesn't move for them. */
static void hits_of_those_left(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	lanes_set_break_mode(f.lanes, BREAK_LANE);
	gdb_insert(&f, 0, 0x20, FAKE_ALL);
	gdb_continue(&f);
	hits(&f, 1, 0x20);
	gdb_step_over(&f, 1, 0);
	gdb_looks(&f);
	gdb_step(&f, 1);
	assert_int_equal(gdb_pc(&f, 1), 0x40);
	const unsigned moves = f.moves;
	for (uint64_t uid = 2; uid <= 4; uid++) {
		assert_int_equal(gdb_pc(&f, uid), 0x20);
		gdb_step(&f, uid);
		hits(&f, uid, 0x20);
		gdb_step_over(&f, uid, 0);
		gdb_looks(&f);
		assert_int_equal(gdb_pc(&f, uid), 0x40);
	}
	assert_int_equal(f.moves, moves);
	assert_non_null(strstr(text_str(&f.console), "has gone on meanwhile"));
	fake_end(&f);
}

/* gdb has changed a breakpoint since the warp was there: what it was hit for then is nothing to the lanes that it isn't for now. */
static void another_condition(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	lanes_set_break_mode(f.lanes, BREAK_LANE);
	gdb_insert(&f, 0, 0x20, FAKE_ALL);
	gdb_continue(&f);
	hits(&f, 1, 0x20);
	f.points[0].holds = 0x4;
	gdb_step(&f, 2);
	assert_int_equal(f.event.kind, EVENT_NONE);
	assert_int_equal(gdb_pc(&f, 2), 0x30);
	gdb_continue(&f);
	hits(&f, 3, 0x20);
	gdb_step_over(&f, 3, 0);
	gdb_continue(&f);
	hits(&f, 7, 0x20);
	fake_end(&f);
}

/* A lane that continues alone passes what others of its warp hit: gdb doesn't see it there. */
static void passes_hits_of_others(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_insert(&f, 0, 0x20, 0x1);
	f.watches[0] = (struct fake_watch){.pc = 0x30, .number = 3, .uid = 2, .is_there = true};
	gdb_continue_one(&f, 2);
	watch_written(&f, 0x3000);
	assert_int_equal(f.tid, 2);
	assert_int_equal(gdb_pc(&f, 2), 0x40);
	gdb_continue(&f);
	hits(&f, 1, 0x20);
	fake_end(&f);
}

/* A lane that continues alone comes to each of its hits in turn. From one that its warp has left a step leads to the next one, where gdb finds
 * the breakpoint itself. */
/* gdb's `finish` of thread 5: once gdb has passed over thread 1's hit at the breakpoint, the other hits of warp 0 and of warp 1 wait. */
static void only_the_thread_that_finishes(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	lanes_client_begin(f.lanes, f.focus = 5);
	gdb_insert(&f, 0, 0x30, FAKE_ALL);
	f.points[0].returns_for = 5;
	gdb_continue_unseen(&f);
	hits(&f, 1, 0x30);
	assert_false(gdb_step_over(&f, 1, 0));
	gdb_continue_unseen(&f);
	hits(&f, 5, 0x30);
	lanes_note_shown(f.lanes);
	f.points[0].inserted = f.points[0].is_there = false; /* gdb deletes it: nothing is left to report */
	gdb_continue(&f);
	assert_int_equal(f.tid, FAKE_HOST);
	assert_string_equal(text_str(&f.console), "");
	fake_end(&f);
}

/* It wasn't `finish`: gdb passes over thread 5's hit, too. Then all others are reported. */
static void no_thread_finishes(void **state)
{
	struct fake f;
	unsigned reported = 0;
	(void)state;
	fake_begin(&f, straight, N(straight));
	lanes_client_begin(f.lanes, f.focus = 5);
	gdb_insert(&f, 0, 0x30, FAKE_ALL);
	f.points[0].returns_for = 5;
	gdb_continue_unseen(&f);
	while (f.tid != FAKE_HOST) {
		reported++;
		gdb_step_over(&f, f.tid, 0);
		gdb_continue_unseen(&f);
	}
	assert_int_equal(reported, 2 * FAKE_LANES);
	fake_end(&f);
}

static void from_hit_to_hit(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, loop, N(loop));
	lanes_set_break_mode(f.lanes, BREAK_LANE);
	gdb_insert(&f, 0, 0x20, FAKE_ALL);
	gdb_continue_one(&f, 1);
	for (unsigned round = 0; round < 3; round++) {
		hits(&f, 1, 0x20);
		assert_false(gdb_step_over(&f, 1, 0));
		gdb_continue_one(&f, 1);
	}
	assert_int_equal(gdb_pc(&f, 1), FAKE_END);
	gdb_continue_one(&f, 3);
	hits(&f, 3, 0x20);
	assert_true(gdb_step_over(&f, 3, 0));
	assert_true(gdb_step_over(&f, 3, 0));
	assert_false(gdb_step_over(&f, 3, 0));
	assert_int_equal(gdb_pc(&f, 3), FAKE_END);
	fake_end(&f);
}

/* The machine isn't asked for the step that comes before a continue, and makes it if gdb then looks. */
static void a_deferred_step(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_insert(&f, 0, 0x20, FAKE_ALL);
	gdb_continue(&f);
	const unsigned runs = f.runs;
	gdb_step_over(&f, 1, 0);
	assert_int_equal(gdb_pc(&f, 1), 0x30);
	assert_int_equal(f.runs, runs);
	assert_int_equal(f.at[0], 1);
	lanes_make_deferred_step(f.lanes);
	assert_int_equal(gdb_pc(&f, 1), 0x30);
	assert_int_equal(gdb_pc(&f, 2), 0x20);
	assert_int_equal(f.runs, runs + 1);
	assert_int_equal(f.at[0], 2);
	fake_end(&f);
}

/* Nor is it made when another thread steps and everybody may run: that is what gdb has taken this one over its breakpoint for. */
static void a_deferred_step_before_another_ones(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.together = true;
	f.at[1] = 2;
	gdb_insert(&f, 0, 0x20, FAKE_ALL);
	gdb_continue(&f);
	hits(&f, 1, 0x20);
	f.at[1] = 2;
	gdb_step_over(&f, 1, 0);
	gdb_step_all(&f, 5);
	assert_int_equal(f.tid, 5);
	assert_int_equal(gdb_pc(&f, 5), 0x40);
	assert_int_equal(gdb_pc(&f, 1), 0x30);
	fake_end(&f);
}

/* What another warp hits while one thread steps alone is reported when everybody may run. */
static void others_wait(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.together = true;
	f.at[1] = 1;
	gdb_insert(&f, 0, 0x20, FAKE_ALL);
	gdb_step(&f, 1);
	assert_int_equal(f.tid, 1);
	assert_int_equal(gdb_pc(&f, 1), 0x20);
	gdb_step_over(&f, 1, 0);
	gdb_continue(&f);
	hits(&f, 5, 0x20);
	fake_end(&f);
}

/* A thread has to wait, and somebody else stops the machine: at a breakpoint's place gdb would take that for a hit. */
static void pretended(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, parted, N(parted));
	f.at[0] = 2;
	gdb_insert(&f, 0, 0x40, FAKE_ALL);
	f.fault_at = 0x38;
	gdb_step(&f, 1);
	assert_int_equal(f.tid, 1);
	assert_int_equal(f.signal, 5);
	assert_int_equal(gdb_pc(&f, 1), 0x41);
	gdb_step(&f, 1); /* once is enough */
	assert_int_equal(f.signal, 0);
	assert_int_equal(gdb_pc(&f, 1), 0x40);
	gdb_continue(&f);
	assert_int_equal(f.signal, 10);
	assert_int_equal(f.tid, 3);
	fake_end(&f);
}

/* Two watched places change while another thread is stepped. */
static void watched_writes_wait(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, parted, N(parted));
	f.at[0] = 2;
	f.watches[0] = (struct fake_watch){.pc = 0x30, .number = 3, .uid = 4, .is_there = true};
	f.watches[1] = (struct fake_watch){.pc = 0x38, .number = 4, .uid = 3, .is_there = true};
	gdb_step(&f, 1);
	assert_int_equal(f.tid, 1);
	assert_int_equal(gdb_pc(&f, 1), 0x50);
	gdb_continue(&f);
	watch_written(&f, 0x3000);
	assert_int_equal(f.tid, 4);
	gdb_continue(&f);
	watch_written(&f, 0x4000);
	assert_int_equal(f.tid, 3);
	fake_end(&f);
}

/* gdb reads what is there when a write is reported: those before it that waited are nothing new. */
static void a_write_read_with_the_next_one(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, loop, N(loop));
	f.together = true;
	f.watches[0] = (struct fake_watch){.pc = 0x10, .number = 3, .uid = 6, .is_there = true};
	gdb_step(&f, 1);
	gdb_step(&f, 6);
	gdb_step(&f, 6);
	watch_written(&f, 0x3000);
	assert_int_equal(f.at[1], 3);
	gdb_continue(&f);
	watch_written(&f, 0x3000);
	assert_int_equal(f.at[1], 5);
	fake_end(&f);
}

/* Whose write waits to be reported goes on alone: it is reported first. */
static void its_own_write_comes_first(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.together = true;
	f.watches[0] = (struct fake_watch){.pc = 0x10, .number = 3, .uid = 6, .is_there = true};
	gdb_step(&f, 1);
	gdb_continue_one(&f, 6);
	watch_written(&f, 0x3000);
	assert_int_equal(f.tid, 6);
	assert_int_equal(f.at[1], 1);
	gdb_continue_one(&f, 6);
	assert_int_equal(f.event.kind, EVENT_NONE);
	assert_int_equal(gdb_pc(&f, 6), FAKE_END);
	fake_end(&f);
}

static void deleted_watchpoints_are_not_reported(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.together = true;
	f.watches[0] = (struct fake_watch){.pc = 0x10, .number = 3, .uid = 6, .is_there = true};
	gdb_step(&f, 1);
	assert_int_equal(f.tid, 1);
	f.watches[0].is_there = false;
	gdb_continue(&f);
	assert_int_equal(f.tid, FAKE_HOST);
	assert_int_equal(f.event.kind, EVENT_NONE);
	fake_end(&f);
}

/* ---- others ---- */

static void moved_by_somebody_else(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_step(&f, 1);
	f.at[0] = 3;
	lanes_note_moved(f.lanes, "somebody else\n");
	gdb_continue(&f);
	assert_string_equal(text_str(&f.console), "somebody else\n");
	assert_int_equal(f.moves, 1);
	assert_int_equal(gdb_pc(&f, 2), 0x40);
	gdb_continue(&f);
	assert_int_equal(f.tid, FAKE_HOST);
	fake_end(&f);
}

/* A breakpoint that is found to be hit for another lane of the warp stops one that continues alone, too. */
static void found_for_another(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.together = true;
	lanes_set_break_mode(f.lanes, BREAK_LANE);
	gdb_insert(&f, 0, 0x30, FAKE_ALL);
	f.focus = 8;
	gdb_continue_one(&f, 4);
	hits(&f, 4, 0x30);
	assert_int_equal(f.at[0], 2);
	gdb_continue_one(&f, 8);
	hits(&f, 8, 0x30);
	assert_int_equal(f.at[1], 2);
	fake_end(&f);
}

static void an_early_interrupt(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_continue_unseen(&f);
	f.at[0] = 0;
	lanes_interrupt(f.lanes);
	gdb_continue(&f);
	assert_int_equal(f.signal, 2);
	fake_end(&f);
}

/* gdb was interrupted when its thread had come to a breakpoint: it takes the thread over that. Interrupted again before everybody runs it is to
 * see the thread where it was told that it is. */
static void interrupted_at_a_breakpoint(void **state)
{
	struct fake f;
	struct lanes_seen seen;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.at[0] = 1;
	gdb_insert(&f, 0, 0x20, FAKE_ALL);
	gdb_step_over(&f, 1, 0);
	assert_int_equal(gdb_pc(&f, 1), 0x30);
	lanes_interrupt(f.lanes);
	gdb_continue(&f);
	assert_int_equal(f.signal, 2);
	assert_int_equal(gdb_pc(&f, 1), 0x30);
	assert_int_equal(f.at[0], 2);
	assert_false(lanes_see(f.lanes, 1, &seen));
	gdb_continue(&f);
	hits(&f, 2, 0x20);
	fake_end(&f);
}

/* ---- invariants ---- */

static void is_broken(const struct timelines *t, const char *by)
{
	const char *why = timelines_broken(t);
	assert_non_null(why);
	assert_non_null(strstr(why, by));
}

static void what_is_wrong_is_found(void **state)
{
	struct timelines t = {0};
	const struct machine_lane at = {.uid = 1, .first = 1, .n = 4, .executed = 3};
	const struct place left = {.kind = PLACE_LEFT, .pc = 0x10, .executed = 2};
	(void)state;
	assert_null(timelines_broken(&t));
	const struct hit *h = timelines_add_hit(&t, &at, 0x20);
	const struct place hit = {.kind = PLACE_HIT, .pc = 0x20, .executed = 3, .hit = h->number};
	timeline_put_first(&t, &at, 2, &left);
	timeline_hit(&t, &at, 2, &hit);
	assert_null(timelines_broken(&t));
	struct place *first = timeline_first(&t, 2);
	first[0].executed = 4;
	is_broken(&t, "in the order");
	first[0] = hit;
	is_broken(&t, "once where it is");
	first[0] = left;
	first[1].pc = 0x28;
	is_broken(&t, "somewhere else");
	first[1] = hit;
	first[1].reported = true;
	is_broken(&t, "its hit was not");
	first[1] = left;
	is_broken(&t, "only the first");
	first[1] = hit;
	first[1].hit++;
	is_broken(&t, "that there isn't");
	timelines_free(&t);
}

/* A breakpoint that is hit where the machine has left a lane is hit there: one place. */
static void a_hit_where_it_was_left(void **state)
{
	struct timelines t = {0};
	const struct machine_lane at = {.uid = 1, .first = 1, .n = 4, .executed = 3};
	const struct place left = {.kind = PLACE_LEFT, .pc = 0x20, .executed = 3};
	(void)state;
	const struct place hit = {
		.kind = PLACE_HIT, .pc = 0x20, .executed = 3, .hit = timelines_add_hit(&t, &at, 0x20)->number};
	timeline_put_first(&t, &at, 1, &left);
	timeline_hit(&t, &at, 1, &hit);
	assert_int_equal(timeline_of(&t, 1)->n, 1);
	assert_int_equal(timeline_first(&t, 1)->kind, PLACE_HIT);
	assert_null(timeline_of(&t, 2));
	assert_int_equal(timelines_lanes_of(&t, t.hits, true), 1);
	timelines_drop_hit(&t, t.hits);
	assert_null(timeline_of(&t, 1));
	timelines_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_is_stepped_twice),
		cmocka_unit_test(everybody_catches_up),
		cmocka_unit_test(a_step_lasts_until_it_moves),
		cmocka_unit_test(who_waits_is_not_left),
		cmocka_unit_test(others_that_were_looked_at),
		cmocka_unit_test(an_interrupted_step_moves_nobody),
		cmocka_unit_test(entering_a_kernel),
		cmocka_unit_test(who_has_ended_does_not_run),
		cmocka_unit_test(one_stop_for_a_warp),
		cmocka_unit_test(passed_over),
		cmocka_unit_test(every_lane),
		cmocka_unit_test(hits_of_those_left),
		cmocka_unit_test(another_condition),
		cmocka_unit_test(passes_hits_of_others),
		cmocka_unit_test(only_the_thread_that_finishes),
		cmocka_unit_test(no_thread_finishes),
		cmocka_unit_test(from_hit_to_hit),
		cmocka_unit_test(a_deferred_step),
		cmocka_unit_test(a_deferred_step_before_another_ones),
		cmocka_unit_test(others_wait),
		cmocka_unit_test(found_for_another),
		cmocka_unit_test(pretended),
		cmocka_unit_test(watched_writes_wait),
		cmocka_unit_test(a_write_read_with_the_next_one),
		cmocka_unit_test(its_own_write_comes_first),
		cmocka_unit_test(deleted_watchpoints_are_not_reported),
		cmocka_unit_test(moved_by_somebody_else),
		cmocka_unit_test(an_early_interrupt),
		cmocka_unit_test(interrupted_at_a_breakpoint),
		cmocka_unit_test(what_is_wrong_is_found),
		cmocka_unit_test(a_hit_where_it_was_left),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
