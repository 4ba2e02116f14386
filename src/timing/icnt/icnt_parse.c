/* Reading the network's configuration file: `name = value;` with // comments, values may be {lists}. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "timing/icnt/icnt_config.h"

#define FILE_MAX ((size_t)16 << 20) /* what comes after is not read */

struct reader {
	struct icnt_config *c;
	struct diag_list *diags;
	const char *file;
	const char *at, *end, *line_start;
	uint32_t line;
};
struct token {
	const char *s, *line_start;
	size_t n;
	uint32_t line;
};

static void report(struct reader *r, const struct token *t, enum diag_severity severity, const char *message)
{
	const char *eol = memchr(t->line_start, '\n', (size_t)(r->end - t->line_start));
	diag_add(r->diags, severity, r->file, t->line, (uint32_t)(t->s - t->line_start) + 1, t->line_start,
		 (size_t)((eol ? eol : r->end) - t->line_start), "%s", message);
}

static void skip_blank(struct reader *r)
{
	while (r->at < r->end) {
		if (*r->at == '\n') {
			r->line++;
			r->line_start = r->at + 1;
		} else if (r->end - r->at > 1 && r->at[0] == '/' && r->at[1] == '/') {
			while (r->at + 1 < r->end && r->at[1] != '\n')
				r->at++;
		} else if (!isspace((unsigned char)*r->at)) {
			return;
		}
		r->at++;
	}
}

static bool is_word(char ch) { return isalnum((unsigned char)ch) || (ch && strchr("_-/.+(){},", ch)); }

/* A word, or one other character; empty at the end. */
static struct token next_token(struct reader *r)
{
	skip_blank(r);
	struct token t = {.s = r->at, .line_start = r->line_start, .line = r->line};
	while (r->at < r->end && is_word(*r->at) && !(r->end - r->at > 1 && r->at[0] == '/' && r->at[1] == '/'))
		r->at++;
	if (r->at == t.s && r->at < r->end)
		r->at++;
	t.n = (size_t)(r->at - t.s);
	return t;
}

static bool is(const struct token *t, char ch) { return t->n == 1 && *t->s == ch; }

/* To after the next semicolon, or the end of the line. */
static void recover(struct reader *r)
{
	while (r->at < r->end && *r->at != ';' && *r->at != '\n')
		r->at++;
	if (r->at < r->end && *r->at == ';')
		r->at++;
}

static void expected(struct reader *r, const struct token *t, const char *what)
{
	struct text m = {0};
	if (!t->n)
		text_addf(&m, "end of the file, expected %s", what);
	else
		text_addf(&m, "unexpected '%.*s', expected %s", (int)(t->n > 60 ? 60 : t->n), t->s, what);
	report(r, t, DIAG_ERROR, text_str(&m));
	text_free(&m);
}

/* A list may have blanks between its words: they are joined. */
static bool read_value(struct reader *r, struct text *value, struct token *first)
{
	int depth = 0;
	*first = next_token(r);
	for (struct token t = *first;; t = next_token(r)) {
		if (!t.n || !is_word(*t.s))
			return expected(r, &t, value->n ? "'}'" : "a value"), false;
		for (size_t i = 0; i < t.n; i++)
			depth += t.s[i] == '{' ? 1 : t.s[i] == '}' ? -1 : 0;
		text_addn(value, t.s, t.n);
		if (depth <= 0)
			return true;
	}
}

static void assign(struct reader *r, const struct token *name, const struct token *place, const struct text *value)
{
	struct text why = {0};
	int row = icnt_option_find(name->s, name->n);
	if (row < 0) {
		text_addf(&why, "unknown network option '%.*s', the nearest known one is '%s'",
			  (int)(name->n > 60 ? 60 : name->n), name->s, icnt_option_nearest(name->s, name->n));
		report(r, name, DIAG_ERROR, text_str(&why));
	} else if (!icnt_config_store(r->c, row, value->s, value->n, &why)) {
		report(r, place, DIAG_ERROR, text_str(&why));
	} else {
		r->c->v[row].file = r->file;
		r->c->v[row].line = name->line;
		r->c->v[row].column = (uint32_t)(name->s - name->line_start) + 1;
		if (icnt_options[row].use == ICNT_USE_WARN && strcmp(value->s, icnt_options[row].fallback)) {
			text_addf(&why,
				  "%s has no effect, as in GPGPU-Sim 3.2.2: write it behind the allocator's name, "
				  "for instance islip(2) or separable_input_first(matrix)",
				  icnt_options[row].name);
			report(r, name, DIAG_WARNING, text_str(&why));
		}
	}
	text_free(&why);
}

/* False at the end. */
static bool read_assignment(struct reader *r)
{
	struct token name = next_token(r), t, place;
	struct text value = {0};
	if (!name.n)
		return false;
	if (is(&name, ';'))
		return true;
	if (!is_word(*name.s)) {
		expected(r, &name, "an option name");
	} else if (t = next_token(r), !is(&t, '=')) {
		expected(r, &t, "'='");
	} else if (read_value(r, &value, &place)) {
		assign(r, &name, &place, &value);
		t = next_token(r);
		if (is(&t, ';')) {
			text_free(&value);
			return true;
		}
		expected(r, &t, "';'");
	}
	text_free(&value);
	recover(r);
	return true;
}

bool icnt_config_load(struct icnt_config *c, const struct files *files, const char *path, struct diag_list *diags)
{
	size_t n, before = diags->n_errors;
	char *text = files_read(files, path, FILES_READ, FILE_MAX, &n);
	if (!text) {
		diag_add(diags, DIAG_ERROR, NULL, 0, 0, NULL, 0, "can't read network configuration '%s': %s", path,
			 strerror(errno));
		return false;
	}
	c->paths = xgrow(c->paths, &c->cap_paths, c->n_paths + 1, sizeof *c->paths);
	c->paths[c->n_paths] = xstrdup(path);
	struct reader r = {.c = c,
			   .diags = diags,
			   .file = c->paths[c->n_paths++],
			   .at = text,
			   .end = text + n,
			   .line_start = text,
			   .line = 1};
	while (read_assignment(&r))
		;
	free(text);
	return diags->n_errors == before;
}
