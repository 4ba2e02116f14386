/* Why the machine stands still, in gdb's words. */
#include <stdio.h>
#include <string.h>

#include "gdbstub/lanes/room.h"

bool stop_stands(struct lanes *l, uint64_t tid)
{
	struct machine_lane at;
	if (!lanes_find(l, tid, &at) ||
	    lanes_place(l, at.uid)) /* it may be at an earlier hit of the same breakpoint for gdb */
		return false;
	if (!at.stands || at.pc != at.code_pc || !l->m->holds(l->self, at.uid, at.pc, false))
		return false;
	l->m->go_on_from(l->self, at.uid);
	hits_add_reported(l, &at);
	return true;
}

bool stop_point(const struct lanes *l, const struct debug_stop *stop, struct machine_point *out)
{
	for (uint32_t i = 0; i < stop->n_hits; i++)
		if (l->m->point(l->self, stop->hits[i], out))
			return true;
	return false;
}

static void say(struct lanes *l, const struct debug_stop *stop) { l->c->say(l->self, text_str(&stop->text)); }

/* A hit is reported for the thread its user cares about, if that one is among those that hit. */
static uint64_t preferred(struct lanes *l, const struct machine_point *p, uint64_t tid)
{
	struct machine_lane hit, at;
	if (l->favourite == tid || !lanes_find(l, tid, &hit) || !lanes_find(l, l->favourite, &at) ||
	    at.first != hit.first || !(at.active & lanes_bit(at.lane)) ||
	    !l->m->holds(l->self, at.uid, p->address, false))
		return tid;
	l->m->set_focus(l->self, at.uid);
	return l->favourite;
}

static const char *watch_word(char type) { return type == '2' ? "watch" : type == '3' ? "rwatch" : "awatch"; }

/* What is said about it, and to whom it happened. */
static uint64_t describe(struct lanes *l, const struct debug_stop *stop, const struct machine_point *p, uint64_t tid,
			 char why[static 64])
{
	uint64_t any;
	switch (stop->reason) {
	case DEBUG_STOP_BREAKPOINT:
		if (!p)
			break;
		strcpy(why, "swbreak:;");
		return preferred(l, p, tid);
	case DEBUG_STOP_WATCHPOINT:
		if (p)
			snprintf(why, 64, "%s:%llx;", watch_word(p->type), (unsigned long long)p->address);
		else
			say(l, stop);
		queue_others_watched(l, stop);
		return tid;
	case DEBUG_STOP_INTERRUPTED:
	case DEBUG_STOP_STEPPED: return tid; /* also if it has exited by that */
	case DEBUG_STOP_NONE:
		if (l->c->loaded(l->self, &any))
			strcpy(why, "library:;");
		return tid;
	default:;
	}
	say(l, stop);
	return tid;
}

/* What warpstep's own prompt has asked for, or what gdb has no word for. */
static bool is_own_affair(const struct debug_stop *stop, const struct machine_point *p)
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
	return (is_own_affair(stop, p) || is_trap) && has_stepped ? 0 : signal;
}

/* Of one that belongs for gdb to the thread in which it was set (first.c). */
static void note_watch(struct lanes *l, const struct machine_point *p, const char *why, uint64_t tid)
{
	if (p && !p->is_register) /* no other thread has written its registers */
		snprintf(l->reported_watch, sizeof l->reported_watch, "%s", why);
	if (p)
		queue_drop_read(l, p);
	stop_stands(l, tid);
}

void stop_report(struct lanes *l, const struct debug_stop *stop, uint64_t stepped)
{
	struct machine_point own;
	const struct machine_point *p = stop_point(l, stop, &own) ? &own : NULL;
	struct machine_lane at;
	char why[64] = "";
	uint64_t tid = stop->reason == DEBUG_STOP_STEPPED && stepped ? stepped : l->m->focus(l->self);
	l->reported_watch[0] = '\0';
	tid = describe(l, stop, p, tid, why);
	if (stop->reason == DEBUG_STOP_BREAKPOINT && lanes_find(l, tid, &at))
		l->m->arrived(l->self, at.uid);
	if (stop->reason == DEBUG_STOP_WATCHPOINT)
		note_watch(l, p, why, tid);
	l->elsewhere = lanes_find(l, tid, &at) && lanes_place(l, at.uid);
	lanes_tell(l, signal_of(stop, p, tid == stepped), tid, why);
	if (stop->reason == DEBUG_STOP_BREAKPOINT && p && lanes_find(l, l->stop_tid, &at))
		hits_add_reported(l, &at);
}
