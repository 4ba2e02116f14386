/* Memory partitions: the steps of an L2 and a DRAM cycle, credits, replies, who is freed; laws under random load. */
#include "partition_bench.h"
#include "timing/partition/partition_internal.h"


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

/* ---- the L2 cycle ---- */

/* Out of the ROP in cycle 120 after it came, L2 access in the next, reply in the same. */
static void hits(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(GTX480_L2, 6, 2));
	send(&b, GLOBAL_ACC_R, 0x80000000, 128);
	assert_int_equal(drain(&b), 1);
	uint64_t t = b.now;
	uint32_t r = send(&b, GLOBAL_ACC_R, 0x80000000, 128);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE), t + 121);
	assert_int_equal(request_packet_bytes(request_at(&b.q, r)), 136);
	drain(&b);
	t = b.now;
	r = send(&b, GLOBAL_ACC_W, 0x80000020, 32);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE), t + 121);
	assert_true(request_at(&b.q, r)->is_reply);
	assert_int_equal(request_packet_bytes(request_at(&b.q, r)), 8);
	drain(&b);
	/* an L1's write-back is taken in without an answer */
	t = b.now;
	send(&b, L1_WRBK_ACC, 0x80000000, 128);
	while (b.now < t + 121)
		tick(&b);
	assert_int_equal(b.q.s->n_live, 1);
	tick(&b);
	assert_int_equal(b.q.s->n_live, 0);
	expect_empty(&b);
	bench_free(&b);
}

/* Two come at once; one leaves the ROP per cycle. 128 bytes occupy the 32-byte data port for 4 cycles from the access in 121 on: the
 * cache cycles 122, 123, 124, 125 count it down, so the second access is in 125. */
static void one_at_a_time(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(GTX480_L2, 6, 2));
	send(&b, GLOBAL_ACC_R, 0x80000000, 128);
	drain(&b);
	uint64_t t = b.now;
	uint32_t r1 = send(&b, GLOBAL_ACC_R, 0x80000000, 128), r2 = send(&b, GLOBAL_ACC_R, 0x80000000, 128);
	assert_int_equal(until(&b, r1, REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE), t + 120);
	assert_int_equal(until(&b, r2, REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE), t + 121);
	assert_int_equal(until(&b, r1, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE), t + 121);
	assert_int_equal(until(&b, r2, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE), t + 125);
	bench_free(&b);
}

/* Access in 121: the write and a read of its line go into the miss queue, and out in 122 and 123. DRAM takes the write in 123, controller in
 * 223: bank in 224, ACT, WR 7 later (tRCD - (WL + 1)) = 231, its data WL = 4 later = 235, DRAM-to-L2 in 236, past the L2 in that tick.
 * The read: bank in 232, RD after tWTR = 11: 242, and 245 (tCCDL); data 257, fill in 258, and dropped in 259. */
static void write_miss(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of(GTX480_L2, 6, 2));
	uint32_t r = send(&b, GLOBAL_ACC_W, 0x80000000, 32);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE), 122);
	assert_int_equal(b.q.s->n_live, 2);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE), 236);
	assert_int_equal(request_packet_bytes(request_at(&b.q, r)), 8);
	while (b.now < 259)
		tick(&b);
	assert_int_equal(b.q.s->n_live, 2);
	tick(&b);
	assert_int_equal(b.q.s->n_live, 1);
	assert_int_equal(drain(&b), 1);
	expect_empty(&b);
	bench_free(&b);
}

/* Reads of two lines of one set of one way, the first made dirty: it is written back, and nobody hears of it. */
static void write_backs_of_the_l2(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of("1:128:1,L:B:m:W,A:32:4,4:0,32", 6, 2));
	send(&b, GLOBAL_ACC_R, 0x80000000, 128);
	assert_int_equal(drain(&b), 1);
	send(&b, GLOBAL_ACC_W, 0x80000000, 128);
	assert_int_equal(drain(&b), 1);
	send(&b, GLOBAL_ACC_R, 0x80000080, 128);
	assert_int_equal(drain(&b), 1);
	expect_empty(&b);
	struct dram_place at;
	address_decode(&b.map, 0x80000000, &at);
	const struct dram_stats *st = dram_get_stats(partition_dram(b.p, at.channel));
	assert_int_equal(st->n.rd, 4);
	assert_int_equal(st->n.wr, 2);
	assert_int_equal(dram_get_bank_stats(partition_dram(b.p, at.channel), at.bank)->by_type[L2_WRBK_ACC], 1);
	bench_free(&b);
}

/* Without an L2 everything goes to DRAM; a write's acknowledge comes from there. Reads keep their size: 32 bytes, one command. */
static void without_l2(void **state)
{
	(void)state;
	struct bench b;
	bench_init(&b, config_of("none", 8, 1));
	uint32_t w = send(&b, GLOBAL_ACC_W, 0x80000000, 64), r = send(&b, GLOBAL_ACC_R, 0x80000000, 32);
	assert_null(sub_partition_l2(b.p, 0));
	assert_int_equal(until(&b, w, REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE), 121);
	assert_int_equal(until(&b, w, REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE), 122);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE), 123);
	until(&b, r, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE);
	assert_int_equal(request_packet_bytes(request_at(&b.q, w)), 8);
	assert_int_equal(request_packet_bytes(request_at(&b.q, r)), 40);
	assert_int_equal(request_at(&b.q, w)->status, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE);
	send(&b, L1_WRBK_ACC, 0x80000000, 64);
	assert_int_equal(drain(&b), 2);
	assert_int_equal(dram_get_stats(partition_dram(b.p, 0))->n.rd, 1);
	assert_int_equal(dram_get_stats(partition_dram(b.p, 0))->n.wr, 2);
	expect_empty(&b);
	bench_free(&b);
}

/* A texture-only L2: textures are not delayed and use it, others pass by. */
static void textures(void **state)
{
	(void)state;
	struct bench b;
	struct partition_config c = config_of(GTX480_L2, 6, 2);
	c.l2_texture_only = true;
	bench_init(&b, c);
	uint32_t r = send(&b, TEXTURE_ACC_R, 0x80000000, 128), g = send(&b, GLOBAL_ACC_R, 0x80000000, 128);
	assert_int_equal(request_at(&b.q, r)->status, REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_MISS_QUEUE), 0);
	assert_int_equal(until(&b, g, REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE), 121);
	assert_int_equal(drain(&b), 2);
	uint64_t t = b.now;
	r = send(&b, TEXTURE_ACC_R, 0x80000000, 128);
	assert_int_equal(until(&b, r, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE), t);
	drain(&b);
	expect_empty(&b);
	struct dram_place at;
	address_decode(&b.map, 0x80000000, &at);
	const struct cache_stats *st = cache_get_stats(sub_partition_l2(b.p, at.sub_partition));
	assert_int_equal(st->count[GLOBAL_ACC_R][CACHE_MISS], 0);
	assert_int_equal(st->count[TEXTURE_ACC_R][CACHE_MISS], 1);
	assert_int_equal(st->count[TEXTURE_ACC_R][CACHE_HIT], 1);
	bench_free(&b);
}

/* Nobody takes replies: the L2-to-ICNT queue (1) holds the hits back, then the ICNT-to-L2 queue (2) the network. */
static void queues_hold_back(void **state)
{
	(void)state;
	struct bench b;
	struct partition_config c = config_of(GTX480_L2, 6, 2);
	c.l2_to_icnt = 1;
	c.icnt_to_l2 = 2;
	bench_init(&b, c);
	uint32_t sub = 5; /* of 0x80000000 */
	send(&b, GLOBAL_ACC_R, 0x80000000, 32);
	drain(&b);
	for (unsigned i = 0; i < 5; i++)
		send(&b, GLOBAL_ACC_R, 0x80000000, 32);
	for (unsigned i = 0; i < 200; i++)
		tick(&b);
	assert_int_equal(sub_partition_queue_length(b.p, sub, 4), 1);
	assert_int_equal(sub_partition_queue_length(b.p, sub, 1), 2);
	assert_int_equal(sub_partition_queue_length(b.p, sub, 0), 2);
	assert_true(sub_partition_full(b.p, sub));
	assert_true(partition_busy(b.p, 2));
	/* the queues in the order of arrival: uid 2 first */
	assert_int_equal(request_at(&b.q, sub_partition_top(b.p, sub))->uid, 2);
	assert_int_equal(request_at(&b.q, sub_partition_queue_at(b.p, sub, 1, 1))->uid, 4);
	assert_int_equal(request_at(&b.q, sub_partition_queue_at(b.p, sub, 0, 1))->uid, 6);
	assert_int_equal(sub_partition_queue_at(b.p, sub, 0, 2), 0);
	assert_int_equal(drain(&b), 5);
	expect_empty(&b);
	bench_free(&b);
}

/* ---- credits ---- */

/* Scheduler and return queue of 1: 1 + 1 - (2 - 1) = 1 credit to share, 1 private each. Four requests each, no ROP delay.
 * Cycle 0: out of the ROP; 1: in L2-to-DRAM; 2: A's first (private), 3: B's first (private), 4: A's second (shared), then none.
 * A's first is ready in 1002; bank in 1003, data in 1030 (as in the table of a single read), DRAM-to-L2 in 1031: A has its private credit
 * back, and in that cycle A's third goes, although B's turn would be next: B has no credit. */
static void credits(void **state)
{
	(void)state;
	struct bench b;
	struct partition_config c = config_of("none", 1, 2);
	c.rop_latency = 0;
	c.dram_latency = 1000;
	c.dram.queue_size = c.dram.return_queue = 1;
	bench_init(&b, c);
	uint32_t a[4], z[4];
	for (unsigned i = 0; i < 4; i++) {
		a[i] = send(&b, GLOBAL_ACC_R, address_of_sub(&b, 0, i), 128);
		z[i] = send(&b, GLOBAL_ACC_R, address_of_sub(&b, 1, i), 128);
	}
	assert_int_equal(until(&b, a[0], REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE), 2);
	assert_int_equal(until(&b, z[0], REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE), 3);
	assert_int_equal(until(&b, a[1], REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE), 4);
	assert_int_equal(until(&b, a[2], REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE), 1031);
	assert_int_equal(request_at(&b.q, z[1])->status, REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE);
	assert_int_equal(drain(&b), 8);
	expect_empty(&b);
	bench_free(&b);
}

/* A sub-partition whose DRAM-to-L2 queue is full gets nothing more from the DRAM's side, the other one does. */
static void full_return_path(void **state)
{
	(void)state;
	struct bench b;
	struct partition_config c = config_of("none", 1, 2);
	c.rop_latency = c.dram_latency = 0;
	c.dram_to_l2 = c.l2_to_icnt = 1;
	bench_init(&b, c);
	uint32_t first = send(&b, GLOBAL_ACC_R, address_of_sub(&b, 0, 0), 128), second = send(&b, GLOBAL_ACC_R, address_of_sub(&b, 0, 1), 128);
	until(&b, first, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE);
	until(&b, second, REQUEST_IN_PARTITION_DRAM_TO_L2_QUEUE);
	uint32_t stuck = send(&b, GLOBAL_ACC_R, address_of_sub(&b, 0, 2), 128), other = send(&b, GLOBAL_ACC_R, address_of_sub(&b, 1, 0), 128);
	until(&b, other, REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE);
	assert_int_equal(request_at(&b.q, stuck)->status, REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE);
	assert_int_equal(drain(&b), 4);
	expect_empty(&b);
	bench_free(&b);
}

/* ---- laws ---- */

struct rng {
	uint64_t s;
};
static uint32_t below(struct rng *g, uint32_t n)
{
	g->s = g->s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((g->s >> 33) % n);
}

struct tally {
	unsigned sent, textures, to_answer, answered;
};

static void maybe_send(struct bench *b, struct rng *g, struct tally *t)
{
	static const enum access_type types[] = {GLOBAL_ACC_R, GLOBAL_ACC_R, GLOBAL_ACC_W, L1_WRBK_ACC, INST_ACC_R, TEXTURE_ACC_R,
						 LOCAL_ACC_W,  CONST_ACC_R};
	enum access_type type = types[below(g, 8)];
	uint64_t address = 0x80000000 + below(g, 256) * 128 * (1 + 6 * below(g, 2));
	bool small = type == GLOBAL_ACC_W || type == LOCAL_ACC_W;
	uint32_t r = request_of(b, type, small ? address + 32 * below(g, 4) : address, small ? 32 : 128);
	uint32_t sub = request_at(&b->q, r)->dram.sub_partition;
	if (sub_partition_full(b->p, sub)) {
		request_free(&b->q, r);
		return;
	}
	if (type == GLOBAL_ACC_R && !below(g, 4))
		request_at(&b->q, r)->is_atomic = true;
	sub_partition_push(b->p, sub, r, b->now);
	t->sent++;
	t->textures += type == TEXTURE_ACC_R;
	t->to_answer += type != L1_WRBK_ACC;
}

static void take_replies(struct bench *b, struct rng *g, struct tally *t)
{
	for (uint32_t sub = 0; sub < b->cfg.n_partitions * b->cfg.subs_per_partition; sub++) {
		uint32_t top = sub_partition_top(b->p, sub);
		if (!top || below(g, 3))
			continue;
		assert_int_equal(request_at(&b->q, top)->dram.sub_partition, sub);
		assert_true(request_at(&b->q, top)->is_reply);
		assert_true(request_at(&b->q, top)->type != L1_WRBK_ACC);
		partitions_note_round_trip(b->p, top, b->now - request_at(&b->q, top)->created);
		sub_partition_pop(b->p, sub, b->now);
		request_free(&b->q, top);
		t->answered++;
	}
}

/* Moves all clocks by a cycle: as the machine does, which only counts cycles in which a part has nothing to do; or with `skips` false every part. */
static void move_clocks(struct bench *b, bool skips)
{
	for (uint32_t i = 0; i < b->cfg.n_partitions; i++) {
		if (!skips)
			b->p->dram_quiet[i].until = 0;
		partition_dram_cycle(b->p, i, b->now);
	}
	for (uint32_t i = 0; !skips && i < b->p->n_subs; i++)
		sub_partition_cycle(b->p, i, b->now);
	if (skips)
		sub_partitions_cycle(b->p, NULL, 0, b->now);
	b->now++;
}

/* Accesses = hits + pending hits + misses, by the L2s; what went to DRAM was asked for. */
static void check_counts(const struct bench *b, const struct tally *t)
{
	struct partition_stats st;
	uint64_t arrived = 0, waited = 0, requests = 0, accesses = 0;
	partitions_get_stats(b->p, &st);
	for (unsigned k = 0; k < 24; k++)
		arrived += st.icnt_to_mem_latency_table[k];
	for (unsigned k = 0; k < 32; k++)
		waited += st.mrq_latency_table[k];
	for (uint32_t i = 0; i < b->cfg.n_partitions; i++) {
		const struct dram_stats *d = dram_get_stats(partition_dram(b->p, i));
		uint64_t by_bank = 0, by_type = 0;
		requests += d->n.req;
		assert_int_equal(d->n.cmd, d->n.nop + d->n.act + d->n.pre + d->n.rd + d->n.wr);
		assert_int_equal(d->n.data_cycles, 2 * (d->n.rd + d->n.wr));
		for (uint32_t k = 0; k < 16; k++) {
			const struct dram_bank_stats *s = dram_get_bank_stats(partition_dram(b->p, i), k);
			by_bank += s->reads + s->writes;
			for (unsigned type = 0; type < ACCESS_TYPE_COUNT; type++)
				by_type += s->by_type[type];
		}
		assert_int_equal(by_bank, d->n.req);
		assert_int_equal(by_type, d->n.req);
	}
	for (uint32_t i = 0; i < b->cfg.n_partitions * b->cfg.subs_per_partition; i++) {
		const struct cache *l2 = sub_partition_l2(b->p, i);
		for (unsigned type = 0; l2 && type < ACCESS_TYPE_COUNT; type++)
			for (unsigned k = CACHE_HIT; k <= CACHE_MISS; k++)
				accesses += cache_get_stats(l2)->count[type][k];
	}
	assert_int_equal(arrived, t->sent);
	assert_int_equal(accesses, b->cfg.l2.disabled ? 0 : b->cfg.l2_texture_only ? t->textures : t->sent);
	if (b->cfg.dram.scheduler == &dram_frfcfs)
		assert_int_equal(waited, requests);
}

static uint64_t run_randomly(const struct partition_config *cfg, uint64_t seed, bool skips)
{
	struct bench b;
	struct rng g = {seed};
	struct tally t = {0};
	bench_init(&b, *cfg);
	for (unsigned i = 0; i < 20000; i++) {
		move_clocks(&b, skips);
		if (i < 12000 && (i / 1500 % 2 || !below(&g, 200)))
			maybe_send(&b, &g, &t);
		take_replies(&b, &g, &t);
	}
	for (uint32_t i = 0; i < cfg->n_partitions; i++)
		partition_count(b.p, i);
	for (uint32_t i = 0; i < cfg->n_partitions * cfg->subs_per_partition; i++)
		sub_partition_count(b.p, i);
	assert_true(t.sent > 200);
	assert_int_equal(t.to_answer, t.answered);
	expect_empty(&b);
	check_counts(&b, &t);
	uint64_t digest = arena_digest(&b.arena);
	bench_free(&b);
	return digest;
}

static void laws_under_random_load(void **state)
{
	(void)state;
	static const struct {
		const char *l2;
		uint32_t partitions, subs;
		bool texture_only, fifo;
		uint32_t queues, dram_queue, returns;
	} cases[] = {
		{GTX480_L2, 6, 2, false, false, 8, 16, 116},
		{GTX480_L2, 6, 2, false, true, 8, 16, 116},
		{"16:128:2,L:B:m:W,A:4:2,4:0,32", 2, 4, false, false, 2, 4, 3},
		{"16:256:8,L:B:m:W,A:16:4,4", 8, 1, true, false, 8, 16, 58},
		{"4:128:2,F:T:m:N,A:4:2,4", 1, 2, false, false, 1, 0, 0},
		{"none", 3, 1, false, false, 4, 2, 2},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct partition_config c = config_of(cases[i].l2, cases[i].partitions, cases[i].subs);
		c.l2_texture_only = cases[i].texture_only;
		c.icnt_to_l2 = c.l2_to_dram = c.dram_to_l2 = c.l2_to_icnt = cases[i].queues;
		c.dram.scheduler = cases[i].fifo ? &dram_fifo : &dram_frfcfs;
		c.dram.queue_size = cases[i].dram_queue;
		c.dram.return_queue = cases[i].returns;
		c.dram_latency = 100 * (i & 1);
		uint64_t digest = run_randomly(&c, i + 1, false);
		assert_int_equal(run_randomly(&c, i + 1, false), digest);
		assert_int_equal(run_randomly(&c, i + 1, true), digest);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(way_of_a_read),
		cmocka_unit_test(hits),
		cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(write_miss),
		cmocka_unit_test(write_backs_of_the_l2),
		cmocka_unit_test(without_l2),
		cmocka_unit_test(textures),
		cmocka_unit_test(queues_hold_back),
		cmocka_unit_test(credits),
		cmocka_unit_test(full_return_path),
		cmocka_unit_test(laws_under_random_load),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
