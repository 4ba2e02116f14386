/* Runs the device in its present mode, and queues and drops launches of the host. */
#include "gpu/functional/functional.h"
#include "gpu/launch/launch.h"
#include "gpu/performance/mode.h"
#include "gpu/performance/performance.h"
#include "gpu/statistics/logs.h"
#include "gpu/statistics/statistics.h"
#include "gpu/stream/stream_internal.h"

int64_t gpu_launch(struct gpu *g, const struct gpu_launch_spec *spec, struct text *why)
{
	if (!gpu_launch_fits(g, spec, why) || (spec->mode == GPU_MODE_PERFORMANCE && !gpu_can_perform(g, why)))
		return -1;
	const int64_t id = gpu_add_launch(g, spec, true, why);
	if (id >= 0)
		gpu_mode_next(g);
	return id;
}

void gpu_kill(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	for (uint32_t k = s->head; k < s->n_launches; k++)
		gpu_statistics_end(g, k);
	if (g->perf) {
		gpu_statistics_reset(g); /* totals, too, begin with the new machine */
		perf_kill(g);
	} else {
		functional_drop_blocks(g);
	}
	for (; s->head < s->n_launches; s->head++)
		if (gpu_launch_at(g, s->head)->state != GPU_LAUNCH_DONE)
			gpu_end_launch(g, gpu_launch_at(g, s->head), GPU_LAUNCH_KILLED);
	s->mode_end = s->n_launches;
	streams_drop(g);
	s->nested = s->first_child = s->last_child = 0;
	s->n_begun = s->other = 0;
	s->has_concurrent = s->must_yield = false;
	s->alone = (struct gpu_alone){.launch = 0};
}

static void run_in_mode(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev)
{
	if (g->perf)
		perf_run(g, r, ev);
	else
		functional_run(g, r, ev);
}

void gpu_run(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev)
{
	const double from = gpu_host_now(g);
	const uint64_t cycle = gpu_state(g)->cycle;
	if (!gpu_reached(g, r))
		gpu_mode_next(g);
	run_in_mode(g, r, ev);
	while (ev->kind == GPU_EVENT_IDLE && !gpu_reached(g, r) && gpu_mode_next(g)) {
		struct gpu_request rest = *r;
		if (r->max_cycles != UINT64_MAX)
			rest.max_cycles -= gpu_state(g)->cycle - cycle;
		run_in_mode(g, &rest, ev);
	}
	if (ev->kind == GPU_EVENT_IDLE && gpu_state(g)->n_polls && !gpu_state(g)->transfer_due && !gpu_reached(g, r))
		streams_report_deadlock(g, ev);
	g->host_seconds += gpu_host_now(g) - from;
}

void gpu_set_alone(struct gpu *g, const struct gpu_alone *a)
{
	gpu_state(g)->alone = *a;
	if (g->perf)
		perf_hold_warps(g);
}
void gpu_get_alone(const struct gpu *g, struct gpu_alone *a) { *a = gpu_state(g)->alone; }

bool gpu_next_warp(struct gpu *g, uint32_t *cta_slot, uint32_t *warp)
{
	return g->perf ? perf_next_warp(g, cta_slot, warp) : functional_next_warp(g, cta_slot, warp);
}

uint32_t gpu_expected_core(const struct gpu *g, uint32_t launch, uint64_t linear)
{
	if (!gpu_launch_at(g, launch)->performance)
		return (uint32_t)(linear % g->n_cores);
	const uint64_t started = gpu_launch_at(g, launch)->ctas_started;
	return perf_expected_core(g, linear > started ? linear - started : 0);
}
