/* The blocks of GPGPU-Sim 3.2.2's printout that aren't lines of one figure each. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "gpu/statistics/statistics_internal.h"
#include "timing/ldst/ldst.h"

/* ---- general ---- */

/* Returns true if the launch is the one that ran last, or overlapped with it. */
static bool belongs_to_run(const struct gpu *g, const struct gpu_launch_info *l)
{
	return l->performance && l->run == gpu_state(g)->run && l->state != GPU_LAUNCH_QUEUED && l->state != GPU_LAUNCH_KILLED;
}

/* Where all are in one stream there is nothing to tell. */
static void print_streams(struct gpu *g, uint32_t n, struct text *out)
{
	struct text line = {0};
	bool any = false;
	for (uint32_t k = 0; k < n; k++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (!belongs_to_run(g, l))
			continue;
		text_addf(&line, "%" PRIu32 " ", l->launch.stream);
		any |= l->launch.stream;
	}
	if (any)
		text_addf(out, "kernel_stream_id = %s\n", text_str(&line));
	text_free(&line);
}

/* (GPGPU-Sim numbers launches from 1 on. 3.2.2 prints no streams, 4.x does.) */
void statistics_print_kernels(struct gpu *g, struct text *out)
{
	const uint32_t n = gpu_launch_count(g);
	text_add(out, "kernel_name = ");
	for (uint32_t k = 0; k < n; k++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (belongs_to_run(g, l))
			text_addf(out, "%s ", g->program.functions[l->launch.function]->name);
	}
	text_add(out, "\nkernel_launch_uid = ");
	for (uint32_t k = 0; k < n; k++)
		if (belongs_to_run(g, gpu_launch_at(g, k)))
			text_addf(out, "%" PRIu32 " ", k + 1);
	text_addc(out, '\n');
	print_streams(g, n, out);
}

/* ---- L1 caches ---- */

/* Of the cores from `first` on. */
static struct cache_stats l1d_of(const struct timing *t, uint32_t first, uint32_t n)
{
	struct cache_stats sum = {0};
	for (uint32_t k = first; k < first + n; k++)
		for (uint32_t v = 0; v < LDST_L1D_VARIANTS; v++) {
			const struct cache *c = ldst_l1d_variant(&t->core[k], v);
			if (c)
				cache_stats_add(&sum, cache_get_stats(c));
		}
	return sum;
}

static void print_l1d(const struct timing *t, const struct cache_stats *all, struct text *out)
{
	const struct core_config *cfg = &t->cfg->core;
	text_add(out, "L1D_cache:\n");
	for (uint32_t k = 0; k < cfg->n_clusters; k++) {
		struct cache_stats sum = l1d_of(t, k * cfg->cores_per_cluster, cfg->cores_per_cluster);
		cache_print_one("\tL1D_cache_core", k, &sum, out);
	}
	cache_print_totals("\tL1D", all, out);
	cache_print_ports("\tL1D_cache", all, out);
}

void statistics_print_core_caches(struct gpu *g, struct text *out)
{
	const struct timing *t = &g->perf->timing;
	const struct core_config *cfg = &t->cfg->core;
	struct statistics s;
	statistics_collect(g, &s);
	if (!cfg->l1i.disabled) {
		cache_print_banner("Core cache stats", out);
		text_add(out, "L1I_cache:\n");
		cache_print_totals("\tL1I", &s.n.l1i, out);
	}
	if (!cfg->l1d.disabled)
		print_l1d(t, &s.n.l1d, out);
	if (!cfg->l1c.disabled) {
		text_add(out, "L1C_cache:\n");
		cache_print_totals("\tL1C", &s.n.l1c, out);
	}
	if (!cfg->l1t.disabled) {
		text_add(out, "L1T_cache:\n");
		cache_print_totals("\tL1T", &s.n.l1t, out);
	}
}

void statistics_print_core_breakdown(struct gpu *g, struct text *out)
{
	struct statistics s;
	statistics_collect(g, &s);
	struct cache_stats all = s.n.l1i;
	cache_stats_add(&all, &s.n.l1d);
	cache_stats_add(&all, &s.n.l1c);
	cache_stats_add(&all, &s.n.l1t);
	text_add(out, "\nTotal_core_cache_stats:\n");
	cache_print_breakdown("Total_core_cache_stats_breakdown", &all, out);
}

/* ---- cores ---- */

/* Spelt as there. */
void statistics_print_warp_issue(struct gpu *g, struct text *out)
{
	const struct timing *t = &g->perf->timing;
	const uint64_t sampled = (uint64_t)config_int(g->config, "gpgpu_warp_issue_shader");
	const uint64_t *issued = sampled < t->cfg->core.n_cores ? t->core[sampled].stats->warp_issue : NULL;
	uint32_t n = issued ? CORE_WARPS_MAX : 0;
	while (n && !issued[n - 1])
		n--;
	text_addf(out, "Shader %" PRIu64 " warp_id issue ditsribution:\nwarp_id:\n", sampled);
	for (uint32_t k = 0; k < n; k++)
		text_addf(out, "%" PRIu32 ", ", k);
	text_add(out, "\ndistro:\n");
	for (uint32_t k = 0; k < n; k++)
		text_addf(out, "%" PRIu64 ", ", issued[k]);
	text_addc(out, '\n');
}

void statistics_print_occupancy(struct gpu *g, struct text *out)
{
	struct statistics s;
	const struct timing *t = &g->perf->timing;
	statistics_collect(g, &s);
	const struct core_stats *c = &s.n.core;
	text_add(out, "Warp Occupancy Distribution:\n");
	text_addf(out, "Stall:%" PRIu64 "\tW0_Idle:%" PRIu64 "\tW0_Scoreboard:%" PRIu64, c->stall, c->w0_idle,
		  c->w0_scoreboard);
	for (unsigned lanes = 1; lanes <= t->cfg->core.warp_threads; lanes++)
		text_addf(out, "\tW%u:%" PRIu64, lanes, c->occupancy[lanes]);
	text_addc(out, '\n');
}

static uint64_t packets(const struct timing *t, bool in, uint32_t row, uint32_t size)
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < t->cfg->core.n_clusters; k++) {
		const struct cluster_state *s = t->cluster[k].s;
		n += (in ? &s->in : &s->out)->packets[row][size];
	}
	return n;
}

static void print_direction(const struct timing *t, bool in, struct text *out)
{
	for (uint32_t k = 0; k < TRAFFIC_ROWS; k++) {
		const uint32_t row = statistics_traffic_order[k];
		struct text sizes = {0};
		uint64_t bytes = 0;
		for (uint32_t size = 0; size < TRAFFIC_SIZES; size++) {
			const uint64_t n = packets(t, in, row, size);
			bytes += n * (size + 1) * 8;
			if (n)
				text_addf(&sizes, "%" PRIu32 ":%" PRIu64 ",", (size + 1) * 8, n);
		}
		if (sizes.n)
			text_addf(out, "traffic_breakdown_%s[%s] = %" PRIu64 " {%s}\n", in ? "memtocore" : "coretomem",
				  statistics_traffic_name(row), bytes, text_str(&sizes));
		text_free(&sizes);
	}
}

void statistics_print_traffic(struct gpu *g, struct text *out)
{
	print_direction(&g->perf->timing, false, out);
	print_direction(&g->perf->timing, true, out);
}

/* ---- memory ---- */

static void print_table(const char *name, const uint64_t *bins, unsigned n, struct text *out)
{
	text_addf(out, "%s:", name);
	for (unsigned k = 0; k < n; k++)
		text_addf(out, "%" PRIu64 " \t", bins ? bins[k] : 0);
	text_addc(out, '\n');
}

void statistics_print_latency(struct gpu *g, struct text *out)
{
	const struct timing *t = &g->perf->timing;
	const struct latency_stats *l = &t->s->latency;
	struct partition_stats p;
	if (!t->cfg->memlatency_stat)
		return;
	partitions_get_stats(t->partitions, &p);
	text_addf(out, "maxmrqlatency = %" PRIu64 " \nmaxdqlatency = 0 \n", p.max_mrq_latency);
	text_addf(out, "maxmflatency = %" PRIu64 " \n", l->max_mf);
	if (l->windows)
		text_addf(out, "averagemflatency = %" PRIu64 " \n", l->windows_sum / l->windows);
	text_addf(out, "max_icnt2mem_latency = %" PRIu64 " \n", p.max_icnt_to_mem_latency);
	text_addf(out, "max_icnt2sh_latency = %" PRIu64 " \n", l->max_icnt2sh);
	print_table("mrq_lat_table", p.mrq_latency_table, 32, out);
	print_table("dq_lat_table", NULL, 32, out);
	print_table("mf_lat_table", l->mf_table, 32, out);
	print_table("icnt2mem_lat_table", p.icnt_to_mem_latency_table, 24, out);
	print_table("icnt2sh_lat_table", l->icnt2sh_table, 24, out);
	print_table("mf_lat_pw_table", l->mf_window_table, 32, out);
	partitions_print_bank_tables(t->partitions, out);
}

void statistics_print_partitions(struct gpu *g, struct text *out)
{
	const struct timing *t = &g->perf->timing;
	for (uint32_t k = 0; k < t->cfg->partition.n_partitions; k++)
		partition_print(t->partitions, k, out);
}

void statistics_print_l2(struct gpu *g, struct text *out)
{
	const struct timing *t = &g->perf->timing;
	const struct partition_config *cfg = &t->cfg->partition;
	const uint32_t n = cfg->n_partitions * cfg->subs_per_partition;
	if (!sub_partition_l2(t->partitions, 0))
		return;
	struct cache_stats *banks = xcalloc(n, sizeof *banks);
	for (uint32_t k = 0; k < n; k++)
		banks[k] = *cache_get_stats(sub_partition_l2(t->partitions, k));
	cache_print_l2(banks, n, out);
	free(banks);
}

/* ---- stream buffers ---- */

void statistics_print_streams(struct gpu *g, struct text *out)
{
	const struct performance *pf = g->perf;
	uint64_t reads = 0, writes = 0;
	if (!pf->config->core.streams.size)
		return;
	for (uint32_t k = 0; k < pf->config->core.n_cores; k++) {
		core_wake(&pf->timing.core[k]);
		reads += pf->timing.core[k].stats->stall_shd_mem[STALL_G_MEM_LD][STALL_STREAM_READ];
		writes += pf->timing.core[k].stats->stall_shd_mem[STALL_G_MEM_ST][STALL_STREAM_WRITE];
	}
	text_addf(out, "gpgpu_stall_shd_mem[g_mem_ld][stream_buffer_read_stall] = %" PRIu64 "\n", reads);
	text_addf(out, "gpgpu_stall_shd_mem[g_mem_st][stream_buffer_write_stall] = %" PRIu64 "\n", writes);
}

/* ---- the memory of a DRAM standard ---- */

void statistics_print_dram_standard(struct gpu *g, struct text *out)
{
	const struct sdram *d = partitions_memory(g->perf->timing.partitions);
	struct sdram_totals n;
	if (!d)
		return;
	sdram_get_totals(d, &n);
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {
		{"cycles", n.cycles}, {"active_cycles", n.active_cycles}, {"data_cycles", n.data_cycles}, {"reads", n.reads}, {"writes", n.writes},
		{"forwarded_reads", n.forwarded}, {"row_hits", n.row_hits}, {"row_misses", n.row_misses}, {"row_conflicts", n.row_conflicts},
		{"activates", n.activates}, {"precharges", n.precharges}, {"refreshes", n.refreshes}, {"selects", n.selects}, {"copies", n.copies},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		text_addf(out, "dram_standard_%s = %" PRIu64 "\n", rows[k].name, rows[k].value);
	text_addf(out, "dram_standard_read_latency = %.4f\n", n.reads ? (double)n.read_latency_sum / (double)n.reads : 0);
	text_addf(out, "dram_standard_queue_length = %.4f\n", n.cycles ? (double)n.queue_length_sum / (double)n.cycles : 0);
}

/* ---- network ---- */

/* Kept there, but for each kind of access nothing was ever added. */
void statistics_print_status_times(struct gpu *g, struct text *out)
{
	(void)g;
	static const char *const names[] = {"LD_mem_lat_dist ", "ST_mem_lat_dist "};
	for (unsigned k = 0; k < 2; k++) {
		text_add(out, names[k]);
		for (unsigned i = 0; i < STATISTICS_STATUSES; i++)
			text_add(out, " 0");
		text_addc(out, '\n');
	}
}

void statistics_print_network(struct gpu *g, struct text *out)
{
	if (g->perf->timing.icnt)
		icnt_print_stats(g->perf->timing.icnt, out);
}

/* ---- the host ---- */

static unsigned long long seconds(const struct gpu *g)
{
	return g->host_seconds < 1 ? 1 : (unsigned long long)g->host_seconds;
}

void statistics_print_host_rate(struct gpu *g, struct text *out)
{
	struct gpu_stats s;
	gpu_get_stats(g, &s);
	text_addf(out, "gpu_total_sim_rate=%llu\n", (unsigned long long)s.tot_sim_insn / seconds(g));
}

void statistics_print_host_time(struct gpu *g, struct text *out)
{
	const unsigned long long s = seconds(g);
	text_addf(out, "gpgpu_simulation_time = %llu days, %llu hrs, %llu min, %llu sec (%llu sec)\n", s / 86400,
		  s / 3600 % 24, s / 60 % 60, s % 60, s);
}

void statistics_print_host_rates(struct gpu *g, struct text *out)
{
	struct gpu_stats s;
	gpu_get_stats(g, &s);
	text_addf(out, "gpgpu_simulation_rate = %llu (inst/sec)\n", (unsigned long long)s.tot_sim_insn / seconds(g));
	text_addf(out, "gpgpu_simulation_rate = %llu (cycle/sec)\n", (unsigned long long)s.tot_sim_cycle / seconds(g));
}
