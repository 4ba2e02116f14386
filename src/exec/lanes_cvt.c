/* cvt, the pairs that programs use: each has its own loop. What has a modifier, or a register wider than the type, goes to the general
 * cvt (lanes_cvt_any.c). PTX ISA "cvt": float to integer saturates; NaN becomes 0, but for
 * sources of 64 bits and destinations of 64 bits, which make it the type's top bit alone. */
#include "exec/lanes_half.h"

/* Registers of 8-bit types are 16 bits wide. */
#define WIDTH_IS(bytes, n) ((n) == 2 ? (bytes) <= 2 : (bytes) == (n))
#define FITS(i, D, A) __builtin_expect(WIDTH_IS((i)->dst_bytes, D) && WIDTH_IS((i)->a_bytes, A), 1)
#define PLAIN(i, D, A) (FITS(i, D, A) && __builtin_expect((i)->flags == 0, 1))

/* E in a, with the loop's row types; C: the condition under which this is the whole story */
#define CVT_IF(name, TD, TA, C, E)                                               \
	LANES_HANDLER(name)                                                      \
	{                                                                        \
		if (!(C)) {                                                      \
			LANES_NAME(exec_h_cvt)(x, i);                            \
			return;                                                  \
		}                                                                \
		const TA *row_a = LANES_SRC(TA, i->a);                           \
		LANES_PUT(TD, i->dst, ({ const TA a = row_a[l]; E; }));          \
	}
#define CVT(name, TD, TA, E) CVT_IF(name, TD, TA, PLAIN(i, sizeof(TD), sizeof(TA)), E)

/* ---- integer to integer ---- */
CVT(cvt_u64_u8, row_u64, row_u16, (uint8_t)a)
CVT(cvt_u64_s8, row_u64, row_u16, (uint64_t)(int8_t)a)
CVT(cvt_u64_u16, row_u64, row_u16, a)
CVT(cvt_u64_s16, row_u64, row_s16, (uint64_t)a)
CVT(cvt_u64_u32, row_u64, row_u32, a)
CVT(cvt_u64_s32, row_u64, row_s32, (uint64_t)a)
CVT(cvt_u64_u64, row_u64, row_u64, a)
CVT(cvt_u32_u8, row_u32, row_u16, (uint8_t)a)
CVT(cvt_u32_s8, row_u32, row_u16, (uint32_t)(int8_t)a)
CVT(cvt_u32_u16, row_u32, row_u16, a)
CVT(cvt_u32_s16, row_u32, row_s16, (uint32_t)a)
CVT(cvt_u32_u32, row_u32, row_u32, a)
CVT(cvt_u32_u64, row_u32, row_u64, a)
CVT(cvt_u16_u8, row_u16, row_u16, (uint8_t)a)
CVT(cvt_u16_s8, row_u16, row_u16, (uint16_t)(int8_t)a)
CVT(cvt_u16_u16, row_u16, row_u16, a)
CVT(cvt_u16_u32, row_u16, row_u32, a)
CVT(cvt_u16_u64, row_u16, row_u64, a)
CVT(cvt_u8_u16, row_u16, row_u16, a & 0xffu)
CVT(cvt_u8_u32, row_u16, row_u32, (uint8_t)a)
CVT(cvt_u8_u64, row_u16, row_u64, (uint8_t)a)
CVT(cvt_s8_u16, row_u16, row_u16, ((a & 0xffu) ^ 0x80u) - 0x80u)
CVT(cvt_s8_u32, row_u16, row_u32, (uint16_t)(int8_t)a)
CVT(cvt_s8_u64, row_u16, row_u64, (uint16_t)(int8_t)a)

/* ---- integer to float, nearest ---- */
CVT(cvt_rn_f32_u8, row_f32, row_u16, (float)(uint8_t)a)
CVT(cvt_rn_f32_s8, row_f32, row_u16, (float)(int8_t)a)
CVT(cvt_rn_f32_u16, row_f32, row_u16, (float)a)
CVT(cvt_rn_f32_s16, row_f32, row_s16, (float)a)
CVT(cvt_rn_f32_u32, row_f32, row_u32, (float)a)
CVT(cvt_rn_f32_s32, row_f32, row_s32, (float)a)
CVT(cvt_rn_f32_u64, row_f32, row_u64, (float)a)
CVT(cvt_rn_f32_s64, row_f32, row_s64, (float)a)
CVT(cvt_rn_f64_u8, row_f64, row_u16, (double)(uint8_t)a)
CVT(cvt_rn_f64_s8, row_f64, row_u16, (double)(int8_t)a)
CVT(cvt_rn_f64_u16, row_f64, row_u16, (double)a)
CVT(cvt_rn_f64_s16, row_f64, row_s16, (double)a)
CVT(cvt_rn_f64_u32, row_f64, row_u32, (double)a)
CVT(cvt_rn_f64_s32, row_f64, row_s32, (double)a)
CVT(cvt_rn_f64_u64, row_f64, row_u64, (double)a)
CVT(cvt_rn_f64_s64, row_f64, row_s64, (double)a)

/* ---- float to integer: r is the rounded value; what is out of range or NaN must not reach the conversion ---- */
static inline uint32_t f32_to_s32(float r)
{
	const float in = r > -0x1p31f && r < 0x1p31f ? r : 0.0f;
	const int32_t v = (int32_t)in;
	return r >= 0x1p31f ? 0x7fffffffu : r <= -0x1p31f ? 0x80000000u : (uint32_t)v;
}
static inline uint32_t f32_to_u32(float r)
{
	const float in = r > 0.0f && r < 0x1p32f ? r : 0.0f;
	const bool high = in >= 0x1p31f;
	const int32_t v = (int32_t)(high ? in - 0x1p31f : in);
	return r >= 0x1p32f ? UINT32_MAX : (uint32_t)v ^ (high ? 0x80000000u : 0u);
}
/* From here on NaN is INT_MIN, or the same bits unsigned. */
static inline uint32_t f64_to_s32(double r)
{
	const bool fits = r > -0x1p31 && r < 0x1p31;
	const int32_t v = (int32_t)(fits ? r : 0.0);
	return r >= 0x1p31 ? 0x7fffffffu : fits ? (uint32_t)v : 0x80000000u;
}
static inline uint32_t f64_to_u32(double r)
{
	const double in = r > 0.0 && r < 0x1p32 ? r : 0.0;
	const uint32_t v = (uint32_t)(int32_t)(in - 0x1p31) ^ 0x80000000u;
	return r >= 0x1p32 ? UINT32_MAX : r != r ? 0x80000000u : v;
}
static inline uint64_t f64_to_s64(double r)
{
	const bool fits = r > -0x1p63 && r < 0x1p63;
	const int64_t v = (int64_t)(fits ? r : 0.0);
	return r >= 0x1p63 ? INT64_MAX : (uint64_t)(fits ? v : INT64_MIN);
}
static inline uint64_t f64_to_u64(double r)
{
	const double in = r > 0.0 && r < 0x1p64 ? r : 0.0;
	const uint64_t v = in >= 0x1p63 ? (uint64_t)(int64_t)(in - 0x1p63) ^ (UINT64_C(1) << 63) : (uint64_t)(int64_t)in;
	return r >= 0x1p64 ? UINT64_MAX : r != r ? UINT64_C(1) << 63 : v;
}
#define CVT_TO_INT(rnd, round)                                                           \
	CVT(cvt_##rnd##_s32_f32, row_u32, row_f32, f32_to_s32(__builtin_##round##f(a)))   \
	CVT(cvt_##rnd##_u32_f32, row_u32, row_f32, f32_to_u32(__builtin_##round##f(a)))   \
	CVT(cvt_##rnd##_s64_f32, row_u64, row_f32, f64_to_s64(__builtin_##round##f(a)))   \
	CVT(cvt_##rnd##_u64_f32, row_u64, row_f32, f64_to_u64(__builtin_##round##f(a)))   \
	CVT(cvt_##rnd##_s32_f64, row_u32, row_f64, f64_to_s32(__builtin_##round(a)))      \
	CVT(cvt_##rnd##_u32_f64, row_u32, row_f64, f64_to_u32(__builtin_##round(a)))      \
	CVT(cvt_##rnd##_s64_f64, row_u64, row_f64, f64_to_s64(__builtin_##round(a)))      \
	CVT(cvt_##rnd##_u64_f64, row_u64, row_f64, f64_to_u64(__builtin_##round(a)))      \
	CVT(cvt_##rnd##_f32_f32, row_u32, row_f32, f32_out(__builtin_##round##f(a)))      \
	CVT(cvt_##rnd##_f64_f64, row_u64, row_f64, f64_out1(__builtin_##round(a), a))
/* rint rounds in the environment's direction, which is nearest even outside of round_*.c */
CVT_TO_INT(rni, rint)
CVT_TO_INT(rzi, trunc)
CVT_TO_INT(rmi, floor)
CVT_TO_INT(rpi, ceil)

/* ---- float to float ---- */
CVT_IF(cvt_sat_f32_f32, row_f32, row_f32, FITS(i, 4, 4), f32_sat(a))
CVT(cvt_f64_f32, row_u64, row_f32, f64_out1((double)a, (double)a))
CVT(cvt_rn_f32_f64, row_u32, row_f64, f32_out((float)a))
CVT(cvt_f32_f16, row_u32, row_u16, f32_out(f16_to_f32(a)))
CVT(cvt_f32_bf16, row_u32, row_u16, f32_out(bf16_to_f32(a)))
CVT(cvt_rn_f16_f32, row_u16, row_f32, f32_to_f16(a))
CVT(cvt_rn_bf16_f32, row_u16, row_f32, f32_to_bf16(a))
