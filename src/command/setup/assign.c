/* `set LVALUE = EXPR`, and `set LVALUE = INIT`: all of a variable, a buffer or a part of one at a time. */
#include <string.h>

#include "base/pages.h"
#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/expr/expr.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/setup/buffer.h"
#include "debug/setup/init.h"
#include "debug/ground/ground.h"
#include "command/inspect.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

/* The = that assigns, outside of brackets and strings; NULL: there is none. */
static const char *find_assignment(const char *text)
{
	int depth = 0;
	for (const char *s = text; *s; s++) {
		if (*s == '"') {
			size_t n = scan_part(s, true);
			s += n ? n - 1 : 0;
		} else if (strchr("([{", *s)) {
			depth++;
		} else if (strchr(")]}", *s)) {
			depth--;
		} else if (*s == '=' && s[1] == '=') {
			s++;
		} else if (*s == '=' && !depth) {
			return s > text && !strchr("!<>+-*/%&|^", s[-1]) ? s : NULL;
		}
	}
	return NULL;
}

/* What is assigned to: its text, which may end in TYPE[COUNT], and INIT. */
struct assignment {
	char *left;   /* owned */
	char *target; /* owned; the part of it that is assigned to */
	const char *shape, *init;
};

static void free_assignment(struct assignment *a)
{
	free(a->left);
	free(a->target);
}

static bool is_init_assignment(struct debug *d, const char *text, struct assignment *a)
{
	const char *equals = find_assignment(text);
	struct text ignored = {0};
	if (!equals || !init_is(d, equals + 1))
		return false;
	*a = (struct assignment){.left = xstrndup(text, (size_t)(equals - text)), .init = equals + 1};
	struct expr *e = expr_parse(d, a->left, &a->shape, &ignored);
	bool ok = e && !expr_has_assignment(e);
	a->target = ok ? xstrdup(expr_text(e)) : NULL;
	expr_free(e);
	text_free(&ignored);
	if (!ok)
		free_assignment(a);
	return ok;
}

/* nvcc's way to write arrays and structures: bytes with the alignment of what they are. */
static bool is_untyped(struct debug *d, const char *name, const struct expr_value *v)
{
	struct debug_symbol s;
	name += 2 * !strncmp(name, "::", 2);
	return v->is_array && !v->c && debug_module_lookup(d, NULL, name, strlen(name), &s) && s.var->type == ISA_B8 &&
	       s.var->n_dims && s.var->align > 1 && s.generic == v->place.address;
}

static uint64_t bytes_of(const struct expr_value *v)
{
	return v->is_object ? v->count : v->is_array ? v->count * value_element_bytes(v) : value_element_bytes(v);
}

/* The rows of an array of PTX, for the braces in a list. */
struct rows {
	struct ctype number, row, all;
};

static void shape_of_numbers(struct init *f, const struct expr_value *v, struct rows *r)
{
	init_numbers(f, v->pointers ? ISA_U64 : v->type, v->is_array ? v->count : 1);
	if (!v->is_array || !v->row_length)
		return;
	r->number = (struct ctype){.kind = CTYPE_BASE, .scalar = f->type, .bytes = f->size};
	r->row = (struct ctype){
		.kind = CTYPE_ARRAY, .target = &r->number, .count = v->row_length, .bytes = v->row_length * f->size};
	r->all = (struct ctype){
		.kind = CTYPE_ARRAY, .target = &r->row, .count = v->count / v->row_length, .bytes = v->count * f->size};
	f->whole = &r->all;
}

static bool find_shape(struct init *f, const struct assignment *a, const struct expr_value *v, struct rows *r)
{
	const char *s = a->shape, *init = scan_blanks(a->init);
	if (v->is_missing || v->place.kind != EXPR_MEMORY || v->place.bit_size)
		return debug_fail(f->why, "%s is not in memory: only what is takes more than a value", a->target);
	if (*scan_blanks(s)) {
		if (!debug_parse_shape(f->d, &s, f, f->why) || !scan_end(s, f->why))
			return false;
		return f->count * f->size <= bytes_of(v) ||
		       debug_fail(f->why, "%llu bytes don't fit into %llu", (unsigned long long)(f->count * f->size),
				  (unsigned long long)bytes_of(v));
	}
	if (is_untyped(f->d, a->target, v) && !scan_word(&init, "zero") && !scan_word(&init, "file"))
		return debug_fail(
			f->why,
			"the PTX doesn't say what the %llu bytes of %s are (nvcc -G does): name the type, as in "
			"`set var %s f32[%llu] = ...`, or u8[%llu] for bytes",
			(unsigned long long)v->count, a->target, a->target, (unsigned long long)(v->count / 4),
			(unsigned long long)v->count);
	if (v->c)
		return init_of_type(f, v->c) || debug_fail(f->why, "%s has no size", a->target);
	shape_of_numbers(f, v, r);
	return true;
}

/* A buffer without a beginning has one when all of it is written. */
static void note_initialised(struct debug *d, uint64_t address, uint64_t n)
{
	for (size_t i = 0; i < debug_buffer_count(d); i++)
		if (debug_buffer_at(d, i)->address == address && debug_buffer_bytes(debug_buffer_at(d, i)) == n)
			buffers_note_initialised(d, i);
}

static bool assign_init(struct debug *d, const struct assignment *a, struct text *why)
{
	struct init f = {.d = d, .why = why, .in_focus = true, .what = "variable"};
	struct expr_value v = {0};
	struct rows rows;
	struct debug_where w;
	const struct debug_where *where = debug_focus_where(d, &w) ? &w : NULL;
	if (!debug_eval_unread(d, a->target, &v, why))
		return false;
	bool ok = find_shape(&f, a, &v, &rows);
	const uint64_t n = ok ? f.count * f.size : 0, address = v.place.address;
	expr_value_free(&v);
	if (!ok)
		return false;
	f.bytes = pages_take(n);
	if (!f.bytes)
		return debug_fail(why, "no host memory for %llu elements", (unsigned long long)f.count);
	ok = init_by_text(&f, a->init) &&
	     (debug_memory_write(d, where, address, f.bytes, n) || debug_access_fail(d, where, address, why));
	pages_free(f.bytes, n);
	if (!ok)
		return false;
	note_initialised(d, address, n);
	debug_poked(d);
	return true;
}

bool command_set_var(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct assignment a;
	struct expr_value v;
	(void)answer;
	if (!*scan_blanks(args))
		return debug_fail(why, "Argument required (expression to compute).");
	const bool is_variable = *scan_blanks(args) == '$'; /* the user's own */
	if (!is_variable && !debug_may_change(d, why))
		return false;
	if (is_init_assignment(d, args, &a)) {
		bool ok = assign_init(d, &a, why);
		free_assignment(&a);
		return ok;
	}
	if (!debug_eval(d, args, &v, why))
		return false;
	expr_value_free(&v);
	return true;
}

bool assign_is_assignment(struct debug *d, const char *text)
{
	struct text ignored = {0};
	struct assignment a;
	if (is_init_assignment(d, text, &a)) {
		free_assignment(&a);
		return true;
	}
	struct expr *e = expr_parse(d, text, NULL, &ignored);
	bool yes = e && expr_has_assignment(e);
	expr_free(e);
	text_free(&ignored);
	return yes;
}
