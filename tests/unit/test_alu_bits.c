/* Shifts, bit fields, counting, permutation, logic and selection, against loops over single bits and bytes as the ISA describes them. */
#include "alu_machine.h"

struct in {
	uint64_t a, b, c, d;
};
typedef uint64_t (*ref_fn)(const struct in *o);

static unsigned bit(uint64_t v, unsigned k) { return v >> k & 1; }
static uint64_t umin(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- shifts, one place at a time ---- */
static uint64_t shifted(uint64_t v, unsigned bits, uint64_t n, int direction, bool arithmetic)
{
	const unsigned sign = arithmetic ? bit(v, bits - 1) : 0;
	for (uint64_t k = 0; k < umin(n, 70); k++)
		v = direction < 0 ? v << 1 : v >> 1 | (uint64_t)sign << (bits - 1);
	return v;
}
#define SHIFT(bits)                                                                                              \
	static uint64_t r_shl##bits(const struct in *o) { return shifted(o->a, bits, o->b, -1, false); }         \
	static uint64_t r_shr##bits(const struct in *o) { return shifted(o->a, bits, o->b, 1, false); }          \
	static uint64_t r_sar##bits(const struct in *o) { return shifted(o->a, bits, o->b, 1, true); }
SHIFT(16)
SHIFT(32)
SHIFT(64)

static uint64_t funnel(const struct in *o, bool left, uint64_t n)
{
	uint64_t v = o->b << 32 | o->a;
	for (; n; n--)
		v = left ? v << 1 : v >> 1;
	return left ? v >> 32 : v & 0xffffffff;
}
static uint64_t r_shf_l_wrap(const struct in *o) { return funnel(o, true, o->c % 32); }
static uint64_t r_shf_r_wrap(const struct in *o) { return funnel(o, false, o->c % 32); }
static uint64_t r_shf_l_clamp(const struct in *o) { return funnel(o, true, umin(o->c, 32)); }
static uint64_t r_shf_r_clamp(const struct in *o) { return funnel(o, false, umin(o->c, 32)); }

/* ---- fields ---- */
static uint64_t bfe(const struct in *o, unsigned msb, bool is_signed)
{
	const unsigned pos = o->b & 255, len = o->c & 255;
	const unsigned sign = is_signed && len ? bit(o->a, (unsigned)umin(pos + len - 1, msb)) : 0;
	uint64_t d = 0;
	for (unsigned k = 0; k <= msb; k++)
		d |= (uint64_t)(k < len && pos + k <= msb ? bit(o->a, pos + k) : sign) << k;
	return d;
}
static uint64_t r_bfe_u32(const struct in *o) { return bfe(o, 31, false); }
static uint64_t r_bfe_s32(const struct in *o) { return bfe(o, 31, true); }
static uint64_t r_bfe_u64(const struct in *o) { return bfe(o, 63, false); }
static uint64_t r_bfe_s64(const struct in *o) { return bfe(o, 63, true); }
static uint64_t bfi(const struct in *o, unsigned msb)
{
	const unsigned pos = o->c & 255, len = o->d & 255;
	uint64_t f = o->b;
	for (unsigned k = 0; k < len && pos + k <= msb; k++)
		f = (f & ~(UINT64_C(1) << (pos + k))) | (uint64_t)bit(o->a, k) << (pos + k);
	return f;
}
static uint64_t r_bfi_b32(const struct in *o) { return bfi(o, 31); }
static uint64_t r_bfi_b64(const struct in *o) { return bfi(o, 63); }
static uint64_t bmsk(uint64_t at, uint64_t n)
{
	uint64_t d = 0;
	for (uint64_t k = at; k < 32 && k < at + n; k++)
		d |= UINT64_C(1) << k;
	return d;
}
static uint64_t r_bmsk_clamp(const struct in *o) { return bmsk(o->a, umin(o->b, 32)); }
static uint64_t r_bmsk_wrap(const struct in *o) { return bmsk(o->a % 32, o->b % 32); }
static uint64_t szext(uint64_t a, uint64_t n, bool is_signed)
{
	uint64_t d = 0;
	for (unsigned k = 0; k < 32; k++)
		d |= (uint64_t)(k < n ? bit(a, k) : is_signed && n ? bit(a, (unsigned)n - 1) : 0) << k;
	return d;
}
static uint64_t r_szext_cu(const struct in *o) { return szext(o->a, umin(o->b, 32), false); }
static uint64_t r_szext_cs(const struct in *o) { return szext(o->a, umin(o->b, 32), true); }
static uint64_t r_szext_wu(const struct in *o) { return szext(o->a, o->b % 32, false); }
static uint64_t r_szext_ws(const struct in *o) { return szext(o->a, o->b % 32, true); }

/* ---- counting ---- */
static uint64_t r_popc(const struct in *o)
{
	uint64_t n = 0;
	for (unsigned k = 0; k < 64; k++)
		n += bit(o->a, k);
	return n;
}
static uint64_t highest(uint64_t v, unsigned bits)
{
	for (unsigned k = bits; k--;)
		if (bit(v, k))
			return k;
	return UINT32_MAX;
}
static uint64_t r_clz32(const struct in *o) { return o->a ? 31 - highest(o->a, 32) : 32; }
static uint64_t r_clz64(const struct in *o) { return o->a ? 63 - highest(o->a, 64) : 64; }
static uint64_t brev(uint64_t v, unsigned bits)
{
	uint64_t d = 0;
	for (unsigned k = 0; k < bits; k++)
		d |= (uint64_t)bit(v, k) << (bits - 1 - k);
	return d;
}
static uint64_t r_brev32(const struct in *o) { return brev(o->a, 32); }
static uint64_t r_brev64(const struct in *o) { return brev(o->a, 64); }
static uint64_t bfind(uint64_t v, unsigned bits, bool is_signed, bool amount)
{
	const uint64_t d = highest(is_signed && bit(v, bits - 1) ? ~v : v, bits);
	return amount && d != UINT32_MAX ? bits - 1 - d : d;
}
#define BFIND(name, bits, is_signed)                                                                    \
	static uint64_t r_bfind_##name(const struct in *o) { return bfind(o->a, bits, is_signed, false); } \
	static uint64_t r_bfind_##name##_amount(const struct in *o) { return bfind(o->a, bits, is_signed, true); }
BFIND(u32, 32, false)
BFIND(s32, 32, true)
BFIND(u64, 64, false)
BFIND(s64, 64, true)
static uint64_t r_fns(const struct in *o)
{
	const int32_t offset = (int32_t)o->c;
	if (o->b > 31)
		return UINT32_MAX;
	if (offset == 0)
		return bit(o->a, (unsigned)o->b) ? o->b : UINT32_MAX;
	int64_t count = llabs((int64_t)offset) - 1;
	for (int pos = (int)o->b; pos >= 0 && pos < 32; pos += offset > 0 ? 1 : -1)
		if (bit(o->a, (unsigned)pos) && count-- == 0)
			return (uint64_t)pos;
	return UINT32_MAX;
}

/* ---- prmt: modes written as the ISA's table, highest byte first ---- */
static uint64_t byte_of(const struct in *o, unsigned k) { return (k < 4 ? o->a >> 8 * k : o->b >> 8 * (k - 4)) & 255; }
static uint64_t r_prmt(const struct in *o)
{
	uint64_t d = 0;
	for (unsigned k = 0; k < 4; k++) {
		const unsigned s = o->c >> 4 * k & 15;
		const uint64_t v = byte_of(o, s & 7);
		d |= (s & 8 ? (v & 128 ? 255 : 0) : v) << 8 * k;
	}
	return d;
}
static uint64_t mode(const struct in *o, const char *const table[4])
{
	uint64_t d = 0;
	for (unsigned k = 0; k < 4; k++)
		d = d << 8 | byte_of(o, (unsigned)(table[o->c & 3][k] - '0'));
	return d;
}
#define MODE(name, ...)                                        \
	static uint64_t r_prmt_##name(const struct in *o)      \
	{                                                      \
		static const char *const table[4] = {__VA_ARGS__}; \
		return mode(o, table);                         \
	}
MODE(f4e, "3210", "4321", "5432", "6543")
MODE(b4e, "5670", "6701", "7012", "0123")
MODE(rc8, "0000", "1111", "2222", "3333")
MODE(ecl, "3210", "3211", "3222", "3333")
MODE(ecr, "0000", "1110", "2210", "3210")
MODE(rc16, "1010", "3232", "1010", "3232")

/* ---- logic ---- */
static uint64_t r_and(const struct in *o) { return o->a & o->b; }
static uint64_t r_or(const struct in *o) { return o->a | o->b; }
static uint64_t r_xor(const struct in *o) { return o->a ^ o->b; }
static uint64_t r_not(const struct in *o) { return ~o->a; }
static uint64_t r_cnot(const struct in *o) { return o->a == 0; }
static uint64_t r_a(const struct in *o) { return o->a; }
static uint64_t r_slct_s32(const struct in *o) { return (int32_t)o->c >= 0 ? o->a : o->b; }
static uint64_t slct_f32(const struct in *o, bool ftz)
{
	uint32_t u = (uint32_t)o->c;
	float c;
	if (ftz && !(u & 0x7f800000))
		u &= 0x80000000;
	memcpy(&c, &u, 4);
	return c >= 0.0f ? o->a : o->b;
}
static uint64_t r_slct_f32(const struct in *o) { return slct_f32(o, false); }
static uint64_t r_slct_f32_ftz(const struct in *o) { return slct_f32(o, true); }
/* dot products */
static uint64_t dp4a(const struct in *o, bool sa, bool sb)
{
	int64_t d = (int64_t)o->c;
	for (unsigned k = 0; k < 4; k++) {
		const int a = (int)(o->a >> 8 * k & 255), b = (int)(o->b >> 8 * k & 255);
		d += (int64_t)(sa && a > 127 ? a - 256 : a) * (sb && b > 127 ? b - 256 : b);
	}
	return (uint64_t)d;
}
static uint64_t dp2a(const struct in *o, bool sa, bool sb, unsigned first)
{
	int64_t d = (int64_t)o->c;
	for (unsigned k = 0; k < 2; k++) {
		const int a = (int)(o->a >> 16 * k & 65535), b = (int)(o->b >> 8 * (k + first) & 255);
		d += (int64_t)(sa && a > 32767 ? a - 65536 : a) * (sb && b > 127 ? b - 256 : b);
	}
	return (uint64_t)d;
}
#define DP(types, sa, sb)                                                                          \
	static uint64_t r_dp4a_##types(const struct in *o) { return dp4a(o, sa, sb); }             \
	static uint64_t r_dp2a_lo_##types(const struct in *o) { return dp2a(o, sa, sb, 0); }       \
	static uint64_t r_dp2a_hi_##types(const struct in *o) { return dp2a(o, sa, sb, 2); }
DP(uu, false, false)
DP(us, false, true)
DP(su, true, false)
DP(ss, true, true)

/* bytes of d, a, b, c, d; 0: no such operand */
struct row {
	const char *opcode;
	ref_fn ref;
	uint8_t dst, a, b, c, d;
};
static const struct row rows[] = {
	{"shl.b16", r_shl16, 2, 2, 4, 0, 0}, {"shl.b32", r_shl32, 4, 4, 4, 0, 0}, {"shl.b64", r_shl64, 8, 8, 4, 0, 0},
	{"shr.b16", r_shr16, 2, 2, 4, 0, 0}, {"shr.b32", r_shr32, 4, 4, 4, 0, 0}, {"shr.b64", r_shr64, 8, 8, 4, 0, 0},
	{"shr.u16", r_shr16, 2, 2, 4, 0, 0}, {"shr.u32", r_shr32, 4, 4, 4, 0, 0}, {"shr.u64", r_shr64, 8, 8, 4, 0, 0},
	{"shr.s16", r_sar16, 2, 2, 4, 0, 0}, {"shr.s32", r_sar32, 4, 4, 4, 0, 0}, {"shr.s64", r_sar64, 8, 8, 4, 0, 0},
	{"shf.l.wrap.b32", r_shf_l_wrap, 4, 4, 4, 4, 0}, {"shf.r.wrap.b32", r_shf_r_wrap, 4, 4, 4, 4, 0},
	{"shf.l.clamp.b32", r_shf_l_clamp, 4, 4, 4, 4, 0}, {"shf.r.clamp.b32", r_shf_r_clamp, 4, 4, 4, 4, 0},
	{"bfe.u32", r_bfe_u32, 4, 4, 4, 4, 0}, {"bfe.s32", r_bfe_s32, 4, 4, 4, 4, 0},
	{"bfe.u64", r_bfe_u64, 8, 8, 4, 4, 0}, {"bfe.s64", r_bfe_s64, 8, 8, 4, 4, 0},
	{"bfi.b32", r_bfi_b32, 4, 4, 4, 4, 4}, {"bfi.b64", r_bfi_b64, 8, 8, 8, 4, 4},
	{"bmsk.clamp.b32", r_bmsk_clamp, 4, 4, 4, 0, 0}, {"bmsk.wrap.b32", r_bmsk_wrap, 4, 4, 4, 0, 0},
	{"szext.clamp.u32", r_szext_cu, 4, 4, 4, 0, 0}, {"szext.clamp.s32", r_szext_cs, 4, 4, 4, 0, 0},
	{"szext.wrap.u32", r_szext_wu, 4, 4, 4, 0, 0}, {"szext.wrap.s32", r_szext_ws, 4, 4, 4, 0, 0},
	{"popc.b32", r_popc, 4, 4, 0, 0, 0}, {"popc.b64", r_popc, 4, 8, 0, 0, 0},
	{"clz.b32", r_clz32, 4, 4, 0, 0, 0}, {"clz.b64", r_clz64, 4, 8, 0, 0, 0},
	{"brev.b32", r_brev32, 4, 4, 0, 0, 0}, {"brev.b64", r_brev64, 8, 8, 0, 0, 0},
	{"bfind.u32", r_bfind_u32, 4, 4, 0, 0, 0}, {"bfind.s32", r_bfind_s32, 4, 4, 0, 0, 0},
	{"bfind.u64", r_bfind_u64, 4, 8, 0, 0, 0}, {"bfind.s64", r_bfind_s64, 4, 8, 0, 0, 0},
	{"bfind.shiftamt.u32", r_bfind_u32_amount, 4, 4, 0, 0, 0}, {"bfind.shiftamt.s32", r_bfind_s32_amount, 4, 4, 0, 0, 0},
	{"bfind.shiftamt.u64", r_bfind_u64_amount, 4, 8, 0, 0, 0}, {"bfind.shiftamt.s64", r_bfind_s64_amount, 4, 8, 0, 0, 0},
	{"fns.b32", r_fns, 4, 4, 4, 4, 0},
	{"prmt.b32", r_prmt, 4, 4, 4, 4, 0}, {"prmt.b32.f4e", r_prmt_f4e, 4, 4, 4, 4, 0}, {"prmt.b32.b4e", r_prmt_b4e, 4, 4, 4, 4, 0},
	{"prmt.b32.rc8", r_prmt_rc8, 4, 4, 4, 4, 0}, {"prmt.b32.ecl", r_prmt_ecl, 4, 4, 4, 4, 0},
	{"prmt.b32.ecr", r_prmt_ecr, 4, 4, 4, 4, 0}, {"prmt.b32.rc16", r_prmt_rc16, 4, 4, 4, 4, 0},
	{"and.b16", r_and, 2, 2, 2, 0, 0}, {"and.b32", r_and, 4, 4, 4, 0, 0}, {"and.b64", r_and, 8, 8, 8, 0, 0},
	{"or.b16", r_or, 2, 2, 2, 0, 0}, {"or.b32", r_or, 4, 4, 4, 0, 0}, {"or.b64", r_or, 8, 8, 8, 0, 0},
	{"xor.b16", r_xor, 2, 2, 2, 0, 0}, {"xor.b32", r_xor, 4, 4, 4, 0, 0}, {"xor.b64", r_xor, 8, 8, 8, 0, 0},
	{"not.b16", r_not, 2, 2, 0, 0, 0}, {"not.b32", r_not, 4, 4, 0, 0, 0}, {"not.b64", r_not, 8, 8, 0, 0, 0},
	{"cnot.b16", r_cnot, 2, 2, 0, 0, 0}, {"cnot.b32", r_cnot, 4, 4, 0, 0, 0}, {"cnot.b64", r_cnot, 8, 8, 0, 0, 0},
	{"mov.b16", r_a, 2, 2, 0, 0, 0}, {"mov.u32", r_a, 4, 4, 0, 0, 0}, {"mov.f64", r_a, 8, 8, 0, 0, 0}, {"mov.f32", r_a, 4, 4, 0, 0, 0},
	{"slct.b16.s32", r_slct_s32, 2, 2, 2, 4, 0}, {"slct.f32.s32", r_slct_s32, 4, 4, 4, 4, 0},
	{"slct.u64.s32", r_slct_s32, 8, 8, 8, 4, 0}, {"slct.u32.f32", r_slct_f32, 4, 4, 4, 4, 0},
	{"slct.ftz.u64.f32", r_slct_f32_ftz, 8, 8, 8, 4, 0},
	{"dp4a.u32.u32", r_dp4a_uu, 4, 4, 4, 4, 0}, {"dp4a.u32.s32", r_dp4a_us, 4, 4, 4, 4, 0},
	{"dp4a.s32.u32", r_dp4a_su, 4, 4, 4, 4, 0}, {"dp4a.s32.s32", r_dp4a_ss, 4, 4, 4, 4, 0},
	{"dp2a.lo.u32.u32", r_dp2a_lo_uu, 4, 4, 4, 4, 0}, {"dp2a.lo.u32.s32", r_dp2a_lo_us, 4, 4, 4, 4, 0},
	{"dp2a.lo.s32.u32", r_dp2a_lo_su, 4, 4, 4, 4, 0}, {"dp2a.lo.s32.s32", r_dp2a_lo_ss, 4, 4, 4, 4, 0},
	{"dp2a.hi.u32.u32", r_dp2a_hi_uu, 4, 4, 4, 4, 0}, {"dp2a.hi.u32.s32", r_dp2a_hi_us, 4, 4, 4, 4, 0},
	{"dp2a.hi.s32.u32", r_dp2a_hi_su, 4, 4, 4, 4, 0}, {"dp2a.hi.s32.s32", r_dp2a_hi_ss, 4, 4, 4, 4, 0},
};

static uint64_t keep(uint64_t v, unsigned bytes) { return bytes >= 8 ? v : v & ((UINT64_C(1) << 8 * bytes) - 1); }

static void check_row(struct alu *m, const struct row *r)
{
	struct isa_insn i = alu_insn(r->opcode);
	const uint8_t bytes[4] = {r->a, r->b, r->c, r->d};
	i.c = r->c ? ROW_REF(ROW_C) : ISA_REF_NONE;
	i.d = r->d ? ROW_REF(ROW_D) : ISA_REF_NONE;
	i.dst_bytes = r->dst;
	for (unsigned n = 0; n < 400; n++) {
		for (unsigned k = 0; k < 4; k++)
			for (unsigned l = 0; l < LANES && bytes[k]; l++)
				alu_set(m, ROW_A + k, bytes[k], l, alu_random(m) & 1 ? alu_any_int(m) : alu_random(m) % 70);
		alu_scramble(m, ROW_DST);
		m->mask = alu_mask(m, n);
		alu_run(m, &i);
		for (unsigned l = 0; l < LANES; l++) {
			uint64_t v[4];
			for (unsigned k = 0; k < 4; k++)
				v[k] = bytes[k] ? alu_get(m, ROW_A + k, bytes[k], l) : 0;
			const struct in o = {v[0], v[1], v[2], v[3]};
			const uint64_t want = keep(r->ref(&o), r->dst), got = alu_get(m, ROW_DST, r->dst, l);
			if (m->mask >> l & 1 && want != got)
				fail_msg("%s %#lx %#lx %#lx %#lx: %#lx, expected %#lx", r->opcode, v[0], v[1], v[2], v[3], got, want);
		}
	}
}

static void test_rows(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		check_row(&m, &rows[k]);
	alu_free(&m);
}

/* ---- predicates ---- */
static void test_predicates(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned n = 0; n < 64; n++) {
		uint32_t *p = alu_preds(&m);
		const uint32_t a = (uint32_t)alu_random(&m), b = (uint32_t)alu_random(&m), old = (uint32_t)alu_random(&m);
		const uint32_t na = n & 1 ? ~a : a, nb = n & 2 ? ~b : b;
		static const char *const ops[] = {"and.pred", "or.pred", "xor.pred", "not.pred", "mov.pred"};
		const uint32_t want[] = {na & nb, na | nb, na ^ nb, ~na, na};
		for (unsigned k = 0; k < 5; k++) {
			struct isa_insn i = alu_insn(ops[k]);
			i.dst = SLOT_P;
			i.a = SLOT_C | (n & 1 ? ISA_PRED_NOT : 0);
			i.b = SLOT_D | (n & 2 ? ISA_PRED_NOT : 0);
			p[SLOT_C] = a, p[SLOT_D] = b, p[SLOT_P] = old;
			m.mask = alu_mask(&m, n);
			alu_run(&m, &i);
			assert_int_equal(p[SLOT_P], (want[k] & m.mask) | (old & ~m.mask));
		}
	}
	alu_free(&m);
}

static void test_selp(void **state)
{
	static const char *const ops[] = {"selp.b16", "selp.u32", "selp.f64"};
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned n = 0; n < 90; n++) {
		struct isa_insn i = alu_insn(ops[n % 3]);
		const unsigned bytes = 2u << n % 3;
		const uint32_t c = (uint32_t)alu_random(&m);
		alu_scramble(&m, ROW_A);
		alu_scramble(&m, ROW_B);
		alu_preds(&m)[SLOT_C] = n & 1 ? ~c : c;
		i.c = SLOT_C | (n & 1 ? ISA_PRED_NOT : 0);
		m.mask = alu_mask(&m, n);
		alu_run(&m, &i);
		for (unsigned l = 0; l < LANES; l++)
			if (m.mask >> l & 1)
				assert_int_equal(alu_get(&m, ROW_DST, bytes, l), alu_get(&m, c >> l & 1 ? ROW_A : ROW_B, bytes, l));
	}
	alu_free(&m);
}

/* lop3: every table, on operands that hold every combination of bits; with a boolean operation. */
static void test_lop3(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	for (unsigned lut = 0; lut < 256; lut++) {
		struct isa_insn i = alu_insn("lop3.b32");
		struct isa_insn j = alu_insn(lut % 3 == 0 ? "lop3.and.b32" : lut % 3 == 1 ? "lop3.or.b32" : "lop3.xor.b32");
		const uint32_t q = (uint32_t)alu_random(&m);
		i.c = j.c = ROW_REF(ROW_C);
		i.imm = j.imm = lut;
		j.dst2 = SLOT_P;
		j.d = SLOT_Q;
		alu_preds(&m)[SLOT_Q] = q;
		for (unsigned l = 0; l < LANES; l++)
			for (unsigned k = ROW_A; k <= ROW_C; k++)
				alu_set(&m, k, 4, l, l < 4 ? (l & 1 ? 0xffffffff : 0) : alu_random(&m));
		alu_run(&m, lut & 1 ? &i : &j);
		for (unsigned l = 0; l < LANES; l++) {
			uint32_t want = 0;
			for (unsigned k = 0; k < 32; k++) {
				const unsigned at = bit(alu_get(&m, ROW_A, 4, l), k) << 2 | bit(alu_get(&m, ROW_B, 4, l), k) << 1 |
						    bit(alu_get(&m, ROW_C, 4, l), k);
				want |= (uint32_t)(lut >> at & 1) << k;
			}
			assert_int_equal(alu_get(&m, ROW_DST, 4, l), want);
			const unsigned r = want != 0, ql = bit(q, l);
			if (!(lut & 1))
				assert_int_equal(bit(alu_preds(&m)[SLOT_P], l), lut % 3 == 0 ? r & ql : lut % 3 == 1 ? r | ql : r ^ ql);
		}
		j.dst = ISA_REF_NONE;
		alu_run(&m, &j);
	}
	alu_free(&m);
}

/* mov {a, b, ...}: packing and taking apart, little end first; a destination that is also a source. */
static void check_vector(struct alu *m, const char *type, unsigned n)
{
	char opcode[32];
	snprintf(opcode, sizeof opcode, "mov.%s", type);
	struct isa_insn pack = alu_insn(opcode), unpack;
	const unsigned total = isa_type_info[pack.type].bytes, bytes = total / n;
	pack.handler = ISA_H_mov_pack;
	pack.vec = (uint8_t)n;
	pack.dst_bytes = (uint8_t)total;
	unpack = pack;
	unpack.handler = ISA_H_mov_unpack;
	unpack.dst_bytes = (uint8_t)bytes;
	unpack.a = ROW_REF(ROW_A);
	for (unsigned k = 0; k < n; k++) {
		m->aux[k] = ROW_REF(ROW_VEC + k);
		alu_scramble(m, ROW_VEC + k);
	}
	m->mask = (uint32_t)alu_random(m) | 1;
	alu_run(m, &pack);
	for (unsigned l = 0; l < LANES; l++) {
		unsigned char whole[16] = {0};
		for (unsigned k = 0; k < n; k++) {
			const uint64_t v = alu_get(m, ROW_VEC + k, bytes, l);
			memcpy(whole + k * bytes, &v, bytes);
		}
		for (unsigned h = 0; h < (total + 7) / 8 && m->mask >> l & 1; h++) {
			uint64_t want = 0;
			memcpy(&want, whole + 8 * h, total < 8 ? total : 8);
			assert_int_equal(alu_get_at(alu_row(m, ROW_DST) + 256 * h, total < 8 ? total : 8, l), want);
		}
	}
	alu_scramble(m, ROW_A);
	m->mask = LANES_ALL;
	m->aux[0] = ISA_REF_NONE;
	m->aux[1] = ROW_REF(ROW_A);
	alu_run(m, &unpack);
	for (unsigned l = 0; l < LANES; l++)
		for (unsigned k = 1; k < n; k++) {
			const unsigned at = k * bytes;
			const uint64_t word = alu_get_at(m->before + PREDS_BYTES + ROW_A * ROW_BYTES + 256 * (at / 8), total < 8 ? total : 8, l);
			assert_int_equal(alu_get(m, k == 1 ? ROW_A : ROW_VEC + k, bytes, l), keep(word >> at % 8 * 8, bytes));
		}
}
static void test_vectors(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	check_vector(&m, "b16", 2);
	check_vector(&m, "b32", 2);
	check_vector(&m, "b32", 4);
	check_vector(&m, "b64", 2);
	check_vector(&m, "b64", 4);
	check_vector(&m, "b128", 2);
	check_vector(&m, "b128", 4);
	alu_free(&m);
}

static void test_special_registers(void **state)
{
	struct alu m;
	(void)state;
	alu_init(&m);
	struct isa_insn i = alu_insn("mov.b64");
	alu_scramble(&m, ROW_A);
	i.handler = ISA_H_mov_b64_sreg;
	alu_run(&m, &i);
	assert_int_equal(alu_get(&m, ROW_DST, 8, 7), alu_get(&m, ROW_A, 4, 7));
	i = alu_insn("mov.b16");
	i.handler = ISA_H_mov_b16_sreg;
	alu_run(&m, &i);
	assert_int_equal(alu_get(&m, ROW_DST, 2, 9), alu_get(&m, ROW_A, 4, 9) & 0xffff);
	i = alu_insn("mov.b128");
	i.dst_bytes = 16;
	alu_run(&m, &i);
	assert_memory_equal(alu_row(&m, ROW_DST), alu_row(&m, ROW_A), 512);
	alu_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),	   cmocka_unit_test(test_predicates), cmocka_unit_test(test_selp),
		cmocka_unit_test(test_lop3),	   cmocka_unit_test(test_vectors),    cmocka_unit_test(test_special_registers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
