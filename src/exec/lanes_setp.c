/* setp: comparisons into predicates. The plain forms have a handler for each comparison and type; those with a boolean operation
 * or .ftz, and halves, go through lanes_cmp.h. testp is here too. */
#include "exec/lanes_cmp.h"

static inline void put_predicates(struct exec *x, const struct isa_insn *i, uint32_t p, uint32_t q)
{
	exec_pred_write(x, i->dst, p);
	exec_pred_write(x, i->dst2, q);
}

#define SETP(cmp, type, row, E)                                                           \
	LANES_HANDLER(setp_##cmp##_##type)                                                \
	{                                                                                 \
		const row *row_a = LANES_SRC(row, i->a), *row_b = LANES_SRC(row, i->b);   \
		const uint32_t r = LANES_TEST(({ const row a = row_a[l], b = row_b[l]; E; })); \
		put_predicates(x, i, r, ~r);                                                         \
	}
#define SETP_ORDER(type, row)                \
	SETP(lt, type, row, a < b)           \
	SETP(le, type, row, a <= b)          \
	SETP(gt, type, row, a > b)           \
	SETP(ge, type, row, a >= b)
#define SETP_EQUAL(type, row)                \
	SETP(eq, type, row, a == b)          \
	SETP(ne, type, row, a != b)
#define SETP_FLOAT(type, row)                \
	SETP_ORDER(type, row)                \
	SETP(eq, type, row, a == b)          \
	SETP(ne, type, row, a < b || a > b)  \
	SETP(equ, type, row, !(a < b || a > b)) \
	SETP(neu, type, row, !(a == b))      \
	SETP(ltu, type, row, !(a >= b))      \
	SETP(leu, type, row, !(a > b))       \
	SETP(gtu, type, row, !(a <= b))      \
	SETP(geu, type, row, !(a < b))       \
	SETP(num, type, row, a == a && b == b) \
	SETP(nan, type, row, !(a == a && b == b))

SETP_EQUAL(b16, row_u16)
SETP_ORDER(u16, row_u16)
SETP_ORDER(s16, row_s16)
SETP_EQUAL(b32, row_u32)
SETP_ORDER(u32, row_u32)
SETP_ORDER(s32, row_s32)
SETP_EQUAL(b64, row_u64)
SETP_ORDER(u64, row_u64)
SETP_ORDER(s64, row_s64)
SETP_FLOAT(f32, row_f32)
SETP_FLOAT(f64, row_f64)

/* ---- with modifiers ---- */
static void finish(struct exec *x, const struct isa_insn *i, uint32_t r) { put_predicates(x, i, cmp_bool(x, i, r), cmp_bool(x, i, ~r)); }

#define SETP_ANY(type, row) \
	LANES_HANDLER(setp_##type) { finish(x, i, cmp_##type((enum isa_cmp)i->cmp, LANES_SRC(row, i->a), LANES_SRC(row, i->b))); }
SETP_ANY(u16, row_u16)
SETP_ANY(s16, row_s16)
SETP_ANY(u32, row_u32)
SETP_ANY(s32, row_s32)
SETP_ANY(u64, row_u64)
SETP_ANY(s64, row_s64)
SETP_ANY(f64, row_f64)
LANES_HANDLER(setp_f32)
{
	if (i->flags & ISA_F_FTZ)
		finish(x, i, cmp_f32_ftz(x, i));
	else
		finish(x, i, cmp_f32((enum isa_cmp)i->cmp, LANES_SRC(row_f32, i->a), LANES_SRC(row_f32, i->b)));
}

/* ---- halves; of a pair, p is the low element's and q the high one's result ---- */
LANES_HANDLER(setp_f16) { finish(x, i, cmp_half(x, i, false)); }
LANES_HANDLER(setp_bf16) { finish(x, i, cmp_half(x, i, true)); }
LANES_HANDLER(setp_f16x2)
{
	put_predicates(x, i, cmp_bool(x, i, cmp_half_pair(x, i, false, 0)), cmp_bool(x, i, cmp_half_pair(x, i, false, 16)));
}
LANES_HANDLER(setp_bf16x2)
{
	put_predicates(x, i, cmp_bool(x, i, cmp_half_pair(x, i, true, 0)), cmp_bool(x, i, cmp_half_pair(x, i, true, 16)));
}

/* ---- testp; zeros count as normal ---- */
#define TESTP(op, type, row, E)                                              \
	LANES_HANDLER(testp_##op##_##type)                                   \
	{                                                                    \
		const row *row_a = LANES_SRC(row, i->a);                     \
		exec_pred_write(x, i->dst, LANES_TEST(({ const row a = row_a[l] & ((row)~(row)0 >> 1); E; }))); \
	}
#define TESTP_ALL(type, row, INF, MIN_NORMAL)                                \
	TESTP(finite, type, row, a < (INF))                                  \
	TESTP(infinite, type, row, a == (INF))                               \
	TESTP(number, type, row, a <= (INF))                                 \
	TESTP(notanumber, type, row, a > (INF))                              \
	TESTP(normal, type, row, a == 0 || (a >= (MIN_NORMAL) && a < (INF))) \
	TESTP(subnormal, type, row, a != 0 && a < (MIN_NORMAL))
TESTP_ALL(f32, row_u32, 0x7f800000u, 0x00800000u)
TESTP_ALL(f64, row_u64, UINT64_C(0x7ff0000000000000), UINT64_C(0x0010000000000000))
