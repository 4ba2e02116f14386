/* The machine, and gdb, as gdbstub/lanes asks for them: what is behind its two tables of functions. */
#include <string.h>

#include <stdio.h>

#include "debug/stop/run.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/link/link.h"
#include "gdbstub/image/image.h"
#include "gdbstub/wire/packet.h"
#include "gdbstub/threads/threads.h"
#include "history/history.h"

static bool where(struct stub *s, uint64_t uid, struct debug_where *w)
{
	struct debug_thread t;
	return uid && uid <= STUB_UID_MAX && debug_thread_of_uid(s->d, uid, &t) && debug_thread_where(s->d, &t, w);
}

/* ---- lanes ---- */

static bool lane(void *self, uint64_t uid, struct machine_lane *out)
{
	struct stub *s = self;
	struct debug_where w;
	if (!where(s, uid, &w))
		return false;
	const uint32_t left = w.launch.threads_per_cta - w.warp_index * LANES;
	const bool waiting = w.state == DEBUG_THREAD_WAITING;
	*out = (struct machine_lane){.uid = uid,
				     .first = uid - w.lane,
				     .lane = w.lane,
				     .n = left < LANES ? left : LANES,
				     .executed = debug_executed(&w),
				     .pc = view_machine_pc(s, &w),
				     .code_pc = stub_pc(w.simt ? w.simt->pc : w.pc),
				     .frame = w.simt ? w.simt->frame : 0,
				     .live = thread_live_lanes(&w),
				     .active = w.w ? debug_active_lanes(s->d, &w) : thread_live_lanes(&w),
				     .exited = w.state == DEBUG_THREAD_EXITED,
				     .at_launch = view_is_at_launch(s, &w),
				     .is_next = w.simt ? w.active : waiting,
				     .is_waiting = w.simt && !w.active,
				     .in_barrier = w.simt && w.pc != w.simt->pc,
				     .can_run = w.w ? w.w->n_simt > 0 : waiting};
	return true;
}

static uint64_t sp(void *self, uint64_t uid)
{
	struct stub *s = self;
	const bool before = view_machine(s, true);
	const struct thread_view *v = view_of_uid(s, uid);
	const uint64_t at = v ? v->sp : 0;
	view_machine(s, before);
	return at;
}

static uint64_t uid_of(void *self, uint64_t tid)
{
	uint64_t uid;
	return tid != STUB_HOST_TID && thread_uid(self, tid, &uid) ? uid : 0;
}

static uint64_t tid_of(void *self, uint64_t uid) { return thread_tid(self, uid); }
static uint64_t focus(void *self) { return thread_of_focus(self); }

static void set_focus(void *self, uint64_t uid)
{
	struct stub *s = self;
	struct debug_thread t;
	if (debug_thread_of_uid(s->d, uid, &t))
		debug_focus_set(s->d, &t);
}

static bool looked_at(void *self, size_t *at, uint64_t *tid) { return registers_next_reported(self, at, tid); }

static void arrived(void *self, uint64_t uid)
{
	struct debug_where w;
	if (where(self, uid, &w))
		view_arrived(self, &w);
}

static void changed(void *self) { view_forget(self); }

/* ---- register snapshots ---- */

static void snapshot(void *self, uint64_t uid)
{
	struct debug_where w;
	if (where(self, uid, &w))
		snapshot_take(self, &w);
}

static uint32_t together(void *self, uint64_t uid)
{
	struct debug_where w;
	return where(self, uid, &w) ? snapshot_together(self, &w) : 0;
}

static bool same_registers(void *self, uint64_t uid, uint64_t from) { return memory_same_registers(self, uid, from); }
static void drop_snapshots(void *self) { snapshots_drop_unused(self); }

/* ---- breakpoints ---- */

static bool breaks(void *self, uint64_t pc) { return points_at(self, pc); }
static bool inserted(void *self, uint64_t pc) { return points_inserted_at(self, pc); }

static bool holds(void *self, uint64_t uid, uint64_t pc, bool as_seen)
{
	return points_hold(self, thread_tid(self, uid), pc, as_seen);
}

static bool point(void *self, uint32_t number, struct machine_point *out) { return points_describe(self, number, out); }

static bool number(void *self, const struct machine_point *p, uint32_t *out) { return points_number(self, p, out); }
static bool unchanged(void *self, const struct debug_stop *stop) { return points_as_before(self, stop); }

static bool changed_watched(void *self, size_t *at, uint32_t *number, uint64_t *uid)
{
	return watched_changed(self, at, number, uid);
}

static bool is_as_known(void *self, const struct machine_point *p) { return watched_is_as_known(self, p); }

static void resumes(void *self, uint64_t tid, bool is_backwards) { step_points_resume(self, tid, is_backwards); }
static void passes(void *self, uint64_t uid, uint64_t pc) { step_points_passed(self, thread_tid(self, uid), pc); }

static uint32_t reportable_lanes(void *self, uint64_t first, unsigned n, uint64_t pc)
{
	return step_points_reportable(self, first, n, pc);
}
static void settle(void *self, bool lone_step) { points_settle(self, lone_step); }

static void go_on_from(void *self, uint64_t uid)
{
	struct stub *s = self;
	struct debug_thread t;
	if (debug_thread_of_uid(s->d, uid, &t))
		debug_hit_is_reported(s->d, &t);
}

static bool predicted(struct stub *s, const struct thread_view *v, uint64_t *pc, uint64_t *frame)
{
	uint32_t at;
	*frame = v->sp;
	switch (debug_predict(s->d, &v->w, &at)) {
	case DEBUG_NEXT_HERE: break;
	case DEBUG_NEXT_CALLEE: *frame -= frame_layout_of(s, isa_program_function_at(stub_program(s), at))->size; break;
	case DEBUG_NEXT_CALLER:
		if (v->n_frames < 2)
			return false;
		*frame = v->frames[1].sp;
		break;
	case DEBUG_NEXT_EXITED:
		*frame = v->frames[v->n_frames - 1].sp;
		*pc = view_exit_pc(&v->w);
		return true;
	default: return false;
	}
	*pc = stub_pc(at);
	return !debug_breaks_at(s->d, at); /* gdb would report it at once, or the prompt has to */
}

static bool predict(void *self, uint64_t uid, uint64_t *pc, uint64_t *frame)
{
	struct stub *s = self;
	const struct thread_view *v = view_of_uid(s, uid);
	return v && v->n_frames && !debug_watches(s->d, &v->w) && predicted(s, v, pc, frame);
}

/* ---- running ---- */

static bool can_run(void *self) { return debug_can_run(((struct stub *)self)->d); }

static void running(void *self, bool on, bool is_step)
{
	struct stub *s = self;
	if (on) {
		s->running = true;
		link_watch(s, true);
		if (is_step)
			awake_step_begins(s);
		return;
	}
	awake_step_ends(s);
	link_watch(s, false);
	s->running = false;
}

/* gdb has breakpoints that wait for what is loaded: where a module comes, or comes back, it hears of it, places them, and goes on. One that it knows nothing
 * of, or all the time, is no stop to it. */
static bool until_news(struct stub *s, history_run_fn *back, struct debug_stop *stop, struct text *why)
{
	uint32_t before;
	bool ok;
	debug_settings(s->d)->stops_at_loads = true;
	do {
		before = stub_program(s)->generation;
		ok = back ? back(session_history(s->session), "", stop, why) : debug_run_free(s->d, stop, why);
	} while (ok && stop->reason == DEBUG_STOP_NONE && stub_program(s)->generation != before &&
		 !images_have_news(s));
	debug_settings(s->d)->stops_at_loads = false;
	return ok;
}

static bool run(void *self, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct stub *s = self;
	const bool ok = uid ? debug_run_thread(s->d, uid, n, stop, why) : until_news(s, NULL, stop, why);
	if (ok)
		text_clear(&s->not_launched);
	return ok;
}

static bool back(void *self, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct stub *s = self;
	struct history *h = session_history(s->session);
	char count[24];
	if (!n)
		return until_news(s, history_cmd_reverse_continue, stop, why);
	if (!uid)
		return history_cmd_reverse_step(h, "", stop, why);
	snprintf(count, sizeof count, "%llu", (unsigned long long)n);
	return history_thread_back(h, count, stop, why);
}

static bool goes_on(void *self, bool ended)
{
	struct stub *s = self;
	return (!ended && !*s->interrupt) || link_only_packets(s);
}

static bool gone(void *self) { return link_is_leaving(self); }

static const struct lanes_machine machine = {
	.lane = lane,
	.sp = sp,
	.stride = UINT64_C(1) << STUB_UID_SHIFT,
	.uid = uid_of,
	.tid = tid_of,
	.focus = focus,
	.set_focus = set_focus,
	.next_read_thread = looked_at,
	.note_entered = arrived,
	.invalidate_views = changed,
	.take_snapshot = snapshot,
	.lanes_together = together,
	.same_registers = same_registers,
	.drop_unneeded_snapshots = drop_snapshots,
	.has_breakpoint = breaks,
	.is_inserted = inserted,
	.condition_holds = holds,
	.point = point,
	.number = number,
	.is_known_write = unchanged,
	.next_changed_watchpoint = changed_watched,
	.is_as_known = is_as_known,
	.note_resume = resumes,
	.note_passed = passes,
	.reportable_lanes = reportable_lanes,
	.remove_taken_out = settle,
	.skip_breakpoint = go_on_from,
	.predict = predict,
	.can_run = can_run,
	.set_running = running,
	.run = run,
	.back = back,
	.may_continue = goes_on,
	.client_is_gone = gone,
};

/* ---- gdb ---- */

static void report(void *self, unsigned signal, uint64_t tid, struct lanes_event event)
{
	struct stub *s = self;
	stop_reply_thread(s, signal, tid, event, s->reply);
}

static void say(void *self, const char *text) { stub_say(self, text, strlen(text)); }

static void idle(void *self, const char *why)
{
	struct stub *s = self;
	struct text line = {0};
	text_addf(&line, "warpstep: %s\n", s->not_launched.n ? text_str(&s->not_launched) : why);
	stub_say(s, text_str(&line), line.n);
	text_free(&line);
	text_clear(&s->not_launched);
}

static bool loaded(void *self, uint64_t *tid)
{
	struct stub *s = self;
	*tid = s->tid_g;
	images_update(s);
	return images_take_news(s);
}

static void stopped(void *self, const struct debug_stop *stop)
{
	struct stub *s = self;
	session_report_stop(s->session, &s->face, stop);
}

static const struct lanes_client client = {
	.report = report, .say = say, .idle = idle, .loaded = loaded, .stopped = stopped};

void machine_attach(struct stub *s) { s->lanes = lanes_create(&machine, &client, s); }
