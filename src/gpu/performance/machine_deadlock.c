/* The machine's part of the text of a deadlock: what cores, clusters, the network and memory partitions hold and wait for. Source: the
 * report of GPGPU-Sim, which names cores and partitions that are busy. */
#include <inttypes.h>

#include "gpu/performance/performance.h"
#include "gpu/wait/deadlock.h"
#include "timing/core/collector.h"
#include "timing/ldst/ldst.h"

#define SHOWN 8u /* of each kind */

static const char *const queue_names[] = {"ROP delay", "network to L2", "L2 to DRAM", "DRAM to L2", "L2 to network"};
enum queue { ROP, ICNT_TO_L2, L2_TO_DRAM, DRAM_TO_L2, L2_TO_ICNT, QUEUES };

static void add_more(uint32_t n, const char *what, struct text *out)
{
	if (n > SHOWN)
		text_addf(out, "\n  and %" PRIu32 " more %s", n - SHOWN, what);
}

/* ---- cores ---- */

/* "2 stores not acknowledged, 1 register to be loaded"; nothing said: nothing of it is under way. */
static void add_waits(const struct core_warp *w, struct text *out)
{
	const struct {
		uint32_t n;
		const char *one, *many;
	} rows[] = {{w->imiss, "waits for its instructions", ""},
		    {w->stores, "store not acknowledged", "stores not acknowledged"},
		    {w->atomics, "thread's atomic not returned", "threads' atomics not returned"},
		    {w->n_reserved, "register not written", "registers not written"}};
	const char *between = ", ";
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		if (!rows[k].n)
			continue;
		text_add(out, between);
		if (k)
			text_addf(out, "%" PRIu32 " ", rows[k].n);
		text_add(out, rows[k].n == 1 ? rows[k].one : rows[k].many);
	}
}

static void add_warp_place(const struct gpu *g, const struct exec_warp *w, struct text *out)
{
	const struct exec_simt *top = exec_simt_top(&g->exec, w);
	gpu_add_place_of(g, w, top->mask, top->pc, out);
}

static void add_warps(const struct gpu *g, const struct core *c, struct text *out)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < c->cfg->n_warps; k++) {
		const struct core_warp *w = &c->warp[k];
		if (!w->used || n++ >= SHOWN)
			continue;
		const struct exec_cta *cta = gpu_cta_at(g, w->cta_slot);
		text_addf(out, "\n    warp %" PRIu32 " of block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "): ", w->index, cta->id[0], cta->id[1], cta->id[2]);
		if (w->done)
			text_add(out, "has exited");
		else
			add_warp_place(g, &cta->warp[w->index], out);
		add_waits(w, out);
	}
	if (n > SHOWN)
		text_addf(out, "\n    and %" PRIu32 " more warps", n - SHOWN);
}

static void add_cache(const char *name, const struct cache *c, struct text *out)
{
	if (!c || (!cache_mshr_used(c) && !cache_miss_queue_length(c)))
		return;
	const struct cache_config *cfg = cache_get_config(c);
	if (cfg->mshr_kind == CACHE_MSHR_TEX_FIFO)
		text_addf(out, "\n    %s: reorder buffer %" PRIu32 " of %" PRIu32 ", request FIFO %" PRIu32 " of %" PRIu32, name, cache_mshr_used(c),
			  cfg->miss_queue, cache_miss_queue_length(c), cfg->mshr_merge);
	else
		text_addf(out, "\n    %s: %" PRIu32 " of %" PRIu32 " MSHRs, miss queue %" PRIu32 " of %" PRIu32, name, cache_mshr_used(c),
			  cfg->mshr_entries, cache_miss_queue_length(c), cfg->miss_queue);
}

static void add_ldst_writeback(const struct gpu *g, const struct core *c, uint32_t inst, struct text *out)
{
	text_add(out, "\n    LD/ST writeback: ");
	gpu_add_place(g, c->inst[inst].pc, out);
	if (c->cfg->writeback == WRITEBACK_AT_ONCE && collector_shares_bank(c, &c->inst[inst]))
		text_add(out, ", two of whose registers are in one bank: GPGPU-Sim 3.2.2 never writes them (-gpgpu_writeback_in_parts auto does)");
}

static void add_ldst(const struct gpu *g, const struct core *c, struct text *out)
{
	const uint32_t inst = ldst_dispatch(c), writing = ldst_next_writeback(c);
	if (inst) {
		text_add(out, "\n    LD/ST unit: ");
		gpu_add_place(g, c->inst[inst].pc, out);
		text_addf(out, ", %" PRIu32 " accesses to send", c->inst[inst].n_accesses);
	}
	if (ldst_response_length(c))
		text_addf(out, "%s response FIFO %" PRIu32 " of %" PRIu32, inst ? "," : "\n    LD/ST unit:", ldst_response_length(c),
			  c->cfg->ldst_response_fifo);
	if (writing)
		add_ldst_writeback(g, c, writing, out);
}

static void add_core(const struct gpu *g, const struct core *c, struct text *out)
{
	text_addf(out, "\n  core %" PRIu32 ": last writeback in cycle %" PRIu64 ", of the LD/ST unit in cycle %" PRIu64, c->id,
		  c->s->cycle_of_last_writeback, ldst_last_writeback(c));
	add_warps(g, c, out);
	add_ldst(g, c, out);
	add_cache("L1I", c->l1i, out);
	add_cache("L1C", ldst_l1c(c), out);
	add_cache("L1T", ldst_l1t(c), out);
	add_cache("L1D", ldst_l1d(c), out);
}

static void add_cores(const struct gpu *g, struct text *out)
{
	const struct timing *t = &g->perf->timing;
	uint32_t n = 0;
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++)
		if (t->core[k].s->threads_left && n++ < SHOWN)
			add_core(g, &t->core[k], out);
	add_more(n, "cores", out);
}

/* ---- the network ---- */

static void add_clusters(const struct timing *t, struct text *out)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < t->cfg->core.n_clusters; k++) {
		const struct fifo *f = t->cluster[k].response;
		if (fifo_empty(f) || n++ >= SHOWN)
			continue;
		text_addf(out, "\n  cluster %" PRIu32 ": response FIFO %" PRIu32 " of %" PRIu32 ", the oldest for core %u", k, f->n, f->cap,
			  request_at(&t->requests, fifo_top(f))->core);
	}
	add_more(n, "clusters", out);
}

static void add_network(const struct timing *t, struct text *out)
{
	struct icnt_totals n;
	if (!t->icnt)
		return;
	icnt_get_totals(t->icnt, &n);
	if (n.packets_in != n.packets_out)
		text_addf(out, "\n  network: %" PRIu64 " packets under way", n.packets_in - n.packets_out);
}

/* ---- memory ---- */

static uint32_t queue_size(const struct partition_config *c, enum queue q)
{
	switch (q) {
	case ICNT_TO_L2: return c->icnt_to_l2;
	case L2_TO_DRAM: return c->l2_to_dram;
	case DRAM_TO_L2: return c->dram_to_l2;
	case L2_TO_ICNT: return c->l2_to_icnt;
	default: return 0;
	}
}

static void add_sub_partition(const struct timing *t, uint32_t sub, struct text *out)
{
	const struct partitions *p = t->partitions;
	const char *between = ": ";
	text_addf(out, "\n  sub-partition %" PRIu32, sub);
	for (enum queue q = ROP; q < QUEUES; q++) {
		const uint32_t n = sub_partition_queue_length(p, sub, q), size = queue_size(&t->cfg->partition, q);
		if (!n)
			continue;
		text_addf(out, "%s%s %" PRIu32, between, queue_names[q], n);
		if (size)
			text_addf(out, " of %" PRIu32, size);
		between = ", ";
	}
	const uint32_t reply = sub_partition_top(p, sub);
	if (reply && t->icnt && !icnt_has_buffer(t->icnt, t->cfg->core.n_clusters + sub, request_packet_bytes(request_at(&t->requests, reply))))
		text_add(out, "; the network has no room for its oldest reply");
	add_cache("L2", sub_partition_l2(p, sub), out);
}

static bool holds_something(const struct partitions *p, uint32_t sub)
{
	const struct cache *l2 = sub_partition_l2(p, sub);
	bool any = l2 && cache_mshr_used(l2);
	for (enum queue q = ROP; q < QUEUES; q++)
		any |= sub_partition_queue_length(p, sub, q) > 0;
	return any;
}

static void add_partitions(const struct timing *t, struct text *out)
{
	const struct partition_config *cfg = &t->cfg->partition;
	uint32_t n = 0, channels = 0;
	for (uint32_t k = 0; k < cfg->n_partitions * cfg->subs_per_partition; k++)
		if (holds_something(t->partitions, k) && n++ < SHOWN)
			add_sub_partition(t, k, out);
	add_more(n, "sub-partitions", out);
	for (uint32_t k = 0; k < cfg->n_partitions; k++) {
		const uint32_t queued = dram_queue_length(partition_dram(t->partitions, k));
		if (queued && channels++ < SHOWN)
			text_addf(out, "\n  DRAM %" PRIu32 ": %" PRIu32 " requests queued", k, queued);
	}
}

bool machine_hangs(const struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	for (uint32_t k = 0; k < s->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
		bool all_done = true;
		for (uint32_t w = 0; w < c->n_warps; w++) {
			if (c->warp[w].state == EXEC_WARP_RUNNABLE && !gpu_warp_spins(g, &c->warp[w]))
				return true;
			all_done &= c->warp[w].state == EXEC_WARP_DONE;
		}
		if (all_done)
			return true;
	}
	return !s->n_resident;
}

void machine_explain_hang(const struct gpu *g, struct text *out)
{
	const struct timing *t = &g->perf->timing;
	text_add(out, "no instruction was completed for 20000 cycles");
	add_cores(g, out);
	add_clusters(t, out);
	add_network(t, out);
	add_partitions(t, out);
}
