/* `{V, ...}` for arrays and structures, with C's rules: braces inside may be left out, .NAME = V and [N] = V say where. */
#include <ctype.h>
#include <string.h>

#include "debug/csource/cnames.h"
#include "debug/expr/expr.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/setup/init.h"
#include "debug/setup/layout.h"

#define DEPTH_MAX 64u

struct list {
	struct init *f;
	const char *s; /* what is still to be read */
	unsigned char *to;
	uint64_t bytes;
	bool is_whole;
	unsigned depth;
	uint64_t n; /* values so far */
};

static bool put(struct list *l, const struct ctype *t, uint64_t at);

static void take_comma(struct list *l)
{
	l->s = scan_blanks(l->s);
	if (*l->s == ',')
		l->s = scan_blanks(l->s + 1);
}

static bool at_end(const struct list *l) { return !*l->s || *l->s == '}'; }

/* ---- numbers ---- */

static enum isa_type scalar_of(const struct ctype *core)
{
	return core->kind == CTYPE_POINTER || core->kind == CTYPE_REFERENCE ? ISA_U64
	       : core->kind == CTYPE_BASE || core->kind == CTYPE_ENUM	    ? core->scalar
									    : ISA_NOTYPE;
}

static bool store_bits(struct list *l, const struct ctype_member *m, const struct expr_value *v, unsigned char *to)
{
	uint64_t mask = UINT64_MAX >> (64 - m->bit_size);
	unsigned n = (m->bit_shift + m->bit_size + 7u) / 8u;
	bool is_signed = isa_type_is_signed(v->type);
	int64_t least = is_signed ? -(int64_t)(mask >> 1) - 1 : 0;
	if (v->u.s64 < 0 && is_signed ? v->u.s64 < least : v->u.u64 > mask)
		return debug_fail(l->f->why, "%lld doesn't fit into %u bits", (long long)v->u.s64, m->bit_size);
	unsigned __int128 all = 0;
	memcpy(&all, to, n);
	all = (all & ~((unsigned __int128)mask << m->bit_shift)) | (unsigned __int128)(v->u.u64 & mask) << m->bit_shift;
	memcpy(to, &all, n);
	return true;
}

/* `field`: the bit-field that it is, or NULL. */
static bool put_number(struct list *l, const struct ctype *core, const struct ctype_member *field, uint64_t at)
{
	struct expr_value v;
	size_t n = scan_part(l->s, false);
	enum isa_type t = scalar_of(core);
	if (!n)
		return debug_fail(l->f->why, "a value is missing near `%s'", l->s);
	if (t == ISA_NOTYPE)
		return debug_fail(l->f->why, "no value can be written for %s", core->name ? core->name : "that type");
	if (!init_goes_on(l->f->d, l->n++, l->f->why) || !init_eval(l->f, l->s, n, &v))
		return false;
	bool ok = init_fit(l->f, &v, t, core->is_bool);
	if (ok && field)
		ok = store_bits(l, field, &v, l->to + at);
	else if (ok)
		value_store(&v, l->to + at);
	expr_value_free(&v);
	l->s += n;
	take_comma(l);
	return ok;
}

/* "text" for an array of characters; its NUL needs no room, as in C. */
static bool put_string(struct list *l, const struct ctype *array, uint64_t at)
{
	struct expr_value v;
	size_t n = scan_part(l->s, false);
	if (!init_eval(l->f, l->s, n, &v))
		return false;
	bool ok = v.is_string && v.count <= array->count;
	if (ok)
		memcpy(l->to + at, v.data, v.count);
	else
		debug_fail(l->f->why, "%.*s doesn't fit into %llu characters", (int)n, l->s,
			   (unsigned long long)array->count);
	expr_value_free(&v);
	l->s += n;
	take_comma(l);
	return ok;
}

/* ---- arrays ---- */

static bool too_long(struct list *l, const struct ctype *array)
{
	return debug_fail(l->f->why, "the list is longer than the %s's %llu elements",
			  l->depth > 1 ? "array" : l->f->what, (unsigned long long)array->count);
}

static bool is_designator(const char *s)
{
	return *s == '[' || (*s == '.' && (isalpha((unsigned char)s[1]) || s[1] == '_'));
}

static bool no_member(struct list *l, const struct ctype *t, const char *name, size_t n)
{
	debug_fail(l->f->why, "there is no member named %.*s", (int)n, name);
	layout_explain(t, l->f->why);
	return false;
}

/* One step of `.NAME[N] = V`: the part's type and place; *next: which one comes after it. */
static bool take_designator(struct list *l, const struct ctype **t, uint64_t *at, uint64_t *next)
{
	const struct ctype *core = ctype_core(*t);
	const bool is_index = *l->s == '[';
	const char *name = l->s + 1;
	size_t n = is_index ? scan_part(name, false) : scan_name(name);
	uint64_t i, offset;
	if (is_index ? core->kind != CTYPE_ARRAY : !ctype_is_struct(core))
		return debug_fail(l->f->why, "there is no such part, near `%s'", l->s);
	if (is_index) {
		if (name[n] != ']' || !debug_eval_count(l->f->d, name, n, &i, l->f->why))
			return l->f->why->n ? false : debug_fail(l->f->why, "a ] is missing near `%s'", l->s);
		if (i >= core->count)
			return too_long(l, core);
		*t = core->target;
		*at += i * ctype_core(*t)->bytes;
		*next = i + 1;
	} else {
		const struct ctype_member *m = ctype_member(core, name, n, &offset);
		if (!m)
			return no_member(l, core, name, n);
		if (m->bit_size)
			return debug_fail(l->f->why, "a bit-field takes its value in order only");
		for (i = 0; i < core->n_members; i++)
			*next = &core->members[i] == m ? i + 1 : *next;
		*t = m->type;
		*at += offset;
	}
	l->s = scan_blanks(name + n + is_index);
	return true;
}

/* `.NAME[N] = V`; *next: the part of `t` that a value after it is for. */
static bool put_designated(struct list *l, const struct ctype *t, uint64_t at, uint64_t *next)
{
	uint64_t inner;
	if (!take_designator(l, &t, &at, next))
		return false;
	while (is_designator(l->s))
		if (!take_designator(l, &t, &at, &inner))
			return false;
	if (*l->s != '=')
		return debug_fail(l->f->why, "a = is missing near `%s'", l->s);
	l->s = scan_blanks(l->s + 1);
	return at_end(l) ? debug_fail(l->f->why, "a value is missing near `%s'", l->s) : put(l, t, at);
}

static bool put_elements(struct list *l, const struct ctype *t, uint64_t at, bool braced)
{
	const uint64_t size = ctype_core(t->target)->bytes;
	for (uint64_t i = 0; !at_end(l);) {
		const char *before = l->s;
		if (braced && *l->s == '[') {
			if (!put_designated(l, t, at, &i))
				return false;
			continue;
		}
		if (i >= t->count)
			return !braced || too_long(l, t);
		if (!put(l, t->target, at + i++ * size))
			return false;
		if (l->s == before)
			return debug_fail(l->f->why, "nothing can be written for an element, near `%s'", l->s);
	}
	return true;
}

/* ---- structures ---- */

static bool wrong_number(struct list *l, const char *what, const struct ctype *t)
{
	debug_fail(l->f->why, "%s", what);
	layout_explain(t, l->f->why);
	return false;
}

static bool put_member(struct list *l, const struct ctype_member *m, uint64_t at)
{
	struct text reason = {0}, *why = l->f->why;
	l->f->why = &reason;
	bool ok = m->bit_size ? put_number(l, ctype_core(m->type), m, at) : put(l, m->type, at);
	l->f->why = why;
	if (!ok)
		debug_fail(why, "%s%s%s", m->name ? m->name : "", m->name ? ": " : "", text_str(&reason));
	text_free(&reason);
	return ok;
}

/* What is there to be named: an unnamed bit-field is a hole, and an array without a length has no room. */
static bool is_member(const struct ctype_member *m)
{
	return (m->name || (!m->bit_size && ctype_is_struct(ctype_core(m->type)))) && ctype_core(m->type)->bytes;
}

static uint32_t next_member(const struct ctype *t, uint64_t i)
{
	while (i < t->n_members && !is_member(&t->members[i]))
		i++;
	return (uint32_t)i;
}

static bool put_members(struct list *l, const struct ctype *t, uint64_t at, bool braced)
{
	const bool is_union = t->kind == CTYPE_UNION, is_empty = at_end(l);
	bool designated = false;
	uint64_t next = next_member(t, 0);
	for (bool any = false; !at_end(l); any = true) {
		if (braced && *l->s == '.' && is_designator(l->s)) {
			designated = true;
			if (!put_designated(l, t, at, &next))
				return false;
		} else if (next >= t->n_members || (is_union && any)) {
			return !braced || wrong_number(l, "too many values", t);
		} else {
			const struct ctype_member *m = &t->members[next++];
			if (!put_member(l, m, at + m->offset))
				return false;
		}
		next = next_member(t, next);
	}
	if (l->is_whole && !designated && !is_empty && !is_union && next < t->n_members)
		return wrong_number(l, "too few values", t);
	return true;
}

/* ---- anything ---- */

static bool put_braced(struct list *l, const struct ctype *core, uint64_t at)
{
	l->s = scan_blanks(l->s + 1);
	bool ok = core->kind == CTYPE_ARRAY ? put_elements(l, core, at, true)
		  : ctype_is_struct(core)   ? put_members(l, core, at, true)
					    : at_end(l) || put_number(l, core, NULL, at);
	if (!ok)
		return false;
	if (*l->s != '}')
		return *l->s ? debug_fail(l->f->why, "more than one value near `%s'", l->s)
			     : debug_fail(l->f->why, "a } is missing after the list");
	l->s = scan_blanks(l->s + 1);
	return true;
}

/* NAME or (NAME) in front of a brace: C's and C++'s way to say what is in it. It has to be what is wanted there. */
static bool take_type(struct list *l, const struct ctype *core)
{
	const char *s = l->s;
	const struct ctype *said = layout_type_before(l->f->d, &s);
	if (!said)
		return true;
	if (ctype_core(said) != core)
		return debug_fail(l->f->why, "%.*s is not the type that is wanted here", (int)(s - l->s), l->s);
	l->s = s;
	return true;
}

static bool put(struct list *l, const struct ctype *t, uint64_t at)
{
	const struct ctype *core = ctype_core(t);
	const bool is_array = core->kind == CTYPE_ARRAY;
	if (at > l->bytes || core->bytes > l->bytes - at)
		return debug_fail(l->f->why, "the type is malformed: a part of it lies outside");
	if (l->depth >= DEPTH_MAX)
		return debug_fail(l->f->why, "the type is nested too deeply");
	if (ctype_is_struct(core) && !take_type(l, core))
		return false;
	l->depth++;
	bool ok;
	if (*l->s == '{') {
		ok = put_braced(l, core, at);
		take_comma(l);
	} else if (is_array && *l->s == '"' && ctype_core(core->target)->is_char) {
		ok = put_string(l, core, at);
	} else if (is_array) {
		ok = put_elements(l, core, at, false);
	} else {
		ok = ctype_is_struct(core) ? put_members(l, core, at, false) : put_number(l, core, NULL, at);
	}
	l->depth--;
	return ok;
}

bool init_braces(struct init *f, const struct ctype *t, unsigned char *to, bool is_whole, const char **s)
{
	const struct ctype *core = ctype_value(t);
	struct list l = {
		.f = f, .s = scan_blanks(*s), .to = to, .bytes = core->bytes, .is_whole = is_whole, .depth = 1};
	if (!put_braced(&l, core, 0))
		return false;
	*s = l.s;
	return true;
}
