/* How the lane files (lanes_*.c) write their handlers: rows, loops over 32 lanes that the compiler turns into vectors, stores
 * under the executing mask.
 *
 * A handler reads its operands as rows and writes one row or one predicate mask. Every lane is computed, also those that don't
 * execute, so an expression must be total: no division by zero, no shift by the width, no conversion out of range. The loop is
 * written twice, with and without the blend, because almost every instruction executes with a full mask. Rows are either the same
 * row or disjoint, so a lane loop never carries a dependency (GCC ivdep). */
#ifndef EXEC_LANES_H
#define EXEC_LANES_H

#include "exec/internal.h"

/* Rows hold whatever type was written last, hence may_alias. */
#define LANES_ROW_TYPE __attribute__((may_alias))
typedef uint8_t LANES_ROW_TYPE row_u8;
typedef uint16_t LANES_ROW_TYPE row_u16;
typedef int16_t LANES_ROW_TYPE row_s16;
typedef uint32_t LANES_ROW_TYPE row_u32;
typedef int32_t LANES_ROW_TYPE row_s32;
typedef uint64_t LANES_ROW_TYPE row_u64;
typedef int64_t LANES_ROW_TYPE row_s64;
typedef float LANES_ROW_TYPE row_f32;
typedef double LANES_ROW_TYPE row_f64;

#define LANES_ALIGNED __attribute__((aligned(64)))

/* bit[l] == 1 << l: tests of a mask per lane vectorise at every level, variable shifts only from v3 on. */
static const uint32_t lanes_bits[32] LANES_ALIGNED = {
	1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 4, 1u << 5, 1u << 6, 1u << 7,
	1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
	1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
	1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

#define LANES_FULL(x) __builtin_expect((x)->mask == LANES_ALL, 1)
/* clang needs no telling that rows don't overlap in a way that matters, and doesn't know the pragma */
#ifdef __clang__
#define LANES_FIRST(n) for (unsigned l = 0; l < (n); l++)
#else
#define LANES_FIRST(n) _Pragma("GCC ivdep") for (unsigned l = 0; l < (n); l++)
#endif
#define LANES_LOOP LANES_FIRST(LANES)

/* An operand as a row of T. */
#define LANES_SRC(T, ref) ((const T *)__builtin_assume_aligned(x->base[ISA_REF_BASE(ref)] + ISA_REF_OFFSET(ref), 64))
#define LANES_DST(T, ref) ((T *)__builtin_assume_aligned(x->base[ISA_REF_BASE(ref)] + ISA_REF_OFFSET(ref), 64))

/* dst[l] = expression in l for the executing lanes; TD: the row type. */
#define LANES_PUT(TD, ref, ...)                                                  \
	do {                                                                     \
		TD *put_ = LANES_DST(TD, ref);                                   \
		const uint32_t mask_ = x->mask;                                  \
		if (LANES_FULL(x)) {                                             \
			LANES_LOOP put_[l] = (TD)(__VA_ARGS__);                  \
		} else {                                                         \
			LANES_LOOP                                               \
			{                                                        \
				const TD value_ = (TD)(__VA_ARGS__);             \
				put_[l] = (mask_ & lanes_bits[l]) ? value_ : put_[l]; \
			}                                                        \
		}                                                                \
	} while (0)

/* Mask of the lanes for which an expression in l holds. */
#define LANES_TEST(...)                                                          \
	({                                                                       \
		uint32_t test_ = 0;                                              \
		LANES_LOOP test_ |= (__VA_ARGS__) ? lanes_bits[l] : 0u;          \
		test_;                                                           \
	})

/* Handlers of one expression E in the lane values a, b, c. */
#define LANES_OP1(name, TD, TA, E)                                               \
	LANES_HANDLER(name)                                                      \
	{                                                                        \
		const TA *row_a = LANES_SRC(TA, i->a);                           \
		LANES_PUT(TD, i->dst, ({ const TA a = row_a[l]; E; }));          \
	}
#define LANES_OP2(name, TD, TA, TB, E)                                           \
	LANES_HANDLER(name)                                                      \
	{                                                                        \
		const TA *row_a = LANES_SRC(TA, i->a);                           \
		const TB *row_b = LANES_SRC(TB, i->b);                           \
		LANES_PUT(TD, i->dst, ({ const TA a = row_a[l]; const TB b = row_b[l]; E; })); \
	}
#define LANES_OP3(name, TD, TA, TB, TC, E)                                       \
	LANES_HANDLER(name)                                                      \
	{                                                                        \
		const TA *row_a = LANES_SRC(TA, i->a);                           \
		const TB *row_b = LANES_SRC(TB, i->b);                           \
		const TC *row_c = LANES_SRC(TC, i->c);                           \
		LANES_PUT(TD, i->dst,                                            \
			  ({ const TA a = row_a[l]; const TB b = row_b[l]; const TC c = row_c[l]; E; })); \
	}
#define LANES_OP4(name, TD, TA, TB, TC, TE, E)                                   \
	LANES_HANDLER(name)                                                      \
	{                                                                        \
		const TA *row_a = LANES_SRC(TA, i->a);                           \
		const TB *row_b = LANES_SRC(TB, i->b);                           \
		const TC *row_c = LANES_SRC(TC, i->c);                           \
		const TE *row_d = LANES_SRC(TE, i->d);                           \
		LANES_PUT(TD, i->dst, ({                                         \
				  const TA a = row_a[l];                         \
				  const TB b = row_b[l];                         \
				  const TC c = row_c[l];                         \
				  const TE d = row_d[l];                         \
				  E;                                             \
			  }));                                                   \
	}

/* Writes a row of 32-bit results to the executing lanes of a destination. */
static inline void lanes_put32(struct exec *x, uint32_t ref, const uint32_t *t) { LANES_PUT(row_u32, ref, t[l]); }
/* Writes a row of 64-bit results to the executing lanes of a destination. */
static inline void lanes_put64(struct exec *x, uint32_t ref, const uint64_t *t) { LANES_PUT(row_u64, ref, t[l]); }
/* Writes a row of 16-bit results to the executing lanes of a destination. */
static inline void lanes_put16(struct exec *x, uint32_t ref, const uint16_t *t) { LANES_PUT(row_u16, ref, t[l]); }

#endif
