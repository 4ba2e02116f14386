/* Video instructions, scalar and SIMD, all selectors and modifiers at random, against the ISA's pseudo-code on exact integers. */
#include "alu_machine.h"

typedef __int128 i128;

/* ---- scalar ---- */
struct choice {
	unsigned a, b, d, second, scale;
	bool sd, sa, sb, sat, na, nb, nc, po, wrap;
	uint8_t cmp;
};
static int64_t encode(const struct choice *c)
{
	return (int64_t)(c->a | c->b << 4 | c->d << 8 | (unsigned)c->sd << 12 | (unsigned)c->sa << 13 | (unsigned)c->sb << 14 |
			 (unsigned)c->sat << 15 | c->second << 16 | (unsigned)c->na << 18 | (unsigned)c->nb << 19 | (unsigned)c->nc << 20 |
			 (unsigned)c->po << 21 | c->scale << 22 | (unsigned)c->wrap << 24);
}
static struct choice choose(struct alu *m)
{
	const uint64_t r = alu_random(m), q = alu_random(m);
	struct choice c = {
		.a = (unsigned)(r % 7), .b = (unsigned)(r / 7 % 7), .d = (unsigned)(r / 49 % 7), .second = q & 3, .scale = q >> 2 & 3,
		.sd = q >> 4 & 1, .sa = q >> 5 & 1, .sb = q >> 6 & 1, .sat = q >> 7 & 1, .po = q >> 8 & 1, .wrap = q >> 9 & 1,
		.cmp = (uint8_t)(ISA_CMP_EQ + q / 1024 % 6),
	};
	if (c.second) /* either a second operation or a merge */
		c.d = 0;
	if (c.scale == 3)
		c.scale = 0;
	if (!c.po) {
		c.na = q >> 40 & 1;
		c.nb = q >> 41 & 1;
		c.nc = q >> 42 & 1 && c.na == c.nb;
	}
	return c;
}

/* .b0 ... .b3 are selectors 1 to 4, .h0 and .h1 5 and 6 */
static i128 part(uint32_t v, unsigned selector, bool is_signed)
{
	const unsigned bits = selector == 0 ? 32 : selector < 5 ? 8 : 16;
	const unsigned at = selector == 0 ? 0 : selector < 5 ? 8 * (selector - 1) : 16 * (selector - 5);
	const i128 field = ((uint64_t)v >> at) % (UINT64_C(1) << bits);
	return is_signed && field >> (bits - 1) ? field - ((i128)1 << bits) : field;
}
static i128 saturate(i128 v, bool is_signed, unsigned bits)
{
	const i128 span = (i128)1 << bits, low = is_signed ? -span / 2 : 0, high = low + span - 1;
	return v < low ? low : v > high ? high : v;
}
static bool compare(unsigned cmp, i128 a, i128 b)
{
	switch (cmp) {
	case ISA_CMP_EQ: return a == b;
	case ISA_CMP_NE: return a != b;
	case ISA_CMP_LT: return a < b;
	case ISA_CMP_LE: return a <= b;
	case ISA_CMP_GT: return a > b;
	default: return a >= b;
	}
}
static i128 power_of_two(unsigned n) { return (i128)1 << n; }
static i128 floor_divide(i128 a, i128 b) { return a / b - (a % b < 0); }

enum scalar { VADD, VSUB, VABSDIFF, VMIN, VMAX, VSHL, VSHR, VSET, N_SCALAR };
static const char *const scalars[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset"};

static uint32_t scalar_reference(enum scalar op, const struct choice *s, uint32_t va, uint32_t vb, uint32_t vc)
{
	const i128 a = part(va, s->a, s->sa), b = part(vb, s->b, s->sb);
	const unsigned amount = s->wrap ? (uint32_t)b % 32 : (uint32_t)b > 32 ? 32 : (uint32_t)b;
	i128 t = 0;
	switch (op) {
	case VADD: t = a + b; break;
	case VSUB: t = a - b; break;
	case VABSDIFF: t = a > b ? a - b : b - a; break;
	case VMIN: t = a < b ? a : b; break;
	case VMAX: t = a > b ? a : b; break;
	case VSHL: t = a * power_of_two(amount); break;
	case VSHR: t = floor_divide(a, power_of_two(amount)); break;
	default: t = compare(s->cmp, a, b); break;
	}
	const unsigned bits = s->d == 0 ? 32 : s->d < 5 ? 8 : 16, at = s->d == 0 ? 0 : s->d < 5 ? 8 * (s->d - 1) : 16 * (s->d - 5);
	if (s->sat)
		t = saturate(t, s->sd, bits);
	const uint32_t word = (uint32_t)t;
	const int64_t w = s->sd ? (int32_t)word : (int64_t)word, c = s->sd ? (int32_t)vc : (int64_t)vc;
	switch (s->second) {
	case 1: return word + vc;
	case 2: return w < c ? word : vc;
	case 3: return w > c ? word : vc;
	default: break;
	}
	if (!s->d)
		return word;
	const uint32_t mask = (bits == 8 ? 0xffu : 0xffffu) << at;
	return (vc & ~mask) | (word << at & mask);
}

static void fill(struct alu *m)
{
	for (unsigned k = ROW_A; k <= ROW_C; k++)
		for (unsigned l = 0; l < LANES; l++)
			alu_set(m, k, 4, l, alu_any_int(m));
}

static void test_scalar(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (enum scalar op = 0; op < N_SCALAR; op++) {
		struct isa_insn i = alu_insn(scalars[op]);
		i.dst_bytes = 4;
		i.c = ROW_REF(ROW_C);
		for (unsigned n = 0; n < 3000; n++) {
			struct choice s = choose(&m);
			if (op == VSHL || op == VSHR)
				s.sb = false;
			if (op == VSET)
				s.sd = s.sat = false;
			i.imm = encode(&s);
			i.cmp = s.cmp;
			fill(&m);
			m.mask = alu_mask(&m, n);
			alu_run(&m, &i);
			for (unsigned l = 0; l < LANES; l++) {
				const uint32_t a = (uint32_t)alu_get(&m, ROW_A, 4, l), b = (uint32_t)alu_get(&m, ROW_B, 4, l);
				const uint32_t c = (uint32_t)alu_get(&m, ROW_C, 4, l), want = scalar_reference(op, &s, a, b, c);
				if (m.mask >> l & 1 && alu_get(&m, ROW_DST, 4, l) != want)
					fail_msg("%s imm %#lx %#x %#x %#x: %#lx, expected %#x", scalars[op], (long)i.imm, a, b, c,
						 alu_get(&m, ROW_DST, 4, l), want);
			}
		}
	}
	alu_free(&m);
}

/* (a * b) + c with one of them negated or plus one, shifted, saturated; the combinations of signs as the ISA lists them */
static void test_vmad(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	struct isa_insn i = alu_insn("vmad");
	i.dst_bytes = 4;
	i.c = ROW_REF(ROW_C);
	for (unsigned n = 0; n < 6000; n++) {
		struct choice s = choose(&m);
		s.d = s.second = 0;
		i.imm = encode(&s);
		fill(&m);
		m.mask = alu_mask(&m, n);
		alu_run(&m, &i);
		static const unsigned scales[] = {0, 7, 15};
		for (unsigned l = 0; l < LANES; l++) {
			const uint32_t va = (uint32_t)alu_get(&m, ROW_A, 4, l), vb = (uint32_t)alu_get(&m, ROW_B, 4, l);
			const uint32_t vc = (uint32_t)alu_get(&m, ROW_C, 4, l);
			const bool negated = s.na != s.nb, product_signed = s.sa || s.sb || negated;
			const i128 product = part(va, s.a, s.sa) * part(vb, s.b, s.sb), c = part(vc, 0, product_signed);
			i128 t = (negated ? -product : product) + (s.nc ? -c : c) + s.po;
			t = floor_divide(t, power_of_two(scales[s.scale]));
			if (s.sat)
				t = saturate(t, product_signed || s.nc, 32);
			if (m.mask >> l & 1 && alu_get(&m, ROW_DST, 4, l) != (uint32_t)t)
				fail_msg("vmad imm %#lx %#x %#x %#x: %#lx", (long)i.imm, va, vb, vc, alu_get(&m, ROW_DST, 4, l));
		}
	}
	alu_free(&m);
}

/* ---- SIMD ---- */
static int64_t element(const uint32_t v[2], unsigned source, unsigned bits, bool is_signed)
{
	const unsigned n = 32 / bits;
	const int64_t field = v[source / n] >> bits * (source % n) & ((1u << bits) - 1);
	return is_signed && field >> (bits - 1) ? field - (1 << bits) : field;
}

static uint32_t simd_reference(const char *op, unsigned n, uint64_t imm, unsigned cmp, const uint32_t v[2], uint32_t c)
{
	const unsigned bits = 32 / n;
	const bool sd = imm >> 36 & 1, sat = imm >> 39 & 1, add = imm >> 40 & 1;
	uint32_t d = add ? c : 0;
	for (unsigned k = 0; k < n; k++) {
		const int64_t a = element(v, imm >> 4 * k & 15, bits, imm >> 37 & 1), b = element(v, imm >> (16 + 4 * k) & 15, bits, imm >> 38 & 1);
		int64_t t;
		if (!strncmp(op, "vadd", 4))
			t = a + b;
		else if (!strncmp(op, "vsub", 4))
			t = a - b;
		else if (!strncmp(op, "vavrg", 5))
			t = a + b >= 0 ? (a + b + 1) / 2 : (int64_t)floor_divide(a + b, 2);
		else if (!strncmp(op, "vabs", 4))
			t = llabs(a - b);
		else if (!strncmp(op, "vmin", 4))
			t = a < b ? a : b;
		else if (!strncmp(op, "vmax", 4))
			t = a > b ? a : b;
		else
			t = compare(cmp, a, b);
		if (sat)
			t = (int64_t)saturate(t, sd, bits);
		const bool taken = imm >> (32 + k) & 1;
		if (add)
			d += taken ? (uint32_t)t : 0;
		else
			d |= ((taken ? (uint32_t)t : c >> bits * k) & ((1u << bits) - 1)) << bits * k;
	}
	return d;
}

static void test_simd(void **state)
{
	static const char *const ops[] = {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned k = 0; k < 14; k++) {
		const unsigned elements = k & 1 ? 4 : 2;
		char opcode[16];
		snprintf(opcode, sizeof opcode, "%s%u", ops[k / 2], elements);
		struct isa_insn i = alu_insn(opcode);
		i.dst_bytes = 4;
		i.c = ROW_REF(ROW_C);
		for (unsigned n = 0; n < 3000; n++) {
			uint64_t imm = alu_random(&m) & ((UINT64_C(1) << 41) - 1);
			imm &= elements == 2 ? UINT64_C(0x1f300330033) : UINT64_C(0x1ff77777777); /* selectors that exist */
			if (imm >> 40)
				imm &= ~(UINT64_C(1) << 39); /* .sat and .add exclude each other */
			if (k / 2 == 6)
				imm &= ~(UINT64_C(9) << 36);
			i.imm = (int64_t)imm;
			i.cmp = (uint8_t)(ISA_CMP_EQ + n % 6);
			fill(&m);
			m.mask = alu_mask(&m, n);
			alu_run(&m, &i);
			for (unsigned l = 0; l < LANES; l++) {
				const uint32_t v[2] = {(uint32_t)alu_get(&m, ROW_A, 4, l), (uint32_t)alu_get(&m, ROW_B, 4, l)};
				const uint32_t c = (uint32_t)alu_get(&m, ROW_C, 4, l);
				const uint32_t want = simd_reference(opcode, elements, imm, i.cmp, v, c);
				if (m.mask >> l & 1 && alu_get(&m, ROW_DST, 4, l) != want)
					fail_msg("%s imm %#lx %#x %#x %#x: %#lx, expected %#x", opcode, imm, v[0], v[1], c,
						 alu_get(&m, ROW_DST, 4, l), want);
			}
		}
	}
	alu_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scalar),
		cmocka_unit_test(test_vmad),
		cmocka_unit_test(test_simd),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
