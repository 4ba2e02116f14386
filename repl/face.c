/* The prompt as a face of the session: what it shows of the machine's doings when others run it, and what it does for them. */
#include <stdio.h>

#include "command/inspect.h"
#include "repl/answer.h"
#include "repl/edit.h"
#include "repl/repl.h"

static bool output(void *self, const char *s, size_t n)
{
	progress_erase(self);
	if (answer_event(self, "output", s, n))
		return false;
	fwrite(s, 1, n, stdout);
	fflush(stdout);
	return false;
}

static bool note(void *self, const char *line)
{
	repl_complain(self, line);
	return false;
}

static bool report(void *self, const char *lines)
{
	progress_erase(self);
	repl_print(self, lines);
	fflush(stdout);
	return false;
}

static void kernel_done(void *self)
{
	struct repl *r = self;
	struct text stats = {0}, why = {0};
	if (!repl_setting_on(r, REPL_SET_STATS_AT_EXIT))
		return;
	progress_erase(r);
	if (debug_answer_text(r->dbg, debug_cmd_stats, "", &stats, &why))
		fputs(text_str(&stats), stderr);
	text_free(&stats);
	text_free(&why);
}

static void command(void *self, const char *line, bool is_confined, struct text *out)
{
	repl_execute_for(self, line, is_confined, out);
}

static void said(void *self, const char *line)
{
	const struct repl *r = self;
	if (r->quiet || !r->interactive)
		return;
	printf("\n%s", line);
	fflush(stdout);
	edit_redraw();
}

/* Whoever sits at the prompt sees where another face has led the machine. */
static void stopped(void *self, const struct debug_stop *stop)
{
	struct repl *r = self;
	struct text t = {0};
	if (stop->status)
		repl_set_status(r, (enum repl_status)stop->status);
	if (!r->interactive || answer_event_stop(r, stop))
		return;
	debug_stop_report(r->dbg, stop, &t);
	printf("\n%s", text_str(&t));
	fflush(stdout);
	edit_redraw();
	text_free(&t);
}

static void killed(void *self)
{
	struct repl *r = self;
	if (r->batch)
		r->quit = true;
}

static bool done(void *self) { return ((const struct repl *)self)->quit; }

struct session_face repl_face(struct repl *r)
{
	return (struct session_face){.self = r,
				     .output = output,
				     .text = output,
				     .note = note,
				     .report = report,
				     .kernel_done = kernel_done,
				     .progress = progress_show,
				     .command = command,
				     .said = said,
				     .stopped = stopped,
				     .killed = killed,
				     .done = done};
}
