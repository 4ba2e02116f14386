/* Stop replies: the thread, its rsp and rip, and why. */
#include <stdlib.h>
#include <string.h>

#include "debug/stop/run.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/protocol/packet.h"
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

void stop_reply_thread(struct stub *s, unsigned signal, uint64_t tid, const char *why, struct text *reply)
{
	const struct thread_view *v = view_of(s, tid);
	if (!v)
		v = view_of(s, tid = STUB_HOST_TID);
	s->tid_g = tid;
	s->tid_c = ARGS_ANY_THREAD;
	lanes_reported(s->lanes, tid);
	s->no_program = s->threads->has_read_data = false;
	text_addf(reply, "T%02xthread:%llx;", signal, (unsigned long long)tid);
	if (registers_come_with_stop(s)) {
		registers_reported(s, tid, v);
		expedite(s, v, REGISTER_RSP, reply);
		expedite(s, v, REGISTER_RIP, reply);
	}
	const char *watch = strstr(why, "watch:");
	if (watch)
		watched_told(s, strtoull(strchr(watch, ':') + 1, NULL, 16));
	if (protocol_with_swbreak(s) || strcmp(why, "swbreak:;"))
		text_add(reply, why);
}

enum packet_result packet_why(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	const struct debug_stop *last = debug_last_stop(s->d);
	bool failed = last && last->reason == DEBUG_STOP_EXCEPTION && debug_can_run(s->d);
	stop_reply_thread(s, failed ? lanes_exception_signal(last->fault) : 5, thread_of_focus(s), "", reply);
	s->threads->has_begun = true;
	return PACKET_REPLY;
}
