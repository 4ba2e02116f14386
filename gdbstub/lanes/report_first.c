/* What is reported to gdb instead of letting the machine run: what has happened without its knowledge, breakpoints that warps have hit
 * meanwhile, and steps that end where gdb already believes the thread to be, or that can be deferred. */
#include <string.h>

#include "debug/stop/run.h"
#include "gdbstub/lanes/lanes.h"

/* A thread that hasn't begun steps from its launch to the kernel's first instruction. */
static bool enter_kernel(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply)
{
	const struct thread_view *v = r->has_step ? view_of_uid(s, uid) : NULL;
	if (!v || !v->at_launch || stale_of(s, uid))
		return false;
	struct debug_where w = v->w;
	if (!r->others)
		stale_others(s, uid);
	view_arrived(s, &w);
	stale_drop_unmoved(s);
	bool hit = points_hold(s, r->step, view_pc(w.pc));
	if (r->others) {
		stale_clear(s);
		hits_clear(s);
	}
	if (hit) {
		debug_hit_is_reported(s->d, &w.thread);
		hits_add_reported(s, &w);
	}
	/* from here `until` steps over all addresses from the kernel's code to this place: gdb would go on to the kernel's end */
	bool is_done = r->has_range && r->from < STUB_LAUNCH_AT && r->to > STUB_LAUNCH_AT;
	stop_reply_thread(s, is_done && !hit ? 0 : 5, r->step, hit ? "swbreak:;" : "", reply);
	s->seen = false;
	return true;
}

/* A watchpoint on a name (`watch tile[3]`) belongs for gdb to the thread in which it was set: a write by another one is passed over.
 * Told for the thread its user is on, gdb looks and finds the change. */
static bool report_watch_again(struct stub *s, struct text *reply)
{
	struct debug_where w;
	char why[sizeof s->reported_watch];
	memcpy(why, s->reported_watch, sizeof why);
	s->reported_watch[0] = '\0';
	if (!why[0] || s->stop_tid == s->favourite || !thread_where(s, s->favourite, &w) ||
	    w.state == DEBUG_THREAD_EXITED)
		return false;
	debug_focus_set(s->d, &w.thread);
	stop_stands(s, s->favourite);
	stop_reply_thread(s, 5, s->favourite, why, reply);
	s->seen = false;
	return true;
}

/* What gdb hears of while one thread steps alone it may keep to itself; if it has shown that, the user knows. If gdb steps the thread
 * once more, it has a breakpoint there: then the thread moves. */
bool report_moved(struct stub *s, const struct resume *r, bool alone, struct text *reply)
{
	const bool again = s->moved_reported;
	if (s->moved_reported && s->seen) {
		s->moved = false;
		points_settle(s, false); /* the thread would hit what gdb has taken out from under it */
	}
	s->moved_reported = s->moved;
	if (!s->moved || (alone && again))
		return false;
	stale_clear(s);
	hits_clear(s);
	text_add(&s->console, text_str(&s->moved_text));
	text_clear(&s->moved_text);
	stop_reply_thread(s, 5, alone ? r->step : thread_of_focus(s), "", reply);
	s->seen = false;
	s->moved = alone;
	return true;
}

/* gdb was stepping a thread, others too were to run, and for one of its warp a breakpoint was reported that gdb then took it over by itself. The
 * warp has moved; gdb finds the thread it was stepping at another place, puts a breakpoint there, lets everybody run and waits for the
 * thread to execute it: on a processor it hasn't yet. */
static bool report_stepped(struct stub *s, struct text *reply)
{
	const struct thread_view *v = s->stepped && !s->seen ? view_of(s, s->stepped) : NULL;
	struct debug_where w;
	if (!v || v->is_host || !stale_has_moved(s, v->uid) || !points_inserted_at(s, v->pc) ||
	    !points_hold(s, s->stepped, v->pc) || !thread_where(s, s->stepped, &w) || hits_left(s, &w))
		return false;
	debug_focus_set(s->d, &w.thread);
	stop_reply_thread(s, 5, s->stepped, "swbreak:;", reply);
	s->stepped = 0;
	return true;
}

static bool report_loaded(struct stub *s, struct text *reply)
{
	if (!s->libraries_changed)
		return false;
	s->libraries_changed = false;
	stop_reply_thread(s, 5, s->tid_g, "library:;", reply);
	return true;
}

static bool defer(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply)
{
	struct stale_view to = {0};
	if (!deferred_step_to(s, r, uid, &to))
		return false;
	resume_choose_focus(s, r);
	stale_add(s, &to);
	stop_reply_thread(s, 5, r->step, "", reply);
	stale_drop(s, uid);
	s->deferred = to;
	s->seen = false;
	return true;
}

/* A thread whose view is stale, or that is at a hit that its warp has left, is stepped to where it has been since. From a hit at the very
 * place of its stale view, of a breakpoint that there isn't any more, it is stepped off. */
static bool catches_up(struct stub *s, const struct debug_where *w, bool is_stale)
{
	const struct stale_view *l = stale_of(s, w->uid);
	const struct hit *h = is_stale && l ? hits_left(s, w) : NULL;
	bool is_off = h && h->pc == l->pc && !points_inserted_at(s, h->pc);
	return is_stale && !is_off ? hits_reach(s, w) : hits_step(s, w);
}

bool report_first(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply)
{
	bool alone = r->has_step && !r->others;
	struct debug_where w;
	if (report_moved(s, r, alone, reply))
		return true;
	if (!alone && report_loaded(s, reply))
		return true;
	if (!r->has_step && report_stepped(s, reply))
		return true;
	/* on a processor, too, others at a breakpoint are reported when they are to run, and end the step of one */
	if (!alone && hits_report(s, reply))
		return true;
	if (!alone && (queue_report(s, reply) || report_watch_again(s, reply)))
		return true;
	if (enter_kernel(s, r, uid, reply))
		return true;
	bool is_stale = r->has_step && stale_has_moved(s, uid);
	if (r->has_step && !is_stale && thread_where(s, r->step, &w) && hits_report_own(s, &w, reply))
		return true;
	bool is_there = r->has_step && thread_where(s, r->step, &w) && catches_up(s, &w, is_stale);
	if (!is_there && defer(s, r, uid, reply))
		return true;
	if (r->has_step)
		stale_drop(s, uid);
	if (!alone) {
		stale_clear(s);
		hits_clear(s);
	}
	if (!(is_there || is_stale) || run_waits_at_point(s, uid)) /* there it has to move to get where it is shown */
		return false;
	stop_stands(s, r->step);
	stop_reply_thread(s, 5, r->step, "", reply);
	return true;
}
