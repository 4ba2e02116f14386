/* gdb's continue and step.
 *
 * gdb believes in threads that move alone, the machine moves warps: what that needs is in lags.c (lanes that have moved with their warp
 * while gdb stepped another one), put_off.c (a step over a breakpoint, which gdb makes before each continue) and hits.c (breakpoints that
 * warps have hit meanwhile). */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/run.h"
#include "gdbstub/internal.h"

/* ---- running ---- */

static bool in_range(struct stub *s, const struct resume *r, uint64_t uid)
{
	const struct thread_view *v = view_of_uid(s, uid);
	return v && v->w.state != DEBUG_THREAD_EXITED && v->pc >= r->from && v->pc < r->to;
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

/* A step over a range of instructions that isn't out of it yet. */
static bool goes_on(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop)
{
	if (stop->reason == DEBUG_STOP_INTERRUPTED)
		return only_packets(s);
	if (stop->reason != DEBUG_STOP_STEPPED || !r->has_range || !in_range(s, r, uid))
		return false;
	if (!s->host.interrupt || !*s->host.interrupt || only_packets(s))
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

/* Runs until there is something to tell. False: nothing can run. */
static bool run(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	bool ok, has_moved;
	s->running = true;
	link_watch(s, true);
	if (r->has_step)
		awake_step_begins(s);
	do {
		uint64_t before = r->has_step ? thread_executed(s, uid) : 0;
		ok = run_once(s, r, uid, stop, why);
		has_moved = r->has_step && thread_executed(s, uid) != before;
	} while (ok && (passes_over(s, r, has_moved, stop) || goes_on(s, r, uid, stop)));
	awake_step_ends(s);
	link_watch(s, false);
	s->running = false;
	return ok;
}

/* Has the thread come to a breakpoint without being there, as it waits for the other side of a branch, or in a barrier, behind which it
 * is shown? gdb would take that for a hit. (A thread that is at an earlier hit for gdb has been there.) */
static bool waits_at_point(struct stub *s, uint64_t uid)
{
	view_forget(s);
	const struct thread_view *v = view_of_uid(s, uid);
	if (!v || v->w.state != DEBUG_THREAD_LIVE || !points_at(s, v->pc) || hits_behind(s, &v->w))
		return false;
	return !v->w.active || (v->w.simt && v->w.pc != v->w.simt->pc);
}

/* Runs a step, and on until the thread is where it has come to. */
static bool run_there(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	bool ok = run(s, r, uid, stop, why);
	while (ok && r->has_step && stop->reason == DEBUG_STOP_STEPPED && waits_at_point(s, uid))
		ok = run(s, r, uid, stop, why);
	return ok;
}

/* A thread that is stepped alone moves, whatever others hit meanwhile: that is told later. */
static bool run_alone(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
{
	uint64_t before = thread_executed(s, uid);
	bool ok = run_there(s, r, uid, stop, why);
	struct debug_where w;
	while (ok && (stop->reason == DEBUG_STOP_BREAKPOINT || stop->reason == DEBUG_STOP_WATCHPOINT) &&
	       thread_of_focus(s) != r->step &&
	       (thread_executed(s, uid) == before || (r->has_range && in_range(s, r, uid)))) {
		queue_stop(s, stop);
		if (thread_where(s, r->step, &w))
			hits_leave(s, &w);
		ok = run_there(s, r, uid, stop, why);
	}
	return ok;
}

/* ---- what is told without running ---- */

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

/* A thread that hasn't begun steps from its launch to the kernel's first instruction. */
static bool enter_kernel(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply)
{
	const struct thread_view *v = r->has_step ? view_of_uid(s, uid) : NULL;
	if (!v || !v->at_launch || lag_of(s, uid))
		return false;
	struct debug_where w = v->w;
	if (!r->others)
		lag_others(s, uid);
	view_arrived(s, &w);
	bool hit = points_hold(s, r->step, view_pc(w.pc));
	if (r->others) {
		lag_clear(s);
		hits_clear(s);
	}
	if (hit) {
		debug_hit_is_told(s->d, &w.thread);
		hits_add_told(s, &w);
	}
	stop_reply_thread(s, 5, r->step, hit ? "swbreak:;" : "", reply);
	s->seen = false;
	return true;
}

/* A watchpoint on a name (`watch tile[3]`) belongs for gdb to the thread in which it was set: a write by another one is passed over.
 * Told for the thread its user is on, gdb looks and finds the change. */
static bool tell_watch_again(struct stub *s, struct text *reply)
{
	struct debug_where w;
	char why[sizeof s->told_watch];
	memcpy(why, s->told_watch, sizeof why);
	s->told_watch[0] = '\0';
	if (!why[0] || s->seen || s->reported == s->favourite || !thread_where(s, s->favourite, &w) ||
	    w.state == DEBUG_THREAD_EXITED)
		return false;
	debug_focus_set(s->d, &w.thread);
	stop_stands(s, s->favourite);
	stop_reply_thread(s, 5, s->favourite, why, reply);
	s->seen = false;
	return true;
}

/* gdb's user hasn't seen where the machine is: somebody else has run it. What gdb hears of while one thread steps alone it may keep to
 * itself; if it has shown that, the user knows. If gdb steps the thread once more, it has a breakpoint there: then the thread moves. */
static bool tell_moved(struct stub *s, const struct resume *r, bool alone, struct text *reply)
{
	const bool again = s->moved_told;
	if (s->moved_told && s->seen) {
		s->moved = false;
		points_settle(s, false); /* the thread would hit what gdb has taken out from under it */
	}
	s->moved_told = s->moved;
	if (!s->moved || (alone && again))
		return false;
	lag_clear(s);
	hits_clear(s);
	text_add(&s->console, text_str(&s->moved_text));
	text_clear(&s->moved_text);
	stop_reply_thread(s, 5, alone ? r->step : thread_of_focus(s), "", reply);
	s->seen = false;
	s->moved = alone;
	return true;
}

static bool tell_loaded(struct stub *s, struct text *reply)
{
	if (!s->libraries_changed)
		return false;
	s->libraries_changed = false;
	stop_reply_thread(s, 5, s->tid_g, "library:;", reply);
	return true;
}

/* Before the thread that its user is on now, gdb takes the one it was told of over its breakpoint. */
static bool is_on_another(const struct stub *s, const struct resume *r)
{
	return r->has_step && !r->others && r->step == s->reported && s->chosen;
}

static void choose_focus(struct stub *s, const struct resume *r)
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

static bool put_off(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply)
{
	struct lag to = {0};
	if (!put_off_to(s, r, uid, &to))
		return false;
	choose_focus(s, r);
	lag_add(s, &to);
	stop_reply_thread(s, 5, r->step, "", reply);
	lag_drop(s, uid);
	s->put_off = to;
	s->seen = false;
	return true;
}

/* Has the machine taken a thread further than gdb has been told? */
static bool has_moved_on(const struct stub *s, uint64_t uid)
{
	const struct lag *l = lag_of(s, uid);
	return l && l->executed != LAG_NOT_MOVED;
}

/* Of a thread that steps alone, over a breakpoint, gdb wants to hear and of no other: everything else waits. */
static bool tell_without_running(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply)
{
	bool alone = r->has_step && !r->others;
	struct debug_where w;
	if (tell_moved(s, r, alone, reply))
		return true;
	if (!alone && tell_loaded(s, reply))
		return true;
	/* on a processor, too, others at a breakpoint are told of when they are to run, and end the step of one */
	if (!alone && hits_tell(s, !r->has_step || s->break_mode == BREAK_LANE, reply))
		return true;
	if (!alone && (queue_tell(s, reply) || tell_watch_again(s, reply)))
		return true;
	if (enter_kernel(s, r, uid, reply))
		return true;
	bool lags = r->has_step && has_moved_on(s, uid);
	if (r->has_step && !lags && thread_where(s, r->step, &w) && hits_tell_own(s, &w, reply))
		return true;
	bool behind = r->has_step && thread_where(s, r->step, &w) && (lags ? hits_reach(s, &w) : hits_step(s, &w));
	if (!behind && put_off(s, r, uid, reply))
		return true;
	if (r->has_step)
		lag_drop(s, uid);
	if (!alone) {
		lag_clear(s);
		hits_clear(s);
	}
	if (!(behind || lags) || waits_at_point(s, uid)) /* there it has to move to get where it is shown */
		return false;
	stop_stands(s, r->step);
	stop_reply_thread(s, 5, r->step, "", reply);
	return true;
}

/* ---- resuming ---- */

static void idle(struct stub *s, const struct text *why, struct text *reply)
{
	text_addf(&s->console, "warpstep: %s\n", text_str(s->not_launched.n ? &s->not_launched : why));
	text_clear(&s->not_launched);
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
		s->hit_by_continue =
			true; /* its own lanes have hit it, too: they are told in their turn if gdb goes on */
		return;
	}
	unsigned signal = 5;
	if (stop && stop->reason != DEBUG_STOP_STEPPED) {
		bool stays = (!has_moved && v && v->w.state != DEBUG_THREAD_EXITED) || waits_at_point(s, uid);
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
	s->hit_by_continue = false;
	bool ok = run_alone(s, &r, told.uid, &stop, &why);
	s->put_off.uid = 0;
	view_forget(s);
	if (thread_executed(s, told.uid) == before) {
		lags_put_back(s, &lagged);
		lag_add(s, &told);
	}
	free(lagged.v);
	if (ok && s->host.stopped)
		s->host.stopped(s->host.self, &stop);
	if (ok && stop.reason != DEBUG_STOP_STEPPED)
		queue_stop(s, &stop);
	debug_stop_free(&stop);
	text_free(&why);
}

/* The host, or a thread that has ended: it can't step, so gdb is shown one that can. That one may be at a hit it hasn't been told of; shown
 * there, gdb would step it off: what others that are to run have hit comes first. */
static void tell_ended(struct stub *s, const struct resume *r, struct text *reply)
{
	text_addf(&s->console, "warpstep: %s\n",
		  debug_can_run(s->d) ? "this thread does not run (any more)"
				      : "nothing is running: launch a kernel first");
	if (r->others && !s->moved && hits_tell(s, s->break_mode == BREAK_LANE, reply))
		return;
	/* a SIGTRAP would be a step done, of many to come; alone, only the thread that steps may be told of */
	stop_reply_thread(s, 0, r->others ? thread_of_focus(s) : r->step, "", reply);
}

/* Until something happens to the thread, or to all. */
static bool run_locked(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why)
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

/* gdb lets one thread go on and no other: `continue` with scheduler-locking on. Here others run, too, but gdb 13 aborts when it is told of
 * one that it has not resumed: what they hit is told when they may run. */
static enum packet_result resume_locked(struct stub *s, uint64_t tid, struct text *reply)
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
	bool lags = has_moved_on(s, uid);
	lag_drop(s, uid);
	if (exists && hits_go_on(s, &w, lags, reply))
		return PACKET_REPLY;
	debug_stop_init(&stop);
	choose_focus(s, &r);
	lag_others(s, uid);
	hits_keep(s);
	points_settle(s, false);
	s->hit_by_continue = false;
	uint64_t before = thread_executed(s, uid);
	bool ok = run_locked(s, &r, uid, &stop, &why);
	view_forget(s);
	s->seen = false;
	tell_alone(s, &r, uid, thread_executed(s, uid) != before, ok ? &stop : NULL, reply);
	if (ok && s->host.stopped)
		s->host.stopped(s->host.self, &stop);
	debug_stop_free(&stop);
	text_free(&why);
	return PACKET_REPLY;
}

enum packet_result resume(struct stub *s, const struct resume *asked, struct text *reply)
{
	struct resume r = *asked;
	if (r.has_step)
		resume_put_off(s);
	else
		put_off_was_none(s);
	if (!r.has_step || r.others)
		s->pretended = 0;
	struct debug_stop stop;
	struct debug_where w;
	struct text why = {0};
	uint64_t uid = 0;
	s->brief = true;
	debug_stop_init(&stop);
	bool behind = r.has_step && is_behind(s, r.step, &uid); /* for gdb it has not ended yet */
	if (r.has_step && !behind && (!thread_where(s, r.step, &w) || w.state == DEBUG_THREAD_EXITED)) {
		tell_ended(s, &r, reply);
		return PACKET_REPLY;
	}
	if (tell_without_running(s, &r, uid, reply))
		return PACKET_REPLY;
	choose_focus(s, &r);
	uint64_t before = r.has_step ? thread_executed(s, uid) : 0;
	bool alone = r.has_step && !r.others;
	struct lags_before lagged = lags_keep(s);
	if (alone) {
		lag_others(s, uid);
		hits_keep(s);
	}
	points_settle(s, alone);
	s->hit_by_continue = !r.has_step;
	bool ok = alone ? run_alone(s, &r, uid, &stop, &why) : run_there(s, &r, uid, &stop, &why);
	view_forget(s);
	s->seen = false;
	if (r.has_step && !thread_exists(s, r.step))
		lag_clear(s);
	else if (r.has_step && thread_executed(s, uid) == before)
		lags_put_back(s, &lagged);
	free(lagged.v);
	if (alone)
		tell_alone(s, &r, uid, thread_executed(s, uid) != before, ok ? &stop : NULL, reply);
	else if (ok)
		stop_reply(s, &stop, r.has_step ? r.step : 0, reply);
	else
		idle(s, &why, reply);
	if (ok && s->host.stopped)
		s->host.stopped(s->host.self, &stop);
	debug_stop_free(&stop);
	text_free(&why);
	return PACKET_REPLY;
}

/* Where gdb itself goes on from each stop (a condition that it evaluates, `handle ... nostop`), its 0x03 mostly comes while the machine
 * stands: the next run is over before it has begun. If gdb has shown that stop to its user, it was stopped in time; front ends interrupt
 * what stands already, too. */
static enum packet_result resume_or_stop(struct stub *s, const struct resume *r, struct text *reply)
{
	bool stop = s->stops_next && !s->seen;
	s->stops_next = false;
	if (r->has_step ? r->others : !r->locked) /* of one that runs by itself the stop will tell */
		registers_forget(s);
	if (!stop)
		return r->locked && !r->has_step ? resume_locked(s, r->locked, reply) : resume(s, r, reply);
	resume_put_off(s); /* gdb believes that step done */
	s->seen = false;
	stop_reply_thread(s, 2, r->has_step ? r->step : r->locked ? r->locked : s->reported, "", reply);
	return PACKET_REPLY;
}

/* ---- packets ---- */

enum packet_result packet_vcont_what(struct stub *s, const struct args *a, struct text *reply)
{
	(void)s;
	(void)a;
	text_add(reply, "vCont;c;C;s;S;r");
	return PACKET_REPLY;
}

/* One action: `s:1f`, `c`, `C05:-1`, `rFROM,TO:1`. The first one that fits a thread counts, so later steps are left out. */
static bool parse_action(struct stub *s, const char **at, const char *end, struct resume *r)
{
	uint64_t ignored, tid = ARGS_ALL_THREADS, from = 0, to = 0;
	char kind = *(*at)++;
	if ((kind == 'C' || kind == 'S') && !args_number(at, end, &ignored))
		return false;
	if (kind == 'r') {
		if (!args_number(at, end, &from) || *at == end || *(*at)++ != ',' || !args_number(at, end, &to))
			return false;
	}
	if (!strchr("cCsSr", kind))
		return false;
	if (*at < end && **at == ':') {
		(*at)++;
		if (!args_thread(at, end, &tid))
			return false;
	}
	bool all = tid == ARGS_ALL_THREADS || tid == ARGS_ANY_THREAD;
	if (kind == 'c' || kind == 'C') {
		r->locked = all || r->others || tid == STUB_HOST_TID ? 0 : tid;
		r->others = true;
	} else if (!r->has_step) {
		r->has_step = true;
		r->step = all ? s->tid_g : tid;
		r->others |= all;
		r->has_range = kind == 'r';
		r->from = from;
		r->to = to;
	}
	return *at == end || **at == ';';
}

enum packet_result packet_vcont(struct stub *s, const struct args *a, struct text *reply)
{
	const char *at = a->v[0].s, *end = at + a->v[0].n;
	struct resume r = {0};
	while (at < end) {
		if (*at++ != ';' || at == end || !parse_action(s, &at, end, &r))
			return PACKET_BAD;
	}
	return r.locked || r.has_step || r.others ? resume_or_stop(s, &r, reply) : PACKET_BAD;
}

enum packet_result packet_c(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	return resume_or_stop(s, &(struct resume){.others = true}, reply);
}

enum packet_result packet_s(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	return resume_or_stop(s, &(struct resume){.has_step = true, .step = s->tid_c ? s->tid_c : s->tid_g}, reply);
}
