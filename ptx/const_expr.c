/* Constant expressions (ISA "Constant Expressions"): C's operators over .s64, .u64 and .f64 values.
 *
 * An integer is .s64 unless it has a U suffix or needs the 64th bit; a binary operation with one .u64 operand is unsigned, one
 * of two floats is done in .f64 where the operator has a float form, and integers don't mix with floats (ptxas). Comparisons and
 * logic give .s64. Integers wrap. */
#include "ptx/parse.h"

#include <string.h>


static struct ptx_value from_int(uint64_t bits, bool is_unsigned)
{
	return (struct ptx_value){.kind = is_unsigned ? PTX_VALUE_U64 : PTX_VALUE_S64, .bits = bits};
}

static struct ptx_value from_f64(double d)
{
	struct ptx_value v = {.kind = PTX_VALUE_F64};

	memcpy(&v.bits, &d, 8);
	return v;
}

double ptx_value_f64(const struct ptx_value *v)
{
	double d;
	float f;
	uint32_t low = (uint32_t)v->bits;

	switch (v->kind) {
	case PTX_VALUE_S64: return (double)(int64_t)v->bits;
	case PTX_VALUE_U64: return (double)v->bits;
	case PTX_VALUE_F32_BITS: memcpy(&f, &low, 4); return f;
	default: memcpy(&d, &v->bits, 8); return d;
	}
}

static bool is_int(const struct ptx_value *v) { return v->kind == PTX_VALUE_S64 || v->kind == PTX_VALUE_U64; }

static bool need_int(struct ptx_parser *p, ptx_offset at, const struct ptx_value *v)
{
	if (is_int(v))
		return true;
	ptx_parse_error(p, at, "expected an integer constant expression, found a floating-point one");
	return false;
}

/* ---- primary and unary ---- */

static bool parse_ternary(struct ptx_parser *p, struct ptx_value *v);
static bool parse_unary(struct ptx_parser *p, struct ptx_value *v);

static bool too_deep(struct ptx_parser *p)
{
	if (p->depth < PTX_MAX_DEPTH)
		return false;
	ptx_parse_error(p, p->tok.at, "nested too deeply: at most %u levels", PTX_MAX_DEPTH);
	return true;
}

/* `(.s64) x`, `(.u64) x`: the bits stay, their reading changes; of a float, the value truncates. */
static bool parse_cast(struct ptx_parser *p, struct ptx_value *v)
{
	struct ptx_slice s = ptx_parse_slice(p, &p->tok);
	bool is_unsigned = ptx_slice_is(s, ".u64");

	if (!is_unsigned && !ptx_slice_is(s, ".s64"))
		return ptx_parse_unexpected(p, "a cast to .s64 or .u64");
	ptx_parse_advance(p);
	ptx_offset at = p->tok.at;

	if (!ptx_parse_expect(p, ')', "')' after the cast") || !parse_unary(p, v) || !need_int(p, at, v))
		return false;
	*v = from_int(v->bits, is_unsigned);
	return true;
}

static bool parse_parenthesis(struct ptx_parser *p, struct ptx_value *v)
{
	if (too_deep(p))
		return false;
	p->depth++;
	ptx_parse_advance(p);
	bool ok = p->tok.kind == PTX_TOK_DIRECTIVE ? parse_cast(p, v)
						   : ptx_parse_const(p, v) && ptx_parse_expect(p, ')', "')'");

	p->depth--;
	return ok;
}

static bool parse_primary(struct ptx_parser *p, struct ptx_value *v)
{
	switch (p->tok.kind) {
	case PTX_TOK_INT:
		if (p->tok.overflow)
			ptx_diag(p->m, DIAG_WARNING, p->tok.at,
				 "the constant has more than 64 bits: only the low 64 are kept");
		*v = from_int(p->tok.bits, p->tok.is_unsigned);
		break;
	case PTX_TOK_FLOAT:
		if (p->tok.is_f32) {
			ptx_parse_error(p, p->tok.at,
					"a 0f literal stands alone: expected a decimal number or 0d in an expression");
			return false;
		}
		*v = (struct ptx_value){.kind = PTX_VALUE_F64, .bits = p->tok.bits};
		break;
	case PTX_TOK_NAME:
		if (!ptx_slice_is(ptx_parse_slice(p, &p->tok), "WARP_SZ"))
			return ptx_parse_unexpected(p, "a constant");
		*v = from_int(ptx_warp_threads(p->m), false);
		break;
	case '(': return parse_parenthesis(p, v);
	default: return ptx_parse_unexpected(p, "a constant");
	}
	ptx_parse_advance(p);
	return true;
}

static bool apply_unary(struct ptx_parser *p, unsigned op, ptx_offset at, struct ptx_value *v)
{
	if (!is_int(v)) {
		if (op == '+' || op == '-') {
			*v = from_f64(op == '-' ? -ptx_value_f64(v) : ptx_value_f64(v));
			return true;
		}
		return need_int(p, at, v);
	}
	bool is_unsigned = v->kind == PTX_VALUE_U64;

	if (op == '-')
		*v = from_int(0 - v->bits, is_unsigned);
	else if (op == '~')
		*v = from_int(~v->bits, is_unsigned);
	else if (op == '!')
		*v = from_int(!v->bits, false);
	return true;
}

static bool parse_unary(struct ptx_parser *p, struct ptx_value *v)
{
	unsigned op = p->tok.kind;
	ptx_offset at = p->tok.at;

	if (op != '+' && op != '-' && op != '!' && op != '~')
		return parse_primary(p, v);
	if (too_deep(p))
		return false;
	p->depth++;
	ptx_parse_advance(p);
	bool ok = parse_unary(p, v) && apply_unary(p, op, at, v);

	p->depth--;
	return ok;
}

/* ---- binary ---- */

static int precedence(unsigned op)
{
	switch (op) {
	case '*':
	case '/':
	case '%': return 10;
	case '+':
	case '-': return 9;
	case PTX_TOK_SHL:
	case PTX_TOK_SHR: return 8;
	case '<':
	case '>':
	case PTX_TOK_LE:
	case PTX_TOK_GE: return 7;
	case PTX_TOK_EQ:
	case PTX_TOK_NE: return 6;
	case '&': return 5;
	case '^': return 4;
	case '|': return 3;
	case PTX_TOK_AND: return 2;
	case PTX_TOK_OR: return 1;
	default: return 0;
	}
}

/* Operators with a float form; false if `op` has none. */
static bool apply_f64(unsigned op, double a, double b, struct ptx_value *v)
{
	switch (op) {
	case '+': *v = from_f64(a + b); return true;
	case '-': *v = from_f64(a - b); return true;
	case '*': *v = from_f64(a * b); return true;
	case '/': *v = from_f64(a / b); return true;
	case '<': *v = from_int(a < b, false); return true;
	case '>': *v = from_int(a > b, false); return true;
	case PTX_TOK_LE: *v = from_int(a <= b, false); return true;
	case PTX_TOK_GE: *v = from_int(a >= b, false); return true;
	case PTX_TOK_EQ: *v = from_int(a == b, false); return true;
	case PTX_TOK_NE: *v = from_int(a != b, false); return true;
	default: return false;
	}
}

static uint64_t divide(uint64_t a, uint64_t b, bool is_unsigned, bool remainder)
{
	if (is_unsigned)
		return remainder ? a % b : a / b;
	if (b == UINT64_MAX) /* by -1: the most negative number wraps */
		return remainder ? 0 : 0 - a;
	return (uint64_t)(remainder ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

/* Shifting by 64 or more leaves nothing but the sign. */
static uint64_t shift(unsigned op, uint64_t a, uint64_t n, bool is_unsigned)
{
	if (op == PTX_TOK_SHL)
		return n > 63 ? 0 : a << n;
	if (is_unsigned)
		return n > 63 ? 0 : a >> n;
	return (uint64_t)((int64_t)a >> (n > 63 ? 63 : n));
}

static bool less(uint64_t a, uint64_t b, bool is_unsigned) { return is_unsigned ? a < b : (int64_t)a < (int64_t)b; }

static struct ptx_value apply_int(unsigned op, uint64_t a, uint64_t b, bool is_unsigned)
{
	switch (op) {
	case '+': return from_int(a + b, is_unsigned);
	case '-': return from_int(a - b, is_unsigned);
	case '*': return from_int(a * b, is_unsigned);
	case '/': return from_int(divide(a, b, is_unsigned, false), is_unsigned);
	case '%': return from_int(divide(a, b, is_unsigned, true), is_unsigned);
	case '&': return from_int(a & b, is_unsigned);
	case '^': return from_int(a ^ b, is_unsigned);
	case '|': return from_int(a | b, is_unsigned);
	case '<': return from_int(less(a, b, is_unsigned), false);
	case '>': return from_int(less(b, a, is_unsigned), false);
	case PTX_TOK_LE: return from_int(!less(b, a, is_unsigned), false);
	case PTX_TOK_GE: return from_int(!less(a, b, is_unsigned), false);
	case PTX_TOK_EQ: return from_int(a == b, false);
	case PTX_TOK_NE: return from_int(a != b, false);
	case PTX_TOK_AND: return from_int(a && b, false);
	default: return from_int(a || b, false);
	}
}

static bool apply_binary(struct ptx_parser *p, unsigned op, ptx_offset at, struct ptx_value *a,
			 const struct ptx_value *b)
{
	if (!is_int(a) && !is_int(b)) {
		if (op == '/' && ptx_value_f64(b) == 0) {
			ptx_parse_error(p, at, "division by zero in a constant expression");
			return false;
		}
		if (apply_f64(op, ptx_value_f64(a), ptx_value_f64(b), a))
			return true;
		return need_int(p, at, a) && need_int(p, at, b);
	}
	if (!is_int(a) || !is_int(b)) {
		ptx_parse_error(p, at, "an integer and a floating-point value in one operation: expected two of a kind");
		return false;
	}
	if (op == PTX_TOK_SHL || op == PTX_TOK_SHR) {
		a->bits = shift(op, a->bits, b->bits, a->kind == PTX_VALUE_U64);
		return true;
	}
	if ((op == '/' || op == '%') && !b->bits) {
		ptx_parse_error(p, at, "division by zero in a constant expression");
		return false;
	}
	*a = apply_int(op, a->bits, b->bits, a->kind == PTX_VALUE_U64 || b->kind == PTX_VALUE_U64);
	return true;
}

static bool parse_binary(struct ptx_parser *p, struct ptx_value *v, int least)
{
	if (!parse_unary(p, v))
		return false;
	for (;;) {
		unsigned op = p->tok.kind;
		ptx_offset at = p->tok.at;
		int level = precedence(op);
		struct ptx_value right;

		if (!level || level < least)
			return true;
		ptx_parse_advance(p);
		if (!parse_binary(p, &right, level + 1) || !apply_binary(p, op, at, v, &right))
			return false;
	}
}

static bool parse_ternary(struct ptx_parser *p, struct ptx_value *v)
{
	struct ptx_value yes, no;

	if (!parse_binary(p, v, 1))
		return false;
	ptx_offset at = p->tok.at;

	if (!ptx_parse_accept(p, '?'))
		return true;
	if (too_deep(p))
		return false;
	p->depth++;
	bool ok = parse_ternary(p, &yes) && ptx_parse_expect(p, ':', "':' of the conditional expression") &&
		  parse_ternary(p, &no);

	p->depth--;
	if (!ok || !need_int(p, at, v) || !need_int(p, at, &yes) || !need_int(p, at, &no))
		return false;
	*v = from_int(v->bits ? yes.bits : no.bits, yes.kind == PTX_VALUE_U64 || no.kind == PTX_VALUE_U64);
	return true;
}

bool ptx_parse_const(struct ptx_parser *p, struct ptx_value *v)
{
	if (p->tok.kind == PTX_TOK_FLOAT && p->tok.is_f32) {
		*v = (struct ptx_value){.kind = PTX_VALUE_F32_BITS, .bits = p->tok.bits};
		ptx_parse_advance(p);
		return true;
	}
	return parse_ternary(p, v);
}

bool ptx_parse_const_int(struct ptx_parser *p, struct ptx_value *v)
{
	ptx_offset at = p->tok.at;

	return ptx_parse_const(p, v) && need_int(p, at, v);
}
