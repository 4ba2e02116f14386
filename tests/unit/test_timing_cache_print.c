/* Cache statistics as text. The forms are GPGPU-Sim 3.2.2's; the counts of the first test are those its run of the kernel `stream` on the
 * GTX480 configuration gave. */
#include "cache_fixture.h"

#include "timing/cache/cache_print.h"

static void check(struct text *t, const char *want)
{
	assert_string_equal(text_str(t), want);
	text_free(t);
}

static void totals_and_breakdown(void **state)
{
	(void)state;
	struct text t = {0};
	struct cache_stats s = {0};
	s.count[GLOBAL_ACC_R][CACHE_MISS] = 480;
	s.count[GLOBAL_ACC_R][CACHE_RESERVATION_FAIL] = 1000;
	s.count[CONST_ACC_R][CACHE_HIT] = 11;
	s.count[CONST_ACC_R][CACHE_HIT_RESERVED] = 3;
	s.count[CONST_ACC_R][CACHE_MISS] = 1;
	s.count[CONST_ACC_R][CACHE_RESERVATION_FAIL] = 109;
	s.count[GLOBAL_ACC_W][CACHE_MISS] = 480;
	s.count[GLOBAL_ACC_W][CACHE_RESERVATION_FAIL] = 48;
	s.count[INST_ACC_R][CACHE_HIT] = 11;
	s.count[INST_ACC_R][CACHE_HIT_RESERVED] = 3;
	s.count[INST_ACC_R][CACHE_MISS] = 1;
	s.count[INST_ACC_R][CACHE_RESERVATION_FAIL] = 116;
	struct cache_totals n = cache_totals(&s);
	assert_int_equal(n.accesses, 990);
	assert_int_equal(n.misses, 962);
	assert_int_equal(n.pending_hits, 6);
	assert_int_equal(n.reservation_fails, 1273);
	cache_print_totals("L2", &s, &t);
	check(&t, "L2_total_cache_accesses = 990\n"
		  "L2_total_cache_misses = 962\n"
		  "L2_total_cache_miss_rate = 0.9717\n"
		  "L2_total_cache_pending_hits = 6\n"
		  "L2_total_cache_reservation_fails = 1273\n");
	cache_print_breakdown("L2_cache_stats_breakdown", &s, &t);
	check(&t, "\tL2_cache_stats_breakdown[GLOBAL_ACC_R][MISS] = 480\n"
		  "\tL2_cache_stats_breakdown[GLOBAL_ACC_R][RESERVATION_FAIL] = 1000\n"
		  "\tL2_cache_stats_breakdown[CONST_ACC_R][HIT] = 11\n"
		  "\tL2_cache_stats_breakdown[CONST_ACC_R][HIT_RESERVED] = 3\n"
		  "\tL2_cache_stats_breakdown[CONST_ACC_R][MISS] = 1\n"
		  "\tL2_cache_stats_breakdown[CONST_ACC_R][RESERVATION_FAIL] = 109\n"
		  "\tL2_cache_stats_breakdown[GLOBAL_ACC_W][MISS] = 480\n"
		  "\tL2_cache_stats_breakdown[GLOBAL_ACC_W][RESERVATION_FAIL] = 48\n"
		  "\tL2_cache_stats_breakdown[INST_ACC_R][HIT] = 11\n"
		  "\tL2_cache_stats_breakdown[INST_ACC_R][HIT_RESERVED] = 3\n"
		  "\tL2_cache_stats_breakdown[INST_ACC_R][MISS] = 1\n"
		  "\tL2_cache_stats_breakdown[INST_ACC_R][RESERVATION_FAIL] = 116\n");
}

/* A cache that was never used: no total rate, and nan (never -nan) where GPGPU-Sim divides without looking. */
static void unused_caches(void **state)
{
	(void)state;
	struct text t = {0};
	struct cache_stats s = {0};
	struct cache_config cfg = {.sets = 32, .line = 128, .ways = 4};
	cache_print_totals("\tL1I", &s, &t);
	check(&t, "\tL1I_total_cache_accesses = 0\n"
		  "\tL1I_total_cache_misses = 0\n"
		  "\tL1I_total_cache_pending_hits = 0\n"
		  "\tL1I_total_cache_reservation_fails = 0\n");
	cache_print_one("\tL1D_cache_core", 14, &s, &t);
	check(&t,
	      "\tL1D_cache_core[14]: Access = 0, Miss = 0, Miss_rate = nan, Pending_hits = 0, Reservation_fails = 0\n");
	cache_print_ports("\tL1D_cache", &s, &t);
	check(&t, "\tL1D_cache_data_port_util = 0.000\n\tL1D_cache_fill_port_util = 0.000\n");
	cache_print_runtime("L1D_003", &cfg, &s, &t);
	check(&t, "Cache L1D_003:\tSize = 16384 B (32 Set x 4-way x 128 byte line)\n"
		  "\t\tAccess = 0, Miss = 0 (nan), PendingHit = 0 (nan)\n");
	cache_print_breakdown("X", &s, &t);
	check(&t, "");
}

static void l2_block(void **state)
{
	(void)state;
	struct text t = {0};
	struct cache_stats banks[2] = {{.cycles = 100, .data_port_busy = 10, .fill_port_busy = 20},
				       {.cycles = 100, .data_port_busy = 15, .fill_port_busy = 30}};
	banks[0].count[GLOBAL_ACC_R][CACHE_HIT] = 3;
	banks[0].count[GLOBAL_ACC_R][CACHE_MISS] = 1;
	banks[1].count[GLOBAL_ACC_W][CACHE_RESERVATION_FAIL] = 7;
	cache_print_l2(banks, 2, &t);
	check(&t, "\n========= L2 cache stats =========\n"
		  "L2_cache_bank[0]: Access = 4, Miss = 1, Miss_rate = 0.250, Pending_hits = 0, Reservation_fails = 0\n"
		  "L2_cache_bank[1]: Access = 0, Miss = 0, Miss_rate = nan, Pending_hits = 0, Reservation_fails = 7\n"
		  "L2_total_cache_accesses = 4\n"
		  "L2_total_cache_misses = 1\n"
		  "L2_total_cache_miss_rate = 0.2500\n"
		  "L2_total_cache_pending_hits = 0\n"
		  "L2_total_cache_reservation_fails = 7\n"
		  "L2_total_cache_breakdown:\n"
		  "\tL2_cache_stats_breakdown[GLOBAL_ACC_R][HIT] = 3\n"
		  "\tL2_cache_stats_breakdown[GLOBAL_ACC_R][MISS] = 1\n"
		  "\tL2_cache_stats_breakdown[GLOBAL_ACC_W][RESERVATION_FAIL] = 7\n"
		  "L2_cache_data_port_util = 0.125\n"
		  "L2_cache_fill_port_util = 0.250\n");
}

/* The runtime report counts what the tag array saw: 1 miss, 1 pending hit, 2 hits; refused accesses are not among them. */
static void runtime_report(void **state)
{
	(void)state;
	struct rig g;
	struct text t = {0};
	uint32_t r;
	struct cache_stats sum = {0};
	rig_init(&g, "32:128:4,L:L:m:N,A:32:2,8", CACHE_DATA, REQUEST_L1);
	rig_access(&g, GLOBAL_ACC_R, 0, &r);
	rig_access(&g, GLOBAL_ACC_R, 0, NULL);
	assert_int_equal(rig_access(&g, GLOBAL_ACC_R, 0, NULL), CACHE_RESERVATION_FAIL);
	rig_cycles(&g, 2);
	cache_fill(g.c, r, g.now);
	rig_access(&g, GLOBAL_ACC_R, 0, NULL);
	rig_access(&g, GLOBAL_ACC_R, 4, NULL);
	cache_print_runtime("L1D_000", cache_get_config(g.c), cache_get_stats(g.c), &t);
	check(&t, "Cache L1D_000:\tSize = 16384 B (32 Set x 4-way x 128 byte line)\n"
		  "\t\tAccess = 4, Miss = 1 (0.25), PendingHit = 1 (0.25)\n");
	cache_stats_add(&sum, cache_get_stats(g.c));
	cache_stats_add(&sum, cache_get_stats(g.c));
	cache_print_runtime_totals(&sum, &t);
	check(&t, "total_dl1_misses=2\ntotal_dl1_accesses=8\ntotal_dl1_miss_rate= 0.250000\n");
	rig_done(&g);
}

static void descriptions(void **state)
{
	(void)state;
	static const struct {
		const char *config, *want;
	} cases[] = {
		{"none", "none"},
		{"N:32:128:4,L:L:m:N:H,S:64:8,8",
		 "16384 bytes: 32 sets of 4 ways, 128-byte lines (hashed sets); LRU, local memory "
		 "write-back, global memory write-evict, lines allocated on misses, not on writes; "
		 "64 MSHRs of 8 requests, miss queue of 8; port of 128 bytes"},
		{"64:128:8,F:B:m:W,A:32:4,4:0,32",
		 "65536 bytes: 64 sets of 8 ways, 128-byte lines; FIFO, write-back, lines allocated "
		 "on misses, on writes too; 32 MSHRs of 4 requests, miss queue of 4; port of 32 "
		 "bytes"},
		{"4:128:24,L:R:m:N,F:128:4,64:2",
		 "12288 bytes: 4 sets of 24 ways, 128-byte lines; LRU, read only, lines allocated on "
		 "misses; FIFOs of 128 fragments, 4 requests, 2 results; reorder buffer of 64"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct cache_config cfg;
		struct text t = {0}, why = {0};
		assert_true(cache_config_parse(cases[i].config, true, &cfg, &why));
		cache_config_describe(&cfg, &t);
		check(&t, cases[i].want);
		text_free(&why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_and_breakdown), cmocka_unit_test(unused_caches), cmocka_unit_test(l2_block),
		cmocka_unit_test(runtime_report),	cmocka_unit_test(descriptions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
