/* Steps by source lines: next, step-line, until, and finish; among functions that were inlined as gdb steps. */
#include "debug/ground/ground.h"
#include "debug/stop/machine.h"
#include "debug/stop/past.h"
#include "debug/stop/run.h"
#include "debug/stop/run_internal.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/view/inlined.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

enum line_step {
	OVER_CALLS,
	INTO_CALLS,
	FORWARD /* until: never back to an earlier line */,
	OUT_OF_INLINED /* finish: to code with fewer levels of inlining */
};

struct line_walk {
	struct debug_thread t;
	enum line_step how;
	bool by_instruction;
	bool is_in_cuda; /* it began in a line of the CUDA source */
	struct debug_position from;
	struct debug_line_frame in; /* the frame it began in, in that activation: */
	uint32_t depth;
	uint32_t unentered; /* where it has got to: inlined functions it stands in front of */
};

/* Returns true if a function has no line of the CUDA source that can be shown. */
static bool lacks_lines(struct debug *d, const struct isa_function *f)
{
	for (uint32_t pc = f->first; pc < f->end; pc++)
		if (debug_shows_cuda(d, pc))
			return false;
	return true;
}

/* Runs on until the thread, now in a called function, is back. */
static enum machine_end leave_call(struct debug *d, const struct line_walk *l, struct debug_stop *stop)
{
	struct debug_where w;
	struct debug_frame f;
	uint32_t level = 0;
	debug_thread_where(d, &l->t, &w);
	while (debug_frame_get(d, &w, level, &f) && f.depth > l->depth)
		level++;
	uint32_t pc = f.pc + 1;
	struct machine_goal goal = run_place_goal(d, &w, &pc, 1);
	goal.reached = run_reached_outer;
	goal.depth = l->depth;
	goal.stays_waiting = true;
	return run_to_places(d, &goal, stop);
}

static bool same_position(struct debug_position a, struct debug_position b)
{
	return a.file == b.file && a.line == b.line;
}

static bool is_further(const struct line_walk *l, struct debug_position now)
{
	return !same_position(now, l->from) &&
	       (l->how != FORWARD || now.file != l->from.file || now.line > l->from.line);
}

/* Returns whether a line's code begins at an instruction, for a walk that arrives there from another line. A jump may lead into the middle of code
 * whose line another path executes: then the line isn't shown, and the walk continues to where a line begins, as gdb's does. */
static bool begins_line(struct debug *d, struct line_walk *l, const struct debug_line_frame *shown, uint32_t pc)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = isa_program_function_at(p, pc);
	if (!f || pc == f->first || p->where[pc].loc != p->where[pc - 1].loc)
		return true;
	if (l->how != FORWARD) {
		l->from = shown->at;
		l->in = *shown;
	}
	return false;
}

/* In front of inlined functions: those of the frame are entered by a step from their very line, and gone over by all others. */
static bool stops_at_call(struct line_walk *l, const struct debug_line_frame *caller)
{
	l->unentered = caller->level;
	if (l->how != INTO_CALLS || !same_position(caller->at, l->from))
		return is_further(l, caller->at);
	l->unentered--;
	return true;
}

/* Among the frames of functions that were inlined, as gdb goes through them. */
static bool is_new_inlined_line(struct debug *d, struct line_walk *l, uint32_t pc)
{
	struct debug_line_frame now, shown;
	debug_line_frame(d, pc, 0, &now);
	bool within = debug_is_within(d, &now, &l->in);
	shown = now;
	debug_line_frame_up(d, &shown, now.begun);
	l->unentered = now.begun ? shown.level : 0;
	if (l->how == OUT_OF_INLINED)
		return !within && shown.levels < l->in.levels;
	if (within && shown.levels > l->in.levels)
		return l->how == INTO_CALLS;
	if (within && now.levels > l->in.levels && shown.levels == l->in.levels)
		return stops_at_call(l, &shown);
	if (!within && same_position(shown.at, l->from))
		l->in = shown;
	return is_further(l, shown.at) && (now.begun || begins_line(d, l, &shown, pc));
}

/* Back in the middle of the line that called, a step continues to its end, as gdb's does. */
static bool goes_on_in_caller(struct debug *d, struct line_walk *l, uint32_t pc, uint32_t depth)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	struct debug_position at = debug_position_at(d, pc);
	if (!debug_shows_cuda(d, pc) || !f || pc == f->first || !same_position(at, debug_position_at(d, pc - 1)))
		return false;
	l->from = at;
	l->depth = depth;
	debug_line_frame(d, pc, 0, &l->in);
	return true;
}

static bool is_new_line(struct debug *d, struct line_walk *l, uint32_t pc, uint32_t depth)
{
	l->unentered = 0;
	if (depth < l->depth)
		return l->how == OUT_OF_INLINED || !goes_on_in_caller(d, l, pc, depth);
	if (depth == l->depth && (l->how == OUT_OF_INLINED || debug_shows_cuda(d, pc)))
		return is_new_inlined_line(d, l, pc);
	return depth != l->depth || is_further(l, debug_position_at(d, pc));
}

/* Instruction by instruction of the thread until it has gone as far as asked. */
static enum machine_end walk_on(struct debug *d, struct line_walk *l, struct debug_stop *stop)
{
	struct debug_where w;
	struct debug_frame f;
	for (bool is_first = true;; is_first = false) {
		enum machine_end end = run_step_warp(d, &l->t, 1, !is_first, stop);
		if (end == MACHINE_STOPPED)
			return end;
		if (debug_interrupted(d)) {
			stop->reason = DEBUG_STOP_INTERRUPTED;
			text_add(&stop->text, "Interrupted\n");
			return MACHINE_STOPPED;
		}
		if (!debug_thread_where(d, &l->t, &w) || w.state == DEBUG_THREAD_EXITED)
			return MACHINE_GOAL;
		debug_frame_get(d, &w, 0, &f);
		/* as in gdb, functions without lines are gone over where the walk is by the source's lines */
		if (f.depth > l->depth && (l->how != INTO_CALLS || (l->is_in_cuda && lacks_lines(d, f.function)))) {
			end = leave_call(d, l, stop);
			if (end == MACHINE_STOPPED)
				return end;
			debug_thread_where(d, &l->t, &w);
			debug_frame_get(d, &w, 0, &f);
		}
		/* a lane that waits for others of its warp hasn't moved */
		if (l->by_instruction || (w.active && is_new_line(d, l, w.pc, f.depth)))
			return MACHINE_GOAL;
	}
}

/* A step into what was inlined, in front of which the thread stands, moves nothing. */
static bool enter_inlined(struct debug *d, const struct line_walk *l, const struct debug_where *w)
{
	struct debug_line_frame f;
	uint32_t level = debug_unentered(d, w);
	if (l->how != INTO_CALLS || !level)
		return false;
	debug_line_frame(d, w->pc, 0, &f);
	debug_unentered_set(d, w, level - 1 > f.level ? level - 1 : 0);
	return true;
}

/* One source line (or instruction) of the thread. */
static enum machine_end walk_line(struct debug *d, struct line_walk *l, struct debug_stop *stop)
{
	struct debug_where w;
	struct debug_frame f;
	debug_thread_where(d, &l->t, &w);
	debug_frame_get(d, &w, 0, &f);
	l->depth = f.depth;
	l->from = debug_shown_position(d, &w);
	l->is_in_cuda = debug_shows_cuda(d, w.pc);
	debug_line_frame(d, w.pc, debug_unentered(d, &w), &l->in);
	return walk_on(d, l, stop);
}

/* Runs `n` lines or instructions of the focused thread. */
static bool walk(struct debug *d, const struct line_walk *kind, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct debug_where w;
	if (!run_need_thread(d, &w, why))
		return false;
	struct line_walk l = {.t = w.thread, .how = kind->how, .by_instruction = kind->by_instruction};
	run_hold_others(d, kind->how == OVER_CALLS || kind->how == INTO_CALLS);
	enum machine_end end = MACHINE_GOAL;
	while (n-- && end == MACHINE_GOAL) {
		if (enter_inlined(d, &l, &w))
			continue;
		end = walk_line(d, &l, stop);
		if (!debug_thread_where(d, &l.t, &w) || w.state == DEBUG_THREAD_EXITED)
			break;
		if (end == MACHINE_GOAL)
			debug_unentered_set(d, &w, l.by_instruction ? 0 : l.unentered);
	}
	if (end == MACHINE_GOAL)
		stop_stepped(d, stop);
	return run_finish(d, stop);
}

/* From a function that was inlined to where its caller continues. */
static bool leave_inlined(struct debug *d, const struct debug_where *w, const struct debug_shown_frame *from,
			  struct debug_stop *stop)
{
	struct line_walk l = {.t = w->thread, .how = OUT_OF_INLINED, .depth = from->frame.depth};
	struct debug_where after;
	debug_line_frame(d, from->frame.pc, from->inlined, &l.in);
	if (walk_on(d, &l, stop) == MACHINE_GOAL) {
		if (debug_thread_where(d, &l.t, &after))
			debug_unentered_set(d, &after, l.unentered);
		stop_stepped(d, stop);
	}
	return run_finish(d, stop);
}

bool debug_run_finish(struct debug *d, struct debug_stop *stop, struct text *why)
{
	struct debug_where w;
	struct debug_shown_frame shown;
	uint32_t pc, depth;
	if (!run_have_thread(d, &w, why))
		return false;
	const bool inlined = debug_shown_frame(d, &w, debug_selected_number(d, &w), &shown) && shown.is_inlined;
	if (!inlined && !run_return_place(d, &w, d->frame, &pc, &depth))
		return debug_fail(why, "\"finish\" not meaningful in the outermost frame. `run-to-exit` runs to the kernel's end.");
	run_begin_step(d);
	if (inlined)
		return leave_inlined(d, &w, &shown, stop);
	struct debug_frame f;
	debug_frame_get(d, &w, d->frame, &f);
	struct machine_goal goal = run_place_goal(d, &w, &pc, 1);
	goal.reached = run_reached_outer;
	goal.depth = depth;
	if (run_to_places(d, &goal, stop) == MACHINE_GOAL) {
		stop_stepped(d, stop);
		run_returned_value(d, pc - 1, f.function, stop);
	}
	return run_finish(d, stop);
}

bool debug_run_next(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why)
{
	return walk(d, &(struct line_walk){.how = OVER_CALLS}, n, stop, why);
}

bool debug_run_step_line(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why)
{
	return walk(d, &(struct line_walk){.how = INTO_CALLS}, n, stop, why);
}

bool debug_run_nexti(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why)
{
	return walk(d, &(struct line_walk){.how = OVER_CALLS, .by_instruction = true}, n, stop, why);
}

bool debug_run_until(struct debug *d, const struct debug_location *to, struct debug_stop *stop, struct text *why)
{
	return to ? run_to_location(d, to, false, stop, why) : walk(d, &(struct line_walk){.how = FORWARD}, 1, stop, why);
}

/* ---- backwards ---- */

static struct line_walk walk_from(struct debug *d, const struct debug_trail *t, uint32_t unentered)
{
	struct line_walk l = {.how = OVER_CALLS, .depth = t->depth};
	debug_line_frame(d, t->pc, unentered, &l.in);
	l.from = debug_shows_cuda(d, t->pc) ? l.in.at : debug_position_at(d, t->pc);
	return l;
}

/* The last of [first, n) at which a `next` in the activation at `depth` would have stopped, if it began at the first of its instructions there; n:
 * at none. */
static size_t last_line(struct debug *d, const struct debug_trail *t, size_t first, size_t n, uint32_t depth,
			size_t *begun)
{
	struct line_walk l;
	size_t last = n;
	*begun = n;
	for (size_t k = first; k < n; k++) {
		if (!t[k].moved || t[k].depth != depth)
			continue;
		if (*begun == n) {
			*begun = k;
			l = walk_from(d, &t[k], 0);
		} else if (is_new_line(d, &l, t[k].pc, depth)) {
			l = walk_from(d, &t[k], l.unentered);
			last = k;
		}
	}
	return last;
}

size_t debug_line_before(struct debug *d, const struct debug_trail *t, size_t n, const struct debug_trail *here,
			 bool whole)
{
	size_t end = n;
	for (uint32_t depth = here->depth;; depth--) {
		size_t first = end, begun;
		while (first && (!t[first - 1].moved || t[first - 1].depth >= depth))
			first--;
		const size_t last = last_line(d, t, first, end, depth, &begun);
		if (last < end)
			return last;
		if (!first && !whole)
			return n;
		if (begun < end || !first)
			return begun < end ? begun : n;
		end = first; /* it is where the function begins: the line that called it */
	}
}
