/* Launches as text: the grid and the arguments. */
#include <ctype.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/expr/expr.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/setup/init.h"
#include "debug/setup/launch.h"
#include "debug/setup/layout.h"
#include "debug/setup/texture.h"
#include "debug/view/view.h"

/* ---- arguments ---- */

/* What is being filled: a parameter's bytes, and what to say when something doesn't fit. */
struct argument {
	struct debug *d;
	unsigned char *bytes;
	uint64_t size, used, align; /* used: so far; align: of the aggregate so far */
	struct text *why;
};

static bool eval_fitting(struct debug *d, const char *s, size_t n, enum isa_type t, unsigned char *bytes,
			 struct text *why)
{
	struct expr_value v;
	if (!debug_eval_number(d, s, n, &v, why))
		return false;
	bool ok = value_fit(&v, t, why);
	if (ok)
		value_store(&v, bytes);
	expr_value_free(&v);
	return ok;
}

/* Type of an aggregate's field that says none: addresses are u64. */
static bool untyped_field(struct argument *a, const char *s, size_t n, enum isa_type *t)
{
	struct expr_value v;
	if (!debug_eval_number(a->d, s, n, &v, a->why))
		return false;
	value_object_decay(&v);
	bool address = v.is_array || v.pointers;
	expr_value_free(&v);
	*t = ISA_U64;
	return address || debug_fail(a->why, "field \"%.*s\" has no type: write it as in {f32 1.0, s32 2}", (int)n, s);
}

static bool put_field(struct argument *a, enum isa_type t, const char *s, size_t n)
{
	uint64_t size = isa_type_bytes(t);
	if (!size)
		return debug_fail(a->why, "no memory holds a %s", isa_type_info[t].name);
	uint64_t at = (a->used + size - 1) / size * size;
	if (at > a->size || size > a->size - at)
		return debug_fail(a->why, "the aggregate is longer than the parameter's %llu bytes",
				  (unsigned long long)a->size);
	a->used = at + size;
	if (size > a->align)
		a->align = size;
	return eval_fitting(a->d, s, n, t, a->bytes + at, a->why);
}

static bool put_aggregate(struct argument *a, const char **at, enum isa_type element, unsigned depth);

/* An aggregate within one: laid out by itself, put where its alignment lets it begin. *at stands at its {. */
static bool put_nested(struct argument *a, const char **at, enum isa_type element, unsigned depth)
{
	struct argument inner = *a;
	const char *end = *at + 1;
	inner.used = 0;
	inner.align = 1;
	inner.bytes = xcalloc(a->size + 16, 1);
	bool ok = put_aggregate(&inner, &end, element, depth + 1);
	uint64_t to = (a->used + inner.align - 1) / inner.align * inner.align;
	if (ok && to + inner.used > a->size)
		ok = debug_fail(a->why, "the aggregate is longer than the parameter's %llu bytes",
				(unsigned long long)a->size);
	if (ok) {
		memcpy(a->bytes + to, inner.bytes, inner.used);
		a->used = to + inner.used;
		a->align = inner.align > a->align ? inner.align : a->align;
	}
	free(inner.bytes);
	*at = scan_blanks(end);
	return ok;
}

/* {FIELD, ...} at *at, which stands after the {; `element` is the type of fields that say none, or ISA_NOTYPE. */
static bool put_aggregate(struct argument *a, const char **at, enum isa_type element, unsigned depth)
{
	if (depth > 16)
		return debug_fail(a->why, "the aggregate is nested too deeply");
	const char *s = scan_blanks(*at);
	while (*s && *s != '}') {
		if (*s == '{') {
			if (!put_nested(a, &s, element, depth))
				return false;
		} else {
			enum isa_type t = element;
			uint8_t pointers = 0;
			size_t n = scan_part(s, false);
			const char *value = s;
			if (expr_parse_type(&value, &t, &pointers) && value < s + n &&
			    isspace((unsigned char)value[-1])) {
				t = pointers ? ISA_U64 : t;
			} else {
				value = s;
				t = element;
				if (t == ISA_NOTYPE && !untyped_field(a, s, n, &t))
					return false;
			}
			if (!put_field(a, t, value, (size_t)(s + n - value)))
				return false;
			s = scan_blanks(s + n);
		}
		if (*s == ',')
			s = scan_blanks(s + 1);
	}
	if (*s != '}')
		return debug_fail(a->why, "a } is missing after the aggregate");
	a->used = (a->used + a->align - 1) / a->align * a->align;
	*at = s + 1;
	return true;
}

/* ---- arguments by the source's types ---- */

/* The type that the source gives a kernel's parameter number k; NULL: nothing says so, or it doesn't fit what the PTX says. */
static const struct ctype *parameter_type(struct debug *d, const struct isa_function *f, uint32_t k)
{
	const struct cscope *s = cnames_function(d, f);
	uint32_t n = 0;
	while (s && n < s->n_vars && s->vars[n].is_param)
		n++;
	return n == f->n_params && ctype_value(s->vars[k].type)->bytes == f->params[k].bytes ? s->vars[k].type : NULL;
}

/* Does a field say its PTX type, as in {f32 1.0, s32 2}? Then the user lays the structure out, whatever else is known. */
static bool says_types(const char *s, size_t n)
{
	const char *end = s + n;
	for (s = scan_blanks(s); s < end; s = scan_blanks(s + 1)) {
		enum isa_type t;
		uint8_t pointers;
		const char *value = s;
		if (expr_parse_type(&value, &t, &pointers) && value < end && isspace((unsigned char)value[-1]))
			return true;
		while (s < end && *s != ',' && *s != '{' && *s != '}')
			s++;
	}
	return false;
}

static bool put_typed(struct debug *d, const struct ctype *t, const struct isa_variable *v, const char *s, size_t n,
		      unsigned char *to, struct text *why)
{
	struct init f = {.d = d, .why = why, .what = "parameter"};
	struct expr_value x;
	if (*s == '{') {
		if (ctype_value(t)->bytes != v->bytes) {
			layout_text(t, why);
			return debug_fail(why, ", the parameter has %llu", (unsigned long long)v->bytes);
		}
		const char *end = s;
		return init_braces(&f, t, to, true, &end) && (end >= s + n || debug_fail(why, "junk after the }"));
	}
	if (!init_eval(&f, s, n, &x))
		return false;
	bool fits = x.is_object && x.count == v->bytes && x.place.kind == EXPR_MEMORY; /* of a buffer or a variable */
	const uint64_t address = x.place.address;
	expr_value_free(&x);
	if (fits)
		return debug_memory_read(d, NULL, address, to, v->bytes) || debug_access_fail(d, NULL, address, why);
	debug_fail(why, "its fields are to be written as {V, ...}");
	layout_explain(t, why);
	return false;
}

static bool is_structure(const struct ctype *t)
{
	return ctype_is_struct(ctype_value(t)) || ctype_value(t)->kind == CTYPE_ARRAY;
}

/* PTX for new targets has bits where the source has a float. */
static enum isa_type number_of(const struct isa_variable *v, const struct ctype *t)
{
	const struct ctype *core = t ? ctype_value(t) : NULL;
	bool known = isa_type_info[v->type].cls == ISA_CLASS_BITS && core && core->kind == CTYPE_BASE;
	return known && core->scalar != ISA_NOTYPE ? core->scalar : (enum isa_type)v->type;
}

/* Fields with types, or without where the PTX says what they are. */
static bool put_fields(struct argument *a, const struct isa_variable *v, const char *s, size_t n)
{
	const char *end = s + 1;
	const enum isa_type element = isa_type_bytes((enum isa_type)v->type) > 1 ? (enum isa_type)v->type : ISA_NOTYPE;
	if (!put_aggregate(a, &end, element, 0))
		return false;
	if (scan_blanks(end) < s + n)
		return debug_fail(a->why, "junk after the }");
	return a->used == a->size || debug_fail(a->why, "the aggregate has %llu bytes, the parameter %llu",
						(unsigned long long)a->used, (unsigned long long)a->size);
}

/* `t`: what it is in the source, NULL: that isn't known. */
static bool put_argument(struct debug *d, const struct isa_variable *v, const struct ctype *t, const char *s, size_t n,
			 unsigned char *params, struct text *why)
{
	const char *brace = s;
	const struct ctype *said = layout_type_before(d, &brace);
	if (said)
		return put_typed(d, said, v, brace, (size_t)(s + n - brace), params + v->address, why);
	if (t && is_structure(t) && !says_types(s, n))
		return put_typed(d, t, v, s, n, params + v->address, why);
	struct argument a = {.d = d, .bytes = params + v->address, .size = v->bytes, .align = 1, .why = why};
	bool is_array = v->n_dims || v->vec > 1;
	if (*s != '{' && is_array)
		return debug_fail(why, "it is an aggregate of %llu bytes: write {TYPE VALUE, ...}",
				  (unsigned long long)v->bytes);
	if (*s != '{')
		return eval_fitting(d, s, n, number_of(v, t), a.bytes, why);
	if (put_fields(&a, v, s, n))
		return true;
	layout_explain(t, why);
	return false;
}

static bool parse_arguments(struct debug *d, const struct isa_function *f, const char *s, struct debug_launch *out,
			    struct text *why)
{
	uint32_t k = 0, given = 0;
	s = scan_blanks(s);
	if (!*s)
		s = "()"; /* what a kernel without parameters takes, and the others' complaint names what they want */
	if (*s != '(')
		return debug_fail(why, "usage: KERNEL<<<GRID, BLOCK[, SHARED[, STREAM]]>>>(ARG, ...)");
	const char *p = scan_blanks(s + 1);
	for (const char *q = p; *q && *q != ')'; q += *q == ',') {
		size_t n = scan_part(q, false);
		if (!n) /* a closing bracket without its partner, or an empty argument */
			return debug_fail(why, "an argument is missing near `%s'", q);
		q = scan_blanks(q + n);
		given++;
	}
	if (given != f->n_params) {
		text_addf(why, "%s wants %u argument%s (", debug_function_name(d, f), f->n_params,
			  f->n_params == 1 ? "" : "s");
		for (uint32_t i = 0; i < f->n_params; i++) {
			const struct isa_variable *v = &f->params[i];
			text_addf(why, v->n_dims ? "%s%s[%llu]" : "%s%s", i ? ", " : "", isa_type_info[v->type].name,
				  (unsigned long long)v->bytes);
		}
		return debug_fail(why, "), got %u", given);
	}
	for (; *p && *p != ')'; k++) {
		size_t n = scan_part(p, false);
		struct text reason = {0};
		bool ok = put_argument(d, &f->params[k], parameter_type(d, f, k), p, n, out->params, &reason);
		if (!ok)
			debug_fail(why, "argument %u (%s): %s", k + 1, f->params[k].name, text_str(&reason));
		text_free(&reason);
		if (!ok)
			return false;
		p = scan_blanks(p + n);
		if (*p == ',')
			p = scan_blanks(p + 1);
	}
	if (*p != ')')
		return debug_fail(why, "a ) is missing after the arguments");
	return scan_end(p + 1, why);
}

/* ---- the configuration between <<< and >>> ---- */

static bool parse_dims(struct debug *d, const char *s, size_t n, uint32_t out[3], struct text *why)
{
	const char *end;
	uint64_t v;
	out[0] = out[1] = out[2] = 1;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (n > 4 && !strncmp(s, "dim3", 4)) {
		s += 4;
		n -= 4;
	}
	bool tuple = n > 2 && *s == '(' && s[n - 1] == ')' && scan_part(s + 1, false) + 1 <= n - 1;
	if (tuple) {
		end = s + n - 1;
		s++;
	} else {
		end = s + n;
	}
	for (unsigned k = 0; s < end; k++) {
		size_t part = tuple ? scan_part(s, false) : n;
		if (k == 3)
			return debug_fail(why, "a grid or block has at most three dimensions");
		if (s + part > end)
			part = (size_t)(end - s);
		if (!debug_eval_count(d, s, part, &v, why))
			return false;
		if (v > UINT32_MAX)
			return debug_fail(why, "%llu is too large for a dimension", (unsigned long long)v);
		out[k] = (uint32_t)v;
		s += part;
		s += s < end && *s == ',';
	}
	return true;
}

static bool parse_config(struct debug *d, const char *s, size_t n, struct gpu_launch_spec *spec, struct text *why)
{
	char *text = xstrndup(s, n), *p = text;
	bool ok = true;
	unsigned k = 0;
	for (; ok && *scan_blanks(p); k++) {
		uint64_t v = 0;
		p += scan_blanks(p) - p;
		size_t part = scan_part(p, false);
		if (k < 2)
			ok = parse_dims(d, p, part, k ? spec->block : spec->grid, why);
		else if (k < 4)
			ok = debug_eval_count(d, p, part, &v, why);
		else
			ok = debug_fail(why, "too many values between <<< and >>>");
		if (ok && v > UINT32_MAX)
			ok = debug_fail(why, "%llu is too large", (unsigned long long)v);
		if (k == 2)
			spec->shared_dynamic = (uint32_t)v;
		if (k == 3)
			spec->stream = (uint32_t)v;
		p += part;
		if (*p == ',')
			p++;
		else if (*scan_blanks(p) && ok)
			ok = debug_fail(why, "usage: KERNEL<<<GRID, BLOCK[, SHARED[, STREAM]]>>>(ARG, ...)");
	}
	free(text);
	if (ok && k < 2)
		return debug_fail(why, "a launch needs a grid and a block: KERNEL<<<GRID, BLOCK>>>(...)");
	return ok;
}

bool debug_launch_parse(struct debug *d, const char *text, struct debug_launch *out, struct text *why)
{
	*out = (struct debug_launch){0};
	const char *open = strstr(text, "<<<"), *close = open ? strstr(open, ">>>") : NULL;
	if (!close)
		return debug_fail(why, "usage: KERNEL<<<GRID, BLOCK[, SHARED[, STREAM]]>>>(ARG, ...)");
	const struct isa_function *f = debug_find_kernel(d, text, (size_t)(open - text), why);
	if (!f || !parse_config(d, open + 3, (size_t)(close - open - 3), &out->spec, why))
		return false;
	const struct isa_program *p = debug_program(d);
	while (p->functions[out->spec.function] != f)
		out->spec.function++;
	out->params = xcalloc(f->param_bytes + 16u, 1);
	out->spec.params = out->params;
	out->spec.n_params = f->param_bytes;
	out->spec.cooperation = GPU_COOPERATIVE_AS_NEEDED;
	if (parse_arguments(d, f, close + 3, out, why) && texture_references_are_bound(d, out->spec.function, why))
		return true;
	debug_launch_free(out);
	return false;
}

void debug_launch_free(struct debug_launch *l)
{
	free(l->params);
	*l = (struct debug_launch){0};
}
