/* The prompt as a face of the session: what it shows of the machine's doings when others run it, and what it does for them. */
#include <stdio.h>

#include "command/inspect.h"
#include "command/session/core_file.h"
#include "command/interpreter/answer.h"
#include "repl/edit.h"
#include "repl/repl.h"

static bool output(void *self, const char *s, size_t n)
{
	progress_erase(self);
	if (answer_event(((struct repl *)self)->in, "output", s, n))
		return false;
	fwrite(s, 1, n, stdout);
	fflush(stdout);
	return false;
}

static bool note(void *self, const char *line)
{
	interpreter_complain(((struct repl *)self)->in, line);
	return false;
}

static bool report(void *self, const char *lines)
{
	progress_erase(self);
	interpreter_print(((struct repl *)self)->in, lines);
	fflush(stdout);
	return false;
}

static void kernel_done(void *self)
{
	struct repl *r = self;
	struct text stats = {0}, why = {0};
	interpreter_kernel_done(r->in);
	if (!setting_is_on(r->in, SETTING_STATS_AT_EXIT))
		return;
	progress_erase(r);
	if (debug_answer_text(r->in->dbg, statistics_answer, "", &stats, &why))
		fputs(text_str(&stats), stderr);
	text_free(&stats);
	text_free(&why);
}

static void said(void *self, const char *line)
{
	const struct repl *r = self;
	if (!r->in->interactive)
		return;
	printf("\n%s", line);
	fflush(stdout);
	edit_redraw();
}

/* Shows the user at the prompt where another face has run the machine to. */
static void stopped(void *self, const struct debug_stop *stop)
{
	struct repl *r = self;
	struct text t = {0};
	core_file_at_stop(r->in, stop);
	if (stop->status)
		interpreter_set_status(r->in, (enum exit_status)stop->status);
	if (!r->in->interactive || answer_event_stop(r->in, stop))
		return;
	debug_stop_report(r->in->dbg, stop, &t);
	printf("\n%s", text_str(&t));
	fflush(stdout);
	edit_redraw();
	text_free(&t);
}

static void killed(void *self)
{
	struct repl *r = self;
	if (r->in->batch)
		r->in->quit = true;
}

/* Runs the program on: with a prompt until something stops it, else to its end. */
static void detached(void *self)
{
	struct repl *r = self;
	interpreter_execute(r->in, r->in->interactive ? "continue" : "detach");
	if (r->in->interactive)
		edit_redraw();
}

static bool done(void *self) { return ((const struct repl *)self)->in->quit; }

struct session_face repl_session_face(struct repl *r)
{
	return (struct session_face){.self = r,
				     .output = output,
				     .text = output,
				     .note = note,
				     .report = report,
				     .kernel_done = kernel_done,
				     .progress = progress_show,
				     .said = said,
				     .stopped = stopped,
				     .killed = killed,
				     .detached = detached,
				     .done = done};
}
