/* Memory partitions: the steps of an L2 and a DRAM cycle, credits, replies, who is freed; laws under random load. */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "timing/partition.h"

/* ---- partitions alone; all clocks the same ---- */

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

static struct partition_config config_of(const char *l2, uint32_t partitions, uint32_t subs)
{
	struct partition_config c = {
		.n_partitions = partitions, .subs_per_partition = subs,
		.icnt_to_l2 = 8, .l2_to_dram = 8, .dram_to_l2 = 8, .l2_to_icnt = 8,
		.rop_latency = 120, .dram_latency = 100,
		.dram = {.frfcfs = true, .queue_size = 16, .return_queue = 116, .input_queue = 2,
			 .chips = 2, .bus_width = 4, .burst_length = 8, .data_ratio = 4},
	};
	struct text why = {0};
	bool good = cache_config_parse(l2, false, &c.l2, &why) && dram_timing_parse(gtx480_dram, &c.dram.t, &why);
	assert_string_equal(text_str(&why), "");
	assert_true(good);
	text_free(&why);
	return c;
}

static void bench_init(struct bench *b, struct partition_config cfg)
{
	struct text why = {0};
	memset(b, 0, sizeof *b);
	arena_init(&b->arena);
	assert_true(timing_memory_init(&b->memory, &b->arena));
	assert_true(requests_init(&b->q, &b->arena));
	b->cfg = cfg;
	assert_true(address_map_init(&b->map, cfg.n_partitions, cfg.subs_per_partition, gtx480_map, 1, &why));
	b->p = partitions_create(&b->memory, &b->q, &b->cfg, &b->map);
	assert_non_null(b->p);
	text_free(&why);
}

static void bench_free(struct bench *b)
{
	partitions_destroy(b->p);
	arena_free(&b->arena);
}

static uint32_t request_of(struct bench *b, enum access_type type, uint64_t address, uint32_t bytes)
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

static uint32_t send(struct bench *b, enum access_type type, uint64_t address, uint32_t bytes)
{
	uint32_t r = request_of(b, type, address, bytes);
	uint32_t sub = request_at(&b->q, r)->dram.sub_partition;
	assert_false(sub_partition_full(b->p, sub));
	sub_partition_push(b->p, sub, r, b->now);
	return r;
}

/* One tick with all domains, in the order of the machine: DRAM before L2. */
static void tick(struct bench *b)
{
	for (uint32_t i = 0; i < b->cfg.n_partitions; i++)
		partition_dram_cycle(b->p, i, b->now);
	for (uint32_t i = 0; i < b->cfg.n_partitions * b->cfg.subs_per_partition; i++)
		sub_partition_cycle(b->p, i, b->now);
	b->now++;
}

/* The cycle in which the request gets into a state, from now on. */
static uint64_t until(struct bench *b, uint32_t r, enum request_status status)
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

/* A read that misses a cold L2; pushed before cycle 0, all clocks alike.
 * ROP ready at 120: in the ICNT-to-L2 queue at the end of L2 cycle 120; access (miss) in 121; the miss queue sends it in 122;
 * the DRAM cycle of 123 takes it: latency queue until 223, pushed to the controller in 223 (d). ACT d+1, data done d+28, DRAM-to-L2 in d+29 =
 * 252, and the L2 cycle of the same tick fills; the response is ready in 253. */
static void way_of_a_read(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(GTX480_L2, 6, 2));
	uint32_t r = send(&b, GLOBAL_ACC_R, 0x80000000, 128);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE), 120);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_MISS_QUEUE), 121);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE), 122);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE), 123);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_MC_INTERFACE_QUEUE), 223);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_DRAM), 224);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_MC_RETURNQ), 251);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_FILL_QUEUE), 252);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE), 253);
	const struct mem_request *m = request_at(&b.q, r);
	assert_true(m->is_reply);
	assert_int_equal(request_packet_bytes(m), 136);
	assert_true(partition_busy(b.p, m->dram.channel));
	uint32_t sub = m->dram.sub_partition;
	assert_int_equal(sub_partition_top(b.p, sub), r);
	assert_int_equal(sub_partition_pop(b.p, sub, b.now), r);
	assert_int_equal(m->returned, b.now);
	assert_int_equal(m->status, REQUEST_IN_ICNT_TO_SHADER);
	assert_int_equal(sub_partition_pop(b.p, sub, b.now), 0);
	assert_false(partition_busy(b.p, m->dram.channel));
	bench_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(way_of_a_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
