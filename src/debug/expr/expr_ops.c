/* Operators on values: C's promotions and conversions over PTX's types. */
#include <math.h>
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/view/view.h"

void value_decay(struct expr_value *v)
{
	if (v->is_object)
		value_object_decay(v);
	if (!v->is_array || v->is_string || v->place.kind != EXPR_MEMORY)
		return;
	struct expr_value p;
	value_pointer(&p, v->type, v->pointers + 1u, v->place.address);
	expr_value_free(v);
	*v = p;
}

static bool is_float(const struct expr_value *v) { return !v->pointers && isa_type_is_float(v->type); }

/* Type of an operand after C's integer promotions; bits count as signed. */
static enum isa_type promoted(const struct expr_value *v)
{
	if (v->pointers)
		return ISA_U64;
	if (isa_type_is_float(v->type))
		return v->type == ISA_F64 ? ISA_F64 : ISA_F32;
	if (v->type == ISA_B128)
		return ISA_B128;
	unsigned n = isa_type_bytes(v->type);
	bool is_unsigned = isa_type_info[v->type].cls == ISA_CLASS_UNSIGNED;
	if (n < 4)
		return ISA_S32;
	return n == 4 ? is_unsigned ? ISA_U32 : ISA_S32 : is_unsigned ? ISA_U64 : ISA_S64;
}

static enum isa_type common_type(const struct expr_value *a, const struct expr_value *b)
{
	enum isa_type s = promoted(a), t = promoted(b);
	if (s == ISA_F64 || t == ISA_F64)
		return ISA_F64;
	if (s == ISA_F32 || t == ISA_F32)
		return ISA_F32;
	if (s == ISA_B128 || t == ISA_B128)
		return ISA_B128;
	if (isa_type_bytes(s) != isa_type_bytes(t))
		return isa_type_bytes(s) > isa_type_bytes(t) ? s : t;
	return s == ISA_U32 || s == ISA_U64 ? s : t;
}

static bool number_operands(const struct expr_value *a, const struct expr_value *b, struct text *why)
{
	if (a->is_missing || b->is_missing)
		return debug_fail(why, "value has been optimized out");
	if ((value_is_number(a) || a->pointers) && (value_is_number(b) || b->pointers))
		return true;
	return debug_fail(why, (a->type == ISA_NOTYPE && !a->is_object) || (b->type == ISA_NOTYPE && !b->is_object)
				       ? "an operand has no value (it is void)"
				       : "Argument to arithmetic operation not a number or boolean.");
}

static void truth(struct expr_value *out, bool v) { value_int(out, ISA_S32, v); }

static bool is_comparison(enum expr_op op) { return op >= OP_EQ && op <= OP_GE; }

static bool compare_result(enum expr_op op, bool less, bool equal, bool unordered)
{
	switch (op) {
	case OP_EQ: return equal;
	case OP_NE: return !equal;
	case OP_LT: return less;
	case OP_LE: return less || equal;
	case OP_GT: return !less && !equal && !unordered;
	default: return !less && !unordered;
	}
}

static bool float_binary(enum expr_op op, enum isa_type t, double a, double b, struct expr_value *out, struct text *why)
{
	if (is_comparison(op)) {
		truth(out, compare_result(op, a < b, a == b, isnan(a) || isnan(b)));
		return true;
	}
	switch (op) {
	case OP_ADD: value_float(out, t, a + b); return true;
	case OP_SUB: value_float(out, t, a - b); return true;
	case OP_MUL: value_float(out, t, a * b); return true;
	case OP_DIV: value_float(out, t, a / b); return true;
	default: return debug_fail(why, "Integer-only operation on floating point number.");
	}
}

static bool divide(enum expr_op op, bool is_signed, uint64_t a, uint64_t b, uint64_t *r, struct text *why)
{
	if (!b)
		return debug_fail(why, "Division by zero");
	if (is_signed && b == UINT64_MAX)
		*r = op == OP_DIV ? -a : 0;
	else if (is_signed)
		*r = (uint64_t)(op == OP_DIV ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
	else
		*r = op == OP_DIV ? a / b : a % b;
	return true;
}

static bool integer_binary(enum expr_op op, enum isa_type t, uint64_t a, uint64_t b, struct expr_value *out,
			   struct text *why)
{
	bool is_signed = isa_type_info[t].cls != ISA_CLASS_UNSIGNED;
	uint64_t r = 0;
	if (is_comparison(op)) {
		bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
		truth(out, compare_result(op, less, a == b, false));
		return true;
	}
	switch (op) {
	case OP_ADD: r = a + b; break;
	case OP_SUB: r = a - b; break;
	case OP_MUL: r = a * b; break;
	case OP_AND: r = a & b; break;
	case OP_OR: r = a | b; break;
	case OP_XOR: r = a ^ b; break;
	case OP_DIV:
	case OP_REM:
		if (!divide(op, is_signed, a, b, &r, why))
			return false;
		break;
	default: return debug_fail(why, "an operator doesn't fit its operands");
	}
	value_int(out, t, r);
	return true;
}

static bool shift_binary(enum expr_op op, const struct expr_value *a, const struct expr_value *b,
			 struct expr_value *out, struct text *why)
{
	if (is_float(a) || is_float(b))
		return debug_fail(why, "Integer-only operation on floating point number.");
	enum isa_type t = promoted(a);
	unsigned width = 8 * isa_type_bytes(t);
	bool is_signed = isa_type_info[t].cls != ISA_CLASS_UNSIGNED;
	int64_t n = b->u.s64;
	if (n < 0)
		return debug_fail(why, "a negative shift count");
	if ((uint64_t)n >= width)
		value_int(out, t, op == OP_SHR && is_signed && a->u.s64 < 0 ? UINT64_MAX : 0);
	else if (op == OP_SHL)
		value_int(out, t, a->u.u64 << n);
	else
		value_int(out, t, is_signed ? (uint64_t)(a->u.s64 >> n) : a->u.u64 >> n);
	return true;
}

static bool pointer_binary(enum expr_op op, const struct expr_value *a, const struct expr_value *b,
			   struct expr_value *out, struct text *why)
{
	const struct expr_value *p = a->pointers ? a : b, *i = a->pointers ? b : a;
	struct expr_value element = *p;
	element.pointers--;
	uint64_t size = p->c ? ctype_bytes(ctype_value(p->c)->target) : value_element_bytes(&element);
	if (!size || size > INT64_MAX)
		return debug_fail(why, "the size of what is pointed to is unknown");
	if (is_float(i))
		return debug_fail(why, "Argument to arithmetic operation not a number or boolean.");
	if (a->pointers && b->pointers) {
		if (op != OP_SUB)
			return debug_fail(why, "Argument to arithmetic operation not a number or boolean.");
		value_int(out, ISA_S64, (uint64_t)((int64_t)(a->u.u64 - b->u.u64) / (int64_t)size));
		return true;
	}
	if (op != OP_ADD && (op != OP_SUB || p != a))
		return debug_fail(why, "Argument to arithmetic operation not a number or boolean.");
	uint64_t offset = i->u.u64 * size;
	value_pointer(out, p->type, p->pointers, op == OP_ADD ? p->u.u64 + offset : p->u.u64 - offset);
	out->c = p->c && ctype_core(p->c)->kind == CTYPE_REFERENCE ? ctype_core(p->c)->target : p->c;
	return true;
}

static bool wide_binary(enum expr_op op, const struct expr_value *a, const struct expr_value *b, struct expr_value *out,
			struct text *why)
{
	uint64_t x[2] = {a->u.w[0], a->u.w[1]}, y[2] = {b->u.w[0], b->u.w[1]};
	if (op == OP_EQ || op == OP_NE) {
		truth(out, (x[0] == y[0] && x[1] == y[1]) == (op == OP_EQ));
		return true;
	}
	if (op != OP_AND && op != OP_OR && op != OP_XOR)
		return debug_fail(why, "128-bit values have no arithmetic, only == != & | ^");
	value_int(out, ISA_B128, 0);
	for (int k = 0; k < 2; k++)
		out->u.w[k] = op == OP_AND ? x[k] & y[k] : op == OP_OR ? x[k] | y[k] : x[k] ^ y[k];
	return true;
}

bool value_binary(enum expr_op op, struct expr_value *a, struct expr_value *b, struct expr_value *out, struct text *why)
{
	if (op == OP_LT && a->is_function) /* rather half a name that was not understood, tmpl<3> + 1 */
		return debug_fail(
			why,
			"a function can't be compared with <; template arguments belong to a name before ::, as in "
			"tmpl<3>::A, and where the name ends");
	value_decay(a);
	value_decay(b);
	if (!number_operands(a, b, why))
		return false;
	if ((a->pointers || b->pointers) && !is_comparison(op) && (op == OP_ADD || op == OP_SUB))
		return pointer_binary(op, a, b, out, why);
	if (op == OP_SHL || op == OP_SHR)
		return shift_binary(op, a, b, out, why);
	enum isa_type t = common_type(a, b);
	if (!value_convert(a, t, 0, why) || !value_convert(b, t, 0, why))
		return false;
	if (isa_type_is_float(t))
		return float_binary(op, t, a->u.f64, b->u.f64, out, why);
	return t == ISA_B128 ? wide_binary(op, a, b, out, why) : integer_binary(op, t, a->u.u64, b->u.u64, out, why);
}

bool value_unary(enum expr_op op, struct expr_value *a, struct expr_value *out, struct text *why)
{
	value_decay(a);
	if (!number_operands(a, a, why))
		return false;
	if (op == OP_NOT) {
		truth(out, !expr_value_is_true(a));
		return true;
	}
	enum isa_type t = promoted(a);
	if (a->pointers || t == ISA_B128)
		return debug_fail(why, "Argument to arithmetic operation not a number or boolean.");
	if (!value_convert(a, t, 0, why))
		return false;
	if (isa_type_is_float(t)) {
		if (op == OP_INVERT)
			return debug_fail(why, "Argument to complement operation not an integer, boolean.");
		value_float(out, t, op == OP_NEG ? -a->u.f64 : a->u.f64);
		return true;
	}
	value_int(out, t, op == OP_NEG ? -a->u.u64 : op == OP_INVERT ? ~a->u.u64 : a->u.u64);
	return true;
}
