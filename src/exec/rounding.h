/* Floating-point operations in a rounding direction, a row of 32 lanes at a time. The only code that touches the floating-point
 * environment: it sets the direction, computes, and sets nearest again. Built with -frounding-math. */
#ifndef EXEC_ROUNDING_H
#define EXEC_ROUNDING_H

#include <stdint.h>

#include "isa/insn.h"

enum round_op { ROUND_ADD, ROUND_SUB, ROUND_MUL, ROUND_FMA, ROUND_DIV, ROUND_SQRT };

/* Computes t[l] = a[l] op b[l] in f32 for all 32 lanes, rounded as `rnd` says; ISA_RND_DEFAULT is nearest even. FMA computes a * b + c, SQRT takes
 * a alone. Unused operands may be NULL, and t may be an operand. */
void round_f32(enum round_op op, enum isa_round rnd, const float *a, const float *b, const float *c, float *t);
/* Computes t[l] = a[l] op b[l] in f64 for all 32 lanes, rounded as `rnd` says; ISA_RND_DEFAULT is nearest even. FMA computes a * b + c, SQRT takes
 * a alone. Unused operands may be NULL, and t may be an operand. */
void round_f64(enum round_op op, enum isa_round rnd, const double *a, const double *b, const double *c, double *t);

/* Converts a row of f64 to f32, rounded as `rnd` says. */
void round_f64_to_f32(enum isa_round rnd, const double *a, float *t);
/* Converts a row of signed integers to f32, rounded as `rnd` says. */
void round_s64_to_f32(enum isa_round rnd, const int64_t *a, float *t);
/* Converts a row of unsigned integers to f32, rounded as `rnd` says. */
void round_u64_to_f32(enum isa_round rnd, const uint64_t *a, float *t);
/* Converts a row of signed integers to f64, rounded as `rnd` says. */
void round_s64_to_f64(enum isa_round rnd, const int64_t *a, double *t);
/* Converts a row of unsigned integers to f64, rounded as `rnd` says. */
void round_u64_to_f64(enum isa_round rnd, const uint64_t *a, double *t);

#endif
