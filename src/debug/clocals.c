/* The source's variables of a frame: what info locals, info args and a backtrace show where the program has debug information. */
#include <string.h>

#include "debug/expr_internal.h"
#include "debug/info.h"

static const struct cscope *scope_of(struct debug *d, const struct debug_frame *f)
{
	return f->function ? cnames_scope(d, f->function, f->pc, d->inlined) : NULL;
}

/* The innermost function around a scope: one that was inlined, or the frame's own. */
static const struct cscope *function_of(const struct cscope *s)
{
	while (s && !s->is_inlined && s->parent)
		s = s->parent;
	return s;
}

static void line(struct eval *v, const struct cvar *var, struct text *out)
{
	struct expr_value x = {0};
	struct text why = {0};
	v->why = &why;
	text_addf(out, "%s = ", var->name);
	if (cvalue_variable(v, var, &x) && eval_load_array(v, &x))
		cformat_value(v->d, &x, 0, false, out);
	else
		text_addf(out, "<error reading variable: %s>", text_str(&why));
	text_addc(out, '\n');
	expr_value_free(&x);
	text_free(&why);
}

static struct eval eval_in(struct debug *d, const struct debug_where *w, const struct debug_frame *f)
{
	return (struct eval){.d = d, .t = &w->thread, .w = *w, .f = *f, .has_thread = true, .has_frame = true};
}

bool clocals_show(struct debug *d, const struct debug_where *w, const struct debug_frame *f, bool arguments, struct text *out)
{
	struct eval v = eval_in(d, w, f);
	const struct cscope *s = scope_of(d, f), *function = function_of(s);
	size_t before = out->n;
	if (!s)
		return false;
	for (const struct cscope *at = arguments ? function : s; at; at = at == function ? NULL : at->parent)
		for (uint32_t i = 0; i < at->n_vars; i++)
			if (at->vars[i].is_param == arguments)
				line(&v, &at->vars[i], out);
	if (out->n == before)
		text_add(out, arguments ? "No arguments.\n" : "No locals.\n");
	return true;
}

static void argument(struct eval *v, const struct cvar *var, struct text *out)
{
	struct expr_value x = {0};
	struct text why = {0};
	v->why = &why;
	text_addf(out, "%s=", var->name);
	if (!cvalue_variable(v, var, &x))
		text_addc(out, '?');
	else if (x.is_object)
		text_add(out, "...");
	else
		cformat_value(v->d, &x, 0, false, out);
	expr_value_free(&x);
	text_free(&why);
}

bool clocals_arguments(struct debug *d, const struct debug_where *w, const struct debug_frame *f, uint32_t inlined, struct text *out)
{
	struct eval v = eval_in(d, w, f);
	const struct cscope *s = f->function ? function_of(cnames_scope(d, f->function, f->pc, inlined)) : NULL;
	const char *comma = "";
	if (!s)
		return false;
	text_add(out, " (");
	for (uint32_t i = 0; i < s->n_vars; i++)
		if (s->vars[i].is_param) {
			text_add(out, comma);
			argument(&v, &s->vars[i], out);
			comma = ", ";
		}
	text_addc(out, ')');
	return true;
}
