/* A lane's activations as gdb is to see them: a stack of frames in memory that doesn't exist, growing down from a place of the
 * lane's own (image/frame_layout.c). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/threads/room.h"

static uint64_t first_lane(const struct debug_where *w) { return w->uid - w->lane; }

void view_arrived(struct stub *s, const struct debug_where *w)
{
	if (w->state != DEBUG_THREAD_EXITED && (!w->w || !w->w->executed))
		s->threads->arrived[s->threads->n_arrived++ % STUB_ARRIVED] = first_lane(w);
	view_forget(s);
}

bool view_is_at_launch(const struct stub *s, const struct debug_where *w)
{
	if (w->state == DEBUG_THREAD_EXITED || (w->w && w->w->executed))
		return false;
	for (unsigned i = 0; i < STUB_ARRIVED; i++)
		if (s->threads->arrived[i] == first_lane(w))
			return false;
	return true;
}

uint64_t view_exit_pc(const struct debug_where *w)
{
	return STUB_EXIT_AT + (uint64_t)w->launch.function * ISA_INSN_BYTES;
}

uint64_t view_machine_pc(const struct stub *s, const struct debug_where *w)
{
	if (w->state == DEBUG_THREAD_EXITED)
		return view_exit_pc(w);
	if (view_is_at_launch(s, w))
		return STUB_LAUNCH_AT + (uint64_t)w->launch.function * ISA_INSN_BYTES;
	/* one byte into the barrier that the thread waits at: still its line, but gdb takes a step for done once the pc has moved */
	const bool is_in_barrier = w->simt && w->pc != w->simt->pc;
	return is_in_barrier ? stub_pc(w->pc) + 1 : stub_pc(w->simt ? w->simt->pc : w->pc);
}

void view_forget(struct stub *s)
{
	free(s->threads->view.frames);
	s->threads->view = (struct thread_view){0};
}

bool view_machine(struct stub *s, bool on)
{
	bool before = s->threads->sees_machine;
	s->threads->sees_machine = on;
	view_forget(s);
	return before;
}

bool view_register_read(struct stub *s, const struct thread_view *v, const struct debug_frame *a, uint32_t ref,
			unsigned width, void *out)
{
	const void *frame = v->snapshot && a->has_state ? snapshot_registers(v->snapshot, a) : NULL;
	if (frame)
		debug_frame_register(frame, v->w.lane, ref, width, out);
	else if (!v->snapshot || !a->has_state)
		debug_register_read(s->d, &v->w, a, ref, width, out);
	return frame || !v->snapshot || !a->has_state;
}

bool view_predicate_read(struct stub *s, const struct thread_view *v, const struct debug_frame *a, uint32_t slot,
			 bool *out)
{
	const void *frame = v->snapshot && a->has_state ? snapshot_registers(v->snapshot, a) : NULL;
	*out = frame ? debug_frame_predicate(frame, v->w.lane, slot)
		     : !v->snapshot && debug_predicate_read(s->d, &v->w, a, slot);
	return frame || !v->snapshot || !a->has_state;
}

static void make_frames(struct stub *s, struct thread_view *v)
{
	const struct debug_frame *a = NULL;
	struct debug_frame *now = NULL;
	size_t n = v->snapshot ? snapshot_frames(v->snapshot, v->w.lane, &a) : 0;
	if (!n) {
		v->snapshot = NULL;
		n = debug_frames(s->d, &v->w, VIEW_FRAMES_MAX, &now);
		a = now;
	}
	uint64_t top = STUB_STACK_REGION | v->uid << STUB_UID_SHIFT | STUB_STACK_TOP, total = 0;
	v->frames = xcalloc(n, sizeof *v->frames);
	for (size_t i = 0; i < n && a[i].function; i++) {
		const struct frame_layout *l = frame_layout_of(s, a[i].function);
		if (total + l->size > STUB_STACK_TOP)
			break; /* a stack deeper than there is room for: its inner frames */
		v->frames[v->n_frames++] = (struct view_frame){.a = a[i], .layout = l, .sp = total};
		total += l->size;
	}
	free(now);
	v->sp = top - total;
	for (size_t i = 0; i < v->n_frames; i++)
		v->frames[i].sp += v->sp;
}

const struct view_frame *view_frame_at(const struct thread_view *v, uint64_t address)
{
	size_t lo = 0, hi = v->n_frames;
	while (lo < hi) { /* the last one that doesn't begin after it */
		size_t mid = lo + (hi - lo) / 2;
		if (v->frames[mid].sp <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && address - v->frames[lo - 1].sp < v->frames[lo - 1].layout->size ? &v->frames[lo - 1] : NULL;
}

const struct thread_view *view_of_uid(struct stub *s, uint64_t uid)
{
	struct thread_view *v = &s->threads->view;
	struct debug_thread t;
	if (v->valid && !v->is_host && v->uid == uid && v->changes == debug_changes(s->d))
		return v;
	view_forget(s);
	if (uid > STUB_UID_MAX || !debug_thread_of_uid(s->d, uid, &t) || !debug_thread_where(s->d, &t, &v->w))
		return NULL;
	struct lanes_seen seen;
	const bool elsewhere = !s->threads->sees_machine && lanes_see(s->lanes, uid, &seen);
	v->uid = uid;
	v->changes = debug_changes(s->d);
	v->snapshot = elsewhere ? snapshot_find(s, &v->w, seen.executed) : NULL;
	make_frames(s, v);
	v->valid = true;
	v->pc = view_machine_pc(s, &v->w);
	if (elsewhere) {
		v->pc = seen.pc;
		v->sp = seen.sp;
	}
	return v;
}

const struct thread_view *view_of(struct stub *s, uint64_t tid)
{
	uint64_t uid;
	const struct thread_view *v = thread_uid(s, tid, &uid) ? view_of_uid(s, uid) : NULL;
	if (v || (tid != STUB_HOST_TID && tid != s->tid_g && tid != lanes_stop_thread(s->lanes)))
		return v;
	/* the host, or the thread that gdb has selected, and which a reset has taken away */
	view_forget(s);
	s->threads->view.valid = s->threads->view.is_host = true;
	s->threads->view.sp = STUB_STACK_REGION | STUB_STACK_TOP; /* of no thread: their uids begin at 1 */
	return &s->threads->view;
}

void view_free(struct stub *s) { view_forget(s); }
