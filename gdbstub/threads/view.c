/* A lane's activations as gdb is to see them: a stack of frames in memory that doesn't exist, growing down from a place of the
 * lane's own. A frame holds the lane's part of each register, an int for each predicate, the address of the activation's local
 * memory, and the caller's pc. Offsets follow from the rows' places: a row of 32 lanes of n bytes becomes n bytes. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/threads/room.h"

static int by_place(const void *a, const void *b)
{
	const struct frame_reg *x = a, *y = b;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void add_reg(struct frame_layout *l, size_t *cap, struct frame_reg r)
{
	l->regs = xgrow(l->regs, cap, l->n_regs + 1, sizeof *l->regs);
	l->regs[l->n_regs++] = r;
}

static uint32_t predicates_at(const struct isa_function *f)
{
	return (f->frame_bytes / LANES + STUB_PRED_BYTES - 1) & ~(STUB_PRED_BYTES - 1);
}

uint32_t view_place(const struct isa_function *f, bool is_pred, uint32_t ref)
{
	return is_pred ? predicates_at(f) + ref * STUB_PRED_BYTES : ISA_REF_OFFSET(ref) / LANES;
}

static struct frame_reg reg_run(const struct isa_function *f, uint32_t first, uint8_t type, uint32_t count)
{
	bool is_pred = type == ISA_PRED;
	uint32_t bytes = is_pred ? STUB_PRED_BYTES : isa_row_bytes(isa_type_bytes((enum isa_type)type)) / LANES;
	uint32_t at = view_place(f, is_pred, first);
	return (struct frame_reg){at, at + count * bytes, first, type, is_pred};
}

static void make_layout(const struct isa_function *f, struct frame_layout *l)
{
	size_t cap = 0;
	for (uint32_t i = 0; i < f->n_regs; i++)
		add_reg(l, &cap,
			reg_run(f, f->regs[i].first, f->regs[i].type, f->regs[i].count ? f->regs[i].count : 1));
	for (uint32_t i = 0; f->param_regs && i < f->n_params; i++)
		if (f->param_regs[i] != ISA_REF_NONE)
			add_reg(l, &cap, reg_run(f, f->param_regs[i], f->params[i].type, 1));
	if (l->n_regs)
		qsort(l->regs, l->n_regs, sizeof *l->regs, by_place);
	l->local_slot = (view_place(f, true, f->n_preds) + 7u) & ~7u;
	l->return_slot = l->local_slot + 8;
	l->size = (l->return_slot + 8 + 15u) & ~15u;
	l->return_slot = l->size - 8; /* right below the caller's frame */
	l->made = true;
}

const struct frame_layout *view_layout(struct stub *s, const struct isa_function *f)
{
	const struct isa_program *p = stub_program(s);
	uint32_t i = isa_program_function_index(p, f), n = p->n_functions;
	assert(i < n);
	if (s->threads->n_layouts < n) {
		s->threads->layouts = xrealloc(s->threads->layouts, n * sizeof *s->threads->layouts);
		memset(s->threads->layouts + s->threads->n_layouts, 0,
		       (n - s->threads->n_layouts) * sizeof *s->threads->layouts);
		s->threads->n_layouts = n;
	}
	if (!s->threads->layouts[i].made)
		make_layout(f, &s->threads->layouts[i]);
	return &s->threads->layouts[i];
}

const struct frame_reg *view_register(const struct frame_layout *l, uint32_t offset)
{
	size_t lo = 0, hi = l->n_regs;
	while (lo < hi) { /* the last one that doesn't begin after it */
		size_t mid = lo + (hi - lo) / 2;
		if (l->regs[mid].at <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && offset < l->regs[lo - 1].end ? &l->regs[lo - 1] : NULL;
}

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
	/* after a barrier the thread waits at: gdb takes a step for done once the pc has moved */
	return view_pc(w->simt ? w->simt->pc : w->pc);
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

bool view_register_read(struct stub *s, const struct thread_view *v, const struct debug_activation *a, uint32_t ref,
			unsigned width, void *out)
{
	const void *frame = v->snapshot && a->has_state ? snapshot_frame(v->snapshot, a) : NULL;
	if (frame)
		debug_frame_register(frame, v->w.lane, ref, width, out);
	else if (!v->snapshot || !a->has_state)
		debug_register_read(s->d, &v->w, a, ref, width, out);
	return frame || !v->snapshot || !a->has_state;
}

bool view_predicate_read(struct stub *s, const struct thread_view *v, const struct debug_activation *a, uint32_t slot,
			 bool *out)
{
	const void *frame = v->snapshot && a->has_state ? snapshot_frame(v->snapshot, a) : NULL;
	*out = frame ? debug_frame_predicate(frame, v->w.lane, slot)
		     : !v->snapshot && debug_predicate_read(s->d, &v->w, a, slot);
	return frame || !v->snapshot || !a->has_state;
}

static void make_frames(struct stub *s, struct thread_view *v)
{
	const struct debug_activation *a = NULL;
	struct debug_activation *now = NULL;
	size_t n = v->snapshot ? snapshot_activations(v->snapshot, v->w.lane, &a) : 0;
	if (!n) {
		v->snapshot = NULL;
		n = debug_activations(s->d, &v->w, VIEW_FRAMES_MAX, &now);
		a = now;
	}
	uint64_t top = STUB_STACK_REGION | v->uid << STUB_UID_SHIFT | STUB_STACK_TOP, total = 0;
	v->frames = xcalloc(n, sizeof *v->frames);
	for (size_t i = 0; i < n && a[i].function; i++) {
		const struct frame_layout *l = view_layout(s, a[i].function);
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

/* What gdb sees of a thread's frames. The caller frees *bytes. */
static size_t stack_bytes(struct stub *s, uint64_t uid, uint64_t from, unsigned char **bytes)
{
	size_t n = STUB_STACK_TOP - (from & STUB_OFFSET_MASK);
	*bytes = xmalloc(n + 1);
	return memory_read(s, thread_tid(s, uid), from, *bytes, n);
}

bool view_same_registers(struct stub *s, uint64_t uid, uint64_t from)
{
	unsigned char *then, *now;
	view_forget(s);
	size_t n = stack_bytes(s, uid, from, &then);
	bool before = view_machine(s, true);
	size_t n_now = stack_bytes(s, uid, from, &now);
	view_machine(s, before);
	bool same = n == n_now && !memcmp(then, now, n);
	free(then);
	free(now);
	return same;
}

const struct thread_view *view_of(struct stub *s, uint64_t tid)
{
	uint64_t uid;
	const struct thread_view *v = thread_uid(s, tid, &uid) ? view_of_uid(s, uid) : NULL;
	if (v || (tid != STUB_HOST_TID && tid != s->tid_g && tid != lanes_stopped(s->lanes)))
		return v;
	/* the host, or the thread that gdb has selected, and which a reset has taken away */
	view_forget(s);
	s->threads->view.valid = s->threads->view.is_host = true;
	s->threads->view.sp = STUB_STACK_REGION | STUB_STACK_TOP; /* of no thread: their uids begin at 1 */
	return &s->threads->view;
}

void view_free(struct stub *s)
{
	view_forget(s);
	for (uint32_t i = 0; i < s->threads->n_layouts; i++)
		free(s->threads->layouts[i].regs);
	free(s->threads->layouts);
}
