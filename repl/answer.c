#include "repl/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/stop/stop.h"
#include "repl/input.h"

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
	*file = *name ? repl_unquoted(name) : xstrdup("-");
	return true;
}

/* ---- collecting ---- */

void answer_begin(struct repl *r, struct answer *a, const char *command, char *file)
{
	*a = (struct answer){.outer = r->answer,
			     .report = report_create(),
			     .is_line = !file,
			     .file = file,
			     .command = xstrdup(command),
			     .capture = r->capture};
	report_text(a->report, "command", command);
	report_number(a->report, "cycle", gpu_cycle(debug_gpu(r->dbg)));
	r->capture = NULL;
	r->answer = a;
}

void answer_bare(struct repl *r)
{
	if (!r->answer)
		return;
	report_destroy(r->answer->report);
	r->answer->report = report_create();
	r->answer->is_bare = true;
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

static bool collects_errors(const struct repl *r) { return r->answer && r->answer->is_line && !r->capture; }

bool answer_error(struct repl *r, const char *message)
{
	uint32_t line = 0;
	const char *file = input_file(r->input, &line);
	return collects_errors(r) && note_error(r->answer, file, line, 0, message);
}

bool answer_diags(struct repl *r, const struct diag_list *diags)
{
	if (!collects_errors(r) || !diags->n_errors)
		return false;
	for (size_t k = 0; k < diags->n; k++) {
		const struct diag *d = &diags->v[k];
		if (d->severity == DIAG_ERROR)
			return note_error(r->answer, d->file, d->line, d->col, d->message);
	}
	return false;
}

/* Adds what the command has printed as `text`. */
static void words_add(struct repl *r, struct report *report)
{
	struct text words = {0};
	report_draw(report, debug_settings(r->dbg)->width, &words);
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

static void print_line(struct repl *r, const struct report *line)
{
	struct text json = {0};
	report_json(line, true, &json);
	text_addc(&json, '\n');
	if (r->capture)
		text_add(r->capture, text_str(&json));
	else {
		fputs(text_str(&json), stdout);
		fflush(stdout);
	}
	text_free(&json);
}

/* Prints the line of `set output json`: the result, or the error. */
static void line_end(struct repl *r, struct answer *a, bool ok)
{
	struct report *line = report_create();
	report_text(line, "command", a->command);
	report_number(line, "status", ok ? (uint64_t)a->status : REPL_FAILED);
	if (a->message.n)
		error_add(a, line);
	else
		report_move(line, "result", a->report);
	print_line(r, line);
	report_destroy(line);
}

/* Writes the result to the file of `--json FILE`. */
static bool file_end(struct repl *r, const struct answer *a)
{
	struct text json = {0};
	bool ok = true;
	report_json(a->report, false, &json);
	text_addc(&json, '\n');
	if (!strcmp(a->file, "-"))
		repl_print(r, text_str(&json));
	else
		ok = repl_write_file(r, a->file, &json);
	text_free(&json);
	return ok;
}

bool answer_end(struct repl *r, struct answer *a, bool ok)
{
	r->answer = a->outer;
	r->capture = a->capture;
	const bool is_silent = a->is_script && !a->message.n && !report_has_words(a->report);
	if (!a->is_bare)
		words_add(r, a->report);
	if (is_silent)
		;
	else if (a->is_line)
		line_end(r, a, ok);
	else
		ok = ok && file_end(r, a);
	report_destroy(a->report);
	text_free(&a->message);
	free(a->error_file);
	free(a->command);
	free(a->file);
	return ok;
}

/* ---- asking ---- */

/* Returns whether what is said now becomes part of the answer that runs. */
static bool collects(const struct repl *r) { return r->answer && !r->capture; }

struct report *answer_part(struct repl *r) { return collects(r) ? r->answer->report : report_create(); }

void answer_part_end(struct repl *r, struct report *part)
{
	struct text out = {0};
	if (collects(r) && part == r->answer->report)
		return;
	report_draw(part, debug_settings(r->dbg)->width, &out);
	report_destroy(part);
	repl_print_text(r, &out);
}

/* Runs the one of the two that is given. */
static bool ask(struct repl *r, debug_answer_fn *fn, history_answer_fn *past, const char *args)
{
	struct report *const report = answer_part(r);
	struct text why = {0};
	repl_fit(r);
	const bool ok = fn ? fn(r->dbg, args, report, &why)
			   : past(session_history(r->session), args, report, &why);
	answer_part_end(r, report);
	if (!ok)
		repl_failure(r, &why);
	text_free(&why);
	return ok;
}

bool answer_ask(struct repl *r, debug_answer_fn *fn, const char *args) { return ask(r, fn, NULL, args); }
bool answer_ask_history(struct repl *r, history_answer_fn *fn, const char *args) { return ask(r, NULL, fn, args); }

/* Adds the member `stop`. */
static void stop_add(struct repl *r, const struct debug_stop *stop, struct report *report)
{
	report_open(report, "stop");
	debug_stop_describe(r->dbg, stop, report);
	report_close(report);
}

void answer_stop(struct repl *r, const struct debug_stop *stop)
{
	if (!r->answer || r->capture)
		return;
	r->answer->status = stop->status;
	stop_add(r, stop, r->answer->report);
}

static bool is_json(const struct repl *r) { return !strcmp(repl_setting(r, REPL_SET_OUTPUT), "json"); }

bool answer_event_stop(struct repl *r, const struct debug_stop *stop)
{
	if (!is_json(r))
		return false;
	struct report *line = report_create();
	stop_add(r, stop, line);
	print_line(r, line);
	report_destroy(line);
	return true;
}

bool answer_event(struct repl *r, const char *name, const char *s, size_t n)
{
	if (!is_json(r))
		return false;
	struct report *line = report_create();
	struct text words = {0};
	text_addn(&words, s, n);
	report_text(line, name, text_str(&words));
	print_line(r, line);
	text_free(&words);
	report_destroy(line);
	return true;
}
