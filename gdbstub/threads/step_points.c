/* Breakpoints that gdb inserts by itself for one thread: behind a call that it steps over, behind the prologue of a function that it steps into, where
 * the thread stands. A hit of another thread is nothing to it.
 *
 * What gdb inserts while it works on a step, at an address that the step may continue to, is of this kind for certain. For `finish`, `until LOCATION`
 * and `advance` it inserts breakpoints with the continue, as it does for new breakpoints of its user: these are of this kind once gdb has passed over
 * another thread's hit without looking at a condition. That may also be due to an ignore count. Therefore hits of other threads are kept, and count
 * once gdb passes over a hit of the thread itself, or leaves the breakpoint in after a stop that the user has seen. */
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/threads/room.h"

static bool is_return_address(const struct thread_view *v, uint64_t address)
{
	for (size_t i = 1; i < v->n_frames; i++)
		if (address == stub_pc(v->frames[i].a.pc + 1))
			return true;
	return false;
}

/* Returns true if gdb's step of a thread may continue to `address`: where it stands, where one of its activations returns to, or in a called
 * function at whose first instruction it stands; backwards also that first instruction. */
static bool is_step_target(const struct thread_view *v, uint64_t address)
{
	if (!v || !v->n_frames)
		return false;
	const struct isa_function *f = v->frames[0].a.function;
	const uint64_t entry = stub_pc(f->first);
	const bool is_in_callee =
		v->n_frames > 1 && (address == entry || (v->pc == entry && address < stub_pc(f->end)));
	return address == v->pc || is_return_address(v, address) || (is_in_callee && address >= entry);
}

static bool is_plain(const struct point *p) { return p->type <= '1' && !p->n_conditions; }

static void set_only(struct stub *s, struct point *p, uint64_t tid, bool keeps_others)
{
	struct debug_where w;
	if (!thread_where(s, tid, &w))
		return;
	p->only = tid;
	p->only_thread = w.thread;
	p->keeps_others = keeps_others;
}

void step_point_inserted(struct stub *s, struct point *p, bool is_new)
{
	const uint64_t tid = lanes_stepped_thread(s->lanes);
	p->is_new |= is_new;
	if (lanes_is_shown(s->lanes) &&
	    (p->only || p->returns_for)) { /* the user's after all, or one for the next command */
		p->only = p->returns_for = 0;
		p->is_new = true;
	}
	if (is_new && tid && is_plain(p) && is_step_target(view_of(s, tid), p->address))
		set_only(s, p, tid, false);
}

static bool is_new(const struct point *p) { return p->is_new && !p->only && is_plain(p); }

void step_points_resume(struct stub *s, uint64_t tid)
{
	struct threads_room *t = s->threads;
	const struct thread_view *v = tid ? view_of(s, tid) : NULL;
	bool returns = false;
	unsigned n = 0;
	for (size_t i = 0; v && i < t->n_points; i++) {
		returns |= is_new(&t->points[i]) && is_return_address(v, t->points[i].address);
		n += is_new(&t->points[i]);
	}
	for (size_t i = t->n_points; i-- > 0;) {
		struct point *p = &t->points[i];
		if (returns && is_new(p)) {
			p->returns_for = tid;
			p->is_of_until = n > 1;
		}
		p->is_new = false;
		if (lanes_is_shown(s->lanes) && p->lingering && p->only)
			points_drop(s, i); /* the step is over that gdb has inserted it for */
	}
}

void step_points_forget(struct stub *s)
{
	for (size_t i = 0; i < s->threads->n_points; i++)
		s->threads->points[i].only = s->threads->points[i].returns_for = 0;
}

/* gdb looks at a condition or a frame only if the breakpoint is for the thread. */
void step_points_passed(struct stub *s, uint64_t tid, uint64_t pc)
{
	struct threads_room *t = s->threads;
	for (size_t i = 0; i < t->n_points; i++) {
		struct point *p = &t->points[i];
		if (p->address != pc || !p->returns_for ||
		    (t->has_read_data && (tid == p->returns_for || !p->is_of_until)))
			continue;
		if (p->returns_for == tid)
			p->only = p->returns_for = 0;
		else
			set_only(s, p, p->returns_for, true);
	}
}

uint64_t step_points_only(const struct stub *s, uint64_t pc)
{
	const struct threads_room *t = s->threads;
	for (size_t i = 0; i < t->n_points; i++)
		if (t->points[i].address == pc && t->points[i].keeps_others)
			return t->points[i].only;
	return 0;
}
