/* What commands say: results and diagnostics, to the face, the capture or the answer that collects. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/input.h"
#include "command/interpreter/interpreter.h"
#include "command/interpreter/logging.h"

void interpreter_complain(struct interpreter *in, const char *s)
{
	if (in->capture && !in->captures_results_only)
		text_add(in->capture, s);
	else if (!logging_add(in, s) && in->face->complain)
		in->face->complain(in->face->self, s);
}

static void complain_error(struct interpreter *in, const char *message)
{
	const bool color = in->face->has_colors && !in->capture && setting_is_on(in, SETTING_COLOR);
	struct text line = {0};
	text_addf(&line, "%serror:%s %s\n", color ? "\033[31m" : "", color ? "\033[0m" : "", message);
	interpreter_complain(in, text_str(&line));
	text_free(&line);
}

bool interpreter_error(struct interpreter *in, const char *fmt, ...)
{
	struct text message = {0}, t = {0};
	va_list ap;
	if (input_place(in->input))
		text_addf(&t, "%s: ", input_place(in->input));
	va_start(ap, fmt);
	text_vaddf(&message, fmt, ap);
	va_end(ap);
	text_add(&t, text_str(&message));
	if (!answer_error(in, text_str(&message)))
		complain_error(in, text_str(&t));
	text_clear(&in->error);
	text_addf(&in->error, "error: %s", text_str(&t));
	text_free(&message);
	text_free(&t);
	in->failed = true;
	return false;
}

void interpreter_failure(struct interpreter *in, const struct text *why)
{
	if (why->n)
		interpreter_error(in, "%s", text_str(why));
	in->failed = true;
}

bool interpreter_diags(struct interpreter *in, const struct diag_list *diags)
{
	struct text t = {0};
	for (size_t i = 0; i < diags->n; i++)
		diag_format(&t, &diags->v[i]);
	if (diags->n_errors && input_place(in->input))
		text_addf(&t, "error: %s: this command failed\n", input_place(in->input));
	if (t.n && !answer_diags(in, diags))
		interpreter_complain(in, text_str(&t));
	if (diags->n_errors) {
		in->failed = true;
		text_clear(&in->error);
		text_addn(&in->error, text_str(&t), t.n - (t.n && t.s[t.n - 1] == '\n'));
	}
	text_free(&t);
	return !diags->n_errors;
}

#define LEAST_COLUMNS 20 /* nothing is broken to less */

void interpreter_fit(struct interpreter *in)
{
	struct debug_settings *s = debug_settings(in->dbg);
	const char *set = setting_text(in, SETTING_WIDTH);
	const bool is_shown = !in->capture && !in->answer;
	unsigned lines, columns = 0;
	s->on_terminal = is_shown && in->face->screen_size;
	if (s->on_terminal)
		in->face->screen_size(in->face->self, &lines, &columns);
	if (*set && is_shown)
		columns = setting_number(in, SETTING_WIDTH) ? (unsigned)setting_number(in, SETTING_WIDTH) : UINT32_MAX;
	s->width = columns && columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns;
	s->color = s->on_terminal && in->face->has_colors && setting_is_on(in, SETTING_COLOR);
}

void interpreter_print(struct interpreter *in, const char *s)
{
	if (in->capture)
		text_add(in->capture, s);
	else if (in->answer)
		text_add(report_prose(in->answer->report), s);
	else if (!logging_add(in, s) && in->face->print)
		in->face->print(in->face->self, s);
}

void interpreter_printf(struct interpreter *in, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	interpreter_print_text(in, &t);
}

void interpreter_print_text(struct interpreter *in, struct text *t)
{
	interpreter_print(in, text_str(t));
	text_free(t);
}

void interpreter_flush(struct interpreter *in)
{
	if (in->face->flush)
		in->face->flush(in->face->self);
}

bool interpreter_write_file(struct interpreter *in, const char *path, const struct text *t)
{
	if (!interpreter_may_reach(in, path))
		return false;
	return files_write(session_files(in->session), path, text_str(t), t->n) ||
	       interpreter_error(in, "can't write '%s': %s", path, strerror(errno));
}

bool interpreter_asks(struct interpreter *in, const char *question)
{
	const bool has_user = in->interactive && !in->batch && input_is_terminal(in->input) && setting_is_on(in, SETTING_CONFIRM);
	return !has_user || !in->face->ask || in->face->ask(in->face->self, question);
}

bool interpreter_may_reach(struct interpreter *in, const char *what)
{
	struct text why = {0};
	const bool ok = debug_may_reach_host(in->dbg, what, &why);
	if (!ok)
		interpreter_error(in, "%s", text_str(&why));
	text_free(&why);
	return ok;
}
