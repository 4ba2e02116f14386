/* AerialVision's log from the time-lapse samples that are kept: a line for each metric and sample, as -visualizer_enabled writes them. Source: GPGPU-Sim
 * 3.2.2 (visualizer). What samples don't hold (CFLog, dynamic warp ids) has no lines. */
#include <inttypes.h>
#include <string.h>

#include "command/picture/export.h"
#include "gpu/statistics/timelapse.h"

struct lapse {
	const struct gpu *g;
	struct timelapse_view v;
	uint32_t k; /* the sample that is written */
};

static size_t column(enum timelapse_scope scope, const char *name)
{
	size_t k = 0;
	while (timelapse_columns[k].scope != scope || strcmp(timelapse_columns[k].name, name))
		k++;
	return k;
}

static uint64_t value(const struct lapse *l, enum timelapse_scope scope, const char *name, uint32_t which)
{
	return gpu_timelapse_value(l->g, l->k, column(scope, name), which, 0);
}

/* Returns what was counted since the sample before. */
static uint64_t since(const struct lapse *l, enum timelapse_scope scope, const char *name, uint32_t which)
{
	const size_t c = column(scope, name);
	return gpu_timelapse_value(l->g, l->k, c, which, 0) - (l->k ? gpu_timelapse_value(l->g, l->k - 1, c, which, 0) : 0);
}

static void per_core(const struct lapse *l, const char *title, const char *name, struct text *out)
{
	text_add(out, title);
	for (uint32_t k = 0; k < l->v.count[TIMELAPSE_CORE]; k++)
		text_addf(out, "%" PRIu64 " ", value(l, TIMELAPSE_CORE, name, k));
	text_addc(out, '\n');
}

static void dram(const struct lapse *l, uint32_t partition, struct text *out)
{
	static const char *const banks[][2] = {{"global_acc_r", "global_reads"}, {"global_acc_w", "global_writes"}, {"local_acc_r", "local_reads"},
					       {"local_acc_w", "local_writes"}, {"const_acc_r", "constant_reads"}, {"texture_acc_r", "texture_reads"}};
	const uint64_t cmd = since(l, TIMELAPSE_PARTITION, "dram_commands", partition), data = since(l, TIMELAPSE_PARTITION, "dram_data", partition),
		       active = since(l, TIMELAPSE_PARTITION, "dram_active", partition), queue = since(l, TIMELAPSE_PARTITION, "dram_queue", partition);
	text_addf(out, "dramncmd: %u %" PRIu64 "\n", partition, cmd);
	text_addf(out, "dramnop: %u %" PRIu64 "\n", partition, since(l, TIMELAPSE_PARTITION, "dram_nops", partition));
	text_addf(out, "dramnact: %u %" PRIu64 "\n", partition, since(l, TIMELAPSE_PARTITION, "dram_activates", partition));
	text_addf(out, "dramnpre: %u %" PRIu64 "\n", partition, since(l, TIMELAPSE_PARTITION, "dram_precharges", partition));
	text_addf(out, "dramnreq: %u %" PRIu64 "\n", partition, since(l, TIMELAPSE_PARTITION, "dram_requests", partition));
	text_addf(out, "dramavemrqs: %u %" PRIu64 "\n", partition, cmd ? queue / cmd : 0);
	text_addf(out, "dramutil: %u %" PRIu64 "\n", partition, cmd ? 100 * data / cmd : 0);
	text_addf(out, "drameff: %u %" PRIu64 "\n", partition, active ? 100 * data / active : 0);
	for (uint32_t bank = 0; bank < l->v.count[TIMELAPSE_BANK]; bank++)
		for (size_t k = 0; k < sizeof banks / sizeof *banks; k++)
			text_addf(out, "dram%s: %u %u %" PRIu64 "\n", banks[k][0], partition, bank,
				  gpu_timelapse_value(l->g, l->k, column(TIMELAPSE_BANK, banks[k][1]), partition, bank));
}

static uint64_t all_cores(const struct lapse *l, const char *name)
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < l->v.count[TIMELAPSE_CORE]; k++)
		n += since(l, TIMELAPSE_CORE, name, k);
	return n;
}

static void divergence(const struct lapse *l, struct text *out)
{
	static const char *const names[] = {"idle", "scoreboard", "pipeline", "lanes_1_4", "lanes_5_8", "lanes_9_12", "lanes_13_16", "lanes_17_20", "lanes_21_24",
					    "lanes_25_28", "lanes_29_32"};
	text_add(out, "WarpDivergenceBreakdown:");
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		text_addf(out, " %" PRIu64, all_cores(l, names[k]) / l->v.count[TIMELAPSE_CORE]);
	text_add(out, "\nWarpIssueSlotBreakdown:");
	for (uint32_t k = 0; k < l->v.count[TIMELAPSE_WARP]; k++)
		text_addf(out, " %" PRIu64, since(l, TIMELAPSE_WARP, "issued", k));
	text_addc(out, '\n');
}

bool export_aerialvision(const struct gpu *g, uint64_t first, uint64_t last, struct text *out)
{
	struct lapse l = {.g = g};
	if (!gpu_timelapse(g, &l.v))
		return false;
	for (l.k = 0; l.k < l.v.n; l.k++) {
		const uint64_t cycle = gpu_timelapse_cycle(g, l.k), requests = value(&l, TIMELAPSE_GLOBAL, "latency_requests", 0);
		if (cycle < first || cycle > last)
			continue;
		per_core(&l, "ShdrCTACount: ", "blocks", out);
		for (uint32_t k = 0; k < l.v.count[TIMELAPSE_PARTITION]; k++)
			dram(&l, k, out);
		divergence(&l, out);
		text_add(out, "gpgpu_n_cache_bkconflict: 0\n");
		text_addf(out, "gpgpu_n_shmem_bkconflict: %" PRIu64 "\n", all_cores(&l, "bank_conflicts"));
		per_core(&l, "shaderinsncount:  ", "thread_instructions", out);
		per_core(&l, "shaderwarpinsncount:  ", "warp_instructions", out);
		if (requests)
			text_addf(out, "averagemflatency: %" PRIu64 "\n", value(&l, TIMELAPSE_GLOBAL, "latency_cycles", 0) / requests);
		text_addf(out, "globalcyclecount: %" PRIu64 "\nglobalinsncount: %" PRIu64 "\nglobaltotinsncount: 0\n", cycle - l.v.since,
			  value(&l, TIMELAPSE_GLOBAL, "thread_instructions", 0));
	}
	return true;
}
