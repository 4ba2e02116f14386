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
	trace_loaded(in->dbg, n_functions, n_files);
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
