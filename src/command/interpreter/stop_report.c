/* Telling the user why the machine stands still. */
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "debug/stop/breakpoint.h"
#include "command/inspect.h"
#include "gpu/statistics/statistics.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"

/* The command list of the breakpoint a stop reports, NULL if it has none. */
static const struct breakpoint *with_commands(struct interpreter *in, const struct debug_stop *stop)
{
	for (uint32_t i = 0; i < stop->n_hits; i++) {
		const struct breakpoint *b = breakpoint_find(in->dbg, stop->hits[i]);
		if (b && b->n_commands)
			return b;
	}
	return NULL;
}

static bool is_silent(const char *line)
{
	line += strspn(line, " \t");
	return !strncmp(line, "silent", 6) && !line[6 + strspn(line + 6, " \t")];
}

/* Keeps the list for interpreter_run; returns whether it begins with `silent`. */
static bool take_commands(struct interpreter *in, const struct debug_stop *stop)
{
	const struct breakpoint *b = with_commands(in, stop);
	free(in->pending);
	in->pending = NULL;
	if (!b)
		return false;
	bool silent = is_silent(b->commands[0]);
	struct text body = {0};
	for (size_t i = silent; i < b->n_commands; i++)
		text_addf(&body, "%s\n", b->commands[i]);
	in->pending = text_take(&body);
	return silent;
}

void interpreter_kernel_done(struct interpreter *in)
{
	const char *path = gpu_statistics_lines_file(debug_gpu(in->dbg));
	struct text out = {0};
	if (!path || !gpu_timing(debug_gpu(in->dbg)) || !gpu_statistics_lines(debug_gpu(in->dbg), &out))
		return;
	if (!files_write(session_files(in->session), path, text_str(&out), out.n)) /* the configuration names it: no client of gdb */
		interpreter_error(in, "can't write '%s': %m", path);
	text_free(&out);
}

bool interpreter_report_stop(struct interpreter *in, const struct debug_stop *stop)
{
	bool silent = take_commands(in, stop);
	in->n_stops++;
	session_report_stop(in->session, in->session_face, stop);
	if (stop->status)
		interpreter_set_status(in, (enum exit_status)stop->status);
	answer_stop(in, stop);
	if (silent)
		return true;
	interpreter_hook_stop(in);
	struct text out = {0};
	debug_stop_report(in->dbg, stop, &out);
	interpreter_print_text(in, &out);
	if (in->table->at_stop)
		in->table->at_stop(in);
	return true;
}
