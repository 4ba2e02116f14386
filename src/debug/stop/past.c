#include "debug/stop/past.h"

#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/past.h"
#include "debug/rooms.h"
#include "debug/stop/machine.h"
#include "debug/stop/room.h"
#include "debug/stop/face_access.h"
#include "debug/view/view.h"

/* ---- somewhere else ---- */

static bool has_begun(const struct debug *d, uint32_t launch)
{
	struct gpu_launch_info info;
	return gpu_launch_get(d->g, launch, &info) && info.state != GPU_LAUNCH_QUEUED;
}

static bool is_over(const struct debug *d, uint32_t launch)
{
	struct gpu_launch_info info;
	return gpu_launch_get(d->g, launch, &info) &&
	       (info.state == GPU_LAUNCH_DONE || info.state == GPU_LAUNCH_KILLED);
}

/* Returns whether an earlier launch than the focus' one is still to run or runs. */
static bool others_come_first(const struct debug *d)
{
	for (uint32_t k = d->focus.launch; k-- > 0;)
		if (!is_over(d, k))
			return true;
	return false;
}

/* Returns whether the machine was taken in front of the focus' kernel, so that the focus has nothing to do with what runs here. */
static bool focus_is_left_behind(const struct debug *d)
{
	return d->stop->focus_had_begun && !has_begun(d, d->focus.launch) && others_come_first(d);
}

void debug_past_leaving(struct debug *d)
{
	d->stop->focus_had_begun = d->has_focus && has_begun(d, d->focus.launch);
	watch_note_kernels(d);
}

void debug_past_moved(struct debug *d)
{
	struct debug_where w;
	debug_modules_settle(d, NULL);
	d->stop->n_stood = d->stop->next_stood = 0;
	d->stop->done_unreported = false;
	d->list_goes_on = false;
	watch_rewind(d);
	debug_marks_changed(d);
	view_forget_unentered(d);
	if (d->has_focus && (!debug_focus_where(d, &w) || focus_is_left_behind(d)))
		debug_focus_clear(d);
	debug_changed(d);
}

static bool has_finished(const struct debug *d, uint32_t launch)
{
	struct gpu_launch_info info;
	return gpu_launch_get(d->g, launch, &info) && info.state == GPU_LAUNCH_DONE && !info.parent;
}

bool *debug_past_launches_over(struct debug *d, uint32_t *n)
{
	*n = gpu_launch_count(d->g);
	bool *over = xcalloc(*n + 1u, sizeof *over);
	for (uint32_t k = 0; k < *n; k++)
		over[k] = has_finished(d, k);
	return over;
}

void debug_past_finished(struct debug *d, const bool *over, uint32_t n, struct debug_stop *stop)
{
	for (uint32_t k = 0; !d->program && k < gpu_launch_count(d->g); k++)
		if (has_finished(d, k) && !(k < n && over[k]))
			stop_add_kernel(d, k, "finished", stop);
}

void debug_past_stop(struct debug *d, struct debug_stop *stop) { run_finish(d, stop); }

void debug_past_stepped(struct debug *d, bool by_thread, struct debug_stop *stop)
{
	if (!by_thread || !machine_landed(d, &d->focus, stop))
		stop_stepped(d, stop);
	run_finish(d, stop);
}

void debug_run_on_to_cycle(struct debug *d, uint64_t cycle, struct debug_stop *stop)
{
	const struct machine_goal goal = {.direction = RUN_PASS, .cycle = cycle};
	if (machine_run(d, &goal, stop) == MACHINE_GOAL) {
		stop->reason = DEBUG_STOP_CYCLE;
		text_addf(&stop->text, "Reached cycle %llu\n", (unsigned long long)gpu_cycle(d->g));
	}
	run_finish(d, stop);
}

/* ---- where `continue` would have stopped ---- */

static bool tell_stop(struct debug *d, bool (*tell)(void *self, struct debug_would_stop *w), void *self,
		      struct debug_stop *stop)
{
	struct debug_would_stop w = {
		.front = d->stop->front, .stop = *stop, .has_focus = d->has_focus, .focus = d->focus,
		.by_host = d->stop->scan_host ? d->host_use : 0};
	if (w.by_host) {
		gpu_moment_now(d->g, &w.front);
		w.has_focus = false;
	}
	d->stop->scan_host = false;
	debug_stop_init(stop);
	return tell(self, &w);
}

bool debug_scan_stops(struct debug *d, bool (*tell)(void *self, struct debug_would_stop *w), void *self,
		      struct debug_stop *stop)
{
	static const struct machine_goal no_goal = {.direction = RUN_SCAN, .cycle = UINT64_MAX};
	struct gpu_moment before, now = {0};
	bool more = true;
	d->stop->scan_over = false;
	while (more) {
		before = now;
		machine_run(d, &no_goal, stop);
		gpu_moment_now(d->g, &now);
		if (d->stop->scan_over || stop->reason == DEBUG_STOP_INTERRUPTED)
			break;
		/* what can't be passed is where it stood */
		more = (stop->n_hits || stop->reason == DEBUG_STOP_CHECKER) && (stop->reason != DEBUG_STOP_EXCEPTION || !gpu_moment_is(&before, &now)) &&
		       tell_stop(d, tell, self, stop);
	}
	if (stop->reason == DEBUG_STOP_INTERRUPTED)
		return false;
	debug_stop_free(stop); /* the end of work is no stop */
	return true;
}

void debug_scan_findings(struct debug *d, bool on) { d->stop->scans_findings = on; }

bool debug_scanned_counts(struct debug *d, const struct debug_stop *stop)
{
	bool counts = stop->reason == DEBUG_STOP_CHECKER;
	for (uint32_t k = 0; k < stop->n_hits; k++) {
		struct breakpoint *b = breakpoint_find(d, stop->hits[k]);
		counts |= b && breakpoint_count_hit(d, b);
	}
	return counts;
}

bool debug_scanned_is_watch(struct debug *d, const struct debug_stop *stop)
{
	bool is_watch = false;
	for (uint32_t k = 0; k < stop->n_hits; k++) {
		const struct breakpoint *b = breakpoint_find(d, stop->hits[k]);
		is_watch |= b && b->kind == BREAKPOINT_WATCH;
	}
	return is_watch;
}

void debug_scanned_stop(struct debug *d, const struct debug_would_stop *w, struct debug_stop *stop)
{
	*stop = w->stop;
	stop->n_hits = 0;
	if (w->has_focus)
		debug_focus_set(d, &w->focus);
	for (uint32_t k = 0; k < w->stop.n_hits; k++) {
		struct breakpoint *b = breakpoint_find(d, w->stop.hits[k]);
		if (b)
			breakpoint_report(d, b, stop);
	}
	if (stop->reason == DEBUG_STOP_BREAKPOINT || stop->reason == DEBUG_STOP_CATCHPOINT)
		debug_hit_is_reported(d, &d->focus);
	run_finish(d, stop);
}

/* ---- a thread's instructions ---- */

bool debug_trail_now(struct debug *d, const struct debug_thread *t, struct debug_trail *out)
{
	struct debug_where w;
	struct debug_frame f;
	if (!debug_thread_where(d, t, &w) || w.state == DEBUG_THREAD_EXITED || !debug_frame_get(d, &w, 0, &f))
		return false;
	*out = (struct debug_trail){
		.pc = w.pc, .depth = f.depth, .moved = w.active, .executed = w.w ? w.w->executed : 0};
	return true;
}

size_t debug_call_before(const struct debug_trail *t, size_t n, uint32_t depth)
{
	for (size_t k = n; k-- > 0;)
		if (t[k].moved && t[k].depth < depth)
			return k;
	return n;
}

bool debug_selected_depth(struct debug *d, uint32_t *depth)
{
	struct debug_where w;
	struct debug_frame f, caller;
	if (!debug_focus_where(d, &w) || !debug_frame_get(d, &w, d->frame, &f))
		return false;
	*depth = debug_frame_get(d, &w, d->frame + 1, &caller) ? f.depth : 0;
	return true;
}
