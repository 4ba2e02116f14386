/* Vectors in braces as ptxas types them. Beside what the ISA has there may stand special registers, which count as untyped ones of their
 * size, predicates, which count as untyped ones of 32 bits, and constants of another size. Only neighbours need to agree; one untyped
 * element makes the whole vector untyped. */
#include "isa/opcodes.h"
#include "ptx/check.h"
#include "ptx/special_names.h"

static unsigned class_of(enum isa_type t) { return isa_type_info[t].cls; }

static bool is_bits(enum isa_type t) { return class_of(t) == ISA_CLASS_BITS; }

static bool is_integer(enum isa_type t) { return class_of(t) == ISA_CLASS_UNSIGNED || class_of(t) == ISA_CLASS_SIGNED; }

static bool is_float(enum isa_type t) { return class_of(t) == ISA_CLASS_FLOAT && t != ISA_F16X2; }

static bool is_constant(const struct ptx_operand *e) { return e->kind == PTX_OP_INT || e->kind == PTX_OP_FLOAT; }

static bool is_special(const struct ptx_operand *e)
{
	return e->kind == PTX_OP_SPECIAL && !e->negated && (e->special->dims == 1 || e->dim != PTX_NO_DIM) &&
	       e->special->type != ISA_PRED;
}

static bool is_scalar_reg(const struct ptx_operand *e)
{
	return e->kind == PTX_OP_REG && !check_is_vector_reg(e) && !e->select && !e->negated;
}

static bool is_pred(const struct ptx_operand *e) { return is_scalar_reg(e) && e->symbol->type == ISA_PRED; }

/* Returns the type that an element counts as, or ISA_NOTYPE for a constant and for operands that may not stand in a vector. */
static enum isa_type element_type(const struct ptx_operand *e)
{
	if (is_special(e))
		return isa_type_bytes((enum isa_type)e->special->type) == 8 ? ISA_B64 : ISA_B32;
	return is_scalar_reg(e) ? (enum isa_type)e->symbol->type : ISA_NOTYPE;
}

/* .f16x2 stands for an integer elsewhere, not beside one. */
bool check_neighbours_agree(enum isa_type a, enum isa_type b)
{
	if (a == b)
		return true;
	if (a == ISA_PRED || b == ISA_PRED)
		return a == ISA_B32 || b == ISA_B32;
	return check_elements_agree(a, b) && (is_bits(a) || is_bits(b) || (a != ISA_F16X2 && b != ISA_F16X2));
}

static bool constant_agrees(const struct ptx_operand *constant, const struct ptx_operand *e)
{
	const enum isa_type t = element_type(e);

	return is_bits(t) || (constant->kind == PTX_OP_INT ? is_integer(t) : is_float(t));
}

static bool elements_agree(const struct ptx_operand *a, const struct ptx_operand *b)
{
	if (is_constant(a) && is_constant(b))
		return a->kind == b->kind;
	if (is_constant(a))
		return constant_agrees(a, b);
	return is_constant(b) ? constant_agrees(b, a) : check_neighbours_agree(element_type(a), element_type(b));
}

/* The untyped element's type, else that of the first register; ISA_NOTYPE: constants only, or predicates only. */
static enum isa_type common_type(const struct ptx_operand *o)
{
	enum isa_type first = ISA_NOTYPE;

	for (unsigned i = 0; i < o->n_elems; i++) {
		const enum isa_type t = element_type(&o->elems[i]);

		if (is_bits(t))
			return t;
		first = first == ISA_NOTYPE && t != ISA_PRED ? t : first;
	}
	return first;
}

bool check_has_loose_elements(const struct ptx_operand *o)
{
	for (unsigned i = 0; o->kind == PTX_OP_VECTOR && i < o->n_elems; i++)
		if (is_special(&o->elems[i]) || is_pred(&o->elems[i]))
			return true;
	return false;
}

/* Elements with .x don't stand beside constants. */
static const struct ptx_operand *find_stranger(const struct ptx_operand *o)
{
	bool has_constant = false;

	for (unsigned i = 0; i < o->n_elems; i++)
		has_constant |= is_constant(&o->elems[i]);
	for (unsigned i = 0; has_constant && i < o->n_elems; i++)
		if ((is_special(&o->elems[i]) || is_scalar_reg(&o->elems[i])) && o->elems[i].dim != PTX_NO_DIM)
			return &o->elems[i];
	return NULL;
}

/* _ is zero to mov.b32. */
static bool is_zero(const struct ptx_checker *c, const struct ptx_operand *e)
{
	return e->kind == PTX_OP_SINK && c->op->opcode == ISA_OP_MOV && c->op->types[0] == ISA_B32;
}

static bool check_element(struct ptx_checker *c, const struct ptx_operand *e, const struct ptx_operand *before,
			  bool writes)
{
	const bool may_stand = element_type(e) != ISA_NOTYPE || (is_constant(e) && !writes);

	if (e->negated)
		return check_fail(c, e->at, "an element of a vector can't be negated");
	if (!may_stand)
		return check_mismatch(c, "an element of the vector", e,
				      writes ? "a register or _" : "a register or a constant");
	if (before && !elements_agree(before, e))
		return check_mismatch(c, "an element of the vector", e, "the type of the other elements");
	if (is_pred(e))
		return check_no_meaning(c, e->at, "a predicate in a vector");
	return !writes || !is_special(e) || check_no_meaning(c, e->at, "a special register for its result");
}

enum isa_type check_elements(struct ptx_checker *c, const struct ptx_operand *o, bool writes)
{
	const struct ptx_operand *before = NULL, *stranger = find_stranger(o);
	const enum isa_type common = common_type(o);

	for (unsigned i = 0; i < o->n_elems; i++) {
		const struct ptx_operand *e = &o->elems[i];

		if (!writes && is_zero(c, e) && c->op->vec > 1)
			check_no_meaning(c, e->at, "'_' in what it reads");
		if (writes ? e->kind == PTX_OP_SINK : is_zero(c, e))
			continue;
		if (e == stranger) {
			check_mismatch(c, "an element of the vector", e, "no constant beside it");
			return ISA_NOTYPE;
		}
		if (!check_element(c, e, before, writes))
			return ISA_NOTYPE;
		before = e;
	}
	if (common == ISA_NOTYPE)
		check_mismatch(c, "an element of the vector", &o->elems[0], "a register among the elements");
	return common;
}

/* A constant in front leaves the registers' size open ... */
static bool fits_behind_constant(const struct ptx_operand *first, const struct ptx_rule *r, enum isa_type have)
{
	const enum isa_type type = (enum isa_type)r->type;

	if (type == ISA_F16X2 || type == ISA_BF16X2)
		return false;
	if (first->kind == PTX_OP_INT || class_of(type) == ISA_CLASS_FLOAT)
		return true;
	if (is_bits(type) || !(r->flags & PTX_RULE_WIDER))
		return isa_type_bytes(type) == isa_type_bytes(have);
	return isa_type_bytes(type) <= isa_type_bytes(have) && have != ISA_F64;
}

/* ... and one after them lets integers be fractions. */
static bool fits_before_constant(enum isa_type type, enum isa_type have)
{
	return is_integer(type) && is_float(have) && have != ISA_F64 && isa_type_bytes(type) <= isa_type_bytes(have);
}

bool check_vector_fits(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o, enum isa_type have)
{
	const enum isa_type type = (enum isa_type)r->type;
	const bool wider = r->flags & PTX_RULE_WIDER;
	bool fits =
		check_reg_fits(type, have, wider) || (wider && class_of(type) == ISA_CLASS_FLOAT && is_integer(have) &&
						      isa_type_bytes(have) == isa_type_bytes(type));

	for (unsigned i = 0; i < o->n_elems; i++) {
		const struct ptx_operand *e = &o->elems[i];

		if (!is_constant(e))
			continue;
		if (i ? !fits && (e->kind == PTX_OP_INT || !fits_before_constant(type, have))
		      : !fits_behind_constant(e, r, have))
			return false;
		if (fits && check_constant_fits(type, e))
			continue;
		if (i && e->kind == PTX_OP_INT)
			return false;
		return check_no_meaning(c, e->at, "a constant of another type than its vector's");
	}
	return fits;
}

/* Returns the type that the elements have together where one or two .bf16 values are wanted, or ISA_NOTYPE if ptxas doesn't take them. */
static enum isa_type packed_type(const struct ptx_operand *o, bool writes)
{
	const enum isa_type common = common_type(o);
	const struct ptx_operand *before = NULL;
	bool is_mixed = false;

	if (o->n_elems & (o->n_elems - 1)) /* 1, 2, 4 or 8 */
		return ISA_NOTYPE;

	for (unsigned i = 0; i < o->n_elems; i++) {
		const struct ptx_operand *e = &o->elems[i];

		if (writes && e->kind == PTX_OP_SINK)
			continue;
		if (e->negated || (element_type(e) == ISA_NOTYPE && (writes || !is_constant(e))) ||
		    (before && !elements_agree(before, e)))
			return ISA_NOTYPE;
		is_mixed |= is_constant(e) && !(e->kind == PTX_OP_FLOAT && e->is_f32 && common == ISA_F32);
		before = e;
	}
	if (common == ISA_NOTYPE) /* a fraction in front of a pattern of 32 bits */
		return before && before->is_f32 && o->elems[0].kind == PTX_OP_FLOAT && !o->elems[0].is_f32 ? ISA_B32
													   : ISA_NOTYPE;
	return !find_stranger(o) && (is_bits(common) || is_mixed) ? common : ISA_NOTYPE;
}

bool check_vector_for_packed(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o, bool writes)
{
	const enum isa_type type = (enum isa_type)r->type;
	const bool is_set = c->op->opcode == ISA_OP_SET;
	const bool stands_for_bf16 =
		r->flags & PTX_RULE_FIXED && type == ISA_U16 && is_set == writes && c->op->types[!is_set] == ISA_BF16;
	bool fits;

	if (c->op->opcode == ISA_OP_EX2 || c->op->opcode == ISA_OP_TANH || c->op->opcode == ISA_OP_ATOM ||
	    c->op->opcode == ISA_OP_RED)
		return false;
	if (o->kind != PTX_OP_VECTOR || !(type == ISA_BF16 || type == ISA_BF16X2 || stands_for_bf16))
		return false;
	const enum isa_type have = packed_type(o, writes);
	fits = have != ISA_NOTYPE &&
	       (isa_type_bytes(have) == isa_type_bytes(type) || (stands_for_bf16 && o->elems[0].kind == PTX_OP_INT));
	fits |= stands_for_bf16 && o->n_elems == 1 && o->elems[0].kind == PTX_OP_INT;
	return fits && check_no_meaning(c, o->at, "a vector for a packed value");
}
