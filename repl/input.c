#include "repl/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "repl/edit.h"
#include "repl/repl.h"

enum source_kind { SOURCE_LINES, SOURCE_STDIN };

struct source {
	enum source_kind kind;
	char *text, *at, *end; /* SOURCE_LINES */
	bool terminal;
	char *path;		/* of a file that is named in errors, else NULL */
	unsigned line, command; /* there: the last line read, and the one that the last command began with */
};

struct input {
	struct source *v;
	size_t n, cap;
	uint32_t line; /* of the command in `file` */
	char *place, *file; /* of the command that is run, NULL: not in a file that is named */
	size_t nul_column; /* of the first NUL byte in the last line read, from 1; 0: the line has none */
};

struct input *input_create(void) { return xcalloc(1, sizeof(struct input)); }

static void pop(struct input *in)
{
	free(in->v[--in->n].text);
	free(in->v[in->n].path);
}

void input_free(struct input *in)
{
	if (!in)
		return;
	while (in->n)
		pop(in);
	free(in->place);
	free(in->v);
	free(in);
}

static struct source *push(struct input *in, enum source_kind kind)
{
	in->v = xgrow(in->v, &in->cap, in->n + 1, sizeof *in->v);
	struct source *s = &in->v[in->n++];
	*s = (struct source){.kind = kind};
	return s;
}

void input_push_bytes(struct input *in, const char *text, size_t n)
{
	struct source *s = push(in, SOURCE_LINES);
	s->text = s->at = xmalloc(n + 1);
	s->end = s->text + n;
	memcpy(s->text, text, n);
	*s->end = '\0';
}

void input_push_lines(struct input *in, const char *text) { input_push_bytes(in, text, strlen(text)); }

void input_push_file(struct input *in, const char *path, const char *text, size_t n)
{
	input_push_bytes(in, text, n);
	in->v[in->n - 1].path = xstrdup(path);
}

void input_begin_command(struct input *in)
{
	free(in->place);
	free(in->file);
	in->place = in->file = NULL;
	if (in->n)
		in->v[in->n - 1].command = in->v[in->n - 1].line;
	size_t i = in->n;
	while (i && !in->v[i - 1].path)
		i--;
	if (!i)
		return;
	struct text place = {0};
	text_addf(&place, "%s:%u", in->v[i - 1].path, in->v[i - 1].command);
	in->place = text_take(&place);
	in->file = xstrdup(in->v[i - 1].path);
	in->line = in->v[i - 1].command;
}

const char *input_place(const struct input *in) { return in->place; }

const char *input_file(const struct input *in, uint32_t *line)
{
	*line = in->file ? in->line : 0;
	return in->file;
}

void input_push_array(struct input *in, const char *const *lines, size_t n)
{
	struct text all = {0};
	for (size_t i = 0; i < n; i++)
		text_addf(&all, "%s\n", lines[i]);
	input_push_lines(in, text_str(&all));
	text_free(&all);
}

void input_push_stdin(struct input *in) { push(in, SOURCE_STDIN)->terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }

/* Records the first NUL byte of a line whose bytes begin in column `before` + 1. */
static void note_nul(struct input *in, const char *line, size_t n, size_t before)
{
	const char *nul = memchr(line, '\0', n);
	if (nul && !in->nul_column)
		in->nul_column = before + (size_t)(nul - line) + 1;
}

static char *next_line(struct input *in, struct source *s, size_t before)
{
	if (s->at == s->end)
		return NULL;
	char *eol = memchr(s->at, '\n', (size_t)(s->end - s->at));
	size_t n = eol ? (size_t)(eol - s->at) : (size_t)(s->end - s->at);
	note_nul(in, s->at, n, before);
	char *line = xstrndup(s->at, n && s->at[n - 1] == '\r' ? n - 1 : n);
	s->at += n + (eol != NULL);
	s->line++;
	return line;
}

static char *next_stdin_line(struct input *in, size_t before)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n = getline(&line, &cap, stdin);
	if (n < 0) {
		free(line);
		return NULL;
	}
	while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
		line[--n] = '\0';
	note_nul(in, line, (size_t)n, before);
	return line;
}

/* Reads the source's next line; `before`: the bytes of the lines that it continues. */
static char *source_line(struct repl *r, struct source *s, const char *prompt, size_t before)
{
	if (s->kind == SOURCE_LINES)
		return next_line(r->input, s, before);
	if (s->terminal)
		return edit_read_line(r, prompt);
	do { /* Ctrl-C here means nothing, and gdb goes on being served */
		*r->interrupted = 0;
		repl_wait_input(r, STDIN_FILENO);
	} while (*r->interrupted);
	if (r->quit) /* by gdb */
		return NULL;
	char *line = next_stdin_line(r->input, before);
	*r->interrupted = 0; /* what came before the command is not meant for it */
	return line;
}

/* A backslash at the end of a line: the next one continues it, as in gdb. */
static char *join_lines(struct repl *r, struct source *s, char *line)
{
	struct text all = {0};
	size_t n = strlen(line);
	while (n && line[n - 1] == '\\') {
		text_addn(&all, line, n - 1);
		free(line);
		line = source_line(r, s, ">", all.n);
		n = line ? strlen(line) : 0;
	}
	if (line)
		text_addn(&all, line, n);
	free(line);
	return text_take(&all);
}

char *input_next(struct repl *r, const char *prompt)
{
	struct input *in = r->input;
	while (in->n) {
		struct source *s = &in->v[in->n - 1];
		in->nul_column = 0;
		char *line = source_line(r, s, prompt, 0);
		if (line)
			return *line ? join_lines(r, s, line) : line;
		pop(in);
		return NULL;
	}
	return NULL;
}

bool input_line_is_text(struct repl *r)
{
	const size_t column = r->input->nul_column;
	return !column || repl_error(r, "a NUL byte in column %zu of the line: command lines are text", column);
}

size_t input_depth(const struct input *in) { return in->n; }

void input_unwind(struct input *in, size_t depth)
{
	while (in->n > depth)
		pop(in);
}

bool input_is_terminal(const struct input *in) { return in->n && in->v[in->n - 1].kind == SOURCE_STDIN && in->v[in->n - 1].terminal; }

/* Whether a line opens a block that has its own `end`. */
static bool opens_block(const char *line)
{
	static const char *const words[] = {"commands", "define", "document", "while", "if"};
	line += strspn(line, " \t");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i]);
		if (!strncmp(line, words[i], n) && (!line[n] || line[n] == ' ' || line[n] == '\t'))
			return true;
	}
	return false;
}

/* Ctrl-C at a terminal drops the block, also between two of its lines. */
static bool dropped(const struct repl *r) { return *r->interrupted && input_is_terminal(r->input); }

char *input_read_block(struct repl *r)
{
	struct text body = {0};
	unsigned depth = 1;
	for (char *line; !dropped(r) && (line = input_next(r, ">")) != NULL; free(line)) {
		const char *word = line + strspn(line, " \t");
		if (!input_line_is_text(r)) {
			free(line);
			text_free(&body);
			return NULL;
		}
		if (!strncmp(word, "end", 3) && !word[3 + strspn(word + 3, " \t")] && --depth == 0) {
			free(line);
			return text_take(&body);
		}
		depth += opens_block(line);
		text_addf(&body, "%s\n", line);
	}
	text_free(&body);
	repl_error(r, dropped(r) ? "interrupted" : "a block of commands ends here without its `end`");
	return NULL;
}

void repl_wait_input(struct repl *r, int fd)
{
	fflush(stdout); /* whoever is at the other end of a pipe waits for it before the next command */
	session_wait(r->session, &r->face, fd);
}
