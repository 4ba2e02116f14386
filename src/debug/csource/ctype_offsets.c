/* Structures with where their members are, in the columns of gdb's `ptype /o`. */
#include "debug/csource/ctype.h"

#define NESTED_MAX 16
#define OFFSETS_INDENT "                               " /* as wide as the columns */
#define MEMBERS_MAX 10000u

struct layout {
	struct text *out;
	uint64_t end;  /* of the member before, in bits */
	uint32_t left; /* members that may still be shown */
};

static const char *keyword(const struct ctype *t)
{
	return t->kind == CTYPE_UNION ? "union" : t->kind == CTYPE_CLASS ? "class" : "struct";
}

/* "XXX" is what gdb writes there. */
static void hole(struct layout *l, uint64_t from, uint64_t to)
{
	uint64_t bits = (to - from) % 8, bytes = (to - from) / 8;
	if (bits)
		text_addf(l->out, "/* XXX %2llu-bit hole       */\n", (unsigned long long)bits);
	if (bytes)
		text_addf(l->out, "/* XXX %2llu-byte hole      */\n", (unsigned long long)bytes);
}

static void columns(struct layout *l, const struct ctype_member *m, uint64_t at, bool in_union)
{
	uint64_t bit = at * 8 + m->bit_shift;
	if (in_union)
		text_addf(l->out, "/*                %6llu */", (unsigned long long)ctype_bytes(m->type));
	else if (m->bit_size)
		text_addf(l->out, "/* %6llu:%2llu   |  %6llu */", (unsigned long long)(bit / 8),
			  (unsigned long long)(bit % 8), (unsigned long long)ctype_bytes(m->type));
	else
		text_addf(l->out, "/* %6llu      |  %6llu */", (unsigned long long)at,
			  (unsigned long long)ctype_bytes(m->type));
}

static void spaces(unsigned n, struct text *out)
{
	while (n--)
		text_addc(out, ' ');
}

static void body(struct layout *l, const struct ctype *t, uint64_t base, unsigned depth);

static void member(struct layout *l, const struct ctype *t, const struct ctype_member *m, uint64_t base, unsigned depth)
{
	const struct ctype *core = ctype_core(m->type);
	const bool in_union = t->kind == CTYPE_UNION;
	const uint64_t at = base + m->offset, first = at * 8 + m->bit_shift;
	if (!in_union && first > l->end)
		hole(l, l->end, first);
	columns(l, m, at, in_union);
	spaces(4 + 4 * depth, l->out);
	if (ctype_is_struct(core) && !core->is_declared && depth < NESTED_MAX) {
		text_addf(l->out, "%s%s%s {\n", keyword(core), core->name ? " " : "", core->name ? core->name : "");
		l->end = at * 8;
		body(l, core, at, depth + 1);
		text_add(l->out, OFFSETS_INDENT);
		spaces(4 * depth, l->out);
		text_addf(l->out, "}%s%s;\n", m->name ? " " : "", m->name ? m->name : "");
	} else {
		ctype_declaration_text(m->type, m->name ? m->name : "", l->out);
		if (m->bit_size)
			text_addf(l->out, " : %u", m->bit_size);
		text_add(l->out, ";\n");
	}
	if (!in_union)
		l->end = m->bit_size ? first + m->bit_size : (at + ctype_bytes(m->type)) * 8;
}

static void body(struct layout *l, const struct ctype *t, uint64_t base, unsigned depth)
{
	for (uint32_t i = 0; i < t->n_members && l->left; i++) {
		if (t->members[i].is_base) {
			l->end = (base + t->members[i].offset + ctype_bytes(t->members[i].type)) * 8;
			continue;
		}
		l->left--;
		member(l, t, &t->members[i], base, depth);
	}
	uint64_t end = (base + t->bytes) * 8;
	if (t->kind != CTYPE_UNION && end > l->end) {
		uint64_t bytes = (end - l->end) / 8;
		if (bytes)
			text_addf(l->out, "/* XXX %2llu-byte padding   */\n", (unsigned long long)bytes);
	}
	l->end = end;
	text_addc(l->out, '\n');
	text_add(l->out, OFFSETS_INDENT);
	spaces(4 * depth, l->out);
	text_addf(l->out, "/* total size (bytes): %4llu */\n", (unsigned long long)t->bytes);
}

void ctype_offsets_text(const struct ctype *t, struct text *out)
{
	struct layout l = {.out = out, .left = MEMBERS_MAX};
	const char *colon = " : public ";
	text_addf(out, "/* offset      |    size */  type = %s%s%s", keyword(t), t->name ? " " : "",
		  t->name ? t->name : "");
	for (uint32_t i = 0; i < t->n_members; i++)
		if (t->members[i].is_base) {
			text_add(out, colon);
			ctype_text(t->members[i].type, false, out);
			colon = ", public ";
		}
	text_add(out, " {\n");
	body(&l, t, 0, 0);
	text_add(out, "                             }\n");
}
