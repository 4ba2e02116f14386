/* Breakpoints that gdb inserts by itself for one thread: behind a call that it steps over, behind the prologue of a function that it steps into, where
 * the thread stands. A hit of another thread is nothing to it.
 *
 * What gdb inserts while it works on a step, at an address that the step may continue to, is of this kind for certain. For `finish`, `until LOCATION`,
 * `advance` and `reverse-finish` gdb inserts breakpoints with the continue, as it does for new breakpoints of its user. These are of this kind once
 * gdb has passed over another thread's hit without looking at a condition. That may also be due to `break ... thread N` or to an ignore count. Therefore
 * hits of other threads are kept. They count once gdb passes over a hit of the thread itself, or leaves the breakpoint in after a stop that the user
 * has seen. `advance` can't be told from `break ... thread N`: hits of the threads that gdb lists, one of which N may be, are reported as ever. */
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

static void set_only(struct stub *s, struct point *p, uint64_t tid)
{
	struct debug_where w;
	if (!thread_where(s, tid, &w))
		return;
	p->only = tid;
	p->only_thread = w.thread;
	p->keeps_others = p->is_for_listed = false;
}

void step_point_inserted(struct stub *s, struct point *p, bool is_new)
{
	const uint64_t tid = lanes_stepped_thread(s->lanes);
	p->is_new |= is_new;
	if (lanes_is_shown(s->lanes) &&
	    (p->only || p->candidate)) { /* the user's after all, or one for the next command */
		p->only = p->candidate = 0;
		p->is_new = true;
	}
	if (is_new && tid && is_plain(p) && is_step_target(view_of(s, tid), p->address))
		set_only(s, p, tid);
}

static bool is_new(const struct point *p) { return p->is_new && !p->is_users && !p->only && is_plain(p); }

/* Returns the command that gdb may have inserted the new breakpoints for, if it was for the thread. */
static enum step_command command_of(const struct stub *s, const struct thread_view *v)
{
	const struct threads_room *t = s->threads;
	unsigned n = 0;
	bool returns = false;
	for (size_t i = 0; i < t->n_points; i++) {
		n += is_new(&t->points[i]);
		returns |= is_new(&t->points[i]) && is_return_address(v, t->points[i].address);
	}
	return !returns ? COMMAND_ADVANCE : n > 1 ? COMMAND_UNTIL : COMMAND_FINISH;
}

static void set_candidate(struct stub *s, struct point *p, uint64_t tid, bool is_backwards)
{
	const struct thread_view *v = view_of(s, tid);
	const bool is_entry = p->address == stub_pc(v->frames[0].a.function->first);
	if (!is_backwards || is_entry) {
		p->candidate = tid;
		p->command = is_backwards ? COMMAND_REVERSE_FINISH : command_of(s, v);
	}
}

/* Notes that the breakpoint at which the user has been shown a thread is the user's, unless it may be for that thread. */
static void note_shown(struct stub *s)
{
	const uint64_t tid = lanes_stop_thread(s->lanes);
	const struct thread_view *v = view_of(s, tid);
	for (size_t i = 0; v && i < s->threads->n_points; i++) {
		struct point *p = &s->threads->points[i];
		if (p->address == v->pc && p->candidate && p->candidate != tid) {
			p->is_users = true;
			p->only = p->candidate = 0;
		}
	}
}

void step_points_resume(struct stub *s, uint64_t tid, bool is_backwards)
{
	struct threads_room *t = s->threads;
	if (lanes_is_shown(s->lanes))
		note_shown(s);
	const struct thread_view *v = tid ? view_of(s, tid) : NULL;
	const bool has_frames = v && v->n_frames;
	if (lanes_is_shown(s->lanes))
		debug_focus_get(s->d, &t->listed);
	for (size_t i = 0; has_frames && i < t->n_points; i++)
		if (is_new(&t->points[i]))
			set_candidate(s, &t->points[i], tid, is_backwards);
	for (size_t i = t->n_points; i-- > 0;) {
		struct point *p = &t->points[i];
		p->is_new = false;
		if (lanes_is_shown(s->lanes) && p->lingering && p->only)
			points_drop(s, i); /* the step is over that gdb has inserted it for */
	}
}

void step_points_forget(struct stub *s)
{
	for (size_t i = 0; i < s->threads->n_points; i++)
		s->threads->points[i].only = s->threads->points[i].candidate = 0;
}

/* Concludes from a hit that gdb has passed over whether the breakpoint is for one thread. gdb looks at a condition only if the breakpoint is for the
 * thread that has hit it. For `finish` it may look at the thread's frame first: in code of -G it then reads where the function returns to. */
static void conclude(struct stub *s, struct point *p, uint64_t tid)
{
	const struct threads_room *t = s->threads;
	const bool is_own = tid == p->candidate;
	const bool looks_like_thread = p->command == COMMAND_ADVANCE && t->code_read != p->address;
	const bool may_be_condition = t->has_read_data || (t->has_read_caller && (is_own || p->command != COMMAND_FINISH));
	if (may_be_condition && (is_own || p->command != COMMAND_UNTIL))
		return;
	if (looks_like_thread && !gpu_is_performance(debug_gpu(s->d))) /* few warps come before the thread's */
		return;
	if (is_own) {
		p->only = p->candidate = 0;
		return;
	}
	set_only(s, p, p->candidate);
	p->keeps_others = p->command != COMMAND_REVERSE_FINISH;
	p->is_for_listed = looks_like_thread;
}

void step_points_passed(struct stub *s, uint64_t tid, uint64_t pc)
{
	for (size_t i = 0; i < s->threads->n_points; i++)
		if (s->threads->points[i].address == pc && s->threads->points[i].candidate)
			conclude(s, &s->threads->points[i], tid);
}

static bool is_listed(const struct stub *s, const struct point *p, uint64_t uid)
{
	struct debug_thread t;
	return debug_thread_of_uid(s->d, uid, &t) &&
	       (threads_are_listed(s, &s->threads->listed, &t) || threads_are_listed(s, &p->only_thread, &t));
}

uint32_t step_points_reportable(struct stub *s, uint64_t first_uid, unsigned n, uint64_t pc)
{
	const struct threads_room *t = s->threads;
	uint64_t uid;
	for (size_t i = 0; i < t->n_points; i++) {
		const struct point *p = &t->points[i];
		if (p->address != pc || !p->only || !p->keeps_others ||
		    (p->is_for_listed && is_listed(s, p, first_uid)))
			continue;
		return thread_uid(s, p->only, &uid) && uid - first_uid < n ? lanes_bit((unsigned)(uid - first_uid)) : 0;
	}
	return LANES_ALL;
}

bool step_points_release(struct stub *s)
{
	bool any = false;
	for (size_t i = 0; i < s->threads->n_points; i++) {
		struct point *p = &s->threads->points[i];
		if (p->only && p->is_for_listed) {
			p->only = p->candidate = 0;
			any = true;
		}
	}
	return any;
}
