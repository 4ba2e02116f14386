/* Arithmetic with a direction of rounding, by the host's rounding mode. */
#include "exec/rounding.h"

#include <fenv.h>
#include <math.h>

#include "base/lanes.h"

static int direction(enum isa_round rnd)
{
	switch (rnd) {
	case ISA_RND_RZ: return FE_TOWARDZERO;
	case ISA_RND_RM: return FE_DOWNWARD;
	case ISA_RND_RP: return FE_UPWARD;
	default: return FE_TONEAREST;
	}
}

/* The operands and results pass through memory between the two calls, which keeps the compiler from moving an operation out of
 * its direction. */
#define ENTER(rnd)                              \
	const int direction_ = direction(rnd);  \
	if (direction_ != FE_TONEAREST)         \
		fesetround(direction_);         \
	__asm__ volatile("" ::: "memory")
#define LEAVE()                                 \
	__asm__ volatile("" ::: "memory");      \
	if (direction_ != FE_TONEAREST)         \
	fesetround(FE_TONEAREST)

#define ROW(E)                                \
	for (unsigned l = 0; l < LANES; l++)  \
	t[l] = E

void round_f32(enum round_op op, enum isa_round rnd, const float *a, const float *b, const float *c, float *t)
{
	ENTER(rnd);
	switch (op) {
	case ROUND_ADD: ROW(a[l] + b[l]); break;
	case ROUND_SUB: ROW(a[l] - b[l]); break;
	case ROUND_MUL: ROW(a[l] * b[l]); break;
	case ROUND_FMA: ROW(fmaf(a[l], b[l], c[l])); break;
	case ROUND_DIV: ROW(a[l] / b[l]); break;
	case ROUND_SQRT: ROW(sqrtf(a[l])); break;
	}
	LEAVE();
}

void round_f64(enum round_op op, enum isa_round rnd, const double *a, const double *b, const double *c, double *t)
{
	ENTER(rnd);
	switch (op) {
	case ROUND_ADD: ROW(a[l] + b[l]); break;
	case ROUND_SUB: ROW(a[l] - b[l]); break;
	case ROUND_MUL: ROW(a[l] * b[l]); break;
	case ROUND_FMA: ROW(fma(a[l], b[l], c[l])); break;
	case ROUND_DIV: ROW(a[l] / b[l]); break;
	case ROUND_SQRT: ROW(sqrt(a[l])); break;
	}
	LEAVE();
}

void round_f64_to_f32(enum isa_round rnd, const double *a, float *t)
{
	ENTER(rnd);
	ROW((float)a[l]);
	LEAVE();
}

void round_s64_to_f32(enum isa_round rnd, const int64_t *a, float *t)
{
	ENTER(rnd);
	ROW((float)a[l]);
	LEAVE();
}

/* From 2^63 up, half of it with the lost bit kept sticky: doubling is exact. */
void round_u64_to_f32(enum isa_round rnd, const uint64_t *a, float *t)
{
	ENTER(rnd);
	for (unsigned l = 0; l < LANES; l++) {
		const uint64_t v = a[l];
		t[l] = (int64_t)v < 0 ? 2.0f * (float)(int64_t)(v >> 1 | (v & 1)) : (float)(int64_t)v;
	}
	LEAVE();
}

void round_s64_to_f64(enum isa_round rnd, const int64_t *a, double *t)
{
	ENTER(rnd);
	ROW((double)a[l]);
	LEAVE();
}

void round_u64_to_f64(enum isa_round rnd, const uint64_t *a, double *t)
{
	ENTER(rnd);
	for (unsigned l = 0; l < LANES; l++) {
		const uint64_t v = a[l];
		t[l] = (int64_t)v < 0 ? 2.0 * (double)(int64_t)(v >> 1 | (v & 1)) : (double)(int64_t)v;
	}
	LEAVE();
}
