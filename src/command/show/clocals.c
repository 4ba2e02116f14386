/* The source's variables of a frame: what info locals, info args and a backtrace show where the program has debug information. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/show/clocals.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/format.h"
#include "debug/expr/value_describe.h"
#include "debug/ground/scan.h"
#include "debug/csource/cnames.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

static const struct cscope *scope_of(struct debug *d, const struct debug_frame *f)
{
	return f->function ? cnames_scope(d, f->function, f->pc, d->inlined) : NULL;
}

/* The function that a frame shows: one that was inlined, or the frame's own. */
static const struct cscope *function_of(const struct cscope *s)
{
	while (s && !s->is_apart && s->parent)
		s = s->parent;
	return s;
}

static void describe_variable(const struct eval *frame, const struct cvar *var, struct report *answer)
{
	struct expr_value x = {0};
	struct text why = {0}, look = {0};
	struct eval v = *frame;
	v.why = &why;
	report_open(answer, NULL);
	report_text(answer, "name", var->name);
	ctype_text(var->type, false, &look);
	report_text(answer, "type", text_str(&look));
	text_clear(&look);
	if (cvalue_variable(&v, var, &x) && eval_load_array(&v, &x)) {
		value_describe(v.d, answer, "value", &x, NULL);
		cformat_value(v.d, &x, 0, false, &look);
		report_look(answer, "%s", text_str(&look));
		report_line(answer, "{name} = {value}\n");
	} else {
		report_text(answer, "error", text_str(&why));
		report_line(answer, "{name} = <error reading variable: {error}>\n");
	}
	report_close(answer);
	expr_value_free(&x);
	text_free(&why);
	text_free(&look);
}

static struct eval eval_in(struct debug *d, const struct debug_where *w, const struct debug_frame *f)
{
	return (struct eval){.d = d, .t = &w->thread, .w = *w, .f = *f, .has_thread = true, .has_frame = true};
}

/* Adds a variable whose scope the thread hasn't reached. */
static void describe_unbegun(const struct cvar *var, struct report *answer)
{
	struct text type = {0};
	const bool is_shared = var->n_places && var->places->kind == CPLACE_VARIABLE && var->places->variable->space == ISA_SPACE_SHARED;
	ctype_text(var->type, false, &type);
	report_open(answer, NULL);
	report_text(answer, "name", var->name);
	report_text(answer, "type", text_str(&type));
	report_flag(answer, "has_begun", false);
	report_line(answer, is_shared ? "{name} = <not begun: __shared__ {type}>\n" : "{name} = <not begun: {type}>\n");
	report_close(answer);
	text_free(&type);
}

/* Adds the variables of the blocks that begin behind a function's entry, at which the thread stands. Returns true if there are any. */
static bool describe_blocks_ahead(const struct cscope *function, uint32_t pc, struct report *answer)
{
	bool any = false;
	for (const struct cscope *c = function->child; c; c = c->next)
		for (uint32_t i = 0; i < c->n_vars && !c->is_function && !c->is_inlined && c->n_pieces && c->pieces[0].first > pc; i++) {
			describe_unbegun(&c->vars[i], answer);
			any = true;
		}
	return any;
}

bool clocals_describe(struct debug *d, const struct debug_where *w, const struct debug_frame *f, bool arguments, struct report *answer)
{
	struct eval v = eval_in(d, w, f);
	const struct cscope *s = scope_of(d, f), *function = function_of(s);
	bool any = false;
	if (!s)
		return false;
	report_list(answer, arguments ? "args" : "locals");
	for (const struct cscope *at = arguments ? function : s; at; at = at == function ? NULL : at->parent)
		for (uint32_t i = 0; i < at->n_vars; i++)
			if ((at->vars[i].is_param && at == function) == arguments) {
				describe_variable(&v, &at->vars[i], answer);
				any = true;
			}
	if (!arguments && s == function)
		any |= describe_blocks_ahead(function, f->pc, answer);
	report_close(answer);
	if (!any)
		report_say(answer, arguments ? "No arguments.\n" : "No locals.\n");
	return true;
}

/* Adds an argument: `name` and `value`, null if it is a structure or an array, or can't be read. */
static void describe_argument(const struct eval *frame, const struct cvar *var, struct report *answer)
{
	struct expr_value x = {0};
	struct text why = {0}, look = {0};
	struct eval v = *frame;
	v.why = &why;
	const bool has_value = cvalue_variable(&v, var, &x);
	report_open(answer, NULL);
	report_text(answer, "name", var->name);
	if (!has_value || x.is_object)
		report_none(answer, "value", "");
	else
		value_describe(v.d, answer, "value", &x, NULL);
	if (!has_value)
		text_addc(&look, '?');
	else if (x.is_object)
		text_add(&look, "...");
	else
		cformat_value(v.d, &x, 0, false, &look);
	report_close(answer);
	report_look(answer, "%s=%s", var->name, text_str(&look));
	expr_value_free(&x);
	text_free(&why);
	text_free(&look);
}

bool clocals_arguments(struct debug *d, const struct debug_where *w, const struct debug_frame *f, uint32_t inlined,
		       struct report *answer)
{
	struct eval v = eval_in(d, w, f);
	const struct cscope *s = f->function ? function_of(cnames_scope(d, f->function, f->pc, inlined)) : NULL;
	if (!s)
		return false;
	report_list(answer, "args");
	for (uint32_t i = 0; i < s->n_vars; i++)
		if (s->vars[i].is_param)
			describe_argument(&v, &s->vars[i], answer);
	report_close(answer);
	return true;
}

/* ---- parameters of PTX, without debug information ---- */

static void add_address(struct debug *d, uint64_t address, struct text *out)
{
	uint64_t offset;
	const struct gpu_allocation *a = debug_named_at(d, address, &offset);
	text_addf(out, "0x%" PRIx64, address);
	if (!a)
		return;
	text_add(out, " <");
	debug_inlined_name(d, a->name, out);
	text_addf(out, offset ? "+%" PRIu64 ">" : ">", offset);
}

void parameter_look(struct debug *d, const struct isa_variable *p, const char *type, const struct expr_value *v, struct text *out)
{
	const size_t n = type ? strlen(type) : 0;
	if (v->is_array)
		text_addf(out, "<%s%s%" PRIu64 " bytes>", type ? type : "", type ? ": " : "", p->bytes);
	else if (n && strchr("*&", type[n - 1]) && isa_type_bytes(v->type) == 8)
		add_address(d, v->u.u64, out);
	else
		format_value(d, v, NULL, out);
}
