/* A step over a breakpoint that is put off. To go on from a breakpoint gdb takes it out, steps the one thread it was told of, puts it in
 * again and lets everybody run. The machine needs none of that: it goes on from a breakpoint it has told of. And a real step would show
 * gdb something else: the warp's lanes that are still to be told of the same hit would be seen behind it, and in performance mode other
 * warps run meanwhile. So gdb is told where the step leads to, and nothing is executed until the next packet shows what was
 * meant. Is everybody to run, then it was no step. If not, gdb is going to look at a thread that has stepped: then the step is
 * made, before anything is answered. */
#include <string.h>

#include "gdbstub/internal.h"

/* Where gdb will see the thread after its step. */
static bool foresee(struct stub *s, const struct thread_view *v, struct lag *l)
{
	uint32_t pc;
	l->uid = v->uid;
	l->sp = v->sp;
	l->executed = LAG_NOT_MOVED;
	switch (debug_foresee(s->d, &v->w, &pc)) {
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
	return !debug_breaks_at(s->d, pc); /* gdb would tell of it at once, or the prompt has to */
}

bool put_off_to(struct stub *s, const struct resume *r, uint64_t uid, struct lag *to)
{
	if (!r->has_step || r->others || r->has_range || r->step != s->reported || lag_of(s, uid))
		return false;
	const struct thread_view *v = view_of_uid(s, uid);
	/* if it is in, gdb doesn't know that the thread is there */
	bool is_out = v && points_at(s, v->pc) && !points_inserted_at(s, v->pc);
	return is_out && v->n_frames && !debug_watches(s->d, v->w.simt ? v->w.simt->pc : v->w.pc) && foresee(s, v, to);
}

void put_off_was_none(struct stub *s)
{
	struct debug_thread t;
	if (s->put_off.uid && debug_thread_of_uid(s->d, s->put_off.uid, &t))
		debug_hit_is_told(s->d, &t);
	s->put_off.uid = 0;
}

bool put_off_is_kept(const char *packet, size_t n)
{
	bool is_code_breakpoint = n > 1 && (packet[0] == 'Z' || packet[0] == 'z') && packet[1] < '2';
	bool is_alive = n > 1 && packet[0] == 'T'; /* gdb asks before it goes back to the thread its user is on */
	return is_code_breakpoint || is_alive || (n > 5 && !memcmp(packet, "vCont;", 6)) ||
	       (n && packet[0] && strchr("cCsS", packet[0]));
}
