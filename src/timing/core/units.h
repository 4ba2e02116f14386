/* SP and SFU units, result buses, execute and writeback stages. Source: GPGPU-Sim manual "Execute pipeline", behaviour of 3.2.2. */
#ifndef TIMING_UNITS_H
#define TIMING_UNITS_H

#include "timing/core/core.h"

#define UNITS_LATENCY_MAX 512u /* latencies are below it */

struct units *units_create(struct timing_memory *m, struct core *c);
void units_destroy(struct units *u);
/* The execute stage: result buses shift, then each unit in order (SP.., SFU.., LDST) cycles and is offered an instruction. */
void units_execute(struct core *c, uint64_t now);
/* The writeback stage: drains EX_WB, oldest first. */
void units_writeback(struct core *c, uint64_t now);
/* No instruction in any SP or SFU unit, on its way to one or to writeback; the buses are empty. */
bool units_idle(const struct core *c);
/* The same but for instructions that wait in front of the LDST unit. */
bool units_stuck(const struct core *c);

/* ---- for observers ---- */
uint32_t units_count(const struct core *c); /* SP and SFU */
enum unit_kind unit_kind_of(const struct core *c, uint32_t unit);
uint32_t unit_dispatch(const struct core *c, uint32_t unit); /* inst, 0: bubble */
uint32_t unit_stages(const struct core *c, uint32_t unit);
uint32_t unit_stage(const struct core *c, uint32_t unit, uint32_t stage); /* stage 0 leaves next */
uint32_t units_bus_count(const struct core *c);
bool units_bus_busy(const struct core *c, uint32_t bus, uint32_t in_cycles);

#endif
