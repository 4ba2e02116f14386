/* What is printed while a kernel runs: every -gpgpu_runtime_stat cycles, as its flags want it. Source: GPGPU-Sim 3.2.2.
 *
 * The lines go where the device's own output goes. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "gpu/statistics/logs.h"
#include "gpu/statistics/statistics_internal.h"
#include "timing/ldst/ldst.h"

/* Flags: 1 core info, 4, 8, 0x20: nothing was ever behind them. */
enum { RUNTIME_DRAM = 0x2, RUNTIME_L1_MISSES = 0x10, RUNTIME_SCHEDULERS = 0x40 };

static void print_dram(const struct timing *t, struct text *out)
{
	struct partition_stats p;
	partitions_get_stats(t->partitions, &p);
	partitions_print_runtime(t->partitions, out);
	text_addf(out, "maxmrqlatency = %" PRIu64 " \nmaxmflatency = %" PRIu64 " \n", p.max_mrq_latency, t->s->latency.max_mf);
}

static void print_l1(const struct timing *t, struct text *out)
{
	struct cache_stats sum = {0};
	char name[16];
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++) {
		const struct cache *c = ldst_l1d(&t->core[k]);
		if (!c)
			continue;
		snprintf(name, sizeof name, "L1D_%03" PRIu32, k);
		cache_print_runtime(name, cache_get_config(c), cache_get_stats(c), out);
		cache_stats_add(&sum, cache_get_stats(c));
	}
	cache_print_runtime_totals(&sum, out);
}

/* A sign of life, at most one in so many seconds of the host; only where -liveness_message_freq asks for it, since it is never the same. */
static void print_liveness(struct gpu *g)
{
	struct performance *pf = g->perf;
	const time_t now = (time_t)gpu_host_now(g);
	struct gpu_stats s;
	char date[64];
	struct tm tm;
	if (!g->host_clock || !config_is_set(g->config, "liveness_message_freq") || now - pf->last_sign < config_int(g->config, "liveness_message_freq"))
		return;
	if (!pf->first_sign)
		pf->first_sign = now;
	pf->last_sign = now;
	gpu_get_stats(g, &s);
	const uint64_t elapsed = now > pf->first_sign ? (uint64_t)(now - pf->first_sign) : 1;
	strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y", localtime_r(&now, &tm));
	text_addf(gpu_log(g),
		  "GPGPU-Sim uArch: cycles simulated: %" PRIu64 "  inst.: %" PRIu64 " (ipc=%4.1f) sim_rate=%" PRIu64
		  " (inst/sec) elapsed = %" PRIu64 ":%" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " / %s\n",
		  s.tot_sim_cycle, s.tot_sim_insn, s.sim_cycle ? (double)s.sim_insn / (double)s.sim_cycle : 0.0, s.tot_sim_insn / elapsed,
		  elapsed / 86400, elapsed / 3600 % 24, elapsed / 60 % 60, elapsed % 60, date);
}

void perf_print_runtime(struct gpu *g)
{
	const struct timing *t = &g->perf->timing;
	const uint32_t flags = t->cfg->runtime_flags;
	print_liveness(g);
	if (flags & RUNTIME_DRAM)
		print_dram(t, gpu_log(g));
	if (flags & RUNTIME_L1_MISSES)
		print_l1(t, gpu_log(g));
	if (flags & RUNTIME_SCHEDULERS)
		statistics_print_warp_issue(g, gpu_log(g));
}
