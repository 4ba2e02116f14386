/* Values of expressions as data. */
#include <math.h>
#include <errno.h>
#include "debug/expr/value_describe.h"

#include <stdlib.h>
#include <string.h>

#include "debug/csource/cnames.h"
#include "debug/ground/ground.h"
#include "debug/describe.h"
#include "debug/expr/value.h"
#include "debug/expr/fields.h"

/* Sets the budget of a value to the setting `print-elements`, or to VALUE_ELEMENTS_MAX if that is more or unlimited. */
static void value_budget_init(struct value_budget *b, struct debug *d)
{
	const uint32_t most = d->settings.print_elements;
	b->d = d;
	b->left = most && most < VALUE_ELEMENTS_MAX ? most : VALUE_ELEMENTS_MAX;
}

bool value_budget_take(struct value_budget *b)
{
	if (!b->left)
		return false;
	b->left--;
	return true;
}

/* Adds an integer of 128 bits: a number, or above 63 bits a string. */
static void wide_describe(struct report *r, const char *name, const struct expr_value *v)
{
	struct text digits = {0};
	format_scalar(v->type, v->u.w, 0, &digits);
	if (!v->u.w[1] && v->u.w[0] <= INT64_MAX)
		report_number(r, name, v->u.w[0]);
	else
		report_text(r, name, text_str(&digits));
	text_free(&digits);
}

static void scalar_describe(struct report *r, const char *name, const struct expr_value *v)
{
	unsigned char bytes[16] = {0};
	uint64_t raw;
	if (v->pointers)
		report_number(r, name, v->u.u64);
	else if (isa_type_bytes(v->type) > sizeof raw)
		wide_describe(r, name, v);
	else {
		value_store(v, bytes);
		memcpy(&raw, bytes, sizeof raw);
		describe_value(r, name, v->type, raw);
	}
}

/* Adds the elements [first, first + n) as a list; with `row` above 0 they are rows of so many. */
static void elements_describe(struct value_budget *b, struct report *r, const char *name, const struct expr_value *v, const uint64_t range[2], uint64_t row)
{
	report_list(r, name);
	for (uint64_t i = range[0]; i < range[1] && b->left; i += row ? row : 1) {
		struct expr_value e;
		if (row) {
			elements_describe(b, r, NULL, v, (uint64_t[]){i, i + row}, 0);
			continue;
		}
		value_budget_take(b);
		value_element(v, i, &e);
		scalar_describe(r, NULL, &e);
	}
	report_close(r);
}

/* Adds {"x", "y", ...}. */
static void vector_describe(struct report *r, const char *name, const struct expr_value *v)
{
	report_open(r, name);
	for (unsigned k = 0; k < v->count; k++) {
		const char member[] = {"xyzw"[k & 3], '\0'};
		struct expr_value e;
		value_element(v, k, &e);
		scalar_describe(r, member, &e);
	}
	report_close(r);
}

/* Adds the text in an array of bytes, without what follows a 0. */
static void string_describe(struct report *r, const char *name, const struct expr_value *v)
{
	report_textf(r, name, "%.*s", (int)strnlen((const char *)v->data, v->count), (const char *)v->data);
}

static void data_describe(struct debug *d, struct report *r, const char *name, const struct expr_value *v, char format)
{
	struct value_budget b;
	value_budget_init(&b, d);
	if (v->c)
		cvalue_describe(&b, r, name, v);
	else if (v->is_listing)
		d->fields->describe(r, name, v);
	else if (v->is_string || (v->is_array && format == 's' && value_element_bytes(v) == 1))
		string_describe(r, name, v);
	else if (v->is_dim3)
		vector_describe(r, name, v);
	else if (v->is_array)
		elements_describe(&b, r, name, v, (uint64_t[]){0, v->count}, v->row_length);
	else if (v->type == ISA_NOTYPE && !v->pointers)
		report_none(r, name, "void");
	else
		scalar_describe(r, name, v);
}

void value_describe(struct debug *d, struct report *r, const char *name, const struct expr_value *v, const struct format_spec *f)
{
	struct text look = {0};
	format_value(d, v, f, &look);
	data_describe(d, r, name, v, f ? f->format : 0);
	report_look(r, "%s", text_str(&look));
	text_free(&look);
}

void value_type_describe(struct debug *d, struct report *r, const char *name, const struct expr_value *v)
{
	struct text type = {0};
	if (v->function)
		debug_function_type(d, v->function, v->is_function ? "" : "(*)", &type);
	else if (v->is_dim3)
		value_vector_type(v, &type);
	else
		value_type_text(v, &type);
	report_text(r, name, text_str(&type));
	text_free(&type);
}

/* Returns whether a register of the type holds one number, not several. */
static bool is_number(enum isa_type type) { return isa_type_is_float(type) && !strchr(isa_type_info[type].name, 'x'); }

void describe_value(struct report *r, const char *name, enum isa_type type, uint64_t raw)
{
	struct text shown = {0};
	char *end;
	if (!isa_type_bytes(type)) {
		report_number(r, name, raw != 0);
		return;
	}
	format_scalar(type, &raw, 0, &shown);
	errno = 0;
	const long long whole = strtoll(text_str(&shown), &end, 10);
	if (is_number(type) && isfinite(format_to_double(type, &raw)))
		report_real(r, name, format_to_double(type, &raw), text_str(&shown));
	else if (!*end && !errno)
		report_signed(r, name, whole);
	else
		report_text(r, name, text_str(&shown));
	text_free(&shown);
}
