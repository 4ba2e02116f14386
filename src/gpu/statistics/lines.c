/* Figures of single lines of PTX, in the form of AerialVision's source view (GPGPU-Sim 3.2.2). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/statistics/logs.h"
#include "gpu/statistics/statistics.h"

bool gpu_lines_wanted(const struct gpu *g)
{
	if (g->config && config_bool(g->config, "gpgpu_ptx_instruction_classification"))
		return true;
	if (!g->config || !config_bool(g->config, "enable_ptx_file_line_stats"))
		return false;
	return config_is_set(g->config, "enable_ptx_file_line_stats") || config_is_set(g->config, "ptx_line_stats_filename");
}

const char *gpu_statistics_lines_file(const struct gpu *g)
{
	if (!g->perf || !g->perf->timing.line)
		return NULL;
	if (!config_is_set(g->config, "ptx_line_stats_filename") && !config_is_set_by_hand(g->config, "enable_ptx_file_line_stats"))
		return NULL;
	return config_string(g->config, "ptx_line_stats_filename");
}

struct row {
	const char *file;
	uint32_t line;
	struct timing_line n;
};

static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strcmp(x->file, y->file);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void add(struct timing_line *sum, const struct timing_line *n)
{
	sum->count += n->count;
	sum->latency += n->latency;
	sum->dram_traffic += n->dram_traffic;
	sum->smem_conflicts += n->smem_conflicts;
	sum->smem_warps += n->smem_warps;
	sum->gmem_accesses += n->gmem_accesses;
	sum->gmem_warps += n->gmem_warps;
	sum->divergences += n->divergences;
}

/* Rows of the instructions that have been executed; those of one line become one. */
static size_t collect(const struct gpu *g, struct row *rows)
{
	const struct isa_program *p = &g->program;
	const struct timing_line *line = g->machine->timing.line;
	size_t n = 0, kept = 0;
	for (uint32_t pc = 0; pc < p->n_insns; pc++)
		if (line[pc].count || line[pc].dram_traffic)
			rows[n++] = (struct row){p->files[p->where[pc].file].name, p->where[pc].line, line[pc]};
	qsort(rows, n, sizeof *rows, by_place);
	for (size_t i = 0; i < n; i++) {
		if (kept && !by_place(&rows[kept - 1], &rows[i]))
			add(&rows[kept - 1].n, &rows[i].n);
		else
			rows[kept++] = rows[i];
	}
	return kept;
}

/* The exposed latency is 0 there, too. */
static void print(const struct row *r, struct text *out)
{
	const struct timing_line *n = &r->n;
	text_addf(out, "%s %" PRIu32 " : %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " 0 %" PRIu64 " \n",
		  r->file, r->line, n->count, n->latency, n->dram_traffic, n->smem_conflicts, n->smem_warps, n->gmem_accesses,
		  n->gmem_warps, n->divergences);
}

bool gpu_statistics_lines(struct gpu *g, struct text *out)
{
	if (!g->machine || !g->machine->timing.line)
		return false;
	struct row *rows = xcalloc(g->program.n_insns + 1, sizeof *rows);
	const size_t n = collect(g, rows);
	text_add(out, "kernel line : count latency dram_traffic smem_bk_conflicts smem_warp gmem_access_generated gmem_warp exposed_latency "
		      "warp_divergence\n");
	for (size_t i = 0; i < n; i++)
		print(&rows[i], out);
	free(rows);
	return true;
}
