/* Values of the source's types as data. */
#include <string.h>

#include "debug/csource/cnames.h"
#include "debug/describe.h"
#include "debug/expr/value.h"
#include "debug/expr/value_describe.h"
#include "debug/view/view.h"

#define DEPTH_MAX 20 /* as in cformat.c */

static void part_describe(struct value_budget *b, unsigned depth, struct report *r, const char *name, const struct ctype *type, const unsigned char *bytes);

static bool is_character(const struct ctype *t) { return t->kind == CTYPE_BASE && t->is_char; }

static void number_describe(struct report *r, const char *name, const struct ctype *t, const unsigned char *bytes)
{
	uint64_t raw = 0;
	if (t->scalar == ISA_NOTYPE || isa_type_bytes(t->scalar) > sizeof raw) {
		struct text digits = {0};
		if (t->scalar == ISA_NOTYPE)
			for (uint64_t i = t->bytes < 64 ? t->bytes : 64; i--;)
				text_addf(&digits, "%02x", bytes[i]);
		else
			format_scalar(t->scalar, bytes, 0, &digits);
		report_textf(r, name, "%s%s", t->scalar == ISA_NOTYPE ? "0x" : "", text_str(&digits));
		text_free(&digits);
	} else if (t->is_bool && bytes[0] < 2) {
		report_flag(r, name, bytes[0]);
	} else {
		memcpy(&raw, bytes, isa_type_bytes(t->scalar));
		describe_value(r, name, t->scalar, raw);
	}
}

/* Adds an enumeration's constant by its name, or the number of what has none. */
static void enum_describe(struct report *r, const char *name, const struct ctype *t, const unsigned char *bytes)
{
	struct expr_value v = {0};
	if (t->scalar != ISA_NOTYPE)
		value_load(&v, t->scalar, 0, bytes);
	for (uint32_t i = 0; i < t->n_members && t->scalar != ISA_NOTYPE; i++)
		if (t->members[i].value == v.u.s64 && t->members[i].name) {
			report_text(r, name, t->members[i].name);
			return;
		}
	number_describe(r, name, t, bytes);
}

/* Adds an address, or of text {"address", "string"}. */
static void pointer_describe(struct value_budget *b, struct report *r, const char *name, const struct ctype *t, uint64_t address)
{
	struct text s = {0};
	const bool is_text = address && t->kind == CTYPE_POINTER && is_character(ctype_core(t->target)) &&
			     debug_read_string(b->d, address, b->left < UINT16_MAX ? b->left : UINT16_MAX, &s);
	if (!is_text) {
		report_number(r, name, address);
	} else {
		report_open(r, name);
		report_number(r, "address", address);
		report_text(r, "string", text_str(&s));
		report_close(r);
	}
	text_free(&s);
}

static void array_describe(struct value_budget *b, unsigned depth, struct report *r, const char *name, const struct ctype *t, const unsigned char *bytes)
{
	const uint64_t size = ctype_core(t->target)->bytes, n = t->is_open || !size ? 0 : t->count;
	if (is_character(ctype_core(t->target))) {
		const uint64_t most = n < b->left ? n : b->left;
		report_textf(r, name, "%.*s", (int)strnlen((const char *)bytes, most), (const char *)bytes);
		return;
	}
	report_list(r, name);
	for (uint64_t i = 0; i < n && b->left; i++)
		part_describe(b, depth + 1, r, NULL, t->target, bytes + i * size);
	report_close(r);
}

static void bit_field_describe(struct value_budget *b, struct report *r, const struct ctype_member *m, const unsigned char *bytes)
{
	struct expr_value v;
	unsigned char whole[16] = {0};
	cvalue_of_bytes(m->type, bytes, m->bit_size, m->bit_shift, &v);
	value_store(&v, whole);
	part_describe(b, 0, r, m->name, m->type, whole);
	expr_value_free(&v);
}

/* Returns whether a member lies within the structure. */
static bool member_fits(const struct ctype *structure, const struct ctype_member *m)
{
	const uint64_t n = m->bit_size ? (m->bit_shift + m->bit_size + 7u) / 8u : ctype_core(m->type)->bytes;
	return m->offset <= structure->bytes && n <= structure->bytes - m->offset;
}

/* Adds a structure's members to the open object; those of base classes and anonymous members among its own. */
static void members_describe(struct value_budget *b, unsigned depth, struct report *r, const struct ctype *t, const unsigned char *bytes)
{
	for (uint32_t i = 0; i < t->n_members && b->left; i++) {
		const struct ctype_member *m = &t->members[i];
		const struct ctype *of = ctype_core(m->type);
		if (!member_fits(t, m))
			continue;
		if ((m->is_base || !m->name) && ctype_is_struct(of) && depth < DEPTH_MAX)
			members_describe(b, depth + 1, r, of, bytes + m->offset);
		else if (m->bit_size && m->name)
			bit_field_describe(b, r, m, bytes + m->offset);
		else if (m->name)
			part_describe(b, depth + 1, r, m->name, m->type, bytes + m->offset);
	}
}

static void part_describe(struct value_budget *b, unsigned depth, struct report *r, const char *name, const struct ctype *type, const unsigned char *bytes)
{
	const struct ctype *t = ctype_core(type);
	uint64_t address;
	if (depth >= DEPTH_MAX || !value_budget_take(b)) {
		report_none(r, name, "...");
		return;
	}
	switch (t->kind) {
	case CTYPE_BASE: number_describe(r, name, t, bytes); break;
	case CTYPE_ENUM: enum_describe(r, name, t, bytes); break;
	case CTYPE_POINTER:
	case CTYPE_REFERENCE:
		memcpy(&address, bytes, sizeof address);
		pointer_describe(b, r, name, t, address);
		break;
	case CTYPE_ARRAY: array_describe(b, depth, r, name, t, bytes); break;
	case CTYPE_STRUCT:
	case CTYPE_CLASS:
	case CTYPE_UNION:
		report_open(r, name);
		members_describe(b, depth, r, t, bytes);
		report_close(r);
		break;
	default: report_none(r, name, "void");
	}
}

void cvalue_describe(struct value_budget *b, struct report *r, const char *name, const struct expr_value *v)
{
	const struct ctype *t = ctype_value(v->c);
	unsigned char bytes[16] = {0};
	if (v->is_missing || (v->is_object && !v->data)) {
		report_none(r, name, "");
	} else if (t->kind == CTYPE_FUNCTION) {
		report_number(r, name, v->u.u64);
	} else if (v->is_object) {
		part_describe(b, 0, r, name, t, v->data);
	} else {
		value_store(v, bytes);
		part_describe(b, 0, r, name, t, bytes);
	}
}
