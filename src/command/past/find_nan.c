/* `find-nan`: the instruction at which a NaN or an infinity was born. From the value backwards, from each instruction to the operand that
 * wasn't finite already. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/past/past_commands.h"
#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/view/view.h"
#include "debug/expr/format.h"
#include "debug/describe.h"
#include "debug/setup/buffer.h"
#include "history/nan_search.h"
#include "history/window.h"

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

static const char *what_is(enum isa_type t, uint64_t v)
{
	const double value = format_to_double(t, &v);
	return isnan(value) ? "NaN" : "infinity";
}

/* ---- words ---- */

static void add_way(struct history *h, const struct nan_origin *o, struct report *answer)
{
	const uint32_t n = o->way.n_passed < NAN_PLACES ? o->way.n_passed : NAN_PLACES;
	report_number(answer, "instructions", o->way.n);
	report_list(answer, "way");
	for (uint32_t k = 0; k < n; k++) {
		const struct nan_passed *p = &o->way.passed[k];
		struct text look = {0};
		report_open(answer, NULL);
		describe_place(history_debug(h), answer, p->pc);
		report_number(answer, "times", p->times);
		report_close(answer);
		debug_place_text(history_debug(h), p->pc, &look);
		if (p->times > 1)
			text_addf(&look, " %u times", p->times);
		report_look(answer, "%s", text_str(&look));
		text_free(&look);
	}
	report_close(answer);
	if (n)
		report_line(answer, o->way.n_passed > n ? "  went on through {instructions} instruction{instructions|s}: {way}, ...\n"
							: "  went on through {instructions} instruction{instructions|s}: {way}\n");
}

static void add_operand(struct nan_search *s, const struct nan_origin *o, const struct debug_operand *r, struct report *answer)
{
	const struct trace_point at = {o->step.executed, o->step.frame, o->step.depth};
	bool failed = false;
	uint64_t v;
	struct trace_source by;
	const bool found =
		trace_source_of(s->h, s->trace, &o->thread, &at, r->word, &s->here, &by, &failed);
	if (failed)
		return;
	report_text(answer, "name", r->text);
	report_line(answer, "  {name}");
	const uint32_t pc = found ? by.step->pc : 0; /* traces move */
	if (!found) {
		report_text(answer, "mark", "uninitialised");
		report_line(answer, ": never written  <- {mark}");
	} else if (nan_search_value(s, &o->thread, &o->step, r->word, &v)) {
		describe_value(answer, "value", r->type, v);
		describe_place(history_debug(s->h), answer, pc);
		report_line(answer, " = {value} at {ptx}[ ({source})] {instruction}");
	}
	report_say(answer, "\n");
}

static void add_operands(struct nan_search *s, const struct nan_origin *o, struct report *answer)
{
	struct debug_operand all[DEBUG_OPERANDS_MAX];
	const uint32_t n = debug_operands(history_debug(s->h), o->step.pc, all);
	report_list(answer, "operands");
	for (uint32_t k = 0; k < n; k++) {
		if (all[k].kind != DEBUG_OPERAND_REGISTER)
			continue;
		report_open(answer, NULL);
		add_operand(s, o, &all[k], answer);
		report_close(answer);
	}
	report_close(answer);
}

static void tell_host(struct history *h, const struct nan_origin *o, struct report *answer)
{
	struct text owner = {0};
	bool initialised;
	report_line(answer, "{is} came from the host");
	if (o->generic && debug_memory_owner(history_debug(h), o->generic, &initialised, &owner)) {
		text_clear(&owner);
		input_text(h, o->is_written ? &o->by : NULL, o->generic, &owner);
		report_say(answer, ": ");
		debug_memory_name(history_debug(h), o->generic, o->type, report_prose(answer));
		report_say(answer, " of %s%s", text_str(&owner), initialised ? "" : ", which nobody has written");
	}
	report_say(answer, "\n");
	describe_by(answer, "host", text_str(&owner));
	text_free(&owner);
}

static void tell_initial(struct history *h, const struct nan_origin *o, struct report *answer)
{
	struct text name = {0}, module = {0};
	debug_memory_name(history_debug(h), o->generic, o->type, &name);
	debug_memory_module(history_debug(h), o->generic, &module);
	report_say(answer, "%s is the initial value of %s in module %s\n", what_is(o->type, o->value), text_str(&name), text_str(&module));
	describe_by(answer, "module", text_str(&module));
	text_free(&name);
	text_free(&module);
}

static void tell(struct nan_search *s, const struct nan_origin *o, struct report *answer)
{
	struct history *h = s->h;
	if (o->how == NAN_BORN || o->how == NAN_FROM_HOST || o->how == NAN_INITIAL)
		report_text(answer, "is", what_is(o->type, o->value));
	switch (o->how) {
	case NAN_BORN:
		describe_by_thread(history_debug(h), answer, &o->thread, o->step.pc, o->step.cycle);
		report_line(answer, "{is} was born at {ptx}[ ({source})] {instruction}[, thread uid {uid}], in cycle {cycle}\n");
		add_operands(s, o, answer);
		break;
	case NAN_FROM_HOST: tell_host(h, o, answer); break;
	case NAN_INITIAL: tell_initial(h, o, answer); break;
	default:
		report_say(answer, "it was in a register or in memory that nobody has written\n");
		describe_by(answer, "nobody", "");
	}
	add_way(h, o, answer);
}

/* ---- buffers ---- */

static bool element(struct history *h, const struct debug_buffer *b, uint64_t k, uint64_t *v)
{
	*v = 0;
	return gpu_read(debug_gpu(history_debug(h)), b->address + k * isa_type_bytes(b->type), v, isa_type_bytes(b->type)) &&
	       !nan_is_finite(b->type, *v);
}

static bool is_earlier(const struct nan_origin *a, const struct nan_origin *b)
{
	return a->how != NAN_BORN ? b->how == NAN_BORN : b->how == NAN_BORN && a->step.cycle < b->step.cycle;
}

/* Tells of the oldest of some places. */
static void follow(struct nan_search *s, const struct seen_float *at, const uint64_t *value, size_t n, struct report *answer)
{
	struct nan_element w[NAN_ELEMENTS_MAX];
	size_t best = 0;
	struct text name[NAN_ELEMENTS_MAX] = {{0}}; /* the search takes the machine to where other names may be there */
	n = n < NAN_ELEMENTS_MAX ? n : NAN_ELEMENTS_MAX;
	for (size_t k = 0; k < n; k++)
		debug_memory_name(history_debug(s->h), at[k].generic, at[k].type, &name[k]);
	for (size_t k = 0; k < n; k++)
		w[k] = (struct nan_element){.p = {.in_memory = true,
					  .value = value[k],
					  .type = at[k].type,
					  .bytes = {at[k].generic, isa_type_bytes(at[k].type), {0}}},
					    .is_nan = nan_is_source(at[k].type, value[k], true)};
	nan_search_run(s, w, n);
	for (size_t k = 1; k < n; k++)
		if (is_earlier(&w[k].o, &w[best].o))
			best = k;
	report_text(answer, "name", text_str(&name[best]));
	report_line(answer, "{name}: ");
	for (size_t k = 0; k < n; k++)
		text_free(&name[k]);
	tell(s, &w[best].o, answer);
}

/* What isn't finite in a buffer; of bytes, which memory of programs is, what kernels have used as floats. */
struct in_buffer {
	const struct debug_buffer *b;
	uint64_t n;
	struct seen_float at[NAN_ELEMENTS_MAX];
	uint64_t value[NAN_ELEMENTS_MAX];
};

/* Returns true if what kernels have used as floats is looked for in the buffer: its type says nothing, or it is of integers. */
static bool is_bytes(const struct debug_buffer *b) { return !nan_is_float(b->type) && isa_type_bytes(b->type); }
static bool is_meant(const struct debug_buffer *b, const struct debug_buffer *only)
{
	return (!only || b == only) && !b->c && (nan_is_float(b->type) || is_bytes(b));
}

static void add_place(struct history *h, struct in_buffer *f, uint64_t generic, enum isa_type type)
{
	if (f->n < NAN_ELEMENTS_MAX) {
		f->at[f->n] = (struct seen_float){generic, type};
		gpu_read(debug_gpu(history_debug(h)), generic, &f->value[f->n], isa_type_bytes(type));
	}
	f->n++;
}

static bool is_there(struct history *h, const struct debug_buffer *b, const struct seen_float *f)
{
	uint64_t v = 0;
	const uint64_t wide = isa_type_bytes(f->type);
	return f->generic >= b->address && f->generic + wide <= b->address + debug_buffer_bytes(b) &&
	       gpu_read(debug_gpu(history_debug(h)), f->generic, &v, wide) && !nan_is_finite(f->type, v);
}

static void look_into(struct history *h, struct in_buffer *f, const struct seen_float *seen, size_t n_seen)
{
	uint64_t v;
	for (size_t k = 0; is_bytes(f->b) && k < n_seen; k++)
		if (is_there(h, f->b, &seen[k]))
			add_place(h, f, seen[k].generic, seen[k].type);
	for (uint64_t k = 0; nan_is_float(f->b->type) && k < f->b->count; k++)
		if (element(h, f->b, k, &v))
			add_place(h, f, f->b->address + k * isa_type_bytes(f->b->type), f->b->type);
}

static void tell_buffer(struct nan_search *s, const struct in_buffer *f, struct report *answer)
{
	report_open(answer, NULL);
	report_text(answer, "buffer", f->b->name);
	report_number(answer, "not_finite", f->n);
	report_number(answer, "elements", f->b->count);
	if (is_bytes(f->b))
		report_line(answer, f->n == 1 ? "{not_finite} float in {buffer} isn't finite\n"
					      : "{not_finite} floats in {buffer} aren't finite\n");
	else
		report_line(answer, f->n == 1 ? "{not_finite} of {elements} elements of {buffer} isn't finite\n"
					      : "{not_finite} of {elements} elements of {buffer} aren't finite\n");
	follow(s, f->at, f->value, f->n < NAN_ELEMENTS_MAX ? (size_t)f->n : NAN_ELEMENTS_MAX, answer);
	report_close(answer);
}

/* Returns true if kernels hold floats in words of integers. */
static bool has_float_words(struct history *h)
{
	uint8_t *types;
	const bool any = float_words(h, &types);
	free(types);
	return any;
}

/* Returns true if there is such a buffer. `words`: kernels hold floats in words of integers. */
static bool any_bytes(struct history *h, const struct debug_buffer *only, bool words)
{
	for (size_t k = 0; k < debug_buffer_count(history_debug(h)); k++)
		if (is_meant(debug_buffer_at(history_debug(h), k), only) && is_bytes(debug_buffer_at(history_debug(h), k)) &&
		    (only || words || isa_type_bytes(debug_buffer_at(history_debug(h), k)->type) == 1))
			return true;
	return false;
}

/* Returns the freed allocations of a program whose bytes are still there, as buffers of bytes, the one freed last first. The caller frees the array. */
static struct debug_buffer *freed_buffers(const struct gpu *g, size_t *n)
{
	size_t count;
	const struct gpu_allocation *a = gpu_allocations(g, &count);
	struct debug_buffer *out = xcalloc(count + 1, sizeof *out);
	*n = 0;
	for (size_t k = count; k-- > 0;)
		if (a[k].keeps_bytes && a[k].by_program)
			out[(*n)++] = (struct debug_buffer){.name = xstrdup(a[k].name),
							    .type = ISA_U8,
							    .count = a[k].bytes,
							    .bytes = a[k].bytes,
							    .address = a[k].address};
	return out;
}

static void free_buffers(struct debug_buffer *b, size_t n)
{
	for (size_t k = 0; k < n; k++)
		free(b[k].name);
	free(b);
}

/* Looks at the memory that the program freed last. Returns false if the past can't be run again; *any: something was found. */
static bool in_freed(struct nan_search *s, const char *only, bool *any, struct report *answer)
{
	size_t n, n_seen = 0;
	struct debug_buffer *b = freed_buffers(debug_gpu(history_debug(s->h)), &n);
	struct seen_float *seen = NULL;
	const bool ok = !n || seen_floats(s->h, &s->here, &seen, &n_seen);
	struct in_buffer *found = xcalloc(n + 1, sizeof *found);
	*any = false;
	for (size_t k = 0; ok && k < n; k++) {
		found[k].b = &b[k];
		if (!*only || !strcmp(only, b[k].name))
			look_into(s->h, &found[k], seen, n_seen);
	}
	for (size_t k = 0; ok && k < n; k++) {
		if (!found[k].n)
			continue;
		if (!*any)
			report_say(answer, *only ? "%s was freed; its last bytes are looked at.\n" : "The program has freed its memory; what it freed last is looked at.\n", only);
		*any = true;
		tell_buffer(s, &found[k], answer);
	}
	free(found);
	free(seen);
	free_buffers(b, n);
	return ok;
}

/* Looks for the first value that an instruction made, which may only have been in registers, or printed. */
static bool in_registers(struct nan_search *s, const char *where, struct report *answer)
{
	struct nan_first f;
	if (!nan_first_birth(s->h, &s->here, &f))
		return false;
	if (!f.is_found) {
		report_say(answer, "No NaN and no infinity in %s, nor in any register.\n", where);
		return true;
	}
	struct nan_element way = {.p = {.thread = f.thread, .at = f.at}, .is_nan = f.is_nan};
	way.p.at.executed++;
	debug_register_of(history_debug(s->h), f.pc, f.word, &way.p.reg);
	way.p.type = way.p.reg.type;
	report_say(answer, "No NaN and no infinity in %s. The first in a register:\n", where);
	report_open(answer, NULL);
	report_text(answer, "name", way.p.reg.text);
	report_line(answer, "{name}: ");
	nan_search_run(s, &way, 1);
	tell(s, &way.o, answer);
	report_close(answer);
	return true;
}

/* Looks further if no buffer has such a value: in freed memory, then in registers. */
static bool elsewhere(struct nan_search *s, const struct debug_buffer *only, const char *where, struct report *answer)
{
	bool any = false;
	if (only)
		report_say(answer, "No NaN and no infinity in %s.\n", only->name);
	return only || (in_freed(s, "", &any, answer) && (any || in_registers(s, where, answer)));
}

/* All are looked at before the first is followed, which takes the machine elsewhere. */
static bool in_buffers(struct nan_search *s, const struct debug_buffer *only, struct report *answer)
{
	struct history *h = s->h;
	const size_t n = debug_buffer_count(history_debug(h));
	const bool words = has_float_words(h), bytes = any_bytes(h, only, words);
	bool any = false;
	struct seen_float *seen = NULL;
	size_t n_seen = 0;
	if (bytes && !seen_floats(h, &s->here, &seen, &n_seen)) {
		free(seen);
		return false;
	}
	struct in_buffer *found = xcalloc(n + 1, sizeof *found);
	for (size_t k = 0; k < n; k++) {
		found[k].b = debug_buffer_at(history_debug(h), k);
		if (is_meant(found[k].b, only))
			look_into(h, &found[k], seen, n_seen);
	}
	for (size_t k = 0; k < n; k++)
		if (found[k].n) {
			tell_buffer(s, &found[k], answer);
			any = true;
		}
	free(found);
	free(seen);
	return any || elsewhere(s, only, bytes ? "what kernels have used as floats" : "any buffer of floats", answer);
}

/* ---- the command ---- */

static bool scalar(struct nan_search *s, const struct expr_value *v, struct report *answer, struct text *why)
{
	struct debug_where w;
	const bool has = debug_focus_where(history_debug(s->h), &w) && w.w, is_row = v->place.kind == EXPR_ROW;
	struct nan_element way = {.p = {.type = v->type}, .is_nan = isnan(v->u.f64)};
	struct nan_point *const p = &way.p;
	if (v->is_array || !nan_is_float(v->type) || (v->place.kind != EXPR_MEMORY && !(is_row && has)))
		return fail(why, "find-nan looks at buffers of floats, at a float in memory, and at registers of a "
				 "thread on a core");
	if (isfinite(v->u.f64)) {
		report_say(answer, "It is a number.\n");
		return true;
	}
	p->in_memory = !is_row;
	p->thread = has ? w.thread : (struct debug_thread){0};
	p->at = (struct trace_point){has ? w.w->executed : 0, v->place.frame, 0};
	if (has)
		debug_frame_depth(history_debug(s->h), &w.thread, v->place.frame, &p->at.depth);
	if (!is_row)
		gpu_read(debug_gpu(history_debug(s->h)), v->place.address, &p->value, isa_type_bytes(v->type));
	p->bytes = (struct where_bytes){v->place.address, isa_type_bytes(v->type), p->thread};
	if (is_row)
		debug_register_of(history_debug(s->h), w.pc, ISA_RW_ROW(v->place.ref), &p->reg);
	nan_search_run(s, &way, 1);
	report_open(answer, NULL);
	tell(s, &way.o, answer);
	report_close(answer);
	return true;
}

/* Returns true if a name is that of a freed allocation whose bytes are still there. */
static bool is_freed_name(struct debug *d, const char *name)
{
	size_t n;
	struct debug_buffer *b = freed_buffers(debug_gpu(d), &n);
	bool is = false;
	for (size_t k = 0; k < n; k++)
		is |= !strcmp(b[k].name, name);
	free_buffers(b, n);
	return is;
}

bool command_find_nan(struct history *h, const char *args, struct report *answer, struct text *why)
{
	struct expr_value v = {0};
	struct nan_search s = {.h = h};
	struct history_aside aside;
	args += strspn(args, " \t");
	if (!history_can_go_back(h, why))
		return false;
	const struct debug_buffer *b = debug_buffer_find(history_debug(h), args, strcspn(args, " \t"));
	if (b && (b->c || !(nan_is_float(b->type) || isa_type_bytes(b->type) == 1 || (is_bytes(b) && has_float_words(h)))))
		return fail(why, "the buffer's elements are no floats");
	const bool is_freed = !b && is_freed_name(history_debug(h), args);
	if (*args && !b && !is_freed && !debug_eval(history_debug(h), args, &v, why))
		return false;
	history_aside_begin(h, &aside);
	history_grow_windows(h);
	s.here = aside.at;
	bool ok = true, any = true;
	report_list(answer, "births");
	if (is_freed)
		ok = in_freed(&s, args, &any, answer);
	else if (*args && !b)
		ok = scalar(&s, &v, answer, why);
	else
		ok = in_buffers(&s, b, answer);
	if (is_freed && !any)
		report_say(answer, "No NaN and no infinity in %s, which was freed.\n", args);
	report_close(answer);
	nan_search_free(&s);
	ok = history_aside_end(h, &aside) && ok;
	expr_value_free(&v);
	return ok || why->n ? ok : history_aside_failed(h, why);
}
