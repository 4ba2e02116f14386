/* DRAM controller: cycle tables worked out by hand from the command rules, scheduling, queues, counters. */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "timing/dram.h"

/* ---- a controller alone, with a log of its commands ---- */

struct bench {
	struct arena arena;
	struct timing_memory memory;
	struct requests q;
	struct dram_config cfg;
	struct dram *d;
	uint64_t cycle; /* of the next dram_cycle */
	struct text log; /* "13:RD0 " a command, cycle and bank */
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
	const char *name = after->n_act > before->n_act   ? "ACT"
			   : after->n_pre > before->n_pre ? "PRE"
			   : after->n_rd > before->n_rd	  ? "RD"
			   : after->n_wr > before->n_wr	  ? "WR"
							  : NULL;
	for (uint32_t i = 0; name && i < dram_bank_count(b->d); i++) {
		struct dram_bank_view now;
		dram_get_bank(b->d, i, &now);
		bool moved = name[0] == 'A' || name[0] == 'P'
				     ? now.active != was[i].active
				     : now.transferred > was[i].transferred || (now.rtp == 1 && name[0] == 'R') ||
					       (name[0] == 'W' && now.wtp > was[i].wtp);
		if (moved)
			text_addf(&b->log, "%" PRIu64 ":%s%u ", b->cycle, name, i);
	}
}

static void tick(struct bench *b, uint64_t n)
{
	struct dram_bank_view was[DRAM_BANKS_MAX];
	for (; n; n--) {
		struct dram_stats before = *dram_get_stats(b->d);
		for (uint32_t i = 0; i < dram_bank_count(b->d); i++)
			dram_get_bank(b->d, i, &was[i]);
		uint32_t top = dram_return_top(b->d);
		dram_cycle(b->d, b->cycle, wrote_back, b);
		dram_sample_queue(b->d);
		log_command(b, &before, was);
		if (!top && dram_return_top(b->d))
			text_addf(&b->log, "%" PRIu64 ":done#%" PRIu64 " ", b->cycle,
				  request_at(&b->q, dram_return_top(b->d))->uid);
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
	const struct mem_request *m = request_at(&b.q, dram_return_pop(b.d));
	assert_true(m->is_reply);
	assert_int_equal(m->dram_done, 128);
	assert_int_equal(m->status, REQUEST_IN_PARTITION_MC_RETURNQ);
	assert_int_equal(m->status_time, 28);
	bench_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_of_a_closed_bank),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
