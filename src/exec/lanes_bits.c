/* Shifts and bit fields: shl, shr, shf, bfe, bfi, bmsk, szext, brev, popc, clz, bfind, fns, prmt (PTX ISA "Logic and Shift" and
 * "Integer Arithmetic Instructions"). Shift amounts are u32 and clamp at the width. */
#include "exec/lanes.h"

/* ---- shl, shr ---- */
LANES_OP2(shl_b16, row_u16, row_u16, row_u32, b > 15 ? 0u : (uint32_t)a << (b & 15))
LANES_OP2(shl_b32, row_u32, row_u32, row_u32, b > 31 ? 0u : a << (b & 31))
LANES_OP2(shl_b64, row_u64, row_u64, row_u32, ({ const uint64_t n = b; n > 63 ? UINT64_C(0) : a << (n & 63); }))
LANES_OP2(shr_u16, row_u16, row_u16, row_u32, b > 15 ? 0u : (uint32_t)a >> (b & 15))
LANES_OP2(shr_u32, row_u32, row_u32, row_u32, b > 31 ? 0u : a >> (b & 31))
LANES_OP2(shr_u64, row_u64, row_u64, row_u32, ({ const uint64_t n = b; n > 63 ? UINT64_C(0) : a >> (n & 63); }))
LANES_OP2(shr_s16, row_s16, row_s16, row_u32, (int32_t)a >> (b > 15 ? 15 : b))
LANES_OP2(shr_s32, row_s32, row_s32, row_u32, a >> (b > 31 ? 31 : b))
LANES_OP2(shr_s64, row_s64, row_s64, row_u32, a >> (b > 63 ? 63 : b))

/* ---- shf: 32 bits out of the 64 in b:a ---- */
static inline uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t n) { return (uint32_t)(((uint64_t)b << 32 | a) << n >> 32); }
static inline uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t n) { return (uint32_t)(((uint64_t)b << 32 | a) >> n); }
LANES_OP3(shf_l_wrap_b32, row_u32, row_u32, row_u32, row_u32, funnel_left(a, b, c & 31))
LANES_OP3(shf_r_wrap_b32, row_u32, row_u32, row_u32, row_u32, funnel_right(a, b, c & 31))
LANES_OP3(shf_l_clamp_b32, row_u32, row_u32, row_u32, row_u32, funnel_left(a, b, c > 32 ? 32 : c))
LANES_OP3(shf_r_clamp_b32, row_u32, row_u32, row_u32, row_u32, funnel_right(a, b, c > 32 ? 32 : c))

/* ---- bit fields ---- */
/* n low bits set, n of 0..64 */
static inline uint64_t ones(uint64_t n) { return ~(n > 63 ? UINT64_C(0) : UINT64_MAX << (n & 63)); }

/* Bits above the operand's msb read as the sign, so a 32-bit field is one of the sign-extended 64-bit operand; the field's
 * sign bit is the highest one that exists. */
static inline uint64_t extract_u(uint64_t a, uint64_t pos, uint64_t len) { return pos > 63 ? 0 : (a >> (pos & 63)) & ones(len); }
static inline uint64_t extract_s(int64_t a, uint64_t pos, uint64_t len)
{
	const int64_t v = a >> (pos > 63 ? 63 : pos);
	const uint64_t spare = len > 63 ? 0 : 64 - len;
	return len == 0 ? 0 : (uint64_t)((int64_t)((uint64_t)v << (spare & 63)) >> (spare & 63));
}
/* the same for 32 bits, where vectors have twice the lanes */
static inline uint32_t ones32(uint32_t n) { return ~(n > 31 ? 0u : UINT32_MAX << (n & 31)); }
static inline uint32_t extract_u32(uint32_t a, uint32_t pos, uint32_t len) { return (pos > 31 ? 0 : a >> (pos & 31)) & ones32(len); }
static inline uint32_t extract_s32(int32_t a, uint32_t pos, uint32_t len)
{
	const int32_t v = a >> (pos > 31 ? 31 : pos);
	const uint32_t spare = len > 31 ? 0 : 32 - len;
	return len == 0 ? 0 : (uint32_t)((int32_t)((uint32_t)v << (spare & 31)) >> (spare & 31));
}
LANES_OP3(bfe_u32, row_u32, row_u32, row_u32, row_u32, extract_u32(a, b & 255, c & 255))
LANES_OP3(bfe_s32, row_u32, row_s32, row_u32, row_u32, extract_s32(a, b & 255, c & 255))
LANES_OP3(bfe_u64, row_u64, row_u64, row_u32, row_u32, extract_u(a, b & 255, c & 255))
LANES_OP3(bfe_s64, row_u64, row_s64, row_u32, row_u32, extract_s(a, b & 255, c & 255))

/* bfi f, a, b, c, d: a's low d bits to position c of b */
static inline uint64_t insert(uint64_t a, uint64_t b, uint64_t pos, uint64_t len)
{
	const uint64_t field = pos > 63 ? 0 : ones(len) << (pos & 63);
	return (b & ~field) | ((a << (pos & 63)) & field);
}
static inline uint32_t insert32(uint32_t a, uint32_t b, uint32_t pos, uint32_t len)
{
	const uint32_t field = pos > 31 ? 0 : ones32(len) << (pos & 31);
	return (b & ~field) | ((a << (pos & 31)) & field);
}
LANES_OP4(bfi_b32, row_u32, row_u32, row_u32, row_u32, row_u32, insert32(a, b, c & 255, d & 255))
LANES_OP4(bfi_b64, row_u64, row_u64, row_u64, row_u32, row_u32, insert(a, b, c & 255, d & 255))

LANES_OP2(bmsk_clamp_b32, row_u32, row_u32, row_u32, a > 31 ? 0u : ones32(b) << (a & 31))
LANES_OP2(bmsk_wrap_b32, row_u32, row_u32, row_u32, ones32(b & 31) << (a & 31))

/* szext: N = b bits of a; 32 and more: clamp keeps a, wrap takes N mod 32 */
LANES_OP2(szext_clamp_u32, row_u32, row_u32, row_u32, a & ones32(b))
LANES_OP2(szext_clamp_s32, row_u32, row_s32, row_u32, extract_s32(a, 0, b))
LANES_OP2(szext_wrap_u32, row_u32, row_u32, row_u32, a & ones32(b & 31))
LANES_OP2(szext_wrap_s32, row_u32, row_s32, row_u32, extract_s32(a, 0, b & 31))

/* ---- counting and finding; sums and smears instead of bit scans, which have no vector form before v4 ---- */
static inline uint32_t popc32(uint32_t v)
{
	v -= v >> 1 & 0x55555555u;
	v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
	v = (v + (v >> 4)) & 0x0f0f0f0fu;
	v += v >> 8;
	return (v + (v >> 16)) & 63;
}
static inline uint32_t popc64(uint64_t v) { return popc32((uint32_t)v) + popc32((uint32_t)(v >> 32)); }
/* all bits at and below the highest set one */
static inline uint32_t smear32(uint32_t v)
{
	v |= v >> 1;
	v |= v >> 2;
	v |= v >> 4;
	v |= v >> 8;
	return v | v >> 16;
}
static inline uint64_t smear64(uint64_t v)
{
	v |= v >> 1;
	v |= v >> 2;
	v |= v >> 4;
	v |= v >> 8;
	v |= v >> 16;
	return v | v >> 32;
}
static inline uint32_t reverse32(uint32_t v)
{
	v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
	v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
	v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
	v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
	return v >> 16 | v << 16;
}
LANES_OP1(popc_b32, row_u32, row_u32, popc32(a))
LANES_OP1(popc_b64, row_u32, row_u64, popc64(a))
LANES_OP1(clz_b32, row_u32, row_u32, 32 - popc32(smear32(a)))
LANES_OP1(clz_b64, row_u32, row_u64, 64 - popc64(smear64(a)))
LANES_OP1(brev_b32, row_u32, row_u32, reverse32(a))
LANES_OP1(brev_b64, row_u64, row_u64, (uint64_t)reverse32((uint32_t)a) << 32 | reverse32((uint32_t)(a >> 32)))

/* bfind: the highest bit that isn't the sign; none found: all ones, also as a shift amount */
static inline uint32_t find32(uint32_t v) { return popc32(smear32(v)) - 1; }
static inline uint32_t find64(uint64_t v) { return popc64(smear64(v)) - 1; }
static inline uint32_t amount(uint32_t found, uint32_t msb) { return found == UINT32_MAX ? found : msb - found; }
static inline uint32_t unsign32(uint32_t v) { return v ^ (0u - (v >> 31)); }
static inline uint64_t unsign64(uint64_t v) { return v ^ (0u - (v >> 63)); }
LANES_OP1(bfind_u32, row_u32, row_u32, find32(a))
LANES_OP1(bfind_s32, row_u32, row_u32, find32(unsign32(a)))
LANES_OP1(bfind_u64, row_u32, row_u64, find64(a))
LANES_OP1(bfind_s64, row_u32, row_u64, find64(unsign64(a)))
LANES_OP1(bfind_shiftamt_u32, row_u32, row_u32, amount(find32(a), 31))
LANES_OP1(bfind_shiftamt_s32, row_u32, row_u32, amount(find32(unsign32(a)), 31))
LANES_OP1(bfind_shiftamt_u64, row_u32, row_u64, amount(find64(a), 63))
LANES_OP1(bfind_shiftamt_s64, row_u32, row_u64, amount(find64(unsign64(a)), 63))

/* fns: the |offset|-th set bit at or above (offset > 0), at or below (< 0) base; 0: base itself. A base over 31 is undefined in
 * the ISA: here nothing is found. */
static uint32_t find_nth(uint32_t mask, uint32_t base, int32_t offset)
{
	if (base > 31)
		return UINT32_MAX;
	if (offset == 0)
		return (mask >> base & 1) ? base : UINT32_MAX;
	uint32_t left = offset > 0 ? (uint32_t)offset : 0u - (uint32_t)offset;
	uint32_t m = offset > 0 ? mask & ~(uint32_t)ones(base) : mask & (uint32_t)ones(base + 1);
	if (left > popc32(m))
		return UINT32_MAX;
	while (--left)
		m = offset > 0 ? m & (m - 1) : m & ~(1u << (31 - __builtin_clz(m)));
	return offset > 0 ? (uint32_t)__builtin_ctz(m) : 31 - (uint32_t)__builtin_clz(m);
}
LANES_HANDLER(fns_b32)
{
	const row_u32 *a = LANES_SRC(row_u32, i->a), *b = LANES_SRC(row_u32, i->b);
	const row_s32 *c = LANES_SRC(row_s32, i->c);
	uint32_t t[LANES] LANES_ALIGNED;
	for (unsigned l = 0; l < LANES; l++)
		t[l] = find_nth(a[l], b[l], c[l]);
	lanes_put32(x, i->dst, t);
}

/* ---- prmt ---- */
/* selector nibbles: byte 0..7 of b:a, bit 3: its sign in all bits. Written for 64-bit lanes: variable shifts vectorise. */
static inline uint32_t permute_byte(uint64_t bytes, uint32_t selector)
{
	const uint32_t v = (uint32_t)(bytes >> (8 * (selector & 7))) & 255;
	return (selector & 8) ? (v & 128 ? 255 : 0) : v;
}
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selectors)
{
	const uint64_t bytes = (uint64_t)b << 32 | a;
	return permute_byte(bytes, selectors) | permute_byte(bytes, selectors >> 4) << 8 |
	       permute_byte(bytes, selectors >> 8) << 16 | permute_byte(bytes, selectors >> 12) << 24;
}
LANES_OP3(prmt_b32, row_u32, row_u32, row_u32, row_u32, permute(a, b, c))

/* The modes choose four selectors by c's two low bits (PTX ISA prmt, table of modes; first column is the lowest byte here). */
#define PRMT_MODE(mode, s0, s1, s2, s3)                                                \
	static const uint32_t prmt_##mode[4] = {s0, s1, s2, s3};                       \
	LANES_OP3(prmt_b32_##mode, row_u32, row_u32, row_u32, row_u32, permute(a, b, prmt_##mode[c & 3]))
PRMT_MODE(f4e, 0x3210, 0x4321, 0x5432, 0x6543)
PRMT_MODE(b4e, 0x5670, 0x6701, 0x7012, 0x0123)
PRMT_MODE(rc8, 0x0000, 0x1111, 0x2222, 0x3333)
PRMT_MODE(ecl, 0x3210, 0x3211, 0x3222, 0x3333)
PRMT_MODE(ecr, 0x0000, 0x1110, 0x2210, 0x3210)
PRMT_MODE(rc16, 0x1010, 0x3232, 0x1010, 0x3232)
