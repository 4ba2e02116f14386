/* How alike two words are, for messages that name what may have been meant. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

#define NEAREST_BYTES_MAX 79u /* of longer words only the beginning counts */

/* Letters to change, add or leave out to make one word of the other. */
unsigned nearest_distance(const char *a, size_t n_a, const char *b, size_t n_b);

#endif
