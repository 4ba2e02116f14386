/* What the floating-point instructions, conversions and comparisons of PTXPlus compute. Source: reference/ptxplus.md, chapters 5, 7 and 12. */
#include <math.h>

#include "exec/plus.h"
#include "exec/rounding.h"
#include "isa/opcodes.h"

static float f32_of(uint64_t v)
{
	const uint32_t bits = (uint32_t)v;
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}
static uint64_t bits_of_f32(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}
static double f64_of(uint64_t v)
{
	double d;
	memcpy(&d, &v, sizeof d);
	return d;
}
static uint64_t bits_of_f64(double d)
{
	uint64_t bits;
	memcpy(&bits, &d, sizeof bits);
	return bits;
}

/* ---- arithmetic ---- */

static const enum isa_round nearest = ISA_RND_RN;

static void round32(enum round_op op, enum isa_round rnd, const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *r)
{
	float fa[LANES], fb[LANES], fc[LANES], t[LANES];
	for (unsigned l = 0; l < LANES; l++) {
		fa[l] = f32_of(a[l]);
		fb[l] = b ? f32_of(b[l]) : 0;
		fc[l] = c ? f32_of(c[l]) : 0;
	}
	round_f32(op, rnd, fa, fb, fc, t);
	for (unsigned l = 0; l < LANES; l++)
		r[l] = bits_of_f32(t[l]);
}

static void round64(enum round_op op, enum isa_round rnd, const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *r)
{
	double fa[LANES], fb[LANES], fc[LANES], t[LANES];
	for (unsigned l = 0; l < LANES; l++) {
		fa[l] = f64_of(a[l]);
		fb[l] = b ? f64_of(b[l]) : 0;
		fc[l] = c ? f64_of(c[l]) : 0;
	}
	round_f64(op, rnd, fa, fb, fc, t);
	for (unsigned l = 0; l < LANES; l++)
		r[l] = bits_of_f64(t[l]);
}

typedef void rounded(enum round_op op, enum isa_round rnd, const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *r);

/* A product and a sum: mad rounds both, fma only the sum, except in 3.2.2. */
static void multiply_add(const struct isa_insn *i, bool exact, enum isa_round rnd, rounded *op, struct plus_values *v)
{
	if (i->opcode == ISA_OP_FMA && !exact) {
		op(ROUND_FMA, rnd, v->src[0], v->src[1], v->src[2], v->dst);
		return;
	}
	op(ROUND_MUL, rnd, v->src[0], v->src[1], NULL, v->dst);
	op(ROUND_ADD, rnd, v->dst, v->src[2], NULL, v->dst);
}

static float function32(unsigned opcode, float a)
{
	switch (opcode) {
	case ISA_OP_RCP: return 1.0f / a;
	case ISA_OP_SQRT: return sqrtf(a);
	case ISA_OP_RSQRT: return 1.0f / sqrtf(a);
	case ISA_OP_SIN: return sinf(a);
	case ISA_OP_COS: return cosf(a);
	case ISA_OP_EX2: return powf(2.0f, a);
	default: return log2f(a);
	}
}

static double function64(unsigned opcode, double a)
{
	switch (opcode) {
	case ISA_OP_RCP: return 1.0 / a;
	case ISA_OP_SQRT: return sqrt(a);
	case ISA_OP_RSQRT: return 1.0 / sqrt(a);
	case ISA_OP_SIN: return sin(a);
	case ISA_OP_COS: return cos(a);
	case ISA_OP_EX2: return pow(2.0, a);
	default: return log2(a);
	}
}

static void function(const struct isa_insn *i, struct plus_values *v)
{
	for (unsigned l = 0; l < LANES; l++) {
		const uint64_t a = v->src[0][l];
		if (i->type == ISA_F64)
			v->dst[l] = bits_of_f64(function64(i->opcode, f64_of(a)));
		else
			v->dst[l] = bits_of_f32(function32(i->opcode, f32_of(a)));
	}
}

/* A NaN gives way to a number. */
static double least(double a, double b, bool greatest)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return (a < b) != greatest ? a : b;
}

static bool lane_by_lane(const struct isa_insn *i, struct plus_values *v)
{
	const bool wide = i->type == ISA_F64;
	const uint64_t sign = UINT64_C(1) << (wide ? 63 : 31);
	for (unsigned l = 0; l < LANES; l++) {
		const uint64_t a = v->src[0][l], b = v->src[1][l];
		const double x = wide ? f64_of(a) : (double)f32_of(a), y = wide ? f64_of(b) : (double)f32_of(b);
		double r = 0;
		switch (i->opcode) {
		case ISA_OP_ABS: v->dst[l] = a & ~sign; continue;
		case ISA_OP_NEG: v->dst[l] = a ^ sign; continue;
		case ISA_OP_MIN: r = least(x, y, false); break;
		case ISA_OP_MAX: r = least(x, y, true); break;
		default: return false;
		}
		v->dst[l] = wide ? bits_of_f64(r) : bits_of_f32((float)r);
	}
	return true;
}

/* .abs of the converter: the magnitudes of the sources. */
static void take_magnitudes(const struct isa_insn *i, struct plus_values *v)
{
	const uint64_t sign = UINT64_C(1) << (i->type == ISA_F64 ? 63 : 31);
	for (unsigned k = 0; k < ISA_PLUS_SOURCES; k++)
		for (unsigned l = 0; l < LANES && i->flags & ISA_F_ABS; l++)
			v->src[k][l] &= ~sign;
}

static void saturate(const struct isa_insn *i, struct plus_values *v)
{
	for (unsigned l = 0; l < LANES && i->flags & ISA_F_SAT; l++) {
		const double r = i->type == ISA_F64 ? f64_of(v->dst[l]) : (double)f32_of(v->dst[l]);
		const double in = r > 0 ? (r < 1 ? r : 1) : 0;
		v->dst[l] = i->type == ISA_F64 ? bits_of_f64(in) : bits_of_f32((float)in);
	}
}

static bool arithmetic(const struct isa_insn *i, bool exact, struct plus_values *v)
{
	rounded *const op = i->type == ISA_F64 ? round64 : round32;
	const enum isa_round rnd = i->rnd ? (enum isa_round)i->rnd : nearest;
	switch (i->opcode) {
	case ISA_OP_ADD:
	case ISA_OP_ADDP: op(ROUND_ADD, rnd, v->src[0], v->src[1], NULL, v->dst); return true;
	case ISA_OP_SUB: op(ROUND_SUB, rnd, v->src[0], v->src[1], NULL, v->dst); return true;
	case ISA_OP_MUL: op(ROUND_MUL, rnd, v->src[0], v->src[1], NULL, v->dst); return true;
	case ISA_OP_DIV: op(ROUND_DIV, rnd, v->src[0], v->src[1], NULL, v->dst); return true;
	case ISA_OP_MAD:
	case ISA_OP_MADP:
	case ISA_OP_FMA: multiply_add(i, exact, rnd, op, v); return true;
	case ISA_OP_RCP:
	case ISA_OP_SQRT:
	case ISA_OP_RSQRT:
	case ISA_OP_SIN:
	case ISA_OP_COS:
	case ISA_OP_EX2:
	case ISA_OP_LG2: function(i, v); return true;
	default: return lane_by_lane(i, v);
	}
}

bool plus_compute_float(const struct isa_insn *i, bool exact, struct plus_values *v)
{
	if (i->type != ISA_F32 && i->type != ISA_F64)
		return false;
	if (!exact) /* 3.2.2 looks at .abs in set only */
		take_magnitudes(i, v);
	const bool ok = arithmetic(i, exact, v);
	saturate(i, v);
	return ok;
}

/* ---- conversions ---- */

#define NAN_OF_CVT 0x7fffffffu /* GPGPU-Sim 3.2.2's */

static double rounded_to_integer(double d, unsigned rnd)
{
	switch (rnd) {
	case ISA_RND_RNI: return nearbyint(d);
	case ISA_RND_RMI: return floor(d);
	case ISA_RND_RPI: return ceil(d);
	default: return trunc(d);
	}
}

/* Floats convert to the nearest number of the type; NaN gives 0. */
static uint64_t integer_of(double d, unsigned type)
{
	const unsigned bits = plus_bits(type);
	if (isnan(d))
		return 0;
	if (!plus_is_signed(type)) {
		const double most = ldexp(1.0, (int)bits);
		return d <= 0 ? 0 : d >= most ? plus_mask(bits) : (uint64_t)d;
	}
	const double most = ldexp(1.0, (int)bits - 1);
	return (uint64_t)(d >= most ? (int64_t)plus_mask(bits - 1) : d < -most ? -(int64_t)plus_mask(bits - 1) - 1 : (int64_t)d);
}

static double float_source(uint64_t v, unsigned type)
{
	if (type == ISA_F64)
		return f64_of(v);
	const float f = f32_of(v);
	return fpclassify(f) == FP_SUBNORMAL ? copysign(0.0, (double)f) : (double)f;
}

static uint64_t from_float(const struct isa_insn *i, uint64_t v)
{
	double d = float_source(v, i->type2);
	if (i->flags & ISA_F_ABS)
		d = fabs(d);
	if (i->flags & ISA_F_SAT)
		d = d > 0 ? (d < 1 ? d : 1) : 0;
	const bool to_integral = i->rnd >= ISA_RND_RNI;
	if (!isa_type_is_float((enum isa_type)i->type))
		return integer_of(rounded_to_integer(d, i->rnd), i->type);
	if (to_integral)
		d = rounded_to_integer(d, i->rnd);
	if (i->type == ISA_F64)
		return bits_of_f64(d);
	if (isnan(d))
		return NAN_OF_CVT;
	double in[LANES] = {d};
	float out[LANES];
	round_f64_to_f32(i->type2 == ISA_F64 && i->rnd && !to_integral ? (enum isa_round)i->rnd : nearest, in, out);
	return bits_of_f32(out[0]);
}

static uint64_t from_integer(const struct isa_insn *i, uint64_t v)
{
	const unsigned bits = plus_bits(i->type2);
	int64_t s = plus_is_signed(i->type2) ? plus_signed(v, bits) : (int64_t)(v & plus_mask(bits));
	if (i->flags & ISA_F_ABS && s < 0)
		s = -(s + 1) + 1;
	if (i->type == ISA_F32 || i->type == ISA_F64) {
		int64_t in[LANES] = {s};
		const bool wide = !plus_is_signed(i->type2) && bits == 64;
		if (i->type == ISA_F64)
			return bits_of_f64(wide ? (double)(uint64_t)s : (double)s);
		float out[LANES];
		if (wide)
			round_u64_to_f32(i->rnd ? (enum isa_round)i->rnd : nearest, (const uint64_t *)in, out);
		else
			round_s64_to_f32(i->rnd ? (enum isa_round)i->rnd : nearest, in, out);
		return bits_of_f32(out[0]);
	}
	/* a signed source is extended; what is narrower than 32 bits is cut, cvt.s16 keeps its sign */
	const unsigned to = plus_bits(i->type);
	if (i->type == ISA_S16)
		return (uint64_t)plus_signed((uint64_t)s, 16) & UINT32_MAX;
	return (uint64_t)s & plus_mask(to);
}

bool plus_convert(const struct isa_insn *i, struct plus_values *v)
{
	const bool floats = i->type2 == ISA_F32 || i->type2 == ISA_F64;
	if (!plus_bits(i->type2) || i->type == ISA_F16 || i->type2 == ISA_F16 || i->type == ISA_FLAGS || i->type2 == ISA_FLAGS)
		return false;
	for (unsigned l = 0; l < LANES; l++)
		v->dst[l] = floats ? from_float(i, v->src[0][l]) : from_integer(i, v->src[0][l]);
	return true;
}

/* ---- comparisons ---- */

static bool is_unordered(double a, double b) { return isnan(a) || isnan(b); }

static bool compare_floats(unsigned cmp, double a, double b)
{
	switch (cmp) {
	case ISA_CMP_EQ: return a == b;
	case ISA_CMP_NE: return !is_unordered(a, b) && a != b;
	case ISA_CMP_LT: return a < b;
	case ISA_CMP_LE: return a <= b;
	case ISA_CMP_GT: return a > b;
	case ISA_CMP_GE: return a >= b;
	case ISA_CMP_EQU: return is_unordered(a, b) || a == b;
	case ISA_CMP_NEU: return is_unordered(a, b) || a != b;
	case ISA_CMP_LTU: return !(a >= b);
	case ISA_CMP_LEU: return !(a > b);
	case ISA_CMP_GTU: return !(a <= b);
	case ISA_CMP_GEU: return !(a < b);
	case ISA_CMP_NUM: return !is_unordered(a, b);
	default: return is_unordered(a, b);
	}
}

static bool compare_order(unsigned cmp, bool less, bool equal)
{
	switch (cmp) {
	case ISA_CMP_EQ:
	case ISA_CMP_EQU: return equal;
	case ISA_CMP_NE:
	case ISA_CMP_NEU: return !equal;
	case ISA_CMP_LT:
	case ISA_CMP_LO:
	case ISA_CMP_LTU: return less;
	case ISA_CMP_LE:
	case ISA_CMP_LS:
	case ISA_CMP_LEU: return less || equal;
	case ISA_CMP_GT:
	case ISA_CMP_HI:
	case ISA_CMP_GTU: return !less && !equal;
	default: return !less;
	}
}

static bool holds(const struct isa_insn *i, unsigned type, uint64_t a, uint64_t b)
{
	const bool magnitude = i->flags & ISA_F_ABS;
	if (type == ISA_F32)
		return compare_floats(i->cmp, magnitude ? fabsf(f32_of(a)) : f32_of(a), f32_of(b));
	if (type == ISA_F64)
		return compare_floats(i->cmp, magnitude ? fabs(f64_of(a)) : f64_of(a), f64_of(b));
	const unsigned bits = plus_bits(type);
	if (plus_is_signed(type)) {
		const int64_t x = plus_signed(a, bits), y = plus_signed(b, bits), m = magnitude && x < 0 ? -(x + 1) + 1 : x;
		return compare_order(i->cmp, m < y, m == y);
	}
	a &= plus_mask(bits);
	b &= plus_mask(bits);
	return compare_order(i->cmp, a < b, a == b);
}

static bool combine(const struct isa_insn *i, bool c, uint64_t predicate)
{
	const bool p = !(predicate & ISA_FLAG_ZERO);
	return i->boolop == ISA_BOOL_AND ? c && p : i->boolop == ISA_BOOL_OR ? c || p : i->boolop == ISA_BOOL_XOR ? c != p : c;
}

static void select_by_sign(const struct isa_insn *i, struct plus_values *v)
{
	for (unsigned l = 0; l < LANES; l++) {
		const uint64_t c = v->src[2][l];
		const bool first = i->type2 == ISA_F32 ? f32_of(c) >= 0 : (int32_t)c >= 0;
		v->dst[l] = v->src[first ? 0 : 1][l];
	}
}

bool plus_compare(const struct isa_insn *i, struct plus_values *v)
{
	if (i->opcode == ISA_OP_SLCT) {
		select_by_sign(i, v);
		return i->type2 == ISA_S32 || i->type2 == ISA_F32;
	}
	if (!plus_bits(i->type2) || !i->cmp)
		return false;
	const bool floats = isa_type_is_float((enum isa_type)i->type);
	const uint64_t yes = i->opcode == ISA_OP_SETP ? 0 : i->type == ISA_F64 ? bits_of_f64(1.0) : floats ? bits_of_f32(1.0f) : UINT32_MAX;
	const uint64_t no = i->opcode == ISA_OP_SETP ? ISA_FLAG_ZERO : 0;
	for (unsigned l = 0; l < LANES; l++) {
		const bool c = combine(i, holds(i, i->type2, v->src[0][l], v->src[1][l]), v->src[2][l]);
		v->dst[l] = c ? yes : no;
		v->second[l] = c ? no : yes;
	}
	return true;
}
