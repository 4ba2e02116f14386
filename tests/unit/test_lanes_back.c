/* gdb's steps back, with a machine that is none: whose they are, where they end, and what gdb hears of writes that they undo (docs/manual/gdb-details.md). */
#include "fake_lanes.h"

/* It is back in front of the instruction that it has executed last. */
static void back_from_pretended(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, parted, N(parted));
	f.at[0] = 2;
	gdb_insert(&f, 0, 0x40, FAKE_ALL);
	f.fault_at = 0x38;
	gdb_step(&f, 1);
	assert_int_equal(gdb_pc(&f, 1), 0x41);
	const size_t at = f.at[0];
	gdb_step_back(&f, 1, true);
	assert_int_equal(f.at[0], at - 1);
	fake_end(&f);
}

/* Before its user's thread goes back gdb takes the one that was reported over its breakpoint: the machine goes back by the user's one's step. */
static void another_one_is_taken_over(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_insert(&f, 0, 0x30, FAKE_ALL);
	gdb_continue(&f);
	hits(&f, 1, 0x30);
	lanes_note_checked(f.lanes, 2);
	f.points[0].inserted = false;
	gdb_step_back(&f, 1, false);
	assert_int_equal(f.tid, 1);
	assert_int_equal(f.back_steps, 0);
	assert_int_not_equal(gdb_pc(&f, 1), 0x30); /* for gdb it is done */
	lanes_note_checked(f.lanes, 2);
	f.points[0].inserted = true;
	assert_int_equal(lanes_user_thread(f.lanes), 2);
	gdb_step_back(&f, 2, true);
	assert_int_equal(f.back_steps, 1);
	assert_int_equal(gdb_pc(&f, 1), 0x20);
	assert_int_equal(gdb_pc(&f, 2), 0x20);
	fake_end(&f);
}

/* A write that gdb was not told of is undone: to gdb nothing has changed, neither then nor when it lets all go on. One that it was told of has. */
static void an_untold_write_is_undone(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	f.together = true;
	f.watches[0] = (struct fake_watch){.pc = 0x10, .number = 3, .uid = 6, .is_there = true};
	gdb_step(&f, 1);
	assert_int_equal(f.event.kind, EVENT_NONE);
	gdb_step_back(&f, 6, true);
	assert_int_equal(f.event.kind, EVENT_NONE);
	assert_int_equal(gdb_pc(&f, 6), 0x10);
	gdb_step_all(&f, 6);
	watch_written(&f, 0x3000);
	assert_int_equal(gdb_pc(&f, 6), 0x20);
	gdb_step_back(&f, 6, true);
	watch_written(&f, 0x3000);
	assert_int_equal(gdb_pc(&f, 6), 0x10);
	fake_end(&f);
}

/* gdb's packet of a step back doesn't say of which thread. */
static void which_thread_its_user_is_on(void **state)
{
	struct fake f;
	(void)state;
	fake_begin(&f, straight, N(straight));
	gdb_step(&f, 1);
	assert_int_equal(lanes_user_thread(f.lanes), 1);
	lanes_note_checked(f.lanes, 3); /* thread 3 */
	lanes_note_selected(f.lanes, 3);
	assert_int_equal(lanes_user_thread(f.lanes), 3);
	lanes_note_checked(f.lanes, 6); /* thread apply 6 ..., and back in thread 3 */
	lanes_note_selected(f.lanes, 6);
	lanes_note_selected(f.lanes, 3);
	assert_int_equal(lanes_user_thread(f.lanes), 3);
	lanes_note_shown(f.lanes); /* info threads */
	for (uint64_t tid = 1; tid <= 8; tid++)
		lanes_note_selected(f.lanes, tid);
	assert_int_equal(lanes_user_thread(f.lanes), 3);
	for (uint64_t tid = 8; tid; tid--) { /* thread apply all ... */
		lanes_note_checked(f.lanes, tid);
		lanes_note_selected(f.lanes, tid);
	}
	assert_int_equal(lanes_user_thread(f.lanes), 3);
	lanes_note_selected(f.lanes, 3);
	assert_int_equal(lanes_user_thread(f.lanes), 3);
	fake_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(back_from_pretended),
		cmocka_unit_test(another_one_is_taken_over),
		cmocka_unit_test(an_untold_write_is_undone),
		cmocka_unit_test(which_thread_its_user_is_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
