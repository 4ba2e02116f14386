/* Rules of directives and declarations that need the whole module: what the target lacks, what a state space forbids. */
#include "ptx/check.h"

static void check_function(struct ptx_checker *c, const struct ptx_function *f)
{
	if (f->is_kernel && f->n_returns)
		check_fail(c, f->at, "kernel '%.*s' can't return a value", (int)f->name.n, f->name.s);
}

void check_directives(struct ptx_checker *c)
{
	for (const struct ptx_function *f = c->m->functions; f; f = f->next)
		check_function(c, f);
}
