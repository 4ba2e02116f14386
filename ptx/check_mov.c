/* mov: copies, addresses, special registers, packing and unpacking of vectors (ISA "mov"). */
#include "ptx/check.h"
#include "ptx/special_names.h"

static bool is_vector(const struct ptx_operand *o) { return o->kind == PTX_OP_VECTOR || check_is_vector_reg(o); }

static bool is_integer(enum isa_type t)
{
	const unsigned cls = isa_type_info[t].cls;

	return cls == ISA_CLASS_BITS || cls == ISA_CLASS_SIGNED || cls == ISA_CLASS_UNSIGNED;
}

/* A vector that begins with an integer has elements of the size that makes the whole; integer registers beside it are converted to it
 * (ptxas). 0: one of them is none. */
static unsigned bytes_from_integer(struct ptx_checker *c, const struct ptx_operand *o, const struct ptx_operand **bad)
{
	for (unsigned i = 1; i < o->n_elems; i++) {
		const struct ptx_operand *e = &o->elems[i];

		if (e->kind == PTX_OP_FLOAT ||
		    (e->kind == PTX_OP_REG &&
		     (check_is_vector_reg(e) || !is_integer((enum isa_type)e->symbol->type)))) {
			*bad = e;
			return 0;
		}
	}
	return isa_type_bytes((enum isa_type)c->op->types[0]) / o->n_elems;
}

/* Bytes of a vector's elements; constants and _ take the size of the registers beside them. 0: they disagree or there is none. */
static unsigned element_bytes(struct ptx_checker *c, const struct ptx_operand *o, const struct ptx_operand **bad)
{
	const struct ptx_operand *before = NULL;

	*bad = NULL;
	if (o->kind == PTX_OP_REG)
		return isa_type_bytes((enum isa_type)o->symbol->type);
	if (o->n_elems && o->elems[0].kind == PTX_OP_INT)
		return bytes_from_integer(c, o, bad);
	for (unsigned i = 0; i < o->n_elems; i++) {
		const struct ptx_operand *e = &o->elems[i];

		if (e->kind != PTX_OP_REG)
			continue;
		if (check_is_vector_reg(e) || e->symbol->type == ISA_PRED ||
		    (before &&
		     !check_neighbours_agree((enum isa_type)before->symbol->type, (enum isa_type)e->symbol->type))) {
			*bad = e;
			return 0;
		}
		before = e;
	}
	if (before)
		return isa_type_bytes((enum isa_type)before->symbol->type);
	if (o->n_elems && o->elems[0].kind == PTX_OP_FLOAT)
		return o->elems[0].is_f32 ? 4 : 8;
	*bad = o->n_elems ? &o->elems[0] : o;
	return 0;
}

static bool check_packed(struct ptx_checker *c, const struct ptx_operand *o, bool writes)
{
	for (unsigned i = 0; o->kind == PTX_OP_VECTOR && i < o->n_elems; i++) {
		const struct ptx_operand *e = &o->elems[i];
		const bool is_constant = e->kind == PTX_OP_INT || e->kind == PTX_OP_FLOAT;

		if (writes && e->kind != PTX_OP_REG && e->kind != PTX_OP_SINK)
			return check_mismatch(c, "an element of the destination", e, "a register or _");
		/* ptxas: _ is zero, in 32 bits */
		if (!writes && e->kind != PTX_OP_REG && !is_constant &&
		    (e->kind != PTX_OP_SINK || c->op->types[0] != ISA_B32))
			return check_mismatch(c, "an element of the source", e, "a register or a constant");
		if (is_constant && o->elems[0].kind == PTX_OP_FLOAT && e->kind == PTX_OP_INT)
			return check_mismatch(c, "an element of the source", e, "the type of the other elements");
		if (e->negated)
			return check_fail(c, e->at, "an element of a vector can't be negated");
	}
	return true;
}

static bool has_registers(const struct ptx_operand *o)
{
	for (unsigned i = 0; i < o->n_elems; i++)
		if (o->elems[i].kind == PTX_OP_REG || o->elems[i].kind == PTX_OP_SPECIAL)
			return true;
	return false;
}

/* {a,b} against a scalar: the elements fill the type exactly. */
static bool check_pack(struct ptx_checker *c, const struct ptx_operand *vector, const struct ptx_operand *scalar,
		       bool unpacks)
{
	enum isa_type type = (enum isa_type)c->op->types[0];
	unsigned n = vector->kind == PTX_OP_REG ? vector->symbol->vec : vector->n_elems;
	struct ptx_rule r = {.kind = PTX_RULE_SRC, .type = (uint8_t)type};
	enum isa_type common = ISA_NOTYPE;
	const struct ptx_operand *bad;
	unsigned bytes;

	if (isa_type_info[type].cls != ISA_CLASS_BITS)
		return check_fail(
			c, vector->at,
			"a vector is packed or unpacked with an untyped mov (.b16 .b32 .b64 .b128), not '%.*s'",
			(int)c->op->text.n, c->op->text.s);
	if (vector->kind == PTX_OP_VECTOR && has_registers(vector)) {
		common = check_elements(c, vector, unpacks);
		if (common == ISA_NOTYPE)
			return false;
	}
	if (check_has_loose_elements(vector)) {
		bytes = vector->elems[0].kind == PTX_OP_INT ? isa_type_bytes(type) / n : isa_type_bytes(common);
		bad = NULL;
	} else {
		if (!check_packed(c, vector, unpacks))
			return false;
		bytes = element_bytes(c, vector, &bad);
	}
	if (bad)
		return check_mismatch(c, "an element of the vector", bad, "the type of the other elements");
	if (!bytes || n * bytes != isa_type_bytes(type))
		return check_fail(c, vector->at, "%u elements of %u bits don't make the %u bits of '%.*s'", n,
				  8 * bytes, 8 * isa_type_bytes(type), (int)c->op->text.n, c->op->text.s);
	return unpacks ? check_source(c, "the source", &r, scalar)
		       : check_destination(c, "the destination", &r, scalar);
}

static bool check_vector_half(struct ptx_checker *c, const struct ptx_operand *o, bool writes)
{
	struct ptx_rule r = {.kind = PTX_RULE_SRC, .type = c->op->types[0], .flags = writes ? PTX_RULE_SINK : 0};
	unsigned n = o->kind == PTX_OP_VECTOR ? o->n_elems : check_is_vector_reg(o) ? o->symbol->vec : 0;

	if (o->kind == PTX_OP_SPECIAL && !writes && o->special->dims > 1 && o->dim == PTX_NO_DIM)
		n = 4;
	if (n != c->op->vec)
		return check_mismatch(c, writes ? "the destination" : "the source", o,
				      c->op->vec == 2 ? "a vector of 2" : "a vector of 4");
	if (o->kind != PTX_OP_VECTOR)
		return true;
	if (has_registers(o) || writes) {
		const enum isa_type type = check_elements(c, o, writes);

		return type != ISA_NOTYPE && (check_vector_fits(c, &r, o, type) ||
					      check_mismatch(c, "a vector", o, "elements of the instruction's type"));
	}
	for (unsigned i = 0; i < n; i++)
		if (!(writes ? check_destination(c, "an element", &r, &o->elems[i])
			     : check_source(c, "an element", &r, &o->elems[i])))
			return false;
	return true;
}

/* The address of a variable or function, in any integer or untyped register. */
static bool check_address_of(struct ptx_checker *c, const struct ptx_operand *o)
{
	unsigned cls = isa_type_info[c->op->types[0]].cls;
	const struct ptx_symbol *s = o->symbol;

	if (s->kind != PTX_SYM_VARIABLE && s->kind != PTX_SYM_FUNCTION && s->kind != PTX_SYM_ALIAS)
		return check_mismatch(c, "the source", o, "a register, a constant, a variable or a function");
	if ((cls == ISA_CLASS_FLOAT || cls == ISA_CLASS_PRED) && s->kind != PTX_SYM_VARIABLE && !o->negated)
		return check_no_meaning(c, o->at, "a function for a number");
	if (cls == ISA_CLASS_FLOAT || cls == ISA_CLASS_PRED)
		return check_mismatch(c, "the source", o, "a register or a constant: addresses are integers");
	if (s->space == ISA_SPACE_PARAM && s->kind == PTX_SYM_VARIABLE && !s->is_param)
		return check_fail(c, o->at, "'%.*s' is a parameter under way, its address can't be taken",
				  (int)s->name.n, s->name.s);
	return true;
}

bool check_mov(struct ptx_checker *c)
{
	struct ptx_rule r = {.kind = PTX_RULE_SRC, .type = c->op->types[0]};
	const struct ptx_operand *d = &c->insn->operands[0], *a = &c->insn->operands[1];

	if (c->insn->n_operands != 2)
		return check_fail(c, check_opcode_at(c), "'%.*s' takes 2 operands, not %u", (int)c->op->text.n,
				  c->op->text.s, c->insn->n_operands);
	if (c->op->vec > 1)
		return check_vector_half(c, d, true) && check_vector_half(c, a, false);
	if (is_vector(d) && is_vector(a))
		return check_mismatch(c, "the source", a, "a scalar, as the destination is a vector");
	if (is_vector(d))
		return check_pack(c, d, a, true);
	if (is_vector(a))
		return check_pack(c, a, d, false);
	if (!check_destination(c, "the destination", &r, d))
		return false;
	if (check_is_element(c, a) && a->n_elems == 2) /* name[%r] */
		return check_index(c, &a->elems[1]) && check_address_of(c, &a->elems[0]);
	return a->kind == PTX_OP_SYMBOL ? check_address_of(c, a) : check_source(c, "the source", &r, a);
}
