/* The inputs of a session in the order they came, each with its moment: what it takes to have the same run again. */
#ifndef HISTORY_JOURNAL_H
#define HISTORY_JOURNAL_H

#include "base/pool.h"
#include "debug/past.h"
#include "gpu/input.h"
#include "gpu/moment.h"

struct journal_entry {
	struct gpu_moment at; /* when it came */
	struct gpu_input input;
	int64_t result;
	const struct debug_memory *knows; /* what the debugger knew after it, owned by the history; NULL: not noted */
};

struct journal { /* {0} is an empty one */
	struct journal_entry **entry;
	size_t n, cap;
	uint64_t bytes;	  /* of data, of all that were ever kept */
	struct pool pool; /* entries and what they point to */
};

/* Appends a copy of an input that device `g` has executed, with its moment and result. The journal owns the copy, including the data. */
void journal_add(struct journal *j, const struct gpu *g, const struct gpu_input *in, const struct gpu_moment *at,
		 int64_t result);
/* Appends an entry that a journal's pool already owns. */
void journal_append(struct journal *j, struct journal_entry *e);
/* Releases all entries; the journal is then empty. */
void journal_free(struct journal *j);

#endif
