/* f16 and bf16 lanes as f32 and f64, and rounding back. Both formats are subsets of f32, so widening is exact. */
#ifndef EXEC_LANES_HALF_H
#define EXEC_LANES_HALF_H

#include "exec/lanes_float.h"

#define F16_NAN 0x7fffu
#define BF16_NAN 0x7fffu
#define HALF_ONE(bf) ((bf) ? 0x3f80u : 0x3c00u)

/* Returns an f16 as f32; exact. */
static inline float f16_to_f32(uint32_t h)
{
	const uint32_t sign = (h & 0x8000u) << 16, rest = h & 0x7fffu;
	const float scaled = f32_from(rest << 13) * 0x1p112f;
	return f32_from((f32_bits(scaled) | (rest > 0x7bffu ? 0x7f800000u : 0u)) | sign);
}
/* Returns a bf16 as f32; exact. */
static inline float bf16_to_f32(uint32_t h) { return f32_from(h << 16); }

/* Returns an f16, a subnormal as a zero of its sign. */
static inline uint32_t f16_flush(uint32_t h) { return (h & 0x7c00u) ? h : h & 0x8000u; }
/* Returns a bf16, a subnormal as a zero of its sign. */
static inline uint32_t bf16_flush(uint32_t h) { return (h & 0x7f80u) ? h : h & 0x8000u; }

/* Returns an f32 rounded to the nearest even f16, a NaN as F16_NAN. */
static inline uint32_t f32_to_f16(float f)
{
	const uint32_t u = f32_bits(f), sign = u >> 16 & 0x8000u, rest = u & 0x7fffffffu;
	const uint32_t tiny = f32_bits(f32_from(rest < 0x38800000u ? rest : 0) + 0.5f) - 0x3f000000u;
	const uint32_t odd = rest >> 13 & 1;
	const uint32_t normal = (rest - 0x38000000u + 0xfffu + odd) >> 13;
	const uint32_t big = rest > 0x7f800000u ? F16_NAN : 0x7c00u;
	const uint32_t h = rest < 0x38800000u ? tiny : rest < 0x477ff000u ? normal : big;
	return rest > 0x7f800000u ? F16_NAN : h | sign;
}
/* Returns an f32 rounded to the nearest even bf16, a NaN as BF16_NAN. */
static inline uint32_t f32_to_bf16(float f)
{
	const uint32_t u = f32_bits(f);
	return f == f ? (u + 0x7fffu + (u >> 16 & 1)) >> 16 : BF16_NAN;
}

/* Returns an f64 rounded to odd as f32, so that it can be rounded once more to a half without a second error. */
static inline float f64_to_f32_odd(double d)
{
	const float f = (float)d;
	const double back = f;
	const uint32_t u = f32_bits(f);
	const uint32_t inexact = back < d || back > d ? 1u : 0u;
	const uint32_t away = (d > back) == (d > 0.0) ? 1 : UINT32_MAX;
	return f32_from(inexact & ~u & 1 ? u + away : u);
}

/* Converts a row of f16 (or with `bf` bf16) to f32; with `ftz` subnormals become zeros. */
static inline void half_load(const uint16_t LANES_ROW_TYPE *s, bool bf, bool ftz, float *t)
{
	if (bf) {
		if (ftz)
			LANES_LOOP t[l] = bf16_to_f32(bf16_flush(s[l]));
		else
			LANES_LOOP t[l] = bf16_to_f32(s[l]);
	} else {
		if (ftz)
			LANES_LOOP t[l] = f16_to_f32(f16_flush(s[l]));
		else
			LANES_LOOP t[l] = f16_to_f32(s[l]);
	}
}
/* Converts one half of each packed pair of a row to f32: the low half with shift 0, the high half with shift 16. */
static inline void half_load_pair(const uint32_t LANES_ROW_TYPE *s, unsigned shift, bool bf, bool ftz, float *t)
{
	uint16_t h[LANES] LANES_ALIGNED;
	LANES_LOOP h[l] = (uint16_t)(s[l] >> shift);
	half_load(h, bf, ftz, t);
}

#endif
