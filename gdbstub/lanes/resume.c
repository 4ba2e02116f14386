/* gdb's continue and step, forwards.
 *
 * A step drops the first place of the thread's timeline. If gdb sees the thread where the machine has it, the machine runs (run.c): lanes that are left
 * behind get places (stale_places.c), and so do lanes that hit something (hits.c). pending_events.c has what is reported before that. The
 * contract is in docs/gdbstub.md. */
#include <assert.h>
#include <stdio.h>

#include "gdbstub/lanes/room.h"

/* Shows a thread one byte after the instruction that it stands at. gdb steps it off a breakpoint, maybe only to resume all threads then, but
 * another stop came first. At the instruction itself gdb would take the thread for one that has hit the breakpoint. */
static void pretend_moved(struct lanes *l, const struct machine_lane *at, uint64_t pc, uint64_t sp)
{
	const struct place *first = timeline_first(&l->t, at->uid);
	if (first && first->kind != PLACE_HIT)
		timeline_drop_first(&l->t, at->uid);
	timeline_put_first(&l->t, at, at->uid,
			   &(struct place){.kind = PLACE_AHEAD, .pc = pc + 1, .sp = sp, .is_pretended = true});
	l->pretended = at->uid;
	l->m->invalidate_views(l->self);
}

/* Returns the signal for a thread that was stepped alone while another one has stopped the machine. */
static unsigned stopped_by_others(struct lanes *l, const struct resume *r, uint64_t uid, bool has_moved)
{
	struct machine_lane at;
	const struct place *p = lane_place(l, uid);
	if (!l->m->lane(l->self, uid, &at) || !((!has_moved && !at.exited) || run_waits_at_point(l, uid)))
		return 5;
	const uint64_t pc = p ? p->pc : at.pc, sp = p ? p->sp : l->m->sp(l->self, uid);
	if (!l->m->has_breakpoint(l->self, pc) || r->has_range || l->pretended == uid)
		return 0; /* no step that is done, nor a breakpoint: gdb stops, and shows where the thread is */
	pretend_moved(l, &at, pc, sp);
	return 5;
}

/* Marks the breakpoint that a stepped thread has reached as reported: gdb finds it by itself, and steps the thread off it next. */
static void comes_to_point(struct lanes *l, uint64_t uid)
{
	struct machine_lane at;
	const struct place *p = lane_place(l, uid);
	if (!l->m->lane(l->self, uid, &at) || !at.is_next ||
	    !l->m->condition_holds(l->self, uid, p ? p->pc : at.pc, false))
		return;
	l->m->skip_breakpoint(l->self, uid);
	hits_add_reported(l, &at);
}

/* Reports a step of one thread alone. `stop` is NULL if nothing could run. */
static void report_alone(struct lanes *l, const struct resume *r, uint64_t uid, bool has_moved, struct debug_stop *stop)
{
	const bool others = stop && stop->reason != DEBUG_STOP_STEPPED;
	unsigned signal = 5;
	if (stop && stop->reason == DEBUG_STOP_INTERRUPTED) {
		lanes_report(l, 2, r->step, EVENT_NONE);
		return;
	}
	if (others && l->m->focus(l->self) == r->step) {
		const uint64_t favourite = l->preferred;
		l->preferred = r->step; /* gdb aborts when another one is reported */
		stop_report(l, stop, r->step);
		l->preferred = favourite;
		return;
	}
	if (others) {
		signal = stopped_by_others(l, r, uid, has_moved);
		queue_stop(l, stop);
	} else {
		l->pretended = 0;
	}
	if (has_moved)
		comes_to_point(l, uid);
	lanes_report(l, signal, r->step, EVENT_NONE);
}

/* ---- a deferred step ---- */

/* Cancels the deferred step: gdb resumes all threads, so the machine simply runs on from the breakpoint. */
static void cancel_deferred(struct lanes *l)
{
	const uint64_t uid = l->deferred;
	l->deferred = 0;
	if (!uid)
		return;
	l->m->skip_breakpoint(l->self, uid);
	lane_drop_place(l, uid);
}

static uint64_t executed(const struct lanes *l, uint64_t uid)
{
	struct machine_lane at;
	return l->m->lane(l->self, uid, &at) ? at.executed : UINT64_MAX;
}

/* Returns true if the step has only hit the breakpoint that gdb has stepped the thread off and inserted again. The hit is kept for the warp's
 * other lanes. */
static bool steps_off_again(struct lanes *l, uint64_t uid, struct debug_stop *stop)
{
	const struct place *p;
	if (stop->reason != DEBUG_STOP_BREAKPOINT || l->m->focus(l->self) != l->m->tid(l->self, uid))
		return false;
	queue_stop(l, stop);
	if ((p = timeline_first(&l->t, uid)) && p->kind == PLACE_HIT)
		hits_step_off(l, uid);
	l->m->skip_breakpoint(l->self, uid);
	return true;
}

/* Executes the deferred step. gdb takes that step for done, so a 0x03 that interrupts it is kept for the next resume. */
static bool execute_deferred(struct lanes *l, uint64_t uid, uint64_t before, struct debug_stop *stop, struct text *why)
{
	const struct resume r = {.has_step = true, .step = l->m->tid(l->self, uid)};
	bool ok = run_alone(l, &r, uid, stop, why), stepped_off = false;
	while (ok && !l->m->client_is_gone(l->self) && executed(l, uid) == before) {
		const bool interrupted = stop->reason == DEBUG_STOP_INTERRUPTED;
		if (!interrupted && (stepped_off || !(stepped_off = steps_off_again(l, uid, stop))))
			break;
		l->interrupt_pending |= interrupted;
		ok = run_alone(l, &r, uid, stop, why);
	}
	return ok;
}

/* Executes the deferred step, and queues what else it has led to than was reported. */
static void make_deferred(struct lanes *l, uint64_t uid, const struct place *to)
{
	struct debug_stop stop;
	struct machine_lane at;
	struct text why = {0};
	const uint64_t before = executed(l, uid);
	debug_stop_init(&stop);
	stale_add(l, uid);
	l->m->remove_taken_out(l->self, true);
	bool ok = execute_deferred(l, uid, before, &stop, &why);
	stale_trim(l);
	if (executed(l, uid) == before && l->m->lane(l->self, uid, &at))
		timeline_put_first(&l->t, &at, uid, to); /* gdb sees it there, and it has not moved */
	l->m->invalidate_views(l->self);
	if (ok)
		l->c->stopped(l->self, &stop);
	if (ok && stop.reason != DEBUG_STOP_STEPPED)
		queue_stop(l, &stop);
	debug_stop_free(&stop);
	text_free(&why);
}

void lanes_make_deferred_step(struct lanes *l)
{
	const uint64_t uid = l->deferred;
	if (!uid)
		return;
	const struct place to = *timeline_first(&l->t, uid);
	l->deferred = 0;
	lane_drop_place(l, uid);
	make_deferred(l, uid, &to);
}

/* ---- steps and continues ---- */

/* The host, or a thread that has ended: it can't step, so gdb is shown one that can. That one may be at a hit that hasn't been reported; shown
 * there, gdb would step it off: what others that are to run have hit comes first. */
static void report_ended(struct lanes *l, const struct resume *r)
{
	if (l->m->can_run(l->self))
		l->c->say(l->self, "warpstep: this thread does not run (any more)\n");
	else
		l->c->idle(l->self, "nothing is running: launch a kernel first");
	if (r->others && !l->was_moved && hits_report(l))
		return;
	uint64_t tid = r->others ? l->m->focus(l->self) : r->step;
	/* a SIGTRAP would be a step done, of many to come; alone, only the thread that steps may be reported */
	lanes_report(l, 0, tid, EVENT_NONE);
	l->is_shown = false;
}

/* For gdb, too? */
static bool has_ended(struct lanes *l, uint64_t tid)
{
	struct machine_lane at;
	return !lanes_find(l, tid, &at) || (at.exited && !lane_place(l, at.uid));
}

/* It lets a thread go on by itself, from where gdb sees it. True: to a hit of its own, which has been reported. */
static bool goes_on_to_hit(struct lanes *l, uint64_t uid)
{
	bool comes = false;
	for (const struct place *p; (p = timeline_first(&l->t, uid)); comes = true) {
		const bool left = place_is_left(l, uid, p) && p->kind != PLACE_AHEAD;
		if (p->kind == PLACE_HIT && hits_report_own(l, uid, comes))
			return true;
		if (p->kind == PLACE_HIT)
			hits_step_off(l, uid);
		else
			lane_drop_place(l, uid);
		if (!left && p->kind == PLACE_HIT)
			break;
	}
	return false;
}

/* A step that was deferred, and was none: where it would have led, and what the warp had executed then. */
struct undone {
	uint64_t uid, executed;
	struct place to;
};

static struct undone cancel_and_note(struct lanes *l)
{
	struct undone u = {.uid = l->deferred};
	if (u.uid) {
		u.to = *timeline_first(&l->t, u.uid);
		u.executed = executed(l, u.uid);
	}
	cancel_deferred(l);
	return u;
}

static void report_run(struct lanes *l, const struct resume *r, uint64_t uid, bool has_moved, struct debug_stop *stop,
		       const struct text *why)
{
	const bool own = r->to_end && stop && hits_report_own(l, uid, true);
	l->is_shown = false;
	if (stop && l->c->is_over(l->self, stop)) {
		l->c->say(l->self, text_str(&stop->text));
		lanes_report_event(l, 0, l->m->focus(l->self), (struct lanes_event){EVENT_EXITED, (uint64_t)stop->program_status});
	} else if (own) {
		l->reported_watch.kind = EVENT_NONE;
	} else if (r->has_step && !r->others) {
		report_alone(l, r, uid, has_moved, stop);
	} else if (stop) {
		stop_report(l, stop, r->has_step ? r->step : 0);
	} else {
		l->c->idle(l->self, text_str(why));
		lanes_report(l, 5, l->m->focus(l->self), EVENT_NONE);
	}
	if (stop)
		l->c->stopped(l->self, stop);
}

/* Reports kept hits if the kernel has ended and the thread that a breakpoint may be for has not come to it. The end is reported after them. */
static bool report_kept(struct lanes *l, struct debug_stop *stop)
{
	if (stop->reason != DEBUG_STOP_KERNEL_DONE || !l->m->release_points(l->self))
		return false;
	l->c->stopped(l->self, stop);
	queue_stop(l, stop);
	l->is_shown = false;
	return hits_report(l) || stop_report_queued(l, 0);
}

/* The machine runs, and what came of it is reported. */
static void run_and_report(struct lanes *l, const struct resume *r, uint64_t uid, const struct undone *u)
{
	const bool alone = r->has_step && !r->others;
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	user_choose_focus(l, r);
	const struct machine_lane before = lane_in_machine(l, uid);
	if (alone)
		stale_add(l, uid);
	l->m->remove_taken_out(l->self, alone && !r->to_end);
	bool ok = (r->to_end ? run_locked : alone ? run_alone : run_there)(l, r, uid, &stop, &why);
	stale_trim(l);
	if (ok && stop.reason == DEBUG_STOP_INTERRUPTED && u && u->uid && executed(l, u->uid) == u->executed)
		make_deferred(l, u->uid, &u->to); /* gdb knows it after its step */
	if (!ok || r->has_step || !report_kept(l, &stop))
		report_run(l, r, uid, run_has_moved(l, uid, &before), ok ? &stop : NULL, &why);
	debug_stop_free(&stop);
	text_free(&why);
}

static void step_or_continue(struct lanes *l, const struct resume *r)
{
	const uint64_t uid = r->has_step ? l->m->uid(l->self, r->step) : 0;
	if (r->has_step && (!r->others || uid == l->deferred))
		lanes_make_deferred_step(l);
	const struct undone u = cancel_and_note(l);
	if (r->others)
		l->pretended = 0;
	if (r->has_step && r->others)
		l->stepped = r->step;
	if (r->has_step && has_ended(l, r->step))
		report_ended(l, r);
	else if (!pending_report(l, r, uid))
		run_and_report(l, r, uid, &u);
}

/* gdb lets one thread go on and no other: `continue` with scheduler-locking on. Here others run, too, but gdb 13 aborts when one
 * is reported that it has not resumed: what they hit is reported when they may run. */
static void continue_one(struct lanes *l, uint64_t tid)
{
	const struct resume r = {.has_step = true, .step = tid, .to_end = true};
	const uint64_t uid = l->m->uid(l->self, tid);
	lanes_make_deferred_step(l);
	if (has_ended(l, tid))
		report_ended(l, &r);
	else if (!pending_report_moved(l, &r) && !goes_on_to_hit(l, uid) && !stop_report_queued(l, uid))
		run_and_report(l, &r, uid, NULL);
}

/* Where gdb itself continues from each stop (a condition that it evaluates, `handle ... nostop`), its 0x03 mostly comes while the machine
 * stands: the next run is over before it has begun. If gdb has shown that stop to its user, it was stopped in time; front ends interrupt
 * what stands already, too. */
static void stop_at_once(struct lanes *l, const struct resume *r)
{
	lanes_make_deferred_step(l); /* gdb believes that step done */
	l->is_shown = false;
	lanes_report(l, 2, r->has_step ? r->step : r->locked ? r->locked : l->stop_tid, EVENT_NONE);
}

static void verify(const struct lanes *l)
{
#ifdef WS_VERIFY_LANES
	const char *why = lanes_broken(l);
	if (why)
		fprintf(stderr, "lanes: %s\n", why);
	assert(!why && l->n_reported == 1);
#else
	assert(l->n_reported == 1);
#endif
}

void lanes_resume(struct lanes *l, const struct resume *r)
{
	const bool stop = l->interrupt_pending && !l->is_shown;
	l->interrupt_pending = l->was_backwards = false;
	l->n_reported = 0;
	l->is_elsewhere = false;
	user_note_command(l, r);
	if (l->is_shown)
		hits_drop_deleted(l);
	hits_note_resume(l);
	if (l->is_shown) {
		l->reported_watch.kind = EVENT_NONE;
		l->stepped = 0;
	}
	if (stop)
		stop_at_once(l, r);
	else if (r->locked && !r->has_step)
		continue_one(l, r->locked);
	else
		step_or_continue(l, r);
	verify(l);
}
