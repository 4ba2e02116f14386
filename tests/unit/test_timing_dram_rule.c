/* The DRAM controller against the rules taken literally (dram_by_rule.h): the same in every cycle of random loads. */
#include "dram_bench.h"
#include "dram_by_rule.h"

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
		.active = w->active, .row = w->row, .request = w->r ? w->r->id : 0, .transferred = w->r ? w->r->given : 0,
		.n_access = w->n_access, .n_idle = w->n_idle, .queued = w->waiting.n,
	};
	assert_int_equal(v.active, expect.active);
	assert_int_equal(v.row, expect.row);
	assert_int_equal(dram_timer_left(b->d, "RCD", i), w->rcd);
	assert_int_equal(dram_timer_left(b->d, "RCDWR", i), w->rcdwr);
	assert_int_equal(dram_timer_left(b->d, "RAS", i), w->ras);
	assert_int_equal(dram_timer_left(b->d, "RP", i), w->rp);
	assert_int_equal(dram_timer_left(b->d, "RC", i), w->rc);
	assert_int_equal(dram_timer_left(b->d, "WTP", i), w->wtp);
	assert_int_equal(dram_timer_left(b->d, "RTP", i), w->rtp);
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
	assert_int_equal(st->n.cmd, want->n_cmd);
	assert_int_equal(st->n.nop, want->n_nop);
	assert_int_equal(st->n.act, want->n_act);
	assert_int_equal(st->n.pre, want->n_pre);
	assert_int_equal(st->n.rd, want->n_rd);
	assert_int_equal(st->n.wr, want->n_wr);
	assert_int_equal(st->n.activity, want->n_activity);
	assert_int_equal(st->n.data_cycles, want->data_cycles);
	assert_int_equal(st->max_mrq_latency, want->max_wait);
	assert_int_equal(dram_return_top(b->d), want->returns.n ? want->returns.at[0]->id : 0);
	assert_int_equal(dram_timer_left(b->d, "RRD", 0), want->rrd);
	assert_int_equal(dram_timer_left(b->d, "CCD", 0), want->ccd);
	assert_int_equal(dram_timer_left(b->d, "RTW", 0), want->rtw);
	assert_int_equal(dram_timer_left(b->d, "WTR", 0), want->wtr);
	for (uint32_t g = 0; g < want->c.t.nbkgrp; g++) {
		assert_int_equal(dram_timer_left(b->d, "CCDL", g), want->ccdl[g]);
		assert_int_equal(dram_timer_left(b->d, "RTPL", g), want->rtpl[g]);
	}
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
	return d->c.scheduler == &dram_frfcfs ? d->c.queue_size && d->pending >= d->c.queue_size : d->input.n >= 2;
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
			c.scheduler = k != 1 ? &dram_frfcfs : &dram_fifo;
			c.queue_size = k == 2 ? 0 : k == 3 ? 3 : 16;
			c.return_queue = k == 3 ? 1 : 116;
			c.data_ratio = k == 2 ? 2 : 4;
			run_both(&c, 1 + i * 10 + k, k & 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_the_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
