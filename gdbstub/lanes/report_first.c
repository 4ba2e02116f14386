/* What gdb is told of instead of letting the machine run: what has happened without its knowledge, breakpoints that warps have hit
 * meanwhile, and steps that end where gdb already believes the thread to be, or that can be put off. */
#include <string.h>

#include "debug/stop/run.h"
#include "gdbstub/internal.h"

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
	lag_drop_unmoved(s);
	bool hit = points_hold(s, r->step, view_pc(w.pc));
	if (r->others) {
		lag_clear(s);
		hits_clear(s);
	}
	if (hit) {
		debug_hit_is_told(s->d, &w.thread);
		hits_add_told(s, &w);
	}
	/* from here `until` steps over all addresses from the kernel's code to this place: gdb would go on to the kernel's end */
	bool is_done = r->has_range && r->from < STUB_LAUNCH_AT && r->to > STUB_LAUNCH_AT;
	stop_reply_thread(s, is_done && !hit ? 0 : 5, r->step, hit ? "swbreak:;" : "", reply);
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
	if (!why[0] || s->reported == s->favourite || !thread_where(s, s->favourite, &w) ||
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
bool tell_moved(struct stub *s, const struct resume *r, bool alone, struct text *reply)
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

/* gdb was stepping a thread, others too were to run, and one of its warp was told of a breakpoint that gdb then took it over by itself. The
 * warp has moved; gdb finds the thread it was stepping at another place, puts a breakpoint there, lets everybody run and waits for the
 * thread to execute it: on a processor it hasn't yet. */
static bool tell_stepped(struct stub *s, struct text *reply)
{
	const struct thread_view *v = s->stepped && !s->seen ? view_of(s, s->stepped) : NULL;
	struct debug_where w;
	if (!v || v->is_host || !lag_has_moved(s, v->uid) || !points_inserted_at(s, v->pc) ||
	    !points_hold(s, s->stepped, v->pc) || !thread_where(s, s->stepped, &w) || hits_behind(s, &w))
		return false;
	debug_focus_set(s->d, &w.thread);
	stop_reply_thread(s, 5, s->stepped, "swbreak:;", reply);
	s->stepped = 0;
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

static bool put_off(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply)
{
	struct lag to = {0};
	if (!put_off_to(s, r, uid, &to))
		return false;
	resume_choose_focus(s, r);
	lag_add(s, &to);
	stop_reply_thread(s, 5, r->step, "", reply);
	lag_drop(s, uid);
	s->put_off = to;
	s->seen = false;
	return true;
}

/* A thread that lags, or is at a hit that its warp has left, is stepped to where it has been since. From a hit at the very place where it
 * lags, of a breakpoint that there isn't any more, it is stepped off. */
static bool catches_up(struct stub *s, const struct debug_where *w, bool lags)
{
	const struct lag *l = lag_of(s, w->uid);
	const struct hit *h = lags && l ? hits_behind(s, w) : NULL;
	bool is_off = h && h->pc == l->pc && !points_inserted_at(s, h->pc);
	return lags && !is_off ? hits_reach(s, w) : hits_step(s, w);
}

bool tell_first(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply)
{
	bool alone = r->has_step && !r->others;
	struct debug_where w;
	if (tell_moved(s, r, alone, reply))
		return true;
	if (!alone && tell_loaded(s, reply))
		return true;
	if (!r->has_step && tell_stepped(s, reply))
		return true;
	/* on a processor, too, others at a breakpoint are told of when they are to run, and end the step of one */
	if (!alone && hits_tell(s, reply))
		return true;
	if (!alone && (queue_tell(s, reply) || tell_watch_again(s, reply)))
		return true;
	if (enter_kernel(s, r, uid, reply))
		return true;
	bool lags = r->has_step && lag_has_moved(s, uid);
	if (r->has_step && !lags && thread_where(s, r->step, &w) && hits_tell_own(s, &w, reply))
		return true;
	bool behind = r->has_step && thread_where(s, r->step, &w) && catches_up(s, &w, lags);
	if (!behind && put_off(s, r, uid, reply))
		return true;
	if (r->has_step)
		lag_drop(s, uid);
	if (!alone) {
		lag_clear(s);
		hits_clear(s);
	}
	if (!(behind || lags) || run_waits_at_point(s, uid)) /* there it has to move to get where it is shown */
		return false;
	stop_stands(s, r->step);
	stop_reply_thread(s, 5, r->step, "", reply);
	return true;
}
