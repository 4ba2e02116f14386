/* What is odd about a value in the chain of `why EXPR`: where a NaN or an infinity was born, what overflowed. */
#include <math.h>
#include <stdlib.h>

#include "debug/expr/format.h"
#include "debug/why/why.h"
#include "history/why_chain.h"
#include "isa/opcodes.h"

static enum isa_type float_type(const struct why_chain *c, uint32_t pc)
{
	const enum isa_type t = (enum isa_type)gpu_program(c->h->g)->insns[pc].type;
	return isa_type_is_float(t) && isa_type_bytes(t) >= 2 ? t : ISA_NOTYPE;
}

static double as_double(enum isa_type t, uint64_t v) { return format_to_double(t, &v); }

static bool is_arithmetic(const struct why_chain *c, uint32_t pc)
{
	const uint16_t op = gpu_program(c->h->g)->insns[pc].opcode;
	return isa_opcode_info[op].family == ISA_FAMILY_ALU && op != ISA_OP_MOV && op != ISA_OP_SELP;
}

/* Any of the sources already is what the result is: nothing was born here. */
static bool source_is(struct why_chain *c, const struct why_at *a, uint32_t pc, enum isa_type t, bool nan)
{
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	const uint32_t n = debug_operands(c->d, pc, o);
	for (uint32_t k = 0; k < n; k++) {
		uint64_t raw;
		if (o[k].kind != DEBUG_OPERAND_REGISTER || !why_value_at(c, a, o[k].word, &raw))
			continue;
		const double v = as_double(t, raw);
		if (nan ? isnan(v) : !isfinite(v))
			return true;
	}
	return false;
}

static int64_t sign_extend(uint64_t v, unsigned bytes)
{
	return bytes >= 8 ? (int64_t)v : bytes == 4 ? (int32_t)(uint32_t)v : (int16_t)(uint16_t)v;
}

/* Of add, sub, mul.lo and mad.lo on signed integers. */
static bool overflows(struct why_chain *c, const struct why_at *a, const struct debug_step *s)
{
	const struct isa_insn *i = &gpu_program(c->h->g)->insns[s->pc];
	const unsigned bytes = isa_type_bytes((enum isa_type)i->type);
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	__int128 v[3], exact;
	const bool adds = i->opcode == ISA_OP_ADD || i->opcode == ISA_OP_SUB,
		   muls = (i->opcode == ISA_OP_MUL || i->opcode == ISA_OP_MAD) && i->flags & ISA_F_LO;
	const uint32_t want = i->opcode == ISA_OP_MAD ? 3 : 2;
	if (!isa_type_is_signed((enum isa_type)i->type) || !(adds || muls) || i->flags & ISA_F_SAT ||
	    debug_operands(c->d, s->pc, o) != want)
		return false;
	for (uint32_t k = 0; k < want; k++) {
		bool known = o[k].kind == DEBUG_OPERAND_CONSTANT;
		uint64_t raw = known ? (uint64_t)strtoll(o[k].text, NULL, 0) : 0;
		if (o[k].kind == DEBUG_OPERAND_REGISTER)
			known = why_value_at(c, a, o[k].word, &raw);
		if (!known)
			return false;
		v[k] = sign_extend(raw, bytes);
	}
	exact = i->opcode == ISA_OP_ADD	  ? v[0] + v[1]
		: i->opcode == ISA_OP_SUB ? v[0] - v[1]
					  : v[0] * v[1] + (want == 3 ? v[2] : 0);
	return exact != sign_extend((uint64_t)exact, bytes);
}

const char *why_oddity(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint64_t value,
		       bool known)
{
	const enum isa_type t = float_type(c, s->pc);
	if (!known || !is_arithmetic(c, s->pc))
		return "";
	if (t && isnan(as_double(t, value)))
		return source_is(c, a, s->pc, t, true) ? "" : "NaN born here";
	if (t && isinf(as_double(t, value)))
		return source_is(c, a, s->pc, t, false) ? "" : "infinity born here";
	return !t && overflows(c, a, s) ? "overflow" : "";
}
