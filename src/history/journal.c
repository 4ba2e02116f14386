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

bool journal_replay(const struct journal *j, size_t first, size_t end, struct gpu *g)
{
	struct text why = {0};
	bool same = true;
	for (size_t k = first; k < end && same; k++) {
		const struct journal_entry *e = j->entry[k];
		same = gpu_run_to(g, &e->at) && gpu_input(g, &e->input, &why) == e->result;
	}
	text_free(&why);
	return same;
}

void journal_free(struct journal *j)
{
	free(j->entry);
	pool_free(&j->pool);
	*j = (struct journal){0};
}
