/* `stats`: what the device has counted, on the screen or as a JSON file. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/inspect.h"
#include "gpu/statistics.h"
#include "repl/answer.h"

/* The figures that a glob means go to a report. */
struct figures {
	struct report *report;
	const char *glob; /* "": all */
};

static void put(void *self, const char *name, struct statistic_value v)
{
	const struct figures *f = self;
	char shown[32];
	if (*f->glob && fnmatch(f->glob, name, 0))
		return;
	snprintf(shown, sizeof shown, "%g", v.real);
	if (v.whole)
		report_number(f->report, name, v.n);
	else
		report_real(f->report, name, v.real, shown);
}

static const char *state_name(enum gpu_launch_state s)
{
	switch (s) {
	case GPU_LAUNCH_QUEUED: return "queued";
	case GPU_LAUNCH_RUNNING: return "running";
	case GPU_LAUNCH_DONE: return "done";
	case GPU_LAUNCH_FAILED: return "failed";
	default: return "killed";
	}
}

static void describe_launch(struct gpu *g, uint32_t id, const struct gpu_launch_info *l, struct figures *f)
{
	report_open(f->report, NULL);
	report_number(f->report, "launch", id);
	report_text(f->report, "kernel", gpu_program(g)->functions[l->launch.function]->name);
	report_text(f->report, "state", state_name(l->state));
	report_triple(f->report, "grid", l->launch.grid);
	report_triple(f->report, "block", l->launch.block);
	report_number(f->report, "stream", gpu_stream_shown(l->launch.stream));
	report_open(f->report, "statistics");
	gpu_statistics_each(g, id, put, f);
	report_close(f->report);
	report_close(f->report);
}

/* Adds the figures of all launches together by name, and behind them "kernels": an object for each launch. */
static void describe(struct gpu *g, const char *glob, struct report *report)
{
	struct figures f = {report, glob};
	struct gpu_launch_info l;
	gpu_statistics_each(g, STATISTICS_TOTAL, put, &f);
	report_list(report, "kernels");
	for (uint32_t k = 0; gpu_launch_get(g, k, &l); k++)
		describe_launch(g, k, &l, &f);
	report_close(report);
}

/* Beside the line, not in it: scripts read `name = value`. */
static void add_note(struct repl *r, const char *name)
{
	struct text note = {0};
	text_add(&note, "note: ");
	if (gpu_statistics_note(debug_gpu(r->dbg), name, &note)) {
		text_addc(&note, '\n');
		repl_complain(r, text_str(&note));
	}
	text_free(&note);
}

bool cmd_stats(struct repl *r, const char *args)
{
	const bool is_list = *args != '-' && strcmp(args, "reset") && strcmp(args, "summary");
	if (r->answer && is_list)
		answer_bare(r);
	if (r->answer && is_list)
		describe(debug_gpu(r->dbg), args, r->answer->report);
	if (!answer_ask(r, debug_cmd_stats, args))
		return false;
	add_note(r, args);
	return true;
}
