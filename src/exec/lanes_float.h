/* What the floating-point lane files share: canonical results, flushing, saturation, fused multiply-add at every level.
 *
 * PTX ISA "Floating-Point Instructions". f32 results that are NaN are 0x7fffffff. f64 keeps NaN payloads: the first operand that
 * is a NaN, made quiet; an invalid operation gives 0xfff8000000000000, which CUDA calls CUDART_NAN. .ftz flushes subnormal
 * operands and results to zeros of their sign; .sat clamps to [0, 1] and makes NaN +0. */
#ifndef EXEC_LANES_FLOAT_H
#define EXEC_LANES_FLOAT_H

#include "exec/lanes.h"

#define F32_NAN 0x7fffffffu
#define F64_NAN UINT64_C(0xfff8000000000000)
#define F64_QUIET UINT64_C(0x0008000000000000)

/* Returns the bit pattern of a float. */
static inline uint32_t f32_bits(float f)
{
	uint32_t u;
	memcpy(&u, &f, sizeof(u));
	return u;
}
/* Returns the float of a bit pattern. */
static inline float f32_from(uint32_t u)
{
	float f;
	memcpy(&f, &u, sizeof(f));
	return f;
}
/* Returns the bit pattern of a double. */
static inline uint64_t f64_bits(double f)
{
	uint64_t u;
	memcpy(&u, &f, sizeof(u));
	return u;
}
/* Returns the double of a bit pattern. */
static inline double f64_from(uint64_t u)
{
	double f;
	memcpy(&f, &u, sizeof(f));
	return f;
}

/* ---- f32 ---- */
/* Returns an f32 result's bits, a NaN as the canonical F32_NAN. */
static inline uint32_t f32_out(float r) { return r == r ? f32_bits(r) : F32_NAN; }
/* Returns the bits of an f32, a subnormal as a zero of its sign. */
static inline uint32_t f32_flush_bits(uint32_t u) { return (u & 0x7f800000u) ? u : u & 0x80000000u; }
/* Returns an f32, a subnormal as a zero of its sign. */
static inline float f32_flush(float f) { return f32_from(f32_flush_bits(f32_bits(f))); }
/* Returns an f32 result's bits for .ftz: a NaN as F32_NAN, a subnormal as a zero of its sign. */
static inline uint32_t f32_out_ftz(float r) { return r == r ? f32_flush_bits(f32_bits(r)) : F32_NAN; }
/* Returns an f32 clamped to [0, 1], a NaN as +0. */
static inline float f32_sat(float r) { return r > 0.0f ? (r < 1.0f ? r : 1.0f) : 0.0f; }

/* Writes a row of f32 results to the destination, with .sat and .ftz as the instruction says, NaNs as F32_NAN. */
static inline void lanes_store_f32(struct exec *x, const struct isa_insn *i, const float *t)
{
	uint32_t out[LANES] LANES_ALIGNED;
	if (i->flags & ISA_F_SAT)
		LANES_LOOP out[l] = f32_bits(f32_sat(t[l]));
	else
		LANES_LOOP out[l] = f32_out(t[l]);
	if (i->flags & ISA_F_FTZ)
		LANES_LOOP out[l] = f32_flush_bits(out[l]);
	lanes_put32(x, i->dst, out);
}

/* ---- f64 ---- */
/* Returns the bits of f64 result r of one operand; if r is NaN, the quieted operand if that is a NaN, else F64_NAN. */
static inline uint64_t f64_out1(double r, double a)
{
	return r == r ? f64_bits(r) : a != a ? f64_bits(a) | F64_QUIET : F64_NAN;
}
/* Returns the bits of f64 result r of two operands; if r is NaN, the first NaN operand, quieted, or F64_NAN. */
static inline uint64_t f64_out2(double r, double a, double b)
{
	const uint64_t nan = a != a ? f64_bits(a) | F64_QUIET : b != b ? f64_bits(b) | F64_QUIET : F64_NAN;
	return r == r ? f64_bits(r) : nan;
}
/* Returns the bits of f64 result r of three operands; if r is NaN, the first NaN operand, quieted, or F64_NAN. */
static inline uint64_t f64_out3(double r, double a, double b, double c)
{
	const uint64_t nan = c != c ? f64_bits(c) | F64_QUIET : F64_NAN;
	const uint64_t nan2 = b != b ? f64_bits(b) | F64_QUIET : nan;
	const uint64_t nan3 = a != a ? f64_bits(a) | F64_QUIET : nan2;
	return r == r ? f64_bits(r) : nan3;
}

/* ---- a * b + c in f64, rounded to odd: exact enough to be rounded once more to 51 bits or less without a second error. The
 * product must be exact in f64, as it is of two f32. (Boldo, Melquiond: Emulation of a FMA and correctly rounded sums.) */
/* Returns p + c rounded to odd, so that one more rounding to 51 bits or less has no second error. (Boldo, Melquiond: Emulation of a FMA and
 * correctly rounded sums.) */
static inline double f64_add_odd(double p, double c)
{
	const double s = p + c;
	const double part = s - p;
	const double error = (p - (s - part)) + (c - part);
	const uint64_t u = f64_bits(s);
	/* error is NaN where s isn't finite, and 0 where s is exact */
	const uint64_t inexact = error < 0.0 || error > 0.0 ? 1u : 0u;
	const uint64_t away = (error > 0.0) == (s > 0.0) ? 1 : UINT64_MAX;
	return f64_from(inexact & ~u & 1 ? u + away : u);
}

/* Returns a * b + c of f32, rounded once to nearest even; uses the hardware's instruction from level v3 on. */
static inline float f32_fma(float a, float b, float c)
{
#ifdef __FMA__
	return __builtin_fmaf(a, b, c);
#else
	return (float)f64_add_odd((double)a * b, c);
#endif
}

/* Returns d, exact or rounded to odd, as an f32 rounded toward zero. */
static inline float f32_toward_zero(double d)
{
	const float f = (float)d;
	return __builtin_fabs((double)f) > __builtin_fabs(d) ? f32_from(f32_bits(f) - 1) : f;
}
/* Returns d, exact or rounded to odd, as an f32 rounded down. d is the sum of p and c: an exact zero is -0 unless both are +0. */
static inline float f32_down(double d, double p, double c)
{
	const float f = (float)d;
	const uint32_t u = f32_bits(f), back = (u >> 31) ? u + 1 : u - 1;
	const uint32_t zero = (uint32_t)((f64_bits(p) | f64_bits(c)) >> 63) << 31;
	return d == 0.0 ? f32_from(zero) : (double)f > d ? f32_from(back) : f;
}
/* Returns d, exact or rounded to odd, as an f32 rounded up. */
static inline float f32_up(double d)
{
	const float f = (float)d;
	const uint32_t u = f32_bits(f), back = (u >> 31) ? u - 1 : u + 1;
	return (double)f < d ? f32_from(back) : f;
}

#define F32_MODIFIED(i) __builtin_expect(((i)->flags | ((i)->rnd >> 1)) != 0, 0) /* anything but plain .rn */
_Static_assert(ISA_RND_DEFAULT == 0 && ISA_RND_RN == 1 && ISA_RND_RZ == 2, "F32_MODIFIED tests rnd above 1");

#endif
