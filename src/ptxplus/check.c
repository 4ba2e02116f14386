/* What an instruction of PTXPlus may look like, and which ones are instructions of PTX as well. */
#include <string.h>

#include "isa/opcodes.h"
#include "ptxplus/plus.h"

/* Number of sources, and whether there is a result. 0xff: as many as there are. */
static const struct rule {
	uint16_t opcode;
	uint8_t results, least, most;
} rules[] = {
	{ISA_OP_ABS, 1, 1, 1}, {ISA_OP_ADD, 1, 2, 2}, {ISA_OP_ADDP, 1, 3, 3}, {ISA_OP_AND, 1, 2, 2}, {ISA_OP_ANDN, 1, 2, 2}, {ISA_OP_BRA, 0, 1, 1},
	{ISA_OP_BREAK, 0, 0, 0}, {ISA_OP_BREAKADDR, 0, 1, 1}, {ISA_OP_BRX, 0, 1, 1}, {ISA_OP_CALLP, 0, 1, 1}, {ISA_OP_CLZ, 1, 1, 1}, {ISA_OP_CNOT, 1, 1, 1},
	{ISA_OP_COS, 1, 1, 1}, {ISA_OP_CVT, 1, 1, 1}, {ISA_OP_DIV, 1, 2, 2}, {ISA_OP_EX2, 1, 1, 1}, {ISA_OP_EXIT, 0, 0, 0}, {ISA_OP_FMA, 1, 3, 3},
	{ISA_OP_LD, 1, 1, 1}, {ISA_OP_LDU, 1, 1, 1}, {ISA_OP_LG2, 1, 1, 1}, {ISA_OP_MAD, 1, 3, 3}, {ISA_OP_MAD24, 1, 3, 3}, {ISA_OP_MADP, 1, 4, 4},
	{ISA_OP_MAX, 1, 2, 2}, {ISA_OP_MIN, 1, 2, 2}, {ISA_OP_MOV, 1, 1, 1}, {ISA_OP_MUL, 1, 2, 2}, {ISA_OP_MUL24, 1, 2, 2}, {ISA_OP_NANDN, 1, 2, 2},
	{ISA_OP_NEG, 1, 1, 1}, {ISA_OP_NOP, 0, 0, 0}, {ISA_OP_NORN, 1, 2, 2}, {ISA_OP_NOT, 1, 1, 1}, {ISA_OP_OR, 1, 2, 2}, {ISA_OP_ORN, 1, 2, 2},
	{ISA_OP_POPC, 1, 1, 1}, {ISA_OP_RCP, 1, 1, 1}, {ISA_OP_REM, 1, 2, 2}, {ISA_OP_RET, 0, 0, 0}, {ISA_OP_RETP, 0, 0, 0}, {ISA_OP_RSQRT, 1, 1, 1},
	{ISA_OP_SAD, 1, 3, 3}, {ISA_OP_SELP, 1, 3, 3}, {ISA_OP_SET, 1, 2, 3}, {ISA_OP_SETP, 1, 2, 3}, {ISA_OP_SHL, 1, 2, 2}, {ISA_OP_SHR, 1, 2, 2},
	{ISA_OP_SIN, 1, 1, 1}, {ISA_OP_SLCT, 1, 3, 3}, {ISA_OP_SQRT, 1, 1, 1}, {ISA_OP_SSY, 0, 1, 1}, {ISA_OP_ST, 1, 1, 1}, {ISA_OP_SUB, 1, 2, 2},
	{ISA_OP_VOTE, 1, 1, 1}, {ISA_OP_XOR, 1, 2, 2},
};

static const struct rule *rule_of(unsigned opcode)
{
	for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
		if (rules[k].opcode == opcode)
			return &rules[k];
	return NULL;
}

/* ---- the same instruction in PTX ---- */

static bool to_ptx_register(const struct plus_operand *o, struct ptx_operand *out)
{
	*out = (struct ptx_operand){.dim = PTX_NO_DIM, .at = o->at, .number = o->number};
	if (o->kind == PLUS_SINK) {
		out->kind = PTX_OP_SINK;
		return true;
	}
	out->kind = PTX_OP_REG;
	out->symbol = o->symbol;
	return o->kind == PLUS_REGISTER && o->symbol && !o->half && !o->is_negated && o->symbol->type != ISA_FLAGS;
}

static bool to_ptx_address(struct ptx_parser *p, const struct plus_operand *o, struct ptx_operand *out)
{
	const struct plus_address *a = &o->address;
	struct ptx_operand *base = POOL_NEW(&p->m->pool, struct ptx_operand);
	if (a->is_post || a->other || a->half || (a->reg && o->symbol))
		return false;
	*base = (struct ptx_operand){.dim = PTX_NO_DIM, .at = o->at + 1};
	*out = (struct ptx_operand){.kind = PTX_OP_ADDRESS, .dim = PTX_NO_DIM, .at = o->at, .n_elems = 1, .bits = (uint64_t)(int64_t)(int32_t)a->imm};
	if (a->reg) {
		base->kind = PTX_OP_REG;
		base->symbol = a->reg;
		base->number = a->number;
	} else if (o->symbol) {
		base->kind = PTX_OP_SYMBOL;
		base->symbol = o->symbol;
	} else {
		base->kind = PTX_OP_INT;
		base->bits = a->imm;
		out->bits = 0;
	}
	out->elems = base;
	return true;
}

static bool to_ptx(struct ptx_parser *p, const struct plus_operand *o, struct ptx_operand *out)
{
	*out = (struct ptx_operand){.dim = PTX_NO_DIM, .at = o->at};
	if (o->second || o->is_not)
		return false;
	switch (o->kind) {
	case PLUS_ADDRESS: return to_ptx_address(p, o, out);
	case PLUS_INTEGER:
		out->kind = PTX_OP_INT;
		out->bits = o->bits;
		return true;
	case PLUS_NAME:
		out->kind = PTX_OP_SYMBOL;
		out->symbol = o->symbol;
		return true;
	case PLUS_GROUP:
		out->kind = PTX_OP_VECTOR;
		out->n_elems = o->n_elems;
		out->elems = POOL_ARRAY(&p->m->pool, struct ptx_operand, o->n_elems);
		for (uint32_t k = 0; k < o->n_elems; k++)
			if (!to_ptx_register(&o->elems[k], &out->elems[k]))
				return false;
		return true;
	default: return to_ptx_register(o, out);
	}
}

/* tex without brackets: the texture and the coordinates are one operand in later PTX. */
static void bracket_texture(struct ptx_parser *p, struct ptx_insn *out)
{
	struct ptx_operand *pair = POOL_ARRAY(&p->m->pool, struct ptx_operand, 2);
	pair[0] = out->operands[1];
	pair[1] = out->operands[2];
	out->operands[1] = (struct ptx_operand){.kind = PTX_OP_TEXADDR, .dim = PTX_NO_DIM, .at = pair[0].at, .n_elems = 2, .elems = pair};
	out->n_operands = 2;
}

/* Makes in->plain if each operand has a counterpart. */
static void make_plain(struct ptx_parser *p, struct plus_insn *in)
{
	struct ptx_insn *out = POOL_NEW(&p->m->pool, struct ptx_insn);
	out->operands = POOL_ARRAY(&p->m->pool, struct ptx_operand, in->n + 1);
	out->n_operands = in->n;
	for (unsigned k = 0; k < in->n; k++)
		if (!to_ptx(p, &in->operands[k], &out->operands[k]))
			return;
	if (in->opcode.opcode == ISA_OP_TEX && in->n == 3)
		bracket_texture(p, out);
	out->opcode = ptx_opcode_intern(p->m, in->opcode.text);
	if (out->opcode->form)
		in->plain = out;
}

static bool is_plain_type(const struct plus_insn *in)
{
	const enum isa_type t = (enum isa_type)in->opcode.types[0];
	const struct plus_operand *data = &in->operands[in->opcode.opcode == ISA_OP_ST];
	return t != ISA_S8 && !in->is_pair_type && isa_type_bytes(t) <= 8 &&
	       !(isa_type_bytes(t) == 8 && data->kind == PLUS_REGISTER && data->symbol && isa_type_bytes((enum isa_type)data->symbol->type) == 4);
}

/* ---- checks ---- */

static const char *check_plain(struct ptx_parser *p, struct plus_insn *in, ptx_offset *at)
{
	const unsigned op = in->opcode.opcode;
	if (op == ISA_OP_BAR && (in->n != 1 || in->operands[0].kind != PLUS_INTEGER || in->operands[0].bits)) {
		*at = in->n ? in->operands[0].at : *at;
		return "these machines have barrier 0 only: expected bar.sync 0";
	}
	if (in->exits && op != ISA_OP_LD && op != ISA_OP_ST)
		return "this instruction can't end the thread: expected an exit behind it";
	make_plain(p, in);
	return in->plain ? NULL : "these operands don't fit the instruction";
}

static const char *check_destination(const struct plus_insn *in, ptx_offset *at)
{
	const struct plus_operand *d = &in->operands[0];
	const unsigned op = in->opcode.opcode;
	const bool sets = op == ISA_OP_SET || op == ISA_OP_SETP;
	*at = d->at;
	if (d->joint == '/' && op != ISA_OP_SET)
		return "only set writes p/r";
	if (d->joint && d->kind != PLUS_REGISTER)
		return "flags go to a register";
	if (d->joint == '|' && !sets && d->symbol->type != ISA_FLAGS && d->symbol->type != ISA_NOTYPE)
		return "flags go to a predicate register";
	if (d->joint && in->is_pair_type && in->opcode.types[0] != ISA_F64)
		return "untyped pairs have no flags";
	if (d->kind == PLUS_MEMORY && d->space == ISA_SPACE_CONST)
		return "constants can't be written";
	if (op != ISA_OP_ST && d->kind != PLUS_REGISTER && d->kind != PLUS_SINK && d->kind != PLUS_GROUP && d->kind != PLUS_MEMORY)
		return "expected a register or memory for the result";
	return d->is_negated || d->is_not ? "a result has no sign" : NULL;
}

static bool is_untyped(const struct plus_insn *in)
{
	const unsigned type = in->opcode.types[0];
	return in->is_pair_type && type != ISA_F64;
}

static const char *check_sources(const struct plus_insn *in, ptx_offset *at)
{
	for (unsigned k = rule_of(in->opcode.opcode)->results; k < in->n; k++) {
		const struct plus_operand *o = &in->operands[k];
		*at = o->at;
		if (o->second)
			return "only a result is a pair";
		if (o->is_negated && (is_untyped(in) || in->opcode.types[0] == ISA_FLAGS))
			return "values of this type have no negation";
		if (in->opcode.opcode == ISA_OP_MOV && o->kind == PLUS_MEMORY && in->operands[0].kind == PLUS_MEMORY)
			return "mov can't copy memory to memory";
	}
	return NULL;
}

static const char *check_flow(const struct plus_insn *in, ptx_offset *at)
{
	const unsigned op = in->opcode.opcode;
	const bool wants_label = op == ISA_OP_BRA || op == ISA_OP_CALLP || op == ISA_OP_BREAKADDR;
	*at = in->n ? in->operands[0].at : *at;
	if (wants_label && in->operands[0].kind != PLUS_LABEL)
		return "expected a label";
	if (op == ISA_OP_SSY && in->operands[0].kind != PLUS_INTEGER)
		return "expected a number";
	if ((op == ISA_OP_BRX || op == ISA_OP_BREAK || op == ISA_OP_BREAKADDR) && !in->has_type)
		return "this instruction needs a type, like .u32";
	return NULL;
}

static bool needs_type(unsigned op)
{
	return op != ISA_OP_BRA && op != ISA_OP_CALLP && op != ISA_OP_EXIT && op != ISA_OP_NOP && op != ISA_OP_RET && op != ISA_OP_RETP &&
	       op != ISA_OP_SSY && op != ISA_OP_VOTE;
}

const char *plus_check(struct ptx_parser *p, struct plus_insn *in, ptx_offset *at)
{
	const unsigned op = in->opcode.opcode;
	const struct rule *r = rule_of(op);
	const char *why;
	if (op == ISA_OP_BAR || op == ISA_OP_MEMBAR || op == ISA_OP_ATOM || op == ISA_OP_TEX || op == ISA_OP_CVTA)
		return check_plain(p, in, at);
	if (!r)
		return NULL; /* it faults when it is reached */
	if (in->n < r->results + r->least || in->n > r->results + r->most)
		return "the number of operands is wrong";
	if ((op == ISA_OP_LD || op == ISA_OP_LDU || op == ISA_OP_ST) && in->operands[op != ISA_OP_ST].kind != PLUS_ADDRESS)
		return "expected an address in brackets";
	if (!in->has_type && needs_type(op))
		return "a type is missing";
	if ((op == ISA_OP_CVT || op == ISA_OP_SET || op == ISA_OP_SETP || op == ISA_OP_SLCT) && in->opcode.n_types < 2 && op != ISA_OP_SETP)
		return "a second type is missing";
	if (op == ISA_OP_MUL && !(in->opcode.flags & (ISA_F_LO | ISA_F_HI | ISA_F_WIDE)) && !isa_type_is_float((enum isa_type)in->opcode.types[0]))
		return "mul of integers needs .lo, .hi or .wide";
	if (r->results && (why = check_destination(in, at)))
		return why;
	if ((why = check_sources(in, at)) || (why = check_flow(in, at)))
		return why;
	if ((op == ISA_OP_LD || op == ISA_OP_LDU || op == ISA_OP_ST) && !in->exits && !in->is_half && is_plain_type(in))
		make_plain(p, in);
	return NULL;
}
