/* The approximate functions against MPFR within the errors the ISA states, and their special values. */
#include "mpfr_format.h"

#include <math.h>

static mpfr_t A, B, R, D;

typedef int (*function)(mpfr_t r, const mpfr_t a, mpfr_rnd_t rnd);
static int reciprocal(mpfr_t r, const mpfr_t a, mpfr_rnd_t rnd) { return mpfr_ui_div(r, 1, a, rnd); }
/* the ISA's table has -infinity for -0, MPFR +infinity */
static int reciprocal_root(mpfr_t r, const mpfr_t a, mpfr_rnd_t rnd)
{
	if (!mpfr_zero_p(a))
		return mpfr_rec_sqrt(r, a, rnd);
	mpfr_set_inf(r, mpfr_signbit(a) ? -1 : 1);
	return 0;
}

enum measure { ULP, RELATIVE, ABSOLUTE };
struct bound {
	enum measure measure;
	double limit;		/* ulps, or the exponent of two */
	double from, to;	/* of the operand's magnitude */
};

/* Whether the bits differ from R by more than the bound; D holds their value. */
static bool too_far(const struct format *f, const struct bound *b)
{
	mpfr_t e;
	bool far;
	if (mpfr_nan_p(R) || mpfr_nan_p(D))
		return !(mpfr_nan_p(R) && mpfr_nan_p(D));
	if (mpfr_inf_p(R) || mpfr_zero_p(R))
		return !mpfr_equal_p(R, D) || mpfr_signbit(R) != mpfr_signbit(D);
	mpfr_init2(e, 200);
	mpfr_sub(e, D, R, MPFR_RNDN);
	mpfr_abs(e, e, MPFR_RNDN);
	if (mpfr_inf_p(D)) /* overflow: right if R is that large */
		far = mpfr_get_exp(R) <= f->emax;
	else if (b->measure == RELATIVE)
		mpfr_div(e, e, R, MPFR_RNDN), far = fabs(mpfr_get_d(e, MPFR_RNDN)) > exp2(b->limit);
	else if (b->measure == ABSOLUTE)
		far = mpfr_get_d(e, MPFR_RNDN) > exp2(b->limit);
	else {
		const long place = mpfr_get_exp(R) - 1 - (long)f->mantissa, lowest = 2 - f->emax - (long)f->mantissa;
		far = mpfr_get_d(e, MPFR_RNDN) > ldexp(b->limit, (int)(place < lowest ? lowest : place));
	}
	mpfr_clear(e);
	return far;
}

static void check_one(struct alu *m, const char *opcode, const struct format *f, function fn, bool ftz, const struct bound *b, unsigned l)
{
	const unsigned bytes = f->bits / 8;
	uint64_t v = alu_get(m, ROW_A, bytes, l);
	const uint64_t got = alu_get(m, ROW_DST, bytes, l);
	if (ftz)
		v = format_flush(f, v);
	format_decode(f, v, A);
	const double magnitude = fabs(mpfr_get_d(A, MPFR_RNDN));
	if (mpfr_number_p(A) && !mpfr_zero_p(A) && (magnitude < b->from || magnitude > b->to))
		return;
	fn(R, A, MPFR_RNDN);
	format_decode(f, got, D);
	if (format_is_nan(f, got) && got != f->nan && !(bytes == 8 && format_is_nan(f, v)))
		fail_msg("%s %#lx: NaN is %#lx", opcode, v, got);
	if (ftz && format_is_subnormal(f, got))
		fail_msg("%s %#lx: subnormal %#lx", opcode, v, got);
	/* a result below the normal numbers is allowed to be the zero */
	if (ftz && mpfr_number_p(R) && mpfr_get_exp(R) <= 3 - f->emax && mpfr_zero_p(D) && mpfr_signbit(R) == mpfr_signbit(D))
		return;
	if (too_far(f, b))
		fail_msg("%s %#lx: %#lx, expected %a", opcode, v, got, mpfr_get_d(R, MPFR_RNDN));
}

static void check(struct alu *m, const char *opcode, const struct format *f, function fn, struct bound b)
{
	const struct isa_insn i = alu_insn(opcode);
	const unsigned bytes = f->bits / 8, batches = bytes == 2 ? 65536 / LANES : 3200;
	for (unsigned n = 0; n < batches; n++) {
		for (unsigned l = 0; l < LANES; l++) {
			const unsigned k = n * LANES + l;
			uint64_t v = bytes == 2 ? k : k < EDGES ? alu_edge(k, f->bits, f->mantissa) : format_any(m, f);
			if (bytes != 2 && k % 2 && b.to < 1e6) { /* where the bound holds */
				mpfr_set_d(A, b.from + (b.to - b.from) * (double)(alu_random(m) >> 11) * 0x1p-53, MPFR_RNDN);
				format_begin(f, D);
				v = format_end(f, D, mpfr_set(D, A, MPFR_RNDN), MPFR_RNDN) | (k & 2 ? format_top(f) : 0);
				mpfr_set_prec(D, 64);
			}
			alu_set(m, ROW_A, bytes, l, v);
		}
		m->mask = bytes == 2 ? LANES_ALL : alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++)
			if (m->mask >> l & 1)
				check_one(m, opcode, f, fn, strstr(opcode, ".ftz"), &b, l);
	}
}

#define ALL 0, INFINITY
#define PI2 6.28318

static void test_f32(void **state)
{
	static const struct {
		const char *name;
		function fn;
		struct bound b;
	} rows[] = {
		{"rcp.approx", reciprocal, {ULP, 1, ALL}},
		{"sqrt.approx", mpfr_sqrt, {RELATIVE, -23, 0x1p-126, INFINITY}},
		{"rsqrt.approx", reciprocal_root, {RELATIVE, -22.9, ALL}},
		{"ex2.approx", mpfr_exp2, {ULP, 2, ALL}},
		{"lg2.approx", mpfr_log2, {ABSOLUTE, -22, 0.5, 2}},
		{"lg2.approx", mpfr_log2, {RELATIVE, -22, 2, INFINITY}},
		{"lg2.approx", mpfr_log2, {RELATIVE, -22, 0, 0.5}},
		{"sin.approx", mpfr_sin, {ABSOLUTE, -20.5, 0, PI2}},
		{"cos.approx", mpfr_cos, {ABSOLUTE, -20.5, 0, PI2}},
		{"sin.approx", mpfr_sin, {ABSOLUTE, -14.7, 0, 50 * PI2}},
		{"cos.approx", mpfr_cos, {ABSOLUTE, -14.7, 0, 50 * PI2}},
		/* our own: the reduction of large arguments is exact enough for f32 */
		{"sin.approx", mpfr_sin, {ABSOLUTE, -24, ALL}},
		{"cos.approx", mpfr_cos, {ABSOLUTE, -24, ALL}},
	};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; k++) {
		char opcode[40];
		snprintf(opcode, sizeof opcode, "%s%s.f32", rows[k / 2].name, k & 1 ? ".ftz" : "");
		check(&m, opcode, &format_f32, rows[k / 2].fn, rows[k / 2].b);
	}
	check(&m, "tanh.approx.f32", &format_f32, mpfr_tanh, (struct bound){RELATIVE, -11, 0x1p-126, INFINITY});
	check(&m, "tanh.approx.f32", &format_f32, mpfr_tanh, (struct bound){ULP, 1, ALL});
	alu_free(&m);
}

static void test_halves(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	check(&m, "ex2.approx.f16", &format_f16, mpfr_exp2, (struct bound){ULP, 1, ALL});
	check(&m, "ex2.approx.ftz.bf16", &format_bf16, mpfr_exp2, (struct bound){ULP, 1, ALL});
	check(&m, "tanh.approx.f16", &format_f16, mpfr_tanh, (struct bound){ULP, 1, ALL});
	check(&m, "tanh.approx.bf16", &format_bf16, mpfr_tanh, (struct bound){ULP, 1, ALL});
	alu_free(&m);
}

/* Pairs are the scalar function twice. */
static void test_pairs(void **state)
{
	static const char *const ops[] = {"ex2.approx.f16", "ex2.approx.ftz.bf16", "tanh.approx.f16", "tanh.approx.bf16"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 4; k++) {
		char pair[40];
		snprintf(pair, sizeof pair, "%sx2", ops[k]);
		const struct isa_insn two = alu_insn(pair), one = alu_insn(ops[k]);
		uint32_t result[LANES];
		alu_scramble(&m, ROW_A);
		alu_run(&m, &two);
		memcpy(result, alu_row(&m, ROW_DST), sizeof result);
		for (unsigned half = 0; half < 2; half++) {
			uint32_t source[LANES];
			memcpy(source, alu_row(&m, ROW_A), sizeof source);
			for (unsigned l = 0; l < LANES; l++)
				alu_set(&m, ROW_A, 2, l, source[l] >> 16 * half);
			alu_run(&m, &one);
			for (unsigned l = 0; l < LANES; l++)
				assert_int_equal(alu_get(&m, ROW_DST, 2, l), result[l] >> 16 * half & 0xffff);
			memcpy(alu_row(&m, ROW_A), source, sizeof source);
		}
	}
	alu_free(&m);
}

/* div.approx: two ulps where |b| is in [2^-126, 2^126], zero beyond (NaN for infinite a); div.full everywhere. */
static void check_div(struct alu *m, const char *opcode, bool full)
{
	const struct isa_insn i = alu_insn(opcode);
	const struct format *f = &format_f32;
	const bool ftz = strstr(opcode, ".ftz");
	const struct bound b = {ULP, 2, ALL};
	for (unsigned n = 0; n < 3200; n++) {
		for (unsigned l = 0; l < LANES; l++) {
			const unsigned k = n * LANES + l;
			alu_set(m, ROW_A, 4, l, k < EDGES * EDGES ? alu_edge(k % EDGES, 32, 23) : ANY_F32(m));
			alu_set(m, ROW_B, 4, l, k < EDGES * EDGES ? alu_edge(k / EDGES, 32, 23) : ANY_F32(m));
		}
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			uint64_t a = alu_get(m, ROW_A, 4, l), d = alu_get(m, ROW_B, 4, l);
			const uint64_t got = alu_get(m, ROW_DST, 4, l);
			if (ftz)
				a = format_flush(f, a), d = format_flush(f, d);
			format_decode(f, a, A);
			format_decode(f, d, B);
			mpfr_div(R, A, B, MPFR_RNDN);
			const uint64_t magnitude = d & 0x7fffffff;
			if (!full && magnitude > 0x7e800000 && magnitude < 0x7f800000) {
				const bool nan = mpfr_inf_p(A) || mpfr_nan_p(A);
				if (nan ? got != f->nan : (got & 0x7fffffff) != 0)
					fail_msg("%s %#lx %#lx: %#lx", opcode, a, d, got);
				continue;
			}
			format_decode(f, got, D);
			if (ftz && mpfr_number_p(R) && mpfr_get_exp(R) <= -125 && mpfr_zero_p(D))
				continue;
			if (mpfr_number_p(R) && mpfr_get_exp(R) < -148 && mpfr_zero_p(D))
				continue;
			if (too_far(f, &b))
				fail_msg("%s %#lx %#lx: %#lx", opcode, a, d, got);
		}
	}
}
static void test_division(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	check_div(&m, "div.approx.f32", false);
	check_div(&m, "div.approx.ftz.f32", false);
	check_div(&m, "div.full.f32", true);
	check_div(&m, "div.full.ftz.f32", true);
	alu_free(&m);
}

/* ---- f64: rsqrt.approx within two ulps; the .ftz ones work on the upper words ---- */
static void check_gross(struct alu *m, const char *opcode, function fn)
{
	const struct isa_insn i = alu_insn(opcode);
	const struct format *f = &format_f64;
	m->mask = LANES_ALL;
	for (unsigned n = 0; n < 3200; n++) {
		for (unsigned l = 0; l < LANES; l++)
			alu_set(m, ROW_A, 8, l, n * LANES + l < EDGES ? alu_edge(n * LANES + l, 64, 52) : ANY_F64(m));
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			const uint64_t v = alu_get(m, ROW_A, 8, l), got = alu_get(m, ROW_DST, 8, l);
			const uint64_t upper = format_flush(f, v) & UINT64_C(0xffffffff00000000);
			format_decode(f, format_is_nan(f, v) ? v : format_flush(f, upper), A);
			fn(R, A, MPFR_RNDN);
			if (mpfr_nan_p(R)) {
				assert_int_equal(got, UINT64_C(0x7fffffff00000000));
				continue;
			}
			const struct bound b = {RELATIVE, -20.9, ALL};
			format_decode(f, got, D);
			assert_int_equal(got & 0xffffffff, 0);
			if (mpfr_number_p(R) && mpfr_get_exp(R) <= -1021 && mpfr_zero_p(D))
				continue;
			if (too_far(f, &b))
				fail_msg("%s %#lx: %#lx", opcode, v, got);
		}
	}
}
static void test_f64(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	check(&m, "rsqrt.approx.f64", &format_f64, reciprocal_root, (struct bound){ULP, 2, ALL});
	check_gross(&m, "rcp.approx.ftz.f64", reciprocal);
	check_gross(&m, "rsqrt.approx.ftz.f64", reciprocal_root);
	alu_free(&m);
}

static int setup(void **state)
{
	(void)state;
	mpfr_init2(A, 64);
	mpfr_init2(B, 64);
	mpfr_init2(R, 128);
	mpfr_init2(D, 64);
	return 0;
}
static int teardown(void **state)
{
	(void)state;
	mpfr_clears(A, B, R, D, (mpfr_ptr)NULL);
	mpfr_free_cache();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_f32),	 cmocka_unit_test(test_halves), cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_division), cmocka_unit_test(test_f64),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
