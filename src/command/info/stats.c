/* `stats`: what the device has counted, on the screen or as a JSON file. */
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "command/inspect.h"
#include "debug/describe.h"
#include "debug/view/parameters.h"
#include "gpu/config/config.h"
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

/* Adds bytes as cell `contents`: two hexadecimal digits each. */
static void describe_bytes(const char *bytes, uint64_t n, struct report *report)
{
	struct text hex = {0};
	for (uint64_t k = 0; k < n; k++)
		text_addf(&hex, "%02x", (unsigned char)bytes[k]);
	report_text(report, "contents", text_str(&hex));
	text_free(&hex);
}

/* Adds parameter `k`: `name`, and `value` for a number, with the `buffer` that a pointer leads to, or `size_bytes` and `contents` for an aggregate. */
static void describe_argument(struct debug *d, const struct isa_function *f, uint32_t k, const char *bytes, struct report *report)
{
	const struct isa_variable *const v = &f->params[k];
	const enum isa_type type = debug_parameter_ptx_type(d, f, k);
	uint64_t raw = 0;
	report_open(report, NULL);
	report_text(report, "name", v->name);
	if (v->n_dims || v->vec > 1 || v->bytes > sizeof raw) {
		report_number(report, "size_bytes", v->bytes);
		describe_bytes(bytes, v->bytes, report);
	} else {
		memcpy(&raw, bytes, v->bytes);
		report_text(report, "type", isa_type_info[type].name);
		describe_value(report, "value", type, raw);
		if (v->bytes == sizeof raw)
			describe_allocation(d, report, "buffer", raw);
	}
	report_close(report);
}

/* Adds the list `arguments` of a launch; nothing if they aren't kept. */
static void describe_arguments(struct debug *d, uint32_t id, const struct isa_function *f, struct report *report)
{
	uint32_t n;
	const char *bytes = gpu_launch_params(debug_gpu(d), id, &n);
	if (!bytes)
		return;
	report_list(report, "arguments");
	for (uint32_t k = 0; k < f->n_params; k++)
		if (f->params[k].address + f->params[k].bytes <= n)
			describe_argument(d, f, k, bytes + f->params[k].address, report);
	report_close(report);
}

static void describe_launch(struct interpreter *in, uint32_t id, const struct gpu_launch_info *l, const char *glob)
{
	struct report *const report = in->answer->report;
	report_open(report, NULL);
	report_number(report, "launch", id);
	report_text(report, "kernel", gpu_program(debug_gpu(in->dbg))->functions[l->launch.function]->name);
	report_text(report, "state", state_name(l->state));
	report_text(report, "mode", l->performance ? "performance" : "functional");
	report_triple(report, "grid", l->launch.grid);
	report_triple(report, "block", l->launch.block);
	report_number(report, "shared", l->launch.shared_bytes);
	report_number(report, "stream", gpu_stream_shown(l->launch.stream));
	describe_arguments(in->dbg, id, gpu_program(debug_gpu(in->dbg))->functions[l->launch.function], report);
	report_open(report, "statistics");
	statistics_describe(in->dbg, id, glob, report);
	report_close(report);
	report_close(report);
}

/* Adds what was simulated: `version`, `configuration`, `options` that differ from it, and the `mode` that the figures are of. */
static void describe_setup(struct gpu *g, struct report *report)
{
	const struct config *c = gpu_config(g);
	const char *name, *value;
	report_text(report, "version", WARPSTEP_VERSION);
	if (c && config_name(c))
		report_text(report, "configuration", config_name(c));
	report_open(report, "options");
	for (unsigned k = 0; c && config_option_name(k); k++)
		if (config_override(c, k, &name, &value))
			report_text(report, name, value);
	report_close(report);
	report_text(report, "mode", gpu_counts_performance(g) ? "performance" : "functional");
}

/* Adds the figures of all launches together by name, and behind them "kernels": an object for each launch. */
static void describe(struct interpreter *in, const char *glob)
{
	struct report *const report = in->answer->report;
	struct gpu_launch_info l;
	describe_setup(debug_gpu(in->dbg), report);
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
