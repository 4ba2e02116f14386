/* Commands about the program and the machine that need the prompt: files, tables of its own, settings, command lists. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/stalls.h"
#include "debug/stop/breakpoint.h"
#include "debug/setup/buffer.h"
#include "debug/view/focus.h"
#include "command/findings/findings.h"
#include "command/inspect.h"
#include "debug/program.h"
#include "debug/setup/launch.h"
#include "debug/stop/run.h"
#include "gpu/config/config.h"
#include "frontend/frontend.h"
#include "isa/flow/cfg.h"
#include "repl/answer.h"
#include "repl/input.h"
#include "repl/main_program.h"
#include "repl/past.h"
#include "repl/repl.h"

/* What PTX_SIM_DEBUG wants to see of a file that was loaded: functions from `first` on. GPGPU-Sim's levels: 2 reconvergence points,
 * 50 control flow, 100 the PTX itself. */
static void print_loaded(struct repl *r, uint32_t first, uint32_t first_file)
{
	const struct isa_program *p = gpu_program(debug_gpu(r->dbg));
	struct text out = {0};
	for (uint32_t i = first_file; r->trace_level >= 100 && i < p->n_files; i++)
		if (p->files[i].frontend && p->files[i].text)
			text_addn(&out, p->files[i].text, p->files[i].n_text);
	if (r->trace_level >= 2)
		debug_trace_reconvergence(r->dbg, first, &out);
	for (uint32_t i = first; r->trace_level >= 50 && i < p->n_functions; i++)
		if (p->functions[i]->is_defined)
			cfg_dot(p, p->functions[i], &out);
	repl_print_text(r, &out);
}

bool cmd_load(struct repl *r, const char *args)
{
	if (!*args)
		return repl_error(r, "usage: load FILE.ptx");
	char *path = repl_unquoted(args);
	const struct isa_program *p = gpu_program(debug_gpu(r->dbg));
	uint32_t n_functions = p->n_functions, n_files = p->n_files;
	struct diag_list diags;
	diag_list_init(&diags);
	diags.limit = 50;
	bool ok = frontend_load_file(gpu_program(debug_gpu(r->dbg)), session_files(r->session), path, r->interrupted, &diags);
	repl_diags(r, &diags);
	if (diags.n_errors > diags.limit)
		fprintf(stderr, "error: %zu more errors in '%s'\n", diags.n_errors - diags.limit, path);
	diag_list_free(&diags);
	free(path);
	if (!ok) {
		r->failed = true;
		return false;
	}
	struct text notes = {0};
	debug_program_changed(r->dbg, &notes);
	repl_print_text(r, &notes);
	print_loaded(r, n_functions, n_files);
	return true;
}

bool cmd_commands(struct repl *r, const char *args)
{
	uint32_t numbers[64];
	size_t n = 0;
	struct text why = {0};
	bool ok = breakpoint_commands_targets(r->dbg, args, numbers, 64, &n, &why);
	char *body = input_read_block(r);
	if (!ok && body)
		repl_error(r, "%s", text_str(&why));
	ok = ok && body;
	text_free(&why);
	const char **lines = NULL;
	size_t n_lines = 0, cap = 0;
	for (char *at = body; ok && *at;) {
		char *eol = strchr(at, '\n');
		lines = xgrow(lines, &cap, n_lines + 1, sizeof *lines);
		lines[n_lines++] = at;
		*eol = '\0'; /* input_read_block ends every line */
		at = eol + 1;
	}
	for (size_t i = 0; ok && i < n; i++)
		breakpoint_commands_set(r->dbg, numbers[i], lines, n_lines);
	free(lines);
	free(body);
	return ok;
}

/* ---- set, show ---- */

/* What was not set before, or to something else: a program may have changed it since. */
static bool apply_limits(struct repl *r)
{
	for (unsigned k = 0; k < GPU_LIMITS; k++) {
		const char *text = repl_setting(r, (enum repl_setting_id)(REPL_SET_LIMIT + k));
		const uint64_t value = strtoull(text, NULL, 0);
		struct text why = {0};
		if (!*text || r->limits[k] == value + 1)
			continue;
		const bool ok = debug_limit_set(r->dbg, k, value, &why);
		if (ok)
			r->limits[k] = value + 1;
		else
			repl_error(r, "%s", text_str(&why));
		text_free(&why);
		if (!ok)
			return false;
	}
	return true;
}

void repl_apply_check(struct repl *r)
{
	debug_check_settings(r->dbg, !strcmp(repl_setting(r, REPL_SET_CHECK_ACTION), "stop"),
			     repl_setting_on(r, REPL_SET_CHECK_LEAKS),
			     !strcmp(repl_setting(r, REPL_SET_CHECK_RACE), "strict"));
}

/* Read when it is another one. */
static bool apply_suppress(struct repl *r)
{
	struct text why = {0};
	const char *path = repl_setting(r, REPL_SET_CHECK_SUPPRESS);
	const bool ok = !strcmp(path, r->suppress_file ? r->suppress_file : "") ||
			debug_check_suppress_file(r->dbg, path, &why);
	free(r->suppress_file);
	r->suppress_file = xstrdup(path);
	if (!ok)
		repl_error(r, "set check-suppress: %s", text_str(&why));
	text_free(&why);
	return ok;
}

static void apply_settings(struct repl *r)
{
	struct debug_settings *s = debug_settings(r->dbg);
	const char *source = repl_setting(r, REPL_SET_SOURCE);
	debug_lines_set(r->dbg, !strcmp(source, "ptx")	  ? DEBUG_LINES_PTX
				: !strcmp(source, "cuda") ? DEBUG_LINES_CUDA
							  : DEBUG_LINES_AUTO);
	s->print_elements = (uint32_t)repl_setting_int(r, REPL_SET_ELEMENTS);
	s->print_pretty = repl_setting_on(r, REPL_SET_PRETTY);
	s->print_repeats = (uint32_t)repl_setting_int(r, REPL_SET_REPEATS);
	s->list_lines = (uint32_t)repl_setting_int(r, REPL_SET_LISTSIZE);
	s->table_rows = (uint32_t)repl_setting_int(r, REPL_SET_ROWS);
	const char *launch = repl_setting(r, REPL_SET_BREAK_ON_LAUNCH),
		   *pending = repl_setting(r, REPL_SET_BREAKPOINT_PENDING);
	s->break_on_launch = !strcmp(launch, "all")	      ? DEBUG_LAUNCHES_ALL
			     : !strcmp(launch, "application") ? DEBUG_LAUNCHES_APPLICATION
							      : DEBUG_LAUNCHES_NONE;
	s->pending = !strcmp(pending, "on")    ? DEBUG_PENDING_ON
		     : !strcmp(pending, "off") ? DEBUG_PENDING_OFF
					       : DEBUG_PENDING_AUTO;
	stalls_set(r->dbg, repl_setting_on(r, REPL_SET_STALLS));
	s->demangle = repl_setting_on(r, REPL_SET_DEMANGLE);
	repl_apply_check(r);
	debug_hold_printf(r->dbg, repl_setting_on(r, REPL_SET_PRINTF_FIFO));
	main_program_follow(r);
	snprintf(s->source_path, sizeof s->source_path, "%s", repl_setting(r, REPL_SET_SOURCE_PATH));
}

bool cmd_set(struct repl *r, const char *args)
{
	if (!*args)
		return repl_error(r, "usage: set LVALUE = EXPR, or set SETTING VALUE");
	if ((!strncmp(args, "var", 3) && isblank((unsigned char)args[3])) ||
	    (!strncmp(args, "variable", 8) && isblank((unsigned char)args[8]))) {
		size_t n = strcspn(args, " \t");
		return answer_ask(r, debug_cmd_set_var, args + n + strspn(args + n, " \t"));
	}
	if (debug_is_assignment(r->dbg, args))
		return answer_ask(r, debug_cmd_set_var, args);
	bool known;
	bool ok = repl_setting_set(r, args, &known);
	if (!known && strchr(args, '='))
		return answer_ask(r, debug_cmd_set_var, args); /* which says what is wrong with the expression */
	if (!known)
		return repl_setting_unknown(r, args, "; `show` lists them, `set LVALUE = EXPR` assigns");
	if (ok)
		apply_settings(r);
	if (ok)
		repl_apply_args(r);
	return ok && past_apply(r) && apply_limits(r) && apply_suppress(r);
}

/* gdb's word for the folders of sources: one more in front, without arguments none. */
bool cmd_directory(struct repl *r, const char *args)
{
	struct text path = {0};
	const char *old = repl_setting(r, REPL_SET_SOURCE_PATH);
	bool known;
	text_add(&path, "source-path ");
	if (*args)
		text_addf(&path, "%s%s%s", args, *old ? ":" : "", old);
	bool ok = repl_setting_set(r, text_str(&path), &known);
	text_free(&path);
	apply_settings(r);
	repl_printf(r, "Source directories searched: %s\n", repl_setting(r, REPL_SET_SOURCE_PATH));
	return ok;
}

/* ---- smaller ones ---- */

bool cmd_delete(struct repl *r, const char *args)
{
	size_t n = strcspn(args, " \t");
	const char *rest = args + n + strspn(args + n, " \t");
	if (repl_abbreviates(args, n, "checkpoints", 2))
		return answer_ask_history(r, history_cmd_delete_checkpoint, rest);
	if (repl_abbreviates(args, n, "display", 1))
		return cmd_undisplay(r, rest);
	if (repl_abbreviates(args, n, "buffers", 2))
		return answer_ask(r, debug_cmd_delete_buffer, rest);
	if (repl_abbreviates(args, n, "breakpoints", 1))
		args = rest;
	if (!*args && breakpoint_count(r->dbg) && !repl_asks(r, "Delete all breakpoints?"))
		return true;
	return answer_ask(r, debug_cmd_delete, args);
}

bool cmd_reset(struct repl *r, const char *args)
{
	if (*args)
		return repl_error(r, "usage: reset");
	if (debug_program_lives(r->dbg))
		return repl_error(r, "a program is being debugged: `kill` ends it");
	if (debug_can_run(r->dbg) && !repl_asks(r, "Drop the launches being debugged?"))
		return true;
	debug_reset(r->dbg);
	repl_print(r, "[Machine reset]\n");
	return true;
}

bool cmd_dot(struct repl *r, const char *args)
{
	size_t n = strcspn(args, " \t");
	struct text why = {0}, out = {0};
	const struct isa_function *f = n ? debug_find_kernel(r->dbg, args, n, &why) : NULL;
	if (!f) {
		repl_error(r, "%s", n ? text_str(&why) : "usage: dot KERNEL [FILE]");
		text_free(&why);
		return false;
	}
	text_free(&why);
	cfg_dot(gpu_program(debug_gpu(r->dbg)), f, &out);
	const char *path = args + n + strspn(args + n, " \t");
	if (!*path) {
		repl_print_text(r, &out);
		return true;
	}
	bool ok = repl_write_file(r, path, &out);
	text_free(&out);
	return ok;
}
