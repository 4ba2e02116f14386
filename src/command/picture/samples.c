/* `info samples`: time-lapse samples, as a table of intervals and as series of each metric. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/info.h"
#include "command/picture/page.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "gpu/statistics/timelapse.h"

#define ROWS 16u /* of the table */

struct lapse {
	const struct gpu *g;
	uint32_t step, n; /* so many samples are one of the answer's n */
	struct timelapse_view v;
};

static const char *const scope_names[TIMELAPSE_SCOPES] = {"global", "core", "warp", "partition", "bank"};

/* Returns the increase of a column over samples first + 1 to last, or its value at the last one if it is a level; first -1: since the beginning. */
static uint64_t increase(const struct lapse *l, size_t column, int64_t first, uint32_t last, uint32_t which, uint32_t bank)
{
	const uint64_t now = gpu_timelapse_value(l->g, last, column, which, bank);
	if (timelapse_columns[column].kind == TIMELAPSE_LEVEL || first < 0)
		return now;
	return now - gpu_timelapse_value(l->g, (uint32_t)first, column, which, bank);
}

/* Returns the increase of a column, found by its scope and name, added up over all units. */
static uint64_t sum(const struct lapse *l, enum timelapse_scope scope, const char *name, int64_t first, uint32_t last)
{
	uint64_t n = 0;
	size_t k = 0;
	while (timelapse_columns[k].scope != scope || strcmp(timelapse_columns[k].name, name))
		k++;
	for (uint32_t which = 0; which < l->v.count[scope]; which++)
		n += increase(l, k, first, last, which, 0);
	return n;
}

/* ---- the table ---- */

static void share_cell(struct report *answer, uint64_t part, uint64_t whole, const char *format, double factor)
{
	char look[32];
	const double v = whole ? factor * (double)part / (double)whole : 0;
	if (!whole) {
		report_none(answer, NULL, "-");
		return;
	}
	snprintf(look, sizeof look, !strcmp(format, "%") ? "%.1f %%" : "%.2f", v);
	report_real(answer, NULL, v, look);
}

static void interval_row(const struct lapse *l, int64_t first, uint32_t last, struct report *answer)
{
	const uint64_t begin = first < 0 ? l->v.since : gpu_timelapse_cycle(l->g, (uint32_t)first), cycles = gpu_timelapse_cycle(l->g, last) - begin,
		       issued = sum(l, TIMELAPSE_CORE, "warp_instructions", first, last), idle = sum(l, TIMELAPSE_CORE, "idle", first, last),
		       scoreboard = sum(l, TIMELAPSE_CORE, "scoreboard", first, last), pipeline = sum(l, TIMELAPSE_CORE, "pipeline", first, last),
		       turns = issued + idle + scoreboard + pipeline;
	report_row(answer, false);
	report_number(answer, NULL, gpu_timelapse_cycle(l->g, last));
	share_cell(answer, sum(l, TIMELAPSE_CORE, "thread_instructions", first, last), cycles, "", 1);
	report_number(answer, NULL, sum(l, TIMELAPSE_CORE, "warps", first, last));
	share_cell(answer, issued, turns, "%", 100);
	share_cell(answer, scoreboard, turns, "%", 100);
	share_cell(answer, pipeline, turns, "%", 100);
	share_cell(answer, idle, turns, "%", 100);
	share_cell(answer, sum(l, TIMELAPSE_CORE, "l1d_misses", first, last), sum(l, TIMELAPSE_CORE, "l1d_accesses", first, last), "%", 100);
	share_cell(answer, sum(l, TIMELAPSE_PARTITION, "l2_misses", first, last), sum(l, TIMELAPSE_PARTITION, "l2_accesses", first, last), "%", 100);
	share_cell(answer, sum(l, TIMELAPSE_PARTITION, "dram_data", first, last), sum(l, TIMELAPSE_PARTITION, "dram_commands", first, last), "%", 100);
}

static void table(const struct lapse *l, struct report *answer)
{
	static const char *const titles[] = {"Until cycle", "IPC", "Warps", "Issued", "Scoreboard", "Pipeline", "Idle", "L1D misses", "L2 misses", "DRAM busy"};
	const uint32_t step = (l->v.n + ROWS - 1) / ROWS;
	report_table(answer, "intervals", titles, sizeof titles / sizeof *titles);
	for (uint32_t k = 0; k < l->v.n; k += step)
		interval_row(l, (int64_t)k - 1, k + step < l->v.n ? k + step - 1 : l->v.n - 1, answer);
	report_close(answer);
}

/* ---- the series ---- */

/* Returns the last of the samples that are the answer's sample k. */
static uint32_t last_of(const struct lapse *l, uint32_t k) { return (k + 1) * l->step < l->v.n ? (k + 1) * l->step - 1 : l->v.n - 1; }

/* Adds the series of a metric of one unit; nothing if all its values are 0. */
static void one_series(const struct lapse *l, size_t column, uint32_t which, uint32_t bank, struct report *answer)
{
	const struct timelapse_column *c = &timelapse_columns[column];
	bool any = false;
	for (uint32_t k = 0; k < l->v.n && !any; k++)
		any = gpu_timelapse_value(l->g, k, column, which, bank) != 0;
	if (!any)
		return;
	report_open(answer, NULL);
	report_text(answer, "metric", c->name);
	report_text(answer, "scope", scope_names[c->scope]);
	if (c->scope != TIMELAPSE_GLOBAL)
		report_number(answer, "unit", which);
	if (c->scope == TIMELAPSE_BANK)
		report_number(answer, "bank", bank);
	report_list(answer, "values");
	for (uint32_t k = 0; k < l->n; k++)
		report_number(answer, NULL, increase(l, column, (int64_t)k * l->step - 1, last_of(l, k), which, bank));
	report_close(answer);
	report_close(answer);
}

static void series(const struct lapse *l, const char *glob, struct report *answer)
{
	report_list(answer, "series");
	for (size_t k = 0; k < timelapse_column_count; k++) {
		const struct timelapse_column *c = &timelapse_columns[k];
		const bool is_bank = c->scope == TIMELAPSE_BANK;
		const uint32_t units = l->v.count[is_bank ? TIMELAPSE_PARTITION : c->scope];
		if (*glob && fnmatch(glob, c->name, 0))
			continue;
		for (uint32_t which = 0; which < units; which++)
			for (uint32_t bank = 0; bank < (is_bank ? l->v.count[TIMELAPSE_BANK] : 1); bank++)
				one_series(l, k, which, bank, answer);
	}
	report_close(answer);
}

static void metrics(const char *glob, struct report *answer)
{
	report_list(answer, "metrics");
	for (size_t k = 0; k < timelapse_column_count; k++) {
		const struct timelapse_column *c = &timelapse_columns[k];
		if (*glob && fnmatch(glob, c->name, 0))
			continue;
		report_open(answer, NULL);
		report_text(answer, "metric", c->name);
		report_text(answer, "scope", scope_names[c->scope]);
		report_text(answer, "kind", c->kind == TIMELAPSE_LEVEL ? "level" : "sum");
		report_text(answer, "what", c->help);
		report_close(answer);
	}
	report_close(answer);
}

static void kernels(struct debug *d, struct report *answer)
{
	struct gpu_launch_info info;
	uint64_t begin, end;
	report_list(answer, "kernels");
	for (uint32_t k = 0; gpu_launch_get(d->g, k, &info); k++) {
		if (!info.performance || !gpu_statistics_span(d->g, k, &begin, &end))
			continue;
		report_open(answer, NULL);
		report_number(answer, "launch", k);
		report_text(answer, "kernel", debug_function_name(d, debug_program(d)->functions[info.launch.function]));
		report_number(answer, "first_cycle", begin);
		if (end)
			report_number(answer, "last_cycle", end);
		report_close(answer);
	}
	report_close(answer);
}

void picture_samples(struct debug *d, const char *glob, size_t most, struct report *answer)
{
	struct lapse l = {.g = d->g};
	if (!gpu_timelapse(d->g, &l.v)) {
		report_list(answer, "series");
		report_close(answer);
		report_number(answer, "interval_cycles", gpu_timelapse_interval(d->g));
		report_line(answer, gpu_timelapse_interval(d->g) ? "No samples yet: performance mode takes one every {interval_cycles} cycles.\n"
								 : "No samples are taken: `set samples on`.\n");
		return;
	}
	l.step = most && l.v.n > most ? (uint32_t)((l.v.n + most - 1) / most) : 1;
	l.n = (l.v.n + l.step - 1) / l.step;
	report_number(answer, "since", l.v.since);
	report_number(answer, "interval", (uint64_t)l.v.interval * l.step);
	report_number(answer, "samples", l.n);
	report_number(answer, "counted_core", l.v.core);
	report_line(answer, "{samples} sample{samples|s} since cycle {since}, one every {interval} cycle{interval|s}\n");
	table(&l, answer);
	report_list(answer, "cycles");
	for (uint32_t k = 0; k < l.n; k++)
		report_number(answer, NULL, gpu_timelapse_cycle(d->g, last_of(&l, k)));
	report_close(answer);
	kernels(d, answer);
	metrics(glob, answer);
	series(&l, glob, answer);
}

bool info_samples(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const char *glob = scan_blanks(args);
	if (glob[strcspn(glob, " \t")])
		return debug_fail(why, "usage: info samples [GLOB]");
	picture_samples(d, glob, 0, answer);
	return true;
}
