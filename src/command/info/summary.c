#include "command/info/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/describe.h"
#include "command/perf/line_counts.h"
#include "debug/setup/launch.h"
#include "command/info.h"
#include "debug/view/source.h"
#include "gpu/statistics/statistics.h"
#include "timing/timing.h"

#define COSTLIEST 5u
#define COLUMNS 80u	   /* of the screen that all of it fits on */
#define SOURCE_COLUMNS 12u /* of a line of the source, at least */

static double share(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : 0; }

/* Returns how many of the launches since the last reset of statistics have finished. */
static uint32_t finished(const struct debug *d)
{
	const uint32_t n = gpu_launch_count(d->g);
	struct gpu_launch_info info;
	uint32_t done = 0;
	for (uint32_t k = gpu_statistics_cover(d->g).first; k < n; k++)
		done += gpu_launch_get(d->g, k, &info) && info.state == GPU_LAUNCH_DONE;
	return done;
}

static void launches(struct debug *d, struct text *out)
{
	const struct gpu_covered c = gpu_statistics_cover(d->g);
	const uint32_t n = gpu_launch_count(d->g) - c.first;
	struct text covered = {0};
	if (c.performance && c.functional)
		text_addf(out, "%u launch%s in performance mode, %u functionally", c.performance, c.performance == 1 ? "" : "es", c.functional);
	else
		text_addf(out, "%u launch%s, %u finished, in %s mode", n, n == 1 ? "" : "es", finished(d),
			  gpu_counts_performance(d->g) ? "performance" : "functional");
	if (line_counts_launches(d, &covered))
		text_addf(out, "%s; the figures are of %s", c.is_reset ? ", since the last `stats reset`" : "", text_str(&covered));
	text_addc(out, '\n');
	text_free(&covered);
}

/* ---- instructions ---- */

static void instructions(struct debug *d, const struct gpu_summary *s, const struct line_counts *c, struct text *out)
{
	if (gpu_counts_performance(d->g))
		text_addf(out, "IPC           %.2f (%" PRIu64 " instructions of threads in %" PRIu64 " cycles)\n",
			  share(s->insns, s->cycles), s->insns, s->cycles);
	else
		text_addf(out, "instructions  %" PRIu64 " of threads\n", s->insns);
	if (s->repeated)
		text_addf(out, "              (gpu_sim_insn is %" PRIu64 " higher: 4.2 counts an L1 hit once for each register loaded)\n", s->repeated);
	text_addf(out, "warps         %" PRIu64 " instructions", c->all.warps);
	if (gpu_counts_performance(d->g))
		text_addf(out, ", %.2f a cycle", share(c->all.warps, s->cycles));
	text_addf(out, "; %.1f of %u lanes active in each\n", share(c->all.lanes, c->all.warps), gpu_exec(d->g)->warp_threads);
}

static void occupancy(struct debug *d, struct text *out)
{
	struct gpu_launch_info info;
	const uint32_t n = gpu_launch_count(d->g);
	if (!n || !gpu_launch_get(d->g, d->has_focus ? d->focus.launch : n - 1, &info))
		return;
	text_add(out, "occupancy     ");
	info_occupancy_text(d, &info.launch, out);
	text_addf(out, ": %s\n", debug_function_name(d, debug_program(d)->functions[info.launch.function]));
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

/* Those that were asked for something. */
static void caches(const struct gpu_summary *s, struct text *out)
{
	bool any = false;
	for (uint32_t k = 0; k < SUMMARY_CACHES; k++)
		any |= s->cache[k].accesses != 0;
	text_add(out, any ? "caches            accesses        misses    rate\n" : "caches        no accesses\n");
	for (uint32_t k = 0; k < SUMMARY_CACHES; k++)
		if (s->cache[k].accesses)
			text_addf(out, "  %-10s %13" PRIu64 " %13" PRIu64 "  %5.1f%%\n", s->cache[k].name,
				  s->cache[k].accesses, s->cache[k].misses,
				  100 * share(s->cache[k].misses, s->cache[k].accesses));
}

static void memory(const struct gpu_summary *s, struct text *out)
{
	caches(s, out);
	text_addf(out, "shared memory %" PRIu64 " cycles of bank conflicts\n", s->bank_conflicts);
	text_addf(out, "DRAM          %" PRIu64 " reads, %" PRIu64 " writes", s->dram_reads, s->dram_writes);
	if (s->rows_opened)
		text_addf(out, ", %.1f requests for each row opened", share(s->row_accesses, s->rows_opened));
	text_addf(out, ";\n              data in %.1f%% of the cycles, %.1f%% of the active ones\n",
		  100 * share(s->dram_data, s->dram_cycles), 100 * share(s->dram_data, s->dram_active));
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

/* A line's text, cut to so many columns. */
static void source(struct debug *d, struct debug_position at, size_t columns, struct text *out)
{
	size_t n = 0;
	const char *s = debug_source_line(d, at.file, at.line, &n);
	while (n && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	const bool fits = n <= columns;
	for (size_t i = 0; i < (fits ? n : columns - 3); i++)
		text_addc(out, s[i] == '\t' ? ' ' : s[i]);
	text_add(out, fits ? "\n" : "...\n");
}

static void line(struct debug *d, const struct line_count *l, bool has_cycles, uint64_t all, struct text *out)
{
	const uint64_t cost = has_cycles ? l->n.cycles : l->n.warps;
	struct text row = {0};
	text_addf(&row, "  %12" PRIu64 "  %5.1f%%  ", cost, 100 * share(cost, all));
	debug_position_text(d, l->at, &row);
	text_add(&row, "  ");
	const size_t taken = strlen(text_str(&row));
	text_add(out, text_str(&row));
	source(d, l->at, taken + SOURCE_COLUMNS < COLUMNS ? COLUMNS - taken : SOURCE_COLUMNS, out);
	text_free(&row);
}

static void lines(struct debug *d, struct line_counts *c, struct text *out)
{
	const bool has_cycles = gpu_counts_performance(d->g);
	if (!c->all.warps) {
		text_add(out, "no line has been executed\n");
		return;
	}
	qsort(c->v, c->n, sizeof *c->v, by_cost);
	text_addf(out, "costliest lines, by %s\n",
		  has_cycles ? "cycles of warps from issue to completion" : "warp instructions");
	for (size_t i = 0; i < c->n && i < COSTLIEST && c->v[i].n.warps; i++)
		line(d, &c->v[i], has_cycles, has_cycles ? c->all.cycles : c->all.warps, out);
}

/* ---- as data ---- */

static void add_share(struct report *answer, const char *name, uint64_t part, uint64_t whole)
{
	char look[32];
	snprintf(look, sizeof look, "%g", share(part, whole));
	report_real(answer, name, share(part, whole), look);
}

static void describe_caches(const struct gpu_summary *s, struct report *answer)
{
	report_list(answer, "caches");
	for (uint32_t k = 0; k < SUMMARY_CACHES; k++) {
		if (!s->cache[k].accesses)
			continue;
		report_open(answer, NULL);
		report_text(answer, "cache", s->cache[k].name);
		report_number(answer, "accesses", s->cache[k].accesses);
		report_number(answer, "misses", s->cache[k].misses);
		report_close(answer);
	}
	report_close(answer);
}

/* Adds what performance mode counts besides. */
static void describe_machine(const struct gpu_summary *s, const struct line_counts *c, struct report *answer)
{
	report_number(answer, "cycles", s->cycles);
	add_share(answer, "instructions_per_cycle", s->insns, s->cycles);
	add_share(answer, "warp_instructions_per_cycle", c->all.warps, s->cycles);
	report_open(answer, "schedulers");
	report_number(answer, "cycles", s->issued + s->scoreboard + s->unit + s->nothing);
	report_number(answer, "issued", s->issued);
	report_number(answer, "scoreboard", s->scoreboard);
	report_number(answer, "unit_busy", s->unit);
	report_number(answer, "no_instruction", s->nothing);
	report_close(answer);
	describe_caches(s, answer);
	report_number(answer, "bank_conflict_cycles", s->bank_conflicts);
	report_open(answer, "dram");
	report_number(answer, "reads", s->dram_reads);
	report_number(answer, "writes", s->dram_writes);
	report_number(answer, "rows_opened", s->rows_opened);
	report_number(answer, "row_accesses", s->row_accesses);
	add_share(answer, "requests_per_row", s->row_accesses, s->rows_opened);
	report_number(answer, "cycles", s->dram_cycles);
	report_number(answer, "data_cycles", s->dram_data);
	report_number(answer, "active_cycles", s->dram_active);
	report_close(answer);
}

/* Adds the list `lines` of the costliest; c->v is sorted by cost. */
static void describe_lines(struct debug *d, const struct line_counts *c, struct report *answer)
{
	report_list(answer, "lines");
	for (size_t i = 0; i < c->n && i < COSTLIEST && c->v[i].n.warps; i++) {
		report_open(answer, NULL);
		describe_position(d, answer, "at", c->v[i].at);
		report_number(answer, "executions", c->v[i].n.warps);
		report_number(answer, "cycles", c->v[i].n.cycles);
		report_close(answer);
	}
	report_close(answer);
}

static void describe(struct debug *d, const struct gpu_summary *s, const struct line_counts *c, struct report *answer)
{
	const struct gpu_covered covered = gpu_statistics_cover(d->g);
	report_number(answer, "launches", gpu_launch_count(d->g) - covered.first);
	report_number(answer, "finished", finished(d));
	report_number(answer, "performance_launches", covered.performance);
	report_number(answer, "functional_launches", covered.functional);
	report_text(answer, "mode", gpu_counts_performance(d->g) ? "performance" : "functional");
	report_number(answer, "instructions", s->insns);
	report_number(answer, "warp_instructions", c->all.warps);
	add_share(answer, "active_lanes", c->all.lanes, c->all.warps);
	if (gpu_counts_performance(d->g))
		describe_machine(s, c, answer);
	describe_lines(d, c, answer);
}

void summary_print(struct debug *d, struct report *answer)
{
	struct gpu_summary s;
	struct line_counts c;
	struct text out = {0};
	gpu_statistics_summary(d->g, &s);
	line_counts_collect(d, LINE_COUNTS_BEST, &c);
	launches(d, &out);
	instructions(d, &s, &c, &out);
	occupancy(d, &out);
	if (gpu_counts_performance(d->g)) {
		schedulers(&s, &out);
		if (!gpu_machine_timing(d->g)->cfg->core.textbook.is_on)
			memory(&s, &out);
	} else {
		text_add(&out, "(cycles, stalls, caches and DRAM need -m performance)\n");
	}
	lines(d, &c, &out);
	describe(d, &s, &c, answer);
	report_say(answer, "%s", text_str(&out));
	line_counts_free(&c);
	text_free(&out);
}
