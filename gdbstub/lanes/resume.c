/* gdb's continue and step.
 *
 * gdb believes in threads that move alone, the machine moves warps: what that needs is in stale.c (lanes that have moved with their warp
 * while gdb stepped another one), deferred.c (a step over a breakpoint, which gdb makes before each continue) and hits.c (breakpoints that
 * warps have hit meanwhile). The packets are in vcont.c, the machine runs in running.c, unless there is something to tell first
 * (report_first.c). */
#include <stdlib.h>

#include "debug/stop/run.h"
#include "gdbstub/internal.h"

/* Before the thread that its user is on now, gdb takes the one it was told of over its breakpoint. */
static bool is_on_another(const struct stub *s, const struct resume *r)
{
	return r->has_step && !r->others && r->step == s->reported && s->chosen;
}

void resume_choose_focus(struct stub *s, const struct resume *r)
{
	struct debug_where w;
	bool on_another = is_on_another(s, r);
	if (s->seen)
		s->favourite = r->has_step && !on_another ? r->step
			       : s->tid_c && !on_another  ? s->tid_c
			       : s->chosen		  ? s->chosen
							  : s->reported;
	if (thread_where(s, on_another ? r->step : s->favourite, &w) && w.state != DEBUG_THREAD_EXITED)
		debug_focus_set(s->d, &w.thread);
}

/* gdb steps a thread off a breakpoint, which is a step it may make only to let everybody run then, and there is something to tell of
 * others first: the thread is still where it was, or waits for its turn at another breakpoint. Told so, gdb would take that for a hit.
 * Behind the first byte of the instruction there is none: line and frame are the thread's own. */
static void pretend_moved(struct stub *s, const struct thread_view *v)
{
	struct lag l = {.uid = v->uid, .pc = v->pc + 1, .sp = v->sp, .executed = LAG_NOT_MOVED};
	lag_drop(s, l.uid);
	lag_add(s, &l);
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
static void tell_alone(struct stub *s, const struct resume *r, uint64_t uid, bool has_moved, struct debug_stop *stop,
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
		s->favourite = r->step; /* gdb aborts when it is told of another one */
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
	/* where gdb has a breakpoint it tells of that itself, and next steps off it */
	if (has_moved && v && points_hold(s, r->step, v->pc) && thread_where(s, r->step, &w)) {
		debug_hit_is_told(s->d, &w.thread);
		hits_add_told(s, &w);
	}
	stop_reply_thread(s, signal, r->step, "", reply);
}

static bool is_behind(struct stub *s, uint64_t tid, uint64_t *uid)
{
	struct debug_where w;
	return thread_uid(s, tid, uid) && (lag_of(s, *uid) || (thread_where(s, tid, &w) && hits_behind(s, &w)));
}

/* What else it leads to than gdb was told is told when gdb lets everybody run again. */
void resume_put_off(struct stub *s)
{
	struct lag told = s->put_off;
	struct resume r = {.has_step = true, .step = s->reported};
	struct debug_stop stop;
	struct text why = {0};
	if (!told.uid)
		return;
	debug_stop_init(&stop);
	uint64_t before = thread_executed(s, told.uid);
	struct lags_before lagged = lags_keep(s);
	lag_others(s, told.uid);
	hits_keep(s);
	points_settle(s, true);
	bool ok = run_alone(s, &r, told.uid, &stop, &why);
	/* to gdb, unless it has gone, that step is done: its 0x03 means what comes next */
	while (ok && !s->closing && stop.reason == DEBUG_STOP_INTERRUPTED && thread_executed(s, told.uid) == before) {
		s->stops_next = true;
		ok = run_alone(s, &r, told.uid, &stop, &why);
	}
	s->put_off.uid = 0;
	lag_drop_unmoved(s);
	if (thread_executed(s, told.uid) == before) {
		lags_put_back(s, &lagged);
		lag_add(s, &told);
	}
	free(lagged.v);
	if (ok)
		session_tell_stop(s->session, &s->face, &stop);
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

/* The host, or a thread that has ended: it can't step, so gdb is shown one that can. That one may be at a hit it hasn't been told of; shown
 * there, gdb would step it off: what others that are to run have hit comes first. Told of a hit that is none for it, gdb asks for the same
 * step once more: then it has to stop. */
static void tell_ended(struct stub *s, const struct resume *r, struct text *reply)
{
	if (debug_can_run(s->d))
		text_add(&s->console, "warpstep: this thread does not run (any more)\n");
	else
		say_idle(s, "nothing is running: launch a kernel first");
	if (r->others && !s->moved && hits_tell(s, reply))
		return;
	uint64_t tid = r->others ? thread_of_focus(s) : r->step;
	bool hit = r->others && s->seen && stands_at_inserted(s, tid);
	/* a SIGTRAP would be a step done, of many to come; alone, only the thread that steps may be told of */
	stop_reply_thread(s, hit ? 5 : 0, tid, hit ? "swbreak:;" : "", reply);
	s->seen = false;
}

/* gdb lets one thread go on and no other: `continue` with scheduler-locking on. Here others run, too, but gdb 13 aborts when it is told of
 * one that it has not resumed: what they hit is told when they may run. */
enum packet_result resume_locked(struct stub *s, uint64_t tid, struct text *reply)
{
	struct resume r = {.has_step = true, .step = tid, .to_end = true};
	struct debug_stop stop;
	struct debug_where w;
	struct text why = {0};
	uint64_t uid = 0;
	resume_put_off(s);
	s->put_off.uid = 0;
	s->brief = true;
	bool exists = thread_where(s, tid, &w);
	if (!is_behind(s, tid, &uid) && (!exists || w.state == DEBUG_THREAD_EXITED)) {
		tell_ended(s, &r, reply);
		return PACKET_REPLY;
	}
	if (tell_moved(s, &r, true, reply))
		return PACKET_REPLY;
	bool lags = lag_has_moved(s, uid);
	lag_drop(s, uid);
	if (exists && hits_go_on(s, &w, lags, reply))
		return PACKET_REPLY;
	debug_stop_init(&stop);
	resume_choose_focus(s, &r);
	lag_others(s, uid);
	hits_keep(s);
	points_settle(s, false);
	struct standing before = run_standing(s, uid);
	bool ok = run_locked(s, &r, uid, &stop, &why);
	lag_drop_unmoved(s);
	s->seen = false;
	tell_alone(s, &r, uid, run_has_moved(s, uid, &before), ok ? &stop : NULL, reply);
	if (ok)
		session_tell_stop(s->session, &s->face, &stop);
	debug_stop_free(&stop);
	text_free(&why);
	return PACKET_REPLY;
}

enum packet_result resume(struct stub *s, const struct resume *asked, struct text *reply)
{
	struct resume r = *asked;
	if (r.has_step)
		resume_put_off(s);
	const struct lag none = s->put_off;
	const uint64_t none_executed = none.uid ? thread_executed(s, none.uid) : 0;
	put_off_was_none(s);
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
	bool behind = r.has_step && is_behind(s, r.step, &uid); /* for gdb it has not ended yet */
	if (r.has_step && !behind && (!thread_where(s, r.step, &w) || w.state == DEBUG_THREAD_EXITED)) {
		tell_ended(s, &r, reply);
		return PACKET_REPLY;
	}
	if (tell_first(s, &r, uid, reply))
		return PACKET_REPLY;
	resume_choose_focus(s, &r);
	struct standing before = r.has_step ? run_standing(s, uid) : (struct standing){0};
	bool alone = r.has_step && !r.others;
	struct lags_before lagged = lags_keep(s);
	if (alone) {
		lag_others(s, uid);
		hits_keep(s);
	}
	points_settle(s, alone);
	bool ok = alone ? run_alone(s, &r, uid, &stop, &why) : run_there(s, &r, uid, &stop, &why);
	lag_drop_unmoved(s);
	if (ok && stop.reason == DEBUG_STOP_INTERRUPTED && none.uid &&
	    thread_executed(s, none.uid) == none_executed) { /* gdb knows it behind its step */
		s->put_off = none;
		resume_put_off(s);
	}
	s->seen = false;
	if (r.has_step && thread_executed(s, uid) == before.executed)
		lags_put_back(s, &lagged);
	free(lagged.v);
	if (alone)
		tell_alone(s, &r, uid, run_has_moved(s, uid, &before), ok ? &stop : NULL, reply);
	else if (ok)
		stop_reply(s, &stop, r.has_step ? r.step : 0, reply);
	else
		idle(s, &why, reply);
	if (ok)
		session_tell_stop(s->session, &s->face, &stop);
	debug_stop_free(&stop);
	text_free(&why);
	return PACKET_REPLY;
}
