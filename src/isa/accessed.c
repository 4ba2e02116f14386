/* The types of a variable's accesses, found by the registers that hold its address (holders.h). */
#include "isa/accessed.h"

#include <stdlib.h>
#include <string.h>

#include "isa/holders.h"
#include "isa/opcodes.h"

/* Types of accesses, a bit for each enum isa_type. */
struct tally {
	uint64_t loads; /* and atomics */
	uint64_t stores;
};
_Static_assert(ISA_TYPE_COUNT <= 64, "a bit for each type");

/* Returns the type of a variable that is accessed as `a` and as `b`, of which bits have no type of their own and signed wins over unsigned. Returns
 * ISA_NOTYPE if they disagree. */
static enum isa_type common(enum isa_type a, enum isa_type b)
{
	if (a == b || isa_type_bytes(a) != isa_type_bytes(b))
		return a == b ? a : ISA_NOTYPE;
	if (isa_type_info[a].cls == ISA_CLASS_BITS)
		return b;
	if (isa_type_info[b].cls == ISA_CLASS_BITS)
		return a;
	if (isa_type_is_float(a) || isa_type_is_float(b))
		return ISA_NOTYPE;
	return isa_type_is_signed(a) ? a : b;
}

static void add_accesses(struct tally *t, const struct isa_program *p, const struct isa_variable *v, const struct isa_function *f)
{
	struct isa_holders h = isa_holders_find(p, v, f);
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		const struct isa_insn *i = &p->insns[pc];
		if (!isa_op_accesses_memory(i->opcode) || !isa_holders_in(p, pc, ISA_ROLE_ADDRESS, v, &h))
			continue;
		*(isa_op_is_store(i->opcode) ? &t->stores : &t->loads) |= UINT64_C(1) << i->type;
	}
	isa_holders_free(&h);
}

static bool has_own(const struct isa_function *f, const char *name)
{
	for (uint32_t k = 0; k < f->n_vars; k++)
		if (!strcmp(f->vars[k].name, name))
			return true;
	return false;
}

/* Returns whether a store of type `t` may be one of 0.0: all types are in `all`, and one of that size is floating-point. */
static bool may_store_zero(uint64_t all, enum isa_type t)
{
	for (unsigned k = 0; k < ISA_TYPE_COUNT; k++)
		if (all >> k & 1 && isa_type_is_float((enum isa_type)k) && isa_type_bytes((enum isa_type)k) == isa_type_bytes(t))
			return !isa_type_is_float(t);
	return false;
}

static struct isa_accessed decide(const struct tally *t)
{
	struct isa_accessed out = {0};
	for (unsigned k = 0; k < ISA_TYPE_COUNT && !out.other; k++) {
		const enum isa_type type = (enum isa_type)k;
		const bool is_loaded = t->loads >> k & 1, is_stored = t->stores >> k & 1;
		if (!is_loaded && (!is_stored || may_store_zero(t->loads | t->stores, type)))
			continue;
		const enum isa_type both = out.first ? common(out.first, type) : type;
		out.first = both ? both : out.first;
		out.other = both ? ISA_NOTYPE : type;
	}
	out.type = out.other ? ISA_NOTYPE : out.first;
	return out;
}

/* Returns the function that declares a variable, or NULL for a module's. */
static const struct isa_function *declaring(const struct isa_program *p, const struct isa_variable *v)
{
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (p->functions[k]->n_vars && v >= p->functions[k]->vars && v < p->functions[k]->vars + p->functions[k]->n_vars)
			return p->functions[k];
	return NULL;
}

/* Returns the types of the loads, stores and atomics whose address is computed from a variable's name: by moves, conversions, sums and selections of
 * registers, in the function that declares the variable, or in each loaded function of the module that does. Where loads read floating-point numbers,
 * stores of integers of that size don't count: compilers write 0.0 so. Addresses that are passed to other functions are not followed. */
static struct isa_accessed variable_accessed(const struct isa_program *p, const struct isa_variable *v)
{
	struct tally t = {0};
	const struct isa_function *own = declaring(p, v);
	if (own && own->is_defined)
		add_accesses(&t, p, v, own);
	for (uint32_t k = 0; !own && k < p->n_functions; k++) {
		const struct isa_function *g = p->functions[k];
		if (g->is_defined && !g->unloaded && isa_program_module_of(p, g->file) == isa_program_module_of(p, v->file) &&
		    !has_own(g, v->name))
			add_accesses(&t, p, v, g);
	}
	return decide(&t);
}

enum isa_type isa_variable_element(const struct isa_program *p, const struct isa_variable *v, struct isa_accessed *a)
{
	const bool is_array = v->n_dims || v->bytes > 1 || v->flags & ISA_VAR_DYNAMIC_SHARED;
	*a = (struct isa_accessed){0};
	if (v->type != ISA_B8 || v->space != ISA_SPACE_SHARED || !is_array)
		return (enum isa_type)v->type;
	*a = variable_accessed(p, v);
	return a->type && isa_type_bytes(a->type) > 1 && v->bytes % isa_type_bytes(a->type) == 0 ? a->type : ISA_B8;
}
