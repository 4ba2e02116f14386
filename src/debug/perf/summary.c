#include "debug/perf/summary.h"

#include <inttypes.h>
#include <stdlib.h>

#include "debug/perf/line_counts.h"
#include "debug/show/info.h"
#include "debug/view/source.h"
#include "gpu/statistics.h"

#define COSTLIEST 5u
#define SOURCE_COLUMNS 40

static double share(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : 0; }

static void launches(struct debug *d, struct text *out)
{
	uint32_t n = gpu_launch_count(d->g), done = 0;
	struct gpu_launch_info info;
	for (uint32_t k = 0; k < n; k++)
		done += gpu_launch_get(d->g, k, &info) && info.state == GPU_LAUNCH_DONE;
	text_addf(out, "%u launch%s, %u finished", n, n == 1 ? "" : "es", done);
}

/* ---- instructions ---- */

static void instructions(struct debug *d, const struct gpu_summary *s, const struct line_counts *c, struct text *out)
{
	if (gpu_is_performance(d->g))
		text_addf(out, "IPC           %.2f (%" PRIu64 " instructions of threads in %" PRIu64 " cycles)\n",
			  share(s->insns, s->cycles), s->insns, s->cycles);
	else
		text_addf(out, "instructions  %" PRIu64 " of threads\n", s->insns);
	text_addf(out, "warps         %" PRIu64 " instructions", c->all.warps);
	if (gpu_is_performance(d->g))
		text_addf(out, ", %.2f a cycle", share(c->all.warps, s->cycles));
	text_addf(out, "; %.1f of 32 lanes active in each\n", share(c->all.lanes, c->all.warps));
}

static void occupancy(struct debug *d, struct text *out)
{
	struct gpu_launch_info info;
	const uint32_t n = gpu_launch_count(d->g);
	if (!n || !gpu_launch_get(d->g, d->has_focus ? d->focus.launch : n - 1, &info))
		return;
	text_add(out, "occupancy     ");
	info_occupancy_line(d, &info.launch, out);
}

/* ---- performance mode ---- */

static void schedulers(const struct gpu_summary *s, struct text *out)
{
	const struct {
		const char *what;
		uint64_t n;
	} rows[] = {{"issued an instruction", s->issued},
		    {"all warps waited for registers", s->scoreboard},
		    {"the unit was busy", s->unit},
		    {"no warp had an instruction", s->nothing}};
	const uint64_t all = s->issued + s->scoreboard + s->unit + s->nothing;
	text_addf(out, "schedulers    %" PRIu64 " cycles, of which\n", all);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		text_addf(out, "  %12" PRIu64 "  %5.1f%%  %s\n", rows[i].n, 100 * share(rows[i].n, all), rows[i].what);
}

static void memory(const struct gpu_summary *s, struct text *out)
{
	text_add(out, "caches            accesses        misses    rate\n");
	for (uint32_t k = 0; k < SUMMARY_CACHES; k++)
		if (s->cache[k].accesses)
			text_addf(out, "  %-10s %13" PRIu64 " %13" PRIu64 "  %5.1f%%\n", s->cache[k].name,
				  s->cache[k].accesses, s->cache[k].misses,
				  100 * share(s->cache[k].misses, s->cache[k].accesses));
		else
			text_addf(out, "  %-10s %13u %13u       -\n", s->cache[k].name, 0, 0);
	text_addf(out, "shared memory %" PRIu64 " cycles of bank conflicts\n", s->bank_conflicts);
	text_addf(out,
		  "DRAM          %" PRIu64 " reads, %" PRIu64
		  " writes; data in %.1f%% of the cycles, %.1f%% of the active ones;\n",
		  s->dram_reads, s->dram_writes, 100 * share(s->dram_data, s->dram_cycles),
		  100 * share(s->dram_data, s->dram_active));
	text_addf(out, "              %.1f requests for each row opened\n", share(s->row_accesses, s->rows_opened));
}

/* ---- lines ---- */

static int by_cost(const void *a, const void *b)
{
	const struct line_count *x = a, *y = b;
	if (x->n.cycles != y->n.cycles)
		return x->n.cycles < y->n.cycles ? 1 : -1;
	if (x->n.warps != y->n.warps)
		return x->n.warps < y->n.warps ? 1 : -1;
	if (x->at.file != y->at.file)
		return x->at.file < y->at.file ? -1 : 1;
	return x->at.line < y->at.line ? -1 : 1;
}

static void source(struct debug *d, struct debug_position at, struct text *out)
{
	size_t n = 0;
	const char *s = debug_source_line(d, at.file, at.line, &n);
	while (n && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	for (size_t i = 0; i < n && i < SOURCE_COLUMNS; i++)
		text_addc(out, s[i] == '\t' ? ' ' : s[i]);
	text_add(out, n > SOURCE_COLUMNS ? "...\n" : "\n");
}

static void lines(struct debug *d, struct line_counts *c, struct text *out)
{
	const bool has_cycles = gpu_is_performance(d->g);
	if (!c->all.warps) {
		text_add(out, "no line has been executed\n");
		return;
	}
	qsort(c->v, c->n, sizeof *c->v, by_cost);
	text_addf(out, "costliest lines, by %s\n",
		  has_cycles ? "cycles of warps from issue to completion" : "warp instructions");
	for (size_t i = 0; i < c->n && i < COSTLIEST && c->v[i].n.warps; i++) {
		const struct line_count *l = &c->v[i];
		struct text place = {0};
		debug_position_text(d, l->at, &place);
		if (has_cycles)
			text_addf(out, "  %12" PRIu64 "  %5.1f%%", l->n.cycles,
				  100 * share(l->n.cycles, c->all.cycles));
		else
			text_addf(out, "  %12" PRIu64 "  %5.1f%%", l->n.warps, 100 * share(l->n.warps, c->all.warps));
		text_addf(out, "  %s  ", text_str(&place));
		source(d, l->at, out);
		text_free(&place);
	}
}

void summary_print(struct debug *d, struct text *out)
{
	struct gpu_summary s;
	struct line_counts c;
	gpu_statistics_summary(d->g, &s);
	line_counts_collect(d, LINE_COUNTS_BEST, &c);
	launches(d, out);
	text_addf(out, ", in %s mode\n", gpu_is_performance(d->g) ? "performance" : "functional");
	instructions(d, &s, &c, out);
	occupancy(d, out);
	if (gpu_is_performance(d->g)) {
		schedulers(&s, out);
		memory(&s, out);
	} else {
		text_add(out, "(cycles, stalls, caches and DRAM need -m performance)\n");
	}
	lines(d, &c, out);
	line_counts_free(&c);
}
