#include "command/perf/line_counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/view/inlined.h"
#include "debug/view/toolkit.h"
#include "debug/view/source.h"

static int by_place(const void *a, const void *b)
{
	const struct debug_position *x = &((const struct line_count *)a)->at, *y = &((const struct line_count *)b)->at;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static struct debug_position position(struct debug *d, enum line_counts_of of, uint32_t pc)
{
	if (of == LINE_COUNTS_PTX)
		return debug_ptx_position(d, pc);
	const struct isa_loc *own = of == LINE_COUNTS_HEADER ? NULL : debug_loc(d, debug_own_loc(d, pc));
	const struct debug_position at =
		own ? (struct debug_position){own->file, own->line} : debug_cuda_position(d, pc);
	return at.line || of != LINE_COUNTS_BEST ? at : debug_ptx_position(d, pc);
}

static void add(struct exec_count *sum, const struct exec_count *n)
{
	sum->warps += n->warps;
	sum->lanes += n->lanes;
	sum->cycles += n->cycles;
}

/* Instructions of one line become one row. */
static void merge(struct line_counts *c)
{
	size_t kept = 0;
	qsort(c->v, c->n, sizeof *c->v, by_place);
	for (size_t i = 0; i < c->n; i++) {
		struct line_count *last = kept ? &c->v[kept - 1] : NULL;
		if (last && !by_place(last, &c->v[i]))
			add(&last->n, &c->v[i].n);
		else
			c->v[kept++] = c->v[i];
	}
	c->n = kept;
}

void line_counts_collect(struct debug *d, enum line_counts_of of, struct line_counts *out)
{
	const uint32_t n = debug_program(d)->n_insns;
	struct exec_count *count = xcalloc((size_t)n + 1, sizeof *count);
	*out = (struct line_counts){.v = xcalloc((size_t)n + 1, sizeof *out->v)};
	gpu_instruction_counts(d->g, 0, n, count);
	for (uint32_t pc = 0; pc < n; pc++) {
		const struct debug_position at = position(d, of, pc);
		add(&out->all, &count[pc]);
		if (at.line)
			out->v[out->n++] = (struct line_count){.at = at, .n = count[pc]};
	}
	free(count);
	merge(out);
}

void line_counts_free(struct line_counts *c) { free(c->v); }

const struct exec_count *line_counts_find(const struct line_counts *c, uint32_t file, uint32_t line)
{
	const struct line_count key = {.at = {.file = file, .line = line}};
	const struct line_count *found = c->n ? bsearch(&key, c->v, c->n, sizeof *c->v, by_place) : NULL;
	return found ? &found->n : NULL;
}

#define LAUNCHES_SHOWN 8u

bool line_counts_launches(const struct debug *d, struct text *out)
{
	const struct gpu_covered c = gpu_statistics_cover(d->g);
	const bool performance = gpu_counts_performance(d->g);
	const uint32_t all = performance ? c.performance : c.functional;
	uint32_t shown = 0;
	struct gpu_launch_info l;
	if (!c.is_reset && !(c.performance && c.functional))
		return false;
	text_add(out, all == 1 ? "launch" : all ? "launches" : "no launch");
	for (uint32_t k = c.first; shown < all && shown < LAUNCHES_SHOWN && gpu_launch_get(d->g, k, &l); k++)
		if (l.performance == performance && l.state != GPU_LAUNCH_QUEUED)
			text_addf(out, "%s %u", shown++ ? "," : "", k);
	if (all > shown)
		text_addf(out, " and %u more", all - shown);
	return true;
}

void line_counts_title(bool has_cycles, struct text *out)
{
	text_addf(out, "warp insns  lanes%s\n", has_cycles ? "  cycles" : "");
}

/* Appends the columns in front of a line: executions by warps, average lanes and, with `has_cycles`, average cycles. Appends 0 and - if it was not
 * executed, blanks if `n` is NULL. */
static void line_counts_columns(bool has_cycles, const struct exec_count *n, struct text *out)
{
	const bool ran = n && n->warps;
	if (ran)
		text_addf(out, "%10" PRIu64 "  %5.1f", n->warps, (double)n->lanes / (double)n->warps);
	else
		text_addf(out, "%10s  %5s", n ? "0" : "", n ? "-" : "");
	if (has_cycles && ran)
		text_addf(out, "  %6.1f", (double)n->cycles / (double)n->warps);
	else if (has_cycles)
		text_addf(out, "  %6s", n ? "-" : "");
	text_add(out, "  ");
}

static void add_average(struct report *answer, const char *name, uint64_t sum, uint64_t n)
{
	char look[32];
	snprintf(look, sizeof look, "%.1f", (double)sum / (double)n);
	report_real(answer, name, (double)sum / (double)n, look);
}

void line_counts_describe(bool has_cycles, const struct exec_count *n, struct report *answer)
{
	line_counts_columns(has_cycles, n, report_prose(answer));
	if (n)
		report_number(answer, "executions", n->warps);
	if (n && n->warps)
		add_average(answer, "lanes", n->lanes, n->warps);
	if (n && n->warps && has_cycles)
		add_average(answer, "latency_cycles", n->cycles, n->warps);
}
