/* The yardstick of `make bench`: how many lane operations a second one core does in a loop shaped like an instruction
 * handler (indirect call, three source rows, one destination row of 32 lanes) with nothing else around it. Prints G/s. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROWS 64
#define PROGRAM 64
#define ROUNDS 400000L

struct row {
	uint32_t lane[32];
} __attribute__((aligned(64)));

struct step {
	void (*run)(struct row *rows, const struct step *s);
	uint16_t d, a, b, c;
};

static inline float as_float(uint32_t x)
{
	float f;
	memcpy(&f, &x, sizeof f);
	return f;
}

static inline uint32_t as_bits(float f)
{
	uint32_t x;
	memcpy(&x, &f, sizeof x);
	return x;
}

#define STEP(name, expression)                                                                                    \
	static __attribute__((noinline)) void name(struct row *rows, const struct step *s)                        \
	{                                                                                                          \
		const uint32_t *a = rows[s->a].lane, *b = rows[s->b].lane, *c = rows[s->c].lane;                  \
		struct row t;                                                                                      \
		for (int l = 0; l < 32; l++)                                                                       \
			t.lane[l] = expression;                                                                    \
		(void)b;                                                                                           \
		(void)c;                                                                                           \
		rows[s->d] = t;                                                                                    \
	}
STEP(step_add, a[l] + b[l])
STEP(step_mad, a[l] * b[l] + c[l])
STEP(step_fma, as_bits(__builtin_fmaf(as_float(a[l]), as_float(b[l]), as_float(c[l]))))
STEP(step_xor, a[l] ^ b[l])
STEP(step_shl, b[l] > 31 ? 0 : a[l] << (b[l] & 31))

int main(void)
{
	static void (*const kinds[])(struct row *, const struct step *) = {step_add, step_mad, step_fma, step_xor, step_shl};
	struct row *rows = aligned_alloc(64, ROWS * sizeof *rows);
	struct step program[PROGRAM];
	if (!rows)
		return 1;
	memset(rows, 1, ROWS * sizeof *rows);
	srand(1);
	for (int i = 0; i < PROGRAM; i++)
		program[i] = (struct step){kinds[i % 5], (uint16_t)(rand() % ROWS), (uint16_t)(rand() % ROWS), (uint16_t)(rand() % ROWS),
					   (uint16_t)(rand() % ROWS)};
	double best = 0;
	for (int k = 0; k < 3; k++) {
		struct timespec from, to;
		clock_gettime(CLOCK_MONOTONIC, &from);
		for (long i = 0; i < ROUNDS; i++)
			for (int j = 0; j < PROGRAM; j++)
				program[j].run(rows, &program[j]);
		clock_gettime(CLOCK_MONOTONIC, &to);
		double s = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
		double rate = (double)ROUNDS * PROGRAM * 32 / s / 1e9;
		best = rate > best ? rate : best;
	}
	printf("%.3f\n", best);
	free(rows);
	return 0;
}
