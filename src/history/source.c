/* Where a register had its value from, however far back. */
#include <stdlib.h>

#include "history/trace.h"
#include "history/window.h"

#define CALLS_MAX 64u
#define WINDOW_MAX UINT64_C(65536)
#define NEAR UINT64_C(4096) /* what others of a group need may be so far away */
#define AROUND UINT64_C(64) /* of the thread's instructions in front of a call that are looked at with it */

static bool is_of(const struct trace *t, const struct debug_thread *thread)
{
	return t->thread.launch == thread->launch && t->thread.cta == thread->cta &&
	       t->thread.thread == thread->thread;
}

static void renew(struct trace *t)
{
	free(t->step);
	t->step = NULL;
}

/* Chooses others of a group that wait to be followed in the same warp, near what is to be followed: *first and *end then include what they need. */
static void choose_others(const struct exec *x, const struct trace *t, uint64_t *first, uint64_t *end, struct trace_others *out)
{
	const struct trace_group *g = t->group;
	const uint64_t low = *first > NEAR ? *first - NEAR : 0, high = *end + NEAR;
	out->n = 0;
	for (size_t k = 0; g && k < g->n && out->n < LANES; k++) {
		struct trace *o = &g->trace[k];
		if (o == t || !o->is_wanted || o->thread.launch != t->thread.launch || o->thread.cta != t->thread.cta ||
		    exec_warp_of(x, o->thread.thread) != exec_warp_of(x, t->thread.thread) || o->wanted_to <= low || o->wanted_to > high)
			continue;
		const uint64_t from = o->wanted_to > TRACE_WINDOW ? o->wanted_to - TRACE_WINDOW : 0;
		*end = o->wanted_to > *end ? o->wanted_to : *end;
		*first = from < *first ? from : *first;
		renew(o);
		o->is_wanted = false;
		out->trace[out->n++] = o;
	}
}

bool trace_waits(struct trace *t, uint64_t end)
{
	struct trace_group *g = t->group;
	if (!g || g->may_follow)
		return false;
	g->is_waiting = true;
	t->is_wanted = true;
	t->wanted_to = end;
	return true;
}

/* Records what the thread executes up to a number, if windows pay. Returns false if they don't, or the run failed (*failed). */
static bool record(struct history *h, struct trace *t, const struct debug_thread *thread, uint64_t executed,
		   const struct history_position *limit, bool *failed)
{
	const bool ok = windows_record(h->windows, thread, executed, limit, failed);
	if (ok && t->group)
		t->group->may_follow = false;
	return ok;
}

/* The trace becomes one of the thread's instructions from `first` to `end`; what is known of the thread's registers stays known. */
static bool follow(struct history *h, struct trace *t, const struct debug_thread *thread, uint64_t first, uint64_t end,
		   const struct history_position *limit)
{
	struct trace_group *g = t->group;
	struct trace_others others;
	if (!is_of(t, thread)) {
		renew(t);
		*t = (struct trace){.thread = *thread, .group = g};
	}
	if (windows_trace(h->windows, thread, first, end, t))
		return true;
	if (trace_waits(t, end))
		return false;
	if (g)
		g->may_follow = false;
	renew(t);
	t->is_wanted = false;
	choose_others(gpu_exec(h->g), t, &first, &end, &others);
	return trace_follow_all(h, thread, first, end, limit, t, &others);
}

/* Has the trace what the thread has executed just in front of a number? */
static bool reaches(const struct trace *t, const struct debug_thread *thread, uint64_t executed)
{
	if (!t->end || !is_of(t, thread) || t->end < executed)
		return false;
	return !t->cut || (t->n && t->step[0].executed < executed);
}

/* Begins where a look that continues backwards needs as much again. */
static uint64_t window_of(const struct trace *t, const struct debug_thread *thread)
{
	const uint64_t had = is_of(t, thread) && t->n ? t->end - t->step[0].executed : 0, window = 8 * had;
	return window < TRACE_WINDOW ? TRACE_WINDOW : window < WINDOW_MAX ? window : WINDOW_MAX;
}

static bool follow_window(struct history *h, struct trace *t, const struct debug_thread *thread, uint64_t executed,
			  const struct history_position *limit)
{
	const uint64_t window = window_of(t, thread);
	return follow(h, t, thread, executed > window ? executed - window : 0, executed, limit);
}

bool trace_reach(struct history *h, struct trace *t, const struct debug_thread *thread, uint64_t executed,
		 const struct history_position *limit)
{
	return reaches(t, thread, executed) || follow_window(h, t, thread, executed, limit);
}

/* Does the trace begin just in front of the place? What isn't in it may be a few instructions further back. */
static bool is_short(const struct trace *t, const struct trace_point *p)
{
	return t->cut && t->n && p->executed < t->step[0].executed + TRACE_WINDOW;
}

/* Finds an instruction of the function that the activation is of. */
static bool pc_of(const struct trace *t, const struct trace_point *p, uint32_t *pc)
{
	if (t->has_ahead && t->ahead.frame == p->frame && t->ahead.depth == p->depth) {
		*pc = t->ahead.pc;
		return true;
	}
	for (size_t k = t->n; k-- > 0;)
		if (t->step[k].frame == p->frame && t->step[k].depth == p->depth) {
			*pc = t->step[k].pc;
			return true;
		}
	return false;
}

/* Notes a write that was found with marks, or that there is none. */
static void note_known(struct trace *t, const struct trace_point *p, uint32_t word, const struct register_write *w)
{
	t->known[t->n_known++ % TRACE_KNOWN] = (struct trace_known){.is_unwritten = w->how == REGISTER_UNWRITTEN,
								    .frame = p->frame,
								    .from = w->step.executed,
								    .to = p->executed,
								    .word = word,
								    .step = w->step};
}

/* Looks for the last write in front of the thread's instruction number `first`, and notes it as what is known at the point. `pc`: an instruction of the
 * activation's function. Returns false if nothing is known of the register, or the run failed (*failed). */
static bool look_further(struct history *h, struct trace *t, const struct debug_thread *thread,
			 const struct trace_point *p, uint32_t word, const struct history_position *limit,
			 uint64_t first, uint32_t pc, bool *failed)
{
	struct register_write w;
	struct debug_operand r;
	struct trace_point in_front = *p;
	if (!debug_register_of(h->d, pc, word, &r))
		return false;
	in_front.executed = first < p->executed ? first : p->executed;
	*failed = !register_write_before(h, thread, &in_front, &r, pc, limit, &w);
	if (*failed)
		return false;
	if (w.how == REGISTER_CALLED)
		*failed = !follow(h, t, thread, w.step.executed > AROUND ? w.step.executed - AROUND : 0, p->executed,
				  limit);
	else
		note_known(t, p, word, &w);
	return !*failed;
}

/* In the trace as it is, or in what is known besides; *over: that is all that can be said. */
static bool find_at_once(struct history *h, const struct trace *t, const struct debug_thread *thread,
			 const struct trace_point *p, uint32_t word, struct trace_source *out, bool *over)
{
	const struct trace_known *known = is_of(t, thread) ? trace_known_of(t, p, word) : NULL;
	const bool found = (known || reaches(t, thread, p->executed)) && trace_source(h, t, p, word, out);
	*over = known || found;
	return found && !(known && known->is_unwritten);
}

/* As windows_source; the step is the trace's own. */
static enum window_answer find_in_window(struct history *h, struct trace *t, const struct debug_thread *thread,
					 const struct trace_point *p, uint32_t word, struct trace_source *out,
					 uint64_t *first)
{
	const enum window_answer a = windows_source(h->windows, thread, p, word, &t->shown, first);
	if (a == WINDOW_FOUND)
		*out = (struct trace_source){.how = TRACE_WRITTEN, .step = &t->shown};
	return a;
}

/* The window has the activation, but no write: finds the write in front of instruction number `first`. */
static bool find_earlier(struct history *h, struct trace *t, const struct debug_thread *thread,
			 const struct trace_point *p, uint32_t word, const struct history_position *limit,
			 uint64_t first, struct trace_source *out, bool *failed)
{
	const uint32_t pc = t->shown.pc;
	bool over;
	*failed = trace_waits(t, p->executed);
	if (*failed)
		return false;
	if (!is_of(t, thread)) {
		struct trace_group *g = t->group;
		renew(t);
		*t = (struct trace){.thread = *thread, .group = g};
	}
	struct trace_point in_front = *p; /* of the window: what is known there holds up to the point */
	in_front.executed = first;
	const struct trace_known *const found_before = trace_known_of(t, &in_front, word);
	struct trace_known *const known = found_before ? &t->known[found_before - t->known] : NULL;
	if (known)
		known->to = p->executed;
	const bool found = (known || look_further(h, t, thread, p, word, limit, first, pc, failed)) &&
			   find_at_once(h, t, thread, p, word, out, &over);
	if (t->group)
		t->group->may_follow = false;
	return found;
}

bool trace_step_of(struct history *h, struct trace *t, const struct debug_thread *thread, uint64_t executed, uint32_t pc,
		   const struct history_position *limit, struct debug_step *out)
{
	bool failed = false;
	if (reaches(t, thread, executed + 1)) {
		const struct debug_step *known = trace_find(t, executed, pc);
		if (known)
			*out = *known;
		if (known)
			return true;
	}
	if (windows_step(h->windows, thread, executed, pc, out))
		return true;
	if (trace_waits(t, executed + 1))
		return false;
	if (record(h, t, thread, executed + 1, limit, &failed) &&
	    windows_step(h->windows, thread, executed, pc, out))
		return true;
	if (failed || !trace_reach(h, t, thread, executed + 1, limit))
		return false;
	const struct debug_step *by = trace_find(t, executed, pc);
	if (by)
		*out = *by;
	return by != NULL;
}

bool trace_source_of(struct history *h, struct trace *t, const struct debug_thread *thread, const struct trace_point *p,
		     uint32_t word, const struct history_position *limit, struct trace_source *out, bool *failed)
{
	bool over;
	uint64_t first = 0;
	uint32_t pc;
	*failed = false;
	*out = (struct trace_source){.how = TRACE_NONE};
	if (find_at_once(h, t, thread, p, word, out, &over) || over)
		return out->how != TRACE_NONE;
	enum window_answer a = find_in_window(h, t, thread, p, word, out, &first);
	if (a == WINDOW_UNKNOWN) {
		*failed = trace_waits(t, p->executed);
		if (!*failed && record(h, t, thread, p->executed, limit, failed))
			a = find_in_window(h, t, thread, p, word, out, &first);
	}
	if (a == WINDOW_FOUND || *failed)
		return a == WINDOW_FOUND;
	if (a == WINDOW_EARLIER)
		return find_earlier(h, t, thread, p, word, limit, first, out, failed);
	*failed = !trace_reach(h, t, thread, p->executed, limit);
	bool found = !*failed && trace_source(h, t, p, word, out);
	if (!found && !*failed && is_short(t, p)) {
		*failed = !follow_window(h, t, thread, p->executed, limit);
		found = !*failed && trace_source(h, t, p, word, out);
	}
	if (!found && !*failed && t->cut && pc_of(t, p, &pc) &&
	    look_further(h, t, thread, p, word, limit, t->n ? t->step[0].executed : p->executed, pc, failed))
		found = find_at_once(h, t, thread, p, word, out, &over);
	while (!found && !*failed && !trace_known_of(t, p, word) && trace_lengthen(h, t, limit, failed))
		found = trace_source(h, t, p, word, out);
	return found && !*failed;
}

bool trace_value_of(struct history *h, struct trace *t, const struct debug_thread *thread, const struct trace_point *p,
		    uint32_t word, const struct history_position *limit, uint64_t *v, bool *failed)
{
	struct trace_source s;
	struct trace_point at = *p;
	*v = 0;
	for (unsigned k = 0; k < CALLS_MAX; k++) {
		if (!trace_source_of(h, t, thread, &at, word, limit, &s, failed))
			return false;
		if (s.how == TRACE_WRITTEN)
			return trace_step_value(h, s.step, word, v);
		if (s.arg.kind != DEBUG_ARGUMENT_REGISTER)
			return false;
		at = s.at;
		word = s.arg.word;
	}
	return false;
}
