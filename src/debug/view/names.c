/* What a name in an expression means: register, parameter, variable of the function, buffer, module variable. */
#include <string.h>

#include "base/demangle.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/buffers/buffers.h"
#include "debug/view/focus.h"
#include "debug/view/inlined.h"
#include "debug/view/name_match.h"
#include "debug/view/parameters.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

static bool is_named(const char *have, const char *name, size_t n)
{
	return strlen(have) == n && !memcmp(have, name, n);
}

static bool variable_symbol(struct debug_symbol *out, const struct isa_variable *v, uint64_t generic)
{
	out->kind = SYMBOL_VARIABLE;
	out->var = v;
	out->generic = generic;
	return true;
}

uint64_t debug_variable_in(const struct debug_where *w, const struct debug_frame *f, const struct isa_variable *v)
{
	uint64_t base = v->address;
	if (v->flags & ISA_VAR_DYNAMIC_SHARED)
		base += w ? w->launch.dynamic_base : 0;
	switch (v->space) {
	case ISA_SPACE_SHARED: return EXEC_SHARED_WINDOW + base;
	case ISA_SPACE_LOCAL: return EXEC_LOCAL_WINDOW + (f ? f->local_sp : 0) + base;
	case ISA_SPACE_PARAM: return EXEC_PARAM_WINDOW + base;
	case ISA_SPACE_CONST: return EXEC_CONST_WINDOW + base;
	default: return base;
	}
}

uint64_t debug_variable_generic(const struct debug_where *w, const struct isa_variable *v)
{
	return debug_variable_in(w, NULL, v);
}

static const struct isa_variable *constant_at(const struct isa_program *p, uint64_t offset)
{
	for (uint32_t k = p->n_variables; k-- > 0;) {
		const struct isa_variable *v = p->variables[k];
		if (v->space == ISA_SPACE_CONST && !(v->flags & ISA_VAR_UNLOADED) && offset >= v->address &&
		    offset - v->address < v->bytes)
			return v;
	}
	return NULL;
}

bool debug_is_constant_memory(const struct debug *d, uint64_t address, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	const uint64_t offset = address - EXEC_CONST_WINDOW;
	if (address < EXEC_CONST_WINDOW || address >= EXEC_CODE_WINDOW || !p->const_next)
		return false;
	const struct isa_variable *v = constant_at(p, offset);
	if (offset >= p->const_next)
		text_addf(out, " is %llu bytes past the end of constant memory (%u bytes)",
			  (unsigned long long)(offset - p->const_next), p->const_next);
	else if (v)
		text_addf(out, " is in constant memory (variable %s), which kernels can only read",
			  v->plain ? v->plain : v->name);
	else
		text_add(out, " is in constant memory, which kernels can only read");
	return true;
}

static bool lookup_function(const struct debug_where *w, const struct debug_frame *f, const char *name, size_t n,
			    struct debug_symbol *out)
{
	const struct isa_function *fn = f->function;
	for (uint32_t k = 0; k < fn->n_params; k++) {
		const struct isa_variable *v = &fn->params[k];
		if (!is_named(v->name, name, n))
			continue;
		if (!fn->param_regs || fn->param_regs[k] == ISA_REF_NONE)
			return variable_symbol(out, v, debug_variable_in(w, f, v));
		out->in_param_reg = true;
		out->reg = (struct isa_reg_place){
			.type = (enum isa_type)v->type, .is_pred = v->type == ISA_PRED, .ref = fn->param_regs[k]};
		return variable_symbol(out, v, 0);
	}
	for (uint32_t k = 0; k < fn->n_vars; k++)
		if (is_named(fn->vars[k].name, name, n))
			return variable_symbol(out, &fn->vars[k], debug_variable_in(w, f, &fn->vars[k]));
	return false;
}

/* Nearness of a module's variable: several files, several modules may have one by the same name. */
static int nearness(const struct isa_program *p, uint32_t own_file, const struct isa_variable *v)
{
	if (own_file == DEBUG_ANY_FILE)
		return 0;
	return v->file == own_file ? 2 : isa_program_module_of(p, v->file) == isa_program_module_of(p, own_file) ? 1 : 0;
}

/* Returns the PTX file whose names come first: the chosen one, or else the function's in whose activation the name is looked up. */
static uint32_t own_file(const struct debug_chosen *c, const struct debug_frame *f)
{
	return c->file != DEBUG_ANY_FILE ? c->file : f ? f->function->file : DEBUG_ANY_FILE;
}

/* A module's variable: the function's own file comes first, then its module; of one module the newest. NULL if there are only others, and
 * several. */
static const struct isa_variable *find_variable(const struct isa_program *p, const struct debug_frame *f,
						const struct debug_chosen *c, const char *name, size_t n, bool *several)
{
	const struct isa_variable *found = NULL;
	int best = 0;
	*several = false;
	for (uint32_t k = p->n_variables; k-- > 0;) {
		const struct isa_variable *v = p->variables[k];
		if (v->flags & ISA_VAR_UNLOADED || !is_named(v->name, name, n) ||
		    (c->module != DEBUG_ANY_MODULE && isa_program_module_of(p, v->file) != c->module))
			continue;
		const int near = nearness(p, own_file(c, f), v);
		*several |= found && !near && isa_program_module_of(p, v->file) != isa_program_module_of(p, found->file);
		if (found && near <= best)
			continue;
		found = v;
		best = near;
	}
	*several = *several && !best;
	return *several ? NULL : found;
}

static bool lookup_global(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name,
			  size_t n, struct debug_symbol *out)
{
	struct debug_chosen chosen;
	if (!debug_module_chosen(d, &name, &n, &chosen))
		return false;
	out->buffer = chosen.module == DEBUG_ANY_MODULE ? debug_buffer_find(d, name, n) : NULL;
	if (out->buffer) {
		out->kind = SYMBOL_BUFFER;
		return true;
	}
	const struct isa_variable *v = find_variable(debug_program(d), f, &chosen, name, n, &out->ambiguous);
	out->of_module = v != NULL;
	return v && variable_symbol(out, v, debug_variable_in(w, NULL, v));
}

/* ---- names of the source, where PTX has mangled ones ---- */

struct plain_search {
	const struct isa_program *program;
	const char *name;
	size_t n;
	uint32_t module; /* the one that was chosen, or DEBUG_ANY_MODULE */
	uint32_t own;	 /* the place's; likewise */
	uint32_t own_file; /* its PTX file; UINT32_MAX: there is no place */
	const char *scopes[DEBUG_INLINED_MAX + 1]; /* functions around the place, innermost first */
	uint32_t n_scopes;
	const struct isa_variable *best;
	uint32_t rank;	  /* of the best one; smaller ones are nearer */
	bool several;	  /* of that rank */
	const char *last; /* a qualified name's last part; NULL: it has one only */
	size_t n_last;
};

/* tmpl<3>::A, lin::scale<int>: what the source calls a variable of PTX whose mangled name holds all of that. */
static bool is_qualified_name_of(const struct plain_search *s, const struct isa_variable *v)
{
	struct text whole = {0};
	bool fits = s->last && memmem(v->name, strlen(v->name), s->last, s->n_last) &&
		    demangle_name(v->name, true, &whole) && name_match(whole.s, s->name, s->n, true) > 0;
	text_free(&whole);
	return fits;
}

/* `up` leaves inlined functions behind without leaving the activation. */
static void find_scopes(struct debug *d, const struct debug_frame *f, uint32_t left, struct plain_search *s)
{
	const struct isa_loc *l;
	uint32_t loc = debug_loc_of_level(d, f->pc, left);
	for (; s->n_scopes < DEBUG_INLINED_MAX && (l = debug_loc(d, loc)) != NULL; loc = l->inlined_at)
		if (l->function)
			s->scopes[s->n_scopes++] = l->function;
	s->scopes[s->n_scopes++] = f->function->name;
}

/* Static variables of the functions around the place come first, then those of no function, then those of others; of each those of the place's own file
 * before those of its module and of other modules. */
static void consider(struct plain_search *s, const struct isa_variable *v)
{
	const uint32_t module = isa_program_module_of(s->program, v->file);
	if (v->flags & ISA_VAR_UNLOADED || (s->module != DEBUG_ANY_MODULE && module != s->module))
		return;
	if (!(v->plain && is_named(v->plain, s->name, s->n)) && !is_qualified_name_of(s, v))
		return;
	uint32_t rank = 0;
	while (rank < s->n_scopes && !isa_variable_is_local_to(v, s->scopes[rank]))
		rank++;
	rank += rank == s->n_scopes && !strncmp(v->name, "_ZZ", 3);
	rank += s->own_file != UINT32_MAX && v->file != s->own_file ? s->n_scopes + 2 : 0;
	rank += s->own != DEBUG_ANY_MODULE && module != s->own ? s->n_scopes + 2 : 0;
	if (s->best && rank > s->rank)
		return;
	s->several = s->best && rank == s->rank && s->best != v;
	s->best = v;
	s->rank = rank;
}

/* Shared memory of another function that the thread's kernel calls. */
static void consider_shared(struct debug *d, struct plain_search *s, const struct debug_where *w,
			    const struct isa_function *f)
{
	for (uint32_t k = 0; k < f->n_vars && !f->unloaded; k++)
		if (f->vars[k].space == ISA_SPACE_SHARED && is_qualified_name_of(s, &f->vars[k]) &&
		    (!w || debug_kernel_reaches(d, w->launch.function, f)))
			consider(s, &f->vars[k]);
}

static bool lookup_plain(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name,
			 size_t n, struct debug_symbol *out)
{
	const struct isa_program *p = debug_program(d);
	struct debug_chosen chosen;
	if (!debug_module_chosen(d, &name, &n, &chosen))
		return false;
	const uint32_t own = own_file(&chosen, f);
	struct plain_search s = {.program = p,
				 .module = chosen.module,
				 .own = own != DEBUG_ANY_FILE ? isa_program_module_of(p, own) : DEBUG_ANY_MODULE,
				 .own_file = own};
	s.name = name;
	s.n = n;
	if (!n || *name == '%' || *name == '$')
		return false;
	if (name_is_qualified(name, n)) {
		s.last = name_last_part(name, n);
		s.n_last = scan_name(s.last) < (size_t)(name + n - s.last) ? scan_name(s.last)
									   : (size_t)(name + n - s.last);
	}
	if (f)
		find_scopes(d, f, w && d->has_focus && debug_same_thread(&w->thread, &d->focus) ? d->inlined : 0, &s);
	for (uint32_t k = 0; f && k < f->function->n_vars; k++)
		consider(&s, &f->function->vars[k]);
	for (uint32_t k = 0; k < p->n_variables; k++)
		consider(&s, p->variables[k]);
	for (uint32_t k = 0; s.last && !s.best && k < p->n_functions; k++)
		consider_shared(d, &s, w, p->functions[k]);
	out->of_module = true;
	out->ambiguous |= s.best && s.several;
	return s.best && !s.several && variable_symbol(out, s.best, debug_variable_in(w, f, s.best));
}

bool debug_module_lookup(struct debug *d, const struct debug_frame *f, const char *name, size_t n,
			 struct debug_symbol *out)
{
	const char *bare = name;
	size_t n_bare = n;
	struct debug_chosen chosen;
	*out = (struct debug_symbol){.of_module = true};
	if (!debug_module_chosen(d, &bare, &n_bare, &chosen))
		return false;
	const struct isa_variable *v = find_variable(debug_program(d), f, &chosen, bare, n_bare, &out->ambiguous);
	return v ? variable_symbol(out, v, debug_variable_in(NULL, NULL, v))
		 : lookup_plain(d, NULL, NULL, name, n, out);
}

/* Without a namespace around it, or of a file alone (_ZL). */
static bool is_outermost(const char *mangled, const char *plain, const char *name, size_t n)
{
	struct text full = {0};
	if (is_named(mangled, name, n))
		return true;
	bool is = plain && is_named(plain, name, n) &&
		  (!demangle_name(mangled, false, &full) || is_named(text_str(&full), name, n));
	text_free(&full);
	return is;
}

bool debug_is_module_name(struct debug *d, const char *name, size_t n)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t k = 0; k < p->n_variables; k++)
		if (!(p->variables[k]->flags & ISA_VAR_UNLOADED) &&
		    is_outermost(p->variables[k]->name, p->variables[k]->plain, name, n))
			return true;
	return false;
}

const struct debug_buffer *debug_buffer_of_module_name(const struct debug *d, const char *mangled, const char *plain)
{
	for (size_t i = 0; i < debug_buffer_count(d); i++) {
		const struct debug_buffer *b = debug_buffer_at(d, i);
		if (is_outermost(mangled, plain, b->name, strlen(b->name)))
			return b;
	}
	return NULL;
}

/* V of V.x, V.y ... */
static bool is_vector(const struct debug_frame *f, const char *name, size_t n)
{
	struct isa_reg_place place;
	char first[160];
	if (n + 2 > sizeof first)
		return false;
	memcpy(first, name, n);
	first[n] = '.';
	first[n + 1] = 'x';
	return isa_function_find_reg(f->function, first, n + 2, f->pc, &place);
}

/* Finds the allocation of a program with that name which was freed last and still has its bytes. */
static bool lookup_freed(struct debug *d, const char *name, size_t n, struct debug_symbol *out)
{
	size_t k;
	const struct gpu_allocation *a = gpu_allocations(d->g, &k);
	while (k-- > 0) {
		if (!a[k].keeps_bytes || !a[k].by_program || strlen(a[k].name) != n || memcmp(a[k].name, name, n))
			continue;
		*out = (struct debug_symbol){.kind = SYMBOL_FREED, .freed = &a[k]};
		return true;
	}
	return false;
}

/* Finds a parameter by the name that the source gives it. */
static bool lookup_source(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name, size_t n,
			  struct debug_symbol *out)
{
	const struct isa_variable *v = f && !d->has_names(&debug_program(d)->files[f->function->file]) ? debug_parameter_named(d, f->function, name, n) : NULL;
	return v && lookup_function(w, f, v->name, strlen(v->name), out);
}

bool debug_lookup(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name, size_t n,
		  struct debug_symbol *out)
{
	*out = (struct debug_symbol){0};
	if (f && isa_function_find_reg(f->function, name, n, f->pc, &out->reg)) {
		out->kind = SYMBOL_REG;
		return true;
	}
	if (f && is_vector(f, name, n)) {
		out->kind = SYMBOL_VECTOR;
		return true;
	}
	if (f && lookup_function(w, f, name, n, out))
		return true;
	return lookup_global(d, w, f, name, n, out) || lookup_plain(d, w, f, name, n, out) ||
	       (!out->ambiguous && (lookup_freed(d, name, n, out) || lookup_source(d, w, f, name, n, out)));
}

bool debug_lookup_array(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name,
			size_t n, struct debug_symbol *out)
{
	*out = (struct debug_symbol){0};
	if (f && lookup_function(w, f, name, n, out) && (out->var->n_dims || out->var->vec > 1))
		return true;
	*out = (struct debug_symbol){0};
	if (lookup_global(d, w, f, name, n, out) || lookup_plain(d, w, f, name, n, out))
		return out->kind == SYMBOL_BUFFER || out->var->n_dims || out->var->vec > 1;
	return !out->ambiguous && lookup_freed(d, name, n, out);
}

/* Are there lines of the CUDA source, but nothing about its variables? */
static bool lacks_variables(struct debug *d, const struct isa_function *f)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t pc = f->first; pc < f->end; pc++)
		if (p->where[pc].loc < p->n_locs)
			return !d->has_names(&p->files[f->file]);
	return false;
}

/* Stores the files that have a variable of that name, PTX's or the source's: one file for each module and mangled name. Returns their number, `most` at most. */
static size_t files_with(struct debug *d, const char *name, uint32_t *files, size_t most)
{
	const struct isa_program *p = debug_program(d);
	size_t n = 0;
	for (uint32_t k = 0; k < p->n_variables && n < most; k++) {
		const struct isa_variable *v = p->variables[k];
		bool seen = v->flags & ISA_VAR_UNLOADED || v->flags & ISA_VAR_EXTERN || (strcmp(v->name, name) && (!v->plain || strcmp(v->plain, name)));
		for (size_t i = 0; i < n && !seen; i++)
			seen = isa_program_module_of(p, files[i]) == isa_program_module_of(p, v->file) && (files[i] == v->file || !strcmp(v->name, name));
		if (!seen)
			files[n++] = v->file;
	}
	return n;
}

bool debug_no_symbol(struct debug *d, const struct isa_function *f, const char *name, struct text *why)
{
	uint32_t files[9];
	const size_t prefix = debug_module_prefix(name, strlen(name)), n = files_with(d, name, files, 9);
	struct debug_chosen chosen;
	if (prefix && !debug_module_named(d, name + 1, prefix - 4, &chosen))
		return debug_module_fail(d, name + 1, prefix - 4, why);
	text_addf(why, "No symbol \"%s\" in current context.", name);
	if (n > 1) {
		const bool is_one = isa_program_module_of(debug_program(d), files[0]) == isa_program_module_of(debug_program(d), files[1]);
		text_addf(why, " (Several %s have it: ", is_one ? "files" : "modules");
		debug_module_choices(d, files, n, name, strlen(name), why);
		text_add(why, ".)");
		return false;
	}
	if (f && !strpbrk(name, "<:") && lacks_variables(d, f))
		text_addf(why, " (%s has no variables of the source; `nvcc -G` would give them.)",
			  debug_file_name(d, f->file));
	return false;
}
