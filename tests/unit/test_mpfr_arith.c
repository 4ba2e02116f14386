/* add, sub, mul, fma, div, sqrt, rcp: every rounding, type and modifier, bit for bit against MPFR. */
#include "mpfr_format.h"

enum op { ADD, SUB, MUL, FMA, DIV, SQRT, RCP };
static const struct {
	const char *name;
	unsigned operands;
} ops[] = {[ADD] = {"add", 2}, [SUB] = {"sub", 2}, [MUL] = {"mul", 2}, [FMA] = {"fma", 3}, [DIV] = {"div", 2}, [SQRT] = {"sqrt", 1}, [RCP] = {"rcp", 1}};

struct oracle {
	mpfr_t a, b, c, r;
};
static void oracle_init(struct oracle *o) { mpfr_inits2(64, o->a, o->b, o->c, o->r, (mpfr_ptr)NULL); }
static void oracle_clear(struct oracle *o) { mpfr_clears(o->a, o->b, o->c, o->r, (mpfr_ptr)NULL); }

static uint64_t reference(struct oracle *o, const struct format *f, enum op op, mpfr_rnd_t rnd, const uint64_t v[3])
{
	int t = 0;
	format_decode(f, v[0], o->a);
	if (ops[op].operands > 1)
		format_decode(f, v[1], o->b);
	if (ops[op].operands > 2)
		format_decode(f, v[2], o->c);
	format_begin(f, o->r);
	switch (op) {
	case ADD: t = mpfr_add(o->r, o->a, o->b, rnd); break;
	case SUB: t = mpfr_sub(o->r, o->a, o->b, rnd); break;
	case MUL: t = mpfr_mul(o->r, o->a, o->b, rnd); break;
	case FMA: t = mpfr_fma(o->r, o->a, o->b, o->c, rnd); break;
	case DIV: t = mpfr_div(o->r, o->a, o->b, rnd); break;
	case SQRT: t = mpfr_sqrt(o->r, o->a, rnd); break;
	case RCP: t = mpfr_ui_div(o->r, 1, o->a, rnd); break;
	}
	return format_end(f, o->r, t, rnd);
}

enum { FTZ = 1, SAT = 2, RELU = 4 };

/* With modifiers and NaN rules around it. */
static uint64_t expected(struct oracle *o, const struct format *f, enum op op, mpfr_rnd_t rnd, unsigned modifiers, const uint64_t in[3])
{
	const uint64_t one = (format_inf(f) >> 1) & ~(format_one_ulp(f) - 1);
	uint64_t v[3];
	for (unsigned k = 0; k < 3; k++)
		v[k] = modifiers & FTZ ? format_flush(f, in[k]) : in[k];
	uint64_t r = reference(o, f, op, rnd, v);
	if (f->bits == 64 && format_is_nan(f, r)) /* payloads: the first NaN operand */
		for (unsigned k = ops[op].operands; k--;)
			if (format_is_nan(f, v[k]))
				r = v[k] | UINT64_C(1) << 51;
	if (modifiers & SAT)
		r = format_is_nan(f, r) || r & format_top(f) ? 0 : r > one ? one : r;
	if (modifiers & RELU)
		r = !format_is_nan(f, r) && r & format_top(f) ? 0 : r;
	return modifiers & FTZ ? format_flush(f, r) : r;
}

static void check(struct alu *m, const char *opcode, const struct format *f, enum op op, mpfr_rnd_t rnd, unsigned modifiers, unsigned batches)
{
	struct isa_insn i = alu_insn(opcode);
	const unsigned bytes = f->bits / 8, edges = ops[op].operands == 1 ? EDGES : EDGES * EDGES;
	struct oracle o;
	oracle_init(&o);
	i.c = ops[op].operands == 3 ? ROW_REF(ROW_C) : ISA_REF_NONE;
	for (unsigned n = 0; n < (edges + LANES - 1) / LANES + batches; n++) {
		for (unsigned l = 0; l < LANES; l++) {
			const unsigned k = n * LANES + l;
			const bool edge = k < edges;
			alu_set(m, ROW_A, bytes, l, edge ? alu_edge(k % EDGES, f->bits, f->mantissa) : format_any(m, f));
			alu_set(m, ROW_B, bytes, l, edge ? alu_edge(k / EDGES, f->bits, f->mantissa) : format_any(m, f));
			alu_set(m, ROW_C, bytes, l, format_any(m, f));
		}
		/* sums that cancel, near and far */
		for (unsigned l = 0; l < LANES && op == FMA && n % 3 == 0; l++) {
			const uint64_t v[3] = {alu_get(m, ROW_A, bytes, l), alu_get(m, ROW_B, bytes, l), 0};
			alu_set(m, ROW_C, bytes, l, (reference(&o, f, MUL, MPFR_RNDN, v) ^ format_top(f)) + l % 3 - 1);
		}
		m->mask = alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			const uint64_t v[3] = {alu_get(m, ROW_A, bytes, l), alu_get(m, ROW_B, bytes, l), alu_get(m, ROW_C, bytes, l)};
			if (!(m->mask >> l & 1))
				continue;
			const uint64_t want = expected(&o, f, op, rnd, modifiers, v), got = alu_get(m, ROW_DST, bytes, l);
			if (want != got)
				fail_msg("%s %#lx %#lx %#lx: %#lx, expected %#lx", opcode, v[0], v[1], v[2], got, want);
		}
	}
	oracle_clear(&o);
}

#define BATCHES 3200u /* 10^5 values */

static void test_f32(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (enum op op = ADD; op <= RCP; op++)
		for (unsigned r = 0; r < 4; r++)
			for (unsigned mod = 0; mod < (op <= FMA ? 4u : 2u); mod++) {
				char opcode[48];
				snprintf(opcode, sizeof opcode, "%s.%s%s%s.f32", ops[op].name, format_roundings[r].name,
					 mod & FTZ ? ".ftz" : "", mod & SAT ? ".sat" : "");
				check(&m, opcode, &format_f32, op, format_roundings[r].rnd, mod, mod ? BATCHES / 4 : BATCHES);
			}
	check(&m, "add.f32", &format_f32, ADD, MPFR_RNDN, 0, 100);
	check(&m, "sub.ftz.f32", &format_f32, SUB, MPFR_RNDN, FTZ, 100);
	check(&m, "mul.sat.f32", &format_f32, MUL, MPFR_RNDN, SAT, 100);
	check(&m, "mad.rn.f32", &format_f32, FMA, MPFR_RNDN, 0, 100);
	check(&m, "mad.rz.ftz.sat.f32", &format_f32, FMA, MPFR_RNDZ, FTZ | SAT, 100);
	alu_free(&m);
}

static void test_f64(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (enum op op = ADD; op <= RCP; op++)
		for (unsigned r = 0; r < 4; r++) {
			char opcode[48];
			snprintf(opcode, sizeof opcode, "%s.%s.f64", ops[op].name, format_roundings[r].name);
			check(&m, opcode, &format_f64, op, format_roundings[r].rnd, 0, BATCHES);
		}
	check(&m, "add.f64", &format_f64, ADD, MPFR_RNDN, 0, 100);
	check(&m, "mad.rm.f64", &format_f64, FMA, MPFR_RNDD, 0, 100);
	alu_free(&m);
}

static void test_halves(void **state)
{
	static const struct format *const formats[] = {&format_f16, &format_bf16};
	static const char *const suffixes[] = {"", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (enum op op = ADD; op <= FMA; op++)
		for (unsigned k = 0; k < 2; k++)
			for (unsigned mod = 0; mod < (k ? 1u : op == FMA ? 6u : 4u); mod++) {
				char opcode[48];
				snprintf(opcode, sizeof opcode, "%s.rn%s.%s", ops[op].name, suffixes[mod], formats[k]->name);
				check(&m, opcode, formats[k], op, MPFR_RNDN, mod, mod ? BATCHES / 4 : BATCHES);
			}
	check(&m, "fma.rn.relu.bf16", &format_bf16, FMA, MPFR_RNDN, RELU, 800);
	alu_free(&m);
}

/* ---- packed and mixed forms: each half is the scalar form's result ---- */
static void check_pair(struct alu *m, const char *opcode, const struct format *f, enum op op, mpfr_rnd_t rnd, unsigned modifiers)
{
	struct isa_insn i = alu_insn(opcode);
	struct oracle o;
	oracle_init(&o);
	i.c = ops[op].operands == 3 ? ROW_REF(ROW_C) : ISA_REF_NONE;
	for (unsigned n = 0; n < 200; n++) {
		for (unsigned k = ROW_A; k <= ROW_C; k++)
			for (unsigned l = 0; l < 2 * LANES; l++)
				alu_set(m, k, f->bits / 8, l, format_any(m, f));
		m->mask = alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < 2 * LANES; l++) {
			const unsigned bytes = f->bits / 8;
			const uint64_t v[3] = {alu_get(m, ROW_A, bytes, l), alu_get(m, ROW_B, bytes, l), alu_get(m, ROW_C, bytes, l)};
			const uint64_t want = expected(&o, f, op, rnd, modifiers, v), got = alu_get(m, ROW_DST, bytes, l);
			if (m->mask >> l / 2 & 1 && want != got)
				fail_msg("%s %#lx %#lx %#lx: %#lx, expected %#lx", opcode, v[0], v[1], v[2], got, want);
		}
	}
	oracle_clear(&o);
}

static void test_pairs(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (enum op op = ADD; op <= FMA; op++) {
		char opcode[48];
		for (unsigned r = 0; r < 4; r++)
			for (unsigned ftz = 0; ftz < 2; ftz++) {
				snprintf(opcode, sizeof opcode, "%s.%s%s.f32x2", ops[op].name, format_roundings[r].name, ftz ? ".ftz" : "");
				check_pair(&m, opcode, &format_f32, op, format_roundings[r].rnd, ftz);
			}
		snprintf(opcode, sizeof opcode, "%s.rn.ftz.sat.f16x2", ops[op].name);
		check_pair(&m, opcode, &format_f16, op, MPFR_RNDN, FTZ | SAT);
		snprintf(opcode, sizeof opcode, "%s.f16x2", ops[op].name);
		check_pair(&m, opcode, &format_f16, op, MPFR_RNDN, 0);
		snprintf(opcode, sizeof opcode, "%s.rn.bf16x2", ops[op].name);
		check_pair(&m, opcode, &format_bf16, op, MPFR_RNDN, 0);
	}
	check_pair(&m, "fma.rn.relu.bf16x2", &format_bf16, FMA, MPFR_RNDN, RELU);
	alu_free(&m);
}

static void check_mixed(struct alu *m, const struct format *h, enum op op, unsigned r, bool sat)
{
	char opcode[48];
	snprintf(opcode, sizeof opcode, "%s.%s%s.f32.%s", ops[op].name, format_roundings[r].name, sat ? ".sat" : "", h->name);
	struct isa_insn i = alu_insn(opcode);
	const unsigned halves = op == FMA ? 2 : 1; /* the other operand is f32 */
	struct oracle o;
	oracle_init(&o);
	i.c = op == FMA ? ROW_REF(ROW_C) : ISA_REF_NONE;
	for (unsigned n = 0; n < 150; n++) {
		for (unsigned l = 0; l < LANES; l++)
			for (unsigned k = 0; k < 3; k++)
				alu_set(m, ROW_A + k, k < halves ? 2 : 4, l, format_any(m, k < halves ? h : &format_f32));
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			uint64_t v[3];
			for (unsigned k = 0; k < 3; k++) {
				v[k] = alu_get(m, ROW_A + k, k < halves ? 2 : 4, l);
				if (k < halves) { /* a half is an f32 */
					format_decode(h, v[k], o.a);
					v[k] = format_encode(&format_f32, o.a);
				}
			}
			const uint64_t want = expected(&o, &format_f32, op, format_roundings[r].rnd, sat ? SAT : 0, v);
			if (alu_get(m, ROW_DST, 4, l) != want)
				fail_msg("%s %#lx %#lx %#lx", opcode, v[0], v[1], v[2]);
		}
	}
	oracle_clear(&o);
}
static void test_mixed(void **state)
{
	static const enum op mixed[] = {ADD, SUB, FMA};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 3; k++)
		for (unsigned r = 0; r < 4; r++)
			for (unsigned sat = 0; sat < 2; sat++) {
				check_mixed(&m, &format_f16, mixed[k], r, sat);
				check_mixed(&m, &format_bf16, mixed[k], r, sat);
			}
	alu_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_f32),   cmocka_unit_test(test_f64),   cmocka_unit_test(test_halves),
		cmocka_unit_test(test_pairs), cmocka_unit_test(test_mixed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
