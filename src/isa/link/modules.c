/* Modules of a program: adding, unloading, undefined names. */
#include "isa/link/modules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "isa/link/link.h"

static void add_module(struct isa_program *p, const char *name)
{
	if (p->n_modules == p->cap_modules) {
		p->cap_modules += p->cap_modules / 2 + 8;
		p->modules = xrealloc(p->modules, p->cap_modules * sizeof *p->modules);
	}
	p->modules[p->n_modules++] = (struct isa_module){.name = pool_strn(&p->pool, name, strlen(name)), .until = ISA_STEP_NEVER};
}

uint32_t isa_module_add(struct isa_program *p, const char *name)
{
	if (!p->n_modules)
		add_module(p, "");
	add_module(p, name);
	isa_link_of(p);
	return p->n_modules - 1;
}

/* ---- unloading ---- */

/* Removes a module's references, undefines its symbols, and frees the addresses of its variables. */
static void unlink_module(struct isa_link *l, uint32_t module)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < l->n_refs; k++)
		if (l->symbols[l->refs[k].symbol].module != module)
			l->refs[kept++] = l->refs[k];
	l->n_refs = kept;
	for (uint32_t k = 0; k < l->n_symbols; k++)
		if (l->symbols[k].module == module) {
			l->symbols[k].index = LINK_NONE;
			l->symbols[k].linkage = ISA_LINK_EXTERN;
		}
	for (unsigned s = 0; s < LINK_SPACES; s++)
		for (uint32_t k = 0; k < l->modules[module].taken[s].n; k++)
			link_pieces_add(&l->freed[s], l->modules[module].taken[s].v[k]);
	isa_link_free_module(&l->modules[module]);
	l->modules[module] = (struct link_module){.first_function = l->modules[module].first_function};
}

void isa_module_unload(struct isa_program *p, uint32_t module)
{
	struct isa_link *l = isa_link_of(p);

	assert(module && module < p->n_modules);
	isa_module_show(p, module, false);
	p->modules[module].unloaded_after = p->n_files;
	p->modules[module].until = 0;
	unlink_module(l, module);
}

/* ---- undefined names ---- */

size_t isa_module_undefined(const struct isa_program *p, uint32_t module, struct text *names)
{
	const struct isa_link *l = p->link;
	size_t n = 0;

	if (!l)
		return 0;
	uint8_t *used = xcalloc((size_t)l->n_symbols + 1, 1);
	for (uint32_t k = 0; k < l->n_refs; k++)
		used[l->refs[k].symbol] = 1;
	for (uint32_t k = 0; k < l->n_symbols; k++) {
		const struct link_symbol *s = &l->symbols[k];
		if (!used[k] || s->module != module || s->linkage != ISA_LINK_EXTERN ||
		    (s->is_function && isa_is_builtin(s->name)))
			continue;
		text_addf(names, "%s\n", s->name);
		n++;
	}
	free(used);
	return n;
}
