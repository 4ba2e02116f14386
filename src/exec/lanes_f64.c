/* f64 arithmetic: add, sub, mul, fma, mad, div, rcp, sqrt. Nearest forms have loops of their own, other roundings go through
 * round_f64. */
#include "exec/lanes_float.h"
#include "exec/rounding.h"

static void general(struct exec *x, const struct isa_insn *i, enum round_op op, const double *a)
{
	const row_f64 *row_a = LANES_SRC(row_f64, i->a);
	double s[3][LANES] LANES_ALIGNED, r[LANES] LANES_ALIGNED;
	const row_f64 *row_b = op == ROUND_SQRT || a ? row_a : LANES_SRC(row_f64, i->b);
	const row_f64 *row_c = op == ROUND_FMA ? LANES_SRC(row_f64, i->c) : row_b;
	LANES_LOOP
	{
		s[0][l] = a ? a[l] : row_a[l];
		s[1][l] = row_b[l];
		s[2][l] = row_c[l];
	}
	round_f64(op, (enum isa_round)i->rnd, s[0], s[1], s[2], r);
	LANES_PUT(row_u64, i->dst, f64_out3(r[l], s[0][l], s[1][l], s[2][l]));
}

#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define F64_OP2(op, OP)                                                                       \
	LANES_HANDLER(op##_f64)                                                               \
	{                                                                                     \
		if (__builtin_expect(i->rnd > ISA_RND_RN, 0)) {                               \
			general(x, i, ROUND_##OP, NULL);                                      \
			return;                                                               \
		}                                                                             \
		const row_f64 *a = LANES_SRC(row_f64, i->a), *b = LANES_SRC(row_f64, i->b);   \
		LANES_PUT(row_u64, i->dst, f64_out2(OP(a[l], b[l]), a[l], b[l]));             \
	}
F64_OP2(add, ADD)
F64_OP2(sub, SUB)
F64_OP2(mul, MUL)
F64_OP2(div, DIV)

LANES_HANDLER(fma_f64)
{
#ifdef __FMA__
	if (__builtin_expect(i->rnd <= ISA_RND_RN, 1)) {
		const row_f64 *row_a = LANES_SRC(row_f64, i->a), *row_b = LANES_SRC(row_f64, i->b);
		const row_f64 *row_c = LANES_SRC(row_f64, i->c);
		LANES_PUT(row_u64, i->dst, ({
				  const double a = row_a[l], b = row_b[l], c = row_c[l];
				  f64_out3(__builtin_fma(a, b, c), a, b, c);
			  }));
		return;
	}
#endif
	general(x, i, ROUND_FMA, NULL);
}

LANES_HANDLER(rcp_f64)
{
	double one[LANES] LANES_ALIGNED;
	LANES_LOOP one[l] = 1.0;
	general(x, i, ROUND_DIV, one);
}

LANES_HANDLER(sqrt_f64)
{
	if (__builtin_expect(i->rnd > ISA_RND_RN, 0)) {
		general(x, i, ROUND_SQRT, NULL);
		return;
	}
	const row_f64 *row_a = LANES_SRC(row_f64, i->a);
	LANES_PUT(row_u64, i->dst, ({ const double a = row_a[l]; f64_out1(__builtin_sqrt(a), a); }));
}
