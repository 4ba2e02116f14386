/* Module-scope names: which definition of a name counts, where functions go in the code, and what changes for the rest of the
 * program once the module is in.
 *
 * Rules: two definitions that are neither .weak nor .common are an error. A .weak function gives way to a strong one and replaces
 * another .weak one; a .weak or .common variable gives way to any that is at least as big. Definitions of a file that is being
 * loaded again don't count any more. Kernels are always visible. All of that among the files of one module. */
#include <string.h>

#include "base/xalloc.h"
#include "ptx/lower.h"

const struct ptx_symbol *lower_function_symbol(const struct ptx_symbol *s)
{
	if (s->kind == PTX_SYM_ALIAS && s->function && s->function->symbol)
		return s->function->symbol;
	return s;
}

struct lower_binding *lower_binding_of(const struct lower *l, const struct ptx_symbol *s)
{
	s = lower_function_symbol(s);
	return s->index ? &l->bindings[s->index - 1] : NULL;
}

/* ---- earlier definitions ---- */

static bool is_replaced_file(const struct lower *l, uint32_t file)
{
	return !l->m->into && file < l->file && !l->p->files[file].module &&
	       !strcmp(l->p->files[file].name, l->m->file);
}

/* File and line of a link symbol's definition; false if it has none that counts. */
static bool defined_at(const struct lower *l, const struct link_symbol *s, uint32_t *file, uint32_t *line)
{
	if (s->index == LINK_NONE || s->linkage == ISA_LINK_EXTERN)
		return false;
	if (s->is_function) {
		*file = l->p->functions[s->index]->file;
		*line = l->p->functions[s->index]->line;
	} else {
		*file = l->link->variables[s->index].file;
		*line = l->link->variables[s->index].line;
	}
	return !is_replaced_file(l, *file);
}

static bool is_strong(uint8_t linkage) { return linkage != ISA_LINK_WEAK && linkage != ISA_LINK_COMMON; }

/* Returns true if the earlier definition of a name stays the one that counts. */
static bool existing_stays(const struct lower *l, const struct link_symbol *old, const struct ptx_symbol *s,
			   uint8_t linkage)
{
	if (is_strong(old->linkage))
		return true;
	if (is_strong(linkage) || old->is_function)
		return false;
	return l->p->variables[old->index]->bytes >= s->bytes;
}

static void check_clash(struct lower *l, const struct link_symbol *old, const struct ptx_symbol *s, uint8_t linkage,
			bool defines)
{
	uint32_t file, line;

	if (old->is_function != (s->kind != PTX_SYM_VARIABLE)) {
		lower_error(l, s->at, "'%s' is a %s here and a %s in another file", old->name,
			    old->is_function ? "variable" : "function", old->is_function ? "function" : "variable");
		return;
	}
	if (!defines || !defined_at(l, old, &file, &line) || !is_strong(old->linkage) || !is_strong(linkage))
		return;
	lower_error(l, s->at, "'%s' is already defined at %s:%u", old->name, l->p->files[file].name, line);
}

/* ---- bindings ---- */

static bool is_definition(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYM_VARIABLE ? s->linkage != ISA_LINK_EXTERN : s->function && s->function->has_body;
}

static uint8_t effective_linkage(const struct ptx_symbol *s)
{
	uint8_t linkage = s->function ? s->function->linkage : s->linkage;

	if (!is_definition(s))
		return ISA_LINK_EXTERN;
	if (s->function && s->function->is_kernel && linkage == ISA_LINK_NONE)
		return ISA_LINK_VISIBLE;
	return linkage;
}

static void bind_external(struct lower *l, struct lower_binding *b, uint8_t linkage)
{
	struct ptx_symbol *s = b->symbol;
	uint32_t file, line, link = isa_link_find(l->link, l->m->into, s->name.s, s->name.n);

	b->defines = linkage != ISA_LINK_EXTERN;
	b->by_ref = !is_strong(linkage) || linkage == ISA_LINK_EXTERN;
	if (link == LINK_NONE) {
		link = isa_link_add(l->link, l->m->into, lower_name(l, s->name), s->kind != PTX_SYM_VARIABLE);
	} else {
		const struct link_symbol *old = &l->link->symbols[link];
		check_clash(l, old, s, linkage, b->defines);
		if (!l->failed && b->defines && defined_at(l, old, &file, &line) && existing_stays(l, old, s, linkage))
			b->defines = false;
	}
	b->link = link;
}

static void bind_symbol(struct lower *l, struct ptx_symbol *s)
{
	l->bindings = xgrow(l->bindings, &l->cap_bindings, l->n_bindings + 1, sizeof *l->bindings);
	struct lower_binding *b = &l->bindings[l->n_bindings++];
	uint8_t linkage = effective_linkage(s);

	*b = (struct lower_binding){.symbol = s, .link = LINK_NONE, .index = LINK_NONE, .linkage = linkage};
	s->index = l->n_bindings;
	if (s->kind == PTX_SYM_VARIABLE && s->space == ISA_SPACE_SHARED && linkage == ISA_LINK_EXTERN && !s->bytes)
		b->dynamic_shared = true;
	else if (linkage == ISA_LINK_NONE)
		b->defines = true;
	else
		bind_external(l, b, linkage);
}

void lower_bind(struct lower *l)
{
	for (uint32_t k = 0; k < l->m->scope->n_symbols; k++) {
		struct ptx_symbol *s = l->m->scope->symbols[k];
		if (s->kind == PTX_SYM_VARIABLE || (s->kind == PTX_SYM_FUNCTION && s->function))
			bind_symbol(l, s);
	}
}

/* ---- functions ---- */

static struct isa_function *new_function(struct lower *l, const struct ptx_function *f, uint32_t *index)
{
	struct isa_program *p = l->p;
	struct isa_function *out = POOL_NEW(&p->pool, struct isa_function);

	if (p->n_functions == p->cap_functions) {
		p->cap_functions += p->cap_functions / 2 + 16;
		p->functions = xrealloc(p->functions, p->cap_functions * sizeof(struct isa_function *));
	}
	l->link->functions =
		xgrow(l->link->functions, &l->link->cap_functions, p->n_functions + 1, sizeof *l->link->functions);
	l->link->functions[p->n_functions] = (struct link_function){0};
	l->link->n_functions = p->n_functions + 1;
	*index = p->n_functions;
	p->functions[p->n_functions++] = out;
	out->name = lower_name(l, f->name);
	out->demangled = lower_demangle(l, out->name);
	out->is_kernel = f->is_kernel;
	out->is_noreturn = f->is_noreturn;
	out->file = l->file;
	uint32_t col;
	ptx_position(l->m, f->at, &out->line, &col);
	out->end_line = out->line;
	lower_place_params(l, f, out);
	return out;
}

/* A function that is only declared, here or (its last definition gone) elsewhere. */
static void declare_functions(struct lower *l)
{
	for (uint32_t k = 0; k < l->n_bindings; k++) {
		struct lower_binding *b = &l->bindings[k];
		if (b->symbol->kind == PTX_SYM_VARIABLE || b->defines)
			continue;
		struct link_symbol *s = &l->link->symbols[b->link];
		if (s->index == LINK_NONE) {
			struct isa_function *f = new_function(l, b->symbol->function, &s->index);
			f->first = f->end = l->p->n_insns;
		}
		b->index = s->index;
	}
}

static void copy_bounds(struct isa_function *out, const struct ptx_function *f, const struct ptx_module *m)
{
	out->ptx_version = (uint8_t)(10 * m->version_major + m->version_minor);
	out->sm = (uint16_t)m->sm;
	for (int d = 0; d < 3; d++) {
		/* dimensions left out count as 1 */
		out->maxntid[d] = f->maxntid[d] || !f->maxntid[0] ? f->maxntid[d] : 1;
		out->reqntid[d] = f->reqntid[d] || !f->reqntid[0] ? f->reqntid[d] : 1;
	}
	out->minnctapersm = f->minnctapersm;
	out->maxnreg = f->maxnreg;
}

static void record_calls(struct lower *l, struct lower_usage *u, const struct lower_binding *own)
{
	struct link_function *g = &l->link->functions[u->function];

	g->indirect = u->indirect;
	g->uses_dynamic = u->uses_dynamic;
	g->dynamic_align = u->dynamic_align;
	g->is_external = own->link != LINK_NONE && !u->f->is_kernel;
	g->callees = xmalloc((u->n_calls + 1) * sizeof *g->callees);
	for (uint32_t k = 0; k < u->n_calls; k++) {
		const struct lower_binding *b = &l->bindings[u->calls[k]];
		g->callees[g->n_callees++] = b->link == LINK_NONE ? b->index : b->link | LINK_VIA_SYMBOL;
	}
}

void lower_bind_functions(struct lower *l)
{
	uint64_t at = l->p->n_insns;

	declare_functions(l);
	for (uint32_t k = 0; k < l->n_usage; k++) {
		struct lower_usage *u = &l->usage[k];
		struct lower_binding *b = u->f->symbol ? lower_binding_of(l, u->f->symbol) : NULL;
		u->function = LINK_NONE;
		if (!b || !b->defines || b->symbol->function != u->f)
			continue;
		struct isa_function *out = new_function(l, u->f, &u->function);
		b->index = u->function;
		out->is_defined = true;
		out->first = (uint32_t)at;
		at += (uint64_t)u->f->n_insns + u->n_extra + (u->falls_off ? 1 : 0);
		out->end = (uint32_t)at;
		uint32_t col;
		ptx_position(l->m, u->f->end ? u->f->end - 1 : 0, &out->end_line, &col);
		copy_bounds(out, u->f, l->m);
	}
	if (at > ISA_CODE_BYTES_MAX / ISA_INSN_BYTES)
		lower_error(l, 0, "the program has %llu instructions with this file; at most %llu fit",
			    (unsigned long long)at, (unsigned long long)(ISA_CODE_BYTES_MAX / ISA_INSN_BYTES));
	for (uint32_t k = 0; k < l->n_bindings && !l->failed; k++)
		if (l->bindings[k].symbol->kind != PTX_SYM_VARIABLE)
			l->link->functions[l->bindings[k].index].address_taken |= l->bindings[k].address_taken;
	for (uint32_t k = 0; k < l->n_usage && !l->failed; k++)
		if (l->usage[k].function != LINK_NONE)
			record_calls(l, &l->usage[k], lower_binding_of(l, l->usage[k].f->symbol));
}

/* ---- taking effect ---- */

/* Unloads the functions and variables of the files that this one replaces. Names that they defined are undefined until a file defines them. */
static void unload_replaced(struct lower *l)
{
	struct isa_program *p = l->p;

	for (uint32_t k = 0; k < l->file; k++)
		if (is_replaced_file(l, k))
			p->files[k].unloaded = true;
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (p->files[p->functions[k]->file].unloaded && p->functions[k]->is_defined)
			p->functions[k]->unloaded = true;
	for (uint32_t k = 0; k < p->n_variables; k++)
		if (p->files[l->link->variables[k].file].unloaded)
			p->variables[k]->flags |= ISA_VAR_UNLOADED;
}

/* The entry of a function without a body in place of one that is gone. */
static uint32_t undefine_function(struct lower *l, uint32_t gone)
{
	struct ptx_function none = {0};
	uint32_t index;
	struct isa_function *f = new_function(l, &none, &index);

	*f = *l->p->functions[gone];
	f->is_defined = f->unloaded = false;
	f->first = f->end = l->p->n_insns;
	f->n_vars = f->n_regs = f->n_labels = 0;
	return index;
}

static void rebind(struct lower *l, const struct lower_binding *b)
{
	struct link_symbol *s = &l->link->symbols[b->link];
	uint32_t file, line;

	if (!b->defines)
		return;
	if (defined_at(l, s, &file, &line) && s->is_function)
		l->p->functions[s->index]->unloaded = true;
	else if (defined_at(l, s, &file, &line))
		l->p->variables[s->index]->flags |= ISA_VAR_UNLOADED;
	s->index = b->index;
	s->linkage = b->linkage;
}

static void bind_alias(struct lower *l, const struct ptx_symbol *s)
{
	const struct lower_binding *b = lower_binding_of(l, s);
	if (s->kind != PTX_SYM_ALIAS || !b || b->index == LINK_NONE)
		return;
	uint32_t link = isa_link_find(l->link, l->m->into, s->name.s, s->name.n);
	if (link == LINK_NONE)
		link = isa_link_add(l->link, l->m->into, lower_name(l, s->name), true);
	if (!l->link->symbols[link].is_function)
		return;
	l->link->symbols[link].index = b->index;
	l->link->symbols[link].linkage = ISA_LINK_WEAK;
}

void lower_commit(struct lower *l)
{
	unload_replaced(l);
	for (uint32_t k = 0; k < l->n_bindings; k++)
		if (l->bindings[k].link != LINK_NONE)
			rebind(l, &l->bindings[k]);
	for (uint32_t k = 0; k < l->m->scope->n_symbols; k++)
		bind_alias(l, l->m->scope->symbols[k]);
	for (uint32_t k = 0; k < l->link->n_symbols; k++) {
		struct link_symbol *s = &l->link->symbols[k];
		if (s->index == LINK_NONE || s->linkage == ISA_LINK_EXTERN)
			continue;
		bool gone = s->is_function ? l->p->functions[s->index]->unloaded
					   : (l->p->variables[s->index]->flags & ISA_VAR_UNLOADED) != 0;
		if (!gone)
			continue;
		s->linkage = ISA_LINK_EXTERN;
		s->index = s->is_function ? undefine_function(l, s->index) : LINK_NONE;
	}
	isa_link_apply(l->p);
}
