/* DRAM controller: cycle tables worked out by hand from the command rules, scheduling, queues, counters. */
#include "dram_bench.h"

/* ---- command timing ---- */

/* Pushed at cycle 0. ACT in 1; tRCD = 12: RD in 13; the next to the same group after tCCDL = 3: 16; its data CL = 12 later. */
static void read_of_a_closed_bank(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 3, 7, 128);
	tick(&b, 40);
	expect_log(&b, "1:ACT3 13:RD3 16:RD3 28:done#1 ");
	assert_true(b.last.is_reply);
	assert_int_equal(b.last.dram_done, 128);
	assert_int_equal(b.last.status, REQUEST_IN_PARTITION_MC_RETURNQ);
	assert_int_equal(b.last.status_time, 28);
	assert_true(dram_quiet(b.d));
	bench_free(&b);
}

/* The second finds the row open: the bank takes it in 17, the cycle after its last command; tCCDL lets it read in 19 and 22. */
static void read_of_an_open_row(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 3, 7, 128);
	push(&b, GLOBAL_ACC_R, 3, 7, 128);
	tick(&b, 50);
	expect_log(&b, "1:ACT3 13:RD3 16:RD3 19:RD3 22:RD3 28:done#1 34:done#2 ");
	bench_free(&b);
}

/* Another row: PRE waits for tRAS (1 + 28), ACT for tRP (29 + 12) and tRC (1 + 40). */
static void another_row_of_the_bank(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 3, 7, 64);
	push(&b, GLOBAL_ACC_R, 3, 9, 64);
	tick(&b, 70);
	expect_log(&b, "1:ACT3 13:RD3 25:done#1 29:PRE3 41:ACT3 53:RD3 65:done#2 ");
	bench_free(&b);
}

/* A write may follow ACT after tRCD - (WL + 1) = 7; its data WL = 4 later. Then a read waits for tWTR = WL + 2 + tCDLR = 11. */
static void read_after_write(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_W, 2, 5, 64);
	push(&b, GLOBAL_ACC_R, 2, 5, 64);
	tick(&b, 50);
	expect_log(&b, "1:ACT2 8:WR2 12:done#1 19:RD2 31:done#2 ");
	bench_free(&b);
}

/* tRTW = CL + 2 + 2 - WL = 12 after the read; data of the two never overlap. */
static void write_after_read(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, LOCAL_ACC_R, 2, 5, 64);
	push(&b, LOCAL_ACC_W, 2, 5, 64);
	tick(&b, 50);
	expect_log(&b, "1:ACT2 13:RD2 25:WR2 25:done#1 29:done#2 ");
	assert_true(b.last.is_write && b.last.is_reply);
	bench_free(&b);
}

/* With tRAS = 20 (until 21) it is the write recovery, tWTP = WL + 2 + tWR = 18 after 8, that PRE waits for; tRC = 30 is over by then. */
static void precharge_after_write(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of("16:2:6:12:20:12:30:12:4:5:12"));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_W, 2, 5, 64);
	push(&b, GLOBAL_ACC_R, 2, 6, 64);
	tick(&b, 70);
	expect_log(&b, "1:ACT2 8:WR2 12:done#1 26:PRE2 38:ACT2 50:RD2 62:done#2 ");
	bench_free(&b);
}

/* ... and tRC = 60 is what the second ACT waits for. */
static void row_cycle_time(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of("16:2:6:12:20:12:60:12:4:5:12"));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 2, 5, 64);
	push(&b, GLOBAL_ACC_R, 2, 6, 64);
	tick(&b, 90);
	expect_log(&b, "1:ACT2 13:RD2 21:PRE2 25:done#1 61:ACT2 73:RD2 85:done#2 ");
	bench_free(&b);
}

/* Banks 0, 1, 8, the last a cycle later. 1: bank 0 gets #1 (prio 1), ACT0, prio 1. 2: bank 1 gets #2, prio 2; tRRD until 7. 3: bank 8 gets
 * #3, prio 3. 7: from bank 3 on, 8 comes first: ACT8, prio 9. 13: bank 0 may read, bank 1 (behind it) not yet have its ACT. 14: ACT1.
 * 19: RD8 (7 + 12); 26: RD1 (14 + 12). */
static void banks_take_turns(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 0, 1, 64);
	push(&b, GLOBAL_ACC_R, 1, 1, 64);
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 8, 1, 64);
	tick(&b, 50);
	expect_log(&b, "1:ACT0 7:ACT8 13:RD0 14:ACT1 19:RD8 25:done#1 26:RD1 31:done#3 38:done#2 ");
	bench_free(&b);
}

/* 4 groups of 4 banks, but numbered by bank >> 3: banks 0 and 4 share tCCDL = 5, banks 0 and 8 only tCCD = 2. (tRRD = 1: ACTs in 1 and 2.) */
static void bank_groups_are_paired(void **state)
{
	(void)state;
	static const char timing[] = "nbk=16:CCD=2:RRD=1:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=5:RTPL=2";
	struct bench b;
	bench_init(&b, config_of(timing));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 0, 1, 64);
	push(&b, GLOBAL_ACC_R, 4, 1, 64);
	tick(&b, 50);
	expect_log(&b, "1:ACT0 2:ACT4 13:RD0 18:RD4 25:done#1 30:done#2 ");
	bench_free(&b);
	bench_init(&b, config_of(timing));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 0, 1, 64);
	push(&b, GLOBAL_ACC_R, 8, 1, 64);
	tick(&b, 50);
	expect_log(&b, "1:ACT0 2:ACT8 13:RD0 15:RD8 25:done#1 27:done#2 ");
	bench_free(&b);
}

/* ---- who is next ---- */

/* Rows 5, 6, 5, 7 of one bank: the open row first, then the oldest.
 * 16: #3 (tCCDL after 13). Row 6: PRE 29 (tRAS), ACT 41, RD 53. Row 7: PRE 41 + 28, ACT 81, RD 93.
 * The bank's row was changed when a request was picked, in 1, 17 and 54: at most 37 cycles apart, at most two requests to one row. */
static void open_row_first(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 2, 5, 64);
	push(&b, GLOBAL_ACC_R, 2, 6, 64);
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 2, 5, 64);
	push(&b, GLOBAL_ACC_R, 2, 7, 64);
	tick(&b, 1);
	assert_int_equal(dram_queue_length(b.d), 3);
	tick(&b, 110);
	expect_log(&b, "1:ACT2 13:RD2 16:RD2 25:done#1 28:done#3 29:PRE2 41:ACT2 53:RD2 65:done#2 69:PRE2 81:ACT2 93:RD2 "
		       "105:done#4 ");
	const struct dram_bank_stats *st = dram_get_bank_stats(b.d, 2);
	assert_int_equal(st->reads, 4);
	assert_int_equal(st->by_type[GLOBAL_ACC_R], 4);
	assert_int_equal(st->row_accesses, 4);
	assert_int_equal(st->row_changes, 3);
	assert_int_equal(st->max_row_accesses, 2);
	assert_int_equal(st->max_row_cycles, 37);
	/* waits: #1 pushed in 0, picked in 1; #2 0 to 17; #3 1 to 14; #4 1 to 54 */
	assert_int_equal(dram_get_stats(b.d)->max_mrq_latency, 53);
	assert_int_equal(dram_get_stats(b.d)->mrq_latency_table[0], 1);
	assert_int_equal(dram_get_stats(b.d)->mrq_latency_table[3], 1);
	assert_int_equal(dram_get_stats(b.d)->mrq_latency_table[4], 1);
	assert_int_equal(dram_get_stats(b.d)->mrq_latency_table[5], 1);
	bench_free(&b);
}

/* A bank that never was open counts as if row 0 were: its request overtakes, and is no row change. */
static void row_0_is_favoured_at_first(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 2, 6, 64);
	push(&b, GLOBAL_ACC_R, 2, 0, 64);
	tick(&b, 70);
	expect_log(&b, "1:ACT2 13:RD2 25:done#2 29:PRE2 41:ACT2 53:RD2 65:done#1 ");
	assert_int_equal(dram_get_bank_stats(b.d, 2)->row_changes, 1);
	bench_free(&b);
}

/* Service times count in the cycles of a batch of kernels: row changes in 1 and 100 are 99 apart; a batch begins in 150, and the change in 300,
 * its cycle 150, is 50 after "100". */
static void service_time_and_batches(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 2, 5, 64);
	tick(&b, 99);
	push(&b, GLOBAL_ACC_R, 2, 6, 64);
	tick(&b, 50);
	dram_restart(b.d, b.cycle);
	tick(&b, 150);
	push(&b, GLOBAL_ACC_R, 2, 7, 64);
	tick(&b, 1);
	assert_int_equal(dram_get_bank_stats(b.d, 2)->row_changes, 3);
	assert_int_equal(dram_get_bank_stats(b.d, 2)->max_row_cycles, 99);
	bench_free(&b);
}

/* First in, first out: #2's bank is busy until 16, and #3, to an idle bank, waits behind it. */
static void fifo_blocks(void **state)
{
	(void)state;
	struct bench b;
	struct dram_config c = config_of(gtx480);
	c.scheduler = &dram_fifo;
	bench_init(&b, c);
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 2, 5, 128);
	assert_false(dram_full(b.d));
	push(&b, GLOBAL_ACC_R, 2, 5, 64);
	assert_true(dram_full(b.d));
	tick(&b, 1);
	assert_false(dram_full(b.d));
	push(&b, GLOBAL_ACC_R, 7, 1, 64);
	tick(&b, 50);
	expect_log(&b, "1:ACT2 13:RD2 16:RD2 18:ACT7 19:RD2 28:done#1 30:RD7 31:done#2 42:done#3 ");
	assert_int_equal(dram_get_stats(b.d)->queue_max, 2);
	bench_free(&b);
}

/* The scheduler says full by what waits in it, not by what banks work on. */
static void scheduler_full(void **state)
{
	(void)state;
	struct bench b;
	struct dram_config c = config_of(gtx480);
	c.queue_size = 2;
	bench_init(&b, c);
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 2, 5, 64);
	tick(&b, 1); /* the bank has it */
	push(&b, GLOBAL_ACC_R, 2, 6, 64);
	tick(&b, 1);
	assert_false(dram_full(b.d));
	push(&b, GLOBAL_ACC_R, 2, 7, 64);
	tick(&b, 1);
	assert_int_equal(dram_queue_length(b.d), 2);
	assert_true(dram_full(b.d));
	bench_free(&b);
	c.queue_size = 0; /* never full */
	bench_init(&b, c);
	for (unsigned i = 0; i < 100; i++) {
		tick(&b, 1);
		push(&b, GLOBAL_ACC_R, 2, i, 64);
		assert_false(dram_full(b.d));
	}
	bench_free(&b);
}

/* ---- the way back ---- */

/* Data of a full return queue waits in the pipe: #2's would come in 28, three pops after #1's; popping goes on in 40. */
static void full_return_queue_holds_the_pipe(void **state)
{
	(void)state;
	struct bench b;
	struct dram_config c = config_of(gtx480);
	c.return_queue = 1;
	bench_init(&b, c);
	tick(&b, 1);
	uint32_t r1 = push(&b, GLOBAL_ACC_R, 2, 5, 64), r2 = push(&b, GLOBAL_ACC_R, 2, 5, 64);
	b.keep = true;
	tick(&b, 39);
	assert_int_equal(dram_return_top(b.d), r1);
	assert_int_equal(request_at(&b.q, r2)->status, REQUEST_IN_PARTITION_DRAM);
	assert_false(dram_quiet(b.d));
	assert_int_equal(dram_return_pop(b.d), r1);
	b.keep = false;
	tick(&b, 10);
	expect_log(&b, "1:ACT2 13:RD2 16:RD2 42:done#2 ");
	assert_int_equal(dram_return_pop(b.d), 0);
	bench_free(&b);
}

/* Two commands 3 apart; the second's data 4 after it. Nobody gets a reply. */
static void write_backs_need_no_reply(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(gtx480));
	tick(&b, 1);
	push(&b, L2_WRBK_ACC, 3, 7, 128);
	push(&b, L1_WRBK_ACC, 3, 7, 64);
	tick(&b, 40);
	expect_log(&b, "1:ACT3 8:WR3 11:WR3 14:WR3 15:back#1 18:back#2 ");
	assert_int_equal(dram_get_bank_stats(b.d, 3)->writes, 2);
	assert_int_equal(b.q.s->n_live, 0);
	bench_free(&b);
}

/* 32 bytes are one command, 100 two, 257 five. */
static void commands_per_request(void **state)
{
	(void)state;
	static const struct {
		uint32_t bytes, commands;
	} cases[] = {{1, 1}, {32, 1}, {64, 1}, {65, 2}, {100, 2}, {128, 2}, {256, 4}, {257, 5}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bench b;
		bench_init(&b, config_of(gtx480));
		push(&b, GLOBAL_ACC_R, 0, 1, cases[i].bytes);
		tick(&b, 60);
		assert_int_equal(dram_get_stats(b.d)->n.rd, cases[i].commands);
		assert_int_equal(dram_get_stats(b.d)->n.data_cycles, 2 * cases[i].commands);
		bench_free(&b);
	}
}

/* ---- counters ---- */

/* Cycle 1: bank 3 is the third of the order from bank 1 (the scheduler has turned it by one); its ACT turns it to begin with bank 4 while the
 * fourth is yet to come, so the rest of the round visits 7, ..., 15, 0, 1, 2, 3: banks 4 to 6 not at all, 1 and 2 twice.
 * Bank 3 has its request in 1 .. 16. Timers run until tRC ends, 1 + 40: activity in 1 .. 40. Two bursts of 2 cycles. */
static void print_as_in_gpgpusim(void **state)
{
	(void)state;
	struct bench b;
	struct text out = {0};
	bench_init(&b, config_of(gtx480));
	dram_print(b.d, 0, &out);
	assert_non_null(strstr(text_str(&out), "bw_util=nan\nn_activity=0 dram_eff=nan\nbk0: 0a 0i "));
	assert_non_null(strstr(text_str(&out), "\nmrqq: max=0 avg=nan\n"));
	text_clear(&out);
	tick(&b, 1);
	push(&b, GLOBAL_ACC_R, 3, 7, 128);
	tick(&b, 49);
	dram_print(b.d, 2, &out);
	assert_string_equal(
		text_str(&out),
		"DRAM[2]: 16 bks, busW=4 BL=8 CL=12, tRRD=2 tCCD=6, tRCD=12 tRAS=28 tRP=12 tRC=40\n"
		"n_cmd=50 n_nop=47 n_act=1 n_pre=0 n_req=1 n_rd=2 n_write=0 bw_util=0.08\n"
		"n_activity=40 dram_eff=0.1\n"
		"bk0: 0a 50i bk1: 0a 51i bk2: 0a 51i bk3: 2a 34i bk4: 0a 49i bk5: 0a 49i bk6: 0a 49i bk7: 0a 50i bk8: 0a 50i "
		"bk9: 0a 50i bk10: 0a 50i bk11: 0a 50i bk12: 0a 50i bk13: 0a 50i bk14: 0a 50i bk15: 0a 50i \n"
		"dram_util_bins: 0 0 0 0 0 0 0 0 0 0\n"
		"dram_eff_bins: 0 0 0 0 0 0 0 0 0 0\n"
		"mrqq: max=0 avg=0\n");
	text_free(&out);
	bench_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_of_a_closed_bank),
		cmocka_unit_test(read_of_an_open_row),
		cmocka_unit_test(another_row_of_the_bank),
		cmocka_unit_test(read_after_write),
		cmocka_unit_test(write_after_read),
		cmocka_unit_test(precharge_after_write),
		cmocka_unit_test(row_cycle_time),
		cmocka_unit_test(banks_take_turns),
		cmocka_unit_test(bank_groups_are_paired),
		cmocka_unit_test(open_row_first),
		cmocka_unit_test(row_0_is_favoured_at_first),
		cmocka_unit_test(service_time_and_batches),
		cmocka_unit_test(fifo_blocks),
		cmocka_unit_test(scheduler_full),
		cmocka_unit_test(full_return_queue_holds_the_pipe),
		cmocka_unit_test(write_backs_need_no_reply),
		cmocka_unit_test(commands_per_request),
		cmocka_unit_test(print_as_in_gpgpusim),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
