/* Writes the operands of a listing's instructions as PTXPlus has them. */
#include <string.h>

#include "ptxplus/sass_convert.h"

static void use_register(struct sass_converter *c, uint32_t number, unsigned group)
{
	if (number == 124)
		c->used.r124 = true;
	else if ((int)(number + group - 1) > c->used.registers)
		c->used.registers = (int)(number + group - 1);
}

static void use_address(struct sass_converter *c, uint32_t number)
{
	if ((int)number > c->used.addresses)
		c->used.addresses = (int)number;
}

static void put_register(struct sass_converter *c, const struct sass_operand *o, const struct sass_style *style, struct text *out)
{
	use_register(c, o->number, style->group);
	if (style->by_halves) {
		text_addf(out, "$r%u.%s", o->number / 2, o->number & 1 ? "hi" : "lo");
		return;
	}
	if (style->group > 1) {
		for (unsigned k = 0; k < style->group; k++)
			text_addf(out, "%s$r%u", k ? "," : "{", o->number + k);
		text_addc(out, '}');
		return;
	}
	text_addf(out, "$r%u%s", o->number, o->half == 'L' ? ".lo" : o->half == 'H' ? ".hi" : "");
}

/* ---- memory ---- */

/* Bytes by which 3.2.2 multiplies offsets: those of the instruction's last type. */
static unsigned last_type_scale(const struct sass_converter *c)
{
	const unsigned n = c->n_types ? isa_type_bytes(c->types[c->n_types - 1]) : 4;
	return n == 1 || n == 2 ? n : 4;
}

static unsigned own_scale(const struct sass_operand *o, const struct sass_style *style)
{
	const unsigned n = o->type ? isa_type_bytes(o->type) : style->scale;
	return n == 1 || n == 2 ? n : 4;
}

/* What stands in an operand's brackets. */
static void put_address(struct sass_converter *c, const struct sass_operand *o, unsigned scale, struct text *out)
{
	if (!o->has_register) {
		text_addf(out, "0x%04x", o->value * scale);
		return;
	}
	text_addf(out, o->is_address_register ? "$ofs%u" : "$r%u", o->number);
	if (!o->is_address_register)
		use_register(c, o->number, 1);
	else if (!c->source->exact)
		use_address(c, o->number);
	if (o->is_address_register || o->value)
		text_addf(out, "%s0x%04x", o->is_post ? "+=" : "+", o->value * scale);
}

static bool put_special_word(const struct sass_converter *c, const struct sass_operand *o, struct text *out)
{
	static const char *const names[8] = {NULL, "%ntid.x", "%ntid.y", "%ntid.z", "%nctaid.x", "%nctaid.y", "%ctaid.x", "%ctaid.y"};
	const enum isa_type t = c->source->exact && c->n_types ? c->types[c->n_types - 1] : o->type;
	if (o->has_register || o->value < 1 || o->value > 7 || o->type != ISA_U16 || t != ISA_U16)
		return false;
	text_add(out, names[o->value]);
	return true;
}

/* A global variable's address, which lies in constant bank 14. */
static void put_global(struct sass_converter *c, const struct sass_operand *o, struct text *out)
{
	const char *symbol = o->has_register ? NULL : sass_elf_symbol(&c->elf, 4 * o->value);
	if (symbol)
		text_add(out, symbol);
	else
		SASS_FAIL(c, o->s, "no symbol is known for this word of c [0xe]");
}

static void put_constant(struct sass_converter *c, const struct sass_operand *o, unsigned scale, struct text *out)
{
	if (o->bank == 14) {
		put_global(c, o, out);
		return;
	}
	if (o->bank)
		text_addf(out, "constant1%.*s[", (int)c->function->name.n, c->function->name.s);
	else
		text_add(out, "constant0[");
	if (o->has_register && !o->is_address_register && c->source->exact)
		text_add(out, "0x0000");
	else
		put_address(c, o, scale, out);
	text_addc(out, ']');
	if (o->has_register && !o->is_address_register)
		sass_note(c, "3.2.2 loses the register in c [..] [R%u]", o->number);
}

static void put_memory(struct sass_converter *c, const struct sass_operand *o, const struct sass_style *style, struct text *out)
{
	const unsigned scale = c->source->exact ? last_type_scale(c) : own_scale(o, style);
	const bool scaled = o->space == SASS_SHARED || (o->space == SASS_CONSTANT && o->bank != 14);
	if (scaled && o->value && scale != last_type_scale(c))
		sass_note(c, "3.2.2 multiplies the offset by %u, the size of another type", last_type_scale(c));
	if (o->is_negated)
		text_addc(out, '-');
	if (o->space == SASS_CONSTANT) {
		put_constant(c, o, scale, out);
		return;
	}
	if (o->space == SASS_SHARED && put_special_word(c, o, out))
		return;
	if (!style->is_bare || o->space == SASS_SHARED)
		text_addc(out, o->space == SASS_SHARED ? 's' : o->space == SASS_LOCAL ? 'l' : 'g');
	if (o->space == SASS_GLOBAL && o->is_tight && c->source->exact) {
		text_add(out, "[0x0000], ");
		text_addf(out, "$r%u", o->number);
		use_register(c, o->number, 1);
		return;
	}
	if (o->space == SASS_GLOBAL && o->is_tight)
		sass_note(c, "3.2.2 reads global14[..] without a blank as two operands");
	text_addc(out, '[');
	put_address(c, o, scaled ? scale : 1, out);
	text_addc(out, ']');
}

void sass_put_operand(struct sass_converter *c, const struct sass_operand *o, const struct sass_style *style, struct text *out)
{
	if (o->is_negated && o->kind != SASS_NUMBER && o->kind != SASS_MEMORY)
		text_addc(out, '-');
	switch (o->kind) {
	case SASS_REGISTER: put_register(c, o, style, out); break;
	case SASS_PREDICATE:
		text_addf(out, "$p%u", o->number);
		if (!c->source->exact && (int)o->number > c->used.predicates)
			c->used.predicates = (int)o->number;
		break;
	case SASS_ADDRESS:
		text_addf(out, "$ofs%u", o->number);
		use_address(c, o->number);
		break;
	case SASS_NUMBER: text_addf(out, "0x%08x", o->is_negated ? 0u - o->value : o->value); break;
	case SASS_MEMORY: put_memory(c, o, style, out); break;
	case SASS_SINK:
		text_add(out, "$o127");
		c->used.o127 = true;
		break;
	case SASS_SPECIAL:
		if (o->n == 3 && !memcmp(o->s, "SR1", 3))
			text_add(out, "%clock");
		else
			SASS_FAIL(c, o->s, "the special register %.*s is unknown: expected SR1", (int)o->n, o->s);
		break;
	default: SASS_FAIL(c, o->s, "'%.*s' is no operand of this instruction", (int)o->n, o->s);
	}
}
