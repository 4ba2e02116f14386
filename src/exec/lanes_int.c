/* Integer arithmetic: add, sub, mul, mad, min, max, abs, neg, sad of 16, 32 and 64 bits (PTX ISA "Integer Arithmetic
 * Instructions"). Results wrap; what doesn't depend on the sign is written once, for the unsigned type. */
#include "exec/lanes.h"

/* ---- add, sub ---- */
LANES_OP2(add_s16, row_u16, row_u16, row_u16, a + b)
LANES_OP2(add_s32, row_u32, row_u32, row_u32, a + b)
LANES_OP2(add_s64, row_u64, row_u64, row_u64, a + b)
LANES_OP2(sub_s16, row_u16, row_u16, row_u16, a - b)
LANES_OP2(sub_s32, row_u32, row_u32, row_u32, a - b)
LANES_OP2(sub_s64, row_u64, row_u64, row_u64, a - b)
/* two halves: the low carry must not reach the high half */
LANES_OP2(add_s16x2, row_u32, row_u32, row_u32, ((a + b) & 0xffffu) | ((a & 0xffff0000u) + (b & 0xffff0000u)))

/* The sum r of a and b clamped to s32: it overflowed if both operands have the sign that r has not. */
static inline uint32_t clamp_sum(uint32_t a, uint32_t b, uint32_t r)
{
	const uint32_t limit = 0x7fffffffu + (a >> 31);
	return (int32_t)((a ^ r) & (b ^ r)) < 0 ? limit : r;
}
static inline uint32_t add_sat(uint32_t a, uint32_t b) { return clamp_sum(a, b, a + b); }
static inline uint32_t sub_sat(uint32_t a, uint32_t b)
{
	const uint32_t r = a - b;
	return (int32_t)((a ^ b) & (a ^ r)) < 0 ? 0x7fffffffu + (a >> 31) : r;
}
LANES_OP2(add_sat_s32, row_u32, row_u32, row_u32, add_sat(a, b))
LANES_OP2(sub_sat_s32, row_u32, row_u32, row_u32, sub_sat(a, b))

/* ---- mul, mad ---- */
/* 64 bits in 32-bit pieces, which multiply in vectors; a signed product is the unsigned one less what the signs added */
static inline uint64_t mul_hi_u64(uint64_t a, uint64_t b)
{
	const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	const uint64_t low = al * bl, cross = ah * bl + (low >> 32), middle = al * bh + (uint32_t)cross;
	return ah * bh + (cross >> 32) + (middle >> 32);
}
static inline uint64_t mul_hi_s64(uint64_t a, uint64_t b)
{
	return mul_hi_u64(a, b) - (a & (uint64_t)((int64_t)b >> 63)) - (b & (uint64_t)((int64_t)a >> 63));
}
static inline uint32_t mul_hi_u32(uint32_t a, uint32_t b) { return (uint32_t)(((uint64_t)a * b) >> 32); }
static inline uint32_t mul_hi_s32(uint32_t a, uint32_t b)
{
	return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32);
}
static inline uint16_t mul_hi_u16(uint16_t a, uint16_t b) { return (uint16_t)(((uint32_t)a * b) >> 16); }
static inline int16_t mul_hi_s16(int16_t a, int16_t b) { return (int16_t)(((int32_t)a * b) >> 16); }

LANES_OP2(mul_lo_s16, row_u16, row_u16, row_u16, (uint32_t)a * b)
LANES_OP2(mul_lo_s32, row_u32, row_u32, row_u32, a * b)
LANES_OP2(mul_lo_s64, row_u64, row_u64, row_u64, a * b)
LANES_OP2(mul_hi_u16, row_u16, row_u16, row_u16, mul_hi_u16(a, b))
LANES_OP2(mul_hi_s16, row_s16, row_s16, row_s16, mul_hi_s16(a, b))
LANES_OP2(mul_hi_u32, row_u32, row_u32, row_u32, mul_hi_u32(a, b))
LANES_OP2(mul_hi_s32, row_u32, row_u32, row_u32, mul_hi_s32(a, b))
LANES_OP2(mul_hi_u64, row_u64, row_u64, row_u64, mul_hi_u64(a, b))
LANES_OP2(mul_hi_s64, row_u64, row_u64, row_u64, mul_hi_s64(a, b))
LANES_OP2(mul_wide_u16, row_u32, row_u16, row_u16, (uint32_t)a * b)
LANES_OP2(mul_wide_s16, row_u32, row_s16, row_s16, (int32_t)a * b)
LANES_OP2(mul_wide_u32, row_u64, row_u32, row_u32, (uint64_t)a * b)
LANES_OP2(mul_wide_s32, row_u64, row_s32, row_s32, (int64_t)a * b)

LANES_OP3(mad_lo_s16, row_u16, row_u16, row_u16, row_u16, (uint32_t)a * b + c)
LANES_OP3(mad_lo_s32, row_u32, row_u32, row_u32, row_u32, a * b + c)
LANES_OP3(mad_lo_s64, row_u64, row_u64, row_u64, row_u64, a * b + c)
LANES_OP3(mad_hi_u16, row_u16, row_u16, row_u16, row_u16, mul_hi_u16(a, b) + c)
LANES_OP3(mad_hi_s16, row_u16, row_s16, row_s16, row_u16, (uint32_t)mul_hi_s16(a, b) + c)
LANES_OP3(mad_hi_u32, row_u32, row_u32, row_u32, row_u32, mul_hi_u32(a, b) + c)
LANES_OP3(mad_hi_s32, row_u32, row_u32, row_u32, row_u32, mul_hi_s32(a, b) + c)
LANES_OP3(mad_hi_u64, row_u64, row_u64, row_u64, row_u64, mul_hi_u64(a, b) + c)
LANES_OP3(mad_hi_s64, row_u64, row_u64, row_u64, row_u64, mul_hi_s64(a, b) + c)
LANES_OP3(mad_hi_sat_s32, row_u32, row_u32, row_u32, row_u32, add_sat(mul_hi_s32(a, b), c))
LANES_OP3(mad_wide_u16, row_u32, row_u16, row_u16, row_u32, (uint32_t)a * b + c)
LANES_OP3(mad_wide_s16, row_u32, row_s16, row_s16, row_u32, (uint32_t)((int32_t)a * b) + c)
LANES_OP3(mad_wide_u32, row_u64, row_u32, row_u32, row_u64, (uint64_t)a * b + c)
LANES_OP3(mad_wide_s32, row_u64, row_s32, row_s32, row_u64, (uint64_t)((int64_t)a * b) + c)

/* ---- 24 bits: the operands' upper 8 bits are not looked at ---- */
static inline int64_t wide24_s(uint32_t a, uint32_t b)
{
	return (int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8);
}
static inline uint64_t wide24_u(uint32_t a, uint32_t b) { return (uint64_t)(a & 0xffffffu) * (b & 0xffffffu); }

LANES_OP2(mul24_lo_s32, row_u32, row_u32, row_u32, (uint64_t)wide24_s(a, b))
LANES_OP2(mul24_lo_u32, row_u32, row_u32, row_u32, wide24_u(a, b))
LANES_OP2(mul24_hi_s32, row_u32, row_u32, row_u32, (uint64_t)wide24_s(a, b) >> 16)
LANES_OP2(mul24_hi_u32, row_u32, row_u32, row_u32, wide24_u(a, b) >> 16)
LANES_OP3(mad24_lo_s32, row_u32, row_u32, row_u32, row_u32, (uint32_t)wide24_s(a, b) + c)
LANES_OP3(mad24_lo_u32, row_u32, row_u32, row_u32, row_u32, (uint32_t)wide24_u(a, b) + c)
LANES_OP3(mad24_hi_s32, row_u32, row_u32, row_u32, row_u32, (uint32_t)((uint64_t)wide24_s(a, b) >> 16) + c)
LANES_OP3(mad24_hi_u32, row_u32, row_u32, row_u32, row_u32, (uint32_t)(wide24_u(a, b) >> 16) + c)
LANES_OP3(mad24_hi_sat_s32, row_u32, row_u32, row_u32, row_u32, add_sat((uint32_t)((uint64_t)wide24_s(a, b) >> 16), c))

/* ---- abs, neg: the most negative value stays what it is ---- */
LANES_OP1(abs_s16, row_u16, row_u16, (a & 0x8000u) ? 0u - a : a)
LANES_OP1(abs_s32, row_u32, row_s32, a < 0 ? 0u - (uint32_t)a : (uint32_t)a)
LANES_OP1(abs_s64, row_u64, row_s64, a < 0 ? 0u - (uint64_t)a : (uint64_t)a)
LANES_OP1(neg_s16, row_u16, row_u16, 0u - a)
LANES_OP1(neg_s32, row_u32, row_u32, 0u - a)
LANES_OP1(neg_s64, row_u64, row_u64, 0u - a)

/* ---- min, max ---- */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MINMAX(type, row)                             \
	LANES_OP2(min_##type, row, row, row, MIN(a, b)) \
	LANES_OP2(max_##type, row, row, row, MAX(a, b))
/* 16 bits without a minimum the compiler recognises: gcc 12 breaks on a masked one at v4 (internal error in extract_insn) */
#define CHOOSE16(cond, a, b) ((b) ^ (((a) ^ (b)) & -(int)(cond)))
LANES_OP2(min_u16, row_u16, row_u16, row_u16, CHOOSE16(a < b, a, b))
LANES_OP2(max_u16, row_u16, row_u16, row_u16, CHOOSE16(a > b, a, b))
LANES_OP2(min_s16, row_s16, row_s16, row_s16, CHOOSE16(a < b, a, b))
LANES_OP2(max_s16, row_s16, row_s16, row_s16, CHOOSE16(a > b, a, b))
MINMAX(u32, row_u32)
MINMAX(s32, row_s32)
MINMAX(u64, row_u64)
MINMAX(s64, row_s64)
LANES_OP2(min_relu_s32, row_s32, row_s32, row_s32, ({ const int32_t r = MIN(a, b); MAX(r, 0); }))
LANES_OP2(max_relu_s32, row_s32, row_s32, row_s32, ({ const int32_t r = MAX(a, b); MAX(r, 0); }))

/* The halves of a packed register are 64 lanes of 16 bits; the pair loop keeps the row loop's shape. */
static inline uint32_t join(uint32_t low, uint32_t high) { return (low & 0xffffu) | high << 16; }
static inline int32_t low_s(uint32_t v) { return (int16_t)v; }
static inline int32_t high_s(uint32_t v) { return (int32_t)v >> 16; }
static inline uint32_t min_u16x2(uint32_t a, uint32_t b) { return join(MIN(a & 0xffffu, b & 0xffffu), MIN(a >> 16, b >> 16)); }
static inline uint32_t max_u16x2(uint32_t a, uint32_t b) { return join(MAX(a & 0xffffu, b & 0xffffu), MAX(a >> 16, b >> 16)); }
static inline uint32_t min_s16x2(uint32_t a, uint32_t b, int32_t floor)
{
	const int32_t l = MIN(low_s(a), low_s(b)), h = MIN(high_s(a), high_s(b));
	return join((uint32_t)MAX(l, floor), (uint32_t)MAX(h, floor));
}
static inline uint32_t max_s16x2(uint32_t a, uint32_t b, int32_t floor)
{
	const int32_t l = MAX(low_s(a), low_s(b)), h = MAX(high_s(a), high_s(b));
	return join((uint32_t)MAX(l, floor), (uint32_t)MAX(h, floor));
}
LANES_OP2(min_u16x2, row_u32, row_u32, row_u32, min_u16x2(a, b))
LANES_OP2(max_u16x2, row_u32, row_u32, row_u32, max_u16x2(a, b))
LANES_OP2(min_s16x2, row_u32, row_u32, row_u32, min_s16x2(a, b, INT16_MIN))
LANES_OP2(max_s16x2, row_u32, row_u32, row_u32, max_s16x2(a, b, INT16_MIN))
LANES_OP2(min_relu_s16x2, row_u32, row_u32, row_u32, min_s16x2(a, b, 0))
LANES_OP2(max_relu_s16x2, row_u32, row_u32, row_u32, max_s16x2(a, b, 0))

/* ---- sad: |a - b| + c ---- */
LANES_OP3(sad_u16, row_u16, row_u16, row_u16, row_u16, c + (a < b ? b - a : a - b))
LANES_OP3(sad_s16, row_u16, row_s16, row_s16, row_u16, c + (a < b ? b - a : a - b))
LANES_OP3(sad_u32, row_u32, row_u32, row_u32, row_u32, c + (a < b ? b - a : a - b))
LANES_OP3(sad_s32, row_u32, row_s32, row_s32, row_u32, c + (a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b))
LANES_OP3(sad_u64, row_u64, row_u64, row_u64, row_u64, c + (a < b ? b - a : a - b))
LANES_OP3(sad_s64, row_u64, row_s64, row_s64, row_u64, c + (a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b))
