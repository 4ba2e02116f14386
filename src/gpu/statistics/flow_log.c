#include "gpu/statistics/flow_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/statistics/statistics_internal.h"
#include "gpu/statistics/thread_flow.h"
#include "timing/ldst/ldst.h"

#define LATENCY_BINS 48u /* two for each power of two: [2^n, 1.5 * 2^n) and the rest up to the next */
enum logged_cache { LOGGED_L1D, LOGGED_L1T, LOGGED_L1C, LOGGED_L1I, LOGGED_CACHES };

/* What a core's counts were when the interval began. */
struct begun {
	uint64_t occupancy[LANES + 1];
	uint64_t accesses[LOGGED_CACHES], misses[LOGGED_CACHES];
};

struct flow_log {
	uint64_t interval, began;
	uint32_t n_cores, n_dram; /* n_dram: reads of each bank of each channel, then writes */
	struct thread_flow flow;
	struct begun *begun;	    /* [cores] */
	uint32_t *latency, *dram; /* [cores * bins] */
};

struct flow_log *flow_log_create(struct gpu *g, uint64_t interval)
{
	const struct timing_config *cfg = g->perf->config;
	struct flow_log *l = xcalloc(1, sizeof *l);
	l->interval = interval;
	l->n_cores = cfg->core.n_cores;
	l->n_dram = 2 * cfg->partition.n_partitions * dram_bank_count(partition_dram(g->perf->timing.partitions, 0));
	thread_flow_init(&l->flow, l->n_cores, cfg->core.n_warps * cfg->core.warp_threads);
	l->begun = xcalloc(l->n_cores, sizeof *l->begun);
	l->latency = xcalloc((size_t)l->n_cores * LATENCY_BINS, sizeof *l->latency);
	l->dram = xcalloc((size_t)l->n_cores * l->n_dram, sizeof *l->dram);
	return l;
}

void flow_log_free(struct flow_log *l)
{
	if (!l)
		return;
	thread_flow_free(&l->flow);
	free(l->begun);
	free(l->latency);
	free(l->dram);
	free(l);
}

/* ---- what happens in an interval ---- */

void flow_log_note(struct gpu *g, const struct core *c, const struct inst *i)
{
	thread_flow_note(&g->perf->flow_log->flow, &g->program, c, i);
}

void flow_log_latency(struct gpu *g, uint32_t request, uint64_t latency)
{
	struct flow_log *l = g->perf->flow_log;
	const unsigned n = latency > 1 ? 63u - (unsigned)__builtin_clzll(latency) : 0;
	const unsigned bin = 2 * n + (n && latency >> (n - 1) & 1);
	const uint32_t core = request_at(&g->perf->timing.requests, request)->core;
	l->latency[(size_t)core * LATENCY_BINS + (bin < LATENCY_BINS ? bin : LATENCY_BINS - 1)]++;
}

/* What an L2 writes back belongs to no core. */
void flow_log_dram(struct gpu *g, uint32_t request)
{
	struct flow_log *l = g->perf->flow_log;
	const struct mem_request *m = request_at(&g->perf->timing.requests, request);
	if (m->core >= l->n_cores || !g->perf->config->memlatency_stat)
		return;
	const uint32_t banks = l->n_dram / 2 / g->perf->config->partition.n_partitions;
	l->dram[(size_t)m->core * l->n_dram + (m->is_write ? l->n_dram / 2 : 0) + m->dram.channel * banks + m->dram.bank]++;
}

static const struct cache *cache_of(const struct core *c, enum logged_cache k)
{
	switch (k) {
	case LOGGED_L1D: return ldst_l1d(c);
	case LOGGED_L1T: return ldst_l1t(c);
	case LOGGED_L1C: return ldst_l1c(c);
	default: return c->l1i;
	}
}

static void begin_core(struct flow_log *l, const struct core *c)
{
	struct begun *b = &l->begun[c->id];
	memcpy(b->occupancy, c->stats->occupancy, sizeof b->occupancy);
	for (enum logged_cache k = 0; k < LOGGED_CACHES; k++) {
		const struct cache *cache = cache_of(c, k);
		b->accesses[k] = cache ? cache_get_stats(cache)->tag_accesses : 0;
		b->misses[k] = cache ? cache_get_stats(cache)->tag_misses : 0;
	}
}

static void begin_interval(struct gpu *g, uint64_t cycle)
{
	struct flow_log *l = g->perf->flow_log;
	l->began = cycle;
	for (uint32_t k = 0; k < l->n_cores; k++)
		begin_core(l, &g->perf->timing.core[k]);
	memset(l->latency, 0, (size_t)l->n_cores * LATENCY_BINS * sizeof *l->latency);
	memset(l->dram, 0, (size_t)l->n_cores * l->n_dram * sizeof *l->dram);
}

void flow_log_restart(struct gpu *g)
{
	thread_flow_restart(&g->perf->flow_log->flow);
	begin_interval(g, gpu_state(g)->cycle - g->perf->s->batch_cycle);
}

/* ---- the lines ---- */

static void print_name(const struct flow_log *l, const char *name, uint32_t core, struct text *out)
{
	text_addf(out, "%s%02" PRIu32 "-%" PRIu64 " = ", name, core, l->began);
}

static void print_bins(const struct flow_log *l, const char *name, const uint32_t *bins, uint32_t n, struct text *out)
{
	for (uint32_t core = 0; core < l->n_cores; core++) {
		print_name(l, name, core, out);
		for (uint32_t k = 0; k < n; k++)
			text_addf(out, "%" PRIu32 " ", bins[(size_t)core * n + k]);
		text_addc(out, '\n');
	}
}

static void print_occupancy(const struct flow_log *l, const struct core *core, struct text *out)
{
	for (uint32_t k = 0; k < l->n_cores; k++) {
		print_name(l, "ShdrWarpOcc", k, out);
		for (unsigned lanes = 0; lanes <= core[k].cfg->warp_threads; lanes++)
			text_addf(out, "%" PRIu64 " ", core[k].stats->occupancy[lanes] - l->begun[k].occupancy[lanes]);
		text_addc(out, '\n');
	}
}

static void print_caches(const struct flow_log *l, const struct core *core, struct text *out)
{
	for (uint32_t k = 0; k < l->n_cores; k++) {
		print_name(l, "ShdrCacheMiss", k, out);
		for (enum logged_cache i = 0; i < LOGGED_CACHES; i++) {
			const struct cache *c = cache_of(&core[k], i);
			const struct cache_stats *s = c ? cache_get_stats(c) : NULL;
			text_addf(out, "%" PRIu64 " %" PRIu64 " ", s ? s->tag_accesses - l->begun[k].accesses[i] : 0,
				  s ? s->tag_misses - l->begun[k].misses[i] : 0);
		}
		text_addc(out, '\n');
	}
}

/* The interval under way. */
static void print_interval(struct gpu *g, struct text *out)
{
	const struct flow_log *l = g->perf->flow_log;
	const struct core *core = g->perf->timing.core;
	for (uint32_t k = 0; k < l->n_cores; k++) {
		print_name(l, "CFLog", k, out);
		thread_flow_print(&l->flow, &g->program, k, out);
	}
	print_name(l, "ShdrCTACount", 0, out);
	for (uint32_t k = 0; k < l->n_cores; k++)
		text_addf(out, "%" PRIu32 " ", core[k].s->active_ctas);
	text_addc(out, '\n');
	print_occupancy(l, core, out);
	print_bins(l, "ShdrMemAcc", l->dram, l->n_dram, out);
	print_bins(l, "ShdrMemLat", l->latency, LATENCY_BINS, out);
	print_caches(l, core, out);
}

void statistics_print_flow(struct gpu *g, struct text *out)
{
	if (g->perf && g->perf->flow_log)
		print_interval(g, out);
}

void flow_log_cycle(struct gpu *g, uint64_t cycle)
{
	struct flow_log *l = g->perf->flow_log;
	if (cycle % l->interval)
		return;
	print_interval(g, gpu_log(g));
	for (uint32_t k = 0; k < l->n_cores; k++)
		thread_flow_next(&l->flow, k);
	begin_interval(g, cycle);
}
