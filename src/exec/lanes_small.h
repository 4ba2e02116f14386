/* Formats of 4 to 19 bits: f16, bf16, tf32, e4m3, e5m2, e2m1, e2m3, e3m2, in every rounding, one value at a time.
 *
 * A value is at most f64, so every source is exact; what comes from 64-bit integers is made exact enough beforehand (sticky last
 * bit). PTX ISA "Alternate Floating-Point Data Formats", "cvt". */
#ifndef EXEC_LANES_SMALL_H
#define EXEC_LANES_SMALL_H

#include "exec/lanes_float.h"

struct small_format {
	uint8_t mantissa; /* stored bits */
	int16_t emin;	  /* exponent of the smallest normal number */
	uint32_t max;	  /* code of the largest finite value */
	uint32_t inf;	  /* code of infinity, 0: the format has none and saturates */
	uint32_t nan;	  /* code a NaN becomes */
	uint32_t sign;	  /* the sign bit */
	uint8_t random;	  /* .rs: how many random bits join below the last place */
};

enum small_kind { SMALL_F16, SMALL_BF16, SMALL_TF32, SMALL_E4M3, SMALL_E5M2, SMALL_E2M1, SMALL_E2M3, SMALL_E3M2 };

/* tf32 is f32 without its 13 last bits; the code is shifted up at the end. The 4- and 6-bit formats have no NaN: it becomes the
 * largest number. */
static const struct small_format small_formats[] = {
	[SMALL_F16] = {10, -14, 0x7bff, 0x7c00, 0x7fff, 0x8000, 13},
	[SMALL_BF16] = {7, -126, 0x7f7f, 0x7f80, 0x7fff, 0x8000, 16},
	[SMALL_TF32] = {10, -126, 0x3fbff, 0x3fc00, 0x3ffff, 0x40000, 13},
	[SMALL_E4M3] = {3, -6, 0x7e, 0, 0x7f, 0x80, 16},
	[SMALL_E5M2] = {2, -14, 0x7b, 0x7c, 0x7f, 0x80, 16},
	[SMALL_E2M1] = {1, 0, 0x7, 0, 0x7, 0x8, 8},
	[SMALL_E2M3] = {3, 0, 0x1f, 0, 0x1f, 0x20, 16},
	[SMALL_E3M2] = {2, -2, 0x1f, 0, 0x1f, 0x20, 16},
};

/* Returns true if s, whose lowest `shift` bits are cut off to leave n, rounds up in magnitude. shift is at least 1. random_bits and random are for
 * ISA_RND_RS. */
static inline bool small_round_up(uint64_t s, unsigned shift, uint64_t n, bool negative, enum isa_round rnd, unsigned random_bits,
				  uint32_t random)
{
	const uint64_t rest = s & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
	switch (rnd) {
	case ISA_RND_RZ: return false;
	case ISA_RND_RM: return rest && negative;
	case ISA_RND_RP: return rest && !negative;
	case ISA_RND_RNA: return rest >= half;
	case ISA_RND_RS: /* the first random_bits cut off, plus as many random ones, carry */
		return ((shift >= random_bits ? rest >> (shift - random_bits) : rest << (random_bits - shift)) +
			(random & ((1u << random_bits) - 1))) >> random_bits;
	default: return rest > half || (rest == half && (n & 1));
	}
}

/* Returns d as a code of the format. With relu negative numbers become 0; with satfinite infinities and overflow become the largest number. */
static inline uint32_t small_from(double d, const struct small_format *f, enum isa_round rnd, bool relu, bool satfinite, uint32_t random)
{
	const uint64_t u = f64_bits(d), fraction = u & ((UINT64_C(1) << 52) - 1);
	const bool negative = u >> 63;
	const int biased = (int)(u >> 52 & 0x7ff);
	if (biased == 0x7ff && fraction)
		return f->nan;
	if (negative && relu)
		return 0;
	const uint32_t sign = negative ? f->sign : 0;
	if (biased == 0x7ff)
		return sign | (f->inf && !satfinite ? f->inf : f->max);
	/* magnitude s * 2^(e - 52) */
	const uint64_t s = biased ? fraction | UINT64_C(1) << 52 : fraction;
	const int e = biased ? biased - 1023 : -1022;
	const int place = e > f->emin ? e : f->emin; /* exponent whose last place is rounded to */
	const int cut = 52 - f->mantissa + (place - e);
	const unsigned shift = cut > 62 ? 62 : (unsigned)cut;
	const uint64_t n = s >> shift;
	const bool up = small_round_up(s, shift, n, negative, rnd, f->random, random);
	const uint64_t code = ((uint64_t)(place - f->emin) << f->mantissa) + n + up;
	if (code <= f->max)
		return sign | (uint32_t)code;
	const bool stays = rnd == ISA_RND_RZ || rnd == ISA_RND_RS || (rnd == ISA_RND_RM && !negative) ||
			   (rnd == ISA_RND_RP && negative);
	return sign | (satfinite || !f->inf || stays ? f->max : f->inf);
}

/* Returns the value of a code; exact. */
static inline double small_to(uint32_t code, const struct small_format *f)
{
	const uint32_t m = code & (f->sign - 1);
	const uint64_t sign = (code & f->sign) ? UINT64_C(1) << 63 : 0;
	if (f->inf ? m > f->inf : m > f->max)
		return f64_from(F64_NAN);
	if (f->inf && m == f->inf)
		return f64_from(sign | UINT64_C(0x7ff0000000000000));
	const uint32_t exponent = m >> f->mantissa, fraction = m & ((1u << f->mantissa) - 1);
	const uint32_t significand = exponent ? fraction | 1u << f->mantissa : fraction;
	const int e = f->emin + (exponent ? (int)exponent - 1 : 0) - f->mantissa;
	const double scale = f64_from((uint64_t)(e + 1023) << 52);
	return f64_from(f64_bits((double)significand * scale) | sign);
}

#endif
