/* What holds of every machine in performance mode, whatever ran on it: nothing gets lost, nothing is counted twice.
 *
 * machine_is_empty: after everything has run, no request, instruction, packet or reservation is left anywhere. (A run ends when all that
 * came from cores has been answered; what an L2 writes back or fetches for itself may still be on its way, as in GPGPU-Sim.)
 * machine_counts_agree: figures that different blocks count on their own fit together (of an empty machine). */
#ifndef MACHINE_LAWS_H
#define MACHINE_LAWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "gpu/statistics/statistics_internal.h"
#include "timing/ldst/ldst_internal.h"
#include "timing/ldst/ldst.h"

/* ---- empty ---- */

static void cache_is_empty(const struct cache *c)
{
	if (!c)
		return;
	assert_true(cache_idle(c));
	assert_int_equal(cache_mshr_used(c), 0);
	assert_int_equal(cache_miss_queue_length(c), 0);
	assert_false(cache_response_ready(c));
	const struct cache_config *cfg = cache_get_config(c);
	for (uint32_t i = 0; i < cfg->sets * cfg->ways; i++)
		assert_int_not_equal(cache_lines(c)[i].state, CACHE_RESERVED);
}

static void pools_are_free(const struct core *c)
{
	uint32_t n = 0;
	for (uint32_t i = c->s->free_inst; i; i = c->inst[i].next)
		n++;
	assert_int_equal(n, c->s->n_insts);
	n = 0;
	for (uint32_t i = c->s->free_access; i; i = c->access[i].next)
		n++;
	assert_int_equal(n, c->s->n_accesses);
}

static void core_is_empty(struct core *c)
{
	assert_int_equal(c->s->threads_left, 0);
	assert_int_equal(c->s->active_ctas, 0);
	assert_int_equal(c->s->live, 0);
	assert_int_equal(c->s->pipes.used, 0);
	assert_int_equal(c->s->pipes.full, 0);
	for (uint32_t w = 0; w < c->cfg->n_warps; w++) {
		assert_false(c->warp[w].used);
		assert_int_equal(c->warp[w].in_pipeline, 0);
		assert_int_equal(c->warp[w].stores, 0);
		assert_int_equal(c->warp[w].atomics, 0);
		assert_int_equal(c->warp[w].n_reserved, 0);
		for (uint32_t k = 0; k < c->sb_words; k++)
			assert_int_equal(core_reserved(c, w)[k], 0);
	}
	assert_int_equal(ldst_dispatch(c), 0);
	assert_int_equal(ldst_next_writeback(c), 0);
	assert_int_equal(c->ldst->s->next_global, 0);
	assert_int_equal(ldst_response_length(c), 0);
	pools_are_free(c);
	cache_is_empty(c->l1i);
	cache_is_empty(ldst_l1c(c));
	cache_is_empty(ldst_l1t(c));
	cache_is_empty(ldst_l1d(c));
}

/* Requests of the L2s themselves; there are no others. */
static uint32_t requests_left(const struct timing *t)
{
	uint32_t n = 0;
	for (uint32_t r = 1; r < t->requests.s->n_used; r++) {
		const struct mem_request *m = request_at(&t->requests, r);
		if (m->status == REQUEST_MEM_FETCH_DELETED)
			continue;
		assert_true(m->type == L2_WRBK_ACC || m->type == L2_WR_ALLOC_R);
		n++;
	}
	assert_int_equal(n, t->requests.s->n_live);
	return n;
}

static void partitions_are_empty(const struct timing *t)
{
	const struct partition_config *cfg = &t->cfg->partition;
	for (uint32_t k = 0; k < cfg->n_partitions; k++)
		assert_false(partition_busy(t->partitions, k));
	if (requests_left(t))
		return;
	for (uint32_t k = 0; k < cfg->n_partitions; k++) {
		const struct dram *d = partition_dram(t->partitions, k);
		assert_int_equal(dram_queue_length(d), 0);
		assert_int_equal(dram_return_top(d), 0);
	}
	for (uint32_t k = 0; k < cfg->n_partitions * cfg->subs_per_partition; k++) {
		for (unsigned which = 0; which < 5; which++)
			assert_int_equal(sub_partition_queue_length(t->partitions, k, which), 0);
		cache_is_empty(sub_partition_l2(t->partitions, k));
	}
}

static inline void machine_is_empty(struct gpu *g)
{
	struct timing *t = gpu_timing(g);
	struct icnt_totals n;
	icnt_get_totals(t->icnt, &n);
	assert_false(icnt_busy(t->icnt));
	assert_int_equal(n.packets_in, n.packets_out);
	assert_int_equal(n.flits_in, n.flits_out);
	partitions_are_empty(t);
	for (uint32_t k = 0; k < t->cfg->core.n_clusters; k++)
		assert_true(fifo_empty(t->cluster[k].response));
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++)
		core_is_empty(&t->core[k]);
}

/* ---- counts ---- */

static uint64_t sum(const uint64_t *v, unsigned n)
{
	uint64_t s = 0;
	while (n--)
		s += v[n];
	return s;
}

/* Everything issued completes; a scheduler's cycle is either one without an issue, of one of three kinds, or one with. */
static void issues_agree(const struct timing *t, const struct statistics *s)
{
	const struct core_config *cfg = &t->cfg->core;
	const struct core_stats *c = &s->n.core;
	const uint64_t slots = c->cycles * cfg->schedulers, empty = c->stall + c->w0_idle + c->w0_scoreboard;
	const uint64_t issued = sum(c->occupancy, LANES + 1);
	assert_int_equal(issued, c->warp_icount);
	assert_int_equal(c->occupancy[0], 0);
	if (!cfg->clock_gated_lanes)
		assert_int_equal(c->thread_icount, LANES * c->warp_icount);
	assert_true(s->n.insns <= LANES * c->warp_icount);
	assert_true(empty <= slots);
	if (cfg->max_issue == 1)
		assert_int_equal(empty + issued, slots);
	else
		assert_true(empty + issued >= slots && slots - empty <= issued && issued <= cfg->max_issue * (slots - empty));
}

/* What leaves the clusters arrives, and all but write-backs is answered. */
static void packets_agree(const struct timing *t, const struct statistics *s)
{
	const struct statistics_counts *n = &s->n;
	struct icnt_totals net;
	icnt_get_totals(t->icnt, &net);
	for (unsigned k = 0; k < ACCESS_TYPE_COUNT; k++) {
		const uint64_t atomics = k == GLOBAL_ACC_R ? n->packets_out[ACCESS_TYPE_COUNT] : 0;
		assert_int_equal(n->core.mem_out[k], n->packets_out[k] + atomics);
	}
	for (unsigned k = 0; k < TRAFFIC_ROWS; k++)
		assert_int_equal(n->packets_in[k], k == L1_WRBK_ACC ? 0 : n->packets_out[k]);
	assert_int_equal(net.packets_in, sum(n->packets_out, TRAFFIC_ROWS) + sum(n->packets_in, TRAFFIC_ROWS));
	/* a reply has the data a request asked for, an acknowledgement has none */
	assert_int_equal(n->bytes_in[GLOBAL_ACC_W], 8 * n->packets_out[GLOBAL_ACC_W]);
	assert_int_equal(n->bytes_out[INST_ACC_R], 8 * n->packets_out[INST_ACC_R]);
	assert_true(32 * n->cluster.flits_out >= sum(n->bytes_out, TRAFFIC_ROWS));
	assert_true(32 * n->cluster.flits_in >= sum(n->bytes_in, TRAFFIC_ROWS));
}

/* Each request is one access of an L2 that serves all kinds of them. */
static void l2_agrees(const struct timing *t, const struct statistics *s)
{
	const struct partition_config *cfg = &t->cfg->partition;
	if (cfg->l2.disabled || cfg->l2_texture_only)
		return;
	for (unsigned k = 0; k < ACCESS_TYPE_COUNT; k++) {
		const uint64_t *count = s->n.l2.count[k];
		if (k != L2_WRBK_ACC && k != L2_WR_ALLOC_R)
			assert_int_equal(count[CACHE_HIT] + count[CACHE_HIT_RESERVED] + count[CACHE_MISS], s->n.core.mem_out[k]);
	}
}

/* A command a cycle at most; open rows are those opened and not closed; every request is a read or a write. */
static void dram_agrees(const struct timing *t, const struct statistics *s)
{
	const struct statistics_counts *n = &s->n;
	const struct partition_config *cfg = &t->cfg->partition;
	const bool all = !requests_left(t);
	uint64_t open = 0;
	for (uint32_t k = 0; k < cfg->n_partitions; k++)
		for (uint32_t i = 0; i < cfg->dram.t.nbk; i++) {
			struct dram_bank_view b;
			dram_get_bank(partition_dram(t->partitions, k), i, &b);
			open += b.active;
			assert_true(!all || !b.request);
		}
	assert_int_equal(n->dram.cmd, n->dram.nop + n->dram.act + n->dram.pre + n->dram.rd + n->dram.wr);
	assert_int_equal(n->dram.act - n->dram.pre, open);
	assert_int_equal(n->dram.req, n->bank.reads + n->bank.writes);
	assert_true(!all || (n->dram.rd >= n->bank.reads && n->dram.wr >= n->bank.writes));
	assert_true(n->dram.activity <= n->dram.cmd && n->dram.data_cycles <= n->dram.activity + n->dram.cmd);
}

/* Each reply but those to fetches is one round trip, each request one way to its partition. */
static void latencies_agree(const struct timing *t, const struct statistics *s)
{
	const struct latency_stats *l = &t->s->latency;
	struct partition_stats p;
	if (!t->cfg->memlatency_stat)
		return;
	partitions_get_stats(t->partitions, &p);
	const uint64_t data = sum(s->n.packets_in, TRAFFIC_ROWS) - s->n.packets_in[INST_ACC_R];
	assert_int_equal(sum(l->mf_table, 32), data);
	assert_int_equal(sum(l->icnt2sh_table, 24), data);
	assert_int_equal(sum(p.icnt_to_mem_latency_table, 24), sum(s->n.packets_out, TRAFFIC_ROWS));
	if (t->cfg->partition.dram.scheduler == &dram_frfcfs && !requests_left(t))
		assert_int_equal(sum(p.mrq_latency_table, 32), s->n.dram.req);
	assert_true(l->windows <= data);
}

/* Shares of the schedulers' cycles are all of them, and each instruction issued is counted where it stands. */
static void summary_agrees(struct gpu *g, const struct statistics *s)
{
	const struct core_stats *c = &s->n.core;
	const uint32_t n = gpu_program(g)->n_insns;
	struct gpu_summary sum_up;
	struct exec_count all = {0}, *count = xcalloc(n, sizeof *count);
	uint64_t lanes = 0;
	gpu_statistics_summary(g, &sum_up);
	assert_int_equal(sum_up.issued + sum_up.scoreboard + sum_up.unit + sum_up.nothing, c->cycles * gpu_timing(g)->cfg->core.schedulers);
	exec_counts(gpu_exec(g), 0, n, count);
	for (uint32_t pc = 0; pc < n; pc++) {
		all.warps += count[pc].warps;
		all.lanes += count[pc].lanes;
	}
	for (uint32_t k = 0; k <= LANES; k++)
		lanes += k * c->occupancy[k];
	assert_int_equal(all.warps, sum(c->occupancy, LANES + 1));
	assert_int_equal(all.lanes, lanes);
	free(count);
}

static inline void machine_counts_agree(struct gpu *g)
{
	const struct timing *t = gpu_timing(g);
	struct statistics s;
	statistics_collect(g, &s);
	issues_agree(t, &s);
	packets_agree(t, &s);
	l2_agrees(t, &s);
	dram_agrees(t, &s);
	latencies_agree(t, &s);
	summary_agrees(g, &s);
	assert_true(s.d.run_cycles <= s.n.cycles && s.d.run_insns <= s.n.insns);
}

#endif
