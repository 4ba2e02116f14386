/* `stats`: what the device has counted, on the screen or as a JSON file. */
#include <stdio.h>
#include <string.h>

#include "command/inspect.h"
#include "gpu/statistics/statistics.h"
#include "command/interpreter/answer.h"

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

static void describe_launch(struct interpreter *in, uint32_t id, const struct gpu_launch_info *l, const char *glob)
{
	struct report *const report = in->answer->report;
	report_open(report, NULL);
	report_number(report, "launch", id);
	report_text(report, "kernel", gpu_program(debug_gpu(in->dbg))->functions[l->launch.function]->name);
	report_text(report, "state", state_name(l->state));
	report_triple(report, "grid", l->launch.grid);
	report_triple(report, "block", l->launch.block);
	report_number(report, "stream", gpu_stream_shown(l->launch.stream));
	report_open(report, "statistics");
	statistics_describe(in->dbg, id, glob, report);
	report_close(report);
	report_close(report);
}

/* Adds the figures of all launches together by name, and behind them "kernels": an object for each launch. */
static void describe(struct interpreter *in, const char *glob)
{
	struct report *const report = in->answer->report;
	struct gpu_launch_info l;
	statistics_describe(in->dbg, STATISTICS_TOTAL, glob, report);
	report_list(report, "kernels");
	for (uint32_t k = 0; gpu_launch_get(debug_gpu(in->dbg), k, &l); k++)
		describe_launch(in, k, &l, glob);
	report_close(report);
}

/* Beside the line, not in it: scripts read `name = value`. */
static void add_note(struct interpreter *in, const char *name)
{
	struct text note = {0};
	text_add(&note, "note: ");
	if (gpu_statistics_note(debug_gpu(in->dbg), name, &note)) {
		text_addc(&note, '\n');
		interpreter_complain(in, text_str(&note));
	}
	text_free(&note);
}

bool command_stats(struct interpreter *in, const char *args)
{
	const bool is_list = *args != '-' && strcmp(args, "reset") && strcmp(args, "summary");
	if (in->answer && is_list)
		answer_bare(in);
	if (in->answer && is_list)
		describe(in, args);
	if (!answer_ask(in, statistics_answer, args))
		return false;
	add_note(in, args);
	return true;
}
