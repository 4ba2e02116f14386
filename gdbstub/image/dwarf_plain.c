/* Variables have mangled names in PTX: gdb knows them by those and, where only one can be meant, by what the source calls them. */
#include <string.h>

#include "debug/setup/buffer.h"
#include "gdbstub/image/dwarf.h"

#define SEVERAL UINT32_MAX
#define VARIABLES_MAX 256 /* of a function, compared with each other: with more, the PTX names are all there are */

static void name_taken(struct hash_map *m, const char *name) { hash_map_put(m, name, strlen(name), SEVERAL); }

/* Notes what a name stands for; what stands for two things stands for none. */
static void name_means(struct hash_map *m, const char *name, uint32_t what)
{
	uint32_t other;
	bool known = hash_map_get(m, name, strlen(name), &other);
	hash_map_put(m, name, strlen(name), known && other != what ? SEVERAL : what);
}

static void index_functions(struct dwarf *w)
{
	const struct isa_program *p = stub_program(w->s);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		for (uint32_t k = 0; f->first >= w->first && f->end <= w->end && k < f->n_vars; k++)
			if (f->vars[k].plain && f->vars[k].space == ISA_SPACE_SHARED)
				name_means(&w->aliases, f->vars[k].name, (uint32_t)f->vars[k].address);
	}
}

void dwarf_plain_index(struct dwarf *w)
{
	const struct isa_program *p = stub_program(w->s);
	for (size_t i = 0; i < debug_buffer_count(w->s->d); i++)
		name_taken(&w->plain, debug_buffer_at(w->s->d, i)->name);
	for (uint32_t i = 0; i < p->n_variables; i++)
		if (p->variables[i]->name && !(p->variables[i]->flags & ISA_VAR_UNLOADED)) {
			name_taken(&w->plain, p->variables[i]->name);
			name_means(&w->names, p->variables[i]->name, i);
		}
	for (uint32_t i = 0; i < p->n_variables; i++)
		if (p->variables[i]->plain && !(p->variables[i]->flags & ISA_VAR_UNLOADED))
			name_means(&w->plain, p->variables[i]->plain, i);
	index_functions(w);
}

bool dwarf_plain_has_namesake(const struct dwarf *w, const struct isa_variable *v)
{
	uint32_t i;
	return hash_map_get(&w->names, v->name, strlen(v->name), &i) && i == SEVERAL;
}

bool dwarf_plain_of_module(const struct dwarf *w, const struct isa_variable *v)
{
	uint32_t i;
	return v->plain && hash_map_get(&w->plain, v->plain, strlen(v->plain), &i) && i != SEVERAL;
}

bool dwarf_plain_alias(const struct dwarf *w, const struct isa_variable *v)
{
	uint32_t i;
	return hash_map_get(&w->aliases, v->name, strlen(v->name), &i) && i != SEVERAL;
}

/* Is it the only one of its plain name among the static variables of `scope`, or among all (NULL)? */
static bool only_one(const struct isa_function *f, const struct isa_variable *v, const char *scope)
{
	if (scope && !isa_variable_is_local_to(v, scope))
		return false;
	for (uint32_t i = 0; i < f->n_vars; i++) {
		const struct isa_variable *other = &f->vars[i];
		if (other != v && other->plain && !strcmp(other->plain, v->plain) &&
		    (!scope || isa_variable_is_local_to(other, scope)))
			return false;
	}
	return true;
}

/* Is it also what gdb calls a register, or the PTX name of another variable? */
static bool is_taken(const struct isa_function *f, const char *name)
{
	for (uint32_t i = 0; i < f->n_vars; i++)
		if (f->vars[i].name && !strcmp(f->vars[i].name, name))
			return true;
	for (uint32_t i = 0; i < f->n_regs; i++) {
		const char *s = f->regs[i].name + (*f->regs[i].name == '%');
		size_t n = strlen(s);
		if (!strncmp(name, s, n) && strspn(name + n, "0123456789") == strlen(name + n))
			return true;
	}
	return false;
}

bool dwarf_plain_of_call(const struct isa_function *f, const struct isa_variable *v, const char *called)
{
	return v->plain && f->n_vars <= VARIABLES_MAX && only_one(f, v, called) && !is_taken(f, v->plain);
}

bool dwarf_plain_of_function(const struct isa_function *f, const struct isa_variable *v)
{
	return v->plain && f->n_vars <= VARIABLES_MAX && (only_one(f, v, f->name) || only_one(f, v, NULL)) &&
	       !is_taken(f, v->plain);
}
