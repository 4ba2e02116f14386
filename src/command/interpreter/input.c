#include "command/interpreter/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/interpreter/interpreter.h"

enum source_kind { SOURCE_LINES, SOURCE_TYPED };

struct source {
	enum source_kind kind;
	char *text, *at, *end; /* SOURCE_LINES */
	bool terminal; /* SOURCE_TYPED: a user types the lines */
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

static void pop(struct input *lines)
{
	free(lines->v[--lines->n].text);
	free(lines->v[lines->n].path);
}

void input_free(struct input *lines)
{
	if (!lines)
		return;
	while (lines->n)
		pop(lines);
	free(lines->place);
	free(lines->v);
	free(lines);
}

static struct source *push(struct input *lines, enum source_kind kind)
{
	lines->v = xgrow(lines->v, &lines->cap, lines->n + 1, sizeof *lines->v);
	struct source *s = &lines->v[lines->n++];
	*s = (struct source){.kind = kind};
	return s;
}

void input_push_bytes(struct input *lines, const char *text, size_t n)
{
	struct source *s = push(lines, SOURCE_LINES);
	s->text = s->at = xmalloc(n + 1);
	s->end = s->text + n;
	memcpy(s->text, text, n);
	*s->end = '\0';
}

void input_push_lines(struct input *lines, const char *text) { input_push_bytes(lines, text, strlen(text)); }

void input_push_file(struct input *lines, const char *path, const char *text, size_t n)
{
	input_push_bytes(lines, text, n);
	lines->v[lines->n - 1].path = xstrdup(path);
}

void input_begin_command(struct input *lines)
{
	free(lines->place);
	free(lines->file);
	lines->place = lines->file = NULL;
	if (lines->n)
		lines->v[lines->n - 1].command = lines->v[lines->n - 1].line;
	size_t i = lines->n;
	while (i && !lines->v[i - 1].path)
		i--;
	if (!i)
		return;
	struct text place = {0};
	text_addf(&place, "%s:%u", lines->v[i - 1].path, lines->v[i - 1].command);
	lines->place = text_take(&place);
	lines->file = xstrdup(lines->v[i - 1].path);
	lines->line = lines->v[i - 1].command;
}

const char *input_place(const struct input *lines) { return lines->place; }

const char *input_file(const struct input *lines, uint32_t *line)
{
	*line = lines->file ? lines->line : 0;
	return lines->file;
}

void input_push_array(struct input *sources, const char *const *lines, size_t n)
{
	struct text all = {0};
	for (size_t i = 0; i < n; i++)
		text_addf(&all, "%s\n", lines[i]);
	input_push_lines(sources, text_str(&all));
	text_free(&all);
}

void input_push_typed(struct input *lines, bool is_terminal) { push(lines, SOURCE_TYPED)->terminal = is_terminal; }

/* Records the first NUL byte of a line whose bytes begin in column `before` + 1. */
static void note_nul(struct input *lines, const char *line, size_t n, size_t before)
{
	const char *nul = memchr(line, '\0', n);
	if (nul && !lines->nul_column)
		lines->nul_column = before + (size_t)(nul - line) + 1;
}

static char *next_line(struct input *lines, struct source *s, size_t before)
{
	if (s->at == s->end)
		return NULL;
	char *eol = memchr(s->at, '\n', (size_t)(s->end - s->at));
	size_t n = eol ? (size_t)(eol - s->at) : (size_t)(s->end - s->at);
	note_nul(lines, s->at, n, before);
	char *line = xstrndup(s->at, n && s->at[n - 1] == '\r' ? n - 1 : n);
	s->at += n + (eol != NULL);
	s->line++;
	return line;
}

/* Returns the innermost source. The face may push sources while it reads a line, so the pointer is not kept over that. */
static struct source *innermost(struct input *lines) { return &lines->v[lines->n - 1]; }

/* Reads the next line of the innermost source; `before`: the bytes of the lines that it continues. */
static char *source_line(struct interpreter *in, const char *prompt, size_t before)
{
	if (innermost(in->input)->kind == SOURCE_LINES)
		return next_line(in->input, innermost(in->input), before);
	if (!in->face->read_line)
		return NULL;
	size_t n = 0;
	char *line = in->face->read_line(in->face->self, prompt, &n);
	if (line)
		note_nul(in->input, line, n, before);
	return line;
}

/* Joins a line that ends with a backslash and the lines that continue it, as in gdb. */
static char *join_lines(struct interpreter *in, char *line)
{
	struct text all = {0};
	size_t n = strlen(line);
	while (n && line[n - 1] == '\\') {
		text_addn(&all, line, n - 1);
		free(line);
		line = source_line(in, ">", all.n);
		n = line ? strlen(line) : 0;
	}
	if (line)
		text_addn(&all, line, n);
	free(line);
	return text_take(&all);
}

char *input_next(struct interpreter *in, const char *prompt)
{
	struct input *lines = in->input;
	if (!lines->n)
		return NULL;
	lines->nul_column = 0;
	char *line = source_line(in, prompt, 0);
	if (line)
		return *line ? join_lines(in, line) : line;
	pop(lines);
	return NULL;
}

bool input_line_is_text(struct interpreter *in)
{
	const size_t column = in->input->nul_column;
	return !column || interpreter_error(in, "a NUL byte in column %zu of the line: command lines are text", column);
}

size_t input_depth(const struct input *lines) { return lines->n; }

void input_unwind(struct input *lines, size_t depth)
{
	while (lines->n > depth)
		pop(lines);
}

bool input_is_terminal(const struct input *lines) { return lines->n && lines->v[lines->n - 1].kind == SOURCE_TYPED && lines->v[lines->n - 1].terminal; }

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
static bool dropped(const struct interpreter *in) { return *in->interrupted && input_is_terminal(in->input); }

char *input_read_block(struct interpreter *in)
{
	struct text body = {0};
	unsigned depth = 1;
	for (char *line; !dropped(in) && (line = input_next(in, ">")) != NULL; free(line)) {
		const char *word = line + strspn(line, " \t");
		if (!input_line_is_text(in)) {
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
	interpreter_error(in, dropped(in) ? "interrupted" : "a block of commands ends here without its `end`");
	return NULL;
}
