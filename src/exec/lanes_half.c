/* f16 and bf16 arithmetic, scalar and in pairs: add, sub, mul, fma, abs, neg, min, max; mixed precision with f32 (PTX ISA "Half
 * Precision Floating-Point Instructions", "Mixed Precision").
 *
 * f32 has more than twice the digits of a half and some, so a sum rounded to f32 and again to the half is rounded as if once
 * (Figueroa), and a product of two f16 is exact. Fused results, and products of bf16, which may fall below f32's range, are
 * computed in f64, rounded to odd, and then once to the format. Pairs are two rows of halves. */
#include "exec/lanes_half.h"
#include "exec/rounding.h"

enum half_op { HALF_ADD, HALF_SUB, HALF_MUL, HALF_FMA, HALF_ABS, HALF_NEG, HALF_MIN, HALF_MAX };

/* fma.oob: this NaN as a multiplicand makes the result 0. It is what out-of-bounds reads of tensors give. */
#define OOB_NAN 0xffffu

struct half_rows {
	uint16_t a[LANES] LANES_ALIGNED, b[LANES] LANES_ALIGNED, c[LANES] LANES_ALIGNED, t[LANES] LANES_ALIGNED;
};

static void narrow(const float *f, bool bf, unsigned flags, uint16_t *t)
{
	if (bf)
		LANES_LOOP t[l] = (uint16_t)f32_to_bf16(f[l]);
	else
		LANES_LOOP t[l] = (uint16_t)f32_to_f16(f[l]);
	const uint32_t infinity = bf ? 0x7f80u : 0x7c00u, one = HALF_ONE(bf);
	if (flags & ISA_F_SAT) /* what isn't between +0 and 1 is negative, NaN, or above 1 */
		LANES_LOOP t[l] = t[l] <= one ? t[l] : t[l] <= infinity ? (uint16_t)one : 0;
	if (flags & ISA_F_RELU)
		LANES_LOOP t[l] = (t[l] & 0x8000u) ? 0 : t[l];
	if (flags & ISA_F_FTZ)
		LANES_LOOP t[l] = (uint16_t)(bf ? bf16_flush(t[l]) : f16_flush(t[l]));
}

static void arithmetic(enum half_op op, bool bf, unsigned flags, struct half_rows *r)
{
	const bool ftz = flags & ISA_F_FTZ;
	float a[LANES] LANES_ALIGNED, b[LANES] LANES_ALIGNED, c[LANES] LANES_ALIGNED;
	half_load(r->a, bf, ftz, a);
	half_load(r->b, bf, ftz, b);
	switch (op) {
	case HALF_ADD: LANES_LOOP a[l] = a[l] + b[l]; break;
	case HALF_SUB: LANES_LOOP a[l] = a[l] - b[l]; break;
	case HALF_MUL:
		if (bf)
			LANES_LOOP a[l] = f64_to_f32_odd((double)a[l] * (double)b[l]);
		else
			LANES_LOOP a[l] = a[l] * b[l];
		break;
	default:
		half_load(r->c, bf, ftz, c);
		LANES_LOOP a[l] = f64_to_f32_odd(f64_add_odd((double)a[l] * (double)b[l], (double)c[l]));
		break;
	}
	narrow(a, bf, flags, r->t);
	if (flags & ISA_F_OOB)
		LANES_LOOP r->t[l] = r->a[l] == OOB_NAN || r->b[l] == OOB_NAN ? 0 : r->t[l];
}

static void sign_op(enum half_op op, bool bf, unsigned flags, struct half_rows *r)
{
	const uint32_t infinity = bf ? 0x7f80u : 0x7c00u;
	LANES_LOOP
	{
		const uint32_t v = op == HALF_ABS ? r->a[l] & 0x7fffu : r->a[l] ^ 0x8000u;
		const uint32_t kept = (flags & ISA_F_FTZ) && !(v & infinity) ? v & 0x8000u : v;
		r->t[l] = (uint16_t)((v & 0x7fffu) > infinity ? F16_NAN : kept);
	}
}

/* Minimum and maximum of halves: lanes_minmax.c on 16 bits. */
static void minmax(enum half_op op, bool bf, unsigned flags, struct half_rows *r)
{
	const uint32_t infinity = bf ? 0x7f80u : 0x7c00u;
	const bool is_max = op == HALF_MAX, xorsign = flags & ISA_F_XORSIGN, keep_nan = flags & ISA_F_NAN, ftz = flags & ISA_F_FTZ;
	LANES_LOOP
	{
		const uint32_t fa = ftz && !(r->a[l] & infinity) ? r->a[l] & 0x8000u : r->a[l];
		const uint32_t fb = ftz && !(r->b[l] & infinity) ? r->b[l] & 0x8000u : r->b[l];
		const uint32_t a = xorsign ? fa & 0x7fffu : fa, b = xorsign ? fb & 0x7fffu : fb;
		const int32_t oa = (a & 0x8000u) ? -(int32_t)(a & 0x7fffu) - 1 : (int32_t)a;
		const int32_t ob = (b & 0x8000u) ? -(int32_t)(b & 0x7fffu) - 1 : (int32_t)b;
		const bool na = (a & 0x7fffu) > infinity, nb = (b & 0x7fffu) > infinity;
		const uint32_t m = (is_max ? oa > ob : oa < ob) ? a : b;
		const uint32_t number = na ? b : nb ? a : m;
		const uint32_t sign = xorsign ? (fa ^ fb) & 0x8000u : 0;
		r->t[l] = (uint16_t)((na && nb) || (keep_nan && (na || nb)) ? F16_NAN : number | sign);
	}
}

static void compute(enum half_op op, bool bf, unsigned flags, struct half_rows *r)
{
	if (op <= HALF_FMA)
		arithmetic(op, bf, flags, r);
	else if (op <= HALF_NEG)
		sign_op(op, bf, flags, r);
	else
		minmax(op, bf, flags, r);
}

static void load_one(const struct exec *x, uint32_t ref, uint16_t *t)
{
	const row_u16 *s = LANES_SRC(row_u16, ref);
	LANES_LOOP t[l] = s[l];
}
static void load_half_of(const struct exec *x, uint32_t ref, unsigned shift, uint16_t *t)
{
	const row_u32 *s = LANES_SRC(row_u32, ref);
	LANES_LOOP t[l] = (uint16_t)(s[l] >> shift);
}

static void half_one(struct exec *x, const struct isa_insn *i, enum half_op op, bool bf)
{
	struct half_rows r;
	load_one(x, i->a, r.a);
	load_one(x, op == HALF_ABS || op == HALF_NEG ? i->a : i->b, r.b);
	load_one(x, op == HALF_FMA ? i->c : i->a, r.c);
	compute(op, bf, i->flags, &r);
	lanes_put16(x, i->dst, r.t);
}
static void half_pair(struct exec *x, const struct isa_insn *i, enum half_op op, bool bf)
{
	struct half_rows r;
	uint16_t t[2][LANES] LANES_ALIGNED;
	for (unsigned h = 0; h < 2; h++) {
		load_half_of(x, i->a, 16 * h, r.a);
		load_half_of(x, op == HALF_ABS || op == HALF_NEG ? i->a : i->b, 16 * h, r.b);
		load_half_of(x, op == HALF_FMA ? i->c : i->a, 16 * h, r.c);
		compute(op, bf, i->flags, &r);
		memcpy(t[h], r.t, sizeof(r.t));
	}
	LANES_PUT(row_u32, i->dst, t[0][l] | (uint32_t)t[1][l] << 16);
}

#define HALF_HANDLERS(name, OP)                                             \
	LANES_HANDLER(name##_f16) { half_one(x, i, HALF_##OP, false); }     \
	LANES_HANDLER(name##_bf16) { half_one(x, i, HALF_##OP, true); }     \
	LANES_HANDLER(name##_f16x2) { half_pair(x, i, HALF_##OP, false); }  \
	LANES_HANDLER(name##_bf16x2) { half_pair(x, i, HALF_##OP, true); }
HALF_HANDLERS(add, ADD)
HALF_HANDLERS(sub, SUB)
HALF_HANDLERS(mul, MUL)
HALF_HANDLERS(fma, FMA)
HALF_HANDLERS(abs, ABS)
HALF_HANDLERS(neg, NEG)
HALF_HANDLERS(min, MIN)
HALF_HANDLERS(max, MAX)

/* ---- mixed precision: halves widened, the operation in f32 ---- */
static void mixed(struct exec *x, const struct isa_insn *i, enum round_op op, bool bf)
{
	const bool fused = op == ROUND_FMA;
	const row_f32 *last = LANES_SRC(row_f32, fused ? i->c : i->b);
	float a[LANES] LANES_ALIGNED, b[LANES] LANES_ALIGNED, c[LANES] LANES_ALIGNED;
	half_load(LANES_SRC(row_u16, i->a), bf, false, a);
	if (fused)
		half_load(LANES_SRC(row_u16, i->b), bf, false, b);
	LANES_LOOP c[l] = last[l];
	round_f32(op, (enum isa_round)i->rnd, a, fused ? b : c, c, a);
	if (i->flags & ISA_F_SAT)
		LANES_PUT(row_f32, i->dst, f32_sat(a[l]));
	else
		LANES_PUT(row_u32, i->dst, f32_out(a[l]));
}
LANES_HANDLER(add_f32_f16) { mixed(x, i, ROUND_ADD, false); }
LANES_HANDLER(add_f32_bf16) { mixed(x, i, ROUND_ADD, true); }
LANES_HANDLER(sub_f32_f16) { mixed(x, i, ROUND_SUB, false); }
LANES_HANDLER(sub_f32_bf16) { mixed(x, i, ROUND_SUB, true); }
LANES_HANDLER(fma_f32_f16) { mixed(x, i, ROUND_FMA, false); }
LANES_HANDLER(fma_f32_bf16) { mixed(x, i, ROUND_FMA, true); }
