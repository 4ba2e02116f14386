/* Evaluating expressions from outside: for a thread, for the focus, from text; for a value, a place or a type. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/buffers/buffers.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

/* Returns true if a variable lives in memory that outlives activations: a static or shared one. */
static bool is_static(const struct cvar *v)
{
	return v->n_places && v->places[0].kind == CPLACE_VARIABLE && v->places[0].variable->space != ISA_SPACE_LOCAL &&
	       v->places[0].variable->space != ISA_SPACE_PARAM;
}

static bool names_locals(const struct node *n)
{
	if (!n)
		return false;
	if (n->kind == NODE_NAME && n->local_known && n->local)
		return !is_static(n->local);
	return names_locals(n->a) || names_locals(n->b) || names_locals(n->c);
}

bool expr_names_locals(const struct expr *e) { return names_locals(e->root); }

const struct cvar *expr_variable(const struct expr *e)
{
	return e->root->kind == NODE_NAME && e->root->local_known ? e->root->local : NULL;
}

static void begin(struct eval *v, struct debug *d, const struct debug_thread *t, uint32_t level, struct text *why)
{
	*v = (struct eval){.d = d, .t = t, .level = level, .why = why};
	v->has_thread = t && debug_thread_where(d, t, &v->w);
	v->has_frame = v->has_thread && debug_frame_get(d, &v->w, level, &v->f);
}

/* Memory has one name in what follows: the address where the device has it. Who watches places keeps the one that was given, as memory may move. */
static void settle_place(const struct debug *d, struct expr_value *v)
{
	if (v->place.kind == EXPR_MEMORY)
		v->place.address = gpu_device_address(d->g, v->place.address);
}

static bool eval_value(struct eval *v, const struct expr *e, struct expr_value *out)
{
	memset(out, 0, sizeof *out);
	if (eval_node(v, e->root, out) && eval_load_array(v, out)) {
		if (!v->own_places)
			settle_place(v->d, out);
		return true;
	}
	expr_value_free(out);
	return false;
}

bool expr_eval(struct debug *d, const struct expr *e, const struct debug_thread *t, uint32_t level,
	       struct expr_value *out, struct text *why)
{
	struct eval v;
	begin(&v, d, t, level, why);
	return eval_value(&v, e, out);
}

bool expr_eval_own_places(struct debug *d, const struct expr *e, const struct debug_thread *t, uint32_t level,
			  struct expr_value *out, struct text *why)
{
	struct eval v;
	begin(&v, d, t, level, why);
	v.own_places = true;
	return eval_value(&v, e, out);
}

bool debug_eval(struct debug *d, const char *s, struct expr_value *out, struct text *why)
{
	struct expr *e = expr_parse(d, s, NULL, why);
	bool ok = e && expr_eval(d, e, d->has_focus ? &d->focus : NULL, d->frame, out, why);
	expr_free(e);
	return ok;
}

/* Arrays in memory say where they are; only that they end in memory is looked at. */
static bool eval_unread(struct debug *d, const struct expr *e, const struct debug_thread *t, uint32_t level,
			bool types_only, struct expr_value *out, struct text *why)
{
	struct expr_value last;
	struct eval v;
	begin(&v, d, t, level, why);
	v.types_only = types_only;
	memset(out, 0, sizeof *out);
	bool ok = eval_node(&v, e->root, out);
	settle_place(d, out);
	bool reads = out->is_array || (out->is_object && !types_only);
	if (ok && reads && !out->data && !out->is_missing && out->count) {
		uint64_t at = out->place.address + (out->count - 1) * value_element_bytes(out);
		ok = eval_load(&v, &last, out->type, out->pointers, at);
	}
	if (!ok)
		expr_value_free(out);
	return ok;
}

bool debug_eval_unread(struct debug *d, const char *s, struct expr_value *out, struct text *why)
{
	struct expr *e = expr_parse(d, s, NULL, why);
	bool ok = e && eval_unread(d, e, d->has_focus ? &d->focus : NULL, d->frame, false, out, why);
	expr_free(e);
	return ok;
}

bool debug_eval_type(struct debug *d, const char *s, struct expr_value *out, struct text *why)
{
	struct expr *e = expr_parse(d, s, NULL, why);
	bool ok = e && eval_unread(d, e, d->has_focus ? &d->focus : NULL, d->frame, true, out, why);
	expr_free(e);
	return ok;
}

bool debug_eval_integer(struct debug *d, const char *s, int64_t *out, struct text *why)
{
	struct expr_value v;
	if (!debug_eval(d, s, &v, why))
		return false;
	bool ok = expr_value_integer(&v, out) || debug_fail(why, "%s is no number", s);
	expr_value_free(&v);
	return ok;
}

static struct expr *parse_part(struct debug *d, const char *s, size_t n, struct text *why)
{
	char *text = xstrndup(s, n);
	struct expr *e = expr_parse(d, text, NULL, why);
	free(text);
	return e;
}

bool debug_eval_text(struct debug *d, const char *s, size_t n, struct expr_value *out, struct text *why)
{
	struct expr *e = parse_part(d, s, n, why);
	bool ok = e && expr_eval(d, e, NULL, 0, out, why);
	expr_free(e);
	return ok;
}

/* Returns the handle of the texture or surface that an expression names, or 0. */
static uint64_t handle_named(struct debug *d, const struct expr *e)
{
	const struct node *n = e->root;
	const struct debug_buffer *b = n->kind == NODE_NAME && !n->is_global ? debug_buffer_find(d, n->text, n->n) : NULL;
	return b ? b->handle : 0;
}

bool debug_eval_number(struct debug *d, const char *s, size_t n, struct expr_value *out, struct text *why)
{
	struct expr *e = parse_part(d, s, n, why);
	const uint64_t handle = e ? handle_named(d, e) : 0;
	bool ok = e && (handle || eval_unread(d, e, NULL, 0, false, out, why));
	if (handle)
		value_int(out, ISA_U64, handle);
	expr_free(e);
	return ok;
}

bool debug_eval_count(struct debug *d, const char *s, size_t n, uint64_t *out, struct text *why)
{
	struct expr_value v;
	int64_t i = -1;
	if (!debug_eval_number(d, s, n, &v, why))
		return false;
	bool ok = expr_value_integer(&v, &i) && i >= 0 && !isa_type_is_float(v.type);
	expr_value_free(&v);
	*out = (uint64_t)i;
	return ok || debug_fail(why, "%.*s is no count", (int)n, s);
}
