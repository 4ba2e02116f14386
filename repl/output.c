/* The prompt's streams: results on standard output (through the pager on a terminal), diagnostics on standard error. */
#include <ctype.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/interpreter/input.h"
#include "repl/edit.h"
#include "repl/repl.h"

bool repl_output_lost(struct repl *r)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
	if (!ferror(stdout))
		return false;
	clearerr(stdout);
	if (poll(&out, 1, 0) == 1 && out.revents & POLLERR)
		return true;
	fputs("error: can't write to standard output\n", stderr);
	interpreter_set_status(r->in, EXIT_STATUS_FAILED);
	return true;
}

static bool pager_on(const struct repl *r)
{
	const struct interpreter *in = r->in;
	return in->interactive && !in->batch && input_is_terminal(in->input) && setting_is_on(in, SETTING_PAGINATION);
}

/* Asks at the end of a screenful. Returns false if the user wants no more of this output. */
static bool page_break(struct repl *r)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	fputs("--Type <RET> for more, q to quit--", stdout);
	fflush(stdout);
	r->lines_out = 0;
	if (*r->in->interrupted || poll(&in, 1, -1) < 0) { /* a Ctrl-C would not end the read itself where the editing library has its own handler */
		fputs("\n", stdout);
		return false;
	}
	int c = getchar(), first = c;
	while (c != '\n' && c != EOF)
		c = getchar();
	return tolower(first) != 'q' && first != EOF && !*r->in->interrupted;
}

static void print_paged(struct repl *r, const char *s)
{
	unsigned lines, columns;
	edit_screen_size(&lines, &columns);
	if (*setting_text(r->in, SETTING_HEIGHT))
		lines = (unsigned)setting_number(r->in, SETTING_HEIGHT);
	if (*setting_text(r->in, SETTING_WIDTH))
		columns = (unsigned)setting_number(r->in, SETTING_WIDTH);
	while (*s && !r->page_quit) {
		if (lines && r->lines_out + 1 >= lines && !page_break(r)) {
			r->page_quit = true;
			return;
		}
		const char *eol = strchr(s, '\n');
		size_t n = eol ? (size_t)(eol - s) + 1 : strlen(s);
		fwrite(s, 1, n, stdout);
		s += n;
		r->lines_out += (eol ? 1 : 0) + (columns ? (unsigned)(n / (columns + 1ul)) : 0);
	}
}

/* ---- the prompt as the interpreter's face ---- */

static void print(void *self, const char *s)
{
	if (pager_on(self))
		print_paged(self, s);
	else
		fputs(s, stdout);
}

static void print_line(void *self, const char *json)
{
	(void)self;
	fputs(json, stdout);
	fflush(stdout);
}

static void complain(void *self, const char *s)
{
	(void)self;
	fflush(stdout);
	fputs(s, stderr);
}

static void flush(void *self)
{
	(void)self;
	fflush(stdout);
}

static bool ask(void *self, const char *question)
{
	(void)self;
	printf("%s (y or n) ", question);
	fflush(stdout);
	int first = getchar();
	for (int c = first; c != '\n' && c != EOF;)
		c = getchar();
	return first == 'y' || first == 'Y' || first == EOF;
}

static void list_lines(void *self, struct text *out)
{
	const struct repl *r = self;
	if (r->in->interactive)
		edit_list_lines(out);
}

static void begin_command(void *self)
{
	struct repl *r = self;
	r->lines_out = 0;
	r->page_quit = false;
}

static void begin_run(void *self) { progress_begin(self); }
static void end_run(void *self) { progress_end(self); }
static bool is_lost(void *self) { return repl_output_lost(self); }

static void screen_size(void *self, unsigned *lines, unsigned *columns)
{
	(void)self;
	edit_screen_size(lines, columns);
}

struct interpreter_face repl_face(struct repl *r)
{
	return (struct interpreter_face){.self = r,
					 .print = print,
					 .line = print_line,
					 .complain = complain,
					 .flush = flush,
					 .ask = ask,
					 .read_line = repl_read_line,
					 .list_lines = list_lines,
					 .begin_command = begin_command,
					 .begin_run = begin_run,
					 .end_run = end_run,
					 .is_lost = is_lost};
}

void repl_use_terminal(struct repl *r, bool has_colors)
{
	r->face.has_colors = has_colors;
	r->face.screen_size = isatty(STDOUT_FILENO) ? screen_size : NULL;
}
