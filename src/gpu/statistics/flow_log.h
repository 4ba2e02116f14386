/* The control-flow logger, -gpgpu_cflog_interval N: every N core cycles what each core did in them, as lines `NAMEcc-CYCLE = numbers`
 * (cc: the core; CYCLE: where the interval began), that go where the device's own output goes. Source: GPGPU-Sim 3.2.2's stat-tool, which
 * itself ends at the first fetch with it: its table of caches has no place for the instruction cache. docs/manual/gpgpusim-details.md has the
 * lines. */
#ifndef GPU_FLOW_LOG_H
#define GPU_FLOW_LOG_H

#include <stdint.h>

#include "base/text.h"

struct gpu;
struct core;
struct inst;
struct flow_log;

/* Returns a new control-flow log with an interval of `interval` core cycles, for a device with a performance model. The caller frees it with
 * flow_log_free. */
struct flow_log *flow_log_create(struct gpu *g, uint64_t interval);
/* Frees a control-flow log. NULL is ignored. */
void flow_log_free(struct flow_log *l);
/* Starts a new interval when a run begins or counts were reset. */
void flow_log_restart(struct gpu *g);
/* Counts an issued instruction of a core. */
void flow_log_note(struct gpu *g, const struct core *c, const struct inst *i);
/* Counts the round trip of a request in its core's table; `latency` is in core cycles. */
void flow_log_latency(struct gpu *g, uint32_t request, uint64_t latency);
/* Counts a request that enters its DRAM bank, if -gpgpu_memlatency_stat is set. */
void flow_log_dram(struct gpu *g, uint32_t request);
/* Prints the interval that ends, and starts the next one, if `cycle` is a multiple of the interval's length. The flow log must exist. `cycle`: core
 * cycles since the run began. */
void flow_log_cycle(struct gpu *g, uint64_t cycle);

#endif
