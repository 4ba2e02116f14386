/* The .approx functions: ex2, lg2, sin, cos, tanh, rsqrt of f32 and halves; rcp and rsqrt of f64 (PTX ISA "Floating-Point
 * Instructions", each with its error bound). All are computed in f64 with polynomials of our own and rounded once, which is well
 * inside the bounds and the same on every machine; nothing comes from the C library, whose results differ between versions. */
#include "exec/lanes_half.h"

/* ---- 2^v, v clamped to where f32 overflows and vanishes; 10 Taylor terms of e^(f ln 2), |f| <= 1/2: relative error 2^-40 ---- */
static inline double exp2_of(double v)
{
	const double c = v < -200.0 ? -200.0 : v < 200.0 ? v : 200.0;
	const double k = __builtin_rint(c);
	const double t = (c - k) * 0x1.62e42fefa39efp-1; /* ln 2 */
	double p = 1.0 / 3628800;
	p = p * t + 1.0 / 362880;
	p = p * t + 1.0 / 40320;
	p = p * t + 1.0 / 5040;
	p = p * t + 1.0 / 720;
	p = p * t + 1.0 / 120;
	p = p * t + 1.0 / 24;
	p = p * t + 1.0 / 6;
	p = p * t + 0.5;
	p = p * t + 1.0;
	p = p * t + 1.0;
	const int32_t e = (int32_t)k;
	return p * f64_from((uint64_t)(int64_t)(e + 1023) << 52);
}
static inline float ex2(float a) { return a == a ? (float)exp2_of((double)a) : a; }

LANES_HANDLER(ex2_f32)
{
	const row_f32 *a = LANES_SRC(row_f32, i->a);
	if (i->flags & ISA_F_FTZ)
		LANES_PUT(row_u32, i->dst, f32_out_ftz(ex2(f32_flush(a[l]))));
	else
		LANES_PUT(row_u32, i->dst, f32_out(ex2(a[l])));
}

/* ---- log2: m in [sqrt(1/2), sqrt(2)), log m = 2 artanh((m - 1) / (m + 1)) ---- */
static inline double log2_of(double v)
{
	const uint64_t u = f64_bits(v) - UINT64_C(0x3fe6a09e667f3bcd);
	const double e = (double)((int32_t)(u >> 32) >> 20);
	const double m = f64_from((u & UINT64_C(0x000fffffffffffff)) + UINT64_C(0x3fe6a09e667f3bcd));
	const double s = (m - 1.0) / (m + 1.0), q = s * s;
	double p = 1.0 / 17;
	p = p * q + 1.0 / 15;
	p = p * q + 1.0 / 13;
	p = p * q + 1.0 / 11;
	p = p * q + 1.0 / 9;
	p = p * q + 1.0 / 7;
	p = p * q + 1.0 / 5;
	p = p * q + 1.0 / 3;
	p = p * q + 1.0;
	return e + p * s * 0x1.71547652b82fep+1; /* 2 / ln 2 */
}
static inline float lg2(float a)
{
	const bool normal = a > 0.0f && a < __builtin_inff();
	const float r = (float)log2_of(normal ? (double)a : 1.0);
	const float special = a == 0.0f ? -__builtin_inff() : a > 0.0f ? a : __builtin_nanf("");
	return normal ? r : special;
}
LANES_HANDLER(lg2_f32)
{
	const row_f32 *a = LANES_SRC(row_f32, i->a);
	if (i->flags & ISA_F_FTZ)
		LANES_PUT(row_u32, i->dst, f32_out_ftz(lg2(f32_flush(a[l]))));
	else
		LANES_PUT(row_u32, i->dst, f32_out(lg2(a[l])));
}

/* ---- sin, cos: quadrant and remainder r in [-pi/4, pi/4] ---- */
static inline double sin_poly(double r)
{
	const double q = r * r;
	double p = -1.0 / 1307674368000;
	p = p * q + 1.0 / 6227020800;
	p = p * q - 1.0 / 39916800;
	p = p * q + 1.0 / 362880;
	p = p * q - 1.0 / 5040;
	p = p * q + 1.0 / 120;
	p = p * q - 1.0 / 6;
	return p * q * r + r;
}
static inline double cos_poly(double r)
{
	const double q = r * r;
	double p = 1.0 / 20922789888000;
	p = p * q - 1.0 / 87178291200;
	p = p * q + 1.0 / 479001600;
	p = p * q - 1.0 / 3628800;
	p = p * q + 1.0 / 40320;
	p = p * q - 1.0 / 720;
	p = p * q + 1.0 / 24;
	p = p * q - 0.5;
	return p * q + 1.0;
}

#define FAR 0x1p20f /* up to here k * (the first part of pi / 2) is exact: 33 + 20 bits */

static inline double near_reduce(float a, int32_t *quadrant)
{
	const double v = (double)a;
	const double k = __builtin_rint(v * 0x1.45f306dc9c883p-1); /* 2 / pi */
	*quadrant = (int32_t)k;
	return ((v - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
}

/* For large arguments (Payne, Hanek): a = m * 2^e with a 24-bit integer m. Of 2/pi * 2^e only 64 bits from weight 2 down matter:
 * higher ones give multiples of four quadrants, lower ones less than 2^-38. */
static double far_reduce(float a, int32_t *quadrant)
{
	static const uint64_t two_over_pi[4] = {0, UINT64_C(0xa2f9836e4e441529), UINT64_C(0xfc2757d1f534ddc0),
						UINT64_C(0xdb6295993c439041)};
	const uint32_t u = f32_bits(a);
	const int e = (int)(u >> 23 & 255) - 150;
	const uint64_t m = (u & 0x7fffffu) | 0x800000u;
	const unsigned at = (unsigned)(e + 62), word = at / 64, shift = at % 64;
	const uint64_t window = two_over_pi[word] << shift | (shift ? two_over_pi[word + 1] >> (64 - shift) : 0);
	const uint64_t product = m * window;
	const uint64_t k = (product + (UINT64_C(1) << 61)) >> 62;
	const double r = (double)(int64_t)(product - (k << 62)) * 0x1p-62 * 0x1.921fb54442d18p+0;
	*quadrant = (int32_t)((u >> 31) ? 4 - k : k);
	return (u >> 31) ? -r : r;
}

static inline float sin_quadrant(double r, int32_t quadrant)
{
	const double s = sin_poly(r), c = cos_poly(r);
	const double v = (quadrant & 1) ? c : s;
	return (float)((quadrant & 2) ? -v : v);
}

/* sin(a + turns * pi / 2) */
static void sine_row(struct exec *x, const struct isa_insn *i, int32_t turns)
{
	const row_f32 *s = LANES_SRC(row_f32, i->a);
	float a[LANES] LANES_ALIGNED, t[LANES] LANES_ALIGNED;
	const bool ftz = i->flags & ISA_F_FTZ;
	LANES_LOOP a[l] = ftz ? f32_flush(s[l]) : s[l];
	LANES_LOOP
	{
		const float in = __builtin_fabsf(a[l]) < FAR ? a[l] : 0.0f;
		int32_t quadrant;
		const double r = near_reduce(in, &quadrant);
		t[l] = sin_quadrant(r, quadrant + turns);
	}
	uint32_t far = LANES_TEST(!(__builtin_fabsf(a[l]) < FAR));
	LANES_EACH(l, far)
	{
		int32_t quadrant;
		if (__builtin_fabsf(a[l]) < __builtin_inff()) {
			const double r = far_reduce(a[l], &quadrant);
			t[l] = sin_quadrant(r, quadrant + turns);
		} else {
			t[l] = __builtin_nanf("");
		}
	}
	/* what is smaller than f64 arithmetic sees keeps its sign: sin(-0) = -0 */
	if (turns == 0)
		LANES_LOOP t[l] = __builtin_fabsf(a[l]) < 0x1p-13f ? a[l] : t[l];
	if (ftz)
		LANES_PUT(row_u32, i->dst, f32_out_ftz(t[l]));
	else
		LANES_PUT(row_u32, i->dst, f32_out(t[l]));
}
LANES_HANDLER(sin_f32) { sine_row(x, i, 0); }
LANES_HANDLER(cos_f32) { sine_row(x, i, 1); }

/* ---- tanh ---- */
static inline float tanh_of(float a)
{
	const double v = (double)a, q = v * v;
	const double e = exp2_of(v * (2 * 0x1.71547652b82fep+0));
	const double wide = 1.0 - 2.0 / (e + 1.0);
	const double near = v + v * q * (-1.0 / 3 + q * (2.0 / 15 + q * (-17.0 / 315 + q * (62.0 / 2835))));
	const float r = (float)(q < 0x1p-8 ? near : wide);
	return a == a ? (a == 0.0f ? a : r) : a;
}
LANES_OP1(tanh_f32, row_u32, row_f32, f32_out(tanh_of(a)))

/* ---- the same for halves ---- */
static inline void half_function(const uint16_t *s, bool bf, bool ftz, bool is_tanh, uint16_t *t)
{
	float f[LANES] LANES_ALIGNED;
	half_load(s, bf, ftz, f);
	if (is_tanh)
		LANES_LOOP f[l] = tanh_of(f[l]);
	else
		LANES_LOOP f[l] = ex2(f[l]);
	if (bf)
		LANES_LOOP t[l] = (uint16_t)f32_to_bf16(f[l]);
	else
		LANES_LOOP t[l] = (uint16_t)f32_to_f16(f[l]);
	if (ftz && bf)
		LANES_LOOP t[l] = (uint16_t)bf16_flush(t[l]);
	else if (ftz)
		LANES_LOOP t[l] = (uint16_t)f16_flush(t[l]);
}
static void half_one(struct exec *x, const struct isa_insn *i, bool bf, bool is_tanh)
{
	const row_u16 *s = LANES_SRC(row_u16, i->a);
	uint16_t t[LANES] LANES_ALIGNED;
	LANES_LOOP t[l] = s[l];
	half_function(t, bf, i->flags & ISA_F_FTZ, is_tanh, t);
	lanes_put16(x, i->dst, t);
}
static void half_pair(struct exec *x, const struct isa_insn *i, bool bf, bool is_tanh)
{
	const row_u32 *s = LANES_SRC(row_u32, i->a);
	uint16_t low[LANES] LANES_ALIGNED, high[LANES] LANES_ALIGNED;
	LANES_LOOP low[l] = (uint16_t)s[l];
	LANES_LOOP high[l] = (uint16_t)(s[l] >> 16);
	half_function(low, bf, i->flags & ISA_F_FTZ, is_tanh, low);
	half_function(high, bf, i->flags & ISA_F_FTZ, is_tanh, high);
	LANES_PUT(row_u32, i->dst, low[l] | (uint32_t)high[l] << 16);
}
LANES_HANDLER(ex2_f16) { half_one(x, i, false, false); }
LANES_HANDLER(ex2_bf16) { half_one(x, i, true, false); }
LANES_HANDLER(ex2_f16x2) { half_pair(x, i, false, false); }
LANES_HANDLER(ex2_bf16x2) { half_pair(x, i, true, false); }
LANES_HANDLER(tanh_f16) { half_one(x, i, false, true); }
LANES_HANDLER(tanh_bf16) { half_one(x, i, true, true); }
LANES_HANDLER(tanh_f16x2) { half_pair(x, i, false, true); }
LANES_HANDLER(tanh_bf16x2) { half_pair(x, i, true, true); }

/* ---- rsqrt; f64 rcp and rsqrt ---- */
/* two roundings: relative error below 2^-23, the ISA allows 2^-22.9 */
static inline float rsqrt(float a) { return 1.0f / __builtin_sqrtf(a); }
LANES_HANDLER(rsqrt_f32)
{
	const row_f32 *a = LANES_SRC(row_f32, i->a);
	if (i->flags & ISA_F_FTZ)
		LANES_PUT(row_u32, i->dst, f32_out_ftz(rsqrt(f32_flush(a[l]))));
	else
		LANES_PUT(row_u32, i->dst, f32_out(rsqrt(a[l])));
}
LANES_OP1(rsqrt_f64, row_u64, row_f64, f64_out1(1.0 / __builtin_sqrt(a), a))

/* .approx.ftz.f64: only the upper 32 bits of the operand count and only those of the result are written. */
#define UPPER UINT64_C(0xffffffff00000000)
static inline double upper_flushed(double a)
{
	const uint64_t u = f64_bits(a);
	return f64_from((u & UINT64_C(0x7ff0000000000000)) ? (a == a ? u & UPPER : u) : u & UINT64_C(0x8000000000000000));
}
static inline uint64_t gross(double r)
{
	const uint64_t u = f64_bits(r);
	const uint64_t nearest = (u + UINT64_C(0x80000000)) & UPPER;
	const uint64_t flushed = (u & UINT64_C(0x7ff0000000000000)) ? nearest : u & UINT64_C(0x8000000000000000);
	return r == r ? flushed : UINT64_C(0x7fffffff00000000);
}
LANES_OP1(rcp_approx_ftz_f64, row_u64, row_f64, gross(1.0 / upper_flushed(a)))
LANES_OP1(rsqrt_approx_ftz_f64, row_u64, row_f64, gross(1.0 / __builtin_sqrt(upper_flushed(a))))
