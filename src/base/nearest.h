/* How alike two words are, for messages that name what may have been meant. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct text;

#define NEAREST_BYTES_MAX 79u /* of longer words only the beginning counts */

/* Letters to change, add or leave out, and neighbours to swap, to make one word of the other. */
unsigned nearest_distance(const char *a, size_t n_a, const char *b, size_t n_b);

/* The one of several names that is nearest to a word. */
struct nearest {
	const char *word;
	size_t n;
	const char *best; /* borrowed; NULL: there were none */
	unsigned distance;
};
void nearest_begin(struct nearest *s, const char *word, size_t n);
void nearest_add(struct nearest *s, const char *name);
/* NULL: none is so near that it may have been meant. */
const char *nearest_meant(const struct nearest *s);
/* `; did you mean 'NAME'?`, or nothing. */
void nearest_suggest(const struct nearest *s, struct text *out);

#endif
