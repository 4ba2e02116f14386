/* Moves, accesses to memory and conversions of a listing, written as PTXPlus. */
#include "ptxplus/sass_insn.h"

/* ---- moves and accesses ---- */

static unsigned group_of(const struct sass_converter *c)
{
	if (c->n_types != 1)
		return 1;
	return c->types[0] == ISA_B128								   ? 4
	       : c->types[0] == ISA_S64 || (!c->source->exact && isa_type_bytes(c->types[0]) == 8) ? 2
												   : 1;
}

static enum isa_type narrower(const struct sass_converter *c)
{
	return c->n_types == 2 && isa_type_bytes(c->types[1]) < isa_type_bytes(c->types[0]) ? c->types[1] : c->types[0];
}

void sass_shared_move(struct sass_converter *c, const struct sass_row *r)
{
	unsigned index[SASS_OPERANDS];
	const bool by_halves =
		sass_word_is(c->in->op, "R2G") && c->n_types == 2 && c->types[0] == ISA_U16 && c->types[1] == ISA_U8;
	struct sass_style style = {.group = group_of(c), .scale = 4};
	const unsigned n = sass_real_operands(c, index);
	(void)r;
	sass_put_head(c, "mov");
	if (!c->n_types && c->source->exact) {
		text_add(&c->code, "Error: unsupported number of type modifiers. ");
	} else {
		if (!c->n_types)
			sass_note(c, "3.2.2 writes no instruction, since a type is missing");
		text_addf(&c->code, ".%s", c->n_types ? sass_type_name(narrower(c)) : "u32");
	}
	style.scale = c->n_types ? isa_type_bytes(narrower(c)) : 4;
	for (unsigned k = 0; k < n; k++) {
		const struct sass_operand *o = &c->in->operands[index[k]];
		text_add(&c->code, k ? ", " : " ");
		style.by_halves = by_halves && o->kind == SASS_REGISTER && !o->half;
		sass_put_operand(c, o, &style, &c->code);
	}
	sass_end_line(c);
}

void sass_move_constant(struct sass_converter *c, const struct sass_row *r)
{
	if (c->n_types + (c->in->n > 1 && c->in->operands[1].type) >= 2)
		sass_plain(c, &(struct sass_row){r->sass, "cvt", r->put, r->type});
	else
		sass_plain(c, r);
}

void sass_access_memory(struct sass_converter *c, const struct sass_row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned group = group_of(c), n = sass_real_operands(c, index);
	const bool stores = c->in->op.s[1] == 'S';
	if (!c->n_types || n != 2) {
		SASS_FAIL(c, c->in->at, n == 2 ? "an access without a type" : "expected two operands");
		return;
	}
	sass_put_head(c, r->plus);
	if (group > 1)
		text_addf(&c->code, ".v%u.u32", group);
	else
		text_addf(&c->code, ".%s", sass_type_name(c->types[0]));
	if (group == 2 && c->types[0] != ISA_S64)
		sass_note(c, "3.2.2 loads and stores one register of the pair");
	for (unsigned k = 0; k < 2; k++) {
		const bool is_address = k == (stores ? 0 : 1);
		text_add(&c->code, k ? ", " : " ");
		if (is_address != (c->in->operands[index[k]].kind == SASS_MEMORY)) {
			SASS_FAIL(c, c->in->operands[index[k]].s,
				  is_address ? "expected memory" : "expected a register");
			return;
		}
		sass_put_operand(
			c, &c->in->operands[index[k]],
			&(struct sass_style){.group = is_address ? 1 : group, .is_bare = is_address, .scale = 4},
			&c->code);
	}
	sass_end_line(c);
}

void sass_atomic(struct sass_converter *c, const struct sass_row *r)
{
	static const char *const words[][2] = {{"IADD", "add"}, {"IMIN", "min"}, {"IMAX", "max"}};
	const bool has_result = sass_word_is(c->in->op, "GATOM");
	const char *word = NULL;
	unsigned index[SASS_OPERANDS];
	(void)r;
	for (uint32_t k = 0; k < c->in->n_modifiers; k++)
		for (unsigned w = 0; w < 3; w++)
			word = sass_word_is(c->in->modifiers[k], words[w][0]) ? words[w][1] : word;
	const unsigned n = sass_real_operands(c, index);
	if (!word || !c->n_types || n != 2u + has_result) {
		SASS_FAIL(c, c->in->at,
			  !word		? "expected .IADD, .IMIN or .IMAX"
			  : !c->n_types ? "a type is missing"
					: "the number of operands is wrong");
		return;
	}
	sass_put_head(c, "atom.global");
	text_addf(&c->code, ".%s.%s %s", word, sass_type_name(c->types[0]), has_result ? "" : "_,  ");
	for (unsigned k = 0; k < n; k++) {
		text_add(&c->code, k ? ", " : "");
		sass_put_operand(c, &c->in->operands[index[k]],
				 &(struct sass_style){.group = 1, .is_bare = true, .scale = 4}, &c->code);
	}
	sass_end_line(c);
}

void sass_address_register(struct sass_converter *c, const struct sass_row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = sass_real_operands(c, index);
	sass_put_head(c, r->plus);
	sass_put_list(c, index, n, &sass_single, '|');
	if (n == 2)
		text_add(&c->code, ", 0x00000000");
	sass_end_line(c);
}

/* ---- conversions ---- */

static bool has_bars(const struct sass_converter *c)
{
	for (uint32_t k = 0; k < c->in->n; k++)
		if (c->in->operands[k].is_magnitude)
			return true;
	return false;
}

static void magnitude(struct sass_converter *c)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = sass_real_operands(c, index);
	const bool integers = *c->in->op.s == 'I', wide = c->n_types && c->types[0] == ISA_F64 && !c->source->exact;
	sass_put_head(c, integers ? (c->source->exact ? "abs.u32" : "abs.s32") : wide ? "abs.ff64" : "abs.f32");
	if (integers || wide)
		sass_note(c, integers ? "3.2.2 writes abs.u32, which copies" : "3.2.2 takes one register of each pair");
	sass_put_list(c, index, n, &(struct sass_style){.group = wide ? 2 : 1, .scale = 4}, '|');
	sass_end_line(c);
}

/* Directions of rounding as cvt takes them: to integers .rmi, .rni ...; 3.2.2 writes .rm, which cvt ignores. */
static void convert_rounding(struct sass_converter *c)
{
	const bool to_integer = c->n_types == 2 && isa_type_is_float(c->types[1]) &&
				(!isa_type_is_float(c->types[0]) || c->types[0] == c->types[1]);
	const char *m = text_str(&c->modifiers);
	struct text changed = {0};
	if (c->source->exact || !to_integer)
		return;
	const bool any = strstr(m, ".r") != NULL;
	for (; *m; m++) {
		text_addc(&changed, *m);
		if (m[0] == 'r' && strchr("zpm", m[1]) && m[1]) {
			text_addc(&changed, *++m);
			if (*m != 'z' || isa_type_is_float(c->types[0]))
				text_addc(&changed, 'i');
		}
	}
	if (!any && !isa_type_is_float(c->types[0]))
		text_add(&changed, ".rni");
	if (strcmp(text_str(&changed), text_str(&c->modifiers)))
		sass_note(c, "3.2.2 loses the direction of rounding");
	text_clear(&c->modifiers);
	text_add(&c->modifiers, text_str(&changed));
	text_free(&changed);
}

static void put_convert_types(struct sass_converter *c, const char *or_else)
{
	const bool keeps_64 = c->source->exact && *c->in->op.s == 'F';
	if (!c->n_types) {
		text_addf(&c->code, ".%s", or_else);
		return;
	}
	for (unsigned k = 0; k < c->n_types; k++)
		text_addf(&c->code, ".%s", c->types[k] == ISA_F64 && keeps_64 ? "f64" : sass_type_name(c->types[k]));
}

void sass_conversion(struct sass_converter *c, const struct sass_row *r)
{
	unsigned index[SASS_OPERANDS];
	const bool same = c->in->op.s[0] == c->in->op.s[2];
	if (has_bars(c) && same) {
		magnitude(c);
		return;
	}
	const unsigned n = sass_real_operands(c, index);
	convert_rounding(c);
	sass_put_head(c, "cvt");
	if (c->saturates && !c->source->exact)
		text_add(&c->code, ".sat");
	if (c->saturates)
		sass_note(c, "3.2.2 loses .SAT");
	text_add(&c->code, text_str(&c->modifiers));
	put_convert_types(c, r->type);
	for (unsigned k = 0; k < n; k++) {
		const enum isa_type t = c->n_types == 2 ? c->types[k ? 1 : 0] : ISA_U32;
		const bool wide = t == ISA_F64 && !c->source->exact;
		text_add(&c->code, k ? ", " : " ");
		if (!k)
			sass_put_flags(c, '|');
		sass_put_operand(c, &c->in->operands[index[k]],
				 &(struct sass_style){.group = wide ? 2 : 1, .scale = isa_type_bytes(t)}, &c->code);
		if (wide && c->in->operands[index[k]].kind == SASS_REGISTER)
			sass_note(c, "3.2.2 takes one register of the pair");
	}
	sass_end_line(c);
}

/* The number is the texture's place in the .ptx. */
void sass_texture_fetch(struct sass_converter *c, const struct sass_row *r)
{
	const struct sass_insn *in = c->in;
	uint32_t left = in->n > 1 ? in->operands[1].value : 0;
	(void)r;
	if (in->n < 2 || in->operands[0].kind != SASS_REGISTER || in->operands[1].kind != SASS_NUMBER) {
		SASS_FAIL(c, in->at, "expected a register and the number of a texture");
		return;
	}
	for (uint32_t k = 0; k < c->ptx.scope->n_symbols; k++) {
		const struct ptx_symbol *s = c->ptx.scope->symbols[k];
		if (s->kind != PTX_SYM_VARIABLE || s->type != ISA_TEXREF || left--)
			continue;
		sass_put_head(c, "tex.1d.v4.f32.s32 { ");
		sass_put_operand(c, &in->operands[0], &sass_single, &c->code);
		text_addf(&c->code, ",_,_,_} , %.*s,{ ", (int)s->name.n, s->name.s);
		sass_put_operand(c, &in->operands[0], &sass_single, &c->code);
		text_add(&c->code, ",_,_,_};");
		return;
	}
	SASS_FAIL(c, in->operands[1].s, "%s has no texture of this number", c->source->ptx_name);
}
