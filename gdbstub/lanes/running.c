/* The machine runs for gdb, until there is something to report. */
#include "debug/stop/run.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/link/link.h"

static bool in_range(struct stub *s, const struct resume *r, uint64_t uid)
{
	const struct thread_view *v = view_of_uid(s, uid);
	return v && v->w.state != DEBUG_THREAD_EXITED && v->pc >= r->from && v->pc < r->to;
}

struct standing run_standing(struct stub *s, uint64_t uid)
{
	struct debug_thread t;
	struct debug_where w;
	if (!debug_thread_of_uid(s->d, uid, &t) || !debug_thread_where(s->d, &t, &w))
		return (struct standing){.executed = UINT64_MAX};
	struct standing at = {.executed = debug_executed(&w), .waits = w.simt && !w.active};
	if (w.simt) {
		at.frame = w.simt->frame;
		at.pc = w.simt->pc;
		at.in_barrier = w.pc != w.simt->pc;
	}
	return at;
}

bool run_has_moved(struct stub *s, uint64_t uid, const struct standing *before)
{
	struct standing now = run_standing(s, uid);
	bool is_there = before->waits && now.frame == before->frame && now.pc == before->pc;
	return now.executed != before->executed && !is_there;
}

/* Its step has come to an end without it: others of its warp have moved, or the barrier has opened. */
static bool still_waits(struct stub *s, uint64_t uid, const struct standing *before)
{
	struct standing now = run_standing(s, uid);
	return now.executed != before->executed || (before->in_barrier && !now.in_barrier);
}

/* One go of the machine. */
static bool run_once(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	debug_stop_free(stop);
	uint64_t n = r->to_end ? UINT64_MAX / 2 : 1;
	return r->has_step ? debug_run_thread(s->d, uid, n, stop, why) : debug_run_free(s->d, stop, why);
}

/* Did something come while the machine ran, of which nothing means "stop"? Then it waits, and the machine goes on. */
static bool only_packets(struct stub *s)
{
	bool came = s->interrupted;
	s->interrupted = false;
	return came && !link_wants_stop(s);
}

/* A step of a thread that had to wait for others, or one over a range of instructions that isn't out of it yet. */
static bool goes_on(struct stub *s, const struct resume *r, uint64_t uid, bool waits, struct debug_stop *stop)
{
	if (stop->reason == DEBUG_STOP_INTERRUPTED)
		return only_packets(s);
	if (stop->reason != DEBUG_STOP_STEPPED || !(waits || (r->has_range && in_range(s, r, uid))))
		return false;
	if (!*s->interrupt || only_packets(s))
		return true;
	stop->reason = DEBUG_STOP_INTERRUPTED;
	return false;
}

/* A write that is nothing to gdb (points.c). A step that ended with it is one. */
static bool passes_over(struct stub *s, const struct resume *r, bool has_moved, struct debug_stop *stop)
{
	if (!points_as_before(s, stop))
		return false;
	bool is_done = r->has_step && has_moved && !r->to_end;
	if (is_done)
		stop->reason = DEBUG_STOP_STEPPED;
	return !is_done;
}

/* Runs until there is something to report. False: nothing can run. */
static bool run(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	bool ok, has_moved, waits;
	s->running = true;
	link_watch(s, true);
	if (r->has_step)
		awake_step_begins(s);
	do {
		struct standing before = r->has_step ? run_standing(s, uid) : (struct standing){0};
		ok = run_once(s, r, uid, stop, why);
		has_moved = r->has_step && run_has_moved(s, uid, &before);
		waits = r->has_step && !has_moved && still_waits(s, uid, &before);
	} while (ok && (passes_over(s, r, has_moved, stop) || goes_on(s, r, uid, waits, stop)));
	awake_step_ends(s);
	link_watch(s, false);
	s->running = false;
	if (ok)
		text_clear(&s->not_launched);
	return ok;
}

bool run_waits_at_point(struct stub *s, uint64_t uid)
{
	view_forget(s);
	const struct thread_view *v = view_of_uid(s, uid);
	if (!v || v->w.state != DEBUG_THREAD_LIVE || !points_at(s, v->pc) || hits_left(s, &v->w))
		return false;
	return !v->w.active || (v->w.simt && v->w.pc != v->w.simt->pc);
}

bool run_there(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	bool ok = run(s, r, uid, stop, why);
	while (ok && r->has_step && stop->reason == DEBUG_STOP_STEPPED && run_waits_at_point(s, uid))
		ok = run(s, r, uid, stop, why);
	return ok;
}

/* Another thread's; or a breakpoint that gdb has taken out: for the one that steps there is none. */
static bool is_of_others(struct stub *s, const struct resume *r, const struct debug_stop *stop)
{
	const struct point *p = stop_point(s, stop);
	bool is_out = stop->reason == DEBUG_STOP_BREAKPOINT && p && !points_inserted_at(s, p->address);
	return is_out || thread_of_focus(s) != r->step;
}

bool run_alone(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	struct standing before = run_standing(s, uid);
	bool ok = run_there(s, r, uid, stop, why);
	struct debug_where w;
	while (ok && (stop->reason == DEBUG_STOP_BREAKPOINT || stop->reason == DEBUG_STOP_WATCHPOINT) &&
	       is_of_others(s, r, stop) && (!run_has_moved(s, uid, &before) || (r->has_range && in_range(s, r, uid)))) {
		queue_stop(s, stop);
		if (thread_where(s, r->step, &w))
			hits_leave(s, &w);
		ok = run_there(s, r, uid, stop, why);
	}
	return ok;
}

bool run_locked(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	bool ok = run(s, r, uid, stop, why);
	while (ok && stop_point(s, stop) && thread_of_focus(s) != r->step) {
		queue_stop(s, stop);
		ok = run(s, r, uid, stop, why);
	}
	if (!ok || (stop->reason != DEBUG_STOP_STEPPED && thread_of_focus(s) != r->step))
		text_add(&s->console, text_str(ok ? &stop->text : why));
	return ok;
}
