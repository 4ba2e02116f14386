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

/* ---- names of words ---- */

#define WORDS_MAX 12u
/* Costs in quarters. */
#define WORD_ADDED 4u
#define WORD_APPENDED 3u
#define WORD_MISSING 8u
#define WORD_OTHER 20u
#define WORD_FAMILY 2u /* gpgpu, which most options begin with */

struct word {
	const char *s;
	size_t n;
};

static unsigned split(const char *s, size_t n, struct word *out)
{
	unsigned k = 0;
	for (size_t i = 0; i < n && k < WORDS_MAX; k++) {
		const size_t from = i;
		while (i < n && s[i] != '_' && s[i] != ':')
			i++;
		out[k] = (struct word){s + from, i - from};
		i += i < n;
	}
	return k;
}

static bool is_word(const struct word *w, const char *text) { return strlen(text) == w->n && !memcmp(w->s, text, w->n); }

static bool has_same_letters(const struct word *a, const struct word *b)
{
	unsigned char count[256] = {0};
	if (a->n != b->n || a->n > NEAREST_BYTES_MAX)
		return false;
	for (size_t i = 0; i < a->n; i++)
		count[(unsigned char)a->s[i]]++;
	for (size_t i = 0; i < b->n; i++)
		if (!count[(unsigned char)b->s[i]]--)
			return false;
	return true;
}

/* Returns the cost of word b in place of word a. */
static unsigned exchange(const struct word *a, const struct word *b)
{
	const size_t shorter = a->n < b->n ? a->n : b->n, more = a->n + b->n - 2 * shorter;
	if (shorter == 1 && more == 2 && (is_word(a, "num") || is_word(b, "num")) && a->s[0] == b->s[0])
		return 0; /* n, num */
	if (!memcmp(a->s, b->s, shorter))
		return more < 4 ? (unsigned)more : 4;
	if (has_same_letters(a, b))
		return 4;
	const unsigned steps = nearest_distance(a->s, a->n, b->s, b->n), cost = 4 * steps;
	return 2 * steps > shorter + 1 || cost > WORD_OTHER ? WORD_OTHER : cost;
}

static unsigned alone(const struct word *w, unsigned cost) { return is_word(w, "gpgpu") ? WORD_FAMILY : cost; }

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned words_distance(const char *a, size_t n_a, const char *b)
{
	struct word from[WORDS_MAX], to[WORDS_MAX];
	const unsigned n = split(a, n_a, from), m = split(b, strlen(b), to);
	unsigned rows[2][WORDS_MAX + 1] = {{0}};
	for (unsigned k = 0; k < m; k++)
		rows[0][k + 1] = rows[0][k] + alone(&to[k], WORD_ADDED);
	for (unsigned i = 0; i < n; i++) {
		const unsigned *above = rows[i % 2];
		unsigned *row = rows[(i + 1) % 2];
		row[0] = above[0] + alone(&from[i], WORD_MISSING);
		for (unsigned k = 0; k < m; k++)
			row[k + 1] = least(above[k] + exchange(&from[i], &to[k]),
					   least(above[k + 1] + alone(&from[i], WORD_MISSING),
						 row[k] + alone(&to[k], i + 1 == n ? WORD_APPENDED : WORD_ADDED)));
	}
	return rows[n % 2][m];
}

void nearest_add_words(struct nearest *s, const char *name)
{
	const unsigned d = words_distance(s->word, s->n, name);
	unsigned beginning = 0;
	s->is_words = true;
	while (beginning < s->n && name[beginning] == s->word[beginning])
		beginning++;
	if (s->best && (d > s->distance || (d == s->distance && beginning <= s->beginning)))
		return;
	s->best = name;
	s->distance = d;
	s->beginning = beginning;
}

/* Two slips, more in long words, and fewer than half of the letters. */
const char *nearest_meant(const struct nearest *s)
{
	if (s->is_words)
		return s->n && s->best && s->distance <= 2 * WORD_ADDED + 1 ? s->best : NULL;
	const unsigned most = s->n > 17 ? (unsigned)(s->n < NEAREST_BYTES_MAX ? s->n : NEAREST_BYTES_MAX) / 6 : 2;
	return s->best && s->distance <= most && 2 * s->distance < s->n ? s->best : NULL;
}

void nearest_suggest(const struct nearest *s, struct text *out)
{
	const char *name = nearest_meant(s);
	if (name)
		text_addf(out, "; did you mean '%s'?", name);
}
