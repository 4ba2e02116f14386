/* Operands that the ISA doesn't have and ptxas takes. To some its code gives a meaning, lower_adapt.c the same one; instructions with
 * the others load with a warning and fault when they are reached. */
#include "isa/opcodes.h"
#include "ptx/check.h"

static unsigned class_of(enum isa_type t) { return isa_type_info[t].cls; }

static bool is_integer(enum isa_type t) { return class_of(t) == ISA_CLASS_UNSIGNED || class_of(t) == ISA_CLASS_SIGNED; }

static bool is_bits(enum isa_type t) { return class_of(t) == ISA_CLASS_BITS; }

/* Returns true if the operand is the second of two packed .bf16 values that are compared, for which ptxas takes a predicate. */
static bool compares_packed(const struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o)
{
	return (c->op->opcode == ISA_OP_SET || c->op->opcode == ISA_OP_SETP) && !c->op->boolop &&
	       r->type == ISA_BF16X2 && o == &c->insn->operands[2];
}

bool check_is_stray_predicate(const struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o)
{
	return o->kind == PTX_OP_REG && o->symbol->type == ISA_PRED && o->negated != PTX_MINUS &&
	       compares_packed(c, r, o);
}

static bool is_float(enum isa_type t) { return class_of(t) == ISA_CLASS_FLOAT && t != ISA_F16X2 && t != ISA_F32X2; }

/* .f16x2 registers stand for integers, and for predicates where these are computed with. */
static bool takes_f16x2(const struct ptx_checker *c, enum isa_type type)
{
	return is_integer(type) || type == ISA_F32X2 || type == ISA_U16X2 || type == ISA_S16X2 ||
	       (type == ISA_PRED && c->op->types[0] == ISA_PRED);
}

/* Operands whose type is not the opcode's take what fits it and nothing else. */
static bool is_strict(const struct ptx_checker *c, const struct ptx_rule *r)
{
	switch (r->type) {
	case ISA_BF16:
	case ISA_BF16X2:
	case ISA_E4M3X2:
	case ISA_E5M2X2: return true;
	default: return r->flags & (PTX_RULE_FIXED | PTX_RULE_POLICY) || c->op->opcode == ISA_OP_REDUX;
	}
}

/* Sums have no width: only the kinds of type must agree. */
static bool sum_kinds_agree(enum isa_type type, enum isa_type have)
{
	if (type == have || type == ISA_NOTYPE)
		return true;
	if (type == ISA_PRED || have == ISA_PRED)
		return false;
	return is_bits(type) || is_bits(have) || (is_float(type) && is_float(have)) ||
	       (is_integer(type) && is_integer(have));
}

static bool sum_fits(const struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o)
{
	const enum isa_type have = (enum isa_type)o->elems[0].symbol->type;
	const enum isa_type type = (enum isa_type)r->type;

	if (compares_packed(c, r, o) && have == ISA_PRED)
		return true;
	if (!is_strict(c, r))
		return sum_kinds_agree(type, have) || (have == ISA_F16X2 && takes_f16x2(c, type));
	return class_of(have) != ISA_CLASS_FLOAT && have != ISA_PRED && isa_type_bytes(have) <= 8 &&
	       check_reg_fits(type, have, r->flags & PTX_RULE_WIDER && type != ISA_BF16);
}

/* A register plus a constant: of a wider register the low word counts. The bits above a narrower register were never written; at floating-point
 * registers and predicates ptxas fails or hangs if the result is used, and it adds something to half of a .b128. */
bool check_sum(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o)
{
	const struct ptx_operand *reg = &o->elems[0];
	const enum isa_type type = (enum isa_type)r->type, have = (enum isa_type)reg->symbol->type;

	if (r->kind == PTX_RULE_REG || r->kind == PTX_RULE_VIDEO_SRC || r->kind == PTX_RULE_SIMD_SRC)
		return check_mismatch(c, what, o, "a register");
	if (check_is_vector_reg(reg) || !sum_fits(c, r, o))
		return check_mismatch(c, what, reg, "another type of register for this sum");
	if (class_of(have) == ISA_CLASS_FLOAT || have == ISA_PRED || isa_type_bytes(have) > 8)
		return check_no_meaning(c, o->at, "a constant added to a register that is no integer");
	if (isa_type_bytes(have) < isa_type_bytes(type))
		return check_no_meaning(c, o->at, "a constant added to a register shorter than its operand");
	return true;
}

/* ptxas writes some conversions of 64 bits as others. */
static bool is_split_conversion(const struct ptx_opcode *op)
{
	return op->flags & ISA_F_FTZ && class_of((enum isa_type)op->types[1]) == ISA_CLASS_FLOAT &&
	       (isa_type_bytes((enum isa_type)op->types[0]) == 8 || isa_type_bytes((enum isa_type)op->types[1]) == 8);
}

/* cvt.pack: no other conversion has several integers to convert. */
static bool packs_integers(const struct ptx_checker *c)
{
	return c->op->types[1] == ISA_S32 && c->insn->n_operands > 2;
}

/* Opcodes whose numbers ptxas takes functions for. */
static bool computes_with_function(const struct ptx_checker *c, const struct ptx_rule *r)
{
	const struct ptx_opcode *op = c->op;

	switch (op->opcode) {
	case ISA_OP_CVT: return is_split_conversion(op) || packs_integers(c);
	case ISA_OP_CVTA: return op->mode == 1;
	case ISA_OP_SHFL: return c->m->sm >= 90; /* before that it is a call */
	case ISA_OP_REM:
	case ISA_OP_DIV: return r->type == ISA_F64 || (isa_type_bytes((enum isa_type)r->type) == 4 && !op->rnd);
	case ISA_OP_RCP:
	case ISA_OP_SQRT: return r->type != ISA_F64 || op->rnd <= ISA_RND_RN;
	default: return true;
	}
}

/* Returns true if ptxas takes a function for a number here; it computes with zero. */
static bool takes_function(const struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o)
{
	if (is_strict(c, r) || o->negated || c->op->vec > 1)
		return false;
	if (r->type == ISA_PRED && c->op->opcode == ISA_OP_VOTE && c->m->sm < 90)
		return false;
	if (r->type == ISA_PRED)
		return c->op->types[0] == ISA_PRED && c->op->opcode != ISA_OP_BAR && c->op->opcode != ISA_OP_BARRIER;
	if (r->kind == PTX_RULE_VIDEO_SRC)
		return true;
	return (r->kind == PTX_RULE_SRC || r->kind == PTX_RULE_DATA_SRC) && computes_with_function(c, r);
}

/* The address of a variable plus a constant stands for an integer, as in mov. */
static bool takes_address(const struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o)
{
	const enum isa_type type = (enum isa_type)r->type;
	const struct ptx_symbol *s = o->symbol;

	if ((r->kind != PTX_RULE_SRC && r->kind != PTX_RULE_DATA_SRC) || r->flags & PTX_RULE_POLICY || c->op->vec > 1)
		return false;
	if (isa_type_bytes(type) == 2 && r->flags & PTX_RULE_FIXED) /* what stands for a .bf16 */
		return false;
	return s->kind == PTX_SYM_VARIABLE && o->is_sum && (is_integer(type) || is_bits(type)) && type != ISA_U16X2 &&
	       type != ISA_S16X2 && (s->space != ISA_SPACE_PARAM || s->is_param);
}

bool check_name(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o)
{
	const struct ptx_symbol *s = o->symbol;

	if ((s->kind == PTX_SYM_FUNCTION || s->kind == PTX_SYM_ALIAS) && takes_function(c, r, o))
		return check_no_meaning(c, o->at, "a function for a number");
	return takes_address(c, r, o);
}

/* A fourth operand of bitwise atomics without a hint for a cache policy; ptxas reads the policy nowhere then, so it is of any type but a
 * policy's: no integer of 64 bits. */
bool check_unused_policy(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o)
{
	const enum isa_type type = (enum isa_type)r->type;
	const struct ptx_symbol *s = o->kind == PTX_OP_SYMBOL ? o->symbol : NULL;
	const enum isa_type have = o->kind == PTX_OP_SUM ? (enum isa_type)o->elems[0].symbol->type : ISA_NOTYPE;
	bool fits = false;

	if (o->kind == PTX_OP_REG && isa_type_bytes(type) > 4)
		fits = !check_is_vector_reg(o) && o->symbol->type == (isa_type_bytes(type) == 8 ? ISA_F64 : ISA_B128);
	else if (o->kind == PTX_OP_REG)
		return check_source(c, what, r, o);
	else if (o->kind == PTX_OP_FLOAT)
		fits = check_constant_fits(type, o);
	else if (o->kind == PTX_OP_SUM)
		fits = sum_kinds_agree(type, have) &&
		       (isa_type_bytes(type) == 4 || isa_type_bytes(have) != 8 || is_float(have));
	else if (s)
		fits = s->kind == PTX_SYM_FUNCTION || s->kind == PTX_SYM_ALIAS ||
		       (s->kind == PTX_SYM_VARIABLE && o->is_sum);
	return fits || check_mismatch(c, what, o, "a register that is no cache policy");
}
