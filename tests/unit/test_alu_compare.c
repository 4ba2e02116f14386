/* setp, set, testp, min, max, abs, neg, copysign of every type, against C's comparisons of the values. */
#include "alu_machine.h"

#include <math.h>

/* ---- values: integers as they are, floats as double, which holds all of them ---- */
struct type {
	const char *name;
	unsigned bits, mantissa; /* mantissa 0: integer */
	bool is_signed;
};
static const struct type types[] = {
	{"b16", 16, 0, false},	{"b32", 32, 0, false},	{"b64", 64, 0, false}, {"u16", 16, 0, false}, {"u32", 32, 0, false},
	{"u64", 64, 0, false},	{"s16", 16, 0, true},	{"s32", 32, 0, true},  {"s64", 64, 0, true},  {"f16", 16, 10, false},
	{"bf16", 16, 7, false}, {"f32", 32, 23, false}, {"f64", 64, 52, false},
};
#define N_TYPES (sizeof types / sizeof *types)

static uint64_t top(const struct type *t) { return UINT64_C(1) << (t->bits - 1); }
static uint64_t infinity(const struct type *t) { return top(t) - (UINT64_C(1) << t->mantissa); }
static bool is_nan(const struct type *t, uint64_t v) { return (v & (top(t) - 1)) > infinity(t); }
static uint64_t flush(const struct type *t, uint64_t v) { return v & infinity(t) ? v : v & top(t); }
static double number(const struct type *t, uint64_t v)
{
	const uint64_t rest = v & (top(t) - 1), one = UINT64_C(1) << t->mantissa, fraction = rest & (one - 1);
	const int exponent = (int)(rest >> t->mantissa), bias = (int)(infinity(t) >> t->mantissa) / 2;
	const double sign = v & top(t) ? -1 : 1;
	if (rest >= infinity(t))
		return rest == infinity(t) ? sign * INFINITY : NAN;
	return sign * ldexp((double)(exponent ? fraction | one : fraction), (exponent ? exponent : 1) - bias - (int)t->mantissa);
}

static bool holds(const char *cmp, const struct type *t, uint64_t a, uint64_t b)
{
	int order; /* -1, 0, 1; 2: unordered */
	if (t->mantissa) {
		const double x = number(t, a), y = number(t, b);
		order = isnan(x) || isnan(y) ? 2 : x < y ? -1 : x > y;
	} else if (t->is_signed) {
		const int64_t x = (int64_t)(a << (64 - t->bits)), y = (int64_t)(b << (64 - t->bits));
		order = x < y ? -1 : x > y;
	} else {
		order = a < b ? -1 : a > b;
	}
	const size_t n = strlen(cmp);
	if (!strcmp(cmp, "num") || !strcmp(cmp, "nan"))
		return (order == 2) == !strcmp(cmp, "nan");
	if (order == 2)
		return n == 3; /* equ, neu ... */
	if (!strncmp(cmp, "eq", 2))
		return order == 0;
	if (!strncmp(cmp, "ne", 2))
		return order != 0;
	if (!strncmp(cmp, "lt", 2) || !strcmp(cmp, "lo"))
		return order < 0;
	if (!strncmp(cmp, "le", 2) || !strcmp(cmp, "ls"))
		return order <= 0;
	if (!strncmp(cmp, "gt", 2) || !strcmp(cmp, "hi"))
		return order > 0;
	return order >= 0;
}
static bool combined(unsigned boolop, bool r, bool c) { return boolop == 0 ? r : boolop == 1 ? r && c : boolop == 2 ? r || c : r != c; }

static const char *const comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge", "ls", "hs",
					  "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
static const char *const boolops[] = {"", ".and", ".or", ".xor"};

static bool exists(const char *cmp, const struct type *t)
{
	const bool order = strcmp(cmp, "eq") && strcmp(cmp, "ne");
	if (*t->name == 'b' && t->mantissa == 0)
		return !order;
	if (!strcmp(cmp, "ls") || !strcmp(cmp, "hs"))
		return *t->name == 'u';
	return strlen(cmp) == 2 || t->mantissa;
}

/* Operands that are often equal. */
static void fill(struct alu *m, const struct type *t, unsigned bytes, unsigned lanes)
{
	for (unsigned l = 0; l < lanes; l++) {
		const uint64_t a = t->mantissa ? alu_any_float(m, t->bits, t->mantissa) : alu_any_int(m);
		const uint64_t b = t->mantissa ? alu_any_float(m, t->bits, t->mantissa) : alu_any_int(m);
		alu_set(m, ROW_A, bytes, l, a);
		alu_set(m, ROW_B, bytes, l, l % 4 ? b : a + l % 8 / 4);
	}
}

static void check_setp(struct alu *m, const char *cmp, const struct type *t, unsigned boolop, bool ftz)
{
	char opcode[48];
	snprintf(opcode, sizeof opcode, "setp.%s%s%s.%s", cmp, boolops[boolop], ftz ? ".ftz" : "", t->name);
	struct isa_insn i = alu_insn(opcode);
	i.dst = SLOT_P, i.dst2 = SLOT_Q;
	i.d = boolop ? SLOT_C | (boolop == 2 ? ISA_PRED_NOT : 0) : ISA_PRED_NONE;
	i.dst_bytes = 255; /* no row is written */
	for (unsigned n = 0; n < 60; n++) {
		uint32_t *p = alu_preds(m);
		const uint32_t c = (uint32_t)alu_random(m), old = (uint32_t)alu_random(m);
		p[SLOT_C] = boolop == 2 ? ~c : c;
		p[SLOT_P] = p[SLOT_Q] = old;
		fill(m, t, t->bits / 8, LANES);
		m->mask = alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			uint64_t a = alu_get(m, ROW_A, t->bits / 8, l), b = alu_get(m, ROW_B, t->bits / 8, l);
			if (ftz)
				a = flush(t, a), b = flush(t, b);
			const bool r = holds(cmp, t, a, b), active = m->mask >> l & 1;
			const bool want_p = active ? combined(boolop, r, c >> l & 1) : old >> l & 1;
			const bool want_q = active ? combined(boolop, !r, c >> l & 1) : old >> l & 1;
			if ((p[SLOT_P] >> l & 1) != want_p || (p[SLOT_Q] >> l & 1) != want_q)
				fail_msg("%s %#lx %#lx: %u|%u", opcode, a, b, p[SLOT_P] >> l & 1, p[SLOT_Q] >> l & 1);
		}
	}
}
static void test_setp(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (size_t t = 0; t < N_TYPES; t++)
		for (size_t k = 0; k < sizeof comparisons / sizeof *comparisons; k++)
			for (unsigned b = 0; b < 4; b++)
				for (unsigned ftz = 0; ftz < (types[t].mantissa && types[t].bits < 64 ? 2u : 1u); ftz++)
					if (exists(comparisons[k], &types[t]))
						check_setp(&m, comparisons[k], &types[t], b, ftz);
	alu_free(&m);
}

/* ---- set: 1.0 or all ones ---- */
static uint64_t true_of(const char *type)
{
	if (!strcmp(type, "f32"))
		return 0x3f800000;
	if (!strcmp(type, "f16"))
		return 0x3c00;
	if (!strcmp(type, "bf16"))
		return 0x3f80;
	return atoi(type + 1) == 16 ? 0xffff : 0xffffffff;
}
static void check_set(struct alu *m, const char *cmp, const char *dst, const struct type *t, unsigned boolop)
{
	char opcode[48];
	const bool ftz = t->mantissa && t->bits < 64 && boolop % 2;
	snprintf(opcode, sizeof opcode, "set.%s%s%s.%s.%s", cmp, boolops[boolop], ftz ? ".ftz" : "", dst, t->name);
	struct isa_insn i = alu_insn(opcode);
	const unsigned bytes = isa_type_info[i.type].bytes;
	i.d = boolop ? SLOT_C : ISA_PRED_NONE;
	for (unsigned n = 0; n < 20; n++) {
		const uint32_t c = (uint32_t)alu_random(m);
		alu_preds(m)[SLOT_C] = c;
		fill(m, t, t->bits / 8, LANES);
		m->mask = alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			uint64_t a = alu_get(m, ROW_A, t->bits / 8, l), b = alu_get(m, ROW_B, t->bits / 8, l);
			if (ftz)
				a = flush(t, a), b = flush(t, b);
			const uint64_t want = combined(boolop, holds(cmp, t, a, b), c >> l & 1) ? true_of(dst) : 0;
			if (m->mask >> l & 1 && alu_get(m, ROW_DST, bytes, l) != want)
				fail_msg("%s %#lx %#lx: %#lx", opcode, a, b, alu_get(m, ROW_DST, bytes, l));
		}
	}
}
static void test_set(void **state)
{
	static const char *const results[] = {"u32", "s32", "f32", "f16", "bf16", "u16", "s16"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (size_t t = 0; t < N_TYPES; t++)
		for (size_t k = 0; k < sizeof comparisons / sizeof *comparisons; k++)
			for (size_t d = 0; d < 7; d++)
				for (unsigned b = 0; b < 4; b++)
					if (exists(comparisons[k], &types[t]))
						check_set(&m, comparisons[k], results[d], &types[t], b);
	alu_free(&m);
}

/* ---- pairs of halves ---- */
static void test_pairs(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 16; k++)
		for (unsigned v = 0; v < 12; v++) {
			const struct type *t = &types[v & 1 ? 10 : 9];
			const bool is_set = v & 2, whole = v >= 8;
			char opcode[48];
			if (!exists(comparisons[k], t))
				continue;
			if (is_set)
				snprintf(opcode, sizeof opcode, "set.%s.xor.%s.%sx2", comparisons[k], whole ? "u32" : v & 1 ? "bf16x2" : "f16x2", t->name);
			else
				snprintf(opcode, sizeof opcode, "setp.%s.xor.%sx2", comparisons[k], t->name);
			struct isa_insn i = alu_insn(opcode);
			const uint32_t c = (uint32_t)alu_random(&m);
			alu_preds(&m)[SLOT_C] = c;
			i.d = SLOT_C;
			if (!is_set)
				i.dst = SLOT_P, i.dst2 = SLOT_Q, i.dst_bytes = 255;
			for (unsigned n = 0; n < 20; n++) {
				fill(&m, t, 2, 2 * LANES);
				m.mask = LANES_ALL;
				alu_run(&m, &i);
				for (unsigned e = 0; e < 2 * LANES; e++) {
					const uint64_t a = alu_get(&m, ROW_A, 2, e), b = alu_get(&m, ROW_B, 2, e);
					const bool want = holds(comparisons[k], t, a, b) != (c >> e / 2 & 1);
					if (is_set)
						assert_int_equal(alu_get(&m, ROW_DST, 2, e), want ? (whole ? 0xffff : true_of(t->name)) : 0);
					else
						assert_int_equal(alu_preds(&m)[e & 1 ? SLOT_Q : SLOT_P] >> e / 2 & 1, want);
				}
			}
		}
	alu_free(&m);
}

static void test_testp(void **state)
{
	static const char *const ops[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 12; k++) {
		const struct type *t = &types[k & 1 ? 12 : 11];
		char opcode[48];
		snprintf(opcode, sizeof opcode, "testp.%s.%s", ops[k / 2], t->name);
		struct isa_insn i = alu_insn(opcode);
		i.dst = SLOT_P;
		i.dst_bytes = 255;
		for (unsigned n = 0; n < 100; n++) {
			fill(&m, t, t->bits / 8, LANES);
			alu_run(&m, &i);
			for (unsigned l = 0; l < LANES; l++) {
				const uint64_t v = alu_get(&m, ROW_A, t->bits / 8, l);
				double d;
				float f;
				int class;
				if (t->bits == 64) {
					memcpy(&d, &v, 8);
					class = fpclassify(d);
				} else {
					memcpy(&f, &v, 4);
					class = fpclassify(f);
				}
				const bool want[] = {class == FP_ZERO || class == FP_NORMAL || class == FP_SUBNORMAL, class == FP_INFINITE,
						     class != FP_NAN, class == FP_NAN, class == FP_NORMAL || class == FP_ZERO, class == FP_SUBNORMAL};
				assert_int_equal(alu_preds(&m)[SLOT_P] >> l & 1, want[k / 2]);
			}
		}
	}
	alu_free(&m);
}

/* ---- min, max, abs, neg, copysign ---- */
enum { FTZ = 1, NAN_ = 2, XORSIGN = 4 };

static uint64_t canonical(const struct type *t) { return t->bits == 16 ? 0x7fff : 0x7fffffff; }

static uint64_t chosen(const struct type *t, bool is_max, uint64_t a, uint64_t b)
{
	if (is_nan(t, a) && is_nan(t, b))
		return t->bits == 64 ? a | UINT64_C(1) << 51 : canonical(t);
	if (is_nan(t, a) || is_nan(t, b))
		return is_nan(t, a) ? b : a;
	const double x = number(t, a), y = number(t, b);
	const bool less = x < y || (x == y && signbit(x) && !signbit(y));
	return less != is_max ? a : b;
}

static uint64_t extreme(const struct type *t, bool is_max, unsigned mod, unsigned n, const uint64_t in[3])
{
	uint64_t v[3], sign = 0;
	bool any = false;
	for (unsigned k = 0; k < n; k++) {
		v[k] = mod & FTZ ? flush(t, in[k]) : in[k];
		sign ^= v[k] & top(t);
		any |= is_nan(t, v[k]);
		if (mod & XORSIGN)
			v[k] &= top(t) - 1;
	}
	uint64_t r = chosen(t, is_max, v[0], v[1]);
	if (n == 3)
		r = chosen(t, is_max, r, v[2]);
	if ((mod & NAN_ && any) || (is_nan(t, r) && t->bits < 64))
		return canonical(t);
	return mod & XORSIGN ? r | sign : r;
}

static void check_extreme(struct alu *m, const struct type *t, bool is_max, unsigned mod, unsigned operands, bool pair)
{
	char opcode[64];
	snprintf(opcode, sizeof opcode, "%s%s%s%s.%s%s", is_max ? "max" : "min", mod & FTZ ? ".ftz" : "", mod & NAN_ ? ".NaN" : "",
		 mod & XORSIGN ? ".xorsign.abs" : "", t->name, pair ? "x2" : "");
	struct isa_insn i = alu_insn(opcode);
	const unsigned bytes = t->bits / 8, lanes = pair ? 2 * LANES : LANES;
	i.c = operands == 3 ? ROW_REF(ROW_C) : ISA_REF_NONE;
	for (unsigned n = 0; n < 800; n++) {
		fill(m, t, bytes, lanes);
		for (unsigned l = 0; l < lanes; l++)
			alu_set(m, ROW_C, bytes, l, alu_any_float(m, t->bits, t->mantissa));
		m->mask = alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < lanes; l++) {
			const uint64_t v[3] = {alu_get(m, ROW_A, bytes, l), alu_get(m, ROW_B, bytes, l), alu_get(m, ROW_C, bytes, l)};
			const uint64_t want = extreme(t, is_max, mod, operands, v), got = alu_get(m, ROW_DST, bytes, l);
			if (m->mask >> (pair ? l / 2 : l) & 1 && want != got)
				fail_msg("%s %#lx %#lx %#lx: %#lx, expected %#lx", opcode, v[0], v[1], v[2], got, want);
		}
	}
}
static void test_extremes(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned is_max = 0; is_max < 2; is_max++) {
		check_extreme(&m, &types[12], is_max, 0, 2, false);
		for (unsigned mod = 0; mod < 8; mod++) {
			check_extreme(&m, &types[11], is_max, mod, 2, false);
			check_extreme(&m, &types[11], is_max, mod, 3, false);
			for (unsigned pair = 0; pair < 2; pair++) {
				check_extreme(&m, &types[9], is_max, mod, 2, pair);
				if (!(mod & FTZ))
					check_extreme(&m, &types[10], is_max, mod, 2, pair);
			}
		}
	}
	alu_free(&m);
}

static void check_sign(struct alu *m, const struct type *t, bool is_abs, bool ftz, bool pair)
{
	char opcode[48];
	snprintf(opcode, sizeof opcode, "%s%s.%s%s", is_abs ? "abs" : "neg", ftz ? ".ftz" : "", t->name, pair ? "x2" : "");
	struct isa_insn i = alu_insn(opcode);
	const unsigned bytes = t->bits / 8, lanes = pair ? 2 * LANES : LANES;
	i.b = ISA_REF_NONE;
	/* every half, and as many others */
	for (unsigned n = 0; n < 65536 / LANES; n++) {
		for (unsigned l = 0; l < lanes; l++)
			alu_set(m, ROW_A, bytes, l, bytes == 2 ? n * LANES + l : alu_any_float(m, t->bits, t->mantissa));
		m->mask = LANES_ALL;
		alu_run(m, &i);
		for (unsigned l = 0; l < lanes; l++) {
			const uint64_t v = alu_get(m, ROW_A, bytes, l), f = ftz ? flush(t, v) : v;
			const uint64_t r = is_abs ? f & (top(t) - 1) : f ^ top(t);
			const uint64_t want = is_nan(t, v) && t->bits < 64 ? canonical(t) : r;
			if (alu_get(m, ROW_DST, bytes, l) != want)
				fail_msg("%s %#lx: %#lx", opcode, v, alu_get(m, ROW_DST, bytes, l));
		}
	}
}
static void test_signs(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 2; k++) {
		check_sign(&m, &types[12], k, false, false);
		for (unsigned ftz = 0; ftz < 2; ftz++) {
			check_sign(&m, &types[11], k, ftz, false);
			check_sign(&m, &types[9], k, ftz, false);
			check_sign(&m, &types[9], k, ftz, true);
		}
		check_sign(&m, &types[10], k, false, false);
		check_sign(&m, &types[10], k, false, true);
	}
	for (unsigned k = 11; k < 13; k++) {
		char opcode[32];
		snprintf(opcode, sizeof opcode, "copysign.%s", types[k].name);
		struct isa_insn i = alu_insn(opcode);
		fill(&m, &types[k], types[k].bits / 8, LANES);
		alu_run(&m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			const uint64_t a = alu_get(&m, ROW_A, types[k].bits / 8, l), b = alu_get(&m, ROW_B, types[k].bits / 8, l);
			assert_int_equal(alu_get(&m, ROW_DST, types[k].bits / 8, l), (a & top(&types[k])) | (b & (top(&types[k]) - 1)));
		}
	}
	alu_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_setp),  cmocka_unit_test(test_set),      cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_testp), cmocka_unit_test(test_extremes), cmocka_unit_test(test_signs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
