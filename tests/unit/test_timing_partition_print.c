/* Memory partitions: latency tables, GPGPU-Sim's printouts, the dump, configurations that are refused. */
#include "partition_bench.h"

/* ---- latencies ---- */

static void latency_tables(void **state)
{
	(void)state;
	struct bench b;
	struct partition_stats st;
	bench_init(&b, config_of("none", 1, 1));
	uint32_t r = request_of(&b, GLOBAL_ACC_R, 0x80000000, 32);
	b.now = 8; /* created 8 cycles ago: bin 3 */
	sub_partition_push(b.p, 0, r, b.now);
	r = request_of(&b, GLOBAL_ACC_R, 0x80000000, 32);
	sub_partition_push(b.p, 0, r, b.now); /* 0: bin 0 */
	partitions_get_stats(b.p, &st);
	assert_int_equal(st.max_icnt_to_mem_latency, 8);
	assert_int_equal(st.icnt_to_mem_latency_table[3], 1);
	assert_int_equal(st.icnt_to_mem_latency_table[0], 1);
	partitions_note_round_trip(b.p, r, 50);
	partitions_note_round_trip(b.p, r, 31);
	struct dram_place at = request_at(&b.q, r)->dram;
	assert_int_equal(dram_get_bank_stats(partition_dram(b.p, 0), at.bank)->round_trips, 81);
	assert_int_equal(dram_get_bank_stats(partition_dram(b.p, 0), at.bank)->max_round_trip, 50);
	assert_int_equal(drain(&b), 2);
	/* the second waits in the controller while the bank works on the first: pushed a cycle after it, taken 13 after it (one RD in
	 * ACT + 12), so 12 cycles: bin 3; the first goes to its bank in the cycle after its push: bin 0 */
	partitions_get_stats(b.p, &st);
	assert_int_equal(st.mrq_latency_table[0], 1);
	assert_int_equal(st.mrq_latency_table[3], 1);
	assert_int_equal(st.max_mrq_latency, 13);
	bench_free(&b);
}

/* ---- printing ---- */

/* One channel with two banks: one bank bit, 8; rows from 9 up. */
static void two_banks(struct bench *b, struct text *why)
{
	struct partition_config c = config_of("none", 1, 1);
	bool good = dram_timing_parse("2:2:6:12:28:12:40:12:4:5:12", &c.dram.t, why);
	assert_true(good);
	bench_init(b, config_of("none", 1, 1));
	bench_free(b);
	memset(b, 0, sizeof *b);
	arena_init(&b->arena);
	assert_true(timing_memory_init(&b->memory, &b->arena, machine_limits_of_host()) && requests_init(&b->q, &b->arena, machine_limits_of_host()));
	b->cfg = c;
	assert_true(address_map_init(&b->map, 1, 1, "0000000000000000000000000000000000000000RRRRRRRRRRRRRRRB.CCSSSSSS", 1, why));
	b->p = partitions_create(&b->memory, &b->q, &b->cfg, &b->map);
	assert_non_null(b->p);
}

static void bank_tables(void **state)
{
	(void)state;
	struct bench b;
	struct text out = {0};
	two_banks(&b, &out);
	/* bank 0: rows 1, 1, 2: two changes; bank 1: one write to row 0: none. Counted at the next change: 2 accesses to row 1 */
	send(&b, GLOBAL_ACC_R, 0x200, 32);
	send(&b, GLOBAL_ACC_R, 0x240, 32);
	uint32_t last = send(&b, GLOBAL_ACC_R, 0x400, 32);
	partitions_note_round_trip(b.p, last, 900);
	send(&b, GLOBAL_ACC_W, 0x100, 32);
	assert_int_equal(drain(&b), 4);
	partitions_print_bank_tables(b.p, &out);
	/* requests reach the controller in 222, 223, 224, ...; bank 0's row changes when the first is taken, in 223, and when the third
	 * is: RD in 235 and 237, so in 238: 15 later */
	assert_string_equal(text_str(&out), "maximum concurrent accesses to same row:\n"
					    "dram[0]:         2         0 \n"
					    "maximum service time to same row:\n"
					    "dram[0]:       223         0 \n"
					    "average row accesses per activate:\n"
					    "dram[0]:  1.500000       inf \n"
					    "average row locality = 4/2 = 2.000000\n"
					    "number of total memory accesses made:\n"
					    "dram[0]:         0         0 \n"
					    "total accesses: 0\n"
					    "min_bank_accesses = 0!\n"
					    "min_chip_accesses = 0!\n"
					    "number of total read accesses:\n"
					    "dram[0]:         3         0 \n"
					    "total reads: 3\n"
					    "min_bank_accesses = 0!\n"
					    "chip skew: 3/3 = 1.00\n"
					    "number of total write accesses:\n"
					    "dram[0]:         0         1 \n"
					    "total reads: 1\n"
					    "min_bank_accesses = 0!\n"
					    "chip skew: 1/1 = 1.00\n"
					    "average mf latency per bank:\n"
					    "dram[0]:        300         0\n"
					    "maximum mf latency per bank:\n"
					    "dram[0]:        900         0\n");
	text_free(&out);
	bench_free(&b);
}

static void print_as_in_gpgpusim(void **state)
{
	(void)state;
	struct bench b;
	struct text out = {0};
	bench_init(&b, config_of("4:128:2,L:B:m:W,A:4:2,4", 1, 1));
	uint32_t r = send(&b, GLOBAL_ACC_R, 0x80000000, 128);
	request_at(&b.q, r)->core = 3;
	request_at(&b.q, r)->warp = 5;
	until(&b, r, REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE);
	partition_print(b.p, 0, &out);
	static const char want[] =
		"Memory Partition 0: \n"
		"Memory Sub Parition 0: pending memory requests:\n"
		"  mf: uid=     1, sid03:w05, part=0, addr=0x80000000, load , size=128, GLOBAL_R status = "
		"IN_PARTITION_DRAM_LATENCY_QUEUE (123), \n"
		"Cache L2_bank_000:\n"
		"MSHR contents\n"
		"MSHR: tag=0x80000000, atomic=0 1 entries :   mf: uid=     1, sid03:w05, part=0, addr=0x80000000, load , size=128, "
		"GLOBAL_R status = IN_PARTITION_DRAM_LATENCY_QUEUE (123), \n"
		"\n"
		"In Dram Latency Queue (total = 1): \n"
		"Ready @ 223 -   mf: uid=     1, sid03:w05, part=0, addr=0x80000000, load , size=128, GLOBAL_R status = "
		"IN_PARTITION_DRAM_LATENCY_QUEUE (123), \n"
		"DRAM[0]: 16 bks, busW=4 BL=8 CL=12, tRRD=2 tCCD=6, tRCD=12 tRAS=28 tRP=12 tRC=40\n"
		"n_cmd=124 ";
	assert_memory_equal(text_str(&out), want, sizeof want - 1);
	text_clear(&out);
	drain(&b);
	partition_print(b.p, 0, &out);
	static const char empty[] = "Memory Partition 0: \nCache L2_bank_000:\nMSHR contents\n\nIn Dram Latency Queue (total = 0): \nDRAM[0]";
	assert_memory_equal(text_str(&out), empty, sizeof empty - 1);
	text_clear(&out);
	partitions_print_runtime(b.p, &out);
	assert_non_null(strstr(text_str(&out), "DRAM (0): n_cmd="));
	assert_non_null(strstr(text_str(&out), " n_rd=2 n_write=0 bw_util="));
	assert_non_null(strstr(text_str(&out), " mrqq: 0 0 mrqsmax=0 \n"));
	text_free(&out);
	bench_free(&b);
}

/* Every queue shows its requests; nothing of it is a pointer or a number that stands for none. */
static void dump_for_a_reader(void **state)
{
	(void)state;
	struct bench b;
	struct text out = {0};
	bench_init(&b, config_of("4:128:2,L:B:m:W,A:4:2,4", 1, 2));
	for (unsigned i = 0; i < 420; i++) {
		if (i % 7 == 0 && !sub_partition_full(b.p, 0))
			send(&b, i % 3 ? GLOBAL_ACC_R : GLOBAL_ACC_W, address_of_sub(&b, 0, i / 7 % 40), i % 3 ? 128 : 32);
		tick(&b);
		text_clear(&out);
		partition_dump(b.p, 0, true, b.now, &out);
		assert_null(strstr(text_str(&out), "42949672"));
		assert_null(strstr(text_str(&out), "18446744"));
		assert_null(strstr(text_str(&out), "65535"));
	}
	static const char *const parts[] = {
		"Memory partition 0 at cycle 420\n", "\nSub-partition 0: ", "\nSub-partition 1: 0 requests to be answered\n",
		"\n  ROP delay        ", "\n  L2 to network    8 of 8 (full)\n", "  DRAM latency     ", " bytes  core  0  ready in ",
		"DRAM controller 0 at DRAM cycle 420, open row first (FR-FCFS)\n", "  bank  state      row   RCD RCDWR   RAS ",
	};
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (!strstr(text_str(&out), parts[i]))
			fail_msg("no `%s` in\n%s", parts[i], text_str(&out));
	text_free(&out);
	bench_free(&b);
}

/* ---- configurations that do not fit together ---- */

static void expect_refused(const struct partition_config *c, const struct address_map *map, const char *want)
{
	struct text why = {0};
	assert_false(partition_config_check(c, map, &why));
	if (!strstr(text_str(&why), want))
		fail_msg("`%s` does not say `%s`", text_str(&why), want);
	text_free(&why);
}

static void bad_configs(void **state)
{
	(void)state;
	struct address_map map;
	struct text why = {0};
	assert_true(address_map_init(&map, 6, 2, gtx480_map, 1, &why));
	struct partition_config c = config_of(GTX480_L2, 6, 2);
	assert_true(partition_config_check(&c, &map, &why));
	c.n_partitions = 5;
	expect_refused(&c, &map, "address map for 6 x 2 sub-partitions; the machine has 5 x 2");
	c = config_of(GTX480_L2, 6, 2);
	c.dram.t.nbk = 8;
	expect_refused(&c, &map, "4 bank bits for 8 DRAM banks");
	c = config_of(GTX480_L2, 6, 2);
	c.l2_to_dram = 0;
	expect_refused(&c, &map, "queue of no entries");
	c = config_of(GTX480_L2, 6, 2);
	c.l2_to_dram = 1u << 30;
	expect_refused(&c, &map, "more than a million");
	assert_true(address_map_init(&map, 1, 4, gtx480_map, 1, &why));
	c = config_of(GTX480_L2, 1, 4);
	c.dram.queue_size = c.dram.return_queue = 1;
	expect_refused(&c, &map, "too short for 4 sub-partitions");
	assert_string_equal(text_str(&why), "");
	text_free(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latency_tables),
		cmocka_unit_test(bank_tables),
		cmocka_unit_test(print_as_in_gpgpusim),
		cmocka_unit_test(dump_for_a_reader),
		cmocka_unit_test(bad_configs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
