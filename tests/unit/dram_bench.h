/* A DRAM controller alone, with a log of its commands: a bench for tests of it. */
#ifndef TESTS_DRAM_BENCH_H
#define TESTS_DRAM_BENCH_H

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "timing/dram/dram.h"

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

static inline struct dram_config config_of(const char *timing)
{
	struct dram_config c = {.model = &dram_gddr, .scheduler = &dram_frfcfs, .queue_size = 16, .return_queue = 116, .input_queue = 2,
				.chips = 2, .bus_width = 4, .burst_length = 8, .data_ratio = 4};
	struct text why = {0};
	bool parsed = dram_timing_parse(timing, &c.t, &why);
	assert_string_equal(text_str(&why), "");
	assert_true(parsed);
	text_free(&why);
	return c;
}

static inline void bench_init(struct bench *b, struct dram_config cfg)
{
	memset(b, 0, sizeof *b);
	arena_init(&b->arena);
	assert_true(timing_memory_init(&b->memory, &b->arena, machine_limits_of_host()));
	assert_true(requests_init(&b->q, &b->arena, machine_limits_of_host()));
	b->cfg = cfg;
	b->d = dram_create(&b->memory, &b->q, &b->cfg);
	assert_non_null(b->d);
}

static inline void bench_free(struct bench *b)
{
	dram_destroy(b->d);
	text_free(&b->log);
	arena_free(&b->arena);
}

static inline void wrote_back(void *self, uint32_t r)
{
	struct bench *b = self;
	text_addf(&b->log, "%" PRIu64 ":back#%" PRIu64 " ", b->cycle, request_at(&b->q, r)->uid);
	request_free(&b->q, r);
}

struct bank_before {
	struct dram_bank_view view;
	uint32_t wtp;
};

/* Appends the command of the last cycle to the log, found from counters and banks before and after. */
static inline void log_command(struct bench *b, const struct dram_stats *before, const struct bank_before *was)
{
	const struct dram_stats *after = dram_get_stats(b->d);
	bool act = after->n.act > before->n.act, pre = after->n.pre > before->n.pre;
	bool rd = after->n.rd > before->n.rd, wr = after->n.wr > before->n.wr;
	assert_int_equal(after->n.nop - before->n.nop, 1 - act - pre - rd - wr);
	for (uint32_t i = 0; i < dram_bank_count(b->d); i++) {
		struct dram_bank_view now;
		dram_get_bank(b->d, i, &now);
		if ((act || pre) && now.active != was[i].view.active)
			text_addf(&b->log, "%" PRIu64 ":%s%u ", b->cycle, act ? "ACT" : "PRE", i);
		if ((rd && now.n_access > was[i].view.n_access) || (wr && dram_timer_left(b->d, "WTP", i) > was[i].wtp))
			text_addf(&b->log, "%" PRIu64 ":%s%u ", b->cycle, rd ? "RD" : "WR", i);
	}
}

static inline void tick(struct bench *b, uint64_t n)
{
	struct bank_before was[DRAM_BANKS_MAX];
	for (; n; n--) {
		struct dram_stats before = *dram_get_stats(b->d);
		for (uint32_t i = 0; i < dram_bank_count(b->d); i++) {
			dram_get_bank(b->d, i, &was[i].view);
			was[i].wtp = dram_timer_left(b->d, "WTP", i);
		}
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

static inline uint32_t request_of(struct bench *b, enum access_type type, uint32_t bank, uint32_t row, uint32_t bytes)
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
static inline uint32_t push(struct bench *b, enum access_type type, uint32_t bank, uint32_t row, uint32_t bytes)
{
	uint32_t r = request_of(b, type, bank, row, bytes);
	dram_push(b->d, r, b->cycle - 1);
	return r;
}

#define expect_log(b, want) assert_string_equal(text_str(&(b)->log), want)

#endif
