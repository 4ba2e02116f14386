#include "base/nearest.h"

#include <string.h>

#include "base/text.h"

/* The least of a change, a letter more or less, and two neighbours that changed places. above[k] has the first k letters of b against
 * one letter of a less, above2 against two less. */
static unsigned cheapest(const char *a, const char *b, unsigned i, unsigned k, const unsigned *row,
			 const unsigned *above, const unsigned *above2)
{
	unsigned best = above[k - 1] + (a[i - 1] != b[k - 1]);
	best = above[k] + 1 < best ? above[k] + 1 : best;
	best = row[k - 1] + 1 < best ? row[k - 1] + 1 : best;
	if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] && above2[k - 2] + 1 < best)
		best = above2[k - 2] + 1;
	return best;
}

unsigned nearest_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	unsigned rows[3][NEAREST_BYTES_MAX + 1] = {{0}};
	n_a = n_a > NEAREST_BYTES_MAX ? NEAREST_BYTES_MAX : n_a;
	n_b = n_b > NEAREST_BYTES_MAX ? NEAREST_BYTES_MAX : n_b;
	for (unsigned k = 0; k <= n_b; k++)
		rows[0][k] = k;
	for (unsigned i = 1; i <= n_a; i++) {
		unsigned *row = rows[i % 3];
		row[0] = i;
		for (unsigned k = 1; k <= n_b; k++)
			row[k] = cheapest(a, b, i, k, row, rows[(i + 2) % 3], rows[(i + 1) % 3]);
	}
	return rows[n_a % 3][n_b];
}

void nearest_begin(struct nearest *s, const char *word, size_t n) { *s = (struct nearest){.word = word, .n = n}; }

void nearest_add(struct nearest *s, const char *name)
{
	unsigned d = nearest_distance(s->word, s->n, name, strlen(name));
	if (s->best && d >= s->distance)
		return;
	s->best = name;
	s->distance = d;
}

/* Two slips, more in long words, and fewer than half of the letters. */
const char *nearest_meant(const struct nearest *s)
{
	const unsigned most = s->n > 17 ? (unsigned)(s->n < NEAREST_BYTES_MAX ? s->n : NEAREST_BYTES_MAX) / 6 : 2;
	return s->best && s->distance <= most && 2 * s->distance < s->n ? s->best : NULL;
}

void nearest_suggest(const struct nearest *s, struct text *out)
{
	const char *name = nearest_meant(s);
	if (name)
		text_addf(out, "; did you mean '%s'?", name);
}
