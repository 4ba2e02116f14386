#include "command/interpreter/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/stop/stop.h"
#include "command/interpreter/input.h"
#include "command/interpreter/logging.h"

const char json_option[] = "--json";

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* ---- the option ---- */

/* Returns where the last `--json` of a line begins; NULL: it has none. */
static const char *option_find(const char *args)
{
	const size_t n = strlen(json_option);
	const char *found = NULL;
	for (const char *s = args; (s = strstr(s, json_option)); s += n)
		if ((s == args || is_blank(s[-1])) && (!s[n] || is_blank(s[n])))
			found = s;
	return found;
}

bool answer_option(const char *args, char **rest, char **file)
{
	const char *at = option_find(args);
	if (!at)
		return false;
	const char *name = at + strlen(json_option);
	name += strspn(name, " \t");
	size_t n = (size_t)(at - args);
	while (n && is_blank(args[n - 1]))
		n--;
	*rest = xstrndup(args, n);
	*file = *name ? argument_unquoted(name) : xstrdup("-");
	return true;
}

/* ---- collecting ---- */

void answer_begin(struct interpreter *in, struct answer *a, const char *command, char *file)
{
	*a = (struct answer){.outer = in->answer,
			     .report = report_create(),
			     .is_line = !file,
			     .file = file,
			     .command = xstrdup(command),
			     .capture = in->capture};
	report_text(a->report, "command", command);
	report_number(a->report, "cycle", gpu_cycle(debug_gpu(in->dbg)));
	in->capture = NULL;
	in->answer = a;
}

void answer_bare(struct interpreter *in)
{
	if (!in->answer)
		return;
	report_destroy(in->answer->report);
	in->answer->report = report_create();
	in->answer->is_bare = true;
}

/* Notes an error; only the first one of a command is kept. */
static bool note_error(struct answer *a, const char *file, uint32_t line, uint32_t column, const char *message)
{
	if (a->message.n)
		return true;
	text_add(&a->message, message);
	a->error_file = file ? xstrdup(file) : NULL;
	a->line = line;
	a->column = column;
	return true;
}

static bool collects_errors(const struct interpreter *in) { return in->answer && in->answer->is_line && !in->capture; }

bool answer_error(struct interpreter *in, const char *message)
{
	uint32_t line = 0;
	const char *file = input_file(in->input, &line);
	return collects_errors(in) && note_error(in->answer, file, line, 0, message);
}

bool answer_diags(struct interpreter *in, const struct diag_list *diags)
{
	if (!collects_errors(in) || !diags->n_errors)
		return false;
	for (size_t k = 0; k < diags->n; k++) {
		const struct diag *d = &diags->v[k];
		if (d->severity == DIAG_ERROR)
			return note_error(in->answer, d->file, d->line, d->col, d->message);
	}
	return false;
}

/* Adds what the command has printed as `text`. */
static void words_add(struct interpreter *in, struct report *report)
{
	struct text words = {0};
	report_draw(report, debug_settings(in->dbg)->width, &words);
	report_text(report, "text", text_str(&words));
	text_free(&words);
}

/* Appends `{"message", "file", "line", "column"}` as the member `error`. */
static void error_add(const struct answer *a, struct report *line)
{
	report_open(line, "error");
	report_text(line, "message", text_str(&a->message));
	if (a->error_file)
		report_text(line, "file", a->error_file);
	if (a->line)
		report_number(line, "line", a->line);
	if (a->column)
		report_number(line, "column", a->column);
	report_close(line);
}

static void print_line(struct interpreter *in, const struct report *line)
{
	struct text json = {0};
	report_json(line, true, &json);
	text_addc(&json, '\n');
	if (in->capture)
		text_add(in->capture, text_str(&json));
	else if (!logging_add(in, text_str(&json)) && in->face->line)
		in->face->line(in->face->self, text_str(&json));
	text_free(&json);
}

/* Prints the line of `set output json`: the result, or the error. */
static void line_end(struct interpreter *in, struct answer *a, bool ok)
{
	struct report *line = a->to ? a->to : report_create();
	report_text(line, "command", a->command);
	report_number(line, "status", ok ? (uint64_t)a->status : EXIT_STATUS_FAILED);
	if (a->message.n)
		error_add(a, line);
	else
		report_move(line, "result", a->report);
	if (a->to)
		return;
	print_line(in, line);
	report_destroy(line);
}

/* Writes the result to the file of `--json FILE`. */
static bool file_end(struct interpreter *in, const struct answer *a)
{
	struct text json = {0};
	bool ok = true;
	report_json(a->report, false, &json);
	text_addc(&json, '\n');
	if (!strcmp(a->file, "-"))
		interpreter_print(in, text_str(&json));
	else
		ok = interpreter_write_file(in, a->file, &json);
	text_free(&json);
	return ok;
}

bool answer_end(struct interpreter *in, struct answer *a, bool ok)
{
	in->answer = a->outer;
	in->capture = a->capture;
	const bool is_silent = a->is_script && !a->to && !a->message.n && !report_has_words(a->report);
	if (!a->is_bare)
		words_add(in, a->report);
	if (is_silent)
		;
	else if (a->is_line)
		line_end(in, a, ok);
	else
		ok = ok && file_end(in, a);
	report_destroy(a->report);
	text_free(&a->message);
	free(a->error_file);
	free(a->command);
	free(a->file);
	return ok;
}

/* ---- asking ---- */

/* Returns whether what is said now becomes part of the answer that runs. */
static bool collects(const struct interpreter *in) { return in->answer && !in->capture; }

struct report *answer_part(struct interpreter *in) { return collects(in) ? in->answer->report : report_create(); }

void answer_part_end(struct interpreter *in, struct report *part)
{
	struct text out = {0};
	if (collects(in) && part == in->answer->report)
		return;
	report_draw(part, debug_settings(in->dbg)->width, &out);
	report_destroy(part);
	interpreter_print_text(in, &out);
}

/* Runs the one of the two that is given. */
static bool ask(struct interpreter *in, debug_answer_fn *fn, command_past_fn *past, const char *args)
{
	struct report *const report = answer_part(in);
	struct text why = {0};
	interpreter_fit(in);
	const bool ok = fn ? fn(in->dbg, args, report, &why)
			   : past(session_history(in->session), args, report, &why);
	answer_part_end(in, report);
	if (!ok)
		interpreter_failure(in, &why);
	text_free(&why);
	return ok;
}

bool answer_ask(struct interpreter *in, debug_answer_fn *fn, const char *args) { return ask(in, fn, NULL, args); }
bool answer_ask_history(struct interpreter *in, command_past_fn *fn, const char *args) { return ask(in, NULL, fn, args); }

/* Adds the member `stop`. */
static void stop_add(struct interpreter *in, const struct debug_stop *stop, struct report *report)
{
	report_open(report, "stop");
	debug_stop_describe(in->dbg, stop, report);
	report_close(report);
}

void answer_stop(struct interpreter *in, const struct debug_stop *stop)
{
	if (!in->answer || in->capture)
		return;
	in->answer->status = stop->status;
	stop_add(in, stop, in->answer->report);
}

static bool is_json(const struct interpreter *in) { return !strcmp(setting_text(in, SETTING_OUTPUT), "json"); }

bool answer_event_stop(struct interpreter *in, const struct debug_stop *stop)
{
	if (!is_json(in))
		return false;
	struct report *line = report_create();
	stop_add(in, stop, line);
	print_line(in, line);
	report_destroy(line);
	return true;
}

bool answer_event(struct interpreter *in, const char *name, const char *s, size_t n)
{
	if (!is_json(in))
		return false;
	struct report *line = report_create();
	struct text words = {0};
	text_addn(&words, s, n);
	report_text(line, name, text_str(&words));
	print_line(in, line);
	text_free(&words);
	report_destroy(line);
	return true;
}
