/* The statistics' sum for one screen. */
#include "gpu/statistics/statistics_internal.h"

/* Turns of schedulers in which something was issued: as many as instructions, if a warp issues one at a time. */
static uint64_t issued_turns(const struct gpu *g, const struct core_stats *c)
{
	const struct core_config *cfg = &g->perf->config->core;
	const uint64_t all = c->cycles * cfg->schedulers, without = c->stall + c->w0_idle + c->w0_scoreboard;
	uint64_t n = 0;
	for (uint32_t lanes = 0; lanes <= LANES; lanes++)
		n += c->occupancy[lanes];
	return cfg->max_issue == 1 || all < without ? n : all - without;
}

static void add_caches(const struct statistics *s, struct gpu_summary *out)
{
	static const char *const names[SUMMARY_CACHES] = {"L1I", "L1D", "L1C", "L1T", "L2"};
	const struct cache_totals *const all[SUMMARY_CACHES] = {&s->d.l1i, &s->d.l1d, &s->d.l1c, &s->d.l1t, &s->d.l2};
	for (uint32_t k = 0; k < SUMMARY_CACHES; k++) {
		out->cache[k].name = names[k];
		out->cache[k].accesses = all[k]->accesses;
		out->cache[k].misses = all[k]->misses;
	}
}

void gpu_statistics_summary(struct gpu *g, struct gpu_summary *out)
{
	struct statistics s;
	struct gpu_mode_view look;
	gpu_mode_view_begin(g, &look);
	statistics_collect(g, &s);
	const uint64_t issued = g->perf ? issued_turns(g, &s.n.core) : 0;
	gpu_mode_view_end(g, &look);
	const struct statistics_counts *n = &s.n;
	*out = (struct gpu_summary){.cycles = n->cycles,
				    .insns = n->insns - n->core.repeated_insns,
				    .warp_insns = n->core.warp_icount - n->core.repeated_warps,
				    .repeated = n->core.repeated_insns};
	if (!gpu_counts_performance(g))
		return;
	out->issued = issued;
	out->scoreboard = n->core.w0_scoreboard;
	out->unit = n->core.stall;
	out->nothing = n->core.w0_idle;
	add_caches(&s, out);
	out->dram_cycles = n->dram.cmd + n->memory.channel_cycles;
	out->dram_active = n->dram.activity + n->memory.channel_active_cycles;
	out->dram_data = n->dram.data_cycles + n->memory.data_cycles;
	out->dram_reads = n->bank.reads + n->memory.reads;
	out->dram_writes = n->bank.writes + n->memory.writes;
	out->row_accesses = n->bank.row_accesses;
	out->rows_opened = n->bank.row_changes;
	out->bank_conflicts = n->core.stall_shd_mem[STALL_S_MEM][STALL_BK_CONF];
}
