/* gdb's continue and step.
 *
 * gdb believes in threads that move alone, the machine moves warps: what that needs is in stale.c (lanes that have moved with their warp
 * while gdb stepped another one), deferred.c (a step over a breakpoint, which gdb makes before each continue) and hits.c (breakpoints that
 * warps have hit meanwhile). The packets are in vcont.c, the machine runs in running.c, unless there is something to report first
 * (report_first.c). */
#include <stdlib.h>

#include "debug/stop/run.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/protocol/packet.h"

/* Before the thread that its user is on now, gdb takes the one that was reported over its breakpoint. */
static bool is_on_another(const struct stub *s, const struct resume *r)
{
	return r->has_step && !r->others && r->step == s->stop_tid && s->chosen;
}

void resume_choose_focus(struct stub *s, const struct resume *r)
{
	struct debug_where w;
	bool on_another = is_on_another(s, r);
	if (s->seen)
		s->favourite = r->has_step && !on_another ? r->step
			       : s->tid_c && !on_another  ? s->tid_c
			       : s->chosen		  ? s->chosen
							  : s->stop_tid;
	if (thread_where(s, on_another ? r->step : s->favourite, &w) && w.state != DEBUG_THREAD_EXITED)
		debug_focus_set(s->d, &w.thread);
}

/* gdb steps a thread off a breakpoint, which is a step it may make only to let everybody run then, and there is something to report of
 * others first: the thread is still where it was, or waits for its turn at another breakpoint. Told so, gdb would take that for a hit.
 * After the first byte of the instruction there is none: line and frame are the thread's own. */
static void pretend_moved(struct stub *s, const struct thread_view *v)
{
	struct stale_view l = {.uid = v->uid, .pc = v->pc + 1, .sp = v->sp, .executed = STALE_NOT_MOVED};
	stale_drop(s, l.uid);
	stale_add(s, &l);
	s->pretended = l.uid;
}

/* Says that nothing runs. */
static void say_idle(struct stub *s, const char *why)
{
	text_addf(&s->console, "warpstep: %s\n", s->not_launched.n ? text_str(&s->not_launched) : why);
	text_clear(&s->not_launched);
}

static void idle(struct stub *s, const struct text *why, struct text *reply)
{
	say_idle(s, text_str(why));
	stop_reply_thread(s, 5, thread_of_focus(s), "", reply);
}

/* After a step of one thread alone. */
static void report_alone(struct stub *s, const struct resume *r, uint64_t uid, bool has_moved, struct debug_stop *stop,
			 struct text *reply)
{
	uint64_t focus = thread_of_focus(s);
	struct debug_where w;
	const struct thread_view *v = view_of_uid(s, uid);
	if (stop && stop->reason == DEBUG_STOP_INTERRUPTED) {
		stop_reply_thread(s, 2, r->step, "", reply);
		return;
	}
	if (stop && stop->reason != DEBUG_STOP_STEPPED && focus == r->step) {
		uint64_t favourite = s->favourite;
		s->favourite = r->step; /* gdb aborts when another one is reported */
		stop_reply(s, stop, r->step, reply);
		s->favourite = favourite;
		return;
	}
	unsigned signal = 5;
	if (stop && stop->reason != DEBUG_STOP_STEPPED) {
		bool stays = (!has_moved && v && v->w.state != DEBUG_THREAD_EXITED) || run_waits_at_point(s, uid);
		v = view_of_uid(s, uid);
		if (stays && points_at(s, v->pc) && !r->has_range && s->pretended != uid)
			pretend_moved(s, v);
		else if (stays)
			signal =
				0; /* no step that is done, nor a breakpoint: gdb stops, and shows where the thread is */
		queue_stop(s, stop);
		v = view_of_uid(s, uid);
	} else {
		s->pretended = 0;
	}
	/* where gdb has a breakpoint it reports that itself, and next steps off it */
	if (has_moved && v && points_hold(s, r->step, v->pc) && thread_where(s, r->step, &w)) {
		debug_hit_is_reported(s->d, &w.thread);
		hits_add_reported(s, &w);
	}
	stop_reply_thread(s, signal, r->step, "", reply);
}

static bool is_stale_thread(struct stub *s, uint64_t tid, uint64_t *uid)
{
	struct debug_where w;
	return thread_uid(s, tid, uid) && (stale_of(s, *uid) || (thread_where(s, tid, &w) && hits_left(s, &w)));
}

/* What else it leads to than was reported is reported when gdb lets everybody run again. */
void resume_deferred(struct stub *s)
{
	struct stale_view deferred = s->deferred;
	struct resume r = {.has_step = true, .step = s->stop_tid};
	struct debug_stop stop;
	struct text why = {0};
	if (!deferred.uid)
		return;
	debug_stop_init(&stop);
	uint64_t before = thread_executed(s, deferred.uid);
	struct stale_before before_it = stale_save(s);
	stale_others(s, deferred.uid);
	hits_snapshot(s);
	points_settle(s, true);
	bool ok = run_alone(s, &r, deferred.uid, &stop, &why);
	/* to gdb, unless it has gone, that step is done: its 0x03 means what comes next */
	while (ok && !s->closing && stop.reason == DEBUG_STOP_INTERRUPTED &&
	       thread_executed(s, deferred.uid) == before) {
		s->stops_next = true;
		ok = run_alone(s, &r, deferred.uid, &stop, &why);
	}
	s->deferred.uid = 0;
	stale_drop_unmoved(s);
	if (thread_executed(s, deferred.uid) == before) {
		stale_restore(s, &before_it);
		stale_add(s, &deferred);
	}
	free(before_it.v);
	if (ok)
		session_report_stop(s->session, &s->face, &stop);
	if (ok && stop.reason != DEBUG_STOP_STEPPED)
		queue_stop(s, &stop);
	debug_stop_free(&stop);
	text_free(&why);
}

/* Does a thread stand at a breakpoint that gdb has in? */
static bool stands_at_inserted(struct stub *s, uint64_t tid)
{
	const struct thread_view *v = view_of(s, tid);
	return v && !v->is_host && points_inserted_at(s, v->pc) && stop_stands(s, tid);
}

/* The host, or a thread that has ended: it can't step, so gdb is shown one that can. That one may be at a hit that hasn't been reported; shown
 * there, gdb would step it off: what others that are to run have hit comes first. Told of a hit that is none for it, gdb asks for the same
 * step once more: then it has to stop. */
static void report_ended(struct stub *s, const struct resume *r, struct text *reply)
{
	if (debug_can_run(s->d))
		text_add(&s->console, "warpstep: this thread does not run (any more)\n");
	else
		say_idle(s, "nothing is running: launch a kernel first");
	if (r->others && !s->moved && hits_report(s, reply))
		return;
	uint64_t tid = r->others ? thread_of_focus(s) : r->step;
	bool hit = r->others && s->seen && stands_at_inserted(s, tid);
	/* a SIGTRAP would be a step done, of many to come; alone, only the thread that steps may be reported */
	stop_reply_thread(s, hit ? 5 : 0, tid, hit ? "swbreak:;" : "", reply);
	s->seen = false;
}

/* gdb lets one thread go on and no other: `continue` with scheduler-locking on. Here others run, too, but gdb 13 aborts when one
 * is reported that it has not resumed: what they hit is reported when they may run. */
enum packet_result resume_locked(struct stub *s, uint64_t tid, struct text *reply)
{
	struct resume r = {.has_step = true, .step = tid, .to_end = true};
	struct debug_stop stop;
	struct debug_where w;
	struct text why = {0};
	uint64_t uid = 0;
	resume_deferred(s);
	s->deferred.uid = 0;
	s->brief = true;
	bool exists = thread_where(s, tid, &w);
	if (!is_stale_thread(s, tid, &uid) && (!exists || w.state == DEBUG_THREAD_EXITED)) {
		report_ended(s, &r, reply);
		return PACKET_REPLY;
	}
	if (report_moved(s, &r, true, reply))
		return PACKET_REPLY;
	bool is_stale = stale_has_moved(s, uid);
	stale_drop(s, uid);
	if (exists && hits_go_on(s, &w, is_stale, reply))
		return PACKET_REPLY;
	debug_stop_init(&stop);
	resume_choose_focus(s, &r);
	stale_others(s, uid);
	hits_snapshot(s);
	points_settle(s, false);
	struct standing before = run_standing(s, uid);
	bool ok = run_locked(s, &r, uid, &stop, &why);
	stale_drop_unmoved(s);
	s->seen = false;
	report_alone(s, &r, uid, run_has_moved(s, uid, &before), ok ? &stop : NULL, reply);
	if (ok)
		session_report_stop(s->session, &s->face, &stop);
	debug_stop_free(&stop);
	text_free(&why);
	return PACKET_REPLY;
}

enum packet_result resume(struct stub *s, const struct resume *asked, struct text *reply)
{
	struct resume r = *asked;
	if (r.has_step)
		resume_deferred(s);
	const struct stale_view none = s->deferred;
	const uint64_t none_executed = none.uid ? thread_executed(s, none.uid) : 0;
	deferred_was_none(s);
	if (!r.has_step || r.others)
		s->pretended = 0;
	struct debug_stop stop;
	struct debug_where w;
	struct text why = {0};
	uint64_t uid = 0;
	s->brief = true;
	if (r.has_step && r.others)
		s->stepped = r.step;
	debug_stop_init(&stop);
	bool is_stale = r.has_step && is_stale_thread(s, r.step, &uid); /* for gdb it has not ended yet */
	if (r.has_step && !is_stale && (!thread_where(s, r.step, &w) || w.state == DEBUG_THREAD_EXITED)) {
		report_ended(s, &r, reply);
		return PACKET_REPLY;
	}
	if (report_first(s, &r, uid, reply))
		return PACKET_REPLY;
	resume_choose_focus(s, &r);
	struct standing before = r.has_step ? run_standing(s, uid) : (struct standing){0};
	bool alone = r.has_step && !r.others;
	struct stale_before before_it = stale_save(s);
	if (alone) {
		stale_others(s, uid);
		hits_snapshot(s);
	}
	points_settle(s, alone);
	bool ok = alone ? run_alone(s, &r, uid, &stop, &why) : run_there(s, &r, uid, &stop, &why);
	stale_drop_unmoved(s);
	if (ok && stop.reason == DEBUG_STOP_INTERRUPTED && none.uid &&
	    thread_executed(s, none.uid) == none_executed) { /* gdb knows it after its step */
		s->deferred = none;
		resume_deferred(s);
	}
	s->seen = false;
	if (r.has_step && thread_executed(s, uid) == before.executed)
		stale_restore(s, &before_it);
	free(before_it.v);
	if (alone)
		report_alone(s, &r, uid, run_has_moved(s, uid, &before), ok ? &stop : NULL, reply);
	else if (ok)
		stop_reply(s, &stop, r.has_step ? r.step : 0, reply);
	else
		idle(s, &why, reply);
	if (ok)
		session_report_stop(s->session, &s->face, &stop);
	debug_stop_free(&stop);
	text_free(&why);
	return PACKET_REPLY;
}
