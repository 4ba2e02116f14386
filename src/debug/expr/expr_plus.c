/* Expressions that only PTXPlus has, as its instructions write them: registers with a $, their halves, conditions on flags, memory by bytes. */
#include <stdio.h>
#include <string.h>

#include "debug/expr/expr_internal.h"
#include "isa/plus.h"

static bool find_register(const struct isa_function *f, uint32_t pc, const struct node *n, struct isa_reg_place *out)
{
	char name[64];
	const int length = snprintf(name, sizeof name, "$%s", n->text);
	return n->kind == NODE_DOLLAR && length < (int)sizeof name && isa_function_find_reg(f, name, (size_t)length, pc, out);
}

/* Returns whether `.TEXT` behind a register is its half or a condition on its flags. */
static bool is_part(const struct node *n, const struct isa_reg_place *r)
{
	if (r->type == ISA_FLAGS)
		return isa_condition_find(n->text, n->n) != ISA_CONDITIONS;
	return n->n == 2 && (!memcmp(n->text, "lo", 2) || !memcmp(n->text, "hi", 2));
}

/* Memory of a name in front of `[`: s, g, l..., or a constant that begins with c. Returns false if it is none. */
static bool find_memory(const struct isa_program *p, const struct isa_function *f, const struct node *n, enum isa_space *space, uint64_t *base)
{
	*base = 0;
	if (n->kind != NODE_INDEX || !n->a || n->a->kind != NODE_NAME)
		return false;
	const char *name = n->a->text;
	if (!strcmp(name, "s") || !strcmp(name, "g")) {
		*space = *name == 's' ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL;
		return true;
	}
	for (uint32_t k = 0; k < f->n_vars; k++)
		if (f->vars[k].space == ISA_SPACE_LOCAL && *name == 'l' && !strcmp(f->vars[k].name, name)) {
			*space = ISA_SPACE_LOCAL;
			*base = f->vars[k].address;
			return true;
		}
	const struct isa_variable *v = NULL;
	for (uint32_t k = 0; k < p->n_variables && *name == 'c' && !v; k++)
		v = strcmp(p->variables[k]->name, name) ? NULL : p->variables[k];
	*space = *name == 'l' ? ISA_SPACE_LOCAL : ISA_SPACE_CONST;
	if (*name == 'l' && name[strspn(name, "0123456789") + 1] == '\0')
		return true;
	*base = v ? v->address : 0;
	return v && v->space == ISA_SPACE_CONST;
}

enum plus_kind plus_find(const struct name_place *at, const struct node *n, struct plus_found *out)
{
	if (!at->function || !at->function->has_plus)
		return PLUS_NOTHING;
	if (find_register(at->function, at->pc, n, &out->reg))
		return PLUS_REGISTER;
	if (n->kind == NODE_MEMBER)
		return !n->is_post && find_register(at->function, at->pc, n->a, &out->reg) && is_part(n, &out->reg) ? PLUS_PART : PLUS_NOTHING;
	return !n->c && find_memory(debug_program(at->d), at->function, n, &out->space, &out->base) ? PLUS_MEMORY : PLUS_NOTHING;
}
