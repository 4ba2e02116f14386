/* f32 and f64 abs, neg, min, max, copysign (PTX ISA "Floating-Point Instructions").
 *
 * abs and neg of f32 make NaNs canonical, of f64 keep their payload. min and max prefer the number if one operand is NaN, unless
 * .NaN; +0 is greater than -0. .xorsign.abs compares magnitudes and gives the result the product's sign. */
#include "exec/lanes_float.h"

#define F32_SIGN 0x80000000u
#define F64_SIGN UINT64_C(0x8000000000000000)

static inline uint32_t f32_canonical(uint32_t u) { return (u & ~F32_SIGN) > 0x7f800000u ? F32_NAN : u; }

LANES_HANDLER(abs_f32)
{
	const row_u32 *a = LANES_SRC(row_u32, i->a);
	if (i->flags & ISA_F_FTZ)
		LANES_PUT(row_u32, i->dst, f32_canonical(f32_flush_bits(a[l] & ~F32_SIGN)));
	else
		LANES_PUT(row_u32, i->dst, f32_canonical(a[l] & ~F32_SIGN));
}
LANES_HANDLER(neg_f32)
{
	const row_u32 *a = LANES_SRC(row_u32, i->a);
	if (i->flags & ISA_F_FTZ)
		LANES_PUT(row_u32, i->dst, f32_canonical(f32_flush_bits(a[l] ^ F32_SIGN)));
	else
		LANES_PUT(row_u32, i->dst, f32_canonical(a[l] ^ F32_SIGN));
}
LANES_OP1(abs_f64, row_u64, row_u64, a & ~F64_SIGN)
LANES_OP1(neg_f64, row_u64, row_u64, a ^ F64_SIGN)
/* the sign of a on b */
LANES_OP2(copysign_f32, row_u32, row_u32, row_u32, (a & F32_SIGN) | (b & ~F32_SIGN))
LANES_OP2(copysign_f64, row_u64, row_u64, row_u64, (a & F64_SIGN) | (b & ~F64_SIGN))

/* ---- min, max on the order of the bits: sign and magnitude as a two's complement number sorts as the values do, -0 below +0 ---- */
static inline int32_t order32(uint32_t u) { return (int32_t)(u ^ ((uint32_t)((int32_t)u >> 31) >> 1)); }
static inline int64_t order64(uint64_t u) { return (int64_t)(u ^ ((uint64_t)((int64_t)u >> 63) >> 1)); }
static inline bool nan32(uint32_t u) { return (u & ~F32_SIGN) > 0x7f800000u; }
static inline bool nan64(uint64_t u) { return (u & ~F64_SIGN) > UINT64_C(0x7ff0000000000000); }

static inline uint32_t min32(uint32_t a, uint32_t b)
{
	const uint32_t m = order32(a) < order32(b) ? a : b;
	return nan32(a) ? f32_canonical(b) : nan32(b) ? a : m;
}
static inline uint32_t max32(uint32_t a, uint32_t b)
{
	const uint32_t m = order32(a) > order32(b) ? a : b;
	return nan32(a) ? f32_canonical(b) : nan32(b) ? a : m;
}
/* both NaN: f64 payloads survive, as in arithmetic */
static inline uint64_t min64(uint64_t a, uint64_t b)
{
	const uint64_t m = order64(a) < order64(b) ? a : b;
	return nan64(a) ? (nan64(b) ? a | F64_QUIET : b) : nan64(b) ? a : m;
}
static inline uint64_t max64(uint64_t a, uint64_t b)
{
	const uint64_t m = order64(a) > order64(b) ? a : b;
	return nan64(a) ? (nan64(b) ? a | F64_QUIET : b) : nan64(b) ? a : m;
}
LANES_OP2(min_f64, row_u64, row_u64, row_u64, min64(a, b))
LANES_OP2(max_f64, row_u64, row_u64, row_u64, max64(a, b))

/* With modifiers or a third input. .xorsign.abs with three inputs takes the signs of all. */
static void modified(struct exec *x, const struct isa_insn *i, bool is_max)
{
	const unsigned n = ISA_REF_BASE(i->c) == ISA_BASE_NONE ? 2 : 3;
	const uint32_t refs[3] = {i->a, i->b, i->c};
	uint32_t t[LANES] LANES_ALIGNED, sign[LANES] LANES_ALIGNED, any_nan[LANES] LANES_ALIGNED;
	for (unsigned k = 0; k < n; k++) {
		const row_u32 *s = LANES_SRC(row_u32, refs[k]);
		uint32_t v[LANES] LANES_ALIGNED;
		LANES_LOOP v[l] = (i->flags & ISA_F_FTZ) ? f32_flush_bits(s[l]) : s[l];
		LANES_LOOP sign[l] = k ? sign[l] ^ (v[l] & F32_SIGN) : v[l] & F32_SIGN;
		LANES_LOOP any_nan[l] = (k ? any_nan[l] : 0) | nan32(v[l]);
		if (i->flags & ISA_F_XORSIGN)
			LANES_LOOP v[l] &= ~F32_SIGN;
		if (k == 0)
			memcpy(t, v, sizeof(t));
		else if (is_max)
			LANES_LOOP t[l] = max32(t[l], v[l]);
		else
			LANES_LOOP t[l] = min32(t[l], v[l]);
	}
	if (i->flags & ISA_F_XORSIGN)
		LANES_LOOP t[l] = nan32(t[l]) ? F32_NAN : t[l] | sign[l];
	if (i->flags & ISA_F_NAN)
		LANES_LOOP t[l] = any_nan[l] ? F32_NAN : t[l];
	lanes_put32(x, i->dst, t);
}

#define MODIFIED(i) __builtin_expect((i)->flags || ISA_REF_BASE((i)->c) != ISA_BASE_NONE, 0)
#define MINMAX_F32(op, is_max)                                                                 \
	LANES_HANDLER(op##_f32)                                                                \
	{                                                                                      \
		if (MODIFIED(i)) {                                                             \
			modified(x, i, is_max);                                                \
			return;                                                                \
		}                                                                              \
		const row_u32 *a = LANES_SRC(row_u32, i->a), *b = LANES_SRC(row_u32, i->b);    \
		LANES_PUT(row_u32, i->dst, op##32(a[l], b[l]));                                \
	}
MINMAX_F32(min, false)
MINMAX_F32(max, true)
