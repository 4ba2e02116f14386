/* The control-flow logger, -gpgpu_cflog_interval N: every N core cycles what each core did in them, as lines `NAMEcc-CYCLE = numbers`
 * (cc: the core; CYCLE: where the interval began), that go where the device's own output goes. Source: GPGPU-Sim 3.2.2's stat-tool, which
 * itself ends at the first fetch with it: its table of caches has no place for the instruction cache. docs/manual/statistics.md has the
 * lines. */
#ifndef GPU_FLOW_LOG_H
#define GPU_FLOW_LOG_H

#include <stdint.h>

#include "base/text.h"

struct gpu;
struct core;
struct inst;
struct flow_log;

struct flow_log *flow_log_create(struct gpu *g, uint64_t interval);
void flow_log_free(struct flow_log *l);
/* A run begins, or counts began anew: so does the interval. */
void flow_log_restart(struct gpu *g);
void flow_log_note(struct gpu *g, const struct core *c, const struct inst *i);
/* Requests: whose round trip is over, and one that goes to its DRAM bank. */
void flow_log_latency(struct gpu *g, uint32_t request, uint64_t latency);
void flow_log_dram(struct gpu *g, uint32_t request);
/* A core cycle of the run is over. */
void flow_log_cycle(struct gpu *g, uint64_t cycle);

#endif
