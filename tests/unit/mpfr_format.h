/* Binary floating-point formats by way of MPFR: the oracle for everything that rounds. */
#ifndef TESTS_MPFR_FORMAT_H
#define TESTS_MPFR_FORMAT_H

#include "alu_machine.h"

#include <mpfr.h>

struct format {
	const char *name;
	unsigned bits, mantissa; /* stored */
	int emax;		 /* MPFR's: values are below 2^emax */
	uint64_t nan;		 /* canonical */
};
static const struct format format_f16 = {"f16", 16, 10, 16, 0x7fff};
static const struct format format_bf16 = {"bf16", 16, 7, 128, 0x7fff};
static const struct format format_f32 = {"f32", 32, 23, 128, 0x7fffffff};
static const struct format format_f64 = {"f64", 64, 52, 1024, UINT64_C(0xfff8000000000000)};

static inline uint64_t format_top(const struct format *f) { return UINT64_C(1) << (f->bits - 1); }
static inline uint64_t format_one_ulp(const struct format *f) { return UINT64_C(1) << f->mantissa; }
static inline uint64_t format_inf(const struct format *f) { return format_top(f) - format_one_ulp(f); }
static inline bool format_is_nan(const struct format *f, uint64_t v) { return (v & (format_top(f) - 1)) > format_inf(f); }
static inline bool format_is_subnormal(const struct format *f, uint64_t v)
{
	return (v & (format_top(f) - 1)) < format_one_ulp(f) && (v & (format_top(f) - 1));
}
static inline uint64_t format_flush(const struct format *f, uint64_t v) { return format_is_subnormal(f, v) ? v & format_top(f) : v; }

/* The value of the bits, exactly; m has 64 bits of precision or more. */
static UNUSED void format_decode(const struct format *f, uint64_t v, mpfr_t m)
{
	const uint64_t rest = v & (format_top(f) - 1), fraction = rest & (format_one_ulp(f) - 1);
	const int sign = v & format_top(f) ? -1 : 1, exponent = (int)(rest >> f->mantissa);
	const int bias = f->emax - 1;
	if (rest > format_inf(f))
		mpfr_set_nan(m);
	else if (rest == format_inf(f))
		mpfr_set_inf(m, sign);
	else if (rest == 0)
		mpfr_set_zero(m, sign);
	else if (exponent == 0)
		mpfr_set_si_2exp(m, sign * (long)fraction, 1 - bias - (int)f->mantissa, MPFR_RNDN);
	else
		mpfr_set_si_2exp(m, sign * (long)(fraction | format_one_ulp(f)), exponent - bias - (int)f->mantissa, MPFR_RNDN);
}

/* The bits of a number that the format holds exactly (after format_round). */
static UNUSED uint64_t format_encode(const struct format *f, const mpfr_t m)
{
	const uint64_t sign = mpfr_signbit(m) ? format_top(f) : 0;
	const int bias = f->emax - 1;
	if (mpfr_nan_p(m))
		return f->nan;
	if (mpfr_inf_p(m))
		return sign | format_inf(f);
	if (mpfr_zero_p(m))
		return sign;
	mpz_t z;
	mpz_init(z);
	long e = mpfr_get_z_2exp(z, m); /* m = z * 2^e */
	mpz_abs(z, z);
	const long place = mpfr_get_exp(m) - 1 - (long)f->mantissa, lowest = 1 - bias - (long)f->mantissa;
	const long last = place < lowest ? lowest : place;
	if (e < last)
		mpz_tdiv_q_2exp(z, z, (mp_bitcnt_t)(last - e));
	else
		mpz_mul_2exp(z, z, (mp_bitcnt_t)(e - last));
	const uint64_t s = mpz_get_ui(z);
	mpz_clear(z);
	return sign | (s + ((uint64_t)(last - lowest) << f->mantissa));
}

/* Results are computed in a variable of the format's precision within its exponents; `ternary` is what the operation returned. */
static UNUSED void format_begin(const struct format *f, mpfr_t r)
{
	mpfr_set_emax(f->emax);
	mpfr_set_emin(3 - f->emax - (int)f->mantissa);
	mpfr_set_prec(r, f->mantissa + 1);
}
static UNUSED uint64_t format_end(const struct format *f, mpfr_t r, int ternary, mpfr_rnd_t rnd)
{
	ternary = mpfr_check_range(r, ternary, rnd);
	mpfr_subnormalize(r, ternary, rnd);
	mpfr_set_emax(mpfr_get_emax_max());
	mpfr_set_emin(mpfr_get_emin_min());
	return format_encode(f, r);
}

/* The format's operands: random ones, and for small k pairs of edges. */
static UNUSED uint64_t format_any(struct alu *m, const struct format *f) { return alu_any_float(m, f->bits, f->mantissa); }

static const struct {
	const char *name;
	mpfr_rnd_t rnd;
} format_roundings[] = {{"rn", MPFR_RNDN}, {"rz", MPFR_RNDZ}, {"rm", MPFR_RNDD}, {"rp", MPFR_RNDU}};

#endif
