/* Logic, moves and selections: and, or, xor, not, cnot, mov, selp, slct, predicate logic, lop3 (PTX ISA "Logic and Shift
 * Instructions", "Data Movement"). */
#include "exec/lanes.h"

#define LOGIC(op, E)                                        \
	LANES_OP2(op##_b16, row_u16, row_u16, row_u16, E) \
	LANES_OP2(op##_b32, row_u32, row_u32, row_u32, E) \
	LANES_OP2(op##_b64, row_u64, row_u64, row_u64, E)
LOGIC(and, a &b)
LOGIC(or, a | b)
LOGIC(xor, a ^ b)
LANES_OP1(not_b16, row_u16, row_u16, ~a)
LANES_OP1(not_b32, row_u32, row_u32, ~a)
LANES_OP1(not_b64, row_u64, row_u64, ~a)
LANES_OP1(cnot_b16, row_u16, row_u16, a == 0)
LANES_OP1(cnot_b32, row_u32, row_u32, a == 0)
LANES_OP1(cnot_b64, row_u64, row_u64, a == 0)

/* ---- predicates ---- */
LANES_HANDLER(and_pred) { exec_pred_write(x, i->dst, exec_pred(x, i->a) & exec_pred(x, i->b)); }
LANES_HANDLER(or_pred) { exec_pred_write(x, i->dst, exec_pred(x, i->a) | exec_pred(x, i->b)); }
LANES_HANDLER(xor_pred) { exec_pred_write(x, i->dst, exec_pred(x, i->a) ^ exec_pred(x, i->b)); }
LANES_HANDLER(not_pred) { exec_pred_write(x, i->dst, ~exec_pred(x, i->a)); }
LANES_HANDLER(mov_pred) { exec_pred_write(x, i->dst, exec_pred(x, i->a)); }

/* ---- mov ---- */
LANES_OP1(mov_b16, row_u16, row_u16, a)
LANES_OP1(mov_b32, row_u32, row_u32, a)
LANES_OP1(mov_b64, row_u64, row_u64, a)

/* A 16-byte register is two rows: low halves, then high halves. */
#define HIGH_HALF (LANES * 8u)
LANES_HANDLER(mov_b128)
{
	const row_u64 *a = LANES_SRC(row_u64, i->a);
	const row_u64 *high = LANES_SRC(row_u64, i->a + HIGH_HALF);
	LANES_PUT(row_u64, i->dst, a[l]);
	LANES_PUT(row_u64, i->dst + HIGH_HALF, high[l]);
}

/* Special registers are u32 rows, read with other widths. */
LANES_OP1(mov_b64_sreg, row_u64, row_u32, a)
LANES_OP1(mov_b16_sreg, row_u16, row_u32, a)

/* One lane of a register row, any width up to 8 bytes. */
static uint64_t lane_get(const char *row, unsigned bytes, unsigned l)
{
	switch (bytes) {
	case 4: return ((const row_u32 *)(const void *)row)[l];
	case 8: return ((const row_u64 *)(const void *)row)[l];
	default: return ((const row_u16 *)(const void *)row)[l];
	}
}
static void lane_put(char *row, unsigned bytes, unsigned l, uint64_t v)
{
	switch (bytes) {
	case 4: ((row_u32 *)(void *)row)[l] = (uint32_t)v; break;
	case 8: ((row_u64 *)(void *)row)[l] = v; break;
	default: ((row_u16 *)(void *)row)[l] = (uint16_t)v; break;
	}
}

#define VEC_MAX 8u
static inline unsigned element_bytes(unsigned total, unsigned n) { return n && n <= total ? total / n : 1; }

/* mov.TYPE d, {a, b...}: element 0 into the lowest bits. Elements are read before anything is written: d may be one of them.
 * aux: the element rows; vec of them, each dst bytes / vec wide (bytes of 8 bits live in 16-bit lanes). */
LANES_HANDLER(mov_pack)
{
	const uint32_t *refs = x->program->aux + i->aux;
	const unsigned total = isa_type_bytes((enum isa_type)i->type), n = i->vec < VEC_MAX ? i->vec : VEC_MAX;
	const unsigned bytes = element_bytes(total, n);
	uint64_t t[2][LANES] LANES_ALIGNED = {{0}};
	for (unsigned k = 0; k < n; k++) {
		const char *row = exec_operand(x, refs[k]);
		const unsigned at = k * bytes;
		for (unsigned l = 0; l < LANES; l++)
			t[at / 8][l] |= (lane_get(row, bytes, l) & (UINT64_MAX >> (64 - 8 * bytes))) << (at % 8 * 8);
	}
	if (total == 16)
		lanes_put64(x, i->dst + HIGH_HALF, t[1]);
	if (total >= 8)
		lanes_put64(x, i->dst, t[0]);
	else if (total == 4)
		LANES_PUT(row_u32, i->dst, t[0][l]);
	else
		LANES_PUT(row_u16, i->dst, t[0][l]);
}

/* mov.TYPE {d, e...}, a: the inverse; `_` elements are ISA_REF_NONE. */
LANES_HANDLER(mov_unpack)
{
	const uint32_t *refs = x->program->aux + i->aux;
	const unsigned total = isa_type_bytes((enum isa_type)i->type), n = i->vec < VEC_MAX ? i->vec : VEC_MAX;
	const unsigned bytes = element_bytes(total, n);
	uint64_t t[2][LANES] LANES_ALIGNED = {{0}};
	const char *low = exec_operand(x, i->a);
	for (unsigned l = 0; l < LANES; l++)
		t[0][l] = lane_get(low, total > 8 ? 8 : total, l);
	if (total == 16)
		memcpy(t[1], low + HIGH_HALF, sizeof(t[1]));
	for (unsigned k = 0; k < n; k++) {
		if (ISA_REF_BASE(refs[k]) == ISA_BASE_NONE)
			continue;
		char *row = exec_operand(x, refs[k]);
		const unsigned at = k * bytes;
		LANES_EACH(l, x->mask)
			lane_put(row, bytes, l, (t[at / 8][l] >> (at % 8 * 8)) & (UINT64_MAX >> (64 - 8 * bytes)));
	}
}

/* ---- selp, slct ---- */
#define SELP(type, row)                                                                     \
	LANES_HANDLER(selp_##type)                                                          \
	{                                                                                   \
		const row *row_a = LANES_SRC(row, i->a), *row_b = LANES_SRC(row, i->b);     \
		const uint32_t c = exec_pred(x, i->c);                                      \
		LANES_PUT(row, i->dst, ({ const row a = row_a[l], b = row_b[l]; (c & lanes_bits[l]) ? a : b; })); \
	}
SELP(b16, row_u16)
SELP(b32, row_u32)
SELP(b64, row_u64)

/* c of type2: s32 >= 0, or f32 >= 0 (-0 is 0, NaN selects b; a flushed c has the same sign and so the same answer unless it was
 * a negative subnormal, which becomes -0). */
static uint32_t slct_mask(const struct exec *x, const struct isa_insn *i)
{
	if (i->type2 != ISA_F32) {
		const row_s32 *c = LANES_SRC(row_s32, i->c);
		return LANES_TEST(c[l] >= 0);
	}
	const row_u32 *c = LANES_SRC(row_u32, i->c);
	const uint32_t zero_up_to = (i->flags & ISA_F_FTZ) ? 0x807fffffu : 0x80000000u;
	return LANES_TEST(c[l] <= 0x7f800000u || (c[l] >= 0x80000000u && c[l] <= zero_up_to));
}
#define SLCT(row)                                                                           \
	do {                                                                                \
		const row *row_a = LANES_SRC(row, i->a), *row_b = LANES_SRC(row, i->b);     \
		LANES_PUT(row, i->dst, ({ const row a = row_a[l], b = row_b[l]; (c & lanes_bits[l]) ? a : b; })); \
	} while (0)
LANES_HANDLER(slct)
{
	const uint32_t c = slct_mask(x, i);
	switch (isa_type_bytes((enum isa_type)i->type)) {
	case 2: SLCT(row_u16); break;
	case 8: SLCT(row_u64); break;
	default: SLCT(row_u32); break;
	}
}

/* ---- lop3: imm is the truth table, bit (a << 2 | b << 1 | c) of it the result ---- */
static void lop3_row(const struct exec *x, const struct isa_insn *i, uint32_t *t)
{
	const row_u32 *a = LANES_SRC(row_u32, i->a), *b = LANES_SRC(row_u32, i->b), *c = LANES_SRC(row_u32, i->c);
	uint32_t minterm[8];
	for (unsigned k = 0; k < 8; k++)
		minterm[k] = 0u - (uint32_t)(i->imm >> k & 1);
	LANES_LOOP
	{
		const uint32_t nb = ~b[l], nc = ~c[l];
		const uint32_t off = (nb & nc & minterm[0]) | (nb & c[l] & minterm[1]) | (b[l] & nc & minterm[2]) |
				     (b[l] & c[l] & minterm[3]);
		const uint32_t on = (nb & nc & minterm[4]) | (nb & c[l] & minterm[5]) | (b[l] & nc & minterm[6]) |
				    (b[l] & c[l] & minterm[7]);
		t[l] = (~a[l] & off) | (a[l] & on);
	}
}
LANES_HANDLER(lop3_b32)
{
	uint32_t t[LANES] LANES_ALIGNED;
	lop3_row(x, i, t);
	lanes_put32(x, i->dst, t);
}
/* lop3.BoolOp d|p, a, b, c, imm, q: dst2 = slot of p, d = q, boolop; d may be `_`. */
LANES_HANDLER(lop3)
{
	uint32_t t[LANES] LANES_ALIGNED;
	lop3_row(x, i, t);
	if (i->boolop != ISA_BOOL_NONE) {
		const uint32_t q = exec_pred(x, i->d), r = LANES_TEST(t[l] != 0);
		exec_pred_write(x, i->dst2, i->boolop == ISA_BOOL_AND ? r & q : i->boolop == ISA_BOOL_OR ? r | q : r ^ q);
	}
	if (ISA_REF_BASE(i->dst) != ISA_BASE_NONE)
		lanes_put32(x, i->dst, t);
}
