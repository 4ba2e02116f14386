/* `who-wrote LVALUE`: who has written memory or a register last. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/past/past_commands.h"
#include "debug/expr/expr.h"
#include "debug/describe.h"
#include "debug/view/address.h"
#include "history/origin.h"

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

/* Says the value's name, as it was asked for. */
static void add_name(const char *args, struct report *answer)
{
	args += strspn(args, " \t");
	size_t n = strlen(args);
	while (n && strchr(" \t", args[n - 1]))
		n--;
	report_say(answer, "%.*s", (int)n, args);
}

static void add_nobody(const char *args, struct report *answer)
{
	report_say(answer, "nobody has written ");
	add_name(args, answer);
	describe_by(answer, "nobody", "");
}

static void add_thread(struct history *h, const struct debug_thread *t, uint32_t pc, uint64_t cycle, struct report *answer)
{
	describe_by_thread(history_debug(h), answer, t, pc, cycle);
	report_line(answer, " was written by thread[ uid {uid}] at {ptx}[ ({source})] in cycle {cycle}");
}

static void add_change(enum isa_type type, uint64_t before, uint64_t after, struct report *answer)
{
	describe_value(answer, "before", type, before);
	describe_value(answer, "after", type, after);
	report_line(answer, ": {before} -> {after}");
}

/* Of memory that no kernel has written. */
static void add_other(struct history *h, const char *args, uint64_t generic, const struct memory_origin *o,
		      struct report *answer)
{
	struct text what = {0};
	switch (o->how) {
	case MEMORY_UNKNOWN:
		add_nobody(args, answer);
		report_say(answer, " since recording began");
		input_missing_text(h, report_prose(answer));
		break;
	case MEMORY_UNWRITTEN: add_nobody(args, answer); break;
	case MEMORY_INITIAL:
		debug_memory_module(history_debug(h), generic, &what);
		add_name(args, answer);
		describe_by(answer, "module", text_str(&what));
		report_line(answer, " has the initial value of module {what}");
		break;
	default:
		input_text(h, o->is_written ? &o->write : NULL, generic, &what);
		add_name(args, answer);
		describe_by(answer, "host", text_str(&what));
		report_line(answer, " was written by the host[ ({what})]");
	}
	text_free(&what);
}

/* Adds the cells `state`, `made_by` and `freed_by` of memory that was freed. */
static void add_freed(struct debug *d, uint64_t generic, struct report *answer)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(debug_gpu(d), generic);
	struct text made = {0}, freed = {0};
	report_text(answer, "state", "freed");
	if (a && debug_allocation_made(d, a, &made))
		report_text(answer, "made_by", text_str(&made));
	if (a && debug_allocation_freed(d, a, &freed))
		report_text(answer, "freed_by", text_str(&freed));
	text_free(&made);
	text_free(&freed);
}

static bool memory(struct history *h, const char *args, const struct expr_value *v, const struct history_position *here,
		   struct report *answer)
{
	struct debug_where w;
	const bool has = debug_focus_where(history_debug(h), &w);
	const enum isa_type type = v->pointers ? ISA_U64 : v->type;
	const uint64_t bytes = isa_type_bytes(type) ? isa_type_bytes(type) : 1;
	const struct where_bytes b = {.generic = v->place.address,
				      .n = v->is_object	 ? v->count
					   : v->is_array ? v->count * bytes
							 : bytes,
				      .thread = has ? w.thread : (struct debug_thread){0}};
	const bool is_local = has && w.w && trace_is_local(b.generic);
	const bool is_freed = gpu_is_freed(debug_gpu(history_debug(h)), b.generic);
	const struct until u = {
		.thread = is_local ? &w.thread : NULL, .executed = has && w.w ? w.w->executed : 0, .limit = here};
	struct memory_origin o;
	struct trace t = {0};
	uint64_t before = 0, after = 0;
	const bool ok = memory_origin(h, &t, &b, &u, &o);
	free(t.step);
	if (!ok)
		return false;
	if (o.how == MEMORY_CALLED) {
		add_name(args, answer);
		add_thread(h, &w.thread, o.step.pc, o.step.cycle, answer);
	} else if (o.how != MEMORY_STORED) {
		add_other(h, args, b.generic, &o, answer);
	} else {
		add_name(args, answer);
		add_thread(h, &o.write.thread, o.write.pc, o.write.cycle, answer);
		memcpy(&before, o.write.before, sizeof before);
		memcpy(&after, o.write.after, sizeof after);
		if (b.n == bytes && bytes <= sizeof after)
			add_change(type, before, after, answer);
	}
	if (is_freed)
		add_freed(history_debug(h), b.generic, answer);
	report_line(answer, "[ ({state})][, made by {made_by}][, freed by {freed_by}]\n");
	return true;
}

/* Tells of a value that a call has made: returned, or passed as an argument. Returns false if what was can't be run again. */
static bool tell_call(struct history *h, const struct debug_operand *r, const struct debug_where *w,
		      const struct trace_point *at, const struct history_position *here, struct report *answer)
{
	struct trace t = {0};
	struct trace_source by;
	uint64_t before = 0, after = 0;
	bool failed = false;
	const bool found = trace_source_of(h, &t, &w->thread, at, r->word, here, &by, &failed);
	if (found) {
		const struct debug_step step = *by.step; /* traces move */
		const struct trace_point earlier = {step.executed, at->frame, at->depth};
		const bool passed = by.how == TRACE_PASSED;
		add_thread(h, &w->thread, step.pc, step.cycle, answer);
		const bool known = trace_value_of(h, &t, &w->thread, at, r->word, here, &after, &failed);
		if (known && !passed && !failed)
			trace_value_of(h, &t, &w->thread, &earlier, r->word, here, &before, &failed);
		if (known)
			add_change(r->type, before, after, answer);
	}
	free(t.step);
	return found && !failed;
}

/* `at`: what is asked about, in front of the present instruction. */
static bool of_register(struct history *h, const char *args, uint32_t word, const struct debug_where *w,
			const struct trace_point *at, const struct history_position *here, struct report *answer)
{
	struct debug_operand r = {0};
	struct register_write by;
	uint64_t after;
	const uint32_t pc = debug_frame_pc(history_debug(h), &w->thread, at->frame);
	debug_register_of(history_debug(h), w->pc, word, &r);
	bool ok = register_write_before(h, &w->thread, at, &r, pc, here, &by);
	if (!ok)
		return false;
	if (by.how == REGISTER_UNWRITTEN) {
		add_nobody(args, answer);
	} else {
		add_name(args, answer);
		if (by.how == REGISTER_CALLED)
			ok = tell_call(h, &r, w, at, here, answer);
		else
			add_thread(h, &w->thread, by.step.pc, by.step.cycle, answer);
		if (by.how == REGISTER_WRITTEN && trace_step_value(h, &by.step, word, &after))
			add_change(r.type, by.before, after, answer);
	}
	report_say(answer, "\n");
	return ok;
}

bool command_who_wrote(struct history *h, const char *args, struct report *answer, struct text *why)
{
	
	struct expr_value v = {0};
	struct debug_where w;
	struct history_aside aside;
	if (!history_can_go_back(h, why))
		return false;
	if (!args[strspn(args, " \t")])
		return fail(why, "usage: who-wrote LVALUE");
	if (!debug_eval_unread(history_debug(h), args, &v, why))
		return false;
	const bool has = debug_focus_where(history_debug(h), &w) && w.w, in_memory = v.place.kind == EXPR_MEMORY;
	if (!in_memory && !(has && (v.place.kind == EXPR_ROW || v.place.kind == EXPR_PRED))) {
		expr_value_free(&v);
		return fail(why, "only memory, and registers of a thread on a core, have a writer");
	}
	const uint32_t word = v.place.kind == EXPR_PRED ? ISA_RW_PRED(v.place.ref) : ISA_RW_ROW(v.place.ref);
	struct trace_point at = {has ? w.w->executed : 0, v.place.frame, 0};
	if (has)
		debug_frame_depth(history_debug(h), &w.thread, at.frame, &at.depth);
	history_aside_begin(h, &aside);
	struct report *const write = report_create(); /* dropped if the write can't be found */
	bool ok = in_memory ? memory(h, args, &v, &aside.at, write) : of_register(h, args, word, &w, &at, &aside.at, write);
	ok = history_aside_end(h, &aside) && ok;
	if (ok)
		report_move(answer, "write", write);
	report_destroy(write);
	expr_value_free(&v);
	return ok || history_aside_failed(h, why);
}
