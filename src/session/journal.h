/* The inputs of a session in the order they came, each with its moment: what it takes to have the same run again. */
#ifndef SESSION_JOURNAL_H
#define SESSION_JOURNAL_H

#include "base/pool.h"
#include "gpu/input.h"

struct journal_entry {
	uint64_t cycle; /* of the device when it came; within a cycle, or for a block about to start, this is not exact */
	struct gpu_input input;
	struct gpu_launch_spec launch; /* what input.launch points to */
	int64_t result;
};

struct journal { /* {0} is an empty one */
	struct journal_entry **entry;
	size_t n, cap;
	struct pool pool; /* entries and what they point to */
};

/* Keeps a copy. */
void journal_add(struct journal *j, const struct gpu_input *in, uint64_t cycle, int64_t result);
void journal_free(struct journal *j);

#endif
