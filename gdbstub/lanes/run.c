/* The machine runs for gdb, until there is something to report. */
#include "gdbstub/lanes/room.h"

/* Returns the pc at which gdb sees a lane, or 0. */
static uint64_t pc_of(struct lanes *l, uint64_t uid)
{
	const struct place *p = lane_place(l, uid);
	struct machine_lane at;
	return p ? p->pc : l->m->lane(l->self, uid, &at) ? at.pc : 0;
}

static bool in_range(struct lanes *l, const struct resume *r, uint64_t uid)
{
	struct machine_lane at;
	const uint64_t pc = pc_of(l, uid);
	return r->has_range && l->m->lane(l->self, uid, &at) && !at.exited && pc >= r->from && pc < r->to;
}

bool run_has_moved(struct lanes *l, uint64_t uid, const struct machine_lane *before)
{
	const struct machine_lane now = lane_in_machine(l, uid);
	if (before->in_barrier) /* it is shown behind the barrier once that has opened */
		return !now.in_barrier;
	bool is_there = before->is_waiting && now.frame == before->frame && now.code_pc == before->code_pc;
	return now.executed != before->executed && !is_there;
}

/* Returns true if the step has ended without the thread: only other lanes of its warp have moved. */
static bool still_waits(struct lanes *l, uint64_t uid, const struct machine_lane *before)
{
	return lane_in_machine(l, uid).executed != before->executed;
}

/* Returns true if a step must run on: the thread had to wait, or is still inside of the step's range. */
static bool must_continue(struct lanes *l, const struct resume *r, uint64_t uid, bool waits, struct debug_stop *stop)
{
	if (stop->reason == DEBUG_STOP_INTERRUPTED)
		return l->m->may_continue(l->self, true);
	if (stop->reason != DEBUG_STOP_STEPPED || !(waits || in_range(l, r, uid)))
		return false;
	if (l->m->may_continue(l->self, false))
		return true;
	stop->reason = DEBUG_STOP_INTERRUPTED;
	return false;
}

/* Returns true for a write that leaves the value that gdb knows. A step that ended with the write is done. */
static bool passes_over(struct lanes *l, const struct resume *r, bool has_moved, struct debug_stop *stop)
{
	if (!l->m->is_known_write(l->self, stop))
		return false;
	bool is_done = r->has_step && has_moved && !r->to_end;
	if (is_done)
		stop->reason = DEBUG_STOP_STEPPED;
	return !is_done;
}

/* Returns true for a hit of other threads than the one that gdb has put the breakpoint in for. Keeps it. */
static bool keeps_hit(struct lanes *l, struct debug_stop *stop)
{
	struct machine_point p;
	struct machine_lane hit;
	if (stop->reason != DEBUG_STOP_BREAKPOINT || !stop_own_point(l, stop, &p) ||
	    !lanes_find(l, l->m->focus(l->self), &hit))
		return false;
	if (hit.active & l->m->reportable_lanes(l->self, hit.first, hit.n, p.address))
		return false;
	queue_stop(l, stop);
	return true;
}

/* Runs until there is something to report. False: nothing can run. */
static bool run_machine(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop,
			struct text *why)
{
	const uint64_t who = r->has_step ? uid : 0;
	bool ok, has_moved, waits;
	l->m->set_running(l->self, true, r->has_step);
	do {
		const struct machine_lane before = lane_in_machine(l, who);
		debug_stop_free(stop);
		ok = l->m->run(l->self, who, r->to_end ? UINT64_MAX / 2 : 1, stop, why);
		has_moved = who && run_has_moved(l, who, &before);
		waits = who && !has_moved && still_waits(l, who, &before);
	} while (ok &&
		 (passes_over(l, r, has_moved, stop) || keeps_hit(l, stop) || must_continue(l, r, uid, waits, stop)));
	l->m->set_running(l->self, false, r->has_step);
	return ok;
}

bool run_waits_at_point(struct lanes *l, uint64_t uid)
{
	struct machine_lane at;
	const struct place *p = lane_place(l, uid);
	if ((p && p->kind == PLACE_HIT) || !l->m->lane(l->self, uid, &at) || at.exited ||
	    !l->m->has_breakpoint(l->self, pc_of(l, uid)))
		return false;
	return at.is_waiting || at.in_barrier;
}

bool run_there(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	bool ok = run_machine(l, r, uid, stop, why);
	while (ok && r->has_step && stop->reason == DEBUG_STOP_STEPPED && run_waits_at_point(l, uid))
		ok = run_machine(l, r, uid, stop, why);
	return ok;
}

/* Returns true for a stop of another thread, and for a breakpoint that gdb has taken out. */
static bool is_of_others(struct lanes *l, const struct resume *r, const struct debug_stop *stop)
{
	struct machine_point p;
	bool is_out = stop->reason == DEBUG_STOP_BREAKPOINT && stop_own_point(l, stop, &p) &&
		      !l->m->is_inserted(l->self, p.address);
	return is_out || l->m->focus(l->self) != r->step;
}

/* Returns true if the thread has made its step. One over a range must reach the place where the thread is shown. */
static bool is_done(struct lanes *l, const struct resume *r, uint64_t uid, const struct machine_lane *before)
{
	return run_has_moved(l, uid, before) && !in_range(l, r, uid) && !(r->has_range && run_waits_at_point(l, uid));
}

bool run_alone(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	const struct machine_lane before = lane_in_machine(l, uid);
	bool ok = run_there(l, r, uid, stop, why);
	while (ok && (stop->reason == DEBUG_STOP_BREAKPOINT || stop->reason == DEBUG_STOP_WATCHPOINT) &&
	       is_of_others(l, r, stop) && !is_done(l, r, uid, &before)) {
		queue_stop(l, stop);
		hits_drop_unreported(l, uid);
		ok = run_there(l, r, uid, stop, why);
	}
	return ok;
}

bool run_locked(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	struct machine_point p;
	bool ok = run_machine(l, r, uid, stop, why);
	while (ok && stop_own_point(l, stop, &p) && l->m->focus(l->self) != r->step) {
		queue_stop(l, stop);
		if (hits_would_report(l, uid)) /* reported for another lane, but it is there, too */
			return true;
		hits_drop_unreported(l, uid);
		ok = run_machine(l, r, uid, stop, why);
	}
	if (!ok || (stop->reason != DEBUG_STOP_STEPPED && l->m->focus(l->self) != r->step))
		l->c->say(l->self, text_str(ok ? &stop->text : why));
	return ok;
}
