/* What is loaded: load, dot, reset. */
#include <string.h>
#include <stdlib.h>

#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/perf/trace.h"
#include "debug/program.h"
#include "debug/setup/launch.h"
#include "debug/stop/run.h"
#include "frontend/frontend.h"
#include "isa/flow/cfg.h"

/* What PTX_SIM_DEBUG wants to see of a file that was loaded: functions from `first` on. GPGPU-Sim's levels: 2 reconvergence points,
 * 50 control flow, 100 the PTX itself. */
static void print_loaded(struct interpreter *in, uint32_t first, uint32_t first_file)
{
	const struct isa_program *p = gpu_program(debug_gpu(in->dbg));
	struct text out = {0};
	for (uint32_t i = first_file; in->trace_level >= 100 && i < p->n_files; i++)
		if (p->files[i].frontend && p->files[i].text)
			text_addn(&out, p->files[i].text, p->files[i].n_text);
	if (in->trace_level >= 2)
		debug_trace_reconvergence(in->dbg, first, &out);
	for (uint32_t i = first; in->trace_level >= 50 && i < p->n_functions; i++)
		if (p->functions[i]->is_defined)
			cfg_dot(p, p->functions[i], &out);
	interpreter_print_text(in, &out);
}

/* Says how many errors in a file were not shown. */
static void complain_more(struct interpreter *in, size_t n, const char *path)
{
	struct text line = {0};
	text_addf(&line, "error: %zu more errors in '%s'\n", n, path);
	interpreter_complain(in, text_str(&line));
	text_free(&line);
}

bool command_load(struct interpreter *in, const char *args)
{
	if (!*args)
		return interpreter_error(in, "usage: load FILE.ptx");
	char *path = argument_unquoted(args);
	const struct isa_program *p = gpu_program(debug_gpu(in->dbg));
	uint32_t n_functions = p->n_functions, n_files = p->n_files;
	struct diag_list diags;
	diag_list_init(&diags);
	diags.limit = 50;
	bool ok = frontend_load_file(gpu_program(debug_gpu(in->dbg)), session_files(in->session), path, in->interrupted, &diags);
	interpreter_diags(in, &diags);
	if (diags.n_errors > diags.limit)
		complain_more(in, diags.n_errors - diags.limit, path);
	diag_list_free(&diags);
	free(path);
	if (!ok) {
		in->failed = true;
		return false;
	}
	struct text notes = {0};
	debug_program_changed(in->dbg, &notes);
	interpreter_print_text(in, &notes);
	print_loaded(in, n_functions, n_files);
	return true;
}

bool command_reset(struct interpreter *in, const char *args)
{
	if (*args)
		return interpreter_error(in, "usage: reset");
	if (debug_program_lives(in->dbg))
		return interpreter_error(in, "a program is being debugged: `kill` ends it");
	if (debug_can_run(in->dbg) && !interpreter_asks(in, "Drop the launches being debugged?"))
		return true;
	debug_reset(in->dbg);
	interpreter_print(in, "[Machine reset]\n");
	return true;
}

bool command_dot(struct interpreter *in, const char *args)
{
	size_t n = strcspn(args, " \t");
	struct text why = {0}, out = {0};
	const struct isa_function *f = n ? debug_find_kernel(in->dbg, args, n, &why) : NULL;
	if (!f) {
		interpreter_error(in, "%s", n ? text_str(&why) : "usage: dot KERNEL [FILE]");
		text_free(&why);
		return false;
	}
	text_free(&why);
	cfg_dot(gpu_program(debug_gpu(in->dbg)), f, &out);
	const char *path = args + n + strspn(args + n, " \t");
	if (!*path) {
		interpreter_print_text(in, &out);
		return true;
	}
	bool ok = interpreter_write_file(in, path, &out);
	text_free(&out);
	return ok;
}
