/* A deferred step: one over a breakpoint. To go on from a breakpoint gdb takes it out, steps the one thread that was reported, puts it in
 * again and lets everybody run. The machine needs none of that: it goes on from a breakpoint that it has reported. And a real step would show
 * gdb something else: the warp's lanes for which the same hit is still to be reported would be seen after it, and in performance mode other
 * warps run meanwhile. So the place is reported that the step leads to, and nothing is executed until the next packet shows what was
 * meant. Is everybody to run, then it was no step. If not, gdb is going to look at a thread that has stepped: then the step is
 * made, before anything is answered. */
#include <string.h>

#include "gdbstub/lanes/lanes.h"

/* Where gdb will see the thread after its step. */
static bool predict(struct stub *s, const struct thread_view *v, struct stale_view *l)
{
	uint32_t pc;
	l->uid = v->uid;
	l->sp = v->sp;
	l->executed = STALE_NOT_MOVED;
	switch (debug_predict(s->d, &v->w, &pc)) {
	case DEBUG_NEXT_HERE: break;
	case DEBUG_NEXT_CALLEE: l->sp -= view_layout(s, isa_program_function_at(stub_program(s), pc))->size; break;
	case DEBUG_NEXT_CALLER:
		if (v->n_frames < 2)
			return false;
		l->sp = v->frames[1].sp;
		break;
	case DEBUG_NEXT_EXITED:
		l->sp = v->frames[v->n_frames - 1].sp;
		l->pc = STUB_EXIT_AT + (uint64_t)v->w.launch.function * ISA_INSN_BYTES;
		return true;
	default: return false;
	}
	l->pc = view_pc(pc);
	return !debug_breaks_at(s->d, pc); /* gdb would report it at once, or the prompt has to */
}

bool deferred_step_to(struct stub *s, const struct resume *r, uint64_t uid, struct stale_view *to)
{
	if (!r->has_step || r->others || r->has_range || r->step != s->stop_tid || stale_of(s, uid))
		return false;
	const struct thread_view *v = view_of_uid(s, uid);
	/* if it is in, gdb doesn't know that the thread is there */
	bool is_out = v && points_at(s, v->pc) && !points_inserted_at(s, v->pc);
	return is_out && v->n_frames && !debug_watches(s->d, v->w.simt ? v->w.simt->pc : v->w.pc) && predict(s, v, to);
}

void deferred_was_none(struct stub *s)
{
	struct debug_thread t;
	if (s->deferred.uid && debug_thread_of_uid(s->d, s->deferred.uid, &t))
		debug_hit_is_reported(s->d, &t);
	s->deferred.uid = 0;
}

bool deferred_survives(const char *packet, size_t n)
{
	bool is_code_breakpoint = n > 1 && (packet[0] == 'Z' || packet[0] == 'z') && packet[1] < '2';
	bool is_alive = n > 1 && packet[0] == 'T'; /* gdb asks before it goes back to the thread its user is on */
	return is_code_breakpoint || is_alive || (n > 5 && !memcmp(packet, "vCont;", 6)) ||
	       (n && packet[0] && strchr("cCsS", packet[0]));
}
