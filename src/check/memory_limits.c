/* Which variable an access is meant for: the only one whose name its address is computed from. An access whose address comes from memory, from a parameter,
 * or from one of several variables has no limit. */
#include "check/memory_limits.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/holders.h"
#include "isa/opcodes.h"

#define VARIABLES_MAX 64u /* of a function; accesses to others have no limit */

/* The variables that a function names. */
struct named {
	const struct isa_variable *v[VARIABLES_MAX];
	uint32_t n;
};

static bool has_name(const struct isa_variable *v, const char *name, size_t n)
{
	return !strncmp(v->name, name, n) && !v->name[n];
}

static bool has_limit(const struct isa_variable *v)
{
	return (v->space == ISA_SPACE_SHARED || v->space == ISA_SPACE_CONST) && (v->bytes || v->flags & ISA_VAR_DYNAMIC_SHARED) &&
	       !(v->flags & ISA_VAR_UNLOADED);
}

/* Returns the variable that a name stands for in a function. Returns NULL if it is no variable that has a limit, or if several have the name. */
static const struct isa_variable *find(const struct isa_program *p, const struct isa_function *f, const char *name, size_t n)
{
	const struct isa_variable *found = NULL;
	for (uint32_t k = 0; k < f->n_vars; k++)
		if (has_name(&f->vars[k], name, n))
			return has_limit(&f->vars[k]) ? &f->vars[k] : NULL;
	for (uint32_t k = 0; k < p->n_variables; k++) {
		const struct isa_variable *v = p->variables[k];
		if (!has_name(v, name, n) || v->flags & ISA_VAR_UNLOADED || isa_program_module_of(p, v->file) != isa_program_module_of(p, f->file))
			continue;
		if (found)
			return NULL;
		found = v;
	}
	return found && has_limit(found) ? found : NULL;
}

static void add(struct named *all, const struct isa_variable *v)
{
	for (uint32_t k = 0; k < all->n; k++)
		if (all->v[k] == v)
			return;
	if (v && all->n < VARIABLES_MAX)
		all->v[all->n++] = v;
}

static void find_named(const struct isa_program *p, const struct isa_function *f, struct named *all)
{
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		const struct isa_where *w = &p->where[pc];
		const char *const text = p->files[w->file].text;
		for (uint32_t k = 0; text && k < w->n_operands; k++) {
			const struct isa_operand *o = &p->operands[w->operands + k];
			if (o->kind == ISA_OPERAND_SYMBOL)
				add(all, find(p, f, text + w->offset + o->at, o->n));
		}
	}
}

/* Sets the limit of the accesses whose addresses are certainly computed from a variable, of which `any` and `certain` hold an address. Those that may be
 * computed from another one, too, get none: `first` > `end` marks them. */
static void limit_accesses(struct memory_limits *m, const struct isa_program *p, const struct isa_function *f, const struct isa_variable *v,
			   struct isa_holders holders[2], const struct exec_limit *own)
{
	isa_holders_keep_certain(p, v, f, &holders[1]);
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		struct exec_limit *const l = &m->limit[pc];
		if (!isa_op_accesses_memory(p->insns[pc].opcode) || !isa_holders_in(p, pc, ISA_ROLE_ADDRESS, v, &holders[0]))
			continue;
		const bool is_only = !l->end && l->first <= l->end && isa_holders_in(p, pc, ISA_ROLE_ADDRESS, v, &holders[1]);
		*l = is_only ? *own : (struct exec_limit){.first = 1};
	}
	isa_holders_free(&holders[0]);
	isa_holders_free(&holders[1]);
}

static void limit_variable(struct memory_limits *m, const struct isa_program *p, const struct isa_function *f, const struct isa_variable *v)
{
	const bool is_dynamic = v->flags & ISA_VAR_DYNAMIC_SHARED;
	const struct exec_limit own = {.first = v->address, .end = is_dynamic ? UINT64_MAX : v->address + v->bytes, .space = v->space, .is_dynamic = is_dynamic};
	limit_accesses(m, p, f, v, (struct isa_holders[2]){isa_holders_find(p, v, f), isa_holders_find(p, v, f)}, &own);
}

/* ---- local memory ---- */

/* Returns true if an instruction only copies an address: the frame's beginning is still its beginning. */
static bool copies(unsigned op) { return op == ISA_OP_MOV || op == ISA_OP_CVTA; }

/* Returns true if the address of the frame's variable plus a constant is the result of an instruction, and stores the constant. */
static bool is_place(const struct isa_program *p, uint32_t pc, const struct isa_variable *frame, const struct isa_holders *bases, uint64_t *offset)
{
	const struct isa_where *w = &p->where[pc];
	const char *const text = p->files[w->file].text;
	if (p->insns[pc].opcode != ISA_OP_ADD || !text || !isa_holders_in(p, pc, ISA_ROLE_SOURCE, frame, bases))
		return false;
	for (uint32_t k = 0; k < w->n_operands; k++) {
		const struct isa_operand *o = &p->operands[w->operands + k];
		const char *const s = text + w->offset + o->at;
		char *end;
		if (o->role != ISA_ROLE_SOURCE || o->kind == ISA_OPERAND_REGISTER || o->kind == ISA_OPERAND_SYMBOL)
			continue;
		*offset = strtoull(s, &end, 0);
		return end == s + o->n;
	}
	return false;
}

/* Takes out the registers to which the frame's address comes by more than copies. */
static void keep_copies(const struct isa_program *p, const struct isa_function *f, struct isa_holders *h)
{
	for (uint32_t pc = f->first; pc < f->end; pc++)
		for (uint32_t k = 0; k < p->where[pc].n_writes && !copies(p->insns[pc].opcode); k++)
			h->is_holder[p->rw[p->where[pc].rw + k]] = 0;
}

/* Limits the accesses to arrays and structures of the source. Exec looks at their ends only: the address behind an array, from which a loop may go down, is
 * that of the next one. */
static void limit_locals(struct memory_limits *m, const struct isa_program *p, const struct isa_function *f, const struct isa_variable *frame,
			 const struct check *c)
{
	struct check_local local[VARIABLES_MAX];
	const size_t n = check_find_locals(c, f, local, VARIABLES_MAX);
	struct isa_holders bases = n ? isa_holders_find(p, frame, f) : (struct isa_holders){0};
	uint64_t offset;
	if (n)
		keep_copies(p, f, &bases);
	for (uint32_t pc = f->first; n && pc < f->end; pc++) {
		if (!is_place(p, pc, frame, &bases, &offset))
			continue;
		offset += frame->address;
		for (size_t k = 0; k < n; k++) {
			const struct exec_limit own = {.first = local[k].first, .end = local[k].end, .space = ISA_SPACE_LOCAL};
			if (offset >= local[k].first && offset < local[k].end)
				limit_accesses(m, p, f, NULL, (struct isa_holders[2]){isa_holders_of_result(p, pc, f), isa_holders_of_result(p, pc, f)}, &own);
		}
	}
	isa_holders_free(&bases);
}

void memory_limits_update(struct memory_limits *m, const struct check *c, const struct isa_program *p)
{
	if (m->table.n == p->n_insns && m->n_functions == p->n_functions)
		return;
	if (p->n_insns < m->table.n || p->n_functions < m->n_functions)
		m->table.n = m->n_functions = 0;
	m->limit = xgrow(m->limit, &m->cap, p->n_insns + 1, sizeof *m->limit);
	memset(m->limit + m->table.n, 0, (p->n_insns - m->table.n) * sizeof *m->limit);
	for (uint32_t k = m->n_functions; k < p->n_functions; k++) {
		const struct isa_function *const f = p->functions[k];
		struct named all = {.n = 0};
		if (!f->is_defined || f->unloaded || f->end > p->n_insns)
			continue;
		find_named(p, f, &all);
		for (uint32_t i = 0; i < all.n; i++)
			limit_variable(m, p, f, all.v[i]);
		for (uint32_t i = 0; i < f->n_vars; i++)
			if (f->vars[i].space == ISA_SPACE_LOCAL && !strncmp(f->vars[i].name, "__local_depot", 13))
				limit_locals(m, p, f, &f->vars[i], c);
	}
	m->n_functions = p->n_functions;
	m->table = (struct exec_limits){m->limit, p->n_insns};
}

void memory_limits_free(struct memory_limits *m)
{
	free(m->limit);
	*m = (struct memory_limits){0};
}
