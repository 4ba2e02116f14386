/* Results on standard output (through the pager on a terminal), diagnostics on standard error. */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "repl/answer.h"
#include "repl/edit.h"
#include "repl/input.h"
#include "repl/repl.h"

void repl_complain(struct repl *r, const char *s)
{
	if (r->capture) {
		text_add(r->capture, s);
		return;
	}
	fflush(stdout);
	fputs(s, stderr);
}

static void complain_error(struct repl *r, const char *message)
{
	const bool color = r->color && !r->capture && repl_setting_on(r, REPL_SET_COLOR);
	struct text line = {0};
	text_addf(&line, "%serror:%s %s\n", color ? "\033[31m" : "", color ? "\033[0m" : "", message);
	repl_complain(r, text_str(&line));
	text_free(&line);
}

bool repl_error(struct repl *r, const char *fmt, ...)
{
	struct text message = {0}, t = {0};
	va_list ap;
	if (input_place(r->input))
		text_addf(&t, "%s: ", input_place(r->input));
	va_start(ap, fmt);
	text_vaddf(&message, fmt, ap);
	va_end(ap);
	text_add(&t, text_str(&message));
	if (!answer_error(r, text_str(&message)))
		complain_error(r, text_str(&t));
	text_clear(&r->error);
	text_addf(&r->error, "error: %s", text_str(&t));
	text_free(&message);
	text_free(&t);
	r->failed = true;
	return false;
}

void repl_failure(struct repl *r, const struct text *why)
{
	if (why->n)
		repl_error(r, "%s", text_str(why));
	r->failed = true;
}

bool repl_diags(struct repl *r, const struct diag_list *diags)
{
	struct text t = {0};
	for (size_t i = 0; i < diags->n; i++)
		diag_format(&t, &diags->v[i]);
	if (diags->n_errors && input_place(r->input))
		text_addf(&t, "error: %s: this command failed\n", input_place(r->input));
	if (t.n && !answer_diags(r, diags))
		repl_complain(r, text_str(&t));
	if (diags->n_errors) {
		r->failed = true;
		text_clear(&r->error);
		text_addn(&r->error, text_str(&t), t.n - (t.n && t.s[t.n - 1] == '\n'));
	}
	text_free(&t);
	return !diags->n_errors;
}

bool repl_output_lost(struct repl *r)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
	if (!ferror(stdout))
		return false;
	clearerr(stdout);
	if (poll(&out, 1, 0) == 1 && out.revents & POLLERR)
		return true;
	fputs("error: can't write to standard output\n", stderr);
	repl_set_status(r, REPL_FAILED);
	return true;
}

static bool pager_on(const struct repl *r)
{
	return r->interactive && !r->batch && input_is_terminal(r->input) && repl_setting_on(r, REPL_SET_PAGINATION);
}

/* Asks at the end of a screenful; false: the user wants no more of this output. */
static bool page_break(struct repl *r)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	fputs("--Type <RET> for more, q to quit--", stdout);
	fflush(stdout);
	r->lines_out = 0;
	if (*r->interrupted || poll(&in, 1, -1) < 0) { /* a Ctrl-C would not end the read itself where the editing library has its own handler */
		fputs("\n", stdout);
		return false;
	}
	int c = getchar(), first = c;
	while (c != '\n' && c != EOF)
		c = getchar();
	return tolower(first) != 'q' && first != EOF && !*r->interrupted;
}

static void print_paged(struct repl *r, const char *s)
{
	unsigned lines, columns;
	edit_screen_size(&lines, &columns);
	if (*repl_setting(r, REPL_SET_HEIGHT))
		lines = (unsigned)repl_setting_int(r, REPL_SET_HEIGHT);
	if (*repl_setting(r, REPL_SET_WIDTH))
		columns = (unsigned)repl_setting_int(r, REPL_SET_WIDTH);
	while (*s && !r->page_quit) {
		const char *eol = strchr(s, '\n');
		size_t n = eol ? (size_t)(eol - s) + 1 : strlen(s);
		fwrite(s, 1, n, stdout);
		s += n;
		r->lines_out += 1 + (columns ? (unsigned)(n / (columns + 1ul)) : 0);
		if (*s && lines && r->lines_out + 1 >= lines)
			r->page_quit = !page_break(r);
	}
}

#define LEAST_COLUMNS 20 /* nothing is broken to less */

void repl_fit(struct repl *r)
{
	struct debug_settings *s = debug_settings(r->dbg);
	const char *set = repl_setting(r, REPL_SET_WIDTH);
	unsigned lines, columns = 0;
	s->on_terminal = !r->capture && !r->answer && r->terminal;
	if (s->on_terminal)
		edit_screen_size(&lines, &columns);
	if (*set && !r->capture && !r->answer)
		columns = repl_setting_int(r, REPL_SET_WIDTH) ? (unsigned)repl_setting_int(r, REPL_SET_WIDTH) : UINT32_MAX;
	s->width = columns && columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns;
	s->color = s->on_terminal && r->color && repl_setting_on(r, REPL_SET_COLOR);
}

void repl_print(struct repl *r, const char *s)
{
	if (r->capture)
		text_add(r->capture, s);
	else if (r->answer)
		text_add(report_prose(r->answer->report), s);
	else if (pager_on(r))
		print_paged(r, s);
	else
		fputs(s, stdout);
}

void repl_printf(struct repl *r, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	repl_print_text(r, &t);
}

void repl_print_text(struct repl *r, struct text *t)
{
	repl_print(r, text_str(t));
	text_free(t);
}

bool repl_write_file(struct repl *r, const char *path, const struct text *t)
{
	if (!repl_may_reach(r, path))
		return false;
	return files_write(session_files(r->session), path, text_str(t), t->n) || repl_error(r, "can't write '%s': %s", path, strerror(errno));
}

bool repl_asks(struct repl *r, const char *question)
{
	if (!r->interactive || r->batch || !input_is_terminal(r->input) || !repl_setting_on(r, REPL_SET_CONFIRM))
		return true;
	printf("%s (y or n) ", question);
	fflush(stdout);
	int first = getchar();
	for (int c = first; c != '\n' && c != EOF;)
		c = getchar();
	return first == 'y' || first == 'Y' || first == EOF;
}

bool repl_may_reach(struct repl *r, const char *what)
{
	struct text why = {0};
	const bool ok = debug_may_reach_host(r->dbg, what, &why);
	if (!ok)
		repl_error(r, "%s", text_str(&why));
	text_free(&why);
	return ok;
}
