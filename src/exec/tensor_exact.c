/* The exact dot product, rounded once to nearest even: sums in a fixed-point number that holds every product of two f64. */
#include <float.h>
#include <math.h>

#include "exec/tensor.h"

/* The number's lowest bit is worth 2^LOWEST; products of f64 begin at 2^-2148. */
#define LOWEST (-2200)
#define WORDS 140u /* 32 bits each: up to 2^2280 */

struct sum {
	uint64_t word[WORDS]; /* two's complement; carries are moved at the end */
	bool is_nan, is_plus_infinite, is_minus_infinite;
};

/* Adds magnitude * 2^exponent, or subtracts it. */
static void add(struct sum *s, unsigned __int128 magnitude, int exponent, bool negative)
{
	const unsigned at = (unsigned)(exponent - LOWEST), word = at / 32, shift = at % 32;
	uint32_t part[5];
	for (unsigned k = 0; k < 4; k++)
		part[k] = (uint32_t)(magnitude >> 32 * k);
	part[4] = shift ? part[3] >> (32 - shift) : 0;
	for (unsigned k = 3; k > 0; k--)
		part[k] = shift ? part[k] << shift | part[k - 1] >> (32 - shift) : part[k];
	part[0] <<= shift;
	int64_t carry = 0;
	for (unsigned k = word; k < WORDS; k++) {
		const int64_t v = k - word < 5 ? (int64_t)part[k - word] : 0;
		if (k - word >= 5 && !carry)
			return;
		const int64_t total = (int64_t)s->word[k] + (negative ? -v : v) + carry;
		s->word[k] = (uint64_t)total & UINT32_MAX;
		carry = total >> 32;
	}
}

/* Returns the bits of a finite f64 as integer and exponent. */
static uint64_t split(double v, int *exponent)
{
	const double m = frexp(fabs(v), exponent);
	*exponent -= 53;
	return (uint64_t)ldexp(m, 53);
}

static void add_special(struct sum *s, double v)
{
	s->is_nan = s->is_nan || v != v;
	s->is_plus_infinite = s->is_plus_infinite || v > DBL_MAX;
	s->is_minus_infinite = s->is_minus_infinite || v < -DBL_MAX;
}

static bool is_finite(double v) { return v - v == 0; }

/* Adds a * b. */
static void add_product(struct sum *s, double a, double b)
{
	int ea, eb;
	if (!is_finite(a) || !is_finite(b)) {
		add_special(s, a * b);
		return;
	}
	const uint64_t ma = split(a, &ea), mb = split(b, &eb);
	if (ma && mb)
		add(s, (unsigned __int128)ma * mb, ea + eb, signbit(a) != signbit(b));
}

static void negate(struct sum *s)
{
	uint64_t carry = 1;
	for (unsigned k = 0; k < WORDS; k++) {
		const uint64_t v = (~s->word[k] & UINT32_MAX) + carry;
		s->word[k] = v & UINT32_MAX;
		carry = v >> 32;
	}
}

static unsigned bit_at(const struct sum *s, int place)
{
	const unsigned at = (unsigned)(place - LOWEST);
	return place < LOWEST ? 0 : (unsigned)(s->word[at / 32] >> at % 32 & 1);
}

/* A format's fraction bits, least exponent and largest exponent. */
struct format {
	int fraction, least, most;
};

/* Rounds the sum to nearest even. Returns the bits. */
static uint64_t round_sum(struct sum *s, const struct format *f)
{
	const bool negative = s->word[WORDS - 1] >> 31;
	const uint64_t infinity = (uint64_t)(f->most - f->least + 2) << f->fraction;
	const int width = 32 - __builtin_clz((unsigned)(f->most - f->least + 2)) + f->fraction;
	if (negative)
		negate(s);
	int top = LOWEST + 32 * (int)WORDS - 1;
	while (top >= LOWEST && !bit_at(s, top))
		top--;
	if (top < LOWEST)
		return 0;
	const int exponent = top < f->least ? f->least : top;
	uint64_t v = 0;
	for (int k = exponent; k >= exponent - f->fraction; k--)
		v = v << 1 | bit_at(s, k);
	const unsigned half = bit_at(s, exponent - f->fraction - 1);
	bool rest = false;
	for (int k = exponent - f->fraction - 2; k >= LOWEST && !rest; k--)
		rest = bit_at(s, k);
	v += half && (rest || v & 1);
	/* a carry out of the fraction raises the exponent, an implicit bit that is missing leaves it at that of subnormal numbers */
	const uint64_t bits = ((uint64_t)(exponent - f->least) << f->fraction) + v;
	return (bits > infinity ? infinity : bits) | (uint64_t)negative << width;
}

static uint64_t finish(struct sum *s, enum isa_element d)
{
	static const struct format formats[] = {{10, -14, 15}, {23, -126, 127}, {52, -1022, 1023}};
	const unsigned k = d == ISA_EL_F16 ? 0 : d == ISA_EL_F32 ? 1 : 2;
	static const uint64_t nans[] = {0x7fff, 0x7fffffff, 0x7fffffffffffffff}, infinities[] = {0x7c00, 0x7f800000, 0x7ff0000000000000},
			      signs[] = {0x8000, 0x80000000, 0x8000000000000000};
	if (s->is_nan || (s->is_plus_infinite && s->is_minus_infinite))
		return d == ISA_EL_F64 ? 0xfff8000000000000 : nans[k];
	if (s->is_plus_infinite || s->is_minus_infinite)
		return infinities[k] | (s->is_minus_infinite ? signs[k] : 0);
	return round_sum(s, &formats[k]);
}

static double value_of(enum isa_element e, uint64_t bits)
{
	double v;
	if (e != ISA_EL_F64)
		return exec_tensor_value(e, (uint32_t)bits);
	memcpy(&v, &bits, sizeof v);
	return v;
}

uint64_t exec_tensor_dot_exact(const struct exec_tensor_types *t, const uint64_t *a, const uint64_t *b, unsigned k, uint64_t c)
{
	struct sum s = {0};
	add_product(&s, value_of((enum isa_element)t->c, c), 1.0);
	for (unsigned n = 0; n < k; n++)
		add_product(&s, value_of((enum isa_element)t->a, a[n]), value_of((enum isa_element)t->b, b[n]));
	return finish(&s, (enum isa_element)t->d);
}

void exec_tensor_exact(const struct isa_tensor *t, struct exec_product *p)
{
	const struct exec_tensor_types types = {t->element[0], t->element[1], t->element[2], t->element[3]};
	const unsigned k = p->a.cols, n = p->b.cols;
	uint64_t a[256], b[256];
	for (unsigned row = 0; row < p->a.rows; row++) {
		for (unsigned col = 0; col < n; col++) {
			for (unsigned s = 0; s < k; s++) {
				a[s] = p->a.v[row * k + s];
				b[s] = p->b.v[p->sparse.at[row * k + s] * n + col];
			}
			p->d.v[row * n + col] = (uint32_t)exec_tensor_dot_exact(&types, a, b, k, p->c.v[row * n + col]);
		}
	}
}
