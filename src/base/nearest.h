/* Finds the name nearest to a misspelt word, for messages that suggest it. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

struct text;

#define NEAREST_BYTES_MAX 79u /* only so many bytes of a word are compared */

/* Returns how many steps turn word a into word b: letters changed, added or left out, and neighbours swapped (optimal string alignment). */
unsigned nearest_distance(const char *a, size_t n_a, const char *b, size_t n_b);

/* The nearest name found so far. `word` is borrowed. */
struct nearest {
	const char *word;
	size_t n;
	const char *best; /* borrowed; NULL before the first name */
	unsigned distance; /* steps; of words: quarters */
	unsigned beginning; /* bytes that word and best have in common at their beginning */
	bool is_words;
};
/* Begins a search for names near `word`, which has n bytes and stays the caller's. */
void nearest_begin(struct nearest *s, const char *word, size_t n);
/* Compares one more name, which must outlive the search; of equally near names the first is kept. */
void nearest_add(struct nearest *s, const char *name);
/* Compares one more name of words joined by `_` or `:`. Words that are only in the name cost little, and of equally near names the one with the longest
 * common beginning is kept. A search adds all its names in this way or none. */
void nearest_add_words(struct nearest *s, const char *name);
/* Returns the nearest name, or NULL if it is too far from the word: over 2 steps (n / 6 for words of 18 letters and more), or half of its letters.
 * Among names of words: over 2 words more. */
const char *nearest_meant(const struct nearest *s);
/* Appends `; did you mean 'NAME'?` if nearest_meant finds a name. */
void nearest_suggest(const struct nearest *s, struct text *out);

#endif
