/* Rules of directives and declarations that need the whole module: what its version and target don't have yet, how much constant
 * memory there is. */
#include "ptx/check.h"
#include "ptx/scope.h"

#define CONST_BYTES 65536u /* constant memory a module can have */

/* `what` at `at` needs a PTX version (times ten) and a target. */
static void need(struct ptx_checker *c, ptx_offset at, const char *what, unsigned ptx, unsigned sm)
{
	if (c->version < ptx)
		check_fail(c, at, "%s needs PTX ISA version %u.%u or later, this file is .version %u.%u", what,
			   ptx / 10, ptx % 10, c->m->version_major, c->m->version_minor);
	if (c->m->sm < sm)
		check_fail(c, at, "%s needs .target sm_%u or higher, this file is .target sm_%u", what, sm, c->m->sm);
}

static void check_type(struct ptx_checker *c, const struct ptx_symbol *s)
{
	if (s->type == ISA_F16X2)
		need(c, s->at, "type .f16x2", 42, 53);
	else if (s->type == ISA_B128)
		need(c, s->at, "type .b128", 83, 70);
}

static void check_init(struct ptx_checker *c, const struct ptx_init *init)
{
	for (uint32_t i = 0; i < init->n; i++) {
		const struct ptx_init_item *item = &init->items[i];

		if (item->symbol && item->generic)
			need(c, item->at, "generic()", 31, 20);
		if (item->symbol && item->mask_shift != 0xff)
			need(c, item->at, "one byte of an address", 71, 10);
	}
}

static void check_symbol(struct ptx_checker *c, const struct ptx_symbol *s)
{
	switch ((enum ptx_symbol_kind)s->kind) {
	case PTX_SYM_REG: check_type(c, s); break;
	case PTX_SYM_VARIABLE:
		check_type(c, s);
		if (s->is_managed)
			need(c, s->at, "attribute .managed", 40, 30);
		if (s->is_ptr)
			need(c, s->at, ".ptr", 22, 10);
		if (s->is_param && s->type == ISA_F16X2)
			check_fail(c, s->at, "'%.*s' can't be a parameter: .f16x2 is for registers", (int)s->name.n,
				   s->name.s);
		if (s->init)
			check_init(c, s->init);
		break;
	case PTX_SYM_PROTOTYPE: need(c, s->at, ".callprototype", 21, 20); break;
	case PTX_SYM_ALIAS: need(c, s->at, ".alias", 63, 30); break;
	case PTX_SYM_FUNCTION:
	case PTX_SYM_LABEL:
	case PTX_SYM_TARGETS: break;
	}
	if (s->linkage == ISA_LINK_WEAK)
		need(c, s->at, ".weak", 31, 10);
	if (s->linkage == ISA_LINK_COMMON)
		need(c, s->at, ".common", 50, 10);
}

static void check_scope(struct ptx_checker *c, const struct ptx_scope *scope)
{
	for (uint32_t i = 0; scope && i < scope->n_symbols; i++)
		if (scope->symbols[i]->kind != PTX_SYM_LABEL)
			check_symbol(c, scope->symbols[i]);
}

static void check_function(struct ptx_checker *c, const struct ptx_function *f)
{
	if (f->is_kernel && f->n_returns)
		check_fail(c, f->at, "kernel '%.*s' can't return a value", (int)f->name.n, f->name.s);
	for (uint32_t i = 0; i < f->n_params && !f->is_kernel; i++)
		if (f->params[i]->kind == PTX_SYM_VARIABLE)
			need(c, f->params[i]->at, "a function parameter in .param space", 20, 20);
	for (uint32_t i = 0; i < f->n_scopes; i++)
		check_scope(c, f->scopes[i]);
}

static void check_const_size(struct ptx_checker *c)
{
	const struct ptx_scope *scope = c->m->scope;
	uint64_t bytes = 0;

	for (uint32_t i = 0; scope && i < scope->n_symbols; i++) {
		const struct ptx_symbol *s = scope->symbols[i];

		if (s->kind != PTX_SYM_VARIABLE || s->space != ISA_SPACE_CONST || s->linkage == ISA_LINK_EXTERN ||
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
	check_scope(c, c->m->scope);
	for (const struct ptx_function *f = c->m->functions; f; f = f->next)
		check_function(c, f);
	check_const_size(c);
}
