/* Threads: from numbers to places in the machine, their frames, and the focus. */
#include <assert.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/view/functions.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

void debug_split3(uint64_t linear, const uint32_t dims[3], uint32_t out[3])
{
	out[0] = (uint32_t)(linear % dims[0]);
	out[1] = (uint32_t)(linear / dims[0] % dims[1]);
	out[2] = (uint32_t)(linear / dims[0] / dims[1]);
}

uint32_t debug_standing_pc(const struct exec_warp *w, const struct exec_simt *e, uint32_t lanes)
{
	return w->barrier_lanes & lanes ? w->barrier_pc : e->pc;
}

/* What a resident lane does and where it stands. */
static void resident(struct debug *d, struct debug_where *out)
{
	const struct exec *x = gpu_exec(d->g);
	out->cta = gpu_cta(d->g, (uint32_t)out->slot);
	out->w = &out->cta->warp[out->warp_index];
	out->core = out->cta->core;
	out->warp = out->cta->core_slot * out->launch.warps_per_cta + out->warp_index;
	out->state = DEBUG_THREAD_LIVE;
	if (out->w->state == EXEC_WARP_DONE || out->w->exited & lanes_bit(out->lane)) {
		out->state = DEBUG_THREAD_EXITED;
		out->pc = out->w->last_pc;
		return;
	}
	out->simt = exec_simt_of_lane(x, out->w, out->lane);
	if (!out->simt) {
		out->state = DEBUG_THREAD_EXITED;
		return;
	}
	out->pc = debug_standing_pc(out->w, out->simt, lanes_bit(out->lane));
	out->active = exec_simt_top(x, out->w)->mask & lanes_bit(out->lane);
}

bool debug_thread_where(struct debug *d, const struct debug_thread *t, struct debug_where *out)
{
	const struct exec *x = gpu_exec(d->g);
	struct gpu_launch_info info;
	bool done = false;
	memset(out, 0, sizeof *out);
	if (!gpu_launch_get(d->g, t->launch, &info) || t->cta >= info.launch.n_ctas ||
	    t->thread >= info.launch.threads_per_cta)
		return false;
	out->thread = *t;
	out->launch = info.launch;
	out->warp_index = out->warp = exec_warp_of(x, t->thread);
	out->lane = exec_lane_of(x, t->thread);
	out->warp_lanes = exec_lanes_of(x, out->warp_index, info.launch.threads_per_cta);
	out->uid = info.launch.first_uid + t->cta * info.launch.threads_per_cta + t->thread;
	debug_split3(t->cta, info.launch.grid, out->block_id);
	debug_split3(t->thread, info.launch.block, out->thread_id);
	out->pc = debug_program(d)->functions[info.launch.function]->first;
	out->core = gpu_expected_core(d->g, t->launch, t->cta); /* where the device is going to place it */
	out->slot = gpu_find_cta(d->g, t->launch, t->cta, &done);
	if (out->slot >= 0)
		resident(d, out);
	else if (done || info.state == GPU_LAUNCH_DONE || info.state == GPU_LAUNCH_KILLED)
		out->state = DEBUG_THREAD_EXITED;
	else
		out->state = DEBUG_THREAD_WAITING;
	return true;
}

uint32_t debug_lanes_with(struct debug *d, const struct debug_where *w)
{
	const uint32_t own = lanes_bit(w->lane);
	if (w->state == DEBUG_THREAD_WAITING)
		return w->warp_lanes;
	if (!w->simt)
		return 0;
	if (w->w->barrier_lanes & own)
		return w->w->barrier_lanes;
	uint32_t lanes = 0;
	const uint32_t rest = w->simt->mask & ~w->w->exited & ~w->w->barrier_lanes;
	LANES_EACH (lane, rest)
		if (exec_simt_of_lane(gpu_exec(d->g), w->w, lane) == w->simt)
			lanes |= lanes_bit(lane);
	const uint32_t waits = w->w->sync_lanes; /* in front of an instruction that needs others, while the rest runs */
	return waits & own ? lanes & waits : lanes & ~waits;
}

bool debug_thread_of_uid(struct debug *d, uint64_t uid, struct debug_thread *out)
{
	uint32_t lo = 0, hi = gpu_launch_count(d->g);
	struct gpu_launch_info info;
	while (lo < hi) { /* the last launch whose first uid is not above it */
		uint32_t mid = lo + (hi - lo) / 2;
		gpu_launch_get(d->g, mid, &info);
		if (info.launch.first_uid <= uid)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || !gpu_launch_get(d->g, lo - 1, &info) || uid - info.launch.first_uid >= info.launch.n_threads)
		return false;
	uint64_t linear = uid - info.launch.first_uid;
	*out = (struct debug_thread){.launch = lo - 1,
				     .cta = linear / info.launch.threads_per_cta,
				     .thread = (uint32_t)(linear % info.launch.threads_per_cta)};
	return true;
}

bool debug_frames_begin(struct debug *d, const struct debug_where *w, struct debug_frame_walk *walk)
{
	if (!w->simt)
		return false;
	walk->first = arena_at(gpu_arena(d->g), gpu_exec(d->g)->sec_simt, w->w->simt);
	walk->entry = w->simt;
	walk->pc = w->pc;
	return true;
}

bool debug_frames_up(struct debug_frame_walk *walk)
{
	const struct exec_simt *caller = exec_simt_caller(walk->first, walk->entry);
	if (!caller)
		return false;
	walk->pc = walk->entry->return_pc;
	walk->entry = caller;
	return true;
}

static bool frame_of_walk(struct debug *d, const struct debug_frame_walk *walk, struct debug_frame *out)
{
	const struct exec_simt *e = walk->entry;
	*out = (struct debug_frame){
		.pc = walk->pc, .frame = e->frame, .local_sp = e->local_sp, .depth = e->call_depth, .has_state = true};
	out->function = isa_program_function_at(debug_program(d), walk->pc);
	return out->function != NULL;
}

bool debug_frame_get(struct debug *d, const struct debug_where *w, uint32_t level, struct debug_frame *out)
{
	struct debug_frame_walk walk;
	memset(out, 0, sizeof *out);
	if (!debug_frames_begin(d, w, &walk)) {
		out->function = debug_program(d)->functions[w->launch.function];
		out->pc = w->pc;
		out->waiting = w->state == DEBUG_THREAD_WAITING;
		return level == 0 && out->function;
	}
	while (level--)
		if (!debug_frames_up(&walk))
			return false;
	return frame_of_walk(d, &walk, out);
}

size_t debug_frames(struct debug *d, const struct debug_where *w, size_t max, struct debug_frame **out)
{
	struct debug_frame_walk walk;
	size_t n = 0, cap = 0;
	*out = NULL;
	if (!debug_frames_begin(d, w, &walk)) {
		*out = xcalloc(1, sizeof **out);
		return debug_frame_get(d, w, 0, *out);
	}
	walk.pc = w->simt->pc;
	do {
		*out = xgrow(*out, &cap, n + 1, sizeof **out);
	} while (frame_of_walk(d, &walk, &(*out)[n]) && ++n < max && debug_frames_up(&walk));
	return n;
}

/* ---- the focus ---- */

bool debug_focus_get(struct debug *d, struct debug_thread *out)
{
	if (d->has_focus)
		*out = d->focus;
	return d->has_focus;
}

bool debug_focus_where(struct debug *d, struct debug_where *out)
{
	return d->has_focus && debug_thread_where(d, &d->focus, out);
}

bool debug_focus_set(struct debug *d, const struct debug_thread *t)
{
	struct debug_where w;
	if (!debug_thread_where(d, t, &w))
		return false;
	d->has_focus = true;
	d->focus = *t;
	debug_select_innermost(d);
	d->list_goes_on = false;
	return true;
}

void debug_focus_clear(struct debug *d)
{
	d->has_focus = false;
	d->frame = d->inlined = 0;
}

/* On a terminal that is narrower than the line it breaks in front of ` | `. */
static void break_line(const struct debug *d, size_t begin, struct text *out)
{
	char *at = NULL, *line = out->s + begin; /* the last place so far where it could break */
	if (!d->settings.on_terminal || !d->settings.width)
		return;
	for (char *next = strstr(line, " | "); next || at; next = next ? strstr(next + 3, " | ") : NULL) {
		const size_t n = next ? (size_t)(next - line) : strlen(line) - 1;
		if (at && n > d->settings.width) {
			*at = '\n';
			line = at + 1;
		}
		at = next;
	}
}

void debug_focus_line(struct debug *d, struct text *out)
{
	const size_t begin = out->n;
	struct debug_where w;
	if (!debug_focus_where(d, &w)) {
		text_add(out, "[no focus]\n");
		return;
	}
	const struct isa_function *f = debug_program(d)->functions[w.launch.function];
	text_addf(out, "[focus: kernel %u %s, block ", w.thread.launch, debug_function_name(d, f));
	format_dim3(w.block_id, out);
	text_add(out, ", thread ");
	format_dim3(w.thread_id, out);
	text_addf(out, ", uid %llu | ", (unsigned long long)w.uid);
	text_addf(out, "core %u, warp %u, lane %u | cycle %llu]\n", w.core, w.warp, w.lane,
		  (unsigned long long)gpu_cycle(d->g));
	break_line(d, begin, out);
}
