/* The functions of expressions, which gdb has, too: $_isvoid, $_strlen, $_streq, $_memeq, $_regex. */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/view/view.h"

#define STRING_MAX ((uint64_t)1 << 20)

static bool fail_string(struct eval *v, const struct expr_value *x)
{
	struct text type = {0};
	debug_fail(v->why, "Trying to read string with inappropriate type `%s'.", value_type_text(x, &type));
	text_free(&type);
	return false;
}

/* Reads at most `most` bytes from an address, or up to a null if `is_string`. */
static bool read_bytes(struct eval *v, uint64_t address, uint64_t most, bool is_string, struct text *out)
{
	unsigned char c;
	for (uint64_t i = 0; i < most; i++) {
		if (!debug_memory_read(v->d, eval_where(v), address + i, &c, 1))
			return debug_access_fail(v->d, eval_where(v), address + i, v->why);
		if (is_string && !c)
			break;
		text_addn(out, (const char *)&c, 1);
	}
	return true;
}

/* Returns the size of what a pointer, array or string has as elements, 0 if the value is none of these. */
static uint64_t element_size(const struct expr_value *x)
{
	const struct ctype *t = x->c ? ctype_value(x->c) : NULL;
	if (t && (t->kind == CTYPE_POINTER || t->kind == CTYPE_ARRAY))
		return ctype_core(t->target)->bytes;
	if (x->pointers)
		return x->pointers > 1 ? 8 : isa_type_bytes(x->type);
	return x->is_array || x->is_string ? value_element_bytes(x) : 0;
}

/* Appends the characters of a string, an array of bytes, or what a pointer to bytes points to. */
static bool read_string(struct eval *v, const struct expr_value *x, struct text *out)
{
	if (element_size(x) != 1)
		return fail_string(v, x);
	if (value_is_pointer(x))
		return read_bytes(v, x->u.u64, STRING_MAX, true, out);
	text_addn(out, (const char *)x->data, x->data ? strnlen((const char *)x->data, x->count) : 0);
	return true;
}

/* ---- the functions ---- */

static bool is_void(struct eval *v, struct expr_value *x, int *out)
{
	(void)v;
	*out = x->type == ISA_NOTYPE && !x->pointers && !x->c && !x->is_string && !x->is_listing;
	return true;
}

static bool length(struct eval *v, struct expr_value *x, int *out)
{
	struct text s = {0};
	const bool ok = read_string(v, x, &s);
	*out = (int)s.n;
	text_free(&s);
	return ok;
}

static bool equal(struct eval *v, struct expr_value *x, int *out)
{
	struct text a = {0}, b = {0};
	const bool ok = read_string(v, &x[0], &a) && read_string(v, &x[1], &b);
	*out = a.n == b.n && !memcmp(text_str(&a), text_str(&b), a.n);
	text_free(&a);
	text_free(&b);
	return ok;
}

/* Reads n bytes of an array or from a pointer. */
static bool read_memory(struct eval *v, const struct expr_value *x, uint64_t n, struct text *out)
{
	if (!element_size(x))
		return debug_fail(v->why, "expected arrays or pointers");
	if (value_is_pointer(x))
		return read_bytes(v, x->u.u64, n, false, out);
	const uint64_t bytes = x->is_object ? x->count : x->count * value_element_bytes(x);
	if (n > bytes)
		return debug_fail(v->why, "the value has only %llu bytes", (unsigned long long)bytes);
	text_addn(out, (const char *)x->data, n);
	return true;
}

static bool same_memory(struct eval *v, struct expr_value *x, int *out)
{
	struct text a = {0}, b = {0};
	int64_t n = 0;
	if (!expr_value_integer(&x[2], &n) || n < 0 || (uint64_t)n > STRING_MAX)
		return debug_fail(v->why, "length must be a number up to %llu", (unsigned long long)STRING_MAX);
	const bool ok = read_memory(v, &x[0], (uint64_t)n, &a) && read_memory(v, &x[1], (uint64_t)n, &b);
	*out = a.n == b.n && !memcmp(text_str(&a), text_str(&b), a.n);
	text_free(&a);
	text_free(&b);
	return ok;
}

/* The expression has to fit at the beginning of the string, as in gdb. */
static bool fits_regex(struct eval *v, struct expr_value *x, int *out)
{
	struct text s = {0}, pattern = {0};
	regex_t regex;
	regmatch_t at;
	bool ok = read_string(v, &x[0], &s) && read_string(v, &x[1], &pattern);
	if (ok) {
		const int error = regcomp(&regex, text_str(&pattern), REG_EXTENDED);
		char message[128] = "";
		if (error) {
			regerror(error, &regex, message, sizeof message);
			ok = debug_fail(v->why, "%s", message);
		} else {
			*out = !regexec(&regex, text_str(&s), 1, &at, 0) && !at.rm_so;
			regfree(&regex);
		}
	}
	text_free(&s);
	text_free(&pattern);
	return ok;
}

static const struct dollar_function {
	const char *name;
	unsigned n_arguments;
	bool (*call)(struct eval *v, struct expr_value *arguments, int *out);
} functions[] = {{"_isvoid", 1, is_void}, {"_strlen", 1, length}, {"_streq", 2, equal}, {"_memeq", 3, same_memory}, {"_regex", 2, fits_regex}};
#define FUNCTIONS (sizeof functions / sizeof *functions)

const char *expr_dollar_function(size_t k) { return k < FUNCTIONS ? functions[k].name : NULL; }

bool expr_call(struct eval *v, const char *name, struct expr_value *arguments, unsigned n, struct expr_value *out)
{
	const struct dollar_function *f = functions;
	int result = 0;
	while (f < functions + FUNCTIONS && strcmp(f->name, name))
		f++;
	if (f == functions + FUNCTIONS)
		return debug_fail(v->why, "there is no function $%s; `show convenience` lists them", name);
	if (n != f->n_arguments)
		return debug_fail(v->why, "You must provide %s argument%s for $%s.",
				  f->n_arguments == 1 ? "one" : f->n_arguments == 2 ? "two" : "three", f->n_arguments == 1 ? "" : "s", f->name);
	if (!f->call(v, arguments, &result))
		return false;
	value_int(out, ISA_S32, (uint64_t)(int64_t)result);
	return true;
}
