#include "gpu/moment.h"

#include "exec/pending.h"
#include "gpu/performance.h"

#define FIRST_INST \
	1u /* timing_state.next_inst_uid of a machine that has issued nothing, and as long as there is none */

static enum gpu_place place_of(const struct performance *pf)
{
	static const enum gpu_place places[] = {
		[TIMING_IN_FRONT] = GPU_IN_FRONT, [TIMING_AFTER] = GPU_AFTER, [TIMING_LANDED] = GPU_LANDED};
	return perf_inside_tick(pf->s) ? places[pf->timing.stopped] : GPU_BETWEEN;
}

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
	const struct gpu_state *s = gpu_state(g);
	const struct performance *pf = g->machine;
	*out = (struct gpu_moment){.cycle = s->cycle,
				   .transitions = s->transitions,
				   .issued = FIRST_INST,
				   .landed = exec_pending_landed(&g->exec),
				   .launch = UINT32_MAX};
	if (pf) {
		out->ticks = pf->s->ticks;
		out->issued = pf->timing.s->next_inst_uid;
		out->place = place_of(pf);
	}
	out->failed = s->n_failed;
	whose_turn(g, out);
}

bool gpu_moment_is(const struct gpu_moment *a, const struct gpu_moment *b)
{
	return a->cycle == b->cycle && a->transitions == b->transitions && a->ticks == b->ticks &&
	       a->issued == b->issued && (a->landed == b->landed || a->landed == GPU_ANY || b->landed == GPU_ANY) &&
	       a->failed == b->failed && a->place == b->place;
}

bool gpu_is_at(const struct gpu *g, const struct gpu_moment *m)
{
	struct gpu_moment now;
	if (gpu_state(g)->cycle != m->cycle)
		return false;
	gpu_moment_now(g, &now);
	return gpu_moment_is(&now, m);
}

/* Has it come to something that isn't simulated: a mark, a breakpoint instruction? */
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
