/* Comparisons of two rows as lane masks, by enum isa_cmp: for setp and set with modifiers, and halves. */
#ifndef EXEC_LANES_CMP_H
#define EXEC_LANES_CMP_H

#include "exec/lanes_half.h"

#define CMP_INT(name, row)                                                              \
	static inline uint32_t cmp_##name(enum isa_cmp cmp, const row *a, const row *b)  \
	{                                                                                \
		switch (cmp) {                                                           \
		case ISA_CMP_EQ: return LANES_TEST(a[l] == b[l]);                        \
		case ISA_CMP_NE: return LANES_TEST(a[l] != b[l]);                        \
		case ISA_CMP_LT:                                                         \
		case ISA_CMP_LO: return LANES_TEST(a[l] < b[l]);                         \
		case ISA_CMP_LE:                                                         \
		case ISA_CMP_LS: return LANES_TEST(a[l] <= b[l]);                        \
		case ISA_CMP_GT:                                                         \
		case ISA_CMP_HI: return LANES_TEST(a[l] > b[l]);                         \
		case ISA_CMP_GE:                                                         \
		case ISA_CMP_HS: return LANES_TEST(a[l] >= b[l]);                        \
		default: return 0;                                                       \
		}                                                                        \
	}
CMP_INT(u16, row_u16)
CMP_INT(s16, row_s16)
CMP_INT(u32, row_u32)
CMP_INT(s32, row_s32)
CMP_INT(u64, row_u64)
CMP_INT(s64, row_s64)

/* The unordered forms are true if an operand is NaN: the negation of the opposite ordered one. ne is false then. */
#define CMP_FLOAT(name, row)                                                                       \
	static inline uint32_t cmp_##name(enum isa_cmp cmp, const row *a, const row *b)             \
	{                                                                                           \
		switch (cmp) {                                                                      \
		case ISA_CMP_EQ: return LANES_TEST(a[l] == b[l]);                                   \
		case ISA_CMP_NE: return LANES_TEST(a[l] < b[l] || a[l] > b[l]);                     \
		case ISA_CMP_LT: return LANES_TEST(a[l] < b[l]);                                    \
		case ISA_CMP_LE: return LANES_TEST(a[l] <= b[l]);                                   \
		case ISA_CMP_GT: return LANES_TEST(a[l] > b[l]);                                    \
		case ISA_CMP_GE: return LANES_TEST(a[l] >= b[l]);                                   \
		case ISA_CMP_EQU: return LANES_TEST(!(a[l] < b[l] || a[l] > b[l]));                 \
		case ISA_CMP_NEU: return LANES_TEST(!(a[l] == b[l]));                               \
		case ISA_CMP_LTU: return LANES_TEST(!(a[l] >= b[l]));                               \
		case ISA_CMP_LEU: return LANES_TEST(!(a[l] > b[l]));                                \
		case ISA_CMP_GTU: return LANES_TEST(!(a[l] <= b[l]));                               \
		case ISA_CMP_GEU: return LANES_TEST(!(a[l] < b[l]));                                \
		case ISA_CMP_NUM: return LANES_TEST(a[l] == a[l] && b[l] == b[l]);                  \
		case ISA_CMP_NAN: return LANES_TEST(!(a[l] == a[l] && b[l] == b[l]));               \
		default: return 0;                                                                  \
		}                                                                                   \
	}
CMP_FLOAT(f32, row_f32)
CMP_FLOAT(f64, row_f64)

/* Combines a comparison's lanes with predicate operand d by the instruction's boolean operator; returns r itself if it has none. */
static inline uint32_t cmp_bool(const struct exec *x, const struct isa_insn *i, uint32_t r)
{
	switch (i->boolop) {
	case ISA_BOOL_AND: return r & exec_pred(x, i->d);
	case ISA_BOOL_OR: return r | exec_pred(x, i->d);
	case ISA_BOOL_XOR: return r ^ exec_pred(x, i->d);
	default: return r;
	}
}

/* Returns the lanes in which an f32 comparison holds, subnormal operands taken as zeros. */
static inline uint32_t cmp_f32_ftz(const struct exec *x, const struct isa_insn *i)
{
	const row_f32 *a = LANES_SRC(row_f32, i->a), *b = LANES_SRC(row_f32, i->b);
	float fa[LANES] LANES_ALIGNED, fb[LANES] LANES_ALIGNED;
	LANES_LOOP
	{
		fa[l] = f32_flush(a[l]);
		fb[l] = f32_flush(b[l]);
	}
	return cmp_f32((enum isa_cmp)i->cmp, fa, fb);
}
/* Returns the lanes in which a comparison of f16 (or with `bf` bf16) operands holds. */
static inline uint32_t cmp_half(const struct exec *x, const struct isa_insn *i, bool bf)
{
	float a[LANES] LANES_ALIGNED, b[LANES] LANES_ALIGNED;
	half_load(LANES_SRC(row_u16, i->a), bf, i->flags & ISA_F_FTZ, a);
	half_load(LANES_SRC(row_u16, i->b), bf, i->flags & ISA_F_FTZ, b);
	return cmp_f32((enum isa_cmp)i->cmp, a, b);
}
/* Returns the lanes in which a comparison of one half of packed operands holds: the low half with shift 0, the high half with shift 16. */
static inline uint32_t cmp_half_pair(const struct exec *x, const struct isa_insn *i, bool bf, unsigned shift)
{
	float a[LANES] LANES_ALIGNED, b[LANES] LANES_ALIGNED;
	half_load_pair(LANES_SRC(row_u32, i->a), shift, bf, i->flags & ISA_F_FTZ, a);
	half_load_pair(LANES_SRC(row_u32, i->b), shift, bf, i->flags & ISA_F_FTZ, b);
	return cmp_f32((enum isa_cmp)i->cmp, a, b);
}

#endif
