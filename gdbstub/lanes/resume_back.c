/* gdb's step and continue backwards. A warp goes back as one; a thread that is stepped back goes to where its warp executed the instruction in front of
 * the place at which gdb sees it. What was still to be reported of the way forwards is void then. */
#include "gdbstub/lanes/room.h"

/* Returns how many of its warp's instructions a thread's step back takes. Returns 0 if gdb sees the thread ahead of the machine, which then
 * needn't move. */
static uint64_t instructions_back(struct lanes *l, uint64_t uid)
{
	const struct place *p = lane_place(l, uid);
	struct machine_lane now;
	if (p && p->is_pretended) /* it hasn't moved */
		p = timeline_of(&l->t, uid)->n > 1 && place_is_left(l, uid, p + 1) ? p + 1 : NULL;
	if (!p)
		return 1;
	if (p->kind == PLACE_AHEAD || !l->m->lane(l->self, uid, &now))
		return 0;
	if (now.executed == UINT64_MAX)
		return now.exited ? 1 : 0;
	/* left forwards: so many further back; left backwards: the machine is there already */
	return p->executed <= now.executed ? now.executed - p->executed + 1 : 0;
}

/* Drops pending hits. Lanes that gdb sees at one stay there. */
static void forget_hits(struct lanes *l, uint64_t uid)
{
	stale_add(l, uid);
	timelines_forget_hits(&l->t);
	l->m->drop_unneeded_snapshots(l->self);
}

/* Drops what was pending. Lanes that gdb doesn't resume get places where it sees them. */
static void leave_places(struct lanes *l, const struct resume *r, uint64_t uid)
{
	queue_clear(l);
	if (r->others || !uid) {
		hits_clear(l);
		stale_drop(l);
	} else {
		forget_hits(l, uid);
	}
	l->m->remove_taken_out(l->self, false);
}

/* Returns true if gdb takes a thread over its breakpoint, and then goes back with another thread, or with all. */
static bool steps_over_breakpoint(struct lanes *l, const struct resume *r, uint64_t uid, uint64_t users)
{
	struct machine_lane at;
	const struct place *p = lane_place(l, uid);
	if (!r->has_step || r->others || !l->m->lane(l->self, uid, &at) ||
	    (users == r->step && (l->is_shown || r->step != l->stop_tid)))
		return false;
	const uint64_t pc = p ? p->pc : at.pc;
	return l->m->has_breakpoint(l->self, pc) && !l->m->is_inserted(l->self, pc);
}

/* Reports that history begins here. After a step over a breakpoint gdb 13 gets stuck on that event, so the console says it instead. */
static void report_beginning(struct lanes *l, uint64_t tid, bool steps_over)
{
	if (steps_over)
		l->c->say(l->self, "\nNo more reverse-execution history.\n");
	lanes_report(l, steps_over ? 0 : 5, tid, steps_over ? EVENT_NONE : EVENT_HISTORY_BEGINS);
}

/* Shows the thread one byte after its breakpoint, with the registers that it has. The machine stays: it goes back from where it stands, whatever
 * breakpoint is there. */
static void show_behind_breakpoint(struct lanes *l, const struct resume *r, uint64_t uid, bool went_back)
{
	const struct machine_lane at = lane_in_machine(l, uid);
	struct place to = {.kind = PLACE_LEFT, .pc = at.pc, .sp = l->m->sp(l->self, uid), .executed = at.executed};
	if (!went_back)
		forget_hits(l, uid);
	const struct place *first = timeline_first(&l->t, uid);
	if (first) {
		to.pc = first->pc;
		to.sp = first->sp;
		to.executed = first->kind == PLACE_AHEAD ? at.executed : first->executed;
		timeline_drop_first(&l->t, uid);
	} else {
		l->m->take_snapshot(l->self, uid);
	}
	if (!l->is_shown)
		l->m->note_passed(l->self, uid, to.pc);
	to.pc++;
	timeline_put_first(&l->t, &at, uid, &to);
	stale_trim(l);
	lanes_report(l, 5, r->step, EVENT_NONE);
	l->is_shown = false;
}

/* Reports a watchpoint where the way back has left another value than gdb knows, as a write. Otherwise gdb would take the same write, made
 * again, for none. Other watchpoints are queued. */
static bool report_changed(struct lanes *l, const struct resume *r, uint64_t own)
{
	struct debug_stop first = {.reason = DEBUG_STOP_WATCHPOINT};
	uint64_t uid, whose = 0;
	uint32_t number;
	for (unsigned others = 0; others < 2; others++)
		for (size_t at = 0; l->m->next_changed_watchpoint(l->self, &at, &number, &uid);) {
			if ((uid && uid != own) != others || (others && !r->others))
				continue;
			l->m->set_focus(l->self, uid ? uid : own);
			if (whose) {
				queue_undone_write(l, number);
			} else {
				whose = uid ? uid : own;
				first.hits[first.n_hits++] = number;
			}
		}
	if (!whose)
		return false;
	l->m->set_focus(l->self, whose);
	stop_report(l, &first, r->has_step ? r->step : 0);
	if (r->has_step && whose != own)
		l->stepped = r->step;
	return true;
}

static void report_here(struct lanes *l, const struct resume *r, uint64_t tid, const struct debug_stop *stop)
{
	if (stop->reason == DEBUG_STOP_STEPPED) {
		stop_note_breakpoint(l, tid); /* gdb finds by itself that a breakpoint is there */
		lanes_report(l, 5, tid, EVENT_NONE);
	} else {
		stop_report(l, stop, r->has_step ? r->step : 0);
	}
}

static void report_back(struct lanes *l, const struct resume *r, bool steps_over, const struct debug_stop *stop)
{
	struct machine_lane at;
	const bool alone = (r->has_step || !r->others) && lanes_find(l, r->step, &at);
	const uint64_t tid = alone ? r->step : l->m->focus(l->self);
	const bool has_come = stop->reason == DEBUG_STOP_STEPPED || stop->reason == DEBUG_STOP_BREAKPOINT;
	if (alone && has_come)
		l->m->note_entered(l->self, at.uid); /* in front of its first instruction, not before its launch */
	if (stop->reason == DEBUG_STOP_BEGINNING)
		report_beginning(l, tid, steps_over);
	else if (!has_come || !report_changed(l, r, l->m->uid(l->self, tid)))
		report_here(l, r, tid, stop);
	l->c->stopped(l->self, stop);
}

/* Returns true for a stop of another thread while gdb resumes only one. gdb would abort if it were reported. */
static bool is_of_another(struct lanes *l, const struct resume *r, const struct debug_stop *stop)
{
	struct machine_point p;
	struct machine_lane at, hit;
	if (stop->reason != DEBUG_STOP_BREAKPOINT && stop->reason != DEBUG_STOP_WATCHPOINT)
		return false;
	if (l->m->focus(l->self) == r->step)
		return false;
	const bool same_warp =
		lanes_find(l, r->step, &at) && lanes_find(l, l->m->focus(l->self), &hit) && at.first == hit.first;
	return !same_warp || stop->reason == DEBUG_STOP_WATCHPOINT || !(at.active & lanes_bit(at.lane)) ||
	       !stop_own_point(l, stop, &p) || !l->m->condition_holds(l->self, at.uid, p.address, false);
}

/* To gdb the thread is where the machine has it. */
static void drop_places(struct lanes *l, uint64_t uid)
{
	while (timeline_first(&l->t, uid))
		timeline_drop_first(&l->t, uid);
	l->m->invalidate_views(l->self);
}

/* Computes how far it is back to the place at which gdb saw the thread. Before the first step back that is unknown if the warp had exited. */
static bool further_back(struct lanes *l, uint64_t uid, uint64_t seen_at, uint64_t *n)
{
	const struct machine_lane now = lane_in_machine(l, uid);
	if (now.executed == UINT64_MAX || now.executed < seen_at)
		return false;
	*n = now.executed - seen_at + 1;
	return true;
}

static struct seen_warp seen_warp(const struct lanes *l, uint64_t uid)
{
	const struct machine_lane at = lane_in_machine(l, uid);
	struct seen_warp w = {.uid = uid, .first = at.first, .n = at.n};
	for (unsigned lane = 0; lane < at.n; lane++) {
		const struct place *p = lane_place(l, at.first + lane);
		w.executed[lane] = p && p->kind != PLACE_AHEAD ? p->executed : UINT64_MAX;
	}
	return w;
}

/* Returns true for a breakpoint that none of the lanes there has reached as gdb saw them. */
static bool is_ahead(struct lanes *l, const struct resume *r, const struct debug_stop *stop)
{
	struct machine_point p;
	struct machine_lane at;
	if (stop->reason != DEBUG_STOP_BREAKPOINT || !stop_own_point(l, stop, &p) ||
	    !lanes_find(l, l->m->focus(l->self), &at) || at.first != l->back_from.first ||
	    !lane_has_not_been_at(l, l->back_from.uid, at.executed))
		return false;
	LANES_EACH (lane, r->others ? at.active : 0)
		if (!lane_has_not_been_at(l, at.first + lane, at.executed) &&
		    l->m->condition_holds(l->self, at.first + lane, p.address, false)) {
			l->m->set_focus(l->self, at.first + lane);
			l->preferred = l->m->focus(l->self);
			return false;
		}
	return true;
}

/* A way back: by n instructions of the thread's warp, or until the machine stops. */
struct way {
	const struct resume *r;
	uint64_t uid, n;
	uint64_t seen_at; /* what the thread's warp had executed where gdb sees it */
};

static bool back_again(struct lanes *l, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why)
{
	debug_stop_free(stop);
	debug_stop_init(stop);
	return l->m->back(l->self, uid, n, stop, why);
}

/* Runs the machine back to where the step, or the continue, ends. Returns false if nothing was recorded. */
static bool run_way_back(struct lanes *l, const struct way *w, struct debug_stop *stop, struct text *why)
{
	const struct resume *r = w->r;
	uint64_t n = w->n;
	bool ok = l->m->back(l->self, w->uid, n, stop, why);
	if (ok && r->has_step && stop->reason != DEBUG_STOP_INTERRUPTED && further_back(l, w->uid, w->seen_at, &n))
		ok = back_again(l, w->uid, n, stop, why);
	if (ok && n && !r->others && is_of_another(l, r, stop)) /* where the step has ended others stop, too */
		stop->reason = DEBUG_STOP_STEPPED;
	while (ok && ((!r->others && is_of_another(l, r, stop)) || (!n && is_ahead(l, r, stop))))
		ok = back_again(l, w->uid, 0, stop, why);
	return ok;
}

/* Drops the thread's places, so that gdb sees it where the machine has it. A thread seen in front of its kernel stays there if its warp has
 * entered. */
static void drop_seen_place(struct lanes *l, uint64_t uid, const struct place *was)
{
	const struct machine_lane at = lane_in_machine(l, uid);
	drop_places(l, uid);
	if (was->at_launch && !at.at_launch && at.executed == was->executed)
		timeline_put_first(&l->t, &at, uid, was);
}

static void run_back(struct lanes *l, const struct resume *r, uint64_t uid, uint64_t n, bool steps_over)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	const struct place *p = uid ? lane_place(l, uid) : NULL;
	const struct place was = p ? *p : (struct place){.kind = PLACE_AHEAD};
	const struct way w = {
		.r = r,
		.uid = uid,
		.n = n,
		.seen_at = was.kind != PLACE_AHEAD ? was.executed : UINT64_MAX,
	};
	l->preferred = r->step;
	if (uid)
		l->m->set_focus(l->self, uid);
	leave_places(l, r, uid);
	l->m->set_running(l->self, true, false);
	const bool ok = run_way_back(l, &w, &stop, &why);
	l->m->set_running(l->self, false, false);
	stale_trim(l);
	l->is_shown = false;
	if (ok && uid)
		drop_seen_place(l, uid, &was);
	if (ok) {
		report_back(l, r, steps_over, &stop);
	} else {
		l->c->idle(l->self, text_str(&why));
		lanes_report(l, 0, r->has_step ? r->step : l->m->focus(l->self), EVENT_NONE);
	}
	debug_stop_free(&stop);
	text_free(&why);
}

/* Moves the thread back, for gdb, to where the machine has it. Returns false if gdb saw it there already. */
static bool catch_up(struct lanes *l, const struct resume *r, uint64_t uid)
{
	const struct place was = *timeline_first(&l->t, uid);
	const struct machine_lane at = lane_in_machine(l, uid);
	drop_places(l, uid);
	if (was.pc == at.pc && was.sp == l->m->sp(l->self, uid))
		return false;
	stop_note_breakpoint(l, r->step);
	lanes_report(l, 5, r->step, EVENT_NONE);
	l->is_shown = false;
	return true;
}

/* Reports the breakpoint that gdb has inserted where it sees the thread that it stepped back. Another thread's watchpoint was reported during
 * that step, and gdb has passed over it. */
static bool report_stepped(struct lanes *l, const struct resume *r, uint64_t stepped)
{
	struct machine_lane at;
	if (r->has_step || !r->others || !stepped || l->is_shown || !lanes_find(l, stepped, &at) ||
	    !l->m->is_inserted(l->self, at.pc))
		return false;
	l->m->set_focus(l->self, at.uid);
	lanes_report(l, 5, stepped, EVENT_BREAKPOINT);
	return true;
}

/* Reports what was found on the way back and isn't reported yet. Returns false if there is nothing. */
static bool report_found(struct lanes *l, const struct resume *r, uint64_t stepped)
{
	if (!r->others)
		return false;
	return report_stepped(l, r, stepped) || (!r->has_step && hits_report(l)) || stop_report_queued(l, 0);
}

/* Goes back. `n`: instructions of the warp that a step takes. A step over a breakpoint moves the machine only if one thread goes back alone, as
 * at the end of `reverse-finish`. */
static void step_or_continue(struct lanes *l, const struct resume *r, uint64_t uid, uint64_t n, bool went_back)
{
	const uint64_t users =
		l->selected ? l->selected : l->stop_tid; /* whichever Hg has named: that may be for this step */
	const bool steps_over = steps_over_breakpoint(l, r, uid, users);
	if (steps_over && (users != r->step || l->all_ran_back)) {
		show_behind_breakpoint(l, r, uid, went_back);
		return;
	}
	l->all_ran_back = r->others;
	if (!r->has_step || n || !catch_up(l, r, uid))
		run_back(l, r, uid, r->has_step && !n ? 1 : n, steps_over);
}

void lanes_resume_back(struct lanes *l, const struct resume *r)
{
	const uint64_t uid = l->m->uid(l->self, r->step);
	const bool interrupted = l->interrupt_pending && !l->is_shown;
	const bool went_back = l->was_backwards;
	const uint64_t stepped = l->stepped;
	l->was_backwards = true;
	l->interrupt_pending = false;
	l->n_reported = 0;
	l->is_elsewhere = false;
	user_note_command(l, r);
	if (l->is_shown)
		hits_drop_deleted(l);
	if (l->deferred && l->deferred != uid)
		lane_drop_place(l, l->deferred);
	l->stepped = l->pretended = l->deferred = 0; /* a step that wasn't made is none */
	hits_note_resume(l);
	if (l->is_shown)
		l->reported_watch.kind = EVENT_NONE;
	const uint64_t n = r->has_step ? (uid ? instructions_back(l, uid) : 1) : 0;
	if (l->is_shown || !went_back)
		l->back_from = seen_warp(l, uid);
	if (interrupted)
		lanes_report(l, 2, r->step, EVENT_NONE);
	else if (pending_report_moved(l, r) || (went_back && report_found(l, r, stepped)))
		return;
	else
		step_or_continue(l, r, uid, n, went_back);
}
