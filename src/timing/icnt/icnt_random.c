/* The network's random numbers: Knuth's lagged subtraction (Seminumerical Algorithms, 3.6), which booksim uses too, so that
 * randomised routing makes the same choices from the same seed. */
#include <string.h>

#include "timing/icnt/icnt_internal.h"
#include "timing/icnt/icnt_valid.h"

enum { LONG_LAG = 100, SHORT_LAG = 37, SEPARATION = 70, DRAWN = 1009, WARM_UP = 10 };
#define MODULUS (INT64_C(1) << 30)

struct icnt_random {
	uint32_t x[LONG_LAG];
	uint32_t batch[LONG_LAG]; /* the numbers handed out, of DRAWN made */
	uint32_t used;
};

static uint32_t minus(uint32_t a, uint32_t b) { return (a - b) & (uint32_t)(MODULUS - 1); }

/* Makes n numbers, n > 2 * LONG_LAG - 2, and moves the state on. */
static void draw(struct icnt_random *r, uint32_t *out, uint32_t n)
{
	uint32_t j = LONG_LAG;
	memcpy(out, r->x, sizeof r->x);
	for (; j < n; j++)
		out[j] = minus(out[j - LONG_LAG], out[j - SHORT_LAG]);
	for (uint32_t i = 0; i < SHORT_LAG; i++, j++)
		r->x[i] = minus(out[j - LONG_LAG], out[j - SHORT_LAG]);
	for (uint32_t i = SHORT_LAG; i < LONG_LAG; i++, j++)
		r->x[i] = minus(out[j - LONG_LAG], r->x[i - SHORT_LAG]);
}

/* The polynomial z^seed modulo the recurrence, by squaring. */
static void square(uint32_t *x)
{
	for (int j = LONG_LAG - 1; j > 0; j--) {
		x[2 * j] = x[j];
		x[2 * j - 1] = 0;
	}
	for (int j = 2 * LONG_LAG - 2; j >= LONG_LAG; j--) {
		x[j - (LONG_LAG - SHORT_LAG)] = minus(x[j - (LONG_LAG - SHORT_LAG)], x[j]);
		x[j - LONG_LAG] = minus(x[j - LONG_LAG], x[j]);
	}
}

static void times_z(uint32_t *x)
{
	for (int j = LONG_LAG; j > 0; j--)
		x[j] = x[j - 1];
	x[0] = x[LONG_LAG];
	x[SHORT_LAG] = minus(x[SHORT_LAG], x[LONG_LAG]);
}

static void start(struct icnt_random *r, int64_t seed)
{
	uint32_t x[2 * LONG_LAG - 1] = {0};
	int64_t s = (seed + 2) & (MODULUS - 2);
	for (int j = 0; j < LONG_LAG; j++) {
		x[j] = (uint32_t)s;
		s <<= 1;
		s -= s >= MODULUS ? MODULUS - 2 : 0;
	}
	x[1]++;
	s = seed & (MODULUS - 1);
	for (int t = SEPARATION - 1; t;) {
		square(x);
		if (s & 1)
			times_z(x);
		if (s)
			s >>= 1;
		else
			t--;
	}
	memcpy(r->x + LONG_LAG - SHORT_LAG, x, SHORT_LAG * sizeof *x);
	memcpy(r->x, x + SHORT_LAG, (LONG_LAG - SHORT_LAG) * sizeof *x);
	for (int i = 0; i < WARM_UP; i++)
		draw(r, x, 2 * LONG_LAG - 1);
	r->used = LONG_LAG;
}

bool icnt_random_init(struct icnt *n, struct timing_memory *m)
{
	n->random = timing_take(m, 1, sizeof *n->random);
	if (!n->random)
		return false;
	start(n->random, n->cfg.seed);
	return true;
}

uint32_t icnt_random_int(struct icnt *n, uint32_t most)
{
	struct icnt_random *r = n->random;
	if (r->used == LONG_LAG) {
		uint32_t all[DRAWN];
		draw(r, all, DRAWN);
		memcpy(r->batch, all, sizeof r->batch);
		r->used = 0;
	}
	return r->batch[r->used++] % (most + 1);
}

bool icnt_random_is_valid(const struct icnt *n) { return n->random->used <= LONG_LAG; }
