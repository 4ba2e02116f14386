/* Parts of the machine as values: core[3].l1d is all of its fields, core[0..14].issued a field of several. */
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "command/dump/dump_internal.h"
#include "command/dump/machine_fields.h"

/* A listing's data: texts, each ended by a 0, and values between them: a byte of these, then for a number and a pc 8 bytes. */
enum piece { PIECE_TEXT = 't', PIECE_NUMBER = 'n', PIECE_PC = 'p', PIECE_NONE = '-' };

struct lister {
	struct debug *d;
	const struct field_range *range;
	struct text out;
	struct text *why;
};

static void add_text(struct lister *l, const char *s, size_t n)
{
	text_addc(&l->out, PIECE_TEXT);
	text_addn(&l->out, s, n);
	text_addc(&l->out, '\0');
}

static bool add_value(struct lister *l, const char *path, const int64_t index[FIELD_INDICES])
{
	struct field_value v;
	if (!field_get(l->d, path, index, &v, l->why))
		return false;
	text_addc(&l->out, v.is_none ? PIECE_NONE : v.is_pc ? PIECE_PC : PIECE_NUMBER);
	if (!v.is_none)
		text_addn(&l->out, (const char *)&v.v, sizeof v.v);
	return true;
}

static bool add_part(struct lister *l, const char *path, unsigned n_index, int64_t index[FIELD_INDICES]);

/* All that [ counts after the path. */
static bool add_all(struct lister *l, const char *path, unsigned n_index, int64_t index[FIELD_INDICES])
{
	char longer[128];
	uint32_t limit;
	if (!field_index_ok(l->d, path, strlen(path), 0, &limit, l->why))
		return false;
	snprintf(longer, sizeof longer, "%s[]", path);
	bool ok = true;
	for (uint32_t k = 0; ok && k < limit; k++) {
		add_text(l, k ? ", " : "{", k ? 2 : 1);
		index[n_index] = k;
		ok = add_part(l, longer, n_index + 1, index);
	}
	add_text(l, "}", 1);
	return ok;
}

/* Does an earlier row have the same first n characters and end there, or go on with a . or [? */
static bool is_reported(size_t row, size_t n)
{
	for (size_t k = 0; k < row; k++)
		if (!strncmp(field_path(k), field_path(row), n) && strchr(".[", field_path(k)[n]))
			return true;
	return false;
}

/* Everything one level below the path. */
static bool add_group(struct lister *l, const char *path, unsigned n_index, int64_t index[FIELD_INDICES])
{
	const size_t n = strlen(path);
	const char *f, *between = "{";
	bool ok = true;
	for (size_t row = 0; ok && (f = field_path(row)) != NULL; row++) {
		if (strncmp(f, path, n) || f[n] != '.')
			continue;
		const size_t name = strcspn(f + n + 1, ".["), end = n + 1 + name;
		char longer[128];
		const bool is_line = name == 4 && !memcmp(f + n + 1, "line", 4); /* hundreds, which only their own name shows */
		if (is_line || is_reported(row, end) || end >= sizeof longer)
			continue;
		snprintf(longer, sizeof longer, "%.*s", (int)end, f);
		add_text(l, between, strlen(between));
		add_text(l, f + n + 1, name);
		add_text(l, " = ", 3);
		ok = add_part(l, longer, n_index, index);
		between = ", ";
	}
	add_text(l, "}", 1);
	return ok;
}

static bool has_more(const char *path, char sign)
{
	const size_t n = strlen(path);
	const char *f;
	for (size_t k = 0; (f = field_path(k)) != NULL; k++)
		if (!strncmp(f, path, n) && f[n] == sign)
			return true;
	return false;
}

static bool add_part(struct lister *l, const char *path, unsigned n_index, int64_t index[FIELD_INDICES])
{
	if (field_known(l->d, path))
		return add_value(l, path, index);
	return has_more(path, '[') ? add_all(l, path, n_index, index) : add_group(l, path, n_index, index);
}

/* One index after the other; a slice is a list of what follows. */
static bool add_ranges(struct lister *l, const char *path, unsigned k, unsigned n_index, int64_t index[FIELD_INDICES])
{
	if (k == n_index)
		return add_part(l, path, n_index, index);
	const struct field_range *r = &l->range[k];
	bool ok = true;
	for (int64_t i = r->first; ok && i <= r->last; i++) {
		if (r->is_slice)
			add_text(l, i == r->first ? "{" : ", ", i == r->first ? 1 : 2);
		index[k] = i;
		ok = add_ranges(l, path, k + 1, n_index, index);
	}
	if (r->is_slice)
		add_text(l, "}", 1);
	return ok;
}

static bool check_ranges(struct lister *l, const char *path, unsigned *n_index)
{
	uint32_t limit;
	*n_index = 0;
	for (const char *at = path; (at = strchr(at, '[')) != NULL; at++) {
		const struct field_range *r = &l->range[(*n_index)++];
		if (r->last < r->first)
			return debug_fail(l->why, "there is nothing from %lld to %lld", (long long)r->first,
					  (long long)r->last);
		if (!field_index_ok(l->d, path, (size_t)(at - path), r->first, &limit, l->why) ||
		    !field_index_ok(l->d, path, (size_t)(at - path), r->last, &limit, l->why))
			return false;
	}
	return true;
}

bool field_listing(struct debug *d, const char *path, const struct field_range range[FIELD_INDICES],
		   struct expr_value *out, struct text *why)
{
	struct lister l = {.d = d, .range = range, .why = why};
	int64_t index[FIELD_INDICES] = {0};
	unsigned n_index;
	if (!observer_timing(d, path, why))
		return false;
	if (!field_known(d, path) && !field_is_part(d, path))
		return debug_fail(why, "the machine has no field %s; `info fields` lists them", path);
	if (!check_ranges(&l, path, &n_index) || !add_ranges(&l, path, 0, n_index, index)) {
		text_free(&l.out);
		return false;
	}
	*out = (struct expr_value){.is_listing = true, .count = l.out.n};
	out->data = xmalloc(l.out.n + 1);
	memcpy(out->data, l.out.s, l.out.n);
	text_free(&l.out);
	return true;
}

/* A place in a listing's data. */
struct listing {
	const struct expr_value *v;
	uint64_t at;
};

/* Takes the value that stands at the place out of the listing. */
static void take_value(struct listing *l, struct expr_value *out)
{
	const enum piece piece = (enum piece)l->v->data[l->at++];
	struct field_value field = {.is_none = piece == PIECE_NONE, .is_pc = piece == PIECE_PC};
	if (piece != PIECE_NONE) {
		memcpy(&field.v, l->v->data + l->at, sizeof field.v);
		l->at += sizeof field.v;
	}
	memset(out, 0, sizeof *out);
	field_to_value(&field, out);
}

/* Takes a text out of the listing; returns NULL, and takes nothing, if a value comes next. */
static const char *take_text(struct listing *l)
{
	const char *s = (const char *)l->v->data + l->at + 1;
	if (l->at >= l->v->count || l->v->data[l->at] != PIECE_TEXT)
		return NULL;
	l->at += strlen(s) + 2;
	return s;
}

/* Returns the text that stands at the place, or "" for a value. */
static const char *next_text(const struct listing *l)
{
	return l->at < l->v->count && l->v->data[l->at] == PIECE_TEXT ? (const char *)l->v->data + l->at + 1 : "";
}

/* Adds what stands at the place: a value, a list, or an object whose members are `NAME = VALUE`. */
static void describe_piece(struct listing *l, struct report *r, const char *name)
{
	struct expr_value one;
	if (strcmp(next_text(l), "{")) {
		take_value(l, &one);
		if (one.type == ISA_NOTYPE && !one.pointers)
			report_none(r, name, "void");
		else
			report_signed(r, name, one.u.s64);
		return;
	}
	take_text(l);
	const bool is_object = *next_text(l) && !strchr("{}", *next_text(l));
	if (is_object)
		report_open(r, name);
	else
		report_list(r, name);
	for (const char *end = ","; end && *end == ',' && l->at < l->v->count; end = take_text(l)) {
		const char *member = is_object ? take_text(l) : NULL;
		if (member)
			take_text(l); /* ` = ` */
		describe_piece(l, r, member);
	}
	report_close(r);
}

void field_listing_describe(struct report *r, const char *name, const struct expr_value *v)
{
	struct listing l = {v, 0};
	describe_piece(&l, r, name);
}

/* Appends the listing *v as text, its values in format *f. */
static void format_listing(struct debug *d, const struct expr_value *v, const struct format_spec *f, struct text *out)
{
	for (struct listing l = {v, 0}; l.at < v->count;) {
		const char *s = take_text(&l);
		struct expr_value one;
		if (s) {
			text_add(out, s);
			continue;
		}
		take_value(&l, &one);
		format_value(d, &one, f, out);
	}
}

const struct expr_fields perf_fields = {.path = field_path,
					.get = field_get,
					.to_value = field_to_value,
					.listing = field_listing,
					.format = format_listing,
					.describe = field_listing_describe};
