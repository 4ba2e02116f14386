/* Video instructions and dot products of bytes: 32-bit registers as bytes and half-words (PTX ISA "Scalar Video Instructions", "SIMD
 * Video Instructions", dp4a, dp2a). The bits of imm are described in isa/handlers_alu.def. */
#include "exec/lanes.h"

enum second { SECOND_NONE, SECOND_ADD, SECOND_MIN, SECOND_MAX };

/* imm of the scalar instructions */
struct selection {
	unsigned a, b, d;
	bool signed_d, signed_a, signed_b, sat, negate_a, negate_b, negate_c, plus_one, wrap;
	enum second second;
	unsigned scale; /* bits shifted out by vmad */
};

static struct selection selection_of(const struct isa_insn *i)
{
	const uint64_t m = (uint64_t)i->imm;
	static const uint8_t scales[4] = {0, 7, 15, 0};
	return (struct selection){
		.a = m & 15, .b = m >> 4 & 15, .d = m >> 8 & 15,
		.signed_d = m >> 12 & 1, .signed_a = m >> 13 & 1, .signed_b = m >> 14 & 1, .sat = m >> 15 & 1,
		.second = (enum second)(m >> 16 & 3),
		.negate_a = m >> 18 & 1, .negate_b = m >> 19 & 1, .negate_c = m >> 20 & 1, .plus_one = m >> 21 & 1,
		.scale = scales[m >> 22 & 3], .wrap = m >> 24 & 1,
	};
}

/* The selected byte, half-word or word of v. */
static int64_t part_of(uint32_t v, unsigned selector, bool is_signed)
{
	if (selector == 0)
		return is_signed ? (int64_t)(int32_t)v : (int64_t)v;
	if (selector <= 4) {
		const uint32_t b = v >> (8 * (selector - 1)) & 0xff;
		return is_signed ? (int64_t)(int8_t)b : (int64_t)b;
	}
	const uint32_t h = v >> (selector >= 6 ? 16 : 0) & 0xffff;
	return is_signed ? (int64_t)(int16_t)h : (int64_t)h;
}

static int64_t clamp(int64_t v, int64_t min, int64_t max) { return v < min ? min : v > max ? max : v; }
static int64_t clamp_bits(int64_t v, bool is_signed, unsigned bits)
{
	const int64_t span = INT64_C(1) << bits;
	return is_signed ? clamp(v, -span / 2, span / 2 - 1) : clamp(v, 0, span - 1);
}
static unsigned selected_bits(unsigned selector) { return selector == 0 ? 32 : selector <= 4 ? 8 : 16; }

/* Saturation, then the second operation, then the merge into c. c has d's type. */
static uint32_t finish(const struct selection *s, int64_t v, uint32_t c)
{
	if (s->sat)
		v = clamp_bits(v, s->signed_d, selected_bits(s->d));
	const uint32_t r = (uint32_t)v;
	const bool less = s->signed_d ? (int32_t)r < (int32_t)c : r < c;
	switch (s->second) {
	case SECOND_ADD: return r + c;
	case SECOND_MIN: return less ? r : c;
	case SECOND_MAX: return less ? c : r;
	default: break;
	}
	if (s->d == 0)
		return r;
	const unsigned bits = selected_bits(s->d), at = s->d <= 4 ? 8 * (s->d - 1) : s->d >= 6 ? 16 : 0;
	const uint32_t mask = ((1u << bits) - 1) << at;
	return (c & ~mask) | (r << at & mask);
}

static bool compare(enum isa_cmp cmp, int64_t a, int64_t b)
{
	switch (cmp) {
	case ISA_CMP_EQ: return a == b;
	case ISA_CMP_NE: return a != b;
	case ISA_CMP_LT: return a < b;
	case ISA_CMP_LE: return a <= b;
	case ISA_CMP_GT: return a > b;
	case ISA_CMP_GE: return a >= b;
	default: return false;
	}
}

/* The shift amount is the unsigned b, clamped at 32 or taken modulo 32. */
static unsigned amount(const struct selection *s, int64_t b)
{
	const uint32_t n = (uint32_t)b;
	return s->wrap ? n & 31 : n > 32 ? 32 : n;
}

/* Exact in 64 bits, except that by 32 places a large number may be any multiple of 2^32 above all ranges. */
static int64_t shift_left(int64_t a, unsigned n) { return (n == 32 && a > (1 << 30) ? 1 << 30 : a) * (INT64_C(1) << n); }

#define VIDEO(name, E)                                                                             \
	LANES_HANDLER(name)                                                                        \
	{                                                                                          \
		const struct selection s = selection_of(i);                                        \
		const row_u32 *row_a = LANES_SRC(row_u32, i->a), *row_b = LANES_SRC(row_u32, i->b); \
		const row_u32 *row_c = ISA_REF_BASE(i->c) == ISA_BASE_NONE ? row_a : LANES_SRC(row_u32, i->c); \
		uint32_t t[LANES] LANES_ALIGNED;                                                   \
		for (unsigned l = 0; l < LANES; l++) {                                             \
			const int64_t a = part_of(row_a[l], s.a, s.signed_a), b = part_of(row_b[l], s.b, s.signed_b); \
			t[l] = finish(&s, E, row_c[l]);                                            \
		}                                                                                  \
		lanes_put32(x, i->dst, t);                                                         \
	}
VIDEO(vadd, a + b)
VIDEO(vsub, a - b)
VIDEO(vabsdiff, a < b ? b - a : a - b)
VIDEO(vmin, a < b ? a : b)
VIDEO(vmax, a < b ? b : a)
VIDEO(vshl, shift_left(a, amount(&s, b)))
VIDEO(vshr, a >> amount(&s, b))
VIDEO(vset, compare((enum isa_cmp)i->cmp, a, b))

/* The product needs 64 bits and a sign, its sum with c one more. */
static uint32_t multiply_add(const struct selection *s, uint32_t a, uint32_t b, uint32_t c)
{
	const bool negate = s->negate_a != s->negate_b;
	const bool is_signed = s->signed_a || s->signed_b || negate || s->negate_c;
	const bool signed_c = s->signed_a || s->signed_b || negate;
	__int128 v = (__int128)part_of(a, s->a, s->signed_a) * part_of(b, s->b, s->signed_b);
	const __int128 addend = signed_c ? (int64_t)(int32_t)c : (int64_t)c;
	v = (negate ? -v : v) + (s->negate_c ? -addend : addend) + (s->plus_one ? 1 : 0);
	v >>= s->scale;
	if (s->sat) {
		const __int128 min = is_signed ? INT32_MIN : 0, max = is_signed ? INT32_MAX : (__int128)UINT32_MAX;
		v = v < min ? min : v > max ? max : v;
	}
	return (uint32_t)v;
}
LANES_HANDLER(vmad)
{
	const struct selection s = selection_of(i);
	const row_u32 *a = LANES_SRC(row_u32, i->a), *b = LANES_SRC(row_u32, i->b), *c = LANES_SRC(row_u32, i->c);
	uint32_t t[LANES] LANES_ALIGNED;
	for (unsigned l = 0; l < LANES; l++)
		t[l] = multiply_add(&s, a[l], b[l], c[l]);
	lanes_put32(x, i->dst, t);
}

/* ---- SIMD: n elements of 32 / n bits ---- */
struct simd {
	uint32_t sources_a, sources_b; /* nibble k: source of element k */
	unsigned mask;
	bool signed_d, signed_a, signed_b, sat, add;
};

static struct simd simd_of(const struct isa_insn *i)
{
	const uint64_t m = (uint64_t)i->imm;
	return (struct simd){
		.sources_a = m & 0xffff, .sources_b = m >> 16 & 0xffff, .mask = m >> 32 & 15,
		.signed_d = m >> 36 & 1, .signed_a = m >> 37 & 1, .signed_b = m >> 38 & 1, .sat = m >> 39 & 1, .add = m >> 40 & 1,
	};
}

static int32_t element(uint64_t both, uint32_t sources, unsigned k, unsigned bits, bool is_signed)
{
	const uint32_t v = (uint32_t)(both >> (bits * (sources >> (4 * k) & 15) & 63)) & ((1u << bits) - 1);
	return is_signed ? (int32_t)(v << (32 - bits)) >> (32 - bits) : (int32_t)v;
}
static int32_t average(int32_t a, int32_t b) { return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; }

#define SIMD(name, n, E)                                                                           \
	LANES_HANDLER(name)                                                                        \
	{                                                                                          \
		const struct simd s = simd_of(i);                                                  \
		const unsigned bits = 32 / (n);                                                    \
		const uint32_t field = (1u << bits) - 1;                                           \
		const row_u32 *row_a = LANES_SRC(row_u32, i->a), *row_b = LANES_SRC(row_u32, i->b); \
		const row_u32 *row_c = ISA_REF_BASE(i->c) == ISA_BASE_NONE ? row_a : LANES_SRC(row_u32, i->c); \
		uint32_t t[LANES] LANES_ALIGNED;                                                   \
		for (unsigned l = 0; l < LANES; l++) {                                             \
			const uint64_t both = (uint64_t)row_b[l] << 32 | row_a[l];                 \
			uint32_t r = row_c[l];                                                     \
			for (unsigned k = 0; k < (n); k++) {                                       \
				const int32_t a = element(both, s.sources_a, k, bits, s.signed_a); \
				const int32_t b = element(both, s.sources_b, k, bits, s.signed_b); \
				int64_t v = E;                                                     \
				if (!(s.mask >> k & 1))                                            \
					continue;                                                  \
				if (s.sat)                                                         \
					v = clamp_bits(v, s.signed_d, bits);                       \
				if (s.add)                                                         \
					r += (uint32_t)v;                                          \
				else                                                               \
					r = (r & ~(field << (bits * k))) | ((uint32_t)v & field) << (bits * k); \
			}                                                                          \
			t[l] = r;                                                                  \
		}                                                                                  \
		lanes_put32(x, i->dst, t);                                                         \
	}
#define SIMD_BOTH(name, E)   \
	SIMD(name##2, 2, E)  \
	SIMD(name##4, 4, E)
SIMD_BOTH(vadd, a + b)
SIMD_BOTH(vsub, a - b)
SIMD_BOTH(vavrg, average(a, b))
SIMD_BOTH(vabsdiff, a < b ? b - a : a - b)
SIMD_BOTH(vmin, a < b ? a : b)
SIMD_BOTH(vmax, a < b ? b : a)
SIMD_BOTH(vset, compare((enum isa_cmp)i->cmp, a, b))

/* ---- dp4a, dp2a ---- */
#define BYTE(T, v, k) (uint32_t)(T)((v) >> (8 * (k)))
#define DP4A(name, TA, TB)                                                                   \
	LANES_OP3(name, row_u32, row_u32, row_u32, row_u32,                                  \
		  c + BYTE(TA, a, 0) * BYTE(TB, b, 0) + BYTE(TA, a, 1) * BYTE(TB, b, 1) +    \
			  BYTE(TA, a, 2) * BYTE(TB, b, 2) + BYTE(TA, a, 3) * BYTE(TB, b, 3))
DP4A(dp4a_u32_u32, uint8_t, uint8_t)
DP4A(dp4a_u32_s32, uint8_t, int8_t)
DP4A(dp4a_s32_u32, int8_t, uint8_t)
DP4A(dp4a_s32_s32, int8_t, int8_t)
/* .lo: bytes 0 and 1 of b, .hi: 2 and 3 */
#define HALF(T, v, k) (uint32_t)(T)((v) >> (16 * (k)))
#define DP2A(types, TA, TB)                                                                  \
	LANES_OP3(dp2a_lo_##types, row_u32, row_u32, row_u32, row_u32,                       \
		  c + HALF(TA, a, 0) * BYTE(TB, b, 0) + HALF(TA, a, 1) * BYTE(TB, b, 1))     \
	LANES_OP3(dp2a_hi_##types, row_u32, row_u32, row_u32, row_u32,                       \
		  c + HALF(TA, a, 0) * BYTE(TB, b, 2) + HALF(TA, a, 1) * BYTE(TB, b, 3))
DP2A(u32_u32, uint16_t, uint8_t)
DP2A(u32_s32, uint16_t, int8_t)
DP2A(s32_u32, int16_t, uint8_t)
DP2A(s32_s32, int16_t, int8_t)
