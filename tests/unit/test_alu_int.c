/* Integer arithmetic against plain C on 128-bit integers. */
#include "alu_machine.h"

typedef __int128 i128;
typedef unsigned __int128 u128;

struct operands {
	unsigned bits;	 /* of the type */
	bool is_signed;
	uint64_t a, b, c; /* as the registers hold them */
};

/* A value of the type. */
static i128 val(const struct operands *o, uint64_t v, unsigned bits)
{
	const uint64_t low = bits == 64 ? v : v & ((UINT64_C(1) << bits) - 1);
	if (o->is_signed && low >> (bits - 1) & 1)
		return (i128)low - ((i128)1 << bits);
	return low;
}
#define A val(o, o->a, o->bits)
#define B val(o, o->b, o->bits)
#define C val(o, o->c, o->bits)
#define WIDE_C val(o, o->c, 2 * o->bits)
static i128 clamp(i128 v, i128 min, i128 max) { return v < min ? min : v > max ? max : v; }
static i128 max_of(i128 a, i128 b) { return a > b ? a : b; }
static i128 min_of(i128 a, i128 b) { return a < b ? a : b; }
static i128 sat32(i128 v) { return clamp(v, INT32_MIN, INT32_MAX); }
static i128 low24(const struct operands *o, uint64_t v) { return val(o, v, 24); }

#define REF(name, E) \
	static i128 name(const struct operands *o) { return E; }
REF(r_add, A + B)
REF(r_sub, A - B)
REF(r_add_sat, sat32(A + B))
REF(r_sub_sat, sat32(A - B))
/* products of unsigned 64-bit numbers wrap in 128 bits, of which the low 64 count */
#define PRODUCT ((u128)A * (u128)B)
REF(r_mul, (i128)PRODUCT)
REF(r_mul_hi, (i128)((o->is_signed ? (u128)((A * B) >> o->bits) : (u128)A * (u128)B >> o->bits)))
REF(r_mad, (i128)(PRODUCT + (u128)C))
REF(r_mad_hi, r_mul_hi(o) + C)
REF(r_mad_hi_sat, sat32(((A * B) >> 32) + C))
REF(r_mad_wide, (i128)(PRODUCT + (u128)WIDE_C))
REF(r_mul24_lo, low24(o, o->a) * low24(o, o->b))
REF(r_mul24_hi, (low24(o, o->a) * low24(o, o->b)) >> 16)
REF(r_mad24_lo, r_mul24_lo(o) + C)
REF(r_mad24_hi, r_mul24_hi(o) + C)
/* the 32 bits 47..16 as a signed number */
REF(r_mad24_hi_sat, sat32((int32_t)(uint32_t)(u128)r_mul24_hi(o) + C))
REF(r_div, B == 0 ? -1 : A / B)
REF(r_rem, B == 0 ? -1 : A % B)
REF(r_abs, A < 0 ? -A : A)
REF(r_neg, -A)
REF(r_min, min_of(A, B))
REF(r_max, max_of(A, B))
REF(r_min_relu, max_of(min_of(A, B), 0))
REF(r_max_relu, max_of(max_of(A, B), 0))
REF(r_sad, C + (A < B ? B - A : A - B))

struct row {
	const char *opcode; /* without the type */
	const char *types;
	i128 (*ref)(const struct operands *o);
	unsigned wide; /* result twice as wide */
};
#define ALL "u16 s16 u32 s32 u64 s64"
#define NARROW "u16 s16 u32 s32"
static const struct row rows[] = {
	{"add", ALL, r_add, 0},		   {"sub", ALL, r_sub, 0},
	{"add.sat", "s32", r_add_sat, 0},  {"sub.sat", "s32", r_sub_sat, 0},
	{"mul.lo", ALL, r_mul, 0},	   {"mul.hi", ALL, r_mul_hi, 0},
	{"mul.wide", NARROW, r_mul, 1},	   {"mad.lo", ALL, r_mad, 0},
	{"mad.hi", ALL, r_mad_hi, 0},	   {"mad.hi.sat", "s32", r_mad_hi_sat, 0},
	{"mad.wide", NARROW, r_mad_wide, 1}, {"mul24.lo", "u32 s32", r_mul24_lo, 0},
	{"mul24.hi", "u32 s32", r_mul24_hi, 0}, {"mad24.lo", "u32 s32", r_mad24_lo, 0},
	{"mad24.hi", "u32 s32", r_mad24_hi, 0}, {"mad24.hi.sat", "s32", r_mad24_hi_sat, 0},
	{"div", ALL, r_div, 0},		   {"rem", ALL, r_rem, 0},
	{"abs", "s16 s32 s64", r_abs, 0},  {"neg", "s16 s32 s64", r_neg, 0},
	{"min", ALL, r_min, 0},		   {"max", ALL, r_max, 0},
	{"min.relu", "s32", r_min_relu, 0}, {"max.relu", "s32", r_max_relu, 0},
	{"sad", ALL, r_sad, 0},
};

static void check_row(struct alu *m, const struct row *r, const char *type)
{
	char opcode[48];
	snprintf(opcode, sizeof opcode, "%s.%s", r->opcode, type);
	struct isa_insn i = alu_insn(opcode);
	const unsigned bytes = isa_type_info[i.type].bytes, out = bytes << r->wide;
	struct operands o = {.bits = 8 * bytes, .is_signed = *type == 's'};
	const u128 mask = ((u128)1 << 8 * out) - 1;
	i.c = ROW_REF(ROW_C);
	i.dst_bytes = (uint8_t)out;
	for (unsigned n = 0; n < N_INTS * N_INTS / LANES + 400; n++) {
		for (unsigned l = 0; l < LANES; l++) {
			const unsigned k = n * LANES + l;
			const bool edge = k < N_INTS * N_INTS;
			alu_set(m, ROW_A, bytes, l, edge ? alu_ints[k % N_INTS] : alu_any_int(m));
			alu_set(m, ROW_B, bytes, l, edge ? alu_ints[k / N_INTS] : alu_any_int(m));
			alu_set(m, ROW_C, out, l, alu_any_int(m));
		}
		alu_scramble(m, ROW_DST);
		m->mask = alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			o.a = alu_get(m, ROW_A, bytes, l);
			o.b = alu_get(m, ROW_B, bytes, l);
			o.c = alu_get(m, ROW_C, out, l);
			const uint64_t want = (uint64_t)((u128)r->ref(&o) & mask), got = alu_get(m, ROW_DST, out, l);
			if (m->mask >> l & 1 && want != got)
				fail_msg("%s %#lx %#lx %#lx: %#lx, expected %#lx", opcode, o.a, o.b, o.c, got, want);
		}
	}
}

static void test_arithmetic(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		char types[64], *rest = types;
		snprintf(types, sizeof types, "%s", rows[k].types);
		for (char *t = strsep(&rest, " "); t; t = strsep(&rest, " "))
			check_row(&m, &rows[k], t);
	}
	alu_free(&m);
}

/* ---- packed halves ---- */
static uint32_t pair(uint32_t a, uint32_t b, const char *op, bool is_signed)
{
	uint32_t r = 0;
	for (unsigned h = 0; h < 2; h++) {
		const uint32_t ua = a >> 16 * h & 0xffff, ub = b >> 16 * h & 0xffff;
		const int32_t va = is_signed ? (int16_t)ua : (int32_t)ua, vb = is_signed ? (int16_t)ub : (int32_t)ub;
		int32_t v = !strncmp(op, "add", 3) ? va + vb : !strncmp(op, "min", 3) ? (va < vb ? va : vb) : va > vb ? va : vb;
		if (strstr(op, "relu") && v < 0)
			v = 0;
		r |= ((uint32_t)v & 0xffff) << 16 * h;
	}
	return r;
}

static void test_pairs(void **state)
{
	static const char *const ops[] = {"add.u16x2", "add.s16x2", "min.u16x2", "min.s16x2", "max.u16x2",
					  "max.s16x2", "min.relu.s16x2", "max.relu.s16x2"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
		const struct isa_insn i = alu_insn(ops[k]);
		for (unsigned n = 0; n < 500; n++) {
			for (unsigned l = 0; l < LANES; l++) {
				alu_set(&m, ROW_A, 4, l, (alu_any_int(&m) & 0xffff) << 16 | (alu_any_int(&m) & 0xffff));
				alu_set(&m, ROW_B, 4, l, (alu_any_int(&m) & 0xffff) << 16 | (alu_any_int(&m) & 0xffff));
			}
			m.mask = alu_mask(&m, n);
			alu_run(&m, &i);
			for (unsigned l = 0; l < LANES; l++) {
				const uint32_t a = (uint32_t)alu_get(&m, ROW_A, 4, l), b = (uint32_t)alu_get(&m, ROW_B, 4, l);
				if (m.mask >> l & 1)
					assert_int_equal(alu_get(&m, ROW_DST, 4, l), pair(a, b, ops[k], strchr(ops[k], 's') != NULL));
			}
		}
	}
	alu_free(&m);
}

/* ---- carries: p + q + in over 33 or 65 bits; p - q - 1 + in, whose carry is that there was no borrow ---- */
struct carry_case {
	const char *opcode; /* without the type */
	bool subtract, takes, gives;
	unsigned product; /* p: 0 a, 1 low half of a * b, 2 high half */
};
static const struct carry_case carries[] = {
	{"add.cc", false, false, true, 0},     {"addc", false, true, false, 0},	    {"addc.cc", false, true, true, 0},
	{"sub.cc", true, false, true, 0},      {"subc", true, true, false, 0},	    {"subc.cc", true, true, true, 0},
	{"mad.lo.cc", false, false, true, 1},  {"mad.hi.cc", false, false, true, 2}, {"madc.lo", false, true, false, 1},
	{"madc.lo.cc", false, true, true, 1},  {"madc.hi", false, true, false, 2},  {"madc.hi.cc", false, true, true, 2},
};

static void check_carry(struct alu *m, const struct carry_case *t, const char *type)
{
	char opcode[48];
	snprintf(opcode, sizeof opcode, "%s.%s", t->opcode, type);
	struct isa_insn i = alu_insn(opcode);
	const unsigned bytes = isa_type_info[i.type].bytes, bits = 8 * bytes;
	const u128 mask = ((u128)1 << bits) - 1;
	struct operands o = {.bits = bits, .is_signed = *type == 's'};
	if (t->product)
		i.c = ROW_REF(ROW_C);
	for (unsigned n = 0; n < 300; n++) {
		for (unsigned k = ROW_A; k <= ROW_C; k++)
			for (unsigned l = 0; l < LANES; l++)
				alu_set(m, k, bytes, l, alu_any_int(m));
		const uint32_t in = (uint32_t)alu_random(m);
		m->carry = in;
		m->mask = alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			o.a = alu_get(m, ROW_A, bytes, l);
			o.b = alu_get(m, ROW_B, bytes, l);
			o.c = alu_get(m, ROW_C, bytes, l);
			const unsigned cin = t->takes ? in >> l & 1 : t->subtract;
			const u128 p = t->product == 0 ? (u128)o.a : (t->product == 1 ? (u128)r_mul(&o) : (u128)r_mul_hi(&o)) & mask;
			const u128 q = t->product ? o.c : o.b;
			const u128 r = t->subtract ? p - q - !cin : p + q + cin;
			const bool active = m->mask >> l & 1;
			const unsigned out = active && t->gives ? (t->subtract ? p >= q + !cin : r > mask) : in >> l & 1;
			if (active && alu_get(m, ROW_DST, bytes, l) != (uint64_t)(r & mask))
				fail_msg("%s %#lx %#lx %#lx", opcode, o.a, o.b, o.c);
			if ((m->carry >> l & 1) != out)
				fail_msg("%s %#lx %#lx %#lx: carry %u", opcode, o.a, o.b, o.c, m->carry >> l & 1);
		}
	}
}

static void test_carries(void **state)
{
	static const char *const types[] = {"u32", "s32", "u64", "s64"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (size_t k = 0; k < sizeof carries / sizeof *carries; k++)
		for (size_t t = 0; t < 4; t++)
			check_carry(&m, &carries[k], types[t]);
	alu_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_carries),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
