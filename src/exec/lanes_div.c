/* Integer division and remainder. Division by zero is unspecified in the ISA: here, as in the code ptxas makes for it, all bits
 * are ones. INT_MIN / -1 wraps to INT_MIN, its remainder is 0. */
#include "exec/lanes.h"

/* Quotients of 32-bit numbers by way of double: a / b lies at least 1/b below the next integer, which is more than half a unit in
 * the last place of a quotient below 2^32, so truncating the rounded quotient is exact. */
static inline double to_double(uint32_t v) { return (double)(int32_t)(v ^ 0x80000000u) + 2147483648.0; }
static inline uint32_t quotient(uint32_t a, uint32_t b)
{
	const double q = __builtin_floor(to_double(a) / to_double(b == 0 ? 1 : b));
	return (uint32_t)(int32_t)(q - 2147483648.0) ^ 0x80000000u;
}
static inline uint32_t magnitude(uint32_t v) { return (v ^ (0u - (v >> 31))) + (v >> 31); }
static inline uint32_t with_sign(uint32_t v, uint32_t sign) { return (v ^ (0u - (sign >> 31))) + (sign >> 31); }

static inline uint32_t div_u(uint32_t a, uint32_t b) { return b == 0 ? UINT32_MAX : quotient(a, b); }
static inline uint32_t rem_u(uint32_t a, uint32_t b) { return b == 0 ? UINT32_MAX : a - quotient(a, b) * b; }
static inline uint32_t div_s(uint32_t a, uint32_t b)
{
	return b == 0 ? UINT32_MAX : with_sign(quotient(magnitude(a), magnitude(b)), a ^ b);
}
static inline uint32_t rem_s(uint32_t a, uint32_t b)
{
	const uint32_t ma = magnitude(a), mb = magnitude(b);
	return b == 0 ? UINT32_MAX : with_sign(ma - quotient(ma, mb) * mb, a);
}
LANES_OP2(div_u32, row_u32, row_u32, row_u32, div_u(a, b))
LANES_OP2(rem_u32, row_u32, row_u32, row_u32, rem_u(a, b))
LANES_OP2(div_s32, row_u32, row_u32, row_u32, div_s(a, b))
LANES_OP2(rem_s32, row_u32, row_u32, row_u32, rem_s(a, b))
LANES_OP2(div_u16, row_u16, row_u16, row_u16, div_u(a, b))
LANES_OP2(rem_u16, row_u16, row_u16, row_u16, rem_u(a, b))
LANES_OP2(div_s16, row_u16, row_s16, row_s16, div_s((uint32_t)(int32_t)a, (uint32_t)(int32_t)b))
LANES_OP2(rem_s16, row_u16, row_s16, row_s16, rem_s((uint32_t)(int32_t)a, (uint32_t)(int32_t)b))

/* 64 bits have no vector form; inactive lanes are skipped because each costs a division. */
static inline uint64_t div_s64(int64_t a, int64_t b)
{
	return b == 0 ? UINT64_MAX : b == -1 ? 0u - (uint64_t)a : (uint64_t)(a / b);
}
static inline uint64_t rem_s64(int64_t a, int64_t b) { return b == 0 ? UINT64_MAX : b == -1 ? 0 : (uint64_t)(a % b); }
#define DIV64(name, row, E)                                                      \
	LANES_HANDLER(name)                                                      \
	{                                                                        \
		const row *row_a = LANES_SRC(row, i->a), *row_b = LANES_SRC(row, i->b); \
		row_u64 *d = LANES_DST(row_u64, i->dst);                         \
		LANES_EACH(l, x->mask)                                           \
		{                                                                \
			const row a = row_a[l], b = row_b[l];                    \
			d[l] = E;                                                \
		}                                                                \
	}
DIV64(div_u64, row_u64, b == 0 ? UINT64_MAX : a / b)
DIV64(rem_u64, row_u64, b == 0 ? UINT64_MAX : a % b)
DIV64(div_s64, row_s64, div_s64(a, b))
DIV64(rem_s64, row_s64, rem_s64(a, b))
