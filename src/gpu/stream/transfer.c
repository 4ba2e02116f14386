/* How long copies take in performance mode: an engine for each direction between host and device, as CUDA's devices have them, and the device's
 * own memory for what stays there. A transfer holds its engine; kernels and other streams go on. Where only transfers are under way the
 * machine's clocks stand still and the time is counted apart, so cycles stay those of kernels. Functional mode has no time. */
#include "gpu/device/performance_state.h"
#include "gpu/stream/stream_internal.h"

uint64_t streams_now(const struct gpu *g) { return gpu_state(g)->cycle + gpu_state(g)->waited; }

/* Bytes in a second that all of the device's DRAM moves at most. */
static double dram_rate(const struct timing_config *t)
{
	const struct dram_config *d = &t->partition.dram;
	return (double)t->partition.n_partitions * d->bus_width * d->chips * d->data_ratio / t->period[CLOCK_DRAM];
}

bool gpu_copies_take_time(const struct gpu *g) { return g->perf && g->device.copy_rate > 0; }

static uint64_t duration(const struct gpu *g, const struct gpu_transfer *t)
{
	const struct timing_config *c = g->perf->config;
	const double rate = t->engine == GPU_ENGINE_WITHIN ? dram_rate(c) : g->device.copy_rate;
	const double cycles = (double)t->bytes / rate / c->period[CLOCK_CORE];
	return (uint64_t)cycles + 1;
}

bool transfer_is_over(const struct gpu *g, const struct operation *o)
{
	return !g->perf || (o->ends && streams_now(g) >= o->ends);
}

void transfer_begin(struct gpu *g, struct operation *o)
{
	uint64_t *engine = &gpu_state(g)->engine_free[o->transfer.engine];
	const uint64_t now = streams_now(g);
	o->ends = (*engine > now ? *engine : now) + duration(g, &o->transfer);
	*engine = o->ends;
}

void gpu_hold_time(struct gpu *g, bool hold) { g->holds_time = hold; }

bool streams_pass_time(struct gpu *g, const struct gpu_request *r)
{
	struct gpu_state *s = gpu_state(g);
	const uint64_t now = streams_now(g);
	if (!s->transfer_due || (g->holds_time && !r->until))
		return false;
	s->waited += s->transfer_due > now ? s->transfer_due - now : 0;
	streams_settle_now(g);
	return true;
}
