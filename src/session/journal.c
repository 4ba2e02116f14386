#include "session/journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void journal_add(struct journal *j, const struct gpu_input *in, uint64_t cycle, int64_t result)
{
	struct journal_entry *e = pool_alloc(&j->pool, sizeof *e);
	*e = (struct journal_entry){.cycle = cycle, .input = *in, .result = result};
	e->input.data = in->data ? pool_dup(&j->pool, in->data, in->n) : NULL;
	e->input.name = in->name ? pool_strn(&j->pool, in->name, strlen(in->name)) : NULL;
	if (in->launch) {
		e->launch = *in->launch;
		e->launch.params = pool_dup(&j->pool, in->launch->params, in->launch->n_params);
		e->input.launch = &e->launch;
	}
	j->entry = xgrow(j->entry, &j->cap, j->n + 1, sizeof *j->entry);
	j->entry[j->n++] = e;
}

void journal_free(struct journal *j)
{
	free(j->entry);
	pool_free(&j->pool);
	*j = (struct journal){0};
}
