#include "history/journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void journal_append(struct journal *j, struct journal_entry *e)
{
	j->entry = xgrow(j->entry, &j->cap, j->n + 1, sizeof *j->entry);
	j->entry[j->n++] = e;
}

void journal_add(struct journal *j, const struct gpu *g, const struct gpu_input *in, const struct gpu_moment *at,
		 int64_t result)
{
	struct journal_entry *e = pool_alloc(&j->pool, sizeof *e);
	*e = (struct journal_entry){.at = *at, .result = result};
	j->bytes += gpu_input_keep(g, in, result, &j->pool, &e->input);
	journal_append(j, e);
}

void journal_free(struct journal *j)
{
	free(j->entry);
	pool_free(&j->pool);
	*j = (struct journal){0};
}
