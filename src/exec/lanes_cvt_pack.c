/* cvt with packed operands: f16x2, bf16x2 and the 8-, 6- and 4-bit formats, and cvt.pack. PTX ISA "cvt", "cvt.pack". */
#include "exec/lanes_half.h"
#include "exec/lanes_small.h"

/* ---- from f32 ---- */
/* Element k of n counts from the lowest; the operands are written highest first. */
static uint32_t source_of(const struct exec *x, const struct isa_insn *i, unsigned k, unsigned n)
{
	if (n > 2)
		return x->program->aux[i->aux + n - 1 - k];
	return k ? i->a : i->b;
}

/* The random bits of element k. Pairs: half a word each. x4: a half word for two elements, of e2m1 a byte for each, the highest two
 * from the upper bytes of the halves. */
static uint32_t random_of(uint32_t word, unsigned k, unsigned n, unsigned bits)
{
	if (n == 2)
		return word >> (16 * k);
	if (bits > 8)
		return word >> (k < 2 ? 0 : 16);
	return word >> ((k & 1 ? 16 : 0) + (k < 2 ? 0 : 8));
}

/* n f32 rows rounded to the format, element k at bit k * width. */
static void pack_row(const struct exec *x, const struct isa_insn *i, enum small_kind kind, unsigned n, unsigned width, uint32_t *t)
{
	const struct small_format *f = &small_formats[kind];
	const bool stochastic = i->rnd == ISA_RND_RS;
	const row_u32 *random = stochastic ? LANES_SRC(row_u32, n > 2 ? i->b : i->c) : NULL;
	LANES_LOOP t[l] = 0;
	for (unsigned k = 0; k < n; k++) {
		const row_f32 *s = LANES_SRC(row_f32, source_of(x, i, k, n));
		for (unsigned l = 0; l < LANES; l++) {
			const uint32_t r = random ? random_of(random[l], k, n, f->random) : 0;
			t[l] |= small_from((double)s[l], f, (enum isa_round)i->rnd, i->flags & ISA_F_RELU,
					   i->flags & ISA_F_SATFINITE, r) << (k * width);
		}
	}
}

#define PACK(name, kind, n, width, TD)                              \
	LANES_HANDLER(cvt_##name##_f32)                             \
	{                                                           \
		uint32_t t[LANES] LANES_ALIGNED;                    \
		pack_row(x, i, SMALL_##kind, n, width, t);          \
		LANES_PUT(TD, i->dst, t[l]);                        \
	}
PACK(e4m3x2, E4M3, 2, 8, row_u16)
PACK(e5m2x2, E5M2, 2, 8, row_u16)
PACK(e2m1x2, E2M1, 2, 4, row_u16)
PACK(e2m3x2, E2M3, 2, 8, row_u16)
PACK(e3m2x2, E3M2, 2, 8, row_u16)
PACK(e4m3x4, E4M3, 4, 8, row_u32)
PACK(e5m2x4, E5M2, 4, 8, row_u32)
PACK(e2m1x4, E2M1, 4, 4, row_u16)
PACK(e2m3x4, E2M3, 4, 8, row_u32)
PACK(e3m2x4, E3M2, 4, 8, row_u32)

#define PACK_HALVES(name, kind, nearest)                                                          \
	LANES_HANDLER(cvt_##name##_f32)                                                           \
	{                                                                                         \
		if (i->rnd == ISA_RND_RN && !i->flags) {                                          \
			const row_f32 *a = LANES_SRC(row_f32, i->a), *b = LANES_SRC(row_f32, i->b); \
			LANES_PUT(row_u32, i->dst, nearest(a[l]) << 16 | nearest(b[l]));          \
			return;                                                                   \
		}                                                                                 \
		uint32_t t[LANES] LANES_ALIGNED;                                                  \
		pack_row(x, i, SMALL_##kind, 2, 16, t);                                           \
		lanes_put32(x, i->dst, t);                                                        \
	}
PACK_HALVES(f16x2, F16, f32_to_f16)
PACK_HALVES(bf16x2, BF16, f32_to_bf16)

/* ---- f16x2 to and from 8, 6 and 4 bits ---- */
#define NARROW(name, kind)                                                                        \
	LANES_HANDLER(cvt_##name##_f16x2)                                                         \
	{                                                                                         \
		const row_u32 *a = LANES_SRC(row_u32, i->a);                                      \
		uint32_t t[LANES] LANES_ALIGNED;                                                  \
		const bool relu = i->flags & ISA_F_RELU, finite = i->flags & ISA_F_SATFINITE;     \
		for (unsigned l = 0; l < LANES; l++) {                                            \
			const double low = (double)f16_to_f32(a[l] & 0xffffu), high = (double)f16_to_f32(a[l] >> 16); \
			t[l] = small_from(low, &small_formats[kind], ISA_RND_RN, relu, finite, 0) | \
			       small_from(high, &small_formats[kind], ISA_RND_RN, relu, finite, 0) << 8; \
		}                                                                                 \
		LANES_PUT(row_u16, i->dst, t[l]);                                                 \
	}
NARROW(e4m3x2, SMALL_E4M3)
NARROW(e5m2x2, SMALL_E5M2)

static uint32_t widen_one(uint32_t code, const struct small_format *f, bool relu)
{
	return small_from(small_to(code & (2 * f->sign - 1), f), &small_formats[SMALL_F16], ISA_RND_RN, relu, false, 0);
}
#define WIDEN(name, kind, width)                                                                  \
	LANES_HANDLER(cvt_f16x2_##name)                                                           \
	{                                                                                         \
		const row_u16 *a = LANES_SRC(row_u16, i->a);                                      \
		const struct small_format *f = &small_formats[kind];                              \
		uint32_t t[LANES] LANES_ALIGNED;                                                  \
		for (unsigned l = 0; l < LANES; l++)                                              \
			t[l] = widen_one(a[l], f, i->flags & ISA_F_RELU) |                        \
			       widen_one((uint32_t)a[l] >> (width), f, i->flags & ISA_F_RELU) << 16; \
		lanes_put32(x, i->dst, t);                                                        \
	}
WIDEN(e4m3x2, SMALL_E4M3, 8)
WIDEN(e5m2x2, SMALL_E5M2, 8)
WIDEN(e2m1x2, SMALL_E2M1, 4)
WIDEN(e2m3x2, SMALL_E2M3, 8)
WIDEN(e3m2x2, SMALL_E3M2, 8)

/* ---- ue8m0: 2^(code - 127), 0xff NaN; takes the magnitude, rounds to zero or up ---- */
static uint32_t f32_to_ue8m0(uint32_t u, enum isa_round rnd, bool satfinite)
{
	const uint32_t m = u & 0x7fffffffu;
	uint32_t code = m >> 23;
	if (m > 0x7f800000u)
		return 0xff;
	if (rnd == ISA_RND_RP && (m & 0x7fffffu) && m > 0x00400000u)
		code++;
	return satfinite && code > 0xfe ? 0xfe : code;
}
LANES_HANDLER(cvt_ue8m0x2_f32)
{
	const row_u32 *a = LANES_SRC(row_u32, i->a), *b = LANES_SRC(row_u32, i->b);
	const bool finite = i->flags & ISA_F_SATFINITE;
	LANES_PUT(row_u16, i->dst, f32_to_ue8m0(a[l], (enum isa_round)i->rnd, finite) << 8 |
		  f32_to_ue8m0(b[l], (enum isa_round)i->rnd, finite));
}
LANES_HANDLER(cvt_ue8m0x2_bf16x2)
{
	const row_u32 *a = LANES_SRC(row_u32, i->a);
	const bool finite = i->flags & ISA_F_SATFINITE;
	LANES_PUT(row_u16, i->dst, f32_to_ue8m0(a[l] & 0xffff0000u, (enum isa_round)i->rnd, finite) << 8 |
		  f32_to_ue8m0(a[l] << 16, (enum isa_round)i->rnd, finite));
}
/* 2^-127 is a subnormal of bf16 */
static inline uint32_t ue8m0_to_bf16(uint32_t code) { return code == 0xff ? BF16_NAN : code ? code << 7 : 0x40; }
LANES_HANDLER(cvt_bf16x2_ue8m0x2)
{
	const row_u16 *a = LANES_SRC(row_u16, i->a);
	LANES_PUT(row_u32, i->dst, ue8m0_to_bf16(a[l] & 0xffu) | ue8m0_to_bf16((uint32_t)a[l] >> 8) << 16);
}

/* ---- cvt.pack: a above b, both clamped to `bits`; c's low bits above those ---- */
static inline uint32_t clamp_to(int32_t v, int32_t min, int32_t max) { return (uint32_t)(v < min ? min : v > max ? max : v); }
#define PACK_INT(type, bits, min, max)                                                            \
	LANES_HANDLER(cvt_pack_sat_##type)                                                        \
	{                                                                                         \
		const row_s32 *a = LANES_SRC(row_s32, i->a), *b = LANES_SRC(row_s32, i->b);       \
		const row_u32 *c = (bits) == 16 ? (const row_u32 *)b : LANES_SRC(row_u32, i->c);  \
		const uint32_t mask = (1u << (bits)) - 1;                                         \
		const unsigned above = (bits) == 16 ? 0 : 2 * (bits);                             \
		LANES_PUT(row_u32, i->dst, (clamp_to(a[l], min, max) & mask) << (bits) |          \
			  (clamp_to(b[l], min, max) & mask) | (above ? c[l] << above : 0));       \
	}
PACK_INT(u16_s32, 16, 0, 65535)
PACK_INT(s16_s32, 16, -32768, 32767)
PACK_INT(u8_s32_b32, 8, 0, 255)
PACK_INT(s8_s32_b32, 8, -128, 127)
PACK_INT(u4_s32_b32, 4, 0, 15)
PACK_INT(s4_s32_b32, 4, -8, 7)
PACK_INT(u2_s32_b32, 2, 0, 3)
PACK_INT(s2_s32_b32, 2, -2, 1)
