/* The log of samples that AerialVision shows over time, a text line for each metric. Source: GPGPU-Sim 3.2.2 (visualizer).
 *
 * Most figures are of the interval since the last sample. What that needs is remembered here, outside the machine: going back in time
 * doesn't take lines out of a log. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/statistics/logs.h"
#include "gpu/statistics/statistics_internal.h"
#include "gpu/statistics/thread_flow.h"

#define GROUP 32u /* dynamic warp ids are added up in groups of so many */

struct samples {
	void (*fn)(void *self, const char *s, size_t n);
	void *self;
	struct core_stats last; /* of all cores */
	uint64_t last_issue[CORE_WARPS_MAX]; /* of the sampled core */
	struct dram_stats *last_dram;	     /* [partitions] */
	uint64_t *dynamic, *last_dynamic;    /* instructions of the sampled core by group of dynamic ids */
	size_t n_dynamic;
	struct thread_flow flow;
};

static uint32_t sampled_core(const struct gpu *g)
{
	const uint64_t k = (uint64_t)config_int(g->config, "gpgpu_warp_issue_shader");
	return k < g->perf->config->core.n_cores ? (uint32_t)k : 0;
}

/* ---- what is noted at each issue ---- */

static void note_dynamic(struct samples *s, uint64_t id, uint64_t n)
{
	const size_t group = id / GROUP;
	if (group >= s->n_dynamic) {
		const size_t more = group + 1;
		s->dynamic = xrealloc(s->dynamic, more * sizeof *s->dynamic);
		s->last_dynamic = xrealloc(s->last_dynamic, more * sizeof *s->last_dynamic);
		memset(s->dynamic + s->n_dynamic, 0, (more - s->n_dynamic) * sizeof *s->dynamic);
		memset(s->last_dynamic + s->n_dynamic, 0, (more - s->n_dynamic) * sizeof *s->last_dynamic);
		s->n_dynamic = more;
	}
	s->dynamic[group] += n;
}

void perf_note_sample(struct gpu *g, const struct core *c, const struct inst *i)
{
	struct samples *s = g->perf->samples;
	thread_flow_note(&s->flow, &g->program, c, i);
	if (c->id == sampled_core(g))
		note_dynamic(s, i->dynamic_warp, c->s->issued + 1);
}

/* ---- the lines ---- */

static void print_flow(struct gpu *g, struct text *out)
{
	struct thread_flow *f = &g->perf->samples->flow;
	for (uint32_t k = 0; k < f->n_cores; k++) {
		text_addf(out, "CFLog%02" PRIu32 ": ", k);
		thread_flow_print(f, &g->program, k, out);
		thread_flow_next(f, k);
	}
}

static void print_ctas(const struct gpu *g, struct text *out)
{
	text_add(out, "ShdrCTACount: ");
	for (uint32_t k = 0; k < g->perf->config->core.n_cores; k++)
		text_addf(out, "%" PRIu32 " ", g->perf->timing.core[k].s->active_ctas);
	text_addc(out, '\n');
}

static uint64_t percent(uint64_t part, uint64_t whole) { return whole ? 100 * part / whole : 0; }

static void print_banks(const struct dram *d, uint32_t id, struct text *out)
{
	static const struct {
		const char *name;
		enum access_type type;
	} rows[] = {{"global_acc_r", GLOBAL_ACC_R}, {"global_acc_w", GLOBAL_ACC_W}, {"local_acc_r", LOCAL_ACC_R},
		    {"local_acc_w", LOCAL_ACC_W},   {"const_acc_r", CONST_ACC_R},   {"texture_acc_r", TEXTURE_ACC_R}};
	for (uint32_t bank = 0; bank < dram_bank_count(d); bank++)
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			text_addf(out, "dram%s: %" PRIu32 " %" PRIu32 " %" PRIu64 "\n", rows[i].name, id, bank,
				  dram_get_bank_stats(d, bank)->by_type[rows[i].type]);
}

static void print_dram(const struct dram *d, uint32_t id, struct dram_stats *last, struct text *out)
{
	const struct dram_stats *now = dram_get_stats(d);
	const uint64_t cmd = now->n.cmd - last->n.cmd, data = now->n.data_cycles - last->n.data_cycles;
	const struct {
		const char *name;
		uint64_t v;
	} rows[] = {{"ncmd", cmd},
		    {"nop", now->n.nop - last->n.nop},
		    {"nact", now->n.act - last->n.act},
		    {"npre", now->n.pre - last->n.pre},
		    {"nreq", now->n.req - last->n.req},
		    {"avemrqs", cmd ? (now->n.queue_sum - last->n.queue_sum) / cmd : 0},
		    {"util", percent(data, cmd)},
		    {"eff", percent(data, now->n.activity - last->n.activity)}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		text_addf(out, "dram%s: %" PRIu32 " %" PRIu64 "\n", rows[i].name, id, rows[i].v);
	print_banks(d, id, out);
	*last = *now;
}

static void print_divergence(const struct gpu *g, const struct core_stats *now, struct text *out)
{
	struct core_stats *last = &g->perf->samples->last;
	const uint64_t cores = config_int(g->config, "gpgpu_warpdistro_shader") == -1 ? g->perf->config->core.n_cores : 1;
	text_addf(out, "WarpDivergenceBreakdown: %" PRIu64 " %" PRIu64 " %" PRIu64, (now->w0_idle - last->w0_idle) / cores,
		  (now->w0_scoreboard - last->w0_scoreboard) / cores, (now->stall - last->stall) / cores);
	const unsigned threads = g->perf->config->core.warp_threads, step = threads < 8 ? 1 : threads / 8;
	for (unsigned lanes = 1, sum = 0; lanes <= threads; lanes++) {
		sum += (unsigned)(now->occupancy[lanes] - last->occupancy[lanes]);
		if (lanes % step)
			continue;
		text_addf(out, " %" PRIu64, sum / cores);
		sum = 0;
	}
	text_addc(out, '\n');
	*last = *now;
}

/* Of each what came since the last time, up to the highest that was ever issued. */
static void print_issues(const char *name, const uint64_t *now, uint64_t *last, size_t n, struct text *out)
{
	while (n && !now[n - 1])
		n--;
	text_add(out, name);
	if (!n)
		text_add(out, " 0");
	for (size_t k = 0; k < n; k++) {
		text_addf(out, " %" PRIu64, now[k] - last[k]);
		last[k] = now[k];
	}
	text_addc(out, '\n');
}

static void print_cores(const struct gpu *g, struct text *out)
{
	const struct core *core = g->perf->timing.core;
	const uint32_t n = g->perf->config->core.n_cores;
	text_add(out, "gpgpu_n_cache_bkconflict: 0\ngpgpu_n_shmem_bkconflict: 0\nshaderinsncount:  ");
	for (uint32_t k = 0; k < n; k++)
		text_addf(out, "%" PRIu64 " ", core[k].stats->thread_icount);
	text_add(out, "\nshaderwarpinsncount:  ");
	for (uint32_t k = 0; k < n; k++)
		text_addf(out, "%" PRIu64 " ", core[k].stats->warp_icount);
	text_add(out, "\nshaderwarpdiv: ");
	for (uint32_t k = 0; k < n; k++)
		text_add(out, "0 ");
	text_addc(out, '\n');
}

static void print_end(const struct gpu *g, struct text *out)
{
	const struct latency_stats *l = &g->perf->timing.s->latency;
	static const char *const names[] = {"LDmemlatdist:", "STmemlatdist:"};
	struct gpu_stats all;
	gpu_get_stats(g, &all);
	if (l->windows) /* without the one that this sample closes */
		text_addf(out, "averagemflatency: %" PRIu64 "\n", l->windows_sum / l->windows);
	const uint64_t insns = g->perf->timing.s->sim_insn - g->perf->s->batch_insns;
	text_addf(out, "globalcyclecount: %" PRIu64 "\nglobalinsncount: %" PRIu64 "\nglobaltotinsncount: %" PRIu64 "\n",
		  gpu_state(g)->cycle - g->perf->s->batch_cycle, insns, all.tot_sim_insn - insns);
	for (unsigned k = 0; k < 2; k++) {
		text_add(out, names[k]);
		for (unsigned i = 0; i < STATISTICS_STATUSES; i++)
			text_add(out, " 0");
		text_addc(out, '\n');
	}
}

void perf_take_sample(struct gpu *g)
{
	struct samples *s = g->perf->samples;
	struct text out = {0};
	struct statistics all;
	if (!s)
		return;
	statistics_collect(g, &all);
	print_flow(g, &out);
	print_ctas(g, &out);
	for (uint32_t k = 0; k < g->perf->config->partition.n_partitions; k++)
		print_dram(partition_dram(g->perf->timing.partitions, k), k, &s->last_dram[k], &out);
	print_divergence(g, &all.n.core, &out);
	print_issues("WarpIssueSlotBreakdown:", g->perf->timing.core[sampled_core(g)].stats->warp_issue, s->last_issue, CORE_WARPS_MAX, &out);
	print_issues("WarpIssueDynamicIdBreakdown:", s->dynamic, s->last_dynamic, s->n_dynamic, &out);
	print_cores(g, &out);
	print_end(g, &out);
	s->fn(s->self, text_str(&out), out.n);
	text_free(&out);
}

/* ---- beginning and end ---- */

/* All counts are 0 again, or the machine was built anew. */
void perf_forget_samples(struct gpu *g)
{
	struct samples *s = g->perf->samples;
	if (!s)
		return;
	s->last = (struct core_stats){0};
	memset(s->last_issue, 0, sizeof s->last_issue);
	for (uint32_t k = 0; k < g->perf->config->partition.n_partitions; k++)
		s->last_dram[k] = *dram_get_stats(partition_dram(g->perf->timing.partitions, k));
}

/* Where threads are is forgotten: the hardware's threads get new work. */
void perf_begin_samples(struct gpu *g)
{
	if (g->perf->samples)
		thread_flow_restart(&g->perf->samples->flow);
}

void perf_stop_samples(struct gpu *g)
{
	struct samples *s = g->perf->samples;
	if (!s)
		return;
	free(s->last_dram);
	free(s->dynamic);
	free(s->last_dynamic);
	thread_flow_free(&s->flow);
	free(s);
	g->perf->samples = NULL;
	perf_hook_logs(g);
}

static void begin_samples(struct gpu *g)
{
	const struct timing_config *cfg = g->perf->config;
	struct samples *s = g->perf->samples = xcalloc(1, sizeof *s);
	s->fn = g->sample_fn;
	s->self = g->sample_self;
	s->last_dram = xcalloc(cfg->partition.n_partitions, sizeof *s->last_dram);
	thread_flow_init(&s->flow, cfg->core.n_cores, cfg->core.n_warps * cfg->core.warp_threads);
	perf_forget_samples(g);
	perf_hook_logs(g);
}

void gpu_watch_samples(struct gpu *g, void (*fn)(void *self, const char *s, size_t n), void *self)
{
	struct performance *const in_use = g->perf;
	g->sample_fn = fn;
	g->sample_self = self;
	if (!g->machine)
		return;
	g->perf = g->machine;
	perf_stop_samples(g);
	if (fn)
		begin_samples(g);
	g->perf = in_use;
}
