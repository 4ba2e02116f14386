/* Rules of directives and declarations that need the whole module. */
#include "ptx/check.h"
#include "ptx/scope.h"

#define CONST_BYTES 65536u /* constant memory a module can have */

static void check_function(struct ptx_checker *c, const struct ptx_function *f)
{
	if (f->is_kernel && f->n_returns)
		check_fail(c, f->at, "kernel '%.*s' can't return a value", (int)f->name.n, f->name.s);
}

static void check_const_size(struct ptx_checker *c)
{
	const struct ptx_scope *scope = c->m->scope;
	uint64_t bytes = 0;

	for (uint32_t i = 0; scope && i < scope->n_symbols; i++) {
		const struct ptx_symbol *s = scope->symbols[i];

		if (s->kind != PTX_SYM_VARIABLE || s->space != ISA_SPACE_CONST || s->linkage == PTX_LINK_EXTERN ||
		    !s->align)
			continue;
		bytes = (bytes + s->align - 1) / s->align * s->align;
		if (s->bytes > CONST_BYTES || bytes + s->bytes > CONST_BYTES) {
			check_fail(c, s->at, "constant '%.*s' goes beyond the 64 KB of .const memory", (int)s->name.n,
				   s->name.s);
			return;
		}
		bytes += s->bytes;
	}
}

void check_directives(struct ptx_checker *c)
{
	for (const struct ptx_function *f = c->m->functions; f; f = f->next)
		check_function(c, f);
	check_const_size(c);
}
