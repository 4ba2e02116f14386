/* Telling the user why the machine stands still. */
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "debug/stop/breakpoint.h"
#include "command/inspect.h"
#include "gpu/statistics/statistics.h"
#include "repl/answer.h"
#include "repl/repl.h"

/* The command list of the breakpoint a stop reports, NULL if it has none. */
static const struct breakpoint *with_commands(struct repl *r, const struct debug_stop *stop)
{
	for (uint32_t i = 0; i < stop->n_hits; i++) {
		const struct breakpoint *b = breakpoint_find(r->dbg, stop->hits[i]);
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

/* Keeps the list for repl_run; returns whether it begins with `silent`. */
static bool take_commands(struct repl *r, const struct debug_stop *stop)
{
	const struct breakpoint *b = with_commands(r, stop);
	free(r->pending);
	r->pending = NULL;
	if (!b)
		return false;
	bool silent = is_silent(b->commands[0]);
	struct text body = {0};
	for (size_t i = silent; i < b->n_commands; i++)
		text_addf(&body, "%s\n", b->commands[i]);
	r->pending = text_take(&body);
	return silent;
}

void repl_show_displays(struct repl *r)
{
	struct report *const all = r->n_displays ? answer_part(r) : NULL;
	if (!all)
		return;
	report_list(all, "displays");
	for (size_t i = 0; i < r->n_displays; i++) {
		struct report *const one = report_create();
		struct text why = {0};
		/* a display that can't be evaluated here (a register of another kernel) stays silent, as in gdb */
		if (!r->displays[i].off && debug_display(r->dbg, r->displays[i].number, r->displays[i].args, one, &why))
			report_move(all, NULL, one);
		report_destroy(one);
		text_free(&why);
	}
	report_close(all);
	answer_part_end(r, all);
}

/* -ptx_line_stats_filename: anew after each kernel. */
static void write_lines(struct repl *r)
{
	const char *path = gpu_statistics_lines_file(debug_gpu(r->dbg));
	struct text out = {0};
	if (!path || !gpu_statistics_lines(debug_gpu(r->dbg), &out))
		return;
	if (!files_write(session_files(r->session), path, text_str(&out), out.n)) /* the configuration names it: no client of gdb */
		repl_error(r, "can't write '%s': %m", path);
	text_free(&out);
}

bool repl_report(struct repl *r, const struct debug_stop *stop)
{
	bool silent = take_commands(r, stop);
	session_report_stop(r->session, &r->face, stop);
	if (stop->status)
		repl_set_status(r, (enum repl_status)stop->status);
	if (stop->reason == DEBUG_STOP_KERNEL_DONE)
		write_lines(r);
	answer_stop(r, stop);
	if (silent)
		return true;
	repl_hook_stop(r);
	struct text out = {0};
	debug_stop_report(r->dbg, stop, &out);
	repl_print_text(r, &out);
	repl_show_displays(r);
	return true;
}
