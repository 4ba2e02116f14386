/* Operands that the ISA doesn't have and ptxas takes: a register plus a constant, registers of another width, .f16x2 registers for
 * predicates. Each is brought into the shape the instruction wants by one in front of it, results by one or two after it, through
 * rows and slots that no PTX register has. What they compute was seen from ptxas's code for the same thing written in the ISA's way. */
#include "ptx/lower.h"

enum adaption {
	AS_IT_IS,
	SUM,	       /* %r + constant: added in the register's width; the carry stays */
	LOW_SUM,       /* ... of a register wider than the operand: of its low word */
	NAME_SUM,      /* variable + constant: its address */
	LOW_WORD,      /* of a register wider than the 32 bits wanted */
	TRUTH,	       /* of a register where a predicate is wanted: not zero */
	WIDE_ADDRESS,  /* of a register of 8 or 16 bits */
	ZERO_EXTENDED, /* results: 32 bits in a wider register */
	ONE_OR_ZERO    /* a predicate in a register */
};

static uint32_t reg_bytes(const struct ptx_operand *o) { return o->kind == PTX_OP_REG ? lower_reg_bytes(o) : 0; }

/* Returns true if ptxas takes an .f16x2 register for a predicate here: an operand of logic or mov, or a result of a barrier. */
static bool is_logic(const struct ptx_insn *in, uint32_t k)
{
	switch (in->opcode->opcode) {
	case ISA_OP_AND:
	case ISA_OP_OR:
	case ISA_OP_XOR:
	case ISA_OP_NOT:
	case ISA_OP_MOV: return in->opcode->types[0] == ISA_PRED;
	case ISA_OP_BAR:
	case ISA_OP_BARRIER:
	case ISA_OP_VOTE: return !k && in->opcode->types[0] == ISA_PRED;
	default: return false;
	}
}

/* The operand's own type. */
static enum isa_type written_type(const struct ptx_insn *in, uint32_t k)
{
	const struct ptx_rule *r = lower_rule(in, k);

	if (in->opcode->opcode == ISA_OP_MOV)
		return (enum isa_type)in->opcode->types[0];
	return r ? (enum isa_type)r->type : ISA_NOTYPE;
}

/* Returns true if operand k may be a register of more bits. */
static bool takes_wider(const struct ptx_insn *in, uint32_t k)
{
	const struct ptx_rule *r = lower_rule(in, k);

	return in->opcode->opcode != ISA_OP_MOV && (!r || r->kind == PTX_RULE_DATA_SRC || r->flags & PTX_RULE_WIDER);
}

static enum adaption sum_adaption(const struct ptx_insn *in, uint32_t k)
{
	const unsigned want = isa_type_bytes(written_type(in, k));

	return want && want < lower_reg_bytes(&in->operands[k].elems[0]) && !takes_wider(in, k) ? LOW_SUM : SUM;
}

/* mov and what converts addresses know their way. */
static bool is_name_sum(const struct ptx_insn *in, uint32_t k)
{
	return in->operands[k].is_sum && in->opcode->opcode != ISA_OP_MOV && in->opcode->opcode != ISA_OP_CVTA;
}

static enum adaption adaption_of(const struct ptx_insn *in, uint32_t k)
{
	const struct ptx_operand *o = &in->operands[k];

	switch (o->kind) {
	case PTX_OP_SUM: return sum_adaption(in, k);
	case PTX_OP_SYMBOL: return is_name_sum(in, k) ? NAME_SUM : AS_IT_IS;
	case PTX_OP_ADDRESS:
		return o->elems[0].kind == PTX_OP_REG && lower_reg_bytes(&o->elems[0]) < 4 ? WIDE_ADDRESS : AS_IT_IS;
	case PTX_OP_REG:
		if (in->opcode->opcode == ISA_OP_CVT && in->n_operands >= 3 && reg_bytes(o) > 4)
			return k ? LOW_WORD : ZERO_EXTENDED;
		if (o->symbol->type == ISA_F16X2 && is_logic(in, k))
			return k ? TRUTH : ONE_OR_ZERO;
		return AS_IT_IS;
	default: return AS_IT_IS;
	}
}

/* Returns true if a register operand of the instruction may be adapted. A fast test, made for every instruction. */
static bool may_adapt_registers(const struct ptx_insn *in)
{
	return in->opcode->types[0] == ISA_PRED || (in->opcode->opcode == ISA_OP_CVT && in->n_operands >= 3);
}

uint32_t lower_adaptions(const struct ptx_insn *in)
{
	const bool registers = may_adapt_registers(in);
	uint32_t n = 0;

	for (uint32_t k = 0; k < in->n_operands; k++) {
		if (in->operands[k].kind == PTX_OP_REG && !registers)
			continue;
		const enum adaption a = adaption_of(in, k);
		n += a != AS_IT_IS;
		n += a == LOW_SUM;
		n += a == ZERO_EXTENDED && reg_bytes(&in->operands[k]) > 8;
	}
	return n;
}

/* A register of ours, number k of the instruction's. */
static struct ptx_operand temp_register(struct lower *l, enum isa_type type, uint32_t k)
{
	struct ptx_symbol *s = POOL_NEW(&l->m->pool, struct ptx_symbol);

	*s = (struct ptx_symbol){.kind = PTX_SYM_REG, .type = (uint8_t)type, .vec = 1, .index = 1};
	s->ref = type == ISA_PRED ? l->temp_preds + k : lower_temp_row(l, LOWER_TEMPS + k);
	return (struct ptx_operand){.kind = PTX_OP_REG, .dim = PTX_NO_DIM, .symbol = s};
}

static void convert(struct lower *l, const struct ptx_operand *from, enum isa_type from_type, uint32_t to)
{
	struct isa_insn i = lower_extra_insn(ISA_H_cvt, ISA_OP_CVT, ISA_U32, to);

	i.type2 = (uint8_t)from_type;
	i.a = lower_source(l, from, from_type);
	i.a_bytes = (uint8_t)isa_type_bytes(from_type);
	lower_emit_extra(l, i);
}

/* The low word of a register, in the temporary's type. */
static void take_low(struct lower *l, const struct ptx_operand *reg, const struct ptx_operand *temp)
{
	const enum isa_type type = (enum isa_type)temp->symbol->type;
	struct isa_insn i =
		lower_extra_insn(ISA_H_cvt, ISA_OP_CVT, type == ISA_B16 ? ISA_U16 : ISA_U32, temp->symbol->ref);

	i.type2 = lower_reg_bytes(reg) == 8 ? ISA_U64 : ISA_U32;
	i.a = lower_source(l, reg, (enum isa_type)i.type2);
	i.a_bytes = (uint8_t)lower_reg_bytes(reg);
	lower_emit_extra(l, i);
}

static void take_name(struct lower *l, const struct ptx_operand *o, const struct ptx_operand *temp)
{
	const enum isa_type type = (enum isa_type)temp->symbol->type;
	const struct isa_insn main = l->insn;

	if (type == ISA_B8) { /* or 128 bits */
		lower_unsupported(l);
		return;
	}
	l->insn = lower_extra_insn(type == ISA_B64   ? ISA_H_mov_b64
				   : type == ISA_B16 ? ISA_H_mov_b16
						     : ISA_H_mov_b32,
				   ISA_OP_MOV, type, temp->symbol->ref);
	lower_take_address(l, o);
	const struct isa_insn mov = l->insn;
	l->insn = main;
	lower_emit_extra(l, mov);
}

static void add_constant(struct lower *l, const struct ptx_operand *sum, const struct ptx_operand *reg, uint32_t to)
{
	const uint32_t bytes = lower_reg_bytes(reg);
	struct isa_insn i = bytes == 8	 ? lower_extra_insn(ISA_H_add_s64, ISA_OP_ADD, ISA_S64, to)
			    : bytes == 4 ? lower_extra_insn(ISA_H_add_s32, ISA_OP_ADD, ISA_S32, to)
					 : lower_extra_insn(ISA_H_add_s16, ISA_OP_ADD, ISA_S16, to);

	i.a = lower_source(l, reg, (enum isa_type)i.type);
	i.b = lower_const_row(l, sum->bits, 0, i.dst_bytes);
	lower_emit_extra(l, i);
}

static void take_truth(struct lower *l, const struct ptx_operand *o, uint32_t slot)
{
	struct isa_insn i = lower_extra_insn(ISA_H_setp_ne_b32, ISA_OP_SETP, ISA_B32, slot);

	i.a = lower_source(l, o, ISA_B32);
	i.b = lower_const_row(l, 0, 0, 4);
	i.dst2 = ISA_PRED_SINK;
	i.d = ISA_PRED_NONE;
	i.cmp = ISA_CMP_NE;
	lower_emit_extra(l, i);
}

/* The type by which a narrow register becomes an address: ptxas leaves the bits above it to whatever wrote it. */
static enum isa_type address_type(const struct ptx_operand *o)
{
	const bool is_signed = isa_type_is_signed((enum isa_type)o->symbol->type);

	if (lower_reg_bytes(o) == 1)
		return is_signed ? ISA_S8 : ISA_U8;
	return is_signed ? ISA_S16 : ISA_U16;
}

static void widen_address(struct lower *l, struct ptx_operand *o, struct ptx_operand temp)
{
	struct ptx_operand *base = pool_dup(&l->m->pool, o->elems, o->n_elems * sizeof *o->elems);

	convert(l, base, address_type(base), temp.symbol->ref);
	base[0] = temp;
	o->elems = base;
}

/* Returns the type that the adapted operand has; `want` is the type that the form asks for. */
static enum isa_type adapted_type(const struct ptx_operand *o, enum adaption a, enum isa_type want)
{
	switch (a) {
	case TRUTH:
	case ONE_OR_ZERO: return ISA_PRED;
	case SUM: return (enum isa_type)o->elems[0].symbol->type;
	case LOW_SUM:
	case NAME_SUM: return lower_untyped(isa_type_bytes(want));
	default: return ISA_B32;
	}
}

/* Operand number at; k counts those adapted before. */
static void adapt_operand(struct lower *l, struct ptx_insn *in, uint32_t at, uint32_t k)
{
	const enum adaption a = adaption_of(in, at);
	struct ptx_operand *o = &in->operands[at];
	const enum isa_type type = adapted_type(o, a, written_type(in, at));
	struct ptx_operand temp = temp_register(l, type, k);

	temp.at = o->at;
	temp.negated = o->negated;
	switch (a) {
	case SUM: add_constant(l, o, &o->elems[0], temp.symbol->ref); break;
	case LOW_SUM:
		take_low(l, &o->elems[0], &temp);
		add_constant(l, o, &temp, temp.symbol->ref);
		break;
	case NAME_SUM: take_name(l, o, &temp); break;
	case LOW_WORD: convert(l, o, ISA_U64, temp.symbol->ref); break;
	case TRUTH: take_truth(l, o, temp.symbol->ref); break;
	case WIDE_ADDRESS: widen_address(l, o, temp); return;
	default: break;
	}
	*o = temp;
}

const struct ptx_insn *lower_adapt(struct lower *l, const struct ptx_insn *in)
{
	uint32_t n = 0;

	if (!lower_adaptions(in))
		return in;
	struct ptx_insn *plain = pool_dup(&l->m->pool, in, sizeof *in);
	plain->operands = pool_dup(&l->m->pool, in->operands, in->n_operands * sizeof *in->operands);
	for (uint32_t k = 0; k < in->n_operands; k++) {
		const enum adaption a = adaption_of(in, k);
		if (a == AS_IT_IS)
			continue;
		if (n == LOWER_ADAPTED) {
			lower_unsupported(l);
			break;
		}
		adapt_operand(l, plain, k, n++);
	}
	return plain;
}

void lower_adapt_result(struct lower *l, const struct ptx_insn *in)
{
	const struct ptx_operand *d = in->operands;
	const enum adaption a = in->n_operands ? adaption_of(in, 0) : AS_IT_IS;
	const uint32_t temp = l->insn.dst, bytes = in->n_operands ? reg_bytes(d) : 0;
	struct isa_insn i = l->insn;

	if (a != ZERO_EXTENDED && a != ONE_OR_ZERO)
		return;
	lower_emit_extra(l, i);
	if (a == ONE_OR_ZERO) {
		i = lower_extra_insn(ISA_H_selp_b32, ISA_OP_SELP, ISA_B32, lower_dest(l, d));
		i.a = lower_const_row(l, 1, 0, 4);
		i.b = lower_const_row(l, 0, 0, 4);
		i.c = temp;
	} else {
		const bool pair = bytes > 8;
		i = lower_extra_insn(ISA_H_cvt, ISA_OP_CVT, ISA_U64, pair ? lower_temp_row(l, 0) : lower_dest(l, d));
		i.type2 = ISA_U32;
		i.a = temp;
		i.a_bytes = 4;
		if (pair) {
			const uint32_t refs[] = {i.dst, lower_const_row(l, 0, 0, 8)};
			lower_emit_extra(l, i);
			i = lower_extra_insn(ISA_H_mov_pack, ISA_OP_MOV, ISA_B128, lower_dest(l, d));
			i.vec = 2;
			i.aux = lower_aux(l, refs, 2);
		}
	}
	i.guard = l->insn.guard;
	l->insn = i;
}
