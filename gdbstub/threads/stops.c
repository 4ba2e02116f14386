/* Stop replies: the thread, its rsp and rip, and why. */
#include "debug/stop/run.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/link/link.h"
#include "gdbstub/wire/packet.h"
#include "gdbstub/threads/room.h"

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

static void add_event(struct stub *s, struct lanes_event event, struct text *reply)
{
	static const char *const words[] = {
		[EVENT_WRITE] = "watch", [EVENT_READ] = "rwatch", [EVENT_ACCESS] = "awatch"};
	switch (event.kind) {
	case EVENT_NONE: break;
	case EVENT_BREAKPOINT:
		if (!s->no_swbreak)
			text_add(reply, "swbreak:;");
		break;
	case EVENT_WRITE:
	case EVENT_READ:
	case EVENT_ACCESS:
		watched_told(s, event.address);
		text_addf(reply, "%s:%llx;", words[event.kind], (unsigned long long)event.address);
		break;
	case EVENT_LOADED: text_add(reply, "library:;"); break;
	case EVENT_HISTORY_BEGINS: text_add(reply, "replaylog:begin;"); break;
	case EVENT_EXITED: break; /* report_exit */
	}
}

/* Reports the program's end, after which gdb has nothing to debug: the client goes. A status above 128 is a signal's. */
static void report_exit(struct stub *s, unsigned status, struct text *reply)
{
	s->no_program = true;
	lanes_note_reported(s->lanes, STUB_HOST_TID);
	text_addf(reply, status > 128 ? "X%02x" : "W%02x", status > 128 ? status - 128 : status);
	link_leave(s, false);
}

void stop_reply_thread(struct stub *s, unsigned signal, uint64_t tid, struct lanes_event event, struct text *reply)
{
	if (event.kind == EVENT_EXITED) {
		report_exit(s, (unsigned)event.address, reply);
		return;
	}
	const struct thread_view *v = view_of(s, tid);
	if (!v)
		v = view_of(s, tid = STUB_HOST_TID);
	s->tid_g = tid;
	s->tid_c = ARGS_ANY_THREAD;
	lanes_note_reported(s->lanes, tid);
	s->no_program = s->threads->has_read_data = s->threads->has_read_caller = false;
	s->threads->code_read = 0;
	text_addf(reply, "T%02xthread:%llx;", signal, (unsigned long long)tid);
	if (registers_come_with_stop(s)) {
		registers_reported(s, tid, v);
		expedite(s, v, REGISTER_RSP, reply);
		expedite(s, v, REGISTER_RIP, reply);
	}
	add_event(s, event, reply);
}

enum packet_result packet_why(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	const struct debug_stop *last = debug_last_stop(s->d);
	bool failed = last && last->reason == DEBUG_STOP_EXCEPTION && debug_can_run(s->d);
	stop_reply_thread(s, failed ? lanes_exception_signal(last->fault) : 5, thread_of_focus(s),
			  (struct lanes_event){0}, reply);
	s->threads->has_begun = true;
	return PACKET_REPLY;
}
