/* Names of the source in an expression: variables around the place, those of files, of named functions, constants. */
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/view/functions.h"
#include "debug/view/inlined.h"
#include "debug/view/name_match.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

/* Levels of inlining that `up` has left behind in the frame. */
static uint32_t inlined_of(const struct eval *v)
{
	bool is_focus = v->d->has_focus && debug_same_thread(&v->w.thread, &v->d->focus) && v->level == v->d->frame;
	return is_focus ? v->d->inlined : 0;
}

const struct cvar *cvalue_local(struct eval *v, struct node *n)
{
	const uint32_t generation = debug_program(v->d)->generation, inlined = v->has_frame ? inlined_of(v) : 0;
	if (!v->has_frame || n->text[0] == '%')
		return NULL;
	if (n->local_known && n->local_pc == v->f.pc && n->local_generation == generation &&
	    n->local_inlined == inlined)
		return n->local;
	n->local = cnames_local(cnames_scope(v->d, v->f.function, v->f.pc, inlined), n->text, n->n, &n->self);
	n->local_known = true;
	n->local_pc = v->f.pc;
	n->local_generation = generation;
	n->local_inlined = inlined;
	return n->local;
}

/* Replaces a lambda's object, a pointer to it, by the object that the lambda has captured with `this`, if only that one has the member. */
static bool go_to_captured(struct eval *v, const struct node *n, struct expr_value *object)
{
	const struct ctype *pointed = cvalue_pointed(object);
	const struct ctype *to = pointed ? ctype_core(pointed) : NULL;
	struct node captured = {.kind = NODE_MEMBER, .text = CTYPE_CAPTURED_THIS, .n = sizeof CTYPE_CAPTURED_THIS - 1};
	struct expr_value inner = {0};
	uint64_t offset;
	if (!to || !ctype_is_struct(to) || ctype_member(to, n->text, n->n, &offset) || !ctype_captured_this(to))
		return true;
	if (!cvalue_member(v, object, &captured, true, &inner))
		return false;
	expr_value_free(object);
	*object = inner;
	return true;
}

/* In a method a member of its object, by its name alone. */
bool cvalue_own_member(struct eval *v, struct node *n, struct expr_value *out, bool *ok)
{
	struct expr_value object = {0};
	if (cvalue_local(v, n) || !v->has_frame || n->text[0] == '%' || !n->self)
		return false;
	bool place_only = v->place_only;
	v->place_only = false;
	*ok = cvalue_variable(v, n->self, &object) && go_to_captured(v, n, &object) &&
	      cvalue_member(v, &object, n, !place_only, out);
	v->place_only = place_only;
	expr_value_free(&object);
	return true;
}

/* ---- what hides a name ---- */

static const char *kind_of(const struct debug_symbol *s)
{
	return s->kind == SYMBOL_BUFFER || s->kind == SYMBOL_FREED    ? "the buffer"
	       : s->kind != SYMBOL_VARIABLE			     ? "a register"
	       : s->var->space == ISA_SPACE_PARAM || s->in_param_reg ? "the kernel's parameter"
								     : "a variable of the PTX";
}

void cvalue_say_hidden(struct eval *v, struct node *n)
{
	struct debug_symbol s, hidden;
	struct text name = {0};
	const struct debug_frame *f = v->has_frame ? &v->f : NULL;
	if (n->is_global || !debug_lookup(v->d, eval_where(v), f, n->text, n->n, &s) || s.of_module)
		return;
	if (f && cvalue_local(v, n))
		text_addf(&name, "%s::%s", debug_function_name(v->d, f->function), n->text);
	else if (debug_module_lookup(v->d, f, n->text, n->n, &hidden) && hidden.var->plain)
		debug_inlined_name(v->d, hidden.var->name, &name);
	else if (hidden.var || cnames_global(v->d, f ? f->function : NULL, n->text, n->n))
		text_addf(&name, "::%s", n->text);
	if (name.n)
		text_addf(v->why, " (%s is %s; the variable of that name is `%s`.)", n->text, kind_of(&s),
			  text_str(&name));
	text_free(&name);
}

/* ---- FUNCTION::NAME ---- */

static const struct cvar *anywhere_in(const struct cscope *s, const char *name, size_t n)
{
	const struct cvar *v = s ? cnames_local(s, name, n, NULL) : NULL;
	for (const struct cscope *c = s ? s->child : NULL; c && !v; c = c->next)
		v = anywhere_in(c, name, n);
	return v;
}

/* Returns the outermost scope, s or one inside it, that declares a variable of a name; functions inlined into s don't count. Returns NULL if none does. */
static const struct cscope *scope_with(const struct cscope *s, const char *name)
{
	const struct cscope *found = NULL;
	for (uint32_t k = 0; s && !s->is_inlined && k < s->n_vars; k++)
		if (!strcmp(s->vars[k].name, name))
			return s;
	for (const struct cscope *c = s && !s->is_inlined ? s->child : NULL; c && !found; c = c->next)
		found = scope_with(c, name);
	return found;
}

/* Returns an instruction's line in the function that it lies in: of code that was inlined, the line of the call. Returns NULL if there is none. */
static const struct isa_loc *own_line(struct debug *d, uint32_t pc)
{
	uint32_t loc = debug_loc_at(d, pc), outer;
	for (unsigned depth = 0; loc != ISA_NO_LOC && depth < DEBUG_INLINED_MAX && (outer = debug_loc_outer(d, loc)) != ISA_NO_LOC; depth++)
		loc = outer;
	return loc == ISA_NO_LOC ? NULL : debug_loc(d, loc);
}

static bool has_pc(const struct cscope *s, uint32_t pc)
{
	for (uint32_t k = 0; k < s->n_pieces; k++)
		if (pc >= s->pieces[k].first && pc < s->pieces[k].end)
			return true;
	return false;
}

void cvalue_say_scope(struct debug *d, const struct debug_frame *f, const char *name, struct text *why)
{
	const struct cscope *s = f && f->function ? scope_with(cnames_function(d, f->function), name) : NULL;
	if (s && has_pc(s, f->pc)) /* a variable of an outer frame */
		return;
	uint32_t file = 0, first = 0, last = 0;
	for (uint32_t k = 0; s && k < s->n_pieces; k++)
		for (uint32_t pc = s->pieces[k].first; pc < s->pieces[k].end && pc < debug_program(d)->n_insns; pc++) {
			const struct isa_loc *l = own_line(d, pc);
			if (!l || !l->line || (first && l->file != file))
				continue;
			file = l->file;
			first = first && first < l->line ? first : l->line;
			last = last > l->line ? last : l->line;
		}
	if (first && first == last)
		text_addf(why, " (\"%s\" is in scope only in line %u of %s.)", name, first, debug_file_name(d, file));
	else if (first)
		text_addf(why, " (\"%s\" is in scope only in lines %u to %u of %s.)", name, first, last, debug_file_name(d, file));
}

/* The innermost activation of a function from the selected frame outwards becomes the one that is looked at. */
static bool enter_function(struct eval *v, const struct isa_function *f)
{
	uint32_t level = v->level;
	while (v->has_frame && v->f.function != f)
		if (!debug_frame_get(v->d, &v->w, ++level, &v->f))
			return false;
	return v->has_frame;
}

/* Static variables don't need the function to run; those in shared memory need a block. */
static bool is_everywhere(const struct eval *v, const struct isa_function *f, const struct cvar *var)
{
	if (var->n_places != 1 || var->places->kind != CPLACE_VARIABLE)
		return false;
	const uint8_t space = var->places->variable->space;
	return space == ISA_SPACE_GLOBAL || space == ISA_SPACE_CONST ||
	       (space == ISA_SPACE_SHARED && v->has_frame && debug_kernel_reaches(v->d, v->w.launch.function, f));
}

static bool of_function(struct eval *v, const struct isa_function *f, const char *name, size_t n,
			struct expr_value *out)
{
	struct eval inner = *v;
	bool entered = enter_function(&inner, f);
	const struct cvar *var = entered ? cnames_local(cnames_scope(v->d, f, inner.f.pc, 0), name, n, NULL) : NULL;
	if (!var)
		var = anywhere_in(cnames_function(v->d, f), name, n);
	if (!var)
		return debug_fail(v->why, "No symbol \"%.*s\" in function \"%s\".", (int)n, name,
				  debug_function_name(v->d, f));
	if (!entered && !is_everywhere(v, f, var))
		return debug_fail(v->why, "No frame is currently executing in block %s.", debug_function_name(v->d, f));
	if (!entered) {
		inner = *v;
		inner.f.pc = var->places->first;
	}
	return cvalue_variable(&inner, var, out);
}

/* The function that stands before the last :: of a name, if it is one whose variables are known; the rest goes to *name. */
static const struct isa_function *function_before(struct debug *d, const struct node *n, const char **name)
{
	const char *last = name_last_part(n->text, n->n);
	struct text ignored = {0};
	if (last - n->text < 3)
		return NULL;
	const struct isa_function *f = debug_find_function(d, n->text, (size_t)(last - n->text) - 2, &ignored);
	text_free(&ignored);
	*name = last;
	return f && cnames_function(d, f) ? f : NULL;
}

bool cvalue_is_qualified(struct debug *d, const struct node *n)
{
	const char *name;
	const struct isa_function *f = function_before(d, n, &name);
	return f && anywhere_in(cnames_function(d, f), name, strlen(name));
}

static bool qualified(struct eval *v, const struct node *n, struct expr_value *out, bool *ok)
{
	const char *name;
	const struct isa_function *f = function_before(v->d, n, &name);
	if (f)
		*ok = of_function(v, f, name, strlen(name), out);
	return f;
}

/* An enumeration of a size that no number has is malformed: its constants are numbers. */
static void constant_value(const struct ctype_member *m, struct expr_value *out)
{
	unsigned char wide[16];
	memset(wide, m->value < 0 ? 0xff : 0, sizeof wide);
	memcpy(wide, &m->value, sizeof m->value);
	memset(out, 0, sizeof *out);
	if (ctype_value(m->type)->scalar == ISA_NOTYPE)
		value_load(out, ISA_S64, 0, wide);
	else
		cvalue_scalar(out, m->type, wide);
}

bool cvalue_outside(struct eval *v, const struct node *n, struct expr_value *out, bool *ok)
{
	if (n->text[0] == '%')
		return false;
	const struct cvar *var = cnames_global(v->d, v->has_frame ? v->f.function : NULL, n->text, n->n);
	if (var) {
		*ok = cvalue_variable(v, var, out);
		return true;
	}
	const struct ctype_member *constant = cnames_constant(v->d, n->text, n->n);
	if (!constant)
		return qualified(v, n, out, ok);
	constant_value(constant, out);
	*ok = true;
	return true;
}
