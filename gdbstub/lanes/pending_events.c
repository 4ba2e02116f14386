/* What is reported to gdb instead of letting the machine run: what has happened without its knowledge, breakpoints that warps have hit meanwhile, and
 * steps that end where gdb already believes the thread to be, or that can be deferred. */
#include "gdbstub/lanes/room.h"

/* Reports once that another face has run the machine. If gdb steps one thread alone it may not show that, so it is reported again; a second lone
 * step then moves the thread. */
bool pending_report_moved(struct lanes *l, const struct resume *r)
{
	const bool again = l->is_move_reported, alone = r->has_step && !r->others;
	if (l->is_move_reported && l->is_shown) {
		l->was_moved = false;
		l->m->remove_taken_out(l->self, false); /* the thread would hit what gdb has taken out from under it */
	}
	l->is_move_reported = l->was_moved;
	if (!l->was_moved || (alone && again))
		return false;
	stale_drop(l);
	hits_clear(l);
	l->c->say(l->self, text_str(&l->moved_text));
	text_clear(&l->moved_text);
	lanes_report(l, 5, alone ? r->step : l->m->focus(l->self), EVENT_NONE);
	l->is_shown = false;
	l->was_moved = alone;
	return true;
}

static bool report_moved(struct lanes *l, const struct resume *r, uint64_t uid)
{
	(void)uid;
	return pending_report_moved(l, r);
}

static bool report_loaded(struct lanes *l, const struct resume *r, uint64_t uid)
{
	uint64_t tid;
	(void)r;
	(void)uid;
	if (!l->c->loaded(l->self, &tid))
		return false;
	lanes_report(l, 5, tid, EVENT_LOADED);
	return true;
}

/* Reports a breakpoint that gdb has inserted where it sees the thread that it steps, and where the thread executes nothing: the warp is further, or the
 * thread waits in a barrier. gdb has passed over another thread's hit meanwhile, and waits for the thread to hit this breakpoint. */
static bool report_stepped(struct lanes *l, const struct resume *r, uint64_t uid)
{
	struct machine_lane at;
	(void)r;
	(void)uid;
	if (!l->stepped || l->is_shown || !lanes_find(l, l->stepped, &at))
		return false;
	const struct place *p = lane_place(l, at.uid);
	const uint64_t pc = p ? p->pc : at.pc;
	if (!(p ? p->kind == PLACE_LEFT : at.in_barrier) || !l->m->is_inserted(l->self, pc) ||
	    !l->m->condition_holds(l->self, at.uid, pc, false))
		return false;
	const struct timeline *line = timeline_of(&l->t, at.uid);
	if (p && line->n > 1 && place_is_left(l, at.uid, &line->places[1]))
		return false;
	l->m->set_focus(l->self, at.uid);
	lanes_report(l, 5, l->stepped, EVENT_BREAKPOINT);
	l->stepped = 0;
	return true;
}

static bool report_hits(struct lanes *l, const struct resume *r, uint64_t uid)
{
	(void)r;
	(void)uid;
	return hits_report(l);
}

static bool report_queued(struct lanes *l, const struct resume *r, uint64_t uid)
{
	(void)r;
	(void)uid;
	return stop_report_queued(l, 0);
}

/* Reports a write once more, for the thread that the user is on. To gdb, a watchpoint on a name (`watch tile[3]`) belongs to the thread in which
 * it was set, and a write by another thread is passed over. */
static bool report_watch_again(struct lanes *l, const struct resume *r, uint64_t uid)
{
	struct machine_lane at;
	(void)r;
	(void)uid;
	const struct lanes_event event = l->reported_watch;
	l->reported_watch.kind = EVENT_NONE;
	if (!event.kind || l->stop_tid == l->preferred || !lanes_find(l, l->preferred, &at) || at.exited)
		return false;
	l->m->set_focus(l->self, at.uid);
	stop_note_breakpoint(l, l->preferred);
	lanes_report_event(l, 5, l->preferred, event);
	l->is_shown = false;
	return true;
}

/* Reports that a thread has stepped from its launch to the kernel's first instruction. */
static bool report_entered(struct lanes *l, const struct resume *r, uint64_t uid)
{
	struct machine_lane at;
	const struct place *p = timeline_first(&l->t, uid);
	if (!l->m->lane(l->self, uid, &at) || !at.at_launch || (p && p->kind != PLACE_HIT))
		return false;
	if (!r->others)
		stale_add(l, uid);
	l->m->note_entered(l->self, uid);
	stale_trim(l);
	bool hit = l->m->condition_holds(l->self, uid, at.code_pc, false);
	if (r->others) {
		stale_drop(l);
		hits_clear(l);
	}
	if (hit) {
		l->m->skip_breakpoint(l->self, uid);
		hits_add_reported(l, &at);
	}
	/* from here `until` steps over all addresses from the kernel's code to this place: gdb would go on to the kernel's end */
	bool is_done = r->has_range && r->from <= at.code_pc && r->to > at.pc;
	lanes_report(l, is_done && !hit ? 0 : 5, r->step, hit ? EVENT_BREAKPOINT : EVENT_NONE);
	l->is_shown = false;
	return true;
}

/* Reports a hit of the thread that gdb steps, from a breakpoint that gdb has left in: then gdb doesn't know of the hit. */
static bool report_own(struct lanes *l, const struct resume *r, uint64_t uid)
{
	const struct place *p = timeline_first(&l->t, uid);
	(void)r;
	if (p && p->kind == PLACE_AHEAD)
		lane_drop_place(l, uid);
	return hits_report_own(l, uid, false);
}

/* Reports a step that the machine has made already: the thread moves to its next place. */
static bool report_advanced(struct lanes *l, const struct resume *r, uint64_t uid)
{
	const struct place *p = timeline_first(&l->t, uid);
	const bool was_left = p && place_is_left(l, uid, p);
	if (p && p->kind == PLACE_HIT)
		hits_step_off(l, uid);
	else if (p)
		lane_drop_place(l, uid);
	if (!was_left)
		return false;
	hits_mark_found(l, uid);
	if (r->others) {
		stale_drop(l);
		hits_clear(l);
	}
	if (run_waits_at_point(l, uid)) /* there it has to move to get where it is shown */
		return false;
	stop_note_breakpoint(l, r->step);
	lanes_report(l, 5, r->step, EVENT_NONE);
	return true;
}

/* Reports a step over a breakpoint where it is predicted to lead to, and executes nothing yet. To resume all threads from a breakpoint gdb
 * removes it, steps the one thread, inserts it again and resumes. The machine needs no such step, and in performance mode other warps would
 * move. The next packet shows what gdb wants: a resume of all threads cancels the step, anything that reads a thread executes it. */
static bool defer_step(struct lanes *l, const struct resume *r, uint64_t uid)
{
	struct place to = {.kind = PLACE_AHEAD};
	struct machine_lane at;
	const struct place *p = timeline_first(&l->t, uid);
	if (r->has_range || r->step != l->stop_tid || !l->m->lane(l->self, uid, &at) ||
	    (p && (p->kind != PLACE_HIT || place_is_left(l, uid, p))))
		return false;
	/* if it is in, gdb doesn't know that the thread is there */
	if (!l->m->has_breakpoint(l->self, at.pc) || l->m->is_inserted(l->self, at.pc) ||
	    !l->m->predict(l->self, uid, &to.pc, &to.sp))
		return false;
	if (p)
		hits_step_off(l, uid);
	user_choose_focus(l, r);
	timeline_put_first(&l->t, &at, uid, &to);
	l->deferred = uid;
	l->m->invalidate_views(l->self);
	lanes_report(l, 5, r->step, EVENT_NONE);
	l->is_shown = false;
	return true;
}

enum { CONTINUES = 1, STEPS = 2, STEPS_ALONE = 4 }; /* no thread steps; one steps and others run; one steps alone */

/* What comes first is reported first. Of a thread that steps alone, over a breakpoint, gdb wants to hear and of no other: everything else
 * waits. On a processor, too, others at a breakpoint are reported when they are to run, and end the step of one. */
static const struct {
	unsigned when;
	bool (*report)(struct lanes *l, const struct resume *r, uint64_t uid);
} rules[] = {
	{CONTINUES | STEPS | STEPS_ALONE, report_moved},
	{CONTINUES | STEPS, report_loaded},
	{CONTINUES, report_stepped},
	{CONTINUES | STEPS, report_hits},
	{CONTINUES | STEPS, report_queued},
	{CONTINUES | STEPS, report_watch_again},
	{STEPS | STEPS_ALONE, report_entered},
	{STEPS | STEPS_ALONE, report_own},
	{STEPS_ALONE, defer_step},
	{STEPS | STEPS_ALONE, report_advanced},
};

bool pending_report(struct lanes *l, const struct resume *r, uint64_t uid)
{
	const unsigned now = !r->has_step ? CONTINUES : r->others ? STEPS : STEPS_ALONE;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].when & now && rules[i].report(l, r, uid))
			return true;
	if (now != STEPS_ALONE) {
		stale_drop(l);
		hits_clear_for_run(l);
	}
	return false;
}
