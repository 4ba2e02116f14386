/* Arithmetic with a number for each lane, in loops of which the compiler makes vector instructions. */
#include "debug/expr/expr_rows.h"

#include <math.h>
#include <string.h>

#include "debug/expr/value.h"

static struct expr_value lane_value(const struct row *r, unsigned lane)
{
	struct expr_value v = {.type = r->type, .count = 1};
	const unsigned k = r->is_same ? 0 : lane;
	if (r->type == ISA_F32)
		v.u.f64 = (double)r->g[k];
	else
		v.u.u64 = r->type == ISA_S32 ? (uint64_t)(int64_t)(int32_t)r->n[k] : r->type == ISA_U32 ? r->n[k] : r->u[k];
	return v;
}

uint64_t row_integer(const struct row *r, unsigned lane) { return lane_value(r, lane).u.u64; }

void row_set(struct row *r, unsigned lane, const struct expr_value *v)
{
	r->type = v->type;
	if (row_is_narrow(v->type))
		r->n[lane] = (uint32_t)v->u.u64;
	else if (v->type == ISA_F32)
		r->g[lane] = (float)v->u.f64;
	else
		r->u[lane] = v->u.u64;
}

/* Gives all lanes what lane 0 has. */
static void spread(struct row *r)
{
	if (!r->is_same)
		return;
	r->is_same = false;
	const bool is_word = row_is_narrow(r->type) || r->type == ISA_F32;
	const uint32_t n = r->n[0];
	const uint64_t u = is_word ? 0 : r->u[0];
	for (unsigned k = 0; k < LANES && is_word; k++)
		r->n[k] = n;
	for (unsigned k = 0; k < LANES && !is_word; k++)
		r->u[k] = u;
}

/* ---- integers of 32 bits ---- */

/* Sets out[k] of each lane to a value in terms of k. The compiler makes vector instructions of it, as the number of lanes is known. */
#define EACH(value)                         \
	for (unsigned k = 0; k < LANES; k++) \
	out[k] = (value)

/* Compares 32-bit integers, whose order is that of unsigned ones after `sign` was inverted. */
static void compare_narrow(enum expr_op op, const uint32_t *restrict x, const uint32_t *restrict y, uint32_t sign, uint32_t *restrict out)
{
	switch (op) {
	case OP_EQ: EACH(x[k] == y[k]); break;
	case OP_NE: EACH(x[k] != y[k]); break;
	case OP_LT: EACH((x[k] ^ sign) < (y[k] ^ sign)); break;
	case OP_LE: EACH((x[k] ^ sign) <= (y[k] ^ sign)); break;
	case OP_GT: EACH((x[k] ^ sign) > (y[k] ^ sign)); break;
	default: EACH((x[k] ^ sign) >= (y[k] ^ sign)); break;
	}
}

/* Computes with 32-bit integers. Returns false for operations that need more than 32 bits or can fail. */
static bool compute_narrow(enum expr_op op, const uint32_t *restrict x, const uint32_t *restrict y, uint32_t *restrict out)
{
	switch (op) {
	case OP_ADD: EACH(x[k] + y[k]); break;
	case OP_SUB: EACH(x[k] - y[k]); break;
	case OP_MUL: EACH(x[k] * y[k]); break;
	case OP_AND: EACH(x[k] & y[k]); break;
	case OP_OR: EACH(x[k] | y[k]); break;
	case OP_XOR: EACH(x[k] ^ y[k]); break;
	default: return false;
	}
	return true;
}

/* Computes with integers of 32 bits, the most frequent case. Returns false for other types and operations. */
static bool narrow_rows(enum expr_op op, struct row *a, struct row *b, struct row *out)
{
	const bool is_signed = a->type == ISA_S32 && b->type == ISA_S32;
	if (!row_is_narrow(a->type) || !row_is_narrow(b->type))
		return false;
	out->type = is_signed || op_is_comparison(op) ? ISA_S32 : ISA_U32;
	out->is_same = a->is_same && b->is_same;
	spread(a);
	spread(b);
	if (!op_is_comparison(op))
		return compute_narrow(op, a->n, b->n, out->n);
	compare_narrow(op, a->n, b->n, is_signed ? 1u << 31 : 0, out->n);
	return true;
}

/* ---- floats ---- */

/* Compares floats; NaN is neither less than, equal to nor greater than anything. */
#define COMPARE(op)                                                                     \
	switch (op) {                                                                   \
	case OP_EQ: EACH(x[k] == y[k]); break;                                          \
	case OP_NE: EACH(x[k] < y[k] || x[k] > y[k] || isunordered(x[k], y[k])); break; \
	case OP_LT: EACH(x[k] < y[k]); break;                                           \
	case OP_LE: EACH(x[k] <= y[k]); break;                                          \
	case OP_GT: EACH(x[k] > y[k]); break;                                           \
	default: EACH(x[k] >= y[k]); break;                                             \
	}

static void compare_f32(enum expr_op op, const float *restrict x, const float *restrict y, uint32_t *restrict out)
{
	COMPARE(op)
}

static void compare_f64(enum expr_op op, const double *restrict x, const double *restrict y, uint32_t *restrict out)
{
	COMPARE(op)
}

/* Adds, subtracts or multiplies floats. f32 as such gives the bits that f64 rounded to f32 gives. */
#define COMPUTE(op)                              \
	switch (op) {                            \
	case OP_ADD: EACH(x[k] + y[k]); break;   \
	case OP_SUB: EACH(x[k] - y[k]); break;   \
	default: EACH(x[k] * y[k]); break;       \
	}

static void compute_f32(enum expr_op op, const float *restrict x, const float *restrict y, float *restrict out)
{
	COMPUTE(op)
}

static void compute_f64(enum expr_op op, const double *restrict x, const double *restrict y, double *restrict out)
{
	COMPUTE(op)
}
#undef EACH
#undef COMPARE
#undef COMPUTE

/* Converts a row of floats or 32-bit integers to f32 or f64, all lanes of it. */
static void convert(struct row *r, enum isa_type t)
{
	struct row to;
	if (r->type == t)
		return;
	if (t == ISA_F32 && r->type == ISA_F64)
		for (unsigned k = 0; k < LANES; k++)
			to.g[k] = (float)r->f[k];
	else if (t == ISA_F32 && r->type == ISA_S32)
		for (unsigned k = 0; k < LANES; k++)
			to.g[k] = (float)(int32_t)r->n[k];
	else if (t == ISA_F32)
		for (unsigned k = 0; k < LANES; k++)
			to.g[k] = (float)r->n[k];
	else if (r->type == ISA_F32)
		for (unsigned k = 0; k < LANES; k++)
			to.f[k] = (double)r->g[k];
	else if (r->type == ISA_S32)
		for (unsigned k = 0; k < LANES; k++)
			to.f[k] = (double)(int32_t)r->n[k];
	else
		for (unsigned k = 0; k < LANES; k++)
			to.f[k] = (double)r->n[k];
	r->type = t;
	if (t == ISA_F32)
		memcpy(r->g, to.g, sizeof r->g);
	else
		memcpy(r->f, to.f, sizeof r->f);
}

/* Converts a row of floats or 32-bit integers, and gives all lanes what lane 0 has if they are the same. */
static void convert_and_spread(struct row *r, enum isa_type t)
{
	if (r->is_same && r->type != t) {
		const double f = r->type == ISA_F32 ? (double)r->g[0] : r->type == ISA_F64 ? r->f[0] : r->type == ISA_S32 ? (double)(int32_t)r->n[0] : (double)r->n[0];
		row_set(r, 0, &(struct expr_value){.type = t, .u.f64 = f});
	}
	spread(r);
	convert(r, t);
}

/* Makes an f32 of the f64 that all lanes of `b` have, for comparing f32 with it: if f32 lacks that number, *op changes to the comparison with the neighbour that
 * gives the same result. Returns false for == and != with such a number. */
static bool as_f32(enum expr_op *op, struct row *b)
{
	const float f = (float)b->f[0];
	const bool is_less = (double)f < b->f[0], is_greater = (double)f > b->f[0];
	if ((is_less || is_greater) && (*op == OP_EQ || *op == OP_NE))
		return false;
	if (is_less)
		*op = *op == OP_GE ? OP_GT : *op == OP_LT ? OP_LE : *op;
	else if (is_greater)
		*op = *op == OP_GT ? OP_GE : *op == OP_LE ? OP_LT : *op;
	b->type = ISA_F32;
	b->g[0] = f;
	return true;
}

/* Computes with floats, or a float and an integer of 32 bits. Returns false for other types and operations. */
static bool float_rows(enum expr_op op, struct row *a, struct row *b, struct row *out)
{
	const bool first = isa_type_is_float(a->type), second = isa_type_is_float(b->type);
	if ((!first && !second) || (!first && !row_is_narrow(a->type)) || (!second && !row_is_narrow(b->type)) ||
	    (!op_is_comparison(op) && op != OP_ADD && op != OP_SUB && op != OP_MUL))
		return false;
	if (op_is_comparison(op) && a->type == ISA_F32 && b->type == ISA_F64 && b->is_same)
		as_f32(&op, b);
	const enum isa_type t = a->type == ISA_F64 || b->type == ISA_F64 ? ISA_F64 : ISA_F32;
	out->type = op_is_comparison(op) ? ISA_S32 : t;
	out->is_same = a->is_same && b->is_same;
	convert_and_spread(a, t);
	convert_and_spread(b, t);
	if (op_is_comparison(op) && t == ISA_F32)
		compare_f32(op, a->g, b->g, out->n);
	else if (op_is_comparison(op))
		compare_f64(op, a->f, b->f, out->n);
	else if (t == ISA_F32)
		compute_f32(op, a->g, b->g, out->g);
	else
		compute_f64(op, a->f, b->f, out->f);
	return true;
}

/* ---- all types ---- */

/* Computes lane by lane, as expr_eval does; once if the operands are the same in all lanes. `b` is NULL for an operator with one operand. */
static void rows_each(enum expr_op op, const struct row *a, const struct row *b, uint32_t lanes, struct row *out)
{
	struct text ignored = {0};
	out->is_same = a->is_same && (!b || b->is_same);
	LANES_EACH (lane, out->is_same ? 1u : lanes) {
		struct expr_value x = lane_value(a, lane), y, r = {0};
		if (b) {
			y = lane_value(b, lane);
			value_binary(op, &x, &y, &r, &ignored);
		} else {
			value_unary(op, &x, &r, &ignored);
		}
		row_set(out, lane, &r);
	}
	text_free(&ignored);
}

void row_binary(enum expr_op op, struct row *a, struct row *b, uint32_t lanes, struct row *out)
{
	if (!narrow_rows(op, a, b, out) && !float_rows(op, a, b, out))
		rows_each(op, a, b, lanes, out);
}

void row_unary(enum expr_op op, const struct row *a, uint32_t lanes, struct row *out) { rows_each(op, a, NULL, lanes, out); }

/* Returns a bit for each number that isn't zero: eight bytes that are 0 or 1 become eight bits by one multiplication. */
static uint32_t collapse(const uint32_t *n)
{
	uint8_t byte[LANES];
	uint32_t bits = 0;
	for (unsigned k = 0; k < LANES; k++)
		byte[k] = n[k] != 0;
	for (unsigned k = 0; k < LANES; k += 8) {
		uint64_t eight;
		memcpy(&eight, byte + k, sizeof eight);
		bits |= (uint32_t)(eight * UINT64_C(0x0102040810204080) >> 56) << k;
	}
	return bits;
}

static bool is_lane_true(const struct row *r, unsigned lane)
{
	return row_is_narrow(r->type) ? r->n[lane] != 0 : r->type == ISA_F32 ? r->g[lane] != 0 : isa_type_is_float(r->type) ? r->f[lane] != 0 : r->u[lane] != 0;
}

uint32_t row_true(const struct row *r)
{
	uint32_t fits = 0;
	if (r->is_same)
		return is_lane_true(r, 0) ? LANES_ALL : 0;
	if (row_is_narrow(r->type))
		return collapse(r->n);
	for (unsigned k = 0; k < LANES; k++)
		fits |= is_lane_true(r, k) ? lanes_bit(k) : 0;
	return fits;
}
