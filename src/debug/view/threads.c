/* Many threads as few runs: by blocks and warps, never one by one. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

struct runs {
	struct debug *d;
	const struct exec_launch *l;
	thread_run_fn *fn;
	void *self;
	struct thread_run run;
	bool has_run;
	uint64_t focus; /* linear, UINT64_MAX: elsewhere */
};

static void emit(struct runs *r)
{
	if (!r->has_run)
		return;
	r->run.has_focus = r->focus >= r->run.first && r->focus <= r->run.last;
	r->fn(r->self, r->l, &r->run);
	r->has_run = false;
}

static void add(struct runs *r, uint64_t first, uint64_t last, uint32_t pc, enum debug_thread_state state, bool waits)
{
	struct thread_run *run = &r->run;
	if (r->has_run && run->last + 1 == first && run->state == state && run->waits == waits &&
	    (run->pc == pc || state == DEBUG_THREAD_EXITED)) {
		run->last = last;
		return;
	}
	emit(r);
	*run = (struct thread_run){.first = first, .last = last, .pc = pc, .state = state, .waits = waits};
	r->has_run = true;
}

static void add_warp(struct runs *r, const struct exec_cta *cta, const struct exec_warp *w, uint64_t base)
{
	const struct exec *x = gpu_exec(r->d->g);
	LANES_EACH (lane, w->lanes) {
		const struct exec_simt *e = w->state == EXEC_WARP_DONE || w->exited & lanes_bit(lane)
						    ? NULL
						    : exec_simt_of_lane(x, w, lane);
		uint64_t at = base + exec_thread_of(x, w->index, lane);
		add(r, at, at, e ? debug_standing_pc(w, e, lanes_bit(lane)) : w->last_pc,
		    e ? DEBUG_THREAD_LIVE : DEBUG_THREAD_EXITED, e && w->barrier_lanes >> lane & 1);
	}
	(void)cta;
}

static int by_linear(const void *a, const void *b)
{
	const struct exec_cta *x = *(const struct exec_cta *const *)a, *y = *(const struct exec_cta *const *)b;
	return x->linear < y->linear ? -1 : x->linear > y->linear;
}

size_t debug_resident_of(struct debug *d, uint32_t launch, const struct exec_cta ***blocks)
{
	const uint32_t n_slots = gpu_cta_slots(d->g);
	size_t n = 0;
	*blocks = xcalloc(n_slots + 1u, sizeof **blocks);
	for (uint32_t s = 0; s < n_slots; s++) {
		const struct exec_cta *cta = gpu_cta(d->g, s);
		if (cta && cta->launch == launch)
			(*blocks)[n++] = cta;
	}
	qsort(*blocks, n, sizeof **blocks, by_linear);
	return n;
}

void debug_thread_runs(struct debug *d, uint32_t launch, bool resident_only, thread_run_fn *fn, void *self)
{
	struct gpu_launch_info info;
	if (!gpu_launch_get(d->g, launch, &info))
		return;
	struct runs r = {.d = d, .l = &info.launch, .fn = fn, .self = self, .focus = UINT64_MAX};
	uint64_t per_cta = info.launch.threads_per_cta, next = 0;
	if (d->has_focus && d->focus.launch == launch)
		r.focus = d->focus.cta * per_cta + d->focus.thread;
	uint32_t entry = debug_program(d)->functions[info.launch.function]->first;
	const struct exec_cta **ctas;
	size_t n = debug_resident_of(d, launch, &ctas);
	bool over = info.state == GPU_LAUNCH_DONE || info.state == GPU_LAUNCH_KILLED;
	uint64_t started = over ? info.launch.n_ctas : info.ctas_started;
	for (size_t i = 0; i <= n; i++) {
		uint64_t until = i < n ? ctas[i]->linear : started;
		if (!resident_only && until > next)
			add(&r, next * per_cta, until * per_cta - 1, entry, DEBUG_THREAD_EXITED, false);
		if (i == n)
			break;
		for (uint32_t w = 0; w < ctas[i]->n_warps; w++)
			add_warp(&r, ctas[i], &ctas[i]->warp[w], ctas[i]->linear * per_cta);
		next = ctas[i]->linear + 1;
	}
	if (!resident_only && started < info.launch.n_ctas)
		add(&r, started * per_cta, info.launch.n_threads - 1, entry, DEBUG_THREAD_WAITING, false);
	emit(&r);
	free(ctas);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

size_t debug_resident_slots(struct debug *d, uint32_t **slots)
{
	uint32_t n = gpu_cta_slots(d->g);
	size_t found = 0;
	*slots = xcalloc(n + 1u, sizeof **slots);
	for (uint32_t s = 0; s < n; s++)
		if (gpu_cta(d->g, s))
			(*slots)[found++] = s;
	qsort(*slots, found, sizeof **slots, by_number); /* slots are numbered core by core */
	return found;
}

void debug_place_text(struct debug *d, uint32_t pc, struct text *out)
{
	const struct debug_position cuda = debug_own_position(d, pc);
	debug_position_text(d, debug_ptx_position(d, pc), out);
	if (!cuda.line)
		return;
	text_add(out, " (");
	debug_position_text(d, cuda, out);
	text_addc(out, ')');
}

#define FRAMES_LOOKED_AT 64 /* for one that is the user's own */

bool debug_called_from_text(struct debug *d, const struct debug_where *w, struct debug_position shown, struct text *out)
{
	struct debug_shown_frame f;
	if (!debug_program(d)->n_locs || (shown.line && !debug_is_toolkit_header(d, shown.file)))
		return false;
	for (uint64_t k = 0; k < FRAMES_LOOKED_AT && debug_shown_frame(d, w, k, &f); k++) {
		if (!f.cuda.line || debug_is_toolkit_header(d, f.cuda.file))
			continue;
		text_add(out, ", called from ");
		debug_shown_function(d, &f, out);
		text_add(out, " at ");
		debug_position_text(d, f.cuda, out);
		return true;
	}
	return false;
}

bool debug_lane_place_text(struct debug *d, const struct exec_warp *w, uint32_t lane, uint32_t pc, struct text *out)
{
	const struct exec_cta *cta = gpu_cta(d->g, w->cta);
	const struct debug_thread t = {.launch = cta ? cta->launch : 0, .cta = cta ? cta->linear : 0, .thread = debug_thread_of(d, w->index, lane)};
	struct debug_where at;
	debug_place_text(d, pc, out);
	return cta && debug_thread_where(d, &t, &at) && at.simt && debug_called_from_text(d, &at, debug_own_position(d, pc), out);
}

void debug_name_place(void *self, const struct exec_warp *w, uint32_t lane, uint32_t pc, struct text *out)
{
	debug_lane_place_text(self, w, lane, pc, out);
}

const char *debug_state_name(const struct thread_run *r)
{
	if (r->state == DEBUG_THREAD_WAITING)
		return "not started";
	return r->state == DEBUG_THREAD_EXITED ? "finished" : r->waits ? "barrier" : "running";
}
