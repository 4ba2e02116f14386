/* Memory partitions alone: a bench for tests of them. All clocks are the same. */
#ifndef TESTS_PARTITION_BENCH_H
#define TESTS_PARTITION_BENCH_H

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "timing/partition/partition.h"

struct bench {
	struct arena arena;
	struct timing_memory memory;
	struct requests q;
	struct address_map map;
	struct partition_config cfg;
	struct partitions *p;
	uint64_t now;
};

static const char gtx480_map[] = "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS";
static const char gtx480_dram[] = "nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2";

static inline struct partition_config config_of(const char *l2, uint32_t partitions, uint32_t subs)
{
	struct partition_config c = {
		.n_partitions = partitions, .subs_per_partition = subs,
		.icnt_to_l2 = 8, .l2_to_dram = 8, .dram_to_l2 = 8, .l2_to_icnt = 8,
		.rop_latency = 120, .dram_latency = 100,
		.dram = {.model = &dram_gddr, .scheduler = &dram_frfcfs, .queue_size = 16, .return_queue = 116, .input_queue = 2,
			 .chips = 2, .bus_width = 4, .burst_length = 8, .data_ratio = 4},
	};
	struct text why = {0};
	bool good = cache_config_parse(l2, false, &c.l2, &why) && dram_timing_parse(gtx480_dram, &c.dram.t, &why);
	assert_string_equal(text_str(&why), "");
	assert_true(good);
	text_free(&why);
	return c;
}

static inline void bench_init(struct bench *b, struct partition_config cfg)
{
	struct text why = {0};
	memset(b, 0, sizeof *b);
	arena_init(&b->arena);
	assert_true(timing_memory_init(&b->memory, &b->arena, machine_limits_of_host()));
	assert_true(requests_init(&b->q, &b->arena, machine_limits_of_host()));
	b->cfg = cfg;
	assert_true(address_map_init(&b->map, cfg.n_partitions, cfg.subs_per_partition, gtx480_map, 1, &why));
	b->p = partitions_create(&b->memory, &b->q, &b->cfg, &b->map);
	assert_non_null(b->p);
	text_free(&why);
}

static inline void bench_free(struct bench *b)
{
	partitions_destroy(b->p);
	arena_free(&b->arena);
}

static inline uint32_t request_of(struct bench *b, enum access_type type, uint64_t address, uint32_t bytes)
{
	uint32_t r = request_new(&b->q, b->now);
	struct mem_request *m = request_at(&b->q, r);
	m->type = (uint8_t)type;
	m->is_write = type == GLOBAL_ACC_W || type == LOCAL_ACC_W || type == L1_WRBK_ACC;
	m->address = address;
	m->size = bytes;
	address_decode(&b->map, address, &m->dram);
	return r;
}

static inline uint32_t send(struct bench *b, enum access_type type, uint64_t address, uint32_t bytes)
{
	uint32_t r = request_of(b, type, address, bytes);
	uint32_t sub = request_at(&b->q, r)->dram.sub_partition;
	assert_false(sub_partition_full(b->p, sub));
	sub_partition_push(b->p, sub, r, b->now);
	return r;
}

/* One tick with all domains, in the order of the machine: DRAM before L2. */
static inline void tick(struct bench *b)
{
	for (uint32_t i = 0; i < b->cfg.n_partitions; i++)
		partition_dram_cycle(b->p, i, b->now);
	for (uint32_t i = 0; i < b->cfg.n_partitions * b->cfg.subs_per_partition; i++)
		sub_partition_cycle(b->p, i, b->now);
	b->now++;
}

/* The cycle in which the request gets into a state, from now on. */
static inline uint64_t until(struct bench *b, uint32_t r, enum request_status status)
{
	for (unsigned i = 0; i < 5000; i++) {
		const struct mem_request *m = request_at(&b->q, r);
		if (m->status == status)
			return m->status_time;
		tick(b);
	}
	fail_msg("never %s", request_status_names[status]);
	return 0;
}

#define GTX480_L2 "64:128:8,L:B:m:W,A:32:4,4:0,32"

/* Runs until no request is left, taking replies out; how many came. */
static inline unsigned drain(struct bench *b)
{
	unsigned n = 0;
	for (unsigned i = 0; b->q.s->n_live; i++) {
		assert_true(i < 100000);
		tick(b);
		for (uint32_t sub = 0; sub < b->cfg.n_partitions * b->cfg.subs_per_partition; sub++) {
			uint32_t r = sub_partition_pop(b->p, sub, b->now);
			if (r)
				request_free(&b->q, r);
			n += r != 0;
		}
	}
	return n;
}

static inline void expect_empty(const struct bench *b)
{
	for (uint32_t i = 0; i < b->cfg.n_partitions; i++) {
		assert_false(partition_busy(b->p, i));
		assert_true(dram_quiet(partition_dram(b->p, i)));
	}
	for (uint32_t sub = 0; sub < b->cfg.n_partitions * b->cfg.subs_per_partition; sub++) {
		for (unsigned which = 0; which < 5; which++)
			assert_int_equal(sub_partition_queue_length(b->p, sub, which), 0);
		assert_true(!sub_partition_l2(b->p, sub) || cache_idle(sub_partition_l2(b->p, sub)));
	}
	assert_int_equal(b->q.s->n_live, 0);
}

/* Two addresses of partition 0, one per sub-partition. */
static inline uint64_t address_of_sub(const struct bench *b, uint32_t sub, unsigned k)
{
	for (uint64_t a = 0x80000000;; a += 0x80) {
		struct dram_place at;
		address_decode(&b->map, a, &at);
		if (at.sub_partition == sub && !k--)
			return a;
	}
}

#endif
