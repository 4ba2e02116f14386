/* Operands of texture and surface instructions (PTX ISA "Texture Instructions", "Surface Instructions"). */
#include <string.h>

#include "isa/opcodes.h"
#include "isa/texture.h"
#include "ptx/check.h"

static const struct ptx_operand *elements(const struct ptx_operand *o, uint32_t *n)
{
	*n = o->kind == PTX_OP_VECTOR ? o->n_elems : 1;
	return o->kind == PTX_OP_VECTOR ? o->elems : o;
}

/* Checks a vector, or vector register, of `want` elements that fit a type; with `least`, as few as that. */
static bool check_row(struct ptx_checker *c, const char *what, const struct ptx_operand *o, unsigned least, unsigned want,
			   enum isa_type type, bool is_result)
{
	uint32_t n;
	const struct ptx_operand *e = elements(o, &n);

	if (check_is_vector_reg(o)) {
		if (o->symbol->vec < least || o->symbol->vec > want || !check_reg_fits(type, (enum isa_type)o->symbol->type, false))
			return check_mismatch(c, what, o, "a vector of that many elements and that type");
		return true;
	}
	if (n < least || n > want)
		return check_fail(c, o->at, "%s of '%.*s' has %u element%s; expected %u", what, (int)c->op->text.n, c->op->text.s, n,
				  n == 1 ? "" : "s", want);
	bool any = false;
	for (uint32_t k = 0; k < n; k++) {
		const bool is_constant = e[k].kind == PTX_OP_INT || e[k].kind == PTX_OP_FLOAT;
		any |= e[k].kind != PTX_OP_SINK;
		if (e[k].kind == PTX_OP_SINK && is_result)
			continue;
		if (is_constant && !is_result && check_constant_fits(type, &e[k]))
			continue;
		if (e[k].kind != PTX_OP_REG || e[k].negated || check_is_vector_reg(&e[k]) ||
		    !check_reg_fits(type, (enum isa_type)e[k].symbol->type, false))
			return check_mismatch(c, what, &e[k], is_result ? "a register of the result's type" : "a register of the coordinates' type");
	}
	if (is_result && !any)
		return check_mismatch(c, what, o, "at least one register among the elements");
	return true;
}

static const char *opaque_name(enum isa_type t) { return t == ISA_TEXREF ? "a .texref variable" : t == ISA_SURFREF ? "a .surfref variable" : "a .samplerref variable"; }

/* Checks a handle: a 64-bit register, or a variable of the type. */
static bool check_handle(struct ptx_checker *c, const char *what, const struct ptx_operand *o, enum isa_type type, enum isa_type or_type)
{
	const struct ptx_operand *base = o->kind == PTX_OP_ADDRESS && o->n_elems ? &o->elems[0] : o;
	struct text expected = {0};
	bool ok = false;

	if (base->kind == PTX_OP_REG)
		ok = !check_is_vector_reg(base) && check_reg_fits(ISA_B64, (enum isa_type)base->symbol->type, false);
	else if (base->kind == PTX_OP_SYMBOL && base->symbol && base->symbol->kind == PTX_SYM_VARIABLE)
		ok = base->symbol->type == type || base->symbol->type == or_type;
	if (ok)
		return true;
	text_addf(&expected, "a 64-bit register or %s", opaque_name(type));
	check_mismatch(c, what, base, text_str(&expected));
	text_free(&expected);
	return false;
}

/* Coordinates: 1, 2 or 4 elements, of which some may be padding. What comes before the position is an integer (PTX ISA "tex"). */
static bool check_coordinates(struct ptx_checker *c, const struct ptx_operand *v, const struct isa_geometry_info *g, enum isa_type type)
{
	const char *what = "the list of coordinates";
	uint32_t n;
	const struct ptx_operand *e = elements(v, &n);

	if (check_is_vector_reg(v))
		return check_row(c, what, v, g->written, 4, g->index ? ISA_B32 : type, false);
	if (n < g->written || n == 3 || n > 4)
		return check_fail(c, v->at, "%s of '%.*s' has %u element%s; expected %u", what, (int)c->op->text.n, c->op->text.s, n,
				  n == 1 ? "" : "s", g->written);
	for (uint32_t k = 0; k < n; k++)
		if (!check_row(c, k < g->index ? "the index" : what, &e[k], 1, 1, k < g->index ? ISA_U32 : type, false))
			return false;
	return true;
}

static bool check_place(struct ptx_checker *c, const struct isa_insn *i, const struct ptx_operand *o, enum isa_type reference,
			enum isa_type coordinates)
{
	const struct isa_geometry_info *g = &isa_geometry_info[i->mode];
	const bool may_sample = reference == ISA_TEXREF;

	if (o->kind != PTX_OP_TEXADDR || o->n_elems < 2 || o->n_elems > (may_sample ? 3 : 2))
		return check_mismatch(c, "the place", o, may_sample ? "[texture, {coordinates}] or [texture, sampler, {coordinates}]"
								    : "[surface, {coordinates}]");
	if (!check_handle(c, may_sample ? "the texture" : "the surface", &o->elems[0], reference, reference))
		return false;
	if (o->n_elems == 3 && !check_handle(c, "the sampler", &o->elems[1], ISA_SAMPLERREF, ISA_SAMPLERREF))
		return false;
	const struct ptx_operand *v = &o->elems[o->n_elems - 1];
	return check_coordinates(c, v, g, coordinates);
}

static bool is_vector(const struct ptx_operand *o) { return o->kind == PTX_OP_VECTOR || check_is_vector_reg(o); }

/* What may stand behind the address of tex and tld4. */
static bool check_rest(struct ptx_checker *c, const struct isa_insn *i, const struct ptx_operand *o, unsigned n)
{
	const struct isa_geometry_info *g = &isa_geometry_info[i->mode];

	if (i->opcode == ISA_OP_TEX && i->mode2 == ISA_LOD_LEVEL) {
		if (!n)
			return check_fail(c, check_opcode_at(c), "'%.*s' has no level of detail", (int)c->op->text.n, c->op->text.s);
		if (!check_row(c, "the level of detail", o++, 1, 1, ISA_F32, false))
			return false;
		n--;
	}
	if (i->opcode == ISA_OP_TEX && i->mode2 == ISA_LOD_GRADIENT) {
		if (n < 2)
			return check_fail(c, check_opcode_at(c), "'%.*s' has not both gradients", (int)c->op->text.n, c->op->text.s);
		for (unsigned k = 0; k < 2; k++)
			if (!check_row(c, "the gradient", o++, g->gradient, g->gradient == 3 ? 4 : g->gradient, ISA_F32, false))
				return false;
		n -= 2;
	}
	if (n && (is_vector(o) || n == 2)) {
		if (g->is_cube)
			return check_mismatch(c, "the last operand", o, "no offsets at a cube map");
		if (!check_row(c, "the list of offsets", o++, g->position, g->position == 3 ? 4 : g->position, ISA_S32, false))
			return false;
		n--;
	}
	if (n && (i->mode == ISA_GEOMETRY_3D || g->is_sampled))
		return check_mismatch(c, "the last operand", o, "no value to compare with: these textures have no depths");
	if (n && !check_row(c, "the value to compare with", o++, 1, 1, ISA_F32, false))
		return false;
	if (n > 1)
		return check_fail(c, o->at, "'%.*s' has too many operands", (int)c->op->text.n, c->op->text.s);
	return true;
}

static bool check_fetch(struct ptx_checker *c, const struct isa_insn *i, enum isa_type type, enum isa_type coordinates)
{
	const struct ptx_operand *o = c->insn->operands, *d = o;
	const bool is_pair = o->kind == PTX_OP_PAIR && o->n_elems == 2;

	if (is_pair) {
		const struct ptx_operand *p = &o->elems[1];
		if (p->kind != PTX_OP_SINK && (p->kind != PTX_OP_REG || p->symbol->type != ISA_PRED))
			return check_mismatch(c, "the second result", p, "a predicate register");
		d = &o->elems[0];
	}
	return check_row(c, "the result", d, c->op->vec, c->op->vec, type == ISA_F16X2 ? ISA_B32 : type, true) &&
	       check_place(c, i, &o[1], ISA_TEXREF, coordinates) && check_rest(c, i, &o[2], c->insn->n_operands - 2);
}

static bool check_surface(struct ptx_checker *c, const struct isa_insn *i, enum isa_type type)
{
	const struct ptx_operand *o = c->insn->operands;
	const bool loads = i->opcode == ISA_OP_SULD;
	const unsigned n = c->op->vec ? c->op->vec : 1;
	const struct ptx_operand *data = &o[loads ? 0 : 1];
	const enum isa_type held = isa_type_bytes(type) == 1 ? ISA_NOTYPE : type; /* .b8: a register of any width */

	if (c->insn->n_operands != 2)
		return check_fail(c, check_opcode_at(c), "'%.*s' takes 2 operands, not %u", (int)c->op->text.n, c->op->text.s,
				  c->insn->n_operands);
	return check_place(c, i, &o[loads ? 1 : 0], ISA_SURFREF, ISA_S32) &&
	       check_row(c, loads ? "the result" : "the value", data, n, n, held, loads);
}

static bool check_query(struct ptx_checker *c, const struct isa_insn *i)
{
	const struct ptx_operand *o = c->insn->operands;
	const bool is_surface = i->opcode == ISA_OP_SUQ;
	const bool of_level = memmem(c->op->text.s, c->op->text.n, ".level.", 7) != NULL;

	if (c->insn->n_operands != (of_level ? 3u : 2u))
		return check_fail(c, check_opcode_at(c), "'%.*s' takes %u operands, not %u", (int)c->op->text.n, c->op->text.s,
				  of_level ? 3u : 2u, c->insn->n_operands);
	if (!check_row(c, "the result", &o[0], 1, 1, ISA_B32, true) || !check_handle(c, is_surface ? "the surface" : "the texture", &o[1],
											  is_surface ? ISA_SURFREF : ISA_TEXREF,
											  is_surface ? ISA_SURFREF : ISA_SAMPLERREF))
		return false;
	return !of_level || check_row(c, "the level", &o[2], 1, 1, ISA_B32, false);
}

static bool check_istypep(struct ptx_checker *c)
{
	const struct ptx_operand *o = c->insn->operands;

	if (o[0].kind != PTX_OP_REG || o[0].symbol->type != ISA_PRED)
		return check_mismatch(c, "the result", &o[0], "a predicate register");
	if (o[1].kind == PTX_OP_REG && !check_is_vector_reg(&o[1]) && check_reg_fits(ISA_B64, (enum isa_type)o[1].symbol->type, false))
		return true;
	return o[1].kind == PTX_OP_SYMBOL || check_mismatch(c, "the source", &o[1], "a 64-bit register");
}

bool check_texture(struct ptx_checker *c)
{
	struct isa_insn i = {.opcode = c->op->opcode};

	texture_modifiers(&i, c->op->text);
	if (c->insn->n_operands < 2)
		return check_fail(c, check_opcode_at(c), "'%.*s' takes at least 2 operands, not %u", (int)c->op->text.n, c->op->text.s,
				  c->insn->n_operands);
	switch (c->op->opcode) {
	case ISA_OP_TEX: return check_fetch(c, &i, (enum isa_type)c->op->types[0], (enum isa_type)c->op->types[1]);
	case ISA_OP_TLD4: return check_fetch(c, &i, (enum isa_type)c->op->types[0], ISA_F32);
	case ISA_OP_SULD:
	case ISA_OP_SUST:
	case ISA_OP_SURED: return check_surface(c, &i, (enum isa_type)c->op->types[0]);
	case ISA_OP_ISTYPEP: return check_istypep(c);
	default: return check_query(c, &i);
	}
}
