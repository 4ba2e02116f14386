/* Arrays of shared memory that PTX declares as bytes, `.shared .b8 part[512]`, have the element type by which kernels access them. Global and constant ones stay
 * bytes: `set var` asks for their type. */
#include "base/xalloc.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/room.h"
#include "isa/accessed.h"

/* Returns a type that elements of type `t` may be meant as instead: compilers load signed numbers as unsigned ones. */
static const char *instead_of(enum isa_type t)
{
	switch (t) {
	case ISA_U16: return "s16";
	case ISA_U32: return "s32";
	case ISA_U64: return "s64";
	default: return "u8";
	}
}

/* Says in a note how the elements are read, and how to read them otherwise. */
static void say_type(struct debug *d, const struct isa_variable *var, bool is_bytes, const struct isa_accessed *a)
{
	const char *name = var->plain ? var->plain : var->name;
	const char *first = isa_type_info[a->first].name, *other = isa_type_info[a->other].name;
	if (!is_bytes)
		debug_note(d, "%s: %s by its accesses; cast for others: `(%s[])%s`", name, first, instead_of(a->type), name);
	else if (a->other)
		debug_note(d, "%s: bytes, since its accesses are %s and %s; cast it: `(%s[])%s`", name, first, other, first, name);
	else
		debug_note(d, "%s: bytes, as PTX has it; cast it: `(f32[])%s`", name, name);
}

enum isa_type eval_element_type(struct debug *d, const struct isa_variable *var)
{
	struct expr_room *e = d->expr;
	const uint32_t generation = debug_program(d)->generation;
	struct isa_accessed a;
	size_t k = 0;
	if (var->type != ISA_B8 || var->space != ISA_SPACE_SHARED)
		return (enum isa_type)var->type;
	while (k < e->n_accessed && e->accessed[k].var != var)
		k++;
	if (k < e->n_accessed && e->accessed[k].generation == generation)
		return e->accessed[k].type;
	const enum isa_type type = isa_variable_element(debug_program(d), var, &a);
	const bool is_bytes = a.type && isa_type_bytes(a.type) == 1;
	if (!is_bytes && (k == e->n_accessed || e->accessed[k].type != type))
		say_type(d, var, type == ISA_B8, &a);
	if (k == e->n_accessed)
		e->accessed = xgrow(e->accessed, &e->cap_accessed, ++e->n_accessed, sizeof *e->accessed);
	e->accessed[k] = (struct debug_accessed){.var = var, .generation = generation, .type = type};
	return type;
}
