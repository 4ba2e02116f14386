/* What is odd about a value in the chain of `why EXPR`: where a NaN or an infinity was born, what overflowed. */
#include <math.h>
#include <stdlib.h>

#include "debug/expr/format.h"
#include "command/past/why_chain.h"
#include "history/nan_chain.h"
#include "isa/opcodes.h"

static enum isa_type float_type(const struct why_chain *c, uint32_t pc)
{
	const enum isa_type t = (enum isa_type)gpu_program(debug_gpu(history_debug(c->h)))->insns[pc].type;
	return isa_type_is_float(t) && isa_type_bytes(t) >= 2 ? t : ISA_NOTYPE;
}

static double as_double(enum isa_type t, uint64_t v) { return format_to_double(t, &v); }

/* What an operand is read as: registers may be declared without saying. */
static enum isa_type operand_type(const struct why_chain *c, uint32_t pc, const struct debug_operand *o)
{
	const struct isa_insn *i = &gpu_program(debug_gpu(history_debug(c->h)))->insns[pc];
	if (isa_type_is_float(o->type))
		return o->type;
	return (enum isa_type)(i->opcode == ISA_OP_CVT ? i->type2 : i->type);
}

/* An operand as a number: a register's, or a constant, 0f3F800000, 0d... False: it isn't known, or is none. */
static bool number(struct why_chain *c, const struct why_at *a, uint32_t pc, const struct debug_operand *o, double *v)
{
	const enum isa_type t = operand_type(c, pc, o);
	uint64_t raw = 0;
	if (nan_constant(o, v))
		return true;
	if (o->kind != DEBUG_OPERAND_REGISTER || !isa_type_is_float(t) || !why_value_at(c, a, o->word, &raw))
		return false;
	*v = as_double(t, raw);
	return true;
}

/* Any of the sources already is what the result is: nothing was born here. They may be narrower or wider than it. */
static bool source_is(struct why_chain *c, const struct why_at *a, uint32_t pc, bool nan)
{
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	const uint32_t n = debug_operands(c->d, pc, o);
	for (uint32_t k = 0; k < n; k++) {
		double v;
		if (number(c, a, pc, &o[k], &v) && nan_is_passed_on(v, nan))
			return true;
	}
	return false;
}

static int64_t sign_extend(uint64_t v, unsigned bytes)
{
	return bytes >= 8 ? (int64_t)v : bytes == 4 ? (int32_t)(uint32_t)v : (int16_t)(uint16_t)v;
}

/* An operand as an integer of so many bytes. False: it isn't known. */
static bool whole(struct why_chain *c, const struct why_at *a, const struct debug_operand *o, unsigned bytes,
		  int64_t *v)
{
	uint64_t raw = 0;
	bool known = o->kind == DEBUG_OPERAND_CONSTANT;
	if (known)
		raw = (uint64_t)strtoll(o->text, NULL, 0);
	else if (o->kind == DEBUG_OPERAND_REGISTER)
		known = why_value_at(c, a, o->word, &raw);
	*v = sign_extend(raw, bytes);
	return known;
}

/* What the instruction makes of signed integers, if they were as wide as it takes. False: it is another one. */
static bool exactly(const struct isa_insn *i, const __int128 v[3], uint32_t n, __int128 *out)
{
	const bool low = i->flags & ISA_F_LO;
	switch (i->opcode) {
	case ISA_OP_ADD: *out = v[0] + v[1]; return n == 2;
	case ISA_OP_SUB: *out = v[0] - v[1]; return n == 2;
	case ISA_OP_MUL: *out = v[0] * v[1]; return n == 2 && low;
	case ISA_OP_MAD: *out = v[0] * v[1] + v[2]; return n == 3 && low;
	case ISA_OP_NEG: *out = -v[0]; return n == 1;
	case ISA_OP_ABS: *out = v[0] < 0 ? -v[0] : v[0]; return n == 1;
	default: return false;
	}
}

static bool overflows(struct why_chain *c, const struct why_at *a, const struct debug_step *s)
{
	const struct isa_insn *i = &gpu_program(debug_gpu(history_debug(c->h)))->insns[s->pc];
	const unsigned bytes = isa_type_bytes((enum isa_type)i->type);
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	__int128 v[3] = {0}, exact;
	const uint32_t n = debug_operands(c->d, s->pc, o);
	if (!isa_type_is_signed((enum isa_type)i->type) || i->flags & ISA_F_SAT || n > 3 || !exactly(i, v, n, &exact))
		return false;
	for (uint32_t k = 0; k < n; k++) {
		int64_t at;
		if (!whole(c, a, &o[k], bytes, &at))
			return false;
		v[k] = at;
	}
	return exactly(i, v, n, &exact) && exact != sign_extend((uint64_t)exact, bytes);
}

/* A number is converted to an integer type that doesn't have it. */
static bool is_out_of_range(struct why_chain *c, const struct why_at *a, const struct debug_step *s)
{
	const struct isa_insn *i = &gpu_program(debug_gpu(history_debug(c->h)))->insns[s->pc];
	const enum isa_type t = (enum isa_type)i->type;
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	double v;
	if (i->opcode != ISA_OP_CVT || i->flags & ISA_F_SAT || isa_type_is_float(t) ||
	    debug_operands(c->d, s->pc, o) != 1 || !number(c, a, s->pc, &o[0], &v))
		return false;
	v = trunc(v);
	const double most = ldexp(1, 8 * (int)isa_type_bytes(t) - isa_type_is_signed(t));
	return !(v < most && v >= (isa_type_is_signed(t) ? -most : 0));
}

static bool divides_by_zero(struct why_chain *c, const struct why_at *a, const struct debug_step *s)
{
	const struct isa_insn *i = &gpu_program(debug_gpu(history_debug(c->h)))->insns[s->pc];
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	int64_t by;
	return (i->opcode == ISA_OP_DIV || i->opcode == ISA_OP_REM) && debug_operands(c->d, s->pc, o) == 2 &&
	       whole(c, a, &o[1], isa_type_bytes((enum isa_type)i->type), &by) && !by;
}

const char *why_oddity(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint64_t value,
		       bool known)
{
	const enum isa_type t = float_type(c, s->pc);
	if (!known || !nan_can_be_born(&gpu_program(debug_gpu(history_debug(c->h)))->insns[s->pc]))
		return "";
	if (t && isnan(as_double(t, value)))
		return source_is(c, a, s->pc, true) ? "" : "NaN born here";
	if (t && isinf(as_double(t, value)))
		return source_is(c, a, s->pc, false) ? "" : "infinity born here";
	if (!t && divides_by_zero(c, a, s))
		return "division by zero";
	return !t && (overflows(c, a, s) || is_out_of_range(c, a, s)) ? "overflow" : "";
}
