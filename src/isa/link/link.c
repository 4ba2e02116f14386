#include "isa/link/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/address_map.h"
#include "isa/handlers.h"
#include "isa/link/modules.h"

void isa_link_free_module(struct link_module *m)
{
	hash_map_free(&m->names);
	for (unsigned k = 0; k < LINK_SPACES; k++)
		link_pieces_free(&m->taken[k]);
}

static void link_free(void *v)
{
	struct isa_link *l = v;

	for (uint32_t i = 0; i < l->n_texts; i++)
		free(l->texts[i]);
	for (uint32_t i = 0; i < l->n_functions; i++)
		free(l->functions[i].callees);
	free(l->texts);
	free(l->functions);
	free(l->variables);
	free(l->symbols);
	free(l->refs);
	for (uint32_t i = 0; i < l->n_modules; i++)
		isa_link_free_module(&l->modules[i]);
	for (unsigned k = 0; k < LINK_SPACES; k++)
		link_pieces_free(&l->freed[k]);
	free(l->modules);
	free(l);
}

struct isa_link *isa_link_of(struct isa_program *p)
{
	if (!p->link) {
		p->link = xcalloc(1, sizeof(struct isa_link));
		p->link_free = link_free;
	}
	struct isa_link *l = p->link;
	const uint32_t n = p->n_modules ? p->n_modules : 1;
	l->modules = xgrow(l->modules, &l->cap_modules, n, sizeof *l->modules);
	for (; l->n_modules < n; l->n_modules++)
		l->modules[l->n_modules] = (struct link_module){.first_function = l->n_modules ? p->n_functions : 0};
	return l;
}

void isa_link_keep_text(struct isa_program *p, char *text)
{
	struct isa_link *l = isa_link_of(p);
	l->texts = xgrow(l->texts, &l->cap_texts, l->n_texts + 1, sizeof *l->texts);
	l->texts[l->n_texts++] = text;
}

uint32_t isa_link_find(const struct isa_link *l, uint32_t module, const char *name, size_t n)
{
	uint32_t index;

	return hash_map_get(&l->modules[module].names, name, n, &index) ? index : LINK_NONE;
}

uint32_t isa_link_add(struct isa_link *l, uint32_t module, const char *name, bool is_function)
{
	l->symbols = xgrow(l->symbols, &l->cap_symbols, l->n_symbols + 1, sizeof *l->symbols);
	l->symbols[l->n_symbols] = (struct link_symbol){.name = name,
							.module = module,
							.is_function = is_function,
							.linkage = ISA_LINK_EXTERN,
							.index = LINK_NONE};
	hash_map_put(&l->modules[module].names, name, strlen(name), l->n_symbols);
	return l->n_symbols++;
}

void isa_link_truncate(struct isa_link *l, const struct link_mark *to)
{
	for (uint32_t i = to->n_symbols; i < l->n_symbols; i++)
		hash_map_remove(&l->modules[l->symbols[i].module].names, l->symbols[i].name,
				strlen(l->symbols[i].name));
	for (uint32_t i = to->n_functions; i < l->n_functions; i++)
		free(l->functions[i].callees);
	l->n_symbols = to->n_symbols;
	l->n_functions = to->n_functions;
	l->n_variables = to->n_variables;
	l->n_refs = to->n_refs;
}

/* ---- addresses ---- */

uint64_t isa_space_window(enum isa_space space)
{
	switch (space) {
	case ISA_SPACE_SHARED: return ISA_SHARED_WINDOW;
	case ISA_SPACE_LOCAL: return ISA_LOCAL_WINDOW;
	case ISA_SPACE_CONST: return ISA_CONST_WINDOW;
	case ISA_SPACE_PARAM: return ISA_PARAM_WINDOW;
	default: return 0;
	}
}

uint64_t isa_variable_address(const struct isa_variable *v, bool generic)
{
	return v->address + (generic ? isa_space_window((enum isa_space)v->space) : 0);
}

uint64_t isa_function_address(const struct isa_function *f)
{
	return f->is_defined ? ISA_CODE_WINDOW + (uint64_t)f->first * ISA_INSN_BYTES : 0;
}

/* The address a symbol has now; 0 while it is undefined. */
static uint64_t address_of(const struct isa_program *p, const struct link_symbol *s, bool generic)
{
	if (s->index == LINK_NONE)
		return 0;
	if (s->is_function)
		return isa_function_address(p->functions[s->index]);
	return isa_variable_address(p->variables[s->index], generic);
}

/* ---- references ---- */

void isa_link_ref(struct isa_link *l, struct link_ref r)
{
	l->refs = xgrow(l->refs, &l->cap_refs, l->n_refs + 1, sizeof *l->refs);
	l->refs[l->n_refs++] = r;
}

void isa_write_lanes(char *row, uint64_t value, uint32_t bytes)
{
	for (uint32_t lane = 0; lane < 32; lane++)
		memcpy(row + lane * bytes, &value, bytes);
}

static void apply_call(struct isa_program *p, const struct link_ref *r, uint32_t function)
{
	struct isa_insn *i = &p->insns[r->at];

	i->target = function;
	i->handler = isa_call_handler(p->functions[function]);
}

static void apply_init(struct isa_program *p, const struct link_ref *r, uint64_t value)
{
	uint8_t *image = ((struct isa_link *)p->link)->variables[r->at].image;

	if (r->byte_of != 0xff)
		value = value >> (8 * r->byte_of) & 0xff;
	memcpy(image + r->offset, &value, r->bytes);
}

static void write_reference(struct isa_program *p, const struct link_ref *r, const struct link_symbol *s)
{
	uint64_t value = address_of(p, s, r->generic);

	if (value)
		value += (uint64_t)r->addend;
	switch ((enum link_ref_kind)r->kind) {
	case LINK_CALL: apply_call(p, r, s->index); break;
	case LINK_IMM: p->insns[r->at].imm = (int64_t)value; break;
	case LINK_CONST: isa_write_lanes(p->consts + r->at, value, r->bytes); break;
	case LINK_INIT: apply_init(p, r, value); break;
	}
}

void isa_link_apply(struct isa_program *p)
{
	struct isa_link *l = p->link;

	for (uint32_t i = 0; i < l->n_refs; i++)
		write_reference(p, &l->refs[i], &l->symbols[l->refs[i].symbol]);
}

/* ---- calls ---- */

bool isa_is_builtin(const char *name)
{
	static const char *const names[] = {
#define BUILTIN(id) #id,
#define BUILTIN_ID(id)
#define BUILTIN_NAME(name, id) #name,
#include "isa/builtins.def"
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

uint16_t isa_call_handler(const struct isa_function *f)
{
	/* the built-in way knows the library's functions and says so of those that exist nowhere */
	return f->is_defined ? ISA_H_call : ISA_H_call_builtin;
}
