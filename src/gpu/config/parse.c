/* Reading option files and option texts: blank-separated `-name value`, `#` comments, "quoted values over several words",
 * `-config FILE` includes, `?-name value` for options that may be unknown. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/files.h"
#include "base/xalloc.h"
#include "gpu/config/config_internal.h"

#define INCLUDE_DEPTH_MAX 16
#define FILES_MAX 256 /* of all includes: a file that includes itself twice doubles with each level */
#define MESSAGES_MAX 20
#define FILE_BYTES_MAX ((size_t)16 << 20) /* what comes after is not read */

struct reader {
	struct config *c;
	struct diag_list *diags;
	const char *file; /* NULL: command line */
	const char *text, *at, *end, *line_start;
	uint32_t line;
	unsigned depth;
	bool is_found; /* the user hasn't named the file: config_load_found */
};

struct token {
	const char *s; /* owned copy for quoted values, else NULL */
	char *owned;
	const char *at; /* place in the text */
	size_t n;
	uint32_t line, col;
	const char *line_start;
};

/* Errors beyond the limit are only counted: their line may be megabytes long, and there may be one for each word of it. */
static bool is_full(const struct diag_list *diags) { return diags->n >= MESSAGES_MAX; }

static void reader_error(struct reader *r, const struct token *t, enum diag_severity severity, const char *message)
{
	if (is_full(r->diags)) {
		r->diags->n_errors += severity == DIAG_ERROR;
		return;
	}
	const char *eol = memchr(t->line_start, '\n', (size_t)(r->end - t->line_start));
	size_t n = (size_t)((eol ? eol : r->end) - t->line_start);
	if (r->file)
		diag_add(r->diags, severity, r->file, t->line, t->col, t->line_start, n, "%s", message);
	else
		diag_add(r->diags, severity, NULL, 0, 0, NULL, 0, "%s", message);
}

static void skip_blank(struct reader *r)
{
	while (r->at < r->end) {
		if (*r->at == '#') {
			while (r->at < r->end && *r->at != '\n')
				r->at++;
		} else if (*r->at == '\n') {
			r->at++;
			r->line++;
			r->line_start = r->at;
		} else if (isspace((unsigned char)*r->at) || !*r->at) {
			r->at++;
		} else {
			return;
		}
	}
}

/* A quoted value: words joined by single blanks; it may go over several lines. */
static bool quoted(struct reader *r, struct token *t)
{
	struct text v = {0};
	bool blank = false;
	for (r->at++; r->at < r->end && *r->at != '"'; r->at++) {
		if (*r->at == '\n') {
			r->line++;
			r->line_start = r->at + 1;
		}
		if (isspace((unsigned char)*r->at)) {
			blank = v.n > 0;
			continue;
		}
		if (blank)
			text_addc(&v, ' ');
		blank = false;
		text_addc(&v, *r->at);
	}
	t->n = v.n;
	t->owned = text_take(&v);
	t->s = t->owned;
	if (r->at == r->end) {
		reader_error(r, t, DIAG_ERROR, "quotation mark without its partner, expected '\"'");
		free(t->owned);
		*t = (struct token){0};
		return false;
	}
	r->at++;
	return true;
}

/* False at the end of the text or on an error. */
static bool next_token(struct reader *r, struct token *t)
{
	skip_blank(r);
	if (r->at == r->end)
		return false;
	*t = (struct token){.at = r->at,
			    .line = r->line,
			    .col = (uint32_t)(r->at - r->line_start) + 1,
			    .line_start = r->line_start};
	if (*r->at == '"')
		return quoted(r, t);
	while (r->at < r->end && !isspace((unsigned char)*r->at) && *r->at != '#')
		r->at++;
	t->s = t->at;
	t->n = (size_t)(r->at - t->at);
	return true;
}

static bool is_option_word(const struct reader *r)
{
	const char *s = r->at;
	if (s < r->end && *s == '?')
		s++;
	return s + 1 < r->end && *s == '-' && (isalpha((unsigned char)s[1]) || s[1] == '_');
}

static void include(struct reader *r, const struct token *t);

/* The value that follows an option name; an option word or the end instead means there is none. */
static bool next_value(struct reader *r, struct token *v)
{
	skip_blank(r);
	if (r->at == r->end || is_option_word(r))
		return false;
	return next_token(r, v);
}

/* Returns whether an option of a file that the user hasn't named would make the simulator write a file, with a note. */
static bool is_ignored(struct reader *r, int row, const struct token *name, const struct token *value)
{
	const struct config_option *o = &config_options[row];
	struct text note = {0};
	if (!r->is_found || !o->writes_file || (o->kind == CONFIG_BOOL && value->n == 1 && *value->s == '0'))
		return false;
	text_addf(&note, "-%s is ignored: a file that -c doesn't name writes no files", o->name);
	reader_error(r, name, DIAG_NOTE, text_str(&note));
	text_free(&note);
	return true;
}

#define SOURCE_MOST 512u /* longer lines aren't kept */

/* Stores an option's value, 1 if `value` is NULL, with its place. */
static bool store(struct reader *r, int row, const struct token *value, const struct token *name, struct text *why)
{
	const struct token *at = value ? value : name;
	const char *eol = memchr(at->line_start, '\n', (size_t)(r->end - at->line_start));
	const size_t n = (size_t)((eol ? eol : r->end) - at->line_start);
	char *source = r->file && n <= SOURCE_MOST ? xstrndup(at->line_start, n) : NULL;
	const struct config_place place = {.file = r->file, .source = source, .line = at->line, .col = at->col};
	const bool ok = config_store(r->c, row, value ? value->s : "1", value ? value->n : 1, &place, why);
	free(source);
	return ok;
}

static void read_option(struct reader *r, const struct token *name)
{
	bool optional = name->s[0] == '?';
	const char *s = name->s + optional;
	size_t n = name->n - optional;
	struct text why = {0};
	struct token v = {0};
	bool has_value = next_value(r, &v);
	int row = -1;
	if (!n || *s != '-') {
		text_addf(&why, "unexpected '%.*s', expected an option name that starts with '-'", (int)n, s);
		reader_error(r, name, DIAG_ERROR, text_str(&why));
	} else if (n == 7 && !memcmp(s, "-config", 7)) {
		if (has_value)
			include(r, &v);
		else
			reader_error(r, name, DIAG_ERROR, "-config without a value, expected a file name");
	} else if ((row = config_option_find(s + 1, n - 1)) >= 0) {
		if (!has_value && config_options[row].kind != CONFIG_BOOL) {
			text_addf(&why, "%.*s without a value", (int)n, s);
			reader_error(r, name, DIAG_ERROR, text_str(&why));
		} else if (!is_ignored(r, row, name, &v) && !store(r, row, has_value ? &v : NULL, name, &why)) {
			reader_error(r, has_value ? &v : name, DIAG_ERROR, text_str(&why));
		}
	} else if (optional) {
		text_addf(&why, "option %.*s is not known, skipped", (int)n, s);
		reader_error(r, name, DIAG_NOTE, text_str(&why));
	} else if (n >= 12 && !memcmp(s, "-accelwattch", 12)) {
		r->c->has_accelwattch = true;
	} else {
		text_addf(&why, "unknown option '%.*s', the nearest known one is '-%s'", (int)n, s,
			  is_full(r->diags) ? "" : config_option_nearest(s + 1, n - 1));
		reader_error(r, name, DIAG_ERROR, text_str(&why));
	}
	free(v.owned);
	text_free(&why);
}

static void read_all(struct reader *r)
{
	struct token t;
	while (next_token(r, &t)) {
		if (t.n)
			read_option(r, &t);
		free(t.owned);
	}
}

/* Reads a file, which is open or NULL. Diagnostics borrow the copy of `path` that c keeps. `from`: the depth, and whether the user has named it. */
static bool load(struct config *c, FILE *f, const char *path, struct diag_list *diags, struct reader from)
{
	size_t n = 0, before = diags->n_errors;
	char *text = f ? file_read_open(f, FILE_BYTES_MAX, &n) : files_read(c->files, path, FILES_READ, FILE_BYTES_MAX, &n);
	if (!text) {
		diag_add(diags, DIAG_ERROR, NULL, 0, 0, NULL, 0, "can't read config '%s': %s", path, strerror(errno));
		return false;
	}
	if (!diags->limit)
		diags->limit = MESSAGES_MAX;
	c->paths = xgrow(c->paths, &c->cap_paths, c->n_paths + 1, sizeof *c->paths);
	path = c->paths[c->n_paths++] = xstrdup(path);
	struct reader r = {.c = c,
			   .diags = diags,
			   .file = path,
			   .text = text,
			   .at = text,
			   .end = text + n,
			   .line_start = text,
			   .line = 1,
			   .depth = from.depth,
			   .is_found = from.is_found};
	read_all(&r);
	free(text);
	return diags->n_errors == before;
}

static bool is_there(const struct files *files, const char *path)
{
	const int error = files_test(files, path);
	return !error || error == EACCES || error == EISDIR || error == EINVAL; /* reading it says why not */
}

/* File names inside a config are relative to its folder, then to the current one. */
static void include(struct reader *r, const struct token *t)
{
	if (r->depth >= INCLUDE_DEPTH_MAX || r->c->n_paths >= FILES_MAX) {
		reader_error(r, t, DIAG_ERROR, "-config files include each other too deeply");
		return;
	}
	struct text path = {0};
	const char *slash = r->file ? strrchr(r->file, '/') : NULL;
	if (slash && *t->s != '/') {
		text_addn(&path, r->file, (size_t)(slash - r->file) + 1);
		text_addn(&path, t->s, t->n);
		if (!is_there(r->c->files, text_str(&path)))
			text_clear(&path);
	}
	if (!path.n)
		text_addn(&path, t->s, t->n);
	load(r->c, NULL, text_str(&path), r->diags, (struct reader){.depth = r->depth + 1, .is_found = r->is_found});
	text_free(&path);
}

bool config_load_file(struct config *c, const char *path, struct diag_list *diags)
{
	return load(c, NULL, path, diags, (struct reader){0});
}

bool config_load_found(struct config *c, FILE *f, const char *path, struct diag_list *diags)
{
	return load(c, f, path, diags, (struct reader){.is_found = true});
}

bool config_set_text(struct config *c, const char *text, struct diag_list *diags)
{
	size_t before = diags->n_errors;
	struct reader r = {.c = c,
			   .diags = diags,
			   .text = text,
			   .at = text,
			   .end = text + strlen(text),
			   .line_start = text,
			   .line = 1};
	read_all(&r);
	return diags->n_errors == before;
}
