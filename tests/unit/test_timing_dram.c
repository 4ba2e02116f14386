/* DRAM controller: cycle tables worked out by hand from the command rules, scheduling, queues, counters. */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "dram_by_rule.h"

/* ---- a controller alone, with a log of its commands ---- */

struct bench {
	struct arena arena;
	struct timing_memory memory;
	struct requests q;
	struct dram_config cfg;
	struct dram *d;
	uint64_t cycle; /* of the next dram_cycle */
	bool keep;	 /* leave what is done in the return queue */
	struct mem_request last; /* that was done */
	struct text log; /* "13:RD0 ": cycle, command, bank */
};

/* The GTX480's: 2 chips of 4 bytes, bursts of 8, so 64 bytes a command; a burst takes 8 / 4 = 2 command cycles. */
static const char gtx480[] = "nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2";

static struct dram_config config_of(const char *timing)
{
	struct dram_config c = {.frfcfs = true, .queue_size = 16, .return_queue = 116, .input_queue = 2,
				.chips = 2, .bus_width = 4, .burst_length = 8, .data_ratio = 4};
	struct text why = {0};
	bool parsed = dram_timing_parse(timing, &c.t, &why);
	assert_string_equal(text_str(&why), "");
	assert_true(parsed);
	text_free(&why);
	return c;
}

static void bench_init(struct bench *b, struct dram_config cfg)
{
	memset(b, 0, sizeof *b);
	arena_init(&b->arena);
	assert_true(timing_memory_init(&b->memory, &b->arena));
	assert_true(requests_init(&b->q, &b->arena));
	b->cfg = cfg;
	b->d = dram_create(&b->memory, &b->q, &b->cfg);
	assert_non_null(b->d);
}

static void bench_free(struct bench *b)
{
	dram_destroy(b->d);
	text_free(&b->log);
	arena_free(&b->arena);
}

static void wrote_back(void *self, uint32_t r)
{
	struct bench *b = self;
	text_addf(&b->log, "%" PRIu64 ":back#%" PRIu64 " ", b->cycle, request_at(&b->q, r)->uid);
	request_free(&b->q, r);
}

/* What command was that? From counters and banks before and after. */
static void log_command(struct bench *b, const struct dram_stats *before, const struct dram_bank_view *was)
{
	const struct dram_stats *after = dram_get_stats(b->d);
	bool act = after->n_act > before->n_act, pre = after->n_pre > before->n_pre;
	bool rd = after->n_rd > before->n_rd, wr = after->n_wr > before->n_wr;
	assert_int_equal(after->n_nop - before->n_nop, 1 - act - pre - rd - wr);
	for (uint32_t i = 0; i < dram_bank_count(b->d); i++) {
		struct dram_bank_view now;
		dram_get_bank(b->d, i, &now);
		if ((act || pre) && now.active != was[i].active)
			text_addf(&b->log, "%" PRIu64 ":%s%u ", b->cycle, act ? "ACT" : "PRE", i);
		if ((rd && now.n_access > was[i].n_access) || (wr && now.wtp > was[i].wtp))
			text_addf(&b->log, "%" PRIu64 ":%s%u ", b->cycle, rd ? "RD" : "WR", i);
	}
}

static void tick(struct bench *b, uint64_t n)
{
	struct dram_bank_view was[DRAM_BANKS_MAX];
	for (; n; n--) {
		struct dram_stats before = *dram_get_stats(b->d);
		for (uint32_t i = 0; i < dram_bank_count(b->d); i++)
			dram_get_bank(b->d, i, &was[i]);
		dram_cycle(b->d, b->cycle, wrote_back, b);
		dram_sample_queue(b->d);
		log_command(b, &before, was);
		uint32_t top = b->keep ? 0 : dram_return_pop(b->d);
		if (top) {
			b->last = *request_at(&b->q, top);
			text_addf(&b->log, "%" PRIu64 ":done#%" PRIu64 " ", b->cycle, b->last.uid);
			request_free(&b->q, top);
		}
		b->cycle++;
	}
}

static uint32_t request_of(struct bench *b, enum access_type type, uint32_t bank, uint32_t row, uint32_t bytes)
{
	uint32_t r = request_new(&b->q, b->cycle);
	struct mem_request *m = request_at(&b->q, r);
	m->type = (uint8_t)type;
	m->is_write = type == GLOBAL_ACC_W || type == LOCAL_ACC_W || type == L1_WRBK_ACC || type == L2_WRBK_ACC;
	m->dram.bank = bank;
	m->dram.row = row;
	m->size = bytes;
	return r;
}

/* Pushed at the end of cycle `cycle - 1`, as a partition does: the controller sees it in `cycle`. */
static uint32_t push(struct bench *b, enum access_type type, uint32_t bank, uint32_t row, uint32_t bytes)
{
	uint32_t r = request_of(b, type, bank, row, bytes);
	dram_push(b->d, r, b->cycle - 1);
	return r;
}

#define expect_log(b, want) assert_string_equal(text_str(&(b)->log), want)

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

/* First in, first out: #2's bank is busy until 16, and #3, to an idle bank, waits behind it. */
static void fifo_blocks(void **state)
{
	(void)state;
	struct bench b;
	struct dram_config c = config_of(gtx480);
	c.frfcfs = false;
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
		assert_int_equal(dram_get_stats(b.d)->n_rd, cases[i].commands);
		assert_int_equal(dram_get_stats(b.d)->data_cycles, 2 * cases[i].commands);
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

/* ---- against the rules taken literally ---- */

struct rng {
	uint64_t s;
};
static uint32_t below(struct rng *g, uint32_t n)
{
	g->s = g->s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((g->s >> 33) % n);
}

static void compare_bank(const struct bench *b, const struct rule_dram *want, uint32_t i)
{
	struct dram_bank_view v;
	const struct rule_bank *w = &want->bank[i];
	dram_get_bank(b->d, i, &v);
	const struct dram_bank_view expect = {
		.active = w->active, .row = w->row, .rcd = w->rcd, .ras = w->ras, .rp = w->rp, .rc = w->rc, .rcdwr = w->rcdwr,
		.wtp = w->wtp, .rtp = w->rtp, .request = w->r ? w->r->id : 0, .transferred = w->r ? w->r->given : 0,
		.n_access = w->n_access, .n_idle = w->n_idle, .queued = w->waiting.n,
	};
	assert_int_equal(v.active, expect.active);
	assert_int_equal(v.row, expect.row);
	assert_int_equal(v.rcd, expect.rcd);
	assert_int_equal(v.rcdwr, expect.rcdwr);
	assert_int_equal(v.ras, expect.ras);
	assert_int_equal(v.rp, expect.rp);
	assert_int_equal(v.rc, expect.rc);
	assert_int_equal(v.wtp, expect.wtp);
	assert_int_equal(v.rtp, expect.rtp);
	assert_int_equal(v.request, expect.request);
	assert_int_equal(v.transferred, expect.transferred);
	assert_int_equal(v.n_access, expect.n_access);
	assert_int_equal(v.n_idle, expect.n_idle);
	assert_int_equal(v.queued, expect.queued);
	const struct dram_bank_stats *st = dram_get_bank_stats(b->d, i);
	assert_int_equal(st->row_changes, w->row_changes);
	assert_int_equal(st->row_accesses, w->row_accesses);
	assert_int_equal(st->max_row_accesses, w->max_run);
	assert_int_equal(st->max_row_cycles, w->max_time);
}

static void compare(const struct bench *b, const struct rule_dram *want)
{
	const struct dram_stats *st = dram_get_stats(b->d);
	assert_int_equal(st->n_cmd, want->n_cmd);
	assert_int_equal(st->n_nop, want->n_nop);
	assert_int_equal(st->n_act, want->n_act);
	assert_int_equal(st->n_pre, want->n_pre);
	assert_int_equal(st->n_rd, want->n_rd);
	assert_int_equal(st->n_wr, want->n_wr);
	assert_int_equal(st->n_activity, want->n_activity);
	assert_int_equal(st->data_cycles, want->data_cycles);
	assert_int_equal(st->max_mrq_latency, want->max_wait);
	assert_int_equal(dram_return_top(b->d), want->returns.n ? want->returns.at[0]->id : 0);
	for (uint32_t i = 0; i < want->c.t.nbk; i++)
		compare_bank(b, want, i);
}

static void count_back(void *self, uint32_t r)
{
	(void)r;
	++*(uint64_t *)self;
}

/* Few rows and banks, so that they meet; requests in bursts with pauses long enough for everything to end. */
static void push_both(struct bench *b, struct rule_dram *rule, struct rule_request *all, struct rng *g)
{
	static const enum access_type types[] = {GLOBAL_ACC_R, GLOBAL_ACC_R, GLOBAL_ACC_W, L2_WRBK_ACC, INST_ACC_R};
	enum access_type type = types[below(g, 5)];
	uint32_t r = request_of(b, type, below(g, b->cfg.t.nbk), below(g, 3), 32u << below(g, 4));
	const struct mem_request *m = request_at(&b->q, r);
	struct rule_request *w = &all[r];
	*w = (struct rule_request){.id = r, .bank = m->dram.bank, .row = m->dram.row, .bytes = m->size,
				   .is_write = m->is_write, .is_back = type == L2_WRBK_ACC, .pushed = b->cycle};
	dram_push(b->d, r, b->cycle);
	rule_put(&rule->input, w);
}

static bool rule_full(const struct rule_dram *d)
{
	return d->c.frfcfs ? d->c.queue_size && d->pending >= d->c.queue_size : d->input.n >= 2;
}

static void run_both(const struct dram_config *cfg, uint64_t seed, bool skip)
{
	enum { CYCLES = 6000 };
	static struct rule_request all[CYCLES + 1];
	static struct rule_dram rule;
	struct bench b;
	struct rng g = {seed};
	uint64_t backs = 0;
	bench_init(&b, *cfg);
	rule_init(&rule, cfg);
	for (; b.cycle < CYCLES; b.cycle++) {
		if (skip && dram_quiet(b.d))
			dram_skip(b.d, 1);
		else
			dram_cycle(b.d, b.cycle, count_back, &backs);
		rule_cycle(&rule, b.cycle);
		compare(&b, &rule);
		assert_int_equal(backs, rule.backs);
		assert_int_equal(dram_full(b.d), rule_full(&rule));
		bool burst = b.cycle / 300 % 3 == 0 || (b.cycle / 300 % 3 == 1 && !below(&g, 30));
		if (burst && !dram_full(b.d) && rule.input.n < 2 && below(&g, 3))
			push_both(&b, &rule, all, &g);
		if (rule.returns.n && !below(&g, 1 + (uint32_t)b.cycle / 1000))
			assert_int_equal(dram_return_pop(b.d), rule_take(&rule.returns, 0)->id);
	}
	bench_free(&b);
}

static void same_as_the_rules(void **state)
{
	(void)state;
	static const char *const timings[] = {
		gtx480,
		"nbk=8:CCD=2:RRD=8:RCD=12:RAS=25:RP=10:RC=35:CL=10:WL=7:CDLR=6:WR=11", /* QuadroFX5800 */
		"16:4:3:5:9:4:13:3:3:1:2:4:6:7",
		"64:1:1:6:2:2:2:5:0:0:0:16:2:3",
		"3:2:4:9:12:8:20:1:0:3:4",
		"1:0:0:1:0:0:0:0:0:0:0", /* nothing takes time */
	};
	for (size_t i = 0; i < sizeof timings / sizeof timings[0]; i++) {
		struct dram_config c = config_of(timings[i]);
		for (uint64_t k = 0; k < 4; k++) {
			c.frfcfs = k != 1;
			c.queue_size = k == 2 ? 0 : k == 3 ? 3 : 16;
			c.return_queue = k == 3 ? 1 : 116;
			c.data_ratio = k == 2 ? 2 : 4;
			run_both(&c, 1 + i * 10 + k, k & 1);
		}
	}
}

/* ---- the timing option ---- */

static void timing_texts(void **state)
{
	(void)state;
	struct text why = {0};
	struct dram_timing t, want = {16, 2, 6, 12, 28, 12, 40, 12, 4, 5, 12, 4, 3, 2};
	assert_true(dram_timing_parse(gtx480, &t, &why));
	assert_memory_equal(&t, &want, sizeof t);
	/* any order, ; as well, blanks and line ends around */
	assert_true(dram_timing_parse(" RTPL=2;CCDL=3:nbkgrp=4:\n\tWR=12: CDLR = 5:WL=4:CL=12:RC=40:RP=12:RAS=28:RCD=12:RRD=6:CCD=2:nbk=16",
				      &t, &why));
	assert_memory_equal(&t, &want, sizeof t);
	assert_true(dram_timing_parse("16:2:6:12:28:12:40:12:4:5:12:4:3:2", &t, &why));
	assert_memory_equal(&t, &want, sizeof t);
	want.nbkgrp = 1;
	want.ccdl = want.rtpl = 0;
	assert_true(dram_timing_parse("16:2:6:12:28:12:40:12:4:5:12", &t, &why));
	assert_memory_equal(&t, &want, sizeof t);
	assert_string_equal(text_str(&why), "");
	text_free(&why);
}

static void expect_refused(const char *timing, const char *want)
{
	struct dram_timing t;
	struct text why = {0};
	assert_false(dram_timing_parse(timing, &t, &why));
	if (!strstr(text_str(&why), want))
		fail_msg("`%s` does not say `%s`", text_str(&why), want);
	text_free(&why);
}

static void bad_timing_texts(void **state)
{
	(void)state;
	expect_refused("", "nbk: expected a number");
	expect_refused("16:2:6", "3 values, expected at least 11");
	expect_refused("16:2:6:12:28:12:40:12:4:5:12:4:3:2:1", "more than 14");
	expect_refused("16:2:x", "RRD: expected a number up to 1000000, found `x`");
	expect_refused("16:2:-6:12:28:12:40:12:4:5:12", "found `-6:12");
	expect_refused("16:2:6:12:28:12:40:12:4:5:12 13", "found `13`");
	expect_refused("nbk=16", "no value for CCD");
	expect_refused("nbk=16:XYZ=1", "found `XYZ=1`");
	expect_refused("nbk=99999999999999999999", "nbk: expected a number");
	expect_refused("nbk=16 CCD=2", "expected `:`");
	expect_refused("=", "expected NAME=NUMBER");
}

static void bad_configs(void **state)
{
	(void)state;
	static const struct {
		const char *timing, *want;
	} cases[] = {
		{"0:2:6:12:28:12:40:12:4:5:12", "0 banks"},
		{"65:2:6:12:28:12:40:12:4:5:12", "65 banks; expected 1 to 64"},
		{"16:2:6:12:28:12:40:12:4:5:12:0:1:1", "0 bank groups"},
		{"16:2:6:12:28:12:40:12:4:5:12:17:1:1", "17 bank groups for 16 banks"},
		{"16:2:6:12:28:12:40:12:13:5:12", "WL=13 is more than CL=12"},
		{"16:2:6:4:28:12:40:12:4:5:12", "RCD=4 must be more than WL=4"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct text why = {0};
		struct dram_config c = config_of(cases[i].timing);
		assert_false(dram_config_check(&c, &why));
		if (!strstr(text_str(&why), cases[i].want))
			fail_msg("`%s` does not say `%s`", text_str(&why), cases[i].want);
		text_free(&why);
	}
	struct text why = {0};
	struct dram_config c = config_of(gtx480);
	assert_true(dram_config_check(&c, &why));
	c.data_ratio = 0;
	assert_false(dram_config_check(&c, &why));
	c = config_of(gtx480);
	c.burst_length = UINT32_MAX;
	assert_false(dram_config_check(&c, &why));
	c = config_of(gtx480);
	c.input_queue = 0;
	assert_false(dram_config_check(&c, &why));
	text_free(&why);
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
		cmocka_unit_test(fifo_blocks),
		cmocka_unit_test(scheduler_full),
		cmocka_unit_test(full_return_queue_holds_the_pipe),
		cmocka_unit_test(write_backs_need_no_reply),
		cmocka_unit_test(commands_per_request),
		cmocka_unit_test(print_as_in_gpgpusim),
		cmocka_unit_test(same_as_the_rules),
		cmocka_unit_test(timing_texts),
		cmocka_unit_test(bad_timing_texts),
		cmocka_unit_test(bad_configs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
