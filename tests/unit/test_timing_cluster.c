/* Clusters: the port, the response FIFO, what they count; perfect memory. Expected values worked out from the rules. */
#include "ldst_machine.h"

#define GLOBAL UINT64_C(0x80000000)

/* Two clusters of two cores. */
static int four_cores(void **state)
{
	struct machine *m = *state = m_new();
	m->cfg.core.n_cores = 4;
	m->cfg.core.n_clusters = 2;
	m->cfg.core.cores_per_cluster = 2;
	m_start(m);
	return 0;
}
#define FOUR_CORES(test) cmocka_unit_test_setup_teardown(test, four_cores, m_tear_down)

static uint32_t request(struct machine *m, uint32_t core, enum access_type type, uint64_t address, uint32_t size)
{
	uint32_t r = request_new(&m->t.requests, m->now);
	struct mem_request *q = request_at(&m->t.requests, r);
	q->type = (uint8_t)type;
	q->address = address;
	q->size = size;
	q->core = (uint16_t)core;
	q->is_write = type == GLOBAL_ACC_W || type == LOCAL_ACC_W || type == L1_WRBK_ACC;
	q->warp = 1;
	q->bypasses_l1 = true;
	return r;
}

/* Comes out of the network when it is asked next; its reply entered the network in cycle `returned`. */
static uint32_t reply(struct machine *m, uint32_t core, enum access_type type, uint64_t address, uint32_t size)
{
	uint32_t r = request(m, core, type, address, size);
	request_at(&m->t.requests, r)->is_reply = true;
	m->in[m->n_in++] = r;
	return r;
}

static void cycle(struct machine *m, uint32_t cluster)
{
	m->now++;
	cluster_cycle(&m->cluster[cluster], m->now);
}

/* ---- out ---- */

/* Packets: 8 bytes, data for writes and atomics. Flits of 32 bytes. The destination's device number comes after the clusters. */
static void packets_out(void **state)
{
	struct machine *m = *state;
	cluster_inject(&m->core[3], request(m, 3, GLOBAL_ACC_R, GLOBAL, 128), 0);
	cluster_inject(&m->core[3], request(m, 3, GLOBAL_ACC_W, GLOBAL + 0x100, 128), 0);
	uint32_t atomic = request(m, 2, GLOBAL_ACC_R, GLOBAL + 0x200, 32);
	request_at(&m->t.requests, atomic)->is_atomic = true;
	cluster_inject(&m->core[2], atomic, 0);
	cluster_inject(&m->core[2], request(m, 2, L1_WRBK_ACC, GLOBAL + 0x300, 128), 0);
	cluster_inject(&m->core[2], request(m, 2, GLOBAL_ACC_W, GLOBAL, 24), 0);
	m_expect(m, "0 send 1>2 GLOBAL_ACC_R 80000000+128 8B\n0 send 1>3 GLOBAL_ACC_W 80000100+128 136B\n"
		    "0 send 1>4 GLOBAL_ACC_R 80000200+32 40B\n0 send 1>5 L1_WRBK_ACC 80000300+128 136B\n"
		    "0 send 1>2 GLOBAL_ACC_W 80000000+24 32B\n");
	/* 1 + 5 + 2 + 5 + 1 flits */
	assert_int_equal(m->cluster[1].s->n.flits_out, 14);
	assert_int_equal(m->cluster[0].s->n.flits_out, 0);
	const struct traffic *out = &m->cluster[1].s->out;
	assert_int_equal(out->packets[GLOBAL_ACC_R][0], 1);
	assert_int_equal(out->packets[GLOBAL_ACC_W][136 / 8 - 1], 1);
	assert_int_equal(out->packets[GLOBAL_ACC_W][32 / 8 - 1], 1);
	assert_int_equal(out->packets[ACCESS_TYPE_COUNT][40 / 8 - 1], 1);
	assert_int_equal(out->packets[L1_WRBK_ACC][136 / 8 - 1], 1);
	assert_int_equal(m->stats[3].mem_out[GLOBAL_ACC_R], 1);
	assert_int_equal(m->stats[3].mem_out[GLOBAL_ACC_W], 1);
	assert_int_equal(m->stats[2].mem_out[GLOBAL_ACC_R], 1);
	assert_int_equal(m->stats[2].mem_out[L1_WRBK_ACC], 1);
}

static void the_port_asks_the_network(void **state)
{
	struct machine *m = *state;
	assert_true(cluster_can_inject(&m->t, 1, 136, false));
	assert_int_equal(m->net_asked, 8);
	assert_true(cluster_can_inject(&m->t, 1, 136, true));
	assert_int_equal(m->net_asked, 136);
	m->net_full = true;
	assert_false(cluster_can_inject(&m->t, 1, 8, false));
	/* the same seen from a cache */
	struct cache_lower lower = cluster_lower(&m->core[2]);
	assert_true(lower.full(lower.self, 8, false));
	m->net_full = false;
	assert_false(lower.full(lower.self, 8, false));
	lower.push(lower.self, request(m, 2, CONST_ACC_R, 64, 64), 5);
	m_expect(m, "0 send 1>2 CONST_ACC_R 40+64 8B\n");
}

/* ---- in ---- */

/* Taken from the network in 1, to the core in 2. One packet a cycle. */
static void a_reply_takes_two_cycles(void **state)
{
	struct machine *m = *state;
	uint32_t a = reply(m, 1, GLOBAL_ACC_R, GLOBAL, 128);
	uint32_t b = reply(m, 0, INST_ACC_R, 0xf0000000, 128);
	cycle(m, 0);
	assert_int_equal(m->cluster[0].response->n, 1);
	assert_int_equal(request_at(&m->t.requests, a)->status, REQUEST_IN_CLUSTER_TO_SHADER_QUEUE);
	cycle(m, 0);
	assert_int_equal(ldst_response_length(&m->core[1]), 1);
	assert_int_equal(ldst_response_at(&m->core[1], 0), a);
	assert_int_equal(request_at(&m->t.requests, a)->status, REQUEST_IN_SHADER_LDST_RESPONSE_FIFO);
	assert_int_equal(fifo_top(m->cluster[0].response), b);
	cycle(m, 0);
	m_expect(m, "2 round trip 2\n3 instruction c0 f0000000\n");
	/* 136 bytes each: 5 flits */
	assert_int_equal(m->cluster[0].s->n.flits_in, 10);
	assert_int_equal(m->cluster[0].s->in.packets[GLOBAL_ACC_R][16], 1);
	assert_int_equal(m->cluster[0].s->in.packets[INST_ACC_R][16], 1);
}

/* The LDST response FIFO holds 2: the third reply waits, and what is behind it waits too, even for another core; the FIFO fills to 8 and
 * the network keeps the rest. */
static void a_full_ldst_unit_blocks_the_cluster(void **state)
{
	struct machine *m = *state;
	for (unsigned k = 0; k < 3; k++)
		reply(m, 1, GLOBAL_ACC_R, GLOBAL + 256 * k, 128);
	reply(m, 0, INST_ACC_R, 0xf0000000, 128);
	for (unsigned k = 0; k < 10; k++)
		reply(m, 0, GLOBAL_ACC_R, GLOBAL + 4096 + 256 * k, 128);
	for (unsigned k = 0; k < 20; k++)
		cycle(m, 0);
	assert_int_equal(ldst_response_length(&m->core[1]), 2);
	assert_int_equal(ldst_response_length(&m->core[0]), 0);
	assert_int_equal(m->cluster[0].response->n, 8);
	assert_int_equal(m->in_at, 10);
	/* core 1 takes one (cycle 21): next step delivers the third, and then the instruction line */
	text_clear(&m->log);
	ldst_cycle(&m->core[1], m->now);
	cycle(m, 0);
	assert_int_equal(ldst_response_length(&m->core[1]), 2);
	/* one went out, so one came in */
	assert_int_equal(m->cluster[0].response->n, 8);
	cycle(m, 0);
	m_expect(m, "21 round trip 21\n22 instruction c0 f0000000\n");
}

/* A write's acknowledgement is 8 bytes; its way back counts from cycle 0, since it is never stamped. */
static void latencies(void **state)
{
	struct machine *m = *state;
	const struct latency_stats *l = &m->s.latency;
	m->now = 1000;
	uint32_t r = reply(m, 0, GLOBAL_ACC_R, GLOBAL, 128);
	request_at(&m->t.requests, r)->created = 731;
	request_at(&m->t.requests, r)->returned = 990;
	cycle(m, 0);
	cycle(m, 0);
	/* 1002 - 731 = 271: bin 8; 1002 - 990 = 12: bin 3 */
	m_expect(m, "1002 round trip 271\n");
	assert_int_equal(l->max_mf, 271);
	assert_int_equal(l->max_icnt2sh, 12);
	assert_int_equal(l->mf_table[8], 1);
	assert_int_equal(l->icnt2sh_table[3], 1);
	assert_int_equal(l->window_n, 1);
	assert_int_equal(l->window_sum, 271);
	r = reply(m, 0, GLOBAL_ACC_W, GLOBAL, 128);
	cycle(m, 0);
	cycle(m, 0);
	assert_int_equal(m->cluster[0].s->in.packets[GLOBAL_ACC_W][0], 1);
	assert_int_equal(m->cluster[0].s->n.flits_in, 5 + 1);
	/* created 1002, there in 1004: 2, bin 1; back 1004: bin 9 */
	assert_int_equal(l->mf_table[1], 1);
	assert_int_equal(l->max_icnt2sh, 1004);
	assert_int_equal(l->icnt2sh_table[9], 1);
	assert_int_equal(l->max_mf, 271);
	/* instruction lines don't count */
	reply(m, 0, INST_ACC_R, 0, 128);
	cycle(m, 0);
	cycle(m, 0);
	assert_int_equal(l->window_n, 2);
}

static void no_latencies_unless_wanted(void **state)
{
	struct machine *m = *state;
	m->cfg.memlatency_stat = 0;
	reply(m, 0, GLOBAL_ACC_R, GLOBAL, 128);
	cycle(m, 0);
	cycle(m, 0);
	m_expect(m, "");
	assert_int_equal(m->s.latency.max_mf, 0);
	assert_int_equal(m->s.latency.window_n, 0);
}

/* ---- perfect memory ---- */

/* What goes out is in the response FIFO at once; the port is full when that is. */
static void perfect_memory(void **state)
{
	struct machine *m = *state;
	m->cfg.core.perfect_mem = true;
	m->cfg.core.cluster_response_fifo = 2;
	m_start(m);
	m_insn(m, 0, TIMING_LOAD, ISA_SPACE_GLOBAL);
	m_insn(m, 1, TIMING_STORE, ISA_SPACE_GLOBAL);
	struct exec_access a = m_addresses(LANES_ALL, ISA_SPACE_GLOBAL, GLOBAL, 4);
	m_issue(m, 0, 3, a);
	m_cycles(m, 2); /* 1: miss, 2: sent, and there */
	assert_int_equal(m->cluster[0].response->n, 1);
	m->now++;
	cluster_cycle(&m->cluster[0], m->now); /* 3: to the core, filled */
	m->now--;
	m_cycles(m, 3); /* 4: next_wb, 5: registers */
	m_expect(m, "1 leave w3\n3 round trip 2\n5 write 0\n5 release 0 w3\n5 complete 0\n5 free 0\n");
	assert_int_equal(m->stats[0].mem_out[GLOBAL_ACC_R], 0);
	assert_int_equal(m->cluster[0].s->n.flits_out, 1);
	assert_int_equal(m->cluster[0].s->n.flits_in, 0);
	/* a write is its own acknowledgement */
	m_issue(m, 1, 3, a);
	m_cycles(m, 2);
	text_clear(&m->log);
	cluster_cycle(&m->cluster[0], m->now);
	m_cycles(m, 1);
	m_expect_line(m, "acknowledged w3");
	assert_int_equal(m->t.requests.s->n_live, 0);
	/* full */
	cluster_inject(&m->core[0], request(m, 0, GLOBAL_ACC_R, GLOBAL, 32), m->now);
	assert_true(cluster_can_inject(&m->t, 0, 8, false));
	cluster_inject(&m->core[0], request(m, 0, GLOBAL_ACC_R, GLOBAL, 32), m->now);
	assert_false(cluster_can_inject(&m->t, 0, 8, false));
}

/* Atomics are executed on the way; an L1 write-back is nobody's store. */
static void perfect_memory_without_an_owner(void **state)
{
	struct machine *m = *state;
	m->cfg.core.perfect_mem = true;
	m_start(m);
	uint32_t r = request(m, 0, GLOBAL_ACC_R, GLOBAL, 32);
	struct mem_request *q = request_at(&m->t.requests, r);
	q->is_atomic = true;
	q->lanes = 0xf0;
	q->warp = 5;
	q->inst = 1;
	m->core[0].inst[1].warp = 5;
	cluster_inject(&m->core[0], r, 0);
	m_expect(m, "0 atomic w5 f0\n");
	fifo_pop(m->cluster[0].response);
	r = request(m, 0, L1_WRBK_ACC, GLOBAL, 128);
	request_at(&m->t.requests, r)->warp = REQUEST_NO_WARP;
	cluster_inject(&m->core[0], r, 0);
	cluster_cycle(&m->cluster[0], 0);
	text_clear(&m->log);
	m_cycles(m, 1);
	m_expect(m, "");
	assert_int_equal(m->t.requests.s->n_live, 1);
}

/* The order in which a cluster's cores run begins as 0, 1 ...; the first CTA goes to core 0. */
static void as_created(void **state)
{
	struct machine *m = *state;
	assert_int_equal(m->cluster[1].s->order[0], 0);
	assert_int_equal(m->cluster[1].s->order[1], 1);
	assert_int_equal(m->cluster[1].s->next_core, 1);
	assert_ptr_equal(m->cluster[1].core, &m->core[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOUR_CORES(packets_out),
		FOUR_CORES(the_port_asks_the_network),
		FOUR_CORES(a_reply_takes_two_cycles),
		FOUR_CORES(a_full_ldst_unit_blocks_the_cluster),
		FOUR_CORES(latencies),
		FOUR_CORES(no_latencies_unless_wanted),
		CONFIGURES(perfect_memory),
		CONFIGURES(perfect_memory_without_an_owner),
		FOUR_CORES(as_created),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
