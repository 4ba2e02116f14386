/* A number for each lane of a warp, and arithmetic with such rows. Private to src/debug/expr. */
#ifndef DEBUG_EXPR_ROWS_H
#define DEBUG_EXPR_ROWS_H

#include "debug/expr/expr_internal.h"

/* The numbers of a warp's lanes: those of 32-bit integers are in `n`, of f32 in `g`, others as expr_value holds them. If they are the same in all lanes, only
 * lane 0 is set. */
struct row {
	enum isa_type type;
	bool is_same;
	union {
		uint32_t n[LANES];
		float g[LANES];
		uint64_t u[LANES];
		double f[LANES];
	};
};

/* Returns true for 32-bit integers. */
static inline bool row_is_narrow(enum isa_type t) { return t == ISA_U32 || t == ISA_S32; }
/* Returns true if an operator compares two values: ==, !=, <, <=, >, >=. */
static inline bool op_is_comparison(enum expr_op op) { return op >= OP_EQ && op <= OP_GE; }
/* Sets the number of a lane, and the row's type. */
void row_set(struct row *r, unsigned lane, const struct expr_value *v);
/* Returns a lane's integer, sign-extended if its type is signed. */
uint64_t row_integer(const struct row *r, unsigned lane);
/* Computes `a op b` for `lanes`, as value_binary does. The operands may be changed. */
void row_binary(enum expr_op op, struct row *a, struct row *b, uint32_t lanes, struct row *out);
/* Computes `op a` for `lanes`, as value_unary does. */
void row_unary(enum expr_op op, const struct row *a, uint32_t lanes, struct row *out);
/* Returns the lanes whose number isn't zero. */
uint32_t row_true(const struct row *r);

#endif
