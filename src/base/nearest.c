#include "base/nearest.h"

unsigned nearest_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	unsigned row[NEAREST_BYTES_MAX + 1];
	n_a = n_a > NEAREST_BYTES_MAX ? NEAREST_BYTES_MAX : n_a;
	n_b = n_b > NEAREST_BYTES_MAX ? NEAREST_BYTES_MAX : n_b;
	for (unsigned k = 0; k <= n_b; k++)
		row[k] = k;
	for (unsigned i = 1; i <= n_a; i++) {
		unsigned corner = row[0]; /* of the row above, one to the left */
		row[0] = i;
		for (unsigned k = 1; k <= n_b; k++) {
			unsigned above = row[k], best = corner + (a[i - 1] != b[k - 1]);
			best = above + 1 < best ? above + 1 : best;
			best = row[k - 1] + 1 < best ? row[k - 1] + 1 : best;
			corner = above;
			row[k] = best;
		}
	}
	return row[n_b];
}
