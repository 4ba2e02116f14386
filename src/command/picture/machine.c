/* `info machine`: what the simulated machine consists of, and what it can do at most in a cycle. */
#include <inttypes.h>
#include <stdio.h>

#include "command/info.h"
#include "command/picture/picture.h"
#include "gpu/config/config.h"
#include "timing/cache/cache.h"
#include "timing/ldst/ldst.h"

static void real(struct report *answer, const char *name, double v)
{
	char look[32];
	snprintf(look, sizeof look, "%g", v);
	report_real(answer, name, v, look);
}

static void cache(struct report *answer, const char *name, const struct cache_config *c)
{
	if (c->disabled || !c->sets)
		return;
	report_open(answer, NULL);
	report_text(answer, "cache", name);
	report_number(answer, "size_bytes", (uint64_t)c->sets * c->line * c->ways);
	report_number(answer, "sets", c->sets);
	report_number(answer, "ways", c->ways);
	report_number(answer, "line_bytes", c->line);
	report_number(answer, "mshrs", c->mshr_entries);
	report_line(answer, "  {cache}: {size_bytes} bytes, {sets} sets of {ways} lines of {line_bytes} bytes, {mshrs} MSHRs\n");
	report_close(answer);
}

static void core(const struct core_config *c, struct report *answer)
{
	report_number(answer, "clusters", c->n_clusters);
	report_number(answer, "cores", c->n_cores);
	report_number(answer, "warps_per_core", c->n_warps);
	report_number(answer, "blocks_per_core", c->n_ctas);
	report_number(answer, "schedulers", c->schedulers);
	report_number(answer, "issue_width", c->max_issue);
	report_number(answer, "register_banks", c->reg_banks);
	report_number(answer, "shared_bytes", c->shared_bytes);
	report_number(answer, "shared_banks", c->shared_banks);
	report_line(answer, "{cores} core{cores|s} in {clusters} cluster{clusters|s}: {warps_per_core} warps and {blocks_per_core} blocks each, {schedulers} scheduler{schedulers|s}, "
			    "{register_banks} register banks, {shared_bytes} bytes of shared memory in {shared_banks} banks\n");
	report_list(answer, "units");
	for (uint32_t k = 0; c->model && k < c->model->n_units; k++) {
		const bool is_ldst = !c->model->units[k].stages;
		report_open(answer, NULL);
		report_text(answer, "unit", is_ldst ? "LDST" : c->model->units[k].name);
		report_number(answer, "number", is_ldst ? 1 : c->units[k]);
		report_line(answer, "  {number} {unit} unit{number|s}\n");
		report_close(answer);
	}
	report_close(answer);
}

static void memory(struct debug *d, const struct timing_config *cfg, struct report *answer)
{
	const struct partition_config *p = &cfg->partition;
	const struct dram_config *m = &p->dram;
	const double core_cycle = cfg->period[0], dram_cycle = cfg->period[3], icnt_cycle = cfg->period[1];
	const double bytes = (double)p->n_partitions * m->chips * m->bus_width * m->data_ratio * (dram_cycle > 0 ? core_cycle / dram_cycle : 0);
	(void)d;
	report_number(answer, "partitions", p->n_partitions);
	report_number(answer, "sub_partitions", (uint64_t)p->n_partitions * p->subs_per_partition);
	report_number(answer, "dram_banks", m->t.nbk);
	report_number(answer, "dram_queue", m->queue_size);
	report_number(answer, "dram_bytes_per_cycle", (uint64_t)m->chips * m->bus_width * m->data_ratio);
	report_line(answer, "{partitions} memory partition{partitions|s}, {sub_partitions} L2 bank{sub_partitions|s}, {dram_banks} DRAM banks in each, "
			    "{dram_bytes_per_cycle} bytes a DRAM cycle\n");
	report_open(answer, "clocks_mhz");
	real(answer, "core", core_cycle > 0 ? 1e-6 / core_cycle : 0);
	real(answer, "network", icnt_cycle > 0 ? 1e-6 / icnt_cycle : 0);
	real(answer, "l2", cfg->period[2] > 0 ? 1e-6 / cfg->period[2] : 0);
	real(answer, "dram", dram_cycle > 0 ? 1e-6 / dram_cycle : 0);
	report_line(answer, "clocks in MHz: core {core}, network {network}, L2 {l2}, DRAM {dram}\n");
	report_close(answer);
	const uint64_t warps = (uint64_t)cfg->core.n_cores * cfg->core.schedulers * cfg->core.max_issue;
	report_open(answer, "most_per_core_cycle");
	report_number(answer, "warp_instructions", warps);
	report_number(answer, "thread_instructions", warps * LANES);
	real(answer, "dram_bytes", bytes);
	real(answer, "network_bytes", (double)cfg->core.n_clusters * cfg->core.flit_bytes * (icnt_cycle > 0 ? core_cycle / icnt_cycle : 0));
	report_line(answer, "at most in a core cycle: {warp_instructions} instructions of warps ({thread_instructions} of threads), {dram_bytes} bytes from or to DRAM, "
			    "{network_bytes} bytes through the network to the cores\n");
	report_close(answer);
}

bool info_machine(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const struct timing *t = observer_machine(d, "info machine", why);
	if (!t || args[0])
		return t && debug_fail(why, "usage: info machine");
	const struct timing_config *cfg = t->cfg;
	const struct config *c = gpu_config(d->g);
	report_text(answer, "configuration", c && config_name(c) ? config_name(c) : "");
	report_line(answer, "{configuration}\n");
	core(&cfg->core, answer);
	report_list(answer, "caches");
	cache(answer, "L1I", &cfg->core.l1i);
	cache(answer, "L1D", &cfg->core.l1d);
	cache(answer, "L1C", &cfg->core.l1c);
	cache(answer, "L1T", &cfg->core.l1t);
	cache(answer, "L2 bank", &cfg->partition.l2);
	report_close(answer);
	memory(d, cfg, answer);
	return true;
}
