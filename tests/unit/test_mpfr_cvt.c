/* cvt between numbers: integers against plain C, everything that rounds against MPFR, all modes; 16-bit sources exhaustively. */
#include "mpfr_format.h"

static const struct format format_tf32 = {"tf32", 19, 10, 128, 0x3ffff};
static const struct format *const formats[] = {&format_f16, &format_bf16, &format_f32, &format_f64};
#define N_FORMATS 4
static const char *const ints[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
#define N_INTS_TYPES 8

enum { FTZ = 1, SAT = 2, RELU = 4, FINITE = 8 };

static unsigned int_bits(const char *t) { return (unsigned)atoi(t + 1); }
static bool int_signed(const char *t) { return *t == 's'; }

/* ---- the loop all of them share ---- */
struct job {
	const char *opcode;
	unsigned in_bytes, out_bytes; /* registers */
	const struct format *in_format; /* NULL: integers */
	const char *in_int;
	const struct format *out_format;
	const char *out_int;
	mpfr_rnd_t rnd;
	bool away, integral; /* rna; rounding to an integer */
	unsigned modifiers;
	unsigned batches;
};

static mpfr_t A, R;

/* NaN, by the ISA (9.0, "cvt"): 0 for integers of 32 bits and less from formats below .f64, else the type's top bit alone. */
static uint64_t clamp_to_int(const char *t, const struct format *from)
{
	const unsigned bits = int_bits(t);
	mpfr_t end;
	mpfr_init2(end, 70);
	uint64_t r;
	if (mpfr_nan_p(R)) {
		r = from == &format_f64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
	} else if (int_signed(t)) {
		mpfr_set_si_2exp(end, 1, (long)bits - 1, MPFR_RNDN);
		r = mpfr_cmp(R, end) >= 0 ? (UINT64_C(1) << (bits - 1)) - 1 : mpfr_cmpabs(R, end) >= 0 && mpfr_signbit(R)
			? UINT64_C(0) - (UINT64_C(1) << (bits - 1)) : (uint64_t)mpfr_get_si(R, MPFR_RNDZ);
	} else {
		mpfr_set_si_2exp(end, 1, (long)bits, MPFR_RNDN);
		r = mpfr_signbit(R) ? 0 : mpfr_cmp(R, end) >= 0 ? UINT64_MAX >> (64 - bits) : mpfr_get_ui(R, MPFR_RNDZ);
	}
	mpfr_clear(end);
	return r;
}

/* Whether A, rounded to nearest with ties away from zero, is its neighbour towards zero or the other. */
static mpfr_rnd_t nearest_away(const struct format *f)
{
	mpfr_t middle, outer;
	mpfr_inits2(70, middle, outer, (mpfr_ptr)NULL);
	format_begin(f, R);
	format_decode(f, format_end(f, R, mpfr_set(R, A, MPFR_RNDZ), MPFR_RNDZ), middle);
	format_begin(f, R);
	const uint64_t code = format_end(f, R, mpfr_set(R, A, MPFR_RNDA), MPFR_RNDA);
	format_decode(f, code, outer);
	if (mpfr_inf_p(outer))
		mpfr_set_si_2exp(outer, mpfr_signbit(A) ? -1 : 1, f->emax, MPFR_RNDN);
	mpfr_add(middle, middle, outer, MPFR_RNDN);
	mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
	const mpfr_rnd_t rnd = mpfr_cmpabs(A, middle) >= 0 ? MPFR_RNDA : MPFR_RNDZ;
	mpfr_clears(middle, outer, (mpfr_ptr)NULL);
	return rnd;
}

/* A rounded to the destination format. */
static uint64_t round_to(const struct job *j)
{
	const struct format *f = j->out_format;
	const uint64_t one = (format_inf(f) >> 1) & ~(format_one_ulp(f) - 1), max = format_inf(f) - 1;
	mpfr_rnd_t rnd = j->rnd;
	if (j->away && mpfr_number_p(A))
		rnd = nearest_away(f);
	format_begin(f, R);
	uint64_t r = format_end(f, R, mpfr_set(R, A, rnd), rnd);
	if ((j->modifiers & FINITE) && !format_is_nan(f, r) && (r & (format_top(f) - 1)) > max)
		r = (r & format_top(f)) | max;
	if (j->modifiers & SAT)
		r = format_is_nan(f, r) || r & format_top(f) ? 0 : r > one ? one : r;
	if (j->modifiers & RELU)
		r = !format_is_nan(f, r) && r & format_top(f) ? 0 : r;
	return f->bits == 32 && j->modifiers & FTZ ? format_flush(f, r) : r;
}

static uint64_t extend(uint64_t v, const char *t)
{
	const unsigned spare = 64 - int_bits(t);
	return int_signed(t) ? (uint64_t)((int64_t)(v << spare) >> spare) : v << spare >> spare;
}

static uint64_t expected(const struct job *j, uint64_t v)
{
	if (j->in_format) {
		if (j->in_format->bits == 32 && j->modifiers & FTZ)
			v = format_flush(j->in_format, v);
		format_decode(j->in_format, v, A);
	} else if (int_signed(j->in_int)) {
		mpfr_set_si(A, (long)extend(v, j->in_int), MPFR_RNDN);
	} else {
		mpfr_set_ui(A, extend(v, j->in_int), MPFR_RNDN);
	}
	if (j->integral) {
		mpfr_set_prec(R, 64);
		mpfr_rint(R, A, j->rnd);
		mpfr_set(A, R, MPFR_RNDN);
	}
	if (!j->out_format) {
		mpfr_set_prec(R, 64);
		mpfr_set(R, A, MPFR_RNDN);
		return extend(clamp_to_int(j->out_int, j->in_format), j->out_int);
	}
	/* f64 keeps the payloads of NaNs, widened from f32 and below */
	if (j->out_format == &format_f64 && j->in_format && mpfr_nan_p(A) && !(j->modifiers & SAT)) {
		const unsigned m = j->in_format->mantissa;
		const uint64_t fraction = (v & (format_one_ulp(j->in_format) - 1)) << (52 - m);
		return (v & format_top(j->in_format) ? format_top(&format_f64) : 0) | format_inf(&format_f64) | UINT64_C(1) << 51 | fraction;
	}
	return round_to(j);
}

static uint64_t keep(uint64_t v, unsigned bytes) { return bytes >= 8 ? v : v & ((UINT64_C(1) << 8 * bytes) - 1); }

static uint64_t operand(struct alu *m, const struct job *j, unsigned k)
{
	if (j->in_format && j->in_format->bits == 16)
		return k;
	if (!j->in_format)
		return k < 2 * N_INTS ? alu_ints[k % N_INTS] : alu_any_int(m);
	if (k < EDGES)
		return alu_edge(k, j->in_format->bits, j->in_format->mantissa);
	/* near the destination's places and near integers, as well as anywhere */
	const unsigned to = j->out_format ? j->out_format->mantissa : 20, from = j->in_format->mantissa;
	uint64_t v = format_any(m, j->in_format);
	if (k % 3 == 0 && from > to)
		v = (v & ~((UINT64_C(1) << (from - to)) - 1)) + (UINT64_C(1) << (from - to - 1)) + k % 5 - 2;
	if (k % 3 == 1) {
		const uint64_t bias = (format_inf(j->in_format) >> 1) & ~(format_one_ulp(j->in_format) - 1);
		v = (v & (format_top(j->in_format) | (format_one_ulp(j->in_format) - 1))) | (bias + (k / 3 % 66) * format_one_ulp(j->in_format));
		if (k / 3 % 66 < from)
			v &= ~((UINT64_C(1) << (from - k / 3 % 66) >> 1) - 1);
	}
	return v;
}

static void run_job(struct alu *m, const struct job *j)
{
	struct isa_insn i = alu_insn(j->opcode);
	i.dst_bytes = (uint8_t)j->out_bytes;
	i.a_bytes = (uint8_t)j->in_bytes;
	const unsigned batches = j->in_format && j->in_format->bits == 16 ? 65536 / LANES : j->batches;
	for (unsigned n = 0; n < batches; n++) {
		for (unsigned l = 0; l < LANES; l++)
			alu_set(m, ROW_A, j->in_bytes, l, operand(m, j, n * LANES + l));
		alu_scramble(m, ROW_DST);
		m->mask = n % 8 == 7 && !(j->in_format && j->in_format->bits == 16) ? (uint32_t)alu_random(m) | 1 : LANES_ALL;
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			const uint64_t v = alu_get(m, ROW_A, j->in_bytes, l), got = alu_get(m, ROW_DST, j->out_bytes, l);
			if (!(m->mask >> l & 1))
				continue;
			uint64_t want = expected(j, v);
			if (j->out_format == &format_tf32)
				want = want == format_tf32.nan ? 0x7fffffff : want << 13;
			want = keep(want, j->out_bytes < 2 ? 2 : j->out_bytes);
			if (want != got)
				fail_msg("%s %#lx: %#lx, expected %#lx", j->opcode, v, got, want);
		}
	}
}

/* ---- the tests ---- */
/* Without .sat the low bits; with it the nearest end. Registers may be wider than the types on both sides: 10^5 values where they
 * are as wide, fewer else. */
static void test_int_to_int(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned t = 0; t < N_INTS_TYPES; t++)
		for (unsigned s = 0; s < N_INTS_TYPES; s++)
			for (unsigned wide = 0; wide < 9; wide++)
				for (unsigned sat = 0; sat < 2; sat++) {
					const unsigned to = int_bits(ints[t]) / 8, from = int_bits(ints[s]) / 8;
					static const uint8_t widths[] = {2, 4, 8};
					const unsigned out = widths[wide / 3], in = widths[wide % 3];
					char opcode[32];
					snprintf(opcode, sizeof opcode, "cvt%s.%s.%s", sat ? ".sat" : "", ints[t], ints[s]);
					if (out < to || in < from)
						continue;
					const unsigned batches = out == (to < 2 ? 2 : to) && in == (from < 2 ? 2 : from) ? 3200 : 60;
					struct job j = {.opcode = opcode, .in_bytes = in, .out_bytes = out, .in_int = ints[s], .out_int = ints[t], .batches = batches};
					if (sat) {
						run_job(&m, &j);
						continue;
					}
					struct isa_insn i = alu_insn(opcode);
					i.dst_bytes = (uint8_t)out, i.a_bytes = (uint8_t)in;
					for (unsigned n = 0; n < batches; n++) {
						for (unsigned l = 0; l < LANES; l++)
							alu_set(&m, ROW_A, in, l, alu_any_int(&m));
						m.mask = alu_mask(&m, n);
						alu_run(&m, &i);
						for (unsigned l = 0; l < LANES; l++) {
							const uint64_t v = alu_get(&m, ROW_A, in, l);
							if (m.mask >> l & 1 && alu_get(&m, ROW_DST, out, l) != keep(extend(extend(v, ints[s]), ints[t]), out))
								fail_msg("%s %#lx (%u to %u bytes): %#lx", opcode, v, in, out, alu_get(&m, ROW_DST, out, l));
						}
					}
				}
	alu_free(&m);
}

static void test_int_to_float(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned f = 0; f < N_FORMATS; f++)
		for (unsigned s = 0; s < N_INTS_TYPES; s++)
			for (unsigned r = 0; r < 4; r++)
				for (unsigned sat = 0; sat < 2; sat++) {
					char opcode[40];
					snprintf(opcode, sizeof opcode, "cvt.%s%s.%s.%s", format_roundings[r].name, sat ? ".sat" : "", formats[f]->name, ints[s]);
					const struct job j = {.opcode = opcode, .in_bytes = int_bits(ints[s]) / 8, .out_bytes = formats[f]->bits / 8,
							      .in_int = ints[s], .out_format = formats[f], .rnd = format_roundings[r].rnd,
							      .modifiers = sat ? SAT : 0, .batches = sat ? 50 : 800};
					run_job(&m, &j);
				}
	/* a register wider than the type */
	const struct job wide = {.opcode = "cvt.rn.f32.s8", .in_bytes = 4, .out_bytes = 4, .in_int = "s8", .out_format = &format_f32,
				 .rnd = MPFR_RNDN, .batches = 50};
	run_job(&m, &wide);
	alu_free(&m);
}

static void test_float_to_int(void **state)
{
	static const char *const names[] = {"rni", "rzi", "rmi", "rpi"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned f = 0; f < N_FORMATS; f++)
		for (unsigned t = 0; t < N_INTS_TYPES; t++)
			for (unsigned r = 0; r < 4; r++)
				for (unsigned ftz = 0; ftz < (formats[f]->bits == 32 ? 2u : 1u); ftz++) {
					char opcode[40];
					snprintf(opcode, sizeof opcode, "cvt.%s%s.%s.%s", names[r], ftz ? ".ftz" : "", ints[t], formats[f]->name);
					const struct job j = {.opcode = opcode, .in_bytes = formats[f]->bits / 8, .out_bytes = int_bits(ints[t]) / 8,
							      .in_format = formats[f], .out_int = ints[t], .rnd = format_roundings[r].rnd,
							      .integral = true, .modifiers = ftz ? FTZ : 0, .batches = 800};
					run_job(&m, &j);
				}
	/* into a wider register: extended by the type's sign */
	const struct job wide = {.opcode = "cvt.rzi.s16.f32", .in_bytes = 4, .out_bytes = 4, .in_format = &format_f32, .out_int = "s16",
				 .rnd = MPFR_RNDZ, .integral = true, .batches = 100};
	run_job(&m, &wide);
	alu_free(&m);
}

static void test_float_to_float(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned t = 0; t < N_FORMATS; t++)
		for (unsigned s = 0; s < N_FORMATS; s++)
			for (unsigned r = 0; r < 5; r++)
				for (unsigned mod = 0; mod < 4; mod++) {
					const bool f32 = formats[t]->bits == 32 || formats[s]->bits == 32;
					const bool rounded = r < 4;
					char opcode[48];
					snprintf(opcode, sizeof opcode, "cvt%s%s%s%s.%s.%s", rounded ? "." : "", rounded ? format_roundings[r].name : "",
						 mod & FTZ ? ".ftz" : "", mod & SAT ? ".sat" : "", formats[t]->name, formats[s]->name);
					if ((mod & FTZ && !f32) || (!rounded && formats[t]->mantissa < formats[s]->mantissa))
						continue;
					const struct job j = {.opcode = opcode, .in_bytes = formats[s]->bits / 8, .out_bytes = formats[t]->bits / 8,
							      .in_format = formats[s], .out_format = formats[t],
							      .rnd = rounded ? format_roundings[r].rnd : MPFR_RNDN, .modifiers = mod,
							      .batches = mod ? 100 : r == 0 ? 3200 : 800};
					run_job(&m, &j);
				}
	alu_free(&m);
}

/* rni and its like within one type: integral values. */
static void test_integral(void **state)
{
	static const char *const names[] = {"rni", "rzi", "rmi", "rpi"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned f = 0; f < N_FORMATS; f++)
		for (unsigned r = 0; r < 4; r++)
			for (unsigned mod = 0; mod < 4; mod++) {
				char opcode[48];
				snprintf(opcode, sizeof opcode, "cvt.%s%s%s.%s.%s", names[r], mod & FTZ ? ".ftz" : "", mod & SAT ? ".sat" : "",
					 formats[f]->name, formats[f]->name);
				if (mod & FTZ && formats[f]->bits != 32)
					continue;
				const struct job j = {.opcode = opcode, .in_bytes = formats[f]->bits / 8, .out_bytes = formats[f]->bits / 8,
						      .in_format = formats[f], .out_format = formats[f], .rnd = format_roundings[r].rnd,
						      .integral = true, .modifiers = mod, .batches = 800};
				run_job(&m, &j);
			}
	alu_free(&m);
}

/* f32 to the 16- and 19-bit formats with .relu and .satfinite, and tf32's ties away. */
static void test_narrow(void **state)
{
	static const struct format *const to[] = {&format_f16, &format_bf16, &format_tf32};
	static const char *const names[] = {"rn", "rz", "rna"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned t = 0; t < 3; t++)
		for (unsigned r = 0; r < (t == 2 ? 3u : 2u); r++)
			for (unsigned mod = 0; mod < 4; mod++) {
				char opcode[48];
				snprintf(opcode, sizeof opcode, "cvt.%s%s%s.%s.f32", names[r], mod & 1 ? ".relu" : "", mod & 2 ? ".satfinite" : "", to[t]->name);
				const struct job j = {.opcode = opcode, .in_bytes = 4, .out_bytes = t == 2 ? 4 : 2, .in_format = &format_f32,
						      .out_format = to[t], .rnd = r == 1 ? MPFR_RNDZ : MPFR_RNDN, .away = r == 2,
						      .modifiers = (mod & 1 ? RELU : 0) | (mod & 2 ? FINITE : 0), .batches = 800};
				run_job(&m, &j);
			}
	alu_free(&m);
}

static int setup(void **state)
{
	(void)state;
	mpfr_init2(A, 70);
	mpfr_init2(R, 70);
	return 0;
}
static int teardown(void **state)
{
	(void)state;
	mpfr_clears(A, R, (mpfr_ptr)NULL);
	mpfr_free_cache();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_int_to_int),     cmocka_unit_test(test_int_to_float), cmocka_unit_test(test_float_to_int),
		cmocka_unit_test(test_float_to_float), cmocka_unit_test(test_integral),	    cmocka_unit_test(test_narrow),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
