/* Why the machine stands still, in gdb's words. */
#include <stdio.h>
#include <string.h>

#include "debug/stop/run.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/protocol/packet.h"

/* Signals, by gdb's own numbers (include/gdb/signals.def) */
#define SIGNAL_INT 2u
#define SIGNAL_ILL 4u
#define SIGNAL_TRAP 5u
#define SIGNAL_ABRT 6u
#define SIGNAL_BUS 10u
#define SIGNAL_SEGV 11u

static unsigned exception_signal(enum exec_fault_kind kind)
{
	switch (kind) {
	case EXEC_FAULT_LANE_ILLEGAL_ADDRESS:
	case EXEC_FAULT_STACK_OVERFLOW:
	case EXEC_FAULT_HARDWARE_STACK_OVERFLOW:
	case EXEC_FAULT_OUT_OF_RANGE:
	case EXEC_FAULT_INVALID_ADDRESS_SPACE:
	case EXEC_FAULT_ILLEGAL_ADDRESS: return SIGNAL_SEGV;
	case EXEC_FAULT_MISALIGNED: return SIGNAL_BUS;
	case EXEC_FAULT_ILLEGAL_INSTRUCTION:
	case EXEC_FAULT_INVALID_PC:
	case EXEC_FAULT_BARRIER: return SIGNAL_ILL;
	case EXEC_FAULT_ASSERT: return SIGNAL_ABRT;
	default: return SIGNAL_TRAP;
	}
}

/* gdb takes no register without a value there. */
static void expedite(struct stub *s, const struct thread_view *v, unsigned number, struct text *reply)
{
	uint64_t value;
	if (!register_value(s, v, number, &value))
		return;
	text_addf(reply, "%02x:", number);
	register_hex(s, v, number, reply);
	text_add(reply, ";");
}

void stop_reply_thread(struct stub *s, unsigned signal, uint64_t tid, const char *why, struct text *reply)
{
	const struct thread_view *v = view_of(s, tid);
	if (!v)
		v = view_of(s, tid = STUB_HOST_TID);
	s->tid_g = s->stop_tid = tid;
	s->tid_c = ARGS_ANY_THREAD;
	s->chosen = s->asked.n = 0;
	s->no_program = false;
	text_addf(reply, "T%02xthread:%llx;", signal, (unsigned long long)tid);
	if (registers_come_with_stop(s)) {
		registers_reported(s, tid, v);
		expedite(s, v, REGISTER_RSP, reply);
		expedite(s, v, REGISTER_RIP, reply);
	}
	if (!s->no_swbreak || strcmp(why, "swbreak:;"))
		text_add(reply, why);
}

bool stop_stands(struct stub *s, uint64_t tid)
{
	struct debug_where w;
	const struct thread_view *v = view_of(s, tid);
	if (!v || v->is_host || !points_hold(s, tid, v->pc) || !thread_where(s, tid, &w))
		return false;
	v = view_of(s, tid);
	bool stands = w.simt ? w.active && v->pc == view_pc(w.simt->pc) : w.state == DEBUG_THREAD_WAITING;
	if (!stands || hits_left(s, &w)) /* it may be at an earlier hit of the same breakpoint for gdb */
		return false;
	debug_hit_is_reported(s->d, &w.thread);
	hits_add_reported(s, &w);
	return true;
}

const struct point *stop_point(const struct stub *s, const struct debug_stop *stop)
{
	const struct point *p = NULL;
	for (uint32_t i = 0; i < stop->n_hits; i++)
		if (points_number_address(s, stop->hits[i], &p))
			return p;
	return NULL;
}

static void say(struct stub *s, const struct debug_stop *stop) { text_add(&s->console, text_str(&stop->text)); }

/* A hit is reported for the thread its user cares about, if that one is among those that hit. */
static uint64_t preferred(struct stub *s, const struct point *p, uint64_t tid)
{
	struct debug_where hit, w;
	if (!p || s->favourite == tid || !thread_where(s, tid, &hit) || !thread_where(s, s->favourite, &w) ||
	    w.thread.launch != hit.thread.launch || w.thread.cta != hit.thread.cta || w.warp_index != hit.warp_index ||
	    !w.active || !points_hold(s, s->favourite, p->address))
		return tid;
	debug_focus_set(s->d, &w.thread);
	return s->favourite;
}

/* What warpstep's own prompt has asked for, or what gdb has no word for. */
static bool is_own_affair(const struct debug_stop *stop, const struct point *p)
{
	return !p && stop->reason != DEBUG_STOP_STEPPED && stop->reason != DEBUG_STOP_NONE &&
	       stop->reason != DEBUG_STOP_INTERRUPTED && stop->reason != DEBUG_STOP_EXCEPTION;
}

void stop_reply(struct stub *s, const struct debug_stop *stop, uint64_t stepped, struct text *reply)
{
	const struct point *p = stop_point(s, stop);
	uint64_t tid = stop->reason == DEBUG_STOP_STEPPED && stepped ? stepped : thread_of_focus(s);
	char why[64] = "";
	unsigned signal = SIGNAL_TRAP;
	s->reported_watch[0] = '\0';
	switch (stop->reason) {
	case DEBUG_STOP_BREAKPOINT:
		tid = preferred(s, p, tid);
		if (p)
			strcpy(why, "swbreak:;");
		else
			say(s, stop);
		break;
	case DEBUG_STOP_WATCHPOINT:
		if (p)
			snprintf(why, sizeof why, "%s:%llx;",
				 p->type == '2'	  ? "watch"
				 : p->type == '3' ? "rwatch"
						  : "awatch",
				 (unsigned long long)p->address);
		else
			say(s, stop);
		queue_others_watched(s, stop);
		break;
	case DEBUG_STOP_EXCEPTION:
		signal = exception_signal(stop->fault);
		say(s, stop);
		break;
	case DEBUG_STOP_INTERRUPTED: signal = SIGNAL_INT; break;
	case DEBUG_STOP_STEPPED: /* also if it has exited by that */
	case DEBUG_STOP_NONE: break;
	default: say(s, stop);
	}
	/* a thread that steps has a SIGTRAP after each instruction: gdb would go on, and into a trap again and again */
	bool is_trap = stop->reason == DEBUG_STOP_EXCEPTION && signal == SIGNAL_TRAP;
	if ((is_own_affair(stop, p) || is_trap) && tid == stepped)
		signal = 0;
	struct debug_where w;
	if (stop->reason == DEBUG_STOP_BREAKPOINT && thread_where(s, tid, &w))
		view_arrived(s, &w);
	if (stop->reason == DEBUG_STOP_WATCHPOINT) {
		if (p && (p->address & STUB_REGION_MASK) !=
				 STUB_STACK_REGION) /* no other thread has written its registers */
			snprintf(s->reported_watch, sizeof s->reported_watch, "%s", why);
		stop_stands(s, tid);
	}
	stop_reply_thread(s, signal, tid, why, reply);
	if (stop->reason == DEBUG_STOP_BREAKPOINT && p && thread_where(s, s->stop_tid, &w))
		hits_add_reported(s, &w);
}

enum packet_result packet_why(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	const struct debug_stop *last = debug_last_stop(s->d);
	bool failed = last && last->reason == DEBUG_STOP_EXCEPTION && debug_can_run(s->d);
	unsigned signal = failed ? exception_signal(last->fault) : SIGNAL_TRAP;
	stop_reply_thread(s, signal, thread_of_focus(s), "", reply);
	s->has_begun = true;
	return PACKET_REPLY;
}
