#include "sweep/spec.h"
#include "base/diag.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/xalloc.h"
#include <ctype.h>
#include <string.h>

static const char *const kind_names[] = { "config", "mode", "setup", "script", "kernel", "program" };
#define N_KIND_NAMES (sizeof kind_names / sizeof *kind_names)

/* One line of the description that is being read. */
struct reader {
	struct spec *spec;
	const char *file;
	struct diag_list *errors;
	const char *begin, *end; /* the line without its newline, and without its comment */
	uint32_t line;
};

__attribute__((format(printf, 3, 4))) static void refuse(struct reader *r, const char *at, const char *fmt, ...)
{
	struct text t = { 0 };
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	diag_add(r->errors, DIAG_ERROR, r->file, r->line, (uint32_t)(at - r->begin) + 1, r->begin, (size_t)(r->end - r->begin), "%s", text_str(&t));
	text_free(&t);
}

static const char *skip_blanks(const char *s, const char *end)
{
	while (s < end && isspace((unsigned char)*s))
		s++;
	return s;
}

static const char *trim_end(const char *begin, const char *end)
{
	while (end > begin && isspace((unsigned char)end[-1]))
		end--;
	return end;
}

/* Returns whether a character of the line [begin, end) ends what stands before it. */
typedef bool ends_at(const char *p, const char *begin, const char *end);

/* A '#' at the line's start or behind a blank begins a comment. */
static bool begins_comment(const char *p, const char *begin, const char *end)
{
	(void)end;
	return *p == '#' && (p == begin || isspace((unsigned char)p[-1]));
}

/* A '|' ends a value; the operator '||' doesn't. */
static bool is_bar(const char *p, const char *begin, const char *end)
{
	return *p == '|' && !(p + 1 < end && p[1] == '|') && !(p > begin && p[-1] == '|');
}

/* Returns the first character outside of quotes for which `is_end` holds, or `end`. */
static const char *find_unquoted(const char *begin, const char *end, ends_at *is_end)
{
	bool quoted = false;
	for (const char *p = begin; p < end; p++) {
		if (*p == '\\' && quoted && p + 1 < end)
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (!quoted && is_end(p, begin, end))
			return p;
	}
	return end;
}

/* Returns whether the value [s, end) is one quoted string: its first quote is closed by its last character. */
static bool is_one_quoted(const char *s, const char *end)
{
	if (end - s < 2 || *s != '"' || end[-1] != '"')
		return false;
	for (const char *p = s + 1; p < end - 1; p++) {
		if (*p == '\\' && p + 1 < end - 1)
			p++;
		else if (*p == '"')
			return false;
	}
	return true;
}

static char *value_text(const char *s, const char *end)
{
	struct text t = { 0 };
	if (!is_one_quoted(s, end)) {
		text_addn(&t, s, (size_t)(end - s));
		return text_take(&t);
	}
	for (const char *p = s + 1; p < end - 1; p++) {
		if (*p == '\\' && (p[1] == '"' || p[1] == '\\'))
			p++;
		text_addc(&t, *p);
	}
	return text_take(&t);
}

static void read_values(struct reader *r, struct spec_line *l, const char *s)
{
	for (;;) {
		s = skip_blanks(s, r->end);
		const char *bar = find_unquoted(s, r->end, is_bar);
		const char *end = trim_end(s, bar);
		if (end == s) {
			refuse(r, s < r->end ? s : r->end, "a value is missing; expected `%s = VALUE | VALUE ...`", l->name);
			return;
		}
		char *text = value_text(s, end);
		for (size_t i = 0; i < l->n_values; i++)
			if (!strcmp(l->values[i].text, text))
				refuse(r, s, "the value '%s' stands twice", text);
		l->values = xgrow(l->values, &l->cap_values, l->n_values + 1, sizeof *l->values);
		l->values[l->n_values++] = (struct spec_value){ .text = text, .col = (uint32_t)(s - r->begin) + 1 };
		if (bar == r->end)
			return;
		s = bar + 1;
	}
}

/* Finds what the name [s, end) sets. Returns false, with an error added, if it is no name. */
static bool read_kind(struct reader *r, const char *s, const char *end, enum spec_kind *kind)
{
	size_t n = (size_t)(end - s);
	struct nearest near;
	nearest_begin(&near, s, n);
	for (size_t i = 0; i < N_KIND_NAMES; i++) {
		if (strlen(kind_names[i]) == n && !memcmp(kind_names[i], s, n)) {
			*kind = (enum spec_kind)i;
			return true;
		}
		nearest_add(&near, kind_names[i]);
	}
	*kind = SPEC_OPTION;
	bool has_blank = false;
	for (const char *p = s; p < end; p++)
		has_blank |= isspace((unsigned char)*p) != 0;
	if (n > 1 && *s == '-' && !has_blank)
		return true;
	struct text meant = { 0 };
	nearest_suggest(&near, &meant);
	refuse(r, s, "'%.*s' is no name here; expected config, mode, setup, script, kernel, program or an option of the config (-NAME)%s", (int)n, s,
	       text_str(&meant));
	text_free(&meant);
	return false;
}

static struct spec_line *find_line(struct spec *s, const char *name, size_t n)
{
	for (size_t i = 0; i < s->n_lines; i++)
		if (strlen(s->lines[i].name) == n && !memcmp(s->lines[i].name, name, n))
			return &s->lines[i];
	return NULL;
}

/* Reads `zip A, B ...`: the lines A, B, ... stand above and advance together. */
static void read_zip(struct reader *r, const char *s)
{
	struct spec_line *first = NULL;
	size_t n = 0;
	for (bool more = true; more; n++) {
		s = skip_blanks(s, r->end);
		const char *comma = s < r->end ? memchr(s, ',', (size_t)(r->end - s)) : NULL;
		more = comma != NULL;
		const char *end = trim_end(s, more ? comma : r->end);
		struct spec_line *l = find_line(r->spec, s, (size_t)(end - s));
		if (!l) {
			refuse(r, s, "'%.*s' has no line above; expected the names of lines above, with commas between them", (int)(end - s), s);
			return;
		}
		if (l->is_zipped || l == first) {
			refuse(r, s, "'%s' is zipped already", l->name);
			return;
		}
		if (first && l->n_values != first->n_values) {
			refuse(r, s, "'%s' has %zu values and '%s' has %zu; lines that are zipped have equally many", l->name, l->n_values, first->name,
			       first->n_values);
			return;
		}
		/* until the strides are counted, a line that follows another holds that one's number, plus 1 */
		l->is_zipped = true;
		if (first)
			l->stride = (size_t)(first - r->spec->lines) + 1;
		else
			first = l;
		s = more ? comma + 1 : r->end;
	}
	if (n < 2)
		refuse(r, trim_end(r->begin, r->end), "expected a second name: `zip A, B`");
}

static void read_line(struct reader *r)
{
	const char *s = skip_blanks(r->begin, r->end);
	r->end = trim_end(s, find_unquoted(s, r->end, begins_comment));
	if (s >= r->end)
		return;
	if (r->end - s > 3 && !memcmp(s, "zip", 3) && isspace((unsigned char)s[3])) {
		const char *names = s + 3;
		if (*skip_blanks(names, r->end) != '=') {
			read_zip(r, names);
			return;
		}
	}
	const char *equals = memchr(s, '=', (size_t)(r->end - s));
	if (!equals) {
		refuse(r, r->end, "expected `NAME = VALUE | VALUE ...` or `zip NAME, NAME`");
		return;
	}
	const char *end = trim_end(s, equals);
	struct spec_line l = { .line = r->line, .col = (uint32_t)(s - r->begin) + 1 };
	if (!read_kind(r, s, end, &l.kind))
		return;
	struct spec_line *other = l.kind == SPEC_SETUP ? NULL : find_line(r->spec, s, (size_t)(end - s));
	if (other) {
		refuse(r, s, "'%s' has a line already, line %u; its values stand in one line", other->name, other->line);
		return;
	}
	l.name = xstrndup(s, (size_t)(end - s));
	read_values(r, &l, equals + 1);
	r->spec->lines = xgrow(r->spec->lines, &r->spec->cap_lines, r->spec->n_lines + 1, sizeof *r->spec->lines);
	r->spec->lines[r->spec->n_lines++] = l;
}

/* Checks what belongs together in the description as a whole. */
static void check_whole(struct reader *r)
{
	struct spec *s = r->spec;
	struct spec_line *program = find_line(s, "program", 7), *kernel = find_line(s, "kernel", 6);
	if (program && kernel)
		diag_add(r->errors, DIAG_ERROR, r->file, kernel->line, kernel->col, NULL, 0,
			 "'kernel' and 'program' exclude each other: a program launches its kernels itself");
	if (!program && !kernel && !find_line(s, "script", 6))
		diag_add(r->errors, DIAG_ERROR, r->file, r->line, 1, NULL, 0, "nothing is run; expected a line 'kernel', 'program' or 'script'");
	for (size_t i = 0; i < s->n_lines; i++) {
		struct spec_line *l = &s->lines[i];
		for (size_t k = 0; k < l->n_values && l->kind == SPEC_MODE; k++)
			if (strcmp(l->values[k].text, "functional") && strcmp(l->values[k].text, "performance"))
				diag_add(r->errors, DIAG_ERROR, r->file, l->line, l->values[k].col, NULL, 0,
					 "bad mode '%s', expected 'functional' or 'performance'", l->values[k].text);
	}
}

static void count_combinations(struct reader *r)
{
	struct spec *s = r->spec;
	s->n_combinations = 1;
	for (size_t i = s->n_lines; i-- > 0;) {
		struct spec_line *l = &s->lines[i];
		if (l->is_zipped && l->stride)
			continue;
		l->stride = s->n_combinations;
		s->n_combinations *= l->n_values;
		if (s->n_combinations > SPEC_COMBINATIONS_MAX) {
			diag_add(r->errors, DIAG_ERROR, r->file, l->line, l->col, NULL, 0, "over %u combinations", SPEC_COMBINATIONS_MAX);
			return;
		}
	}
}

bool spec_read(struct spec *s, const char *file, const char *text, size_t n, struct diag_list *errors)
{
	struct reader r = { .spec = s, .file = file, .errors = errors };
	size_t before = errors->n_errors;
	const char *end = text + n;
	for (const char *p = text; p < end;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		r.begin = p;
		r.end = newline ? newline : end;
		r.line++;
		p = newline ? newline + 1 : end;
		if (memchr(r.begin, 0, (size_t)(r.end - r.begin))) {
			diag_add(errors, DIAG_ERROR, file, r.line, 1, NULL, 0, "the line holds a NUL; expected text");
			continue;
		}
		read_line(&r);
	}
	r.line = r.line ? r.line : 1;
	if (errors->n_errors == before)
		check_whole(&r);
	if (errors->n_errors != before)
		return false;
	size_t *followed = xcalloc(s->n_lines ? s->n_lines : 1, sizeof *followed);
	for (size_t i = 0; i < s->n_lines; i++)
		followed[i] = s->lines[i].stride;
	count_combinations(&r);
	for (size_t i = 0; i < s->n_lines; i++)
		if (followed[i])
			s->lines[i].stride = s->lines[followed[i] - 1].stride;
	free(followed);
	return errors->n_errors == before;
}

const char *spec_value_of(const struct spec *s, size_t line, size_t number)
{
	const struct spec_line *l = &s->lines[line];
	return l->values[number / l->stride % l->n_values].text;
}

void spec_free(struct spec *s)
{
	for (size_t i = 0; i < s->n_lines; i++) {
		for (size_t k = 0; k < s->lines[i].n_values; k++)
			free(s->lines[i].values[k].text);
		free(s->lines[i].values);
		free(s->lines[i].name);
	}
	free(s->lines);
	*s = (struct spec){ 0 };
}
