/* Why the machine stands still, in gdb's words. */
#include "gdbstub/lanes/room.h"

bool stop_note_breakpoint(struct lanes *l, uint64_t tid)
{
	struct machine_lane at;
	if (!lanes_find(l, tid, &at) ||
	    lane_place(l, at.uid)) /* it may be at an earlier hit of the same breakpoint for gdb */
		return false;
	if (!at.is_next || at.pc != at.code_pc || !l->m->condition_holds(l->self, at.uid, at.pc, false))
		return false;
	l->m->skip_breakpoint(l->self, at.uid);
	hits_add_reported(l, &at);
	return true;
}

static void say_text(struct lanes *l, const struct debug_stop *stop) { l->c->say(l->self, text_str(&stop->text)); }

/* Returns the thread that the user cares about if it is among those that hit the breakpoint, else `tid`. */
static uint64_t preferred_thread(struct lanes *l, const struct machine_point *p, uint64_t tid)
{
	struct machine_lane hit, at;
	if (l->preferred == tid || !lanes_find(l, tid, &hit) || !lanes_find(l, l->preferred, &at) ||
	    at.first != hit.first || !(at.active & lanes_bit(at.lane)) ||
	    !l->m->condition_holds(l->self, at.uid, p->address, false))
		return tid;
	l->m->set_focus(l->self, at.uid);
	return l->preferred;
}

static struct lanes_event watch_event(const struct machine_point *p)
{
	const enum lanes_event_kind kind = p->type == '2' ? EVENT_WRITE : p->type == '3' ? EVENT_READ : EVENT_ACCESS;
	return (struct lanes_event){kind, p->address};
}

/* Fills in the event, and writes to the console what gdb has no word for. Returns the tid to report. */
static uint64_t describe(struct lanes *l, const struct debug_stop *stop, const struct machine_point *p, uint64_t tid,
			 struct lanes_event *event)
{
	uint64_t any;
	switch (stop->reason) {
	case DEBUG_STOP_BREAKPOINT:
		if (!p)
			break;
		event->kind = EVENT_BREAKPOINT;
		return preferred_thread(l, p, tid);
	case DEBUG_STOP_WATCHPOINT:
		if (p)
			*event = watch_event(p);
		if (!p || stop->text.n) /* of gdb's watchpoints only what the host has written has a text */
			say_text(l, stop);
		queue_other_watchpoints(l, stop);
		return tid;
	case DEBUG_STOP_INTERRUPTED:
	case DEBUG_STOP_STEPPED: return tid; /* also if it has exited by that */
	case DEBUG_STOP_NONE:
		if (l->c->loaded(l->self, &any))
			event->kind = EVENT_LOADED;
		return tid;
	default:;
	}
	say_text(l, stop);
	return tid;
}

/* Returns true for a stop that warpstep's own prompt has asked for, or that gdb has no word for. */
static bool is_for_prompt(const struct debug_stop *stop, const struct machine_point *p)
{
	return !p && stop->reason != DEBUG_STOP_STEPPED && stop->reason != DEBUG_STOP_NONE &&
	       stop->reason != DEBUG_STOP_INTERRUPTED && stop->reason != DEBUG_STOP_EXCEPTION;
}

static unsigned signal_of(const struct debug_stop *stop, const struct machine_point *p, bool has_stepped)
{
	unsigned signal = stop->reason == DEBUG_STOP_EXCEPTION	   ? lanes_exception_signal(stop->fault)
			  : stop->reason == DEBUG_STOP_INTERRUPTED ? 2
								   : 5;
	/* a thread that steps has a SIGTRAP after each instruction: gdb would go on, and into a trap again and again */
	bool is_trap = stop->reason == DEBUG_STOP_EXCEPTION && signal == 5;
	return (is_for_prompt(stop, p) || is_trap) && has_stepped ? 0 : signal;
}

/* Keeps a watchpoint's event for report_watch_again (pending_events.c). */
static void note_watch(struct lanes *l, const struct machine_point *p, uint64_t tid)
{
	if (p && !p->is_register) /* no other thread has written its registers */
		l->reported_watch = watch_event(p);
	if (p)
		queue_drop_known(l, p);
	stop_note_breakpoint(l, tid);
}

void stop_report(struct lanes *l, const struct debug_stop *stop, uint64_t stepped)
{
	struct machine_point own;
	const struct machine_point *p = stop_own_point(l, stop, &own) ? &own : NULL;
	struct machine_lane at;
	struct lanes_event event = {.kind = EVENT_NONE};
	uint64_t tid = stop->reason == DEBUG_STOP_STEPPED && stepped ? stepped : l->m->focus(l->self);
	l->reported_watch.kind = EVENT_NONE;
	tid = describe(l, stop, p, tid, &event);
	if (stop->reason == DEBUG_STOP_BREAKPOINT && lanes_find(l, tid, &at))
		l->m->note_entered(l->self, at.uid);
	if (stop->reason == DEBUG_STOP_WATCHPOINT)
		note_watch(l, p, tid);
	l->is_elsewhere = lanes_find(l, tid, &at) && lane_place(l, at.uid);
	lanes_report_event(l, signal_of(stop, p, tid == stepped), tid, event);
	if (stop->reason == DEBUG_STOP_BREAKPOINT && p && lanes_find(l, l->stop_tid, &at))
		hits_add_reported(l, &at);
}

bool stop_report_queued(struct lanes *l, uint64_t uid)
{
	struct queued_stop q;
	if (!queue_take(l, uid, &q))
		return false;
	if (!uid) {
		stale_drop(l);
		hits_clear_left(l);
	}
	if (q.focus)
		l->m->set_focus(l->self, q.focus);
	stop_report(l, &q.stop, 0);
	debug_stop_free(&q.stop);
	l->is_shown = false;
	return true;
}
