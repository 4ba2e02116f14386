/* The present moment with the warp whose turn it is, and running to a moment. */
#include "gpu/moment.h"

#include "gpu/device/performance_state.h"

static void whose_turn(const struct gpu *g, struct gpu_moment *out)
{
	const struct timing_place *at = out->place == GPU_BETWEEN ? NULL : &g->machine->timing.at;
	uint32_t slot = at ? at->cta_slot : 0, warp = at ? at->warp : 0;
	if (!at && (g->perf || !gpu_next_warp((struct gpu *)(uintptr_t)g, &slot, &warp)))
		return;
	out->launch = gpu_cta_at(g, slot)->launch;
	out->cta = gpu_cta_at(g, slot)->linear;
	out->warp = warp;
	if (!at)
		return;
	out->core = at->core;
	out->scheduler = g->machine->timing.core[at->core].s->scheduler;
}

void gpu_moment_now(const struct gpu *g, struct gpu_moment *out)
{
	gpu_moment_counts(g, out);
	whose_turn(g, out);
}

/* Returns true if a run to a moment passes the event: a mark, a breakpoint instruction, or watched memory before its access. */
static bool is_to_pass(const struct gpu *g, const struct gpu_event *ev)
{
	if (ev->kind == GPU_EVENT_FAULT)
		return g->exec.fault.kind == EXEC_FAULT_BREAKPOINT;
	return ev->kind == GPU_EVENT_MARK || (ev->kind == GPU_EVENT_ACCESS && !ev->atomic_lanes);
}

bool gpu_run_to(struct gpu *g, const struct gpu_moment *m)
{
	struct gpu_request r = {.max_cycles = UINT64_MAX, .until = m};
	struct gpu_moment then, now;
	struct gpu_event ev = {0};
	gpu_moment_now(g, &now);
	while (!gpu_moment_is(&now, m)) {
		then = now;
		const bool passed = r.pass;
		gpu_run(g, &r, &ev);
		text_free(&ev.text);
		gpu_moment_now(g, &now);
		r.pass = is_to_pass(g, &ev);
		const bool stands = gpu_moment_is(&now, &then) && (!r.pass || passed);
		if (stands || now.cycle > m->cycle || now.transitions > m->transitions)
			return gpu_moment_is(&now, m);
	}
	return true;
}
