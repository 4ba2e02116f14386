/* `find-nan`: the instruction at which a value that is no number any more was born. From the value backwards, from each instruction to the operand
 * that wasn't finite already. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/describe.h"
#include "debug/setup/buffer.h"
#include "history/trace.h"
#include "isa/opcodes.h"

#define STEPS_MAX 1000000u
#define PLACES_MAX 8u	/* of its way that are named */
#define ELEMENTS_MAX 8u /* of a buffer that are followed */

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

static bool is_float(enum isa_type t) { return isa_type_is_float(t) && isa_type_bytes(t) >= 2; }
static bool is_finite(enum isa_type t, uint64_t v) { return isfinite(format_to_double(t, &v)); }
static const char *what_is(enum isa_type t, uint64_t v) { return isnan(format_to_double(t, &v)) ? "NaN" : "infinity"; }

/* ---- the way back ---- */

/* A register in front of a thread's instruction, or memory. */
struct point {
	bool in_memory;
	struct debug_thread thread;
	struct trace_point at;
	struct debug_operand reg;
	struct where_bytes bytes;
	struct until until;
	struct debug_thread until_thread;
	bool has_then; /* up to there; else up to here */
	struct history_position then;
	enum isa_type type; /* it is one of these, and not finite */
};

enum birth { BORN, FROM_HOST, FROM_NOBODY, LOST };
struct origin {
	enum birth how;
	struct debug_thread thread;
	struct debug_step step; /* BORN */
	struct write by;	/* FROM_HOST */
	bool is_written;	/* by is known */
	uint64_t value, generic;
	enum isa_type type;
	uint32_t n_way; /* so many instructions after it; the first of them: */
	uint32_t n_passed;
	struct passed {
		uint32_t pc, times; /* one after the other */
	} passed[PLACES_MAX + 1];
};

struct search {
	struct history *h;
	struct history_position here;
	struct trace *trace; /* of the element that is followed, or its own: */
	struct trace own;
	struct trace_group group;
};

/* The value of a thread's register in front of an instruction. False: it isn't known. */
static bool value_at(struct search *s, const struct debug_thread *t, const struct debug_step *step, uint32_t word,
		     uint64_t *v)
{
	const struct trace_point at = {step->executed, step->frame, step->depth};
	bool failed = false;
	return trace_value_of(s->h, s->trace, t, &at, word, &s->here, v, &failed) && !failed;
}

#define ALL UINT32_MAX

/* Registers of an address stand behind it: their names are in its text. */
static bool is_address(const struct debug_operand *o, uint32_t k)
{
	return k && o[k].kind == DEBUG_OPERAND_REGISTER && o[k - 1].kind == DEBUG_OPERAND_MEMORY &&
	       strstr(o[k - 1].text, o[k].text);
}

/* The first operand of an execution that isn't finite; of a store of several elements the one of that number. */
static bool bad_operand(struct search *s, const struct point *p, const struct debug_step *step, enum isa_type type,
			uint32_t element, struct debug_operand *out)
{
	struct debug_operand o[DEBUG_OPERANDS_MAX];
	const uint32_t n = debug_operands(s->h->d, step->pc, o);
	uint32_t value = 0;
	for (uint32_t k = 0; k < n; k++) {
		uint64_t v;
		const enum isa_type t = is_float(o[k].type) ? o[k].type : type;
		if (o[k].kind == DEBUG_OPERAND_MEMORY || is_address(o, k))
			continue;
		if (element != ALL && value++ != element)
			continue;
		if (o[k].kind != DEBUG_OPERAND_REGISTER || !is_float(t))
			continue;
		if (!value_at(s, &p->thread, step, o[k].word, &v) || is_finite(t, v))
			continue;
		*out = o[k];
		out->type = t;
		return true;
	}
	return false;
}

static void note_way(struct origin *o, uint32_t pc)
{
	o->n_way++;
	if (o->n_passed && o->passed[0].pc == pc) {
		o->passed[0].times++;
		return;
	}
	memmove(o->passed + 1, o->passed, PLACES_MAX * sizeof *o->passed);
	o->passed[0] = (struct passed){pc, 1};
	o->n_passed += o->n_passed <= PLACES_MAX;
}

static void to_register(struct point *p, const struct debug_thread *t, const struct debug_step *step,
			const struct debug_operand *r)
{
	p->in_memory = false;
	p->thread = *t;
	p->at = (struct trace_point){step->executed, step->frame, step->depth};
	p->reg = *r;
	p->type = r->type;
}

static void to_memory(struct point *p, const struct debug_step *step, enum isa_type type, uint64_t generic, bool past)
{
	p->in_memory = true;
	p->bytes = (struct where_bytes){.generic = generic, .n = isa_type_bytes(type), .thread = p->thread};
	p->until_thread = p->thread;
	p->has_then = false;
	p->until = (struct until){.executed = step->executed, .past = past, .pc = step->pc};
	p->type = type;
}

/* To the other side of a call; false: it was a constant. */
static bool through_call(struct point *p, const struct trace_source *from)
{
	const struct debug_step there = {
		.executed = from->at.executed, .frame = from->at.frame, .depth = from->at.depth};
	const struct debug_operand r = {.type = p->type, .word = from->arg.word};
	if (from->arg.kind == DEBUG_ARGUMENT_REGISTER)
		to_register(p, &p->thread, &there, &r);
	else
		to_memory(p, &there, p->type, from->generic, false);
	return from->arg.kind != DEBUG_ARGUMENT_CONSTANT;
}

/* From a register to what made it. True: further back; else o says how it began. */
static bool step_back(struct search *s, struct point *p, struct origin *o)
{
	bool failed = false;
	uint32_t which = 0;
	struct debug_operand from;
	struct trace_source by;
	const bool found =
		trace_source_of(s->h, s->trace, &p->thread, &p->at, p->reg.word, &s->here, &by, &failed);
	o->how = failed ? LOST : found ? BORN : FROM_NOBODY;
	if (!found || failed)
		return false;
	const struct debug_step step = *by.step;
	if (by.how != TRACE_WRITTEN) {
		note_way(o, step.pc);
		o->step = step;
		return through_call(p, &by);
	}
	const struct isa_insn *i = &gpu_program(s->h->g)->insns[step.pc];
	o->step = step;
	o->thread = p->thread;
	o->type = p->type;
	trace_step_value(s->h, &step, p->reg.word, &o->value);
	debug_writes(s->h->d, step.pc, p->reg.word, &which);
	if (i->opcode == ISA_OP_LD || i->opcode == ISA_OP_LDU || i->opcode == ISA_OP_ATOM) {
		if (!step.address || (i->space == ISA_SPACE_PARAM && !(i->flags & ISA_F_PARAM)))
			return o->how = FROM_HOST, false;
		note_way(o, step.pc);
		to_memory(p, &step, p->type, step.address + which * isa_type_bytes(p->type), i->opcode == ISA_OP_ATOM);
		return true;
	}
	if (i->opcode == ISA_OP_SHFL) {
		struct debug_operand all[DEBUG_OPERANDS_MAX];
		debug_operands(s->h->d, step.pc, all);
		struct debug_thread t = p->thread;
		t.thread = t.thread / LANES * LANES + step.lane;
		from = all[0];
		from.type = p->type;
		note_way(o, step.pc);
		to_register(p, &t, &step, &from);
		return true;
	}
	if (!bad_operand(s, p, &step, p->type, ALL, &from))
		return false;
	note_way(o, step.pc);
	to_register(p, &p->thread, &step, &from);
	return true;
}

/* Local memory that a call has copied an argument or a result to, later than the last store. */
static bool was_passed(struct search *s, const struct point *p, const struct write *w, struct trace_source *out)
{
	bool failed = false, found;
	const struct until *u = &p->until;
	if (!trace_is_local(p->bytes.generic) || !u->thread ||
	    !trace_reach(s->h, s->trace, u->thread, u->executed, &s->here))
		return false;
	do
		found = trace_copied(s->h, s->trace, u->executed, p->bytes.generic, p->bytes.n, out);
	while (!found && !failed && trace_lengthen(s->h, s->trace, &s->here, &failed));
	return found && !failed && (!w || w->executed < trace_copied_when(out));
}

/* From memory to the store. */
static bool write_back(struct search *s, struct point *p, struct origin *o)
{
	struct trace_source passed;
	struct write w;
	bool found;
	struct debug_operand from;
	p->until.limit = p->has_then ? &p->then : &s->here;
	p->until.thread = p->until.pc || p->until.executed || p->until.past ? &p->until_thread : NULL;
	o->generic = p->bytes.generic;
	o->type = p->type;
	if (!find_write(s->h, &p->bytes, &p->until, &w, &found))
		return o->how = LOST, false;
	memcpy(&o->value, w.after, sizeof o->value);
	if (was_passed(s, p, found && !w.by_host ? &w : NULL, &passed)) {
		note_way(o, passed.step->pc);
		return through_call(p, &passed);
	}
	o->how = !found || w.by_host ? FROM_HOST : BORN;
	if (o->how == FROM_HOST && found && input_source(s->h, &w, p->bytes.generic, &p->bytes.generic, &p->then)) {
		p->has_then = true;
		p->until = (struct until){.thread = NULL};
		return true;
	}
	if (o->how == FROM_HOST) {
		o->by = w;
		o->is_written = found;
		return false;
	}
	const struct debug_step *by = trace_reach(s->h, s->trace, &w.thread, w.executed + 1, &s->here)
					      ? trace_find(s->trace, w.executed, w.pc)
					      : NULL;
	if (!by)
		return o->how = LOST, false;
	const struct debug_step step = *by;
	p->thread = o->thread = w.thread;
	p->at.executed = step.executed;
	o->step = step;
	const struct isa_insn *i = &gpu_program(s->h->g)->insns[step.pc];
	const uint32_t wide = isa_type_bytes((enum isa_type)i->type);
	const bool is_vector = i->vec > 1 && wide && p->bytes.generic >= w.address;
	if (!bad_operand(s, p, &step, p->type, is_vector ? (uint32_t)((p->bytes.generic - w.address) / wide) : ALL,
			 &from)) {
		if (isa_opcode_info[i->opcode].family != ISA_FAMILY_ATOM || !is_float((enum isa_type)i->type))
			return false; /* a constant, or bytes that were something else */
		if (!step.has_values || is_finite(p->type, step.value[0]))
			return false;
		note_way(o, step.pc);
		to_memory(p, &step, p->type, p->bytes.generic, true);
		return true;
	}
	note_way(o, step.pc);
	to_register(p, &w.thread, &step, &from);
	return true;
}

/* An element that is followed. */
struct way {
	struct point p;
	struct origin o;
	uint32_t n;
	bool is_over;
};

/* Goes back until the thread would have to be followed further. */
static void go_back(struct search *s, struct way *w, size_t k)
{
	s->trace = &s->group.trace[k];
	while (!w->is_over) {
		s->group.is_waiting = false;
		const struct way was = *w;
		const bool further = w->p.in_memory ? write_back(s, &w->p, &w->o) : step_back(s, &w->p, &w->o);
		if (s->group.is_waiting) { /* this step is made again */
			const uint64_t from = was.p.in_memory ? 0 : was.p.at.executed;
			*w = was;
			s->trace->wanted_to = from > s->trace->wanted_to ? from : s->trace->wanted_to;
			return;
		}
		w->is_over = !further || ++w->n >= STEPS_MAX;
	}
}

/* Follows all elements, a stretch of their threads' instructions after the other: threads of a warp are followed in one run. */
static void search(struct search *s, struct way *w, size_t n)
{
	struct trace *traces = xcalloc(n, sizeof *traces);
	bool any = true;
	s->group = (struct trace_group){.trace = traces, .n = n};
	for (size_t k = 0; k < n; k++) {
		traces[k].group = &s->group;
		w[k].o = (struct origin){.how = LOST};
		go_back(s, &w[k], k); /* to where each needs its thread */
	}
	while (any) {
		any = false;
		for (size_t k = 0; k < n; k++) {
			const uint32_t had = w[k].n;
			go_back(s, &w[k], k);
			s->group.may_follow = had == w[k].n;
			go_back(s, &w[k], k);
			s->group.may_follow = false;
			any |= !w[k].is_over;
		}
	}
	for (size_t k = 0; k < n; k++)
		free(traces[k].step);
	free(traces);
	s->trace = &s->own;
}

/* ---- words ---- */

static void add_way(struct history *h, const struct origin *o, struct text *out)
{
	const uint32_t n = o->n_passed < PLACES_MAX ? o->n_passed : PLACES_MAX;
	facts_number(h->d, "instructions", o->n_way);
	facts_list(h->d, "way");
	for (uint32_t k = 0; k < n; k++) {
		facts_open(h->d, NULL);
		facts_place(h->d, o->passed[k].pc);
		facts_number(h->d, "times", o->passed[k].times);
		facts_close(h->d);
	}
	facts_close(h->d);
	if (!n)
		return;
	text_addf(out, "  went on through %u instruction%s: ", o->n_way, o->n_way == 1 ? "" : "s");
	for (uint32_t k = 0; k < n; k++) {
		text_add(out, k ? ", " : "");
		debug_pc_place(h->d, o->passed[k].pc, out);
		if (o->passed[k].times > 1)
			text_addf(out, " %u times", o->passed[k].times);
	}
	text_add(out, o->n_passed > n ? ", ...\n" : "\n");
}

static void add_operand(struct search *s, const struct origin *o, const struct debug_operand *r, struct text *out)
{
	const struct trace_point at = {o->step.executed, o->step.frame, o->step.depth};
	bool failed = false;
	uint64_t v;
	struct trace_source by;
	const bool found =
		trace_source_of(s->h, s->trace, &o->thread, &at, r->word, &s->here, &by, &failed);
	if (failed)
		return;
	text_addf(out, "  %s", r->text);
	facts_text(s->h->d, "name", r->text);
	const uint32_t pc = found ? by.step->pc : 0; /* traces move */
	if (!found) {
		text_add(out, ": never written  <- uninitialised");
		facts_text(s->h->d, "mark", "uninitialised");
	} else if (value_at(s, &o->thread, &o->step, r->word, &v)) {
		text_add(out, " = ");
		debug_step_value(r->type, v, out);
		text_addc(out, ' ');
		debug_step_place(s->h->d, pc, out);
		facts_value(s->h->d, "value", r->type, v);
		facts_place(s->h->d, pc);
	}
	text_addc(out, '\n');
}

static void add_operands(struct search *s, const struct origin *o, struct text *out)
{
	struct debug_operand all[DEBUG_OPERANDS_MAX];
	const uint32_t n = debug_operands(s->h->d, o->step.pc, all);
	facts_list(s->h->d, "operands");
	for (uint32_t k = 0; k < n; k++) {
		if (all[k].kind != DEBUG_OPERAND_REGISTER)
			continue;
		facts_open(s->h->d, NULL);
		add_operand(s, o, &all[k], out);
		facts_close(s->h->d);
	}
	facts_close(s->h->d);
}

static void tell_host(struct history *h, const struct origin *o, struct text *out)
{
	struct text owner = {0};
	bool initialised;
	text_addf(out, "%s came from the host", what_is(o->type, o->value));
	if (o->generic && debug_memory_owner(h->d, o->generic, &initialised, &owner)) {
		text_clear(&owner);
		input_text(h, o->is_written ? &o->by : NULL, o->generic, &owner);
		text_add(out, ": ");
		debug_memory_name(h->d, o->generic, o->type, out);
		text_addf(out, " of %s%s", text_str(&owner), initialised ? "" : ", which nobody has written");
	}
	text_addc(out, '\n');
	facts_by(h->d, "host", text_str(&owner));
	text_free(&owner);
}

static void tell(struct search *s, const struct origin *o, struct text *out)
{
	struct history *h = s->h;
	struct debug_where w;
	if (o->how == BORN || o->how == FROM_HOST)
		facts_text(h->d, "is", what_is(o->type, o->value));
	switch (o->how) {
	case BORN:
		text_addf(out, "%s was born ", what_is(o->type, o->value));
		debug_step_place(h->d, o->step.pc, out);
		if (debug_thread_where(h->d, &o->thread, &w))
			text_addf(out, ", thread uid %" PRIu64, w.uid);
		text_addf(out, ", in cycle %" PRIu64 "\n", o->step.cycle);
		facts_by_thread(h->d, &o->thread, o->step.pc, o->step.cycle);
		add_operands(s, o, out);
		break;
	case FROM_HOST: tell_host(h, o, out); break;
	default:
		text_add(out, "it was in a register or in memory that nobody has written\n");
		facts_by(h->d, "nobody", "");
	}
	add_way(h, o, out);
}

/* ---- buffers ---- */

static bool element(struct history *h, const struct debug_buffer *b, uint64_t k, uint64_t *v)
{
	*v = 0;
	return gpu_read(h->g, b->address + k * isa_type_bytes(b->type), v, isa_type_bytes(b->type)) &&
	       !is_finite(b->type, *v);
}

static bool is_earlier(const struct origin *a, const struct origin *b)
{
	return a->how != BORN ? b->how == BORN : b->how == BORN && a->step.cycle < b->step.cycle;
}

/* Tells of the oldest of some places. */
static void follow(struct search *s, const struct seen_float *at, size_t n, struct text *out)
{
	struct way w[ELEMENTS_MAX];
	size_t best = 0;
	n = n < ELEMENTS_MAX ? n : ELEMENTS_MAX;
	for (size_t k = 0; k < n; k++)
		w[k] = (struct way){.p = {.in_memory = true,
					  .type = at[k].type,
					  .bytes = {at[k].generic, isa_type_bytes(at[k].type), {0}}}};
	search(s, w, n);
	for (size_t k = 1; k < n; k++)
		if (is_earlier(&w[k].o, &w[best].o))
			best = k;
	struct text name = {0};
	debug_memory_name(s->h->d, at[best].generic, at[best].type, &name);
	facts_text(s->h->d, "name", text_str(&name));
	text_addf(out, "%s: ", text_str(&name));
	text_free(&name);
	tell(s, &w[best].o, out);
}

/* What isn't finite in a buffer; of bytes, which memory of programs is, what kernels have used as floats. */
struct in_buffer {
	const struct debug_buffer *b;
	uint64_t n;
	struct seen_float at[ELEMENTS_MAX];
};

static bool is_bytes(const struct debug_buffer *b) { return isa_type_bytes(b->type) == 1; }
static bool is_meant(const struct debug_buffer *b, const struct debug_buffer *only)
{
	return (!only || b == only) && !b->c && (is_float(b->type) || is_bytes(b));
}

static void add_place(struct in_buffer *f, uint64_t generic, enum isa_type type)
{
	if (f->n < ELEMENTS_MAX)
		f->at[f->n] = (struct seen_float){generic, type};
	f->n++;
}

static bool is_there(struct history *h, const struct debug_buffer *b, const struct seen_float *f)
{
	uint64_t v = 0;
	const uint64_t wide = isa_type_bytes(f->type);
	return f->generic >= b->address && f->generic + wide <= b->address + debug_buffer_bytes(b) &&
	       gpu_read(h->g, f->generic, &v, wide) && !is_finite(f->type, v);
}

static void look_into(struct history *h, struct in_buffer *f, const struct seen_float *seen, size_t n_seen)
{
	uint64_t v;
	for (size_t k = 0; is_bytes(f->b) && k < n_seen; k++)
		if (is_there(h, f->b, &seen[k]))
			add_place(f, seen[k].generic, seen[k].type);
	for (uint64_t k = 0; is_float(f->b->type) && k < f->b->count; k++)
		if (element(h, f->b, k, &v))
			add_place(f, f->b->address + k * isa_type_bytes(f->b->type), f->b->type);
}

static void tell_buffer(struct search *s, const struct in_buffer *f, struct text *out)
{
	facts_open(s->h->d, NULL);
	facts_text(s->h->d, "buffer", f->b->name);
	facts_number(s->h->d, "not_finite", f->n);
	const char *isnt = f->n == 1 ? "isn't" : "aren't", *name = f->b->name;
	if (is_bytes(f->b))
		text_addf(out, "%" PRIu64 " float%s in %s %s finite\n", f->n, f->n == 1 ? "" : "s", name, isnt);
	else
		text_addf(out, "%" PRIu64 " of %" PRIu64 " elements of %s %s finite\n", f->n, f->b->count, name, isnt);
	follow(s, f->at, f->n < ELEMENTS_MAX ? (size_t)f->n : ELEMENTS_MAX, out);
	facts_close(s->h->d);
}

static bool any_bytes(struct history *h, const struct debug_buffer *only)
{
	for (size_t k = 0; k < debug_buffer_count(h->d); k++)
		if (is_meant(debug_buffer_at(h->d, k), only) && is_bytes(debug_buffer_at(h->d, k)))
			return true;
	return false;
}

/* All are looked at before the first is followed, which takes the machine elsewhere. */
static bool in_buffers(struct search *s, const struct debug_buffer *only, struct text *out)
{
	struct history *h = s->h;
	const size_t before = out->n, n = debug_buffer_count(h->d);
	const bool bytes = any_bytes(h, only);
	struct seen_float *seen = NULL;
	size_t n_seen = 0;
	if (bytes && !seen_floats(h, &s->here, &seen, &n_seen)) {
		free(seen);
		return false;
	}
	struct in_buffer *found = xcalloc(n + 1, sizeof *found);
	for (size_t k = 0; k < n; k++) {
		found[k].b = debug_buffer_at(h->d, k);
		if (is_meant(found[k].b, only))
			look_into(h, &found[k], seen, n_seen);
	}
	for (size_t k = 0; k < n; k++)
		if (found[k].n)
			tell_buffer(s, &found[k], out);
	if (out->n == before)
		text_addf(out, "No NaN and no infinity in %s.\n",
			  only	  ? only->name
			  : bytes ? "what kernels have used as floats"
				  : "any buffer of floats");
	free(found);
	free(seen);
	return true;
}

/* ---- the command ---- */

static bool scalar(struct search *s, const struct expr_value *v, struct text *out, struct text *why)
{
	struct debug_where w;
	const bool has = debug_focus_where(s->h->d, &w) && w.w, is_row = v->place.kind == EXPR_ROW;
	struct way way = {.p = {.type = v->type}};
	struct point *const p = &way.p;
	if (v->is_array || !is_float(v->type) || (v->place.kind != EXPR_MEMORY && !(is_row && has)))
		return fail(why, "find-nan looks at buffers of floats, at a float in memory, and at registers of a "
				 "thread on a core");
	if (isfinite(v->u.f64)) {
		text_add(out, "It is a number.\n");
		return true;
	}
	p->in_memory = !is_row;
	p->thread = has ? w.thread : (struct debug_thread){0};
	p->at = (struct trace_point){has ? w.w->executed : 0, v->place.frame, 0};
	if (has)
		debug_frame_depth(s->h->d, &w.thread, v->place.frame, &p->at.depth);
	p->bytes = (struct where_bytes){v->place.address, isa_type_bytes(v->type), p->thread};
	if (is_row)
		debug_register_of(s->h->d, w.pc, ISA_RW_ROW(v->place.ref), &p->reg);
	search(s, &way, 1);
	facts_open(s->h->d, NULL);
	tell(s, &way.o, out);
	facts_close(s->h->d);
	return true;
}

bool history_cmd_find_nan(struct history *h, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct expr_value v = {0};
	struct search s = {.h = h};
	struct history_aside aside;
	args += strspn(args, " \t");
	if (!history_needs(h, why))
		return false;
	const struct debug_buffer *b = debug_buffer_find(h->d, args, strcspn(args, " \t"));
	if (b && (b->c || !(is_float(b->type) || is_bytes(b))))
		return fail(why, "the buffer's elements are no floats");
	if (*args && !b && !debug_eval(h->d, args, &v, why))
		return false;
	history_aside_begin(h, &aside);
	s.here = aside.at;
	bool ok = true;
	facts_list(h->d, "births");
	if (*args && !b)
		ok = scalar(&s, &v, out, why);
	else
		ok = in_buffers(&s, b, out);
	facts_close(h->d);
	free(s.own.step);
	ok = history_aside_end(h, &aside) && ok;
	expr_value_free(&v);
	return ok || why->n ? ok : history_aside_failed(h, why);
}
