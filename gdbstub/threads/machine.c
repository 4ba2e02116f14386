/* The machine, and gdb, as gdbstub/lanes asks for them: what is behind its two tables of functions. */
#include <string.h>

#include <stdio.h>

#include "debug/program.h"
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

static bool lane(struct stub *s, uint64_t uid, struct machine_lane *out)
{
	struct debug_where w;
	if (!where(s, uid, &w))
		return false;
	const bool waiting = w.state == DEBUG_THREAD_WAITING;
	*out = (struct machine_lane){.uid = uid,
				     .first = uid - w.lane,
				     .lane = w.lane,
				     .n = lanes_count(w.warp_lanes),
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

static uint64_t sp(struct stub *s, uint64_t uid)
{
	const bool before = view_machine(s, true);
	const struct thread_view *v = view_of_uid(s, uid);
	const uint64_t at = v ? v->sp : 0;
	view_machine(s, before);
	return at;
}

static uint64_t uid_of(struct stub *s, uint64_t tid)
{
	uint64_t uid;
	return tid != STUB_HOST_TID && thread_uid(s, tid, &uid) ? uid : 0;
}

static void set_focus(struct stub *s, uint64_t uid)
{
	struct debug_thread t;
	if (debug_thread_of_uid(s->d, uid, &t))
		debug_focus_set(s->d, &t);
}

static void arrived(struct stub *s, uint64_t uid)
{
	struct debug_where w;
	if (where(s, uid, &w))
		view_arrived(s, &w);
}

/* ---- register snapshots ---- */

static void snapshot(struct stub *s, uint64_t uid)
{
	struct debug_where w;
	if (where(s, uid, &w))
		snapshot_take(s, &w);
}

static uint32_t together(struct stub *s, uint64_t uid)
{
	struct debug_where w;
	return where(s, uid, &w) ? snapshot_together(s, &w) : 0;
}

/* ---- breakpoints ---- */

static bool holds(struct stub *s, uint64_t uid, uint64_t pc, bool as_seen)
{
	return points_hold(s, thread_tid(s, uid), pc, as_seen);
}

static void passes(struct stub *s, uint64_t uid, uint64_t pc) { step_points_passed(s, thread_tid(s, uid), pc); }

static void go_on_from(struct stub *s, uint64_t uid)
{
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

static bool predict(struct stub *s, uint64_t uid, uint64_t *pc, uint64_t *frame)
{
	const struct thread_view *v = view_of_uid(s, uid);
	return v && v->n_frames && !debug_watches(s->d, &v->w) && predicted(s, v, pc, frame);
}

/* ---- running ---- */

static bool can_run(struct stub *s) { return debug_can_run(s->d); }

static void running(struct stub *s, bool on, bool is_step)
{
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

/* gdb has breakpoints that wait for what is loaded: where a module comes, or comes back, it hears of it, places them, and continues. One that it knows nothing
 * of, or all the time, is no stop to it. */
static bool until_news(struct stub *s, bool backwards, struct debug_stop *stop, struct text *why)
{
	uint32_t before;
	bool ok;
	debug_settings(s->d)->stops_at_loads = true;
	do {
		before = stub_program(s)->generation;
		ok = backwards ? history_reverse_continue(session_history(s->session), 1, stop, why) : debug_run_free(s->d, stop, why);
	} while (ok && stop->reason == DEBUG_STOP_NONE && stub_program(s)->generation != before &&
		 !images_have_news(s));
	debug_settings(s->d)->stops_at_loads = false;
	return ok;
}

static bool run(struct stub *s, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why)
{
	const bool ok = uid ? debug_run_thread(s->d, uid, n, stop, why) : until_news(s, false, stop, why);
	if (ok)
		text_clear(&s->not_launched);
	return ok;
}

static bool back(struct stub *s, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct history *h = session_history(s->session);
	if (!n)
		return until_news(s, true, stop, why);
	if (!uid)
		return history_reverse_step(h, 1, stop, why);
	return history_thread_back(h, n, stop, why);
}

static bool goes_on(struct stub *s, bool ended) { return (!ended && !*s->interrupt) || link_only_packets(s); }

static bool gone(struct stub *s) { return link_is_leaving(s); }

static const struct lanes_machine machine = {
	.lane = lane,
	.sp = sp,
	.stride = UINT64_C(1) << STUB_UID_SHIFT,
	.uid = uid_of,
	.tid = thread_tid,
	.focus = thread_of_focus,
	.set_focus = set_focus,
	.next_read_thread = registers_next_reported,
	.note_entered = arrived,
	.invalidate_views = view_forget,
	.take_snapshot = snapshot,
	.lanes_together = together,
	.same_registers = memory_same_registers,
	.drop_unneeded_snapshots = snapshots_drop_unused,
	.has_breakpoint = points_at,
	.is_inserted = points_inserted_at,
	.condition_holds = holds,
	.point = points_describe,
	.number = points_number,
	.is_known_write = points_as_before,
	.next_changed_watchpoint = watched_changed,
	.is_as_known = watched_is_as_known,
	.note_resume = step_points_resume,
	.note_passed = passes,
	.reportable_lanes = step_points_reportable,
	.release_points = step_points_release,
	.remove_taken_out = points_settle,
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

static void report(struct stub *s, unsigned signal, uint64_t tid, struct lanes_event event)
{
	stop_reply_thread(s, signal, tid, event, s->reply);
}

static void say(struct stub *s, const char *text) { stub_say(s, text, strlen(text)); }

static void idle(struct stub *s, const char *why)
{
	struct text line = {0};
	text_addf(&line, "warpstep: %s\n", s->not_launched.n ? text_str(&s->not_launched) : why);
	stub_say(s, text_str(&line), line.n);
	text_free(&line);
	text_clear(&s->not_launched);
}

static bool loaded(struct stub *s, uint64_t *tid)
{
	*tid = s->tid_g;
	images_update(s);
	return images_take_news(s);
}

static void stopped(struct stub *s, const struct debug_stop *stop) { session_report_stop(s->session, &s->face, stop); }

static bool is_over(struct stub *s, const struct debug_stop *stop)
{
	return stop->reason == DEBUG_STOP_ENDED && debug_program_is_over(s->d);
}

static const struct lanes_client client = {
	.report = report, .say = say, .idle = idle, .loaded = loaded, .is_over = is_over, .stopped = stopped};

void machine_attach(struct stub *s) { s->lanes = lanes_create(&machine, &client, s); }
