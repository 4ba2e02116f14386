/* Counts of what the device has done so far, which name its present moment. */
#include "exec/pending.h"
#include "gpu/device/performance_state.h"
#include "gpu/moment.h"

#define FIRST_INST \
	1u /* timing_state.next_inst_uid of a machine that has issued nothing, and as long as there is none */

static enum gpu_place place_of(const struct performance *pf)
{
	static const enum gpu_place places[] = {
		[TIMING_IN_FRONT] = GPU_IN_FRONT, [TIMING_AFTER] = GPU_AFTER, [TIMING_LANDED] = GPU_LANDED};
	return perf_inside_tick(pf->s) ? places[pf->timing.stopped] : GPU_BETWEEN;
}

void gpu_moment_counts(const struct gpu *g, struct gpu_moment *out)
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
	gpu_moment_counts(g, &now);
	return gpu_moment_is(&now, m);
}

