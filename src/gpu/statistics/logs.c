/* Connects the logs to the timing model: the samples for AerialVision, and the control-flow log. */
#include "gpu/statistics/logs.h"

#include "gpu/statistics/flow_log.h"

static void on_issue(void *gpu, struct core *c, const struct inst *i)
{
	struct gpu *g = gpu;
	if (g->is_silent)
		return;
	if (g->perf->samples)
		perf_note_sample(g, c, i);
	if (g->perf->flow_log)
		flow_log_note(g, c, i);
}

static void on_latency(void *gpu, uint32_t request, uint64_t latency) { flow_log_latency(gpu, request, latency); }
static void on_dram(void *gpu, uint32_t request) { flow_log_dram(gpu, request); }

void perf_hook_logs(struct gpu *g)
{
	struct performance *pf = g->perf;
	struct timing *t = &pf->timing;
	t->log_self = g;
	t->log_issue = pf->samples || pf->flow_log ? on_issue : NULL;
	t->log_latency = pf->flow_log ? on_latency : NULL;
	t->log_dram = pf->flow_log ? on_dram : NULL;
	if (pf->flow_log)
		timing_watch_dram(t);
}

void perf_restart_logs(struct gpu *g)
{
	perf_forget_samples(g);
	perf_begin_timelapse(g);
	if (g->perf->flow_log)
		flow_log_restart(g);
	perf_hook_logs(g);
}

void perf_begin_logs(struct gpu *g)
{
	perf_begin_samples(g);
	perf_restart_timelapse(g);
	if (g->perf->flow_log)
		flow_log_restart(g);
}
