/* Floating-point types as bits, as doubles and as gdb's text. One description per format, no host conversions: payloads of
 * NaNs survive, and every format rounds once, to nearest even. */
#include <math.h>
#include <string.h>

#include "debug/expr/format.h"

struct layout {
	unsigned bytes, exponent, mantissa; /* bits */
	bool has_inf; /* false: e4m3, whose all-ones exponent is a number except for the last mantissa */
	unsigned digits;
};

/* digits: those that tell any two values apart, 1 + ceil(p log10 2), which is what gdb prints */
static const struct layout *layout_of(enum isa_type t)
{
	static const struct layout f64 = {8, 11, 52, true, 17}, f32 = {4, 8, 23, true, 9}, f16 = {2, 5, 10, true, 5},
				   bf16 = {2, 8, 7, true, 4}, e5m2 = {1, 5, 2, true, 3}, e4m3 = {1, 4, 3, false, 3};
	switch (t) {
	case ISA_F64: return &f64;
	case ISA_F16: return &f16;
	case ISA_BF16: return &bf16;
	case ISA_E5M2: return &e5m2;
	case ISA_E4M3: return &e4m3;
	default: return &f32;
	}
}

static uint64_t load_bits(const void *bytes, unsigned n)
{
	uint64_t v = 0;
	memcpy(&v, bytes, n);
	return v;
}

static double from_bits(uint64_t bits)
{
	double d;
	memcpy(&d, &bits, 8);
	return d;
}

static bool is_nan_bits(const struct layout *l, uint64_t mantissa, uint64_t exponent)
{
	uint64_t top = (UINT64_C(1) << l->exponent) - 1;
	if (exponent != top)
		return false;
	return l->has_inf ? mantissa != 0 : mantissa == (UINT64_C(1) << l->mantissa) - 1;
}

double format_to_double(enum isa_type type, const void *bytes)
{
	const struct layout *l = layout_of(type);
	uint64_t v = load_bits(bytes, l->bytes);
	if (l->bytes == 8)
		return from_bits(v);
	uint64_t mantissa = v & ((UINT64_C(1) << l->mantissa) - 1);
	uint64_t top = (UINT64_C(1) << l->exponent) - 1;
	uint64_t exponent = v >> l->mantissa & top;
	uint64_t sign = v >> (l->mantissa + l->exponent) & 1;
	int bias = (1 << (l->exponent - 1)) - 1;
	if (is_nan_bits(l, mantissa, exponent))
		return from_bits(sign << 63 | UINT64_C(0x7ff) << 52 | (mantissa ? mantissa : 1) << (52 - l->mantissa));
	if (exponent == top && l->has_inf)
		return from_bits(sign << 63 | UINT64_C(0x7ff) << 52);
	double m = exponent ? (double)(mantissa | UINT64_C(1) << l->mantissa) : (double)mantissa;
	double r = ldexp(m, (exponent ? (int)exponent : 1) - bias - (int)l->mantissa);
	return sign ? -r : r;
}

/* Nearest even of x >= 0 in units of the format's step at that size. */
static uint64_t round_magnitude(const struct layout *l, double x)
{
	int bias = (1 << (l->exponent - 1)) - 1, e;
	frexp(x, &e); /* x = 0.5..1 * 2^e */
	int exponent = e - 1 < 1 - bias ? 1 - bias : e - 1;
	double units = ldexp(x, (int)l->mantissa - exponent);
	double whole = floor(units), rest = units - whole;
	uint64_t m = (uint64_t)whole;
	if (rest > 0.5 || (rest == 0.5 && (m & 1)))
		m++;
	uint64_t hidden = UINT64_C(1) << l->mantissa;
	if (m < hidden) /* subnormal, exponent is the least one */
		return m;
	return ((uint64_t)(exponent + bias) << l->mantissa) + (m - hidden); /* a carry goes into the exponent */
}

void format_from_double(enum isa_type type, double v, void *bytes)
{
	const struct layout *l = layout_of(type);
	uint64_t bits, out;
	memcpy(&bits, &v, 8);
	if (l->bytes == 8) {
		memcpy(bytes, &bits, 8);
		return;
	}
	uint64_t sign = (bits >> 63) << (l->mantissa + l->exponent);
	uint64_t infinity = ((UINT64_C(1) << l->exponent) - 1) << l->mantissa;
	uint64_t all_ones = (UINT64_C(1) << (l->mantissa + l->exponent)) - 1;
	if (isnan(v)) {
		uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) >> (52 - l->mantissa);
		out = l->has_inf ? infinity | (m ? m : UINT64_C(1) << (l->mantissa - 1)) : all_ones;
	} else if (isinf(v)) {
		out = l->has_inf ? infinity : all_ones;
	} else {
		out = v == 0 ? 0 : round_magnitude(l, fabs(v));
		if (l->has_inf ? out > infinity : out > all_ones)
			out = l->has_inf ? infinity : all_ones;
	}
	out |= sign;
	memcpy(bytes, &out, l->bytes);
}

void format_float(enum isa_type type, const void *bytes, struct text *out)
{
	const struct layout *l = layout_of(type);
	uint64_t v = load_bits(bytes, l->bytes);
	uint64_t mantissa = v & ((UINT64_C(1) << l->mantissa) - 1);
	uint64_t exponent = v >> l->mantissa & ((UINT64_C(1) << l->exponent) - 1);
	const char *sign = v >> (l->mantissa + l->exponent) & 1 ? "-" : "";
	if (is_nan_bits(l, mantissa, exponent))
		text_addf(out, "%snan(0x%llx)", sign, (unsigned long long)mantissa);
	else if (exponent == (UINT64_C(1) << l->exponent) - 1 && l->has_inf)
		text_addf(out, "%sinf", sign);
	else
		text_addf(out, "%.*g", (int)l->digits, format_to_double(type, bytes));
}
