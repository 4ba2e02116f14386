/* cvt with packed operands and cvt.pack. The oracle for a small format is the list of all its values, written down from its
 * definition: the result is the value next to the operand on the right side. */
#include "alu_machine.h"

#include <math.h>

struct small {
	const char *name; /* one element's */
	unsigned bits, exponent, mantissa;
	int bias;
	bool inf, nan; /* IEEE-like infinities; codes that are no numbers (e4m3: only all ones) */
	double *values; /* of every code, see setup */
	unsigned largest;
};
static struct small e4m3 = {"e4m3", 8, 4, 3, 7, false, true, NULL, 0};
static struct small e5m2 = {"e5m2", 8, 5, 2, 15, true, true, NULL, 0};
static struct small e2m1 = {"e2m1", 4, 2, 1, 1, false, false, NULL, 0};
static struct small e2m3 = {"e2m3", 6, 2, 3, 1, false, false, NULL, 0};
static struct small e3m2 = {"e3m2", 6, 3, 2, 3, false, false, NULL, 0};
static struct small f16 = {"f16", 16, 5, 10, 15, true, true, NULL, 0};
static struct small bf16 = {"bf16", 16, 8, 7, 127, true, true, NULL, 0};

static double value_of(const struct small *f, unsigned code)
{
	const unsigned magnitude = code & ((1u << (f->bits - 1)) - 1), fraction = magnitude & ((1u << f->mantissa) - 1);
	const int exponent = (int)(magnitude >> f->mantissa);
	const double sign = code >> (f->bits - 1) & 1 ? -1 : 1;
	if (f->inf && exponent == (1 << f->exponent) - 1)
		return fraction ? NAN : sign * INFINITY;
	if (f->nan && !f->inf && magnitude == (1u << (f->bits - 1)) - 1)
		return NAN;
	return sign * (exponent ? ldexp(1 + ldexp(fraction, -(int)f->mantissa), exponent - f->bias)
				: ldexp(fraction, 1 - f->bias - (int)f->mantissa));
}
static double value(const struct small *f, unsigned code) { return f->values[code & ((1u << f->bits) - 1)]; }
static unsigned largest(const struct small *f) { return f->largest; }

static struct small *const all_formats[] = {&e4m3, &e5m2, &e2m1, &e2m3, &e3m2, &f16, &bf16};
#define N_SMALL (sizeof all_formats / sizeof *all_formats)
static int setup(void **state)
{
	(void)state;
	for (size_t k = 0; k < N_SMALL; k++) {
		struct small *f = all_formats[k];
		f->values = malloc(sizeof *f->values << f->bits);
		assert_non_null(f->values);
		for (unsigned code = 0; code < 1u << f->bits; code++)
			f->values[code] = value_of(f, code);
		for (f->largest = (1u << (f->bits - 1)) - 1; !isfinite(f->values[f->largest]);)
			f->largest--;
	}
	return 0;
}
static int teardown(void **state)
{
	(void)state;
	for (size_t k = 0; k < N_SMALL; k++)
		free(all_formats[k]->values);
	return 0;
}

/* Canonical NaN; the formats without one give the largest number. */
static unsigned nan_code(const struct small *f) { return f->nan ? (1u << (f->bits - 1)) - 1 : largest(f); }

/* Codes are in the order of their values: binary search for the greatest not above |v|, then choose. */
static unsigned nearest(const struct small *f, double v, bool to_zero, bool relu, bool finite)
{
	const unsigned max = largest(f), sign = signbit(v) ? 1u << (f->bits - 1) : 0;
	const double m = fabs(v);
	unsigned low = 0, high = max;
	if (isnan(v))
		return nan_code(f);
	if (sign && relu)
		return 0;
	if (m >= value(f, max)) {
		const double ulp = value(f, max) - value(f, max - 1);
		const bool over = isinf(m) || (!to_zero && m >= value(f, max) + ulp / 2);
		return sign | (over && f->inf && !finite ? max + 1 : max);
	}
	while (high - low > 1) {
		const unsigned middle = (low + high) / 2;
		*(value(f, middle) <= m ? &low : &high) = middle;
	}
	const double below = m - value(f, low), above = value(f, high) - m;
	const bool up = !to_zero && (above < below || (above == below && low & 1));
	return sign | (up ? high : low);
}

static float any_float(struct alu *m, const struct small *f)
{
	const uint64_t r = alu_random(m);
	uint32_t u = ANY_F32(m);
	float v;
	if (r % 4) { /* in the format's range: a value of it, a tie, a neighbour of one */
		const unsigned code = (unsigned)(r >> 8) % (largest(f) + 2);
		const double a = value(f, code > largest(f) ? largest(f) : code), b = value(f, code < largest(f) ? code + 1 : code);
		v = (float)(r % 4 == 1 ? a : (a + b) / 2);
		memcpy(&u, &v, 4);
		u += (uint32_t)(r >> 40 & 3) - 1;
		u ^= (uint32_t)(r >> 32 & 1) << 31;
	}
	memcpy(&v, &u, 4);
	return v;
}
static float get_float(const struct alu *m, unsigned row, unsigned l)
{
	const uint32_t u = (uint32_t)alu_get(m, row, 4, l);
	float v;
	memcpy(&v, &u, 4);
	return v;
}
static void set_float(struct alu *m, unsigned row, unsigned l, float v)
{
	uint32_t u;
	memcpy(&u, &v, 4);
	alu_set(m, row, 4, l, u);
}

/* ---- two f32 to a pair: a above b ---- */
static void check_from_f32(struct alu *m, const char *opcode, const struct small *f, unsigned width, unsigned bytes)
{
	struct isa_insn i = alu_insn(opcode);
	i.dst_bytes = (uint8_t)bytes;
	for (unsigned n = 0; n < 1600; n++) {
		for (unsigned l = 0; l < LANES; l++) {
			set_float(m, ROW_A, l, any_float(m, f));
			set_float(m, ROW_B, l, any_float(m, f));
		}
		m->mask = alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			const double a = (double)get_float(m, ROW_A, l), b = (double)get_float(m, ROW_B, l);
			const bool zero = strstr(opcode, ".rz"), relu = strstr(opcode, "relu"), finite = strstr(opcode, "satfinite");
			const uint64_t want = (uint64_t)nearest(f, a, zero, relu, finite) << width | nearest(f, b, zero, relu, finite);
			if (m->mask >> l & 1 && alu_get(m, ROW_DST, bytes, l) != want)
				fail_msg("%s %a %a: %#lx, expected %#lx", opcode, a, b, alu_get(m, ROW_DST, bytes, l), want);
		}
	}
}

static void test_from_f32(void **state)
{
	static const struct {
		const struct small *f;
		unsigned width, bytes;
		const char *rounding;
	} rows[] = {
		{&f16, 16, 4, "rn"},	      {&f16, 16, 4, "rz"},	    {&bf16, 16, 4, "rn"},	 {&bf16, 16, 4, "rz"},
		{&f16, 16, 4, "rn.satfinite"}, {&bf16, 16, 4, "rz.satfinite"}, {&e4m3, 8, 2, "rn.satfinite"}, {&e5m2, 8, 2, "rn.satfinite"},
		{&e2m1, 4, 2, "rn.satfinite"}, {&e2m3, 8, 2, "rn.satfinite"}, {&e3m2, 8, 2, "rn.satfinite"},
	};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		for (unsigned relu = 0; relu < 2; relu++) {
			char opcode[64];
			snprintf(opcode, sizeof opcode, "cvt.%s%s.%sx2.f32", rows[k].rounding, relu ? ".relu" : "", rows[k].f->name);
			check_from_f32(&m, opcode, rows[k].f, rows[k].width, rows[k].bytes);
		}
	alu_free(&m);
}

/* ---- f16x2 to 8 bits, all values; small pairs to f16x2, all codes ---- */
static void test_from_f16x2(void **state)
{
	static const struct small *const formats[] = {&e4m3, &e5m2};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 4; k++) {
		const struct small *f = formats[k / 2];
		char opcode[64];
		snprintf(opcode, sizeof opcode, "cvt.rn.satfinite%s.%sx2.f16x2", k & 1 ? ".relu" : "", f->name);
		struct isa_insn i = alu_insn(opcode);
		for (unsigned n = 0; n < 65536 / LANES; n++) {
			for (unsigned l = 0; l < LANES; l++)
				alu_set(&m, ROW_A, 4, l, (n * LANES + l) | (alu_random(&m) & 0xffff) << 16);
			alu_run(&m, &i);
			for (unsigned l = 0; l < LANES; l++) {
				const unsigned v = (unsigned)alu_get(&m, ROW_A, 4, l);
				const unsigned want = nearest(f, value(&f16, v >> 16), false, k & 1, true) << 8 |
						      nearest(f, value(&f16, v & 0xffff), false, k & 1, true);
				assert_int_equal(alu_get(&m, ROW_DST, 2, l), want);
			}
		}
	}
	alu_free(&m);
}

static void test_to_f16x2(void **state)
{
	static const struct small *const formats[] = {&e4m3, &e5m2, &e2m1, &e2m3, &e3m2};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 10; k++) {
		const struct small *f = formats[k / 2];
		const unsigned codes = 1u << f->bits, width = f->bits == 4 ? 4 : 8;
		char opcode[64];
		snprintf(opcode, sizeof opcode, "cvt.rn%s.f16x2.%sx2", k & 1 ? ".relu" : "", f->name);
		struct isa_insn i = alu_insn(opcode);
		for (unsigned n = 0; n < codes * codes / LANES; n++) {
			for (unsigned l = 0; l < LANES; l++) {
				const unsigned at = n * LANES + l;
				alu_set(&m, ROW_A, 2, l, at % codes | at / codes << width);
			}
			alu_run(&m, &i);
			for (unsigned l = 0; l < LANES; l++) {
				const unsigned at = n * LANES + l;
				const unsigned want = nearest(&f16, value(f, at / codes), false, k & 1, false) << 16 |
						      nearest(&f16, value(f, at % codes), false, k & 1, false);
				assert_int_equal(alu_get(&m, ROW_DST, 4, l), want);
			}
		}
	}
	alu_free(&m);
}

/* ---- four f32 with random bits: without any the result is rounded to zero, with all of them away from it unless it is exact ---- */
static void check_stochastic(struct alu *m, const struct small *f, bool relu)
{
	char opcode[64];
	snprintf(opcode, sizeof opcode, "cvt.rs%s.satfinite.%sx4.f32", relu ? ".relu" : "", f->name);
	struct isa_insn i = alu_insn(opcode);
	const unsigned width = f->bits == 4 ? 4 : 8, bytes = 4 * width / 8;
	i.vec = 4;
	i.b = ROW_REF(ROW_B);
	i.dst_bytes = (uint8_t)bytes;
	for (unsigned k = 0; k < 4; k++)
		m->aux[k] = ROW_REF(ROW_VEC + k);
	for (unsigned n = 0; n < 400; n++) {
		const bool all = n & 1;
		for (unsigned l = 0; l < LANES; l++) {
			alu_set(m, ROW_B, 4, l, all ? UINT32_MAX : 0);
			for (unsigned k = 0; k < 4; k++) { /* no more digits than the random bits reach */
				const double v = value(f, (unsigned)alu_random(m) % (largest(f) + 1)) * (1 + (double)(alu_random(m) % 4) / 16);
				set_float(m, ROW_VEC + k, l, (float)(alu_random(m) & 1 ? v : -v));
			}
		}
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			uint64_t want = 0;
			for (unsigned k = 0; k < 4; k++) {
				const double v = (double)get_float(m, ROW_VEC + k, l);
				unsigned code = nearest(f, v, true, relu, true);
				const unsigned magnitude = code & ((1u << (f->bits - 1)) - 1);
				if (all && !(relu && v < 0) && fabs(v) > value(f, magnitude) && magnitude < largest(f))
					code++;
				want = want << width | code;
			}
			if (alu_get(m, ROW_DST, bytes, l) != want)
				fail_msg("%s: %#lx, expected %#lx", opcode, alu_get(m, ROW_DST, bytes, l), want);
		}
	}
}
static void test_stochastic(void **state)
{
	static const struct small *const formats[] = {&e4m3, &e5m2, &e2m1, &e2m3, &e3m2};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 10; k++)
		check_stochastic(&m, formats[k / 2], k & 1);
	/* f16x2: 13 random bits for each; exactly those that carry round up */
	struct isa_insn i = alu_insn("cvt.rs.f16x2.f32");
	i.c = ROW_REF(ROW_C);
	for (unsigned l = 0; l < LANES; l++) {
		alu_set(&m, ROW_A, 4, l, 0x3f800000u + l * 0x100u); /* 1 + l/32 of a place */
		alu_set(&m, ROW_B, 4, l, 0x3f800000u + 0x1000u);    /* 1 and a half */
		alu_set(&m, ROW_C, 4, l, 0x1000u << 16 | 0xe000u | (l & 1 ? 0x1000u : 0x0fffu));
	}
	alu_run(&m, &i);
	for (unsigned l = 0; l < LANES; l++)
		assert_int_equal(alu_get(&m, ROW_DST, 4, l), (0x3c00u + (l >= 16)) << 16 | (0x3c00u + (l & 1)));
	alu_free(&m);
}

/* ---- ue8m0: powers of two from 2^-127; the operand's magnitude towards zero or up ---- */
static unsigned scale_code(float v, bool up, bool finite)
{
	const double m = fabs((double)v);
	int code = 0;
	if (isnan(v))
		return 0xff;
	while (code < 0xff && ldexp(1, code + 1 - 127) <= m)
		code++;
	if (up && m > ldexp(1, code - 127) && isfinite(v))
		code++;
	return (unsigned)(finite && code > 0xfe ? 0xfe : code);
}
static void test_scale(void **state)
{
	static const char *const modes[] = {"rz", "rp", "rz.satfinite", "rp.satfinite"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 8; k++) {
		const bool pairs = k & 4, up = k & 1, finite = k & 2;
		char opcode[64];
		snprintf(opcode, sizeof opcode, "cvt.%s.ue8m0x2.%s", modes[k & 3], pairs ? "bf16x2" : "f32");
		struct isa_insn i = alu_insn(opcode);
		for (unsigned n = 0; n < 1000; n++) {
			for (unsigned l = 0; l < LANES; l++) {
				alu_set(&m, ROW_A, 4, l, ANY_F32(&m));
				alu_set(&m, ROW_B, 4, l, ANY_F32(&m));
			}
			alu_run(&m, &i);
			for (unsigned l = 0; l < LANES; l++) {
				float high = get_float(&m, ROW_A, l), low = get_float(&m, ROW_B, l);
				if (pairs) {
					const uint32_t v = (uint32_t)alu_get(&m, ROW_A, 4, l), h = v & 0xffff0000u, w = v << 16;
					memcpy(&high, &h, 4);
					memcpy(&low, &w, 4);
				}
				assert_int_equal(alu_get(&m, ROW_DST, 2, l), scale_code(high, up, finite) << 8 | scale_code(low, up, finite));
			}
		}
	}
	struct isa_insn i = alu_insn("cvt.rn.bf16x2.ue8m0x2");
	for (unsigned n = 0; n < 8; n++) {
		for (unsigned l = 0; l < LANES; l++)
			alu_set(&m, ROW_A, 2, l, (n * LANES + l) * 0x101u ^ 0xff00u);
		alu_run(&m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			const unsigned v = (unsigned)alu_get(&m, ROW_A, 2, l);
			const unsigned low = v & 255, high = v >> 8;
			assert_int_equal(alu_get(&m, ROW_DST, 4, l),
					 nearest(&bf16, high == 255 ? NAN : ldexp(1, (int)high - 127), false, false, false) << 16 |
						 nearest(&bf16, low == 255 ? NAN : ldexp(1, (int)low - 127), false, false, false));
		}
	}
	alu_free(&m);
}

/* ---- cvt.pack ---- */
static void test_pack_int(void **state)
{
	static const char *const types[] = {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 8; k++) {
		const unsigned bits = (unsigned)atoi(types[k] + 1);
		const int64_t span = INT64_C(1) << bits, min = *types[k] == 's' ? -span / 2 : 0, max = min + span - 1;
		char opcode[64];
		snprintf(opcode, sizeof opcode, "cvt.pack.sat.%s.s32%s", types[k], bits < 16 ? ".b32" : "");
		struct isa_insn i = alu_insn(opcode);
		i.c = bits < 16 ? ROW_REF(ROW_C) : ISA_REF_NONE;
		i.dst_bytes = 4;
		for (unsigned n = 0; n < 300; n++) {
			for (unsigned row = ROW_A; row <= ROW_C; row++)
				for (unsigned l = 0; l < LANES; l++)
					alu_set(&m, row, 4, l, alu_random(&m) & 1 ? alu_any_int(&m) : alu_random(&m) % 64 - 32);
			m.mask = alu_mask(&m, n);
			alu_run(&m, &i);
			for (unsigned l = 0; l < LANES; l++) {
				int64_t v[2];
				for (unsigned e = 0; e < 2; e++) {
					v[e] = (int32_t)(uint32_t)alu_get(&m, ROW_A + e, 4, l);
					v[e] = (v[e] < min ? min : v[e] > max ? max : v[e]) & (span - 1);
				}
				const uint64_t c = bits < 16 ? alu_get(&m, ROW_C, 4, l) << 2 * bits : 0;
				if (m.mask >> l & 1)
					assert_int_equal(alu_get(&m, ROW_DST, 4, l), (uint32_t)((uint64_t)(v[0] << bits | v[1]) | c));
			}
		}
	}
	alu_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from_f32),   cmocka_unit_test(test_from_f16x2), cmocka_unit_test(test_to_f16x2),
		cmocka_unit_test(test_stochastic), cmocka_unit_test(test_scale),      cmocka_unit_test(test_pack_int),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
