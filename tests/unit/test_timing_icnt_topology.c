/* Butterflies, meshes, tori and the router's options without contention, by hand: a hop is 2 cycles of link, one each for VC allocation
 * (in the cycle of arrival), switch and crossbar, so 4 with links of 1; the first router's buffer is reached 2 cycles after injection,
 * the node's boundary buffer 4 after the last router's buffer. A packet of one flit over d links between routers can so be taken
 * after 7 + 4 d cycles, 7 + 5 d on a torus, whose links take one more. */
#include "icnt_net.h"

#define ALL_VCS(n) \
	"num_vcs=" #n " read_request_end_vc=" LAST(n) " write_request_end_vc=" LAST(n) " read_reply_end_vc=" LAST( \
		n) " write_reply_end_vc=" LAST(n) " "
#define LAST(n) LAST_##n
#define LAST_2 "1"
#define LAST_4 "3"
#define LAST_6 "5"
#define LAST_16 "15"

static void open_net(struct net *t, const char *options, uint32_t clusters, uint32_t memories)
{
	char all[2048];
	snprintf(all, sizeof all, SHIPPED "%s", options);
	net_open(t, all, clusters, memories);
	if (!t->icnt)
		fail_msg("%s: %s", options, text_str(&t->why));
}

/* Cycles from sending a packet through an empty network until it can be taken. */
static uint64_t latency(struct net *t, uint32_t from, uint32_t to, uint32_t flits)
{
	uint64_t start = t->cycle, cycle;
	uint32_t r = net_send(t, from, to, flits);
	assert_int_equal(net_await(t, to, start + 1000, &cycle), r);
	request_free(&t->q, r);
	while (!net_is_quiet(t))
		net_cycle(t);
	return cycle - start;
}

static uint32_t ring(uint32_t k, uint32_t a, uint32_t b)
{
	uint32_t d = a > b ? a - b : b - a;
	return d < k - d ? d : k - d;
}
static uint32_t line(uint32_t k, uint32_t a, uint32_t b)
{
	(void)k;
	return a > b ? a - b : b - a;
}

static uint32_t distance(uint32_t k, uint32_t n, uint32_t a, uint32_t b, uint32_t (*one)(uint32_t, uint32_t, uint32_t))
{
	uint32_t sum = 0;
	for (uint32_t d = 0; d < n; d++, a /= k, b /= k)
		sum += one(k, a % k, b % k);
	return sum;
}

/* All pairs in both directions, n stages: 7 + 4 (n - 1). */
static void butterflies(void **state)
{
	(void)state;
	static const struct {
		const char *options;
		uint32_t nodes, stages;
	} nets[] = {{"k=4 n=2", 16, 2}, {"k=2 n=4", 16, 4}, {"k=3 n=3", 27, 3}};
	for (size_t i = 0; i < 3; i++) {
		struct net t;
		uint32_t half = nets[i].nodes / 2;
		open_net(&t, nets[i].options, half, nets[i].nodes - half);
		for (uint32_t a = 0; a < half; a++)
			for (uint32_t b = half; b < nets[i].nodes; b++) {
				assert_int_equal(latency(&t, a, b, 1), 7 + 4 * (nets[i].stages - 1));
				assert_int_equal(latency(&t, b, a, 3), 9 + 4 * (nets[i].stages - 1));
			}
		net_close(&t);
	}
}

/* Minimal routing functions take the shortest way, valiant at least that. */
static void cubes(void **state)
{
	(void)state;
	static const struct {
		const char *options;
		uint32_t k, n, hop;
		uint32_t (*one)(uint32_t, uint32_t, uint32_t);
		bool minimal;
	} nets[] = {
		{"topology=mesh k=4 n=2 routing_function=dim_order", 4, 2, 4, line, true},
		{"topology=mesh k=4 n=2 routing_function=dor", 4, 2, 4, line, true},
		{"topology=mesh k=3 n=3 routing_function=dim_order", 3, 3, 4, line, true},
		{"topology=mesh k=7 n=1 routing_function=dim_order", 7, 1, 4, line, true},
		{"topology=mesh k=2 n=4 routing_function=dim_order use_noc_latency=0", 2, 4, 4, line, true},
		{ALL_VCS(2) "topology=mesh k=4 n=2 routing_function=xy_yx", 4, 2, 4, line, true},
		{ALL_VCS(2) "topology=mesh k=4 n=2 routing_function=adaptive_xy_yx", 4, 2, 4, line, true},
		{ALL_VCS(16) "topology=mesh k=4 n=2 routing_function=dim_order_ni", 4, 2, 4, line, true},
		{ALL_VCS(4) "topology=mesh k=4 n=2 routing_function=dim_order_pni", 4, 2, 4, line, true},
		{ALL_VCS(2) "topology=mesh k=4 n=2 routing_function=romm", 4, 2, 4, line, true},
		{ALL_VCS(16) "topology=mesh k=4 n=2 routing_function=romm_ni", 4, 2, 4, line, true},
		{ALL_VCS(4) "topology=mesh k=4 n=2 routing_function=min_adapt", 4, 2, 4, line, true},
		{ALL_VCS(6) "topology=mesh k=4 n=2 routing_function=planar_adapt", 4, 2, 4, line, true},
		{ALL_VCS(2) "topology=mesh k=4 n=2 routing_function=valiant", 4, 2, 4, line, false},
		{ALL_VCS(2) "topology=torus k=4 n=2 routing_function=dim_order", 4, 2, 5, ring, true},
		{ALL_VCS(2) "topology=torus k=5 n=2 routing_function=dim_order", 5, 2, 5, ring, true},
		{ALL_VCS(2) "topology=torus k=4 n=2 routing_function=dim_order use_noc_latency=0", 4, 2, 4, ring, true},
		{ALL_VCS(2) "topology=torus k=3 n=3 routing_function=dim_order_bal", 3, 3, 5, ring, true},
		{ALL_VCS(16) "topology=torus k=4 n=2 routing_function=dim_order_ni", 4, 2, 5, ring, true},
		{ALL_VCS(4) "topology=torus k=4 n=2 routing_function=min_adapt", 4, 2, 5, ring, true},
		{ALL_VCS(4) "topology=torus k=4 n=2 routing_function=valiant", 4, 2, 5, ring, false},
		{ALL_VCS(16) "topology=torus k=2 n=2 routing_function=valiant_ni", 2, 2, 5, ring, false},
	};
	for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
		struct net t;
		uint32_t nodes = 1, half;
		for (uint32_t d = 0; d < nets[i].n; d++)
			nodes *= nets[i].k;
		half = nodes / 2;
		open_net(&t, nets[i].options, half, nodes - half);
		for (uint32_t a = 0; a < half; a++)
			for (uint32_t b = half; b < nodes; b++) {
				uint32_t shortest = 7 + nets[i].hop * distance(nets[i].k, nets[i].n, a, b, nets[i].one);
				uint64_t there = latency(&t, a, b, 1), back = latency(&t, b, a, 1);
				if (nets[i].minimal ? there != shortest || back != shortest
						    : there < shortest || back < shortest)
					fail_msg("%s: %u to %u takes %d and %d, expected %u", nets[i].options, a, b,
						 (int)there, (int)back, shortest);
			}
		net_close(&t);
	}
}

/* The map of 16 nodes: memories at 1 3 4 6 9 11 12 14, clusters at 0 2 5 7 8 10 13 15. */
static void node_map(void **state)
{
	(void)state;
	static const uint32_t cluster[] = {0, 2, 5, 7, 8, 10, 13, 15}, memory[] = {1, 3, 4, 6, 9, 11, 12, 14};
	struct net t;
	open_net(&t, "topology=mesh k=4 n=2 routing_function=dim_order use_map=1", 8, 8);
	for (uint32_t c = 0; c < 8; c++)
		for (uint32_t m = 0; m < 8; m++)
			assert_int_equal(latency(&t, c, 8 + m, 1), 7 + 4 * distance(4, 2, cluster[c], memory[m], line));
	net_close(&t);
}

/* Own maps, in any order and with spare nodes; and spare nodes without a map: distances are those of the nodes. */
static void own_node_maps(void **state)
{
	(void)state;
	static const struct {
		const char *options;
		uint32_t cluster[3], memory[2];
	} nets[] = {{"topology=mesh k=3 n=2 routing_function=dim_order use_map=1 memory_node_map={4,8}", {0, 1, 2}, {4, 8}},
		    {"topology=mesh k=3 n=2 routing_function=dim_order use_map=1 memory_node_map={2,0}", {1, 3, 4}, {2, 0}},
		    {"topology=mesh k=3 n=2 routing_function=dim_order use_map=0", {0, 1, 2}, {3, 4}}};
	for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
		struct net t;
		open_net(&t, nets[i].options, 3, 2);
		for (uint32_t c = 0; c < 3; c++)
			for (uint32_t m = 0; m < 2; m++)
				assert_int_equal(latency(&t, c, 3 + m, 1), 7 + 4 * distance(3, 2, nets[i].cluster[c], nets[i].memory[m], line));
		net_close(&t);
	}
}

/* One flit through one router; what each option adds to the 7 cycles, or saves. */
static void delays(void **state)
{
	(void)state;
	static const struct {
		const char *options;
		uint32_t one, five; /* flits */
	} cases[] = {
		{"", 7, 11},
		{"routing_delay=1", 8, 12},
		{"routing_delay=3", 10, 14},
		{"vc_alloc_delay=2", 8, 12},
		/* each flit wins the switch every second cycle only: the next may ask when the first is through */
		{"sw_alloc_delay=2", 8, 16},
		/* crossbar 2, in batches: flits win the switch at 3 4 5 6 7; the first crosses at 4 and 5, the next two at 6 and 7, the last two
		   at 8 and 9; the fifth is the second one of its batch on the link, at 10, and at the node at 12 */
		{"st_prepare_delay=1", 8, 13},
		/* VC and switch in the same cycle */
		{"speculative=1", 6, 10},
		/* VC in the first half cycle of arrival, switch in the second, crossbar in the next */
		{"internal_speedup=2.0", 6, 10},
		/* one slot: a flit is injected when the credit of the one before is back: forwarded at 3, known at 5 */
		{"vc_buf_size=1", 7, 27},
		/* two slots: two flits every 5 cycles: 0 1 5 6 10 injected */
		{"vc_buf_size=2", 7, 17},
		{"hold_switch_for_packet=1", 7, 11},
		{"credit_delay=4", 7, 11},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct net t;
		char options[256];
		snprintf(options, sizeof options, "k=4 %s", cases[i].options);
		open_net(&t, options, 2, 2);
		uint64_t one = latency(&t, 0, 2, 1), five = latency(&t, 1, 3, 5);
		if (one != cases[i].one || five != cases[i].five)
			fail_msg("%s: %d and %d cycles, expected %u and %u", cases[i].options, (int)one, (int)five,
				 cases[i].one, cases[i].five);
		net_close(&t);
	}
}

/* Two packets of one flit for one output. Usually the second is 2 cycles behind; if the VC waits for the tail's credit (retired at 6,
 * back in the router at 8) it has the VC at 8, the switch at 9, is there at 12. With two VCs both have one at 2, and the second wins the
 * switch a cycle after the first. */
static void second_packet(void **state)
{
	(void)state;
	static const struct {
		const char *options;
		uint32_t second;
	} cases[] = {{"", 9},
		     {"wait_for_tail_credit=1", 13},
		     {"wait_for_tail_credit=1 credit_delay=2", 15},
		     {ALL_VCS(2), 8},
		     {"speculative=1", 7}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct net t;
		uint64_t cycle;
		char options[256];
		snprintf(options, sizeof options, "k=4 %s", cases[i].options);
		open_net(&t, options, 2, 2);
		uint32_t a = net_send(&t, 0, 2, 1), b = net_send(&t, 1, 2, 1);
		assert_int_equal(net_await(&t, 2, 100, &cycle), a);
		assert_int_equal(net_await(&t, 2, 100, &cycle), b);
		if (cycle != cases[i].second)
			fail_msg("%s: %d, expected %u", cases[i].options, (int)cycle, cases[i].second);
		net_close(&t);
	}
}

/* ---- ideal networks: core cycles ---- */
static void perfect(void **state)
{
	(void)state;
	struct net t;
	open_net(&t, "k=4 perfect_icnt=1", 2, 2);
	for (uint64_t now = 100; now < 110; now++) {
		icnt_set_core_cycle(t.icnt, now);
		uint32_t a = net_send(&t, 0, 2, 5), b = net_send(&t, 1, 2, 1);
		assert_true(icnt_has_buffer(t.icnt, 0, 1 << 20));
		assert_int_equal(icnt_pop(t.icnt, 2), 0);
		assert_true(icnt_busy(t.icnt));
		icnt_set_core_cycle(t.icnt, now + 1);
		assert_int_equal(icnt_pop(t.icnt, 2), a);
		assert_int_equal(icnt_pop(t.icnt, 2), b);
		assert_int_equal(icnt_pop(t.icnt, 2), 0);
		assert_true(net_is_quiet(&t));
	}
	net_close(&t);
}

/* 3 core cycles for each step on a grid of 4 columns. Node 0 to 15: 6 steps; 14 to 15 one, and so overtakes. */
static void fixed_latency(void **state)
{
	(void)state;
	struct net t;
	struct text stats = {0};
	open_net(&t, "topology=mesh k=4 n=2 routing_function=dim_order fixed_lat_per_hop=3", 15, 1);
	icnt_set_core_cycle(t.icnt, 10);
	uint32_t far = net_send(&t, 0, 15, 1), near = net_send(&t, 14, 15, 1), near2 = net_send(&t, 11, 15, 1);
	icnt_set_core_cycle(t.icnt, 12);
	assert_int_equal(icnt_pop(t.icnt, 15), 0);
	icnt_set_core_cycle(t.icnt, 13);
	assert_int_equal(icnt_pop(t.icnt, 15), near);
	assert_int_equal(icnt_pop(t.icnt, 15), near2);
	assert_int_equal(icnt_pop(t.icnt, 15), 0);
	icnt_set_core_cycle(t.icnt, 27);
	assert_int_equal(icnt_pop(t.icnt, 15), 0);
	icnt_set_core_cycle(t.icnt, 28);
	assert_int_equal(icnt_pop(t.icnt, 15), far);
	icnt_print_stats(t.icnt, &stats);
	assert_non_null(strstr(text_str(&stats), "Node 15: most requests waiting = 3\n"));
	text_free(&stats);
	net_close(&t);
}

/* ---- state ---- */
/* All that lasts lies in the arena: put back, the network goes on the same way. */
static void state_is_in_the_arena(void **state)
{
	(void)state;
	static const char *const nets[] = {
		"k=8", ALL_VCS(4) "k=8 speculative=1 vc_allocator=piggyback sw_allocator=pim",
		ALL_VCS(4) "k=2 n=3 topology=mesh routing_function=valiant hold_switch_for_packet=1",
		ALL_VCS(4) "k=8 n=1 topology=torus routing_function=dim_order buffer_policy=feedback "
			   "ejection_buffer_size=99 "
			   "vc_allocator=separable_input_first(matrix) internal_speedup=1.5"};
	for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
		struct net t;
		uint32_t seed = 1, pops[2][4000], n[2];
		char *saved[2];
		uint64_t size[2];
		open_net(&t, nets[i], 4, 4);
		int section[2] = {t.memory.section, t.q.section};
		for (int phase = 0; phase < 3; phase++) {
			for (int s = 0; s < 2 && phase == 1; s++) {
				size[s] = t.arena.section[section[s]].used;
				saved[s] = malloc(size[s]);
				memcpy(saved[s], t.arena.section[section[s]].base, size[s]);
			}
			for (int s = 0; s < 2 && phase == 2; s++) {
				memset(t.arena.section[section[s]].base, 0, t.arena.section[section[s]].used);
				memcpy(t.arena.section[section[s]].base, saved[s], size[s]);
			}
			seed = phase ? 99 : 1;
			n[phase > 1] = 0;
			for (int c = 0; c < 200; c++) {
				for (uint32_t d = 0; d < 8; d++) {
					seed = seed * 1664525 + 1013904223;
					if (seed >> 29 < 3 && icnt_has_buffer(t.icnt, d, 96))
						net_send(&t, d, d < 4 ? 4 + (seed >> 8) % 4 : (seed >> 8) % 4, 3);
				}
				net_cycle(&t);
				for (uint32_t d = 0; d < 8; d++) {
					uint32_t r = icnt_pop(t.icnt, d);
					if (phase && r)
						pops[phase - 1][n[phase - 1]++] = r * 8 + d + (uint32_t)c * 1000000;
				}
			}
		}
		assert_int_equal(n[0], n[1]);
		assert_true(n[0] > 50);
		assert_memory_equal(pops[0], pops[1], n[0] * sizeof pops[0][0]);
		free(saved[0]);
		free(saved[1]);
		net_close(&t);
	}
}

/* No flit arrives while nobody takes packets: after 256 cycles without one it is noted, and again after each 257 more. */
static void deadlock_warning(void **state)
{
	(void)state;
	struct net t;
	open_net(&t, "k=2 boundary_buffer_size=2", 1, 1);
	for (int i = 0; i < 9; i++)
		net_send(&t, 0, 1, 1);
	for (int i = 0; i < 9; i++)
		net_cycle(&t); /* flits arrive in cycles 7 and 9 */
	for (int i = 0; i < 256; i++)
		net_cycle(&t);
	assert_int_equal(t.icnt->s->deadlock_warnings, 0);
	net_cycle(&t);
	assert_int_equal(t.icnt->s->deadlock_warnings, 1);
	for (int i = 0; i < 257; i++)
		net_cycle(&t);
	assert_int_equal(t.icnt->s->deadlock_warnings, 2);
	net_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(butterflies),	    cmocka_unit_test(cubes),
		cmocka_unit_test(node_map), cmocka_unit_test(own_node_maps),	    cmocka_unit_test(delays),
		cmocka_unit_test(second_packet),    cmocka_unit_test(perfect),
		cmocka_unit_test(fixed_latency),    cmocka_unit_test(state_is_in_the_arena),
		cmocka_unit_test(deadlock_warning),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
