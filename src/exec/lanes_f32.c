/* f32 arithmetic: add, sub, mul, fma, mad, div, rcp, sqrt, and f32x2. Plain and .ftz nearest forms have loops of their own; other
 * roundings and .sat go the general way. */
#include "exec/lanes_float.h"
#include "exec/rounding.h"

/* ---- the general way: operands to local rows, one call that rounds, modifiers on the result ---- */
static void load_f32(const struct exec *x, uint32_t ref, bool ftz, float *t)
{
	const row_u32 *s = LANES_SRC(row_u32, ref);
	if (ftz)
		LANES_LOOP t[l] = f32_from(f32_flush_bits(s[l]));
	else
		LANES_LOOP t[l] = f32_from(s[l]);
}

/* ---- sums: t = p + c, p and c exact in f64 ---- */
static void round_sum(enum isa_round rnd, const double *p, const double *c, float *t)
{
	switch (rnd) {
	case ISA_RND_RZ: LANES_LOOP t[l] = f32_toward_zero(f64_add_odd(p[l], c[l])); break;
	case ISA_RND_RM: LANES_LOOP t[l] = f32_down(f64_add_odd(p[l], c[l]), p[l], c[l]); break;
	case ISA_RND_RP: LANES_LOOP t[l] = f32_up(f64_add_odd(p[l], c[l])); break;
	default: LANES_LOOP t[l] = (float)f64_add_odd(p[l], c[l]); break;
	}
}

/* add, sub, mul, fma: one sum in f64, whose terms are exact. To a product alone a zero of its sign is added. */
static void general_sum(struct exec *x, const struct isa_insn *i, enum round_op op)
{
	const bool ftz = i->flags & ISA_F_FTZ;
	float a[LANES] LANES_ALIGNED, b[LANES] LANES_ALIGNED, s[LANES] LANES_ALIGNED;
	double p[LANES] LANES_ALIGNED, c[LANES] LANES_ALIGNED;
	load_f32(x, i->a, ftz, a);
	load_f32(x, i->b, ftz, b);
	switch (op) {
	case ROUND_ADD: LANES_LOOP p[l] = (double)a[l], c[l] = (double)b[l]; break;
	case ROUND_SUB: LANES_LOOP p[l] = (double)a[l], c[l] = -(double)b[l]; break;
	case ROUND_MUL:
		LANES_LOOP p[l] = (double)a[l] * (double)b[l];
		LANES_LOOP c[l] = __builtin_copysign(0.0, p[l]);
		break;
	default:
		load_f32(x, i->c, ftz, s);
		LANES_LOOP p[l] = (double)a[l] * (double)b[l], c[l] = (double)s[l];
		break;
	}
	round_sum((enum isa_round)i->rnd, p, c, s);
	lanes_store_f32(x, i, s);
}

/* div, sqrt */
static void general(struct exec *x, const struct isa_insn *i, enum round_op op)
{
	const bool ftz = i->flags & ISA_F_FTZ;
	float s[2][LANES] LANES_ALIGNED, t[LANES] LANES_ALIGNED;
	load_f32(x, i->a, ftz, s[0]);
	if (op == ROUND_DIV)
		load_f32(x, i->b, ftz, s[1]);
	round_f32(op, (enum isa_round)i->rnd, s[0], s[1], NULL, t);
	lanes_store_f32(x, i, t);
}

#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define F32_OP2(op, OP)                                                                       \
	LANES_HANDLER(op##_f32)                                                               \
	{                                                                                     \
		if (F32_MODIFIED(i)) {                                                        \
			general_sum(x, i, ROUND_##OP);                                        \
			return;                                                               \
		}                                                                             \
		const row_f32 *a = LANES_SRC(row_f32, i->a), *b = LANES_SRC(row_f32, i->b);   \
		LANES_PUT(row_u32, i->dst, f32_out(OP(a[l], b[l])));                          \
	}                                                                                     \
	LANES_OP2(op##_ftz_f32, row_u32, row_f32, row_f32, f32_out_ftz(OP(f32_flush(a), f32_flush(b))))
F32_OP2(add, ADD)
F32_OP2(sub, SUB)
F32_OP2(mul, MUL)

/* ---- fma; mad.f32 is the same on every target since sm_20 ---- */
LANES_OP3(fma_rn_f32, row_u32, row_f32, row_f32, row_f32, f32_out(f32_fma(a, b, c)))
LANES_OP3(fma_rn_ftz_f32, row_u32, row_f32, row_f32, row_f32,
	  f32_out_ftz(f32_fma(f32_flush(a), f32_flush(b), f32_flush(c))))
LANES_HANDLER(fma_f32) { general_sum(x, i, ROUND_FMA); }
/* nvcc's expf has it */
static inline float fma_down(double p, double c) { return f32_down(f64_add_odd(p, c), p, c); }
LANES_OP3(fma_rm_f32, row_u32, row_f32, row_f32, row_f32, f32_out(fma_down((double)a * (double)b, (double)c)))

/* ---- div, rcp, sqrt ---- */
LANES_OP2(div_rn_f32, row_u32, row_f32, row_f32, f32_out(a / b))
LANES_OP2(div_rn_ftz_f32, row_u32, row_f32, row_f32, f32_out_ftz(f32_flush(a) / f32_flush(b)))

/* div.approx is a * (1/b) with a reciprocal that has run out of range for |b| above 2^126: 0, or NaN if a is infinite. An infinite
 * b is no exception to a / b. */
static inline float div_approx(float a, float b)
{
	const float m = __builtin_fabsf(b);
	const float zero = f32_from(f32_bits(b) & 0x80000000u);
	return m > 0x1p126f && m < __builtin_inff() ? a * zero : a / b;
}
LANES_OP2(div_approx_f32, row_u32, row_f32, row_f32, f32_out(div_approx(a, b)))
LANES_OP2(div_approx_ftz_f32, row_u32, row_f32, row_f32, f32_out_ftz(div_approx(f32_flush(a), f32_flush(b))))

/* .full too: its two ulps leave room for the exact quotient. */
LANES_HANDLER(div_f32)
{
	if (!(i->flags & ISA_F_APPROX))
		general(x, i, ROUND_DIV);
	else if (i->flags & ISA_F_FTZ)
		LANES_NAME(exec_h_div_approx_ftz_f32)(x, i);
	else
		LANES_NAME(exec_h_div_approx_f32)(x, i);
}

LANES_OP1(rcp_rn_f32, row_u32, row_f32, f32_out(1.0f / a))
LANES_OP1(rcp_rn_ftz_f32, row_u32, row_f32, f32_out_ftz(1.0f / f32_flush(a)))
LANES_HANDLER(rcp_f32)
{
	float a[LANES] LANES_ALIGNED, one[LANES] LANES_ALIGNED;
	load_f32(x, i->a, i->flags & ISA_F_FTZ, a);
	LANES_LOOP one[l] = 1.0f;
	round_f32(ROUND_DIV, (enum isa_round)i->rnd, one, a, NULL, a);
	lanes_store_f32(x, i, a);
}

LANES_OP1(sqrt_rn_f32, row_u32, row_f32, f32_out(__builtin_sqrtf(a)))
LANES_OP1(sqrt_rn_ftz_f32, row_u32, row_f32, f32_out_ftz(__builtin_sqrtf(f32_flush(a))))
LANES_HANDLER(sqrt_f32) { general(x, i, ROUND_SQRT); }

/* ---- f32x2: a 64-bit row is 64 floats, even ones the low elements ---- */
static void general_x2(struct exec *x, const struct isa_insn *i, enum round_op op)
{
	const uint32_t refs[3] = {i->a, i->b, op == ROUND_FMA ? i->c : i->b};
	float s[3][2][LANES] LANES_ALIGNED;
	for (unsigned k = 0; k < 3; k++) {
		const row_u64 *row = LANES_SRC(row_u64, refs[k]);
		LANES_LOOP
		{
			s[k][0][l] = f32_from((uint32_t)row[l]);
			s[k][1][l] = f32_from((uint32_t)(row[l] >> 32));
		}
		if (i->flags & ISA_F_FTZ)
			for (unsigned h = 0; h < 2; h++)
				LANES_LOOP s[k][h][l] = f32_flush(s[k][h][l]);
	}
	for (unsigned h = 0; h < 2; h++)
		round_f32(op, (enum isa_round)i->rnd, s[0][h], s[1][h], s[2][h], s[0][h]);
	uint64_t t[LANES] LANES_ALIGNED;
	if (i->flags & ISA_F_FTZ)
		LANES_LOOP t[l] = (uint64_t)f32_out_ftz(s[0][1][l]) << 32 | f32_out_ftz(s[0][0][l]);
	else
		LANES_LOOP t[l] = (uint64_t)f32_out(s[0][1][l]) << 32 | f32_out(s[0][0][l]);
	lanes_put64(x, i->dst, t);
}
LANES_HANDLER(add_f32x2) { general_x2(x, i, ROUND_ADD); }
LANES_HANDLER(sub_f32x2) { general_x2(x, i, ROUND_SUB); }
LANES_HANDLER(mul_f32x2) { general_x2(x, i, ROUND_MUL); }
LANES_HANDLER(fma_f32x2) { general_x2(x, i, ROUND_FMA); }
