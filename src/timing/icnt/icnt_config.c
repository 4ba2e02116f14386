/* The network's configuration: values, their checks, what `info config` shows of them. */
#include "timing/icnt/icnt_config.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/record.h"
#include "base/xalloc.h"

const struct icnt_option icnt_options[ICNT_OPT_COUNT] = {
#define OPTION(name, kind, fallback, least, most, words, use, help) \
	{#name, ICNT_##kind, fallback, least, most, words, ICNT_USE_##use, help},
#include "timing/icnt/icnt_options.def"
#undef OPTION
};

/* Names of GPGPU-Sim 3.1. */
static const char *const renamed[][2] = {{"input_buf_size", "input_buffer_size"},
					 {"ejection_buf_size", "ejection_buffer_size"},
					 {"boundary_buf_size", "boundary_buffer_size"}};

static bool same(const char *name, const char *s, size_t n) { return strlen(name) == n && !memcmp(name, s, n); }

int icnt_option_find(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
		if (same(renamed[i][0], name, n))
			return icnt_option_find(renamed[i][1], strlen(renamed[i][1]));
	for (int i = 0; i < ICNT_OPT_COUNT; i++)
		if (same(icnt_options[i].name, name, n))
			return i;
	return -1;
}

const char *icnt_option_nearest(const char *name, size_t n)
{
	struct nearest nearest;
	nearest_begin(&nearest, name, n);
	for (unsigned i = 0; i < ICNT_OPT_COUNT; i++)
		nearest_add_words(&nearest, icnt_options[i].name);
	return nearest.best;
}

struct icnt_config *icnt_config_create(void)
{
	struct icnt_config *c = xcalloc(1, sizeof *c);
	struct text why = {0};
	for (int i = 0; i < ICNT_OPT_COUNT; i++)
		if (icnt_options[i].kind != ICNT_WORD)
			c->v[i].number = strtod(icnt_options[i].fallback, NULL);
	text_free(&why);
	return c;
}

void icnt_config_free(struct icnt_config *c)
{
	if (!c)
		return;
	for (int i = 0; i < ICNT_OPT_COUNT; i++)
		free(c->v[i].text);
	for (size_t i = 0; i < c->n_paths; i++)
		free(c->paths[i]);
	free(c->paths);
	free(c);
}

const char *icnt_config_text(const struct icnt_config *c, enum icnt_option_row row)
{
	return c->v[row].text ? c->v[row].text : icnt_options[row].fallback;
}

/* One of the blank-separated words [s, end)? */
static bool word_in(const char *s, const char *end, const char *word, size_t n)
{
	while (s < end) {
		const char *stop = memchr(s, ' ', (size_t)(end - s));
		stop = stop ? stop : end;
		if ((size_t)(stop - s) == n && !memcmp(s, word, n))
			return true;
		s = stop + 1;
	}
	return false;
}

/* Allocators carry an argument in parentheses: only the name before it is looked up. */
static bool check_word(const struct icnt_option *o, const char *value, size_t n, struct text *why)
{
	if (!o->words)
		return true;
	const char *bar = strchr(o->words, '|'), *end = o->words + strlen(o->words);
	const char *paren = memchr(value, '(', n);
	size_t name = paren ? (size_t)(paren - value) : n;
	const char *modelled_end = bar ? bar : end;
	if (word_in(o->words, modelled_end, value, name))
		return true;
	if (bar && word_in(bar + 1, end, value, name))
		text_addf(why, "%s '%.*s' is known to booksim but not modelled, expected one of: %.*s", o->name, (int)n,
			  value, (int)(modelled_end - o->words), o->words);
	else
		text_addf(why, "unknown %s '%.*s', expected one of: %.*s", o->name, (int)(n > 60 ? 60 : n), value,
			  (int)(modelled_end - o->words), o->words);
	return false;
}

/* A whole number or a decimal one, nothing after it. */
static bool read_number(const char *s, size_t n, bool whole, double *out)
{
	char copy[64];
	if (!n || n >= sizeof copy)
		return false;
	memcpy(copy, s, n);
	copy[n] = 0;
	if (copy[strspn(copy, whole ? "-0123456789" : "-+.eE0123456789")])
		return false;
	char *end;
	errno = 0;
	*out = strtod(copy, &end);
	return !*end && !errno && isfinite(*out);
}

static bool check_number(const struct icnt_option *o, const char *s, size_t n, double *out, struct text *why)
{
	bool whole = o->kind == ICNT_INT || o->kind == ICNT_INTS;
	if (!read_number(s, n, whole, out)) {
		text_addf(why, "%s '%.*s' is not a %s", o->name, (int)(n > 60 ? 60 : n), s,
			  whole ? "whole number" : "number");
		return false;
	}
	if (*out >= o->least && *out <= o->most)
		return true;
	text_addf(why, "%s %.*s is out of range, expected %.10g to %.10g", o->name, (int)n, s, o->least, o->most);
	return false;
}

/* {1,2,3}, for traffic options also nested: all its numbers. The first one becomes the value. */
static bool check_list(const struct icnt_option *o, const char *s, size_t n, double *out, struct text *why)
{
	bool first = true;
	for (size_t i = 0; i < n;) {
		size_t k = strcspn(s + i, "{,}");
		k = k > n - i ? n - i : k;
		double number;
		if (k && !check_number(o, s + i, k, &number, why))
			return false;
		if (k && first)
			*out = number;
		first = first && !k;
		i += k + 1;
	}
	if (first)
		text_addf(why, "%s needs at least one number", o->name);
	return !first;
}

static bool check_value(const struct icnt_option *o, const char *value, size_t n, double *number, struct text *why)
{
	if (o->kind == ICNT_WORD)
		return check_word(o, value, n, why);
	if (n && *value == '{') {
		if (o->kind == ICNT_INTS || o->kind == ICNT_REALS)
			return check_list(o, value, n, number, why);
		text_addf(why, "%s takes one number, not a list", o->name);
		return false;
	}
	return check_number(o, value, n, number, why);
}

bool icnt_config_store(struct icnt_config *c, int row, const char *value, size_t n, struct text *why)
{
	const struct icnt_option *o = &icnt_options[row];
	struct icnt_value *v = &c->v[row];
	char *copy = xstrndup(value, n);
	double number = 0;
	bool ok = check_value(o, copy, n, &number, why);
	if (ok && o->use == ICNT_USE_ONLY && strcmp(copy, o->fallback)) {
		text_addf(why, "%s %s is not modelled (%s), expected %s", o->name, copy, o->help, o->fallback);
		ok = false;
	}
	if (!ok) {
		free(copy);
		return false;
	}
	free(v->text);
	*v = (struct icnt_value){.text = copy, .number = number};
	return true;
}

bool icnt_config_set(struct icnt_config *c, const char *name, const char *value, struct text *why)
{
	int row = icnt_option_find(name, strlen(name));
	if (row < 0) {
		text_addf(why, "unknown network option '%.60s', the nearest known one is '%s'", name,
			  icnt_option_nearest(name, strlen(name)));
		return false;
	}
	return icnt_config_store(c, row, value, strlen(value), why);
}

void icnt_config_record(const struct icnt_config *c, struct text *out)
{
	for (unsigned k = 0; k < ICNT_OPT_COUNT; k++)
		if (c->v[k].text) {
			record_string(out, icnt_options[k].name);
			record_string(out, c->v[k].text);
		}
}

unsigned icnt_config_list(const struct icnt_config *c, enum icnt_option_row row, int64_t *out, unsigned most)
{
	unsigned n = 0;
	for (const char *s = icnt_config_text(c, row); *s && n < most;) {
		char *end;
		s += strspn(s, "{,}");
		long number = strtol(s, &end, 10);
		if (end == s)
			break;
		out[n++] = number;
		s = end;
	}
	return n;
}
