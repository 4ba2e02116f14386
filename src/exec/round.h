/* Floating-point operations in a rounding direction, a row of 32 lanes at a time. The only code that touches the floating-point
 * environment: it sets the direction, computes, and sets nearest again. Built with -frounding-math. */
#ifndef EXEC_ROUND_H
#define EXEC_ROUND_H

#include <stdint.h>

#include "isa/insn.h"

enum round_op { ROUND_ADD, ROUND_SUB, ROUND_MUL, ROUND_FMA, ROUND_DIV, ROUND_SQRT };

/* t[l] = a[l] op b[l] (fma: a * b + c; sqrt: of a), rounded as `rnd` says; ISA_RND_DEFAULT is nearest even. Operands an operation
 * doesn't have may be NULL. t may be one of the operands. */
void round_f32(enum round_op op, enum isa_round rnd, const float *a, const float *b, const float *c, float *t);
void round_f64(enum round_op op, enum isa_round rnd, const double *a, const double *b, const double *c, double *t);

/* Conversions that round; the source fits no narrower type. */
void round_f64_to_f32(enum isa_round rnd, const double *a, float *t);
void round_s64_to_f32(enum isa_round rnd, const int64_t *a, float *t);
void round_u64_to_f32(enum isa_round rnd, const uint64_t *a, float *t);
void round_s64_to_f64(enum isa_round rnd, const int64_t *a, double *t);
void round_u64_to_f64(enum isa_round rnd, const uint64_t *a, double *t);

#endif
