/* Pipelined function units, result buses, execute and writeback stages. Source: GPGPU-Sim manual "Execute pipeline", behaviour of 3.2.2. */
#ifndef TIMING_UNITS_H
#define TIMING_UNITS_H

#include "timing/core/core.h"

#define UNITS_LATENCY_MAX 512u /* latencies are below it */

/* Builds a core's units and result buses with their state in m's arena. Returns NULL if there is no room. */
struct units *units_create(struct timing_memory *m, struct core *c);
/* Frees the view of the units. */
void units_destroy(struct units *u);
/* Executes the execute stage: shifts the result buses, then each unit in the order of the model does a cycle and may take an instruction. */
void units_execute(struct core *c, uint64_t now);
/* Executes the writeback stage: drains EX_WB, oldest first. */
void units_writeback(struct core *c, uint64_t now);
/* Returns whether no instruction is in a pipelined unit, before one, or before writeback, and the buses are empty. */
bool units_idle(const struct core *c);
/* Returns whether no instruction is in a pipelined unit, before one other than the LDST unit, or before writeback, and the buses are empty. */
bool units_stuck(const struct core *c);

/* ---- for observers ---- */
/* Returns the number of pipelined units. */
uint32_t units_count(const struct core *c);
/* Returns the kind of a unit. */
const struct core_unit *unit_kind_of(const struct core *c, uint32_t unit);
/* Returns the instruction in a unit's dispatch register, 0 for a bubble. */
uint32_t unit_dispatch(const struct core *c, uint32_t unit);
/* Returns the number of a unit's pipeline stages. */
uint32_t unit_stages(const struct core *c, uint32_t unit);
/* Returns the instruction in a unit's stage, 0 for a bubble; stage 0 leaves next. */
uint32_t unit_stage(const struct core *c, uint32_t unit, uint32_t stage);
/* Returns the number of result buses. */
uint32_t units_bus_count(const struct core *c);
/* Returns whether a result bus is taken `in_cycles` cycles from now. */
bool units_bus_busy(const struct core *c, uint32_t bus, uint32_t in_cycles);

#endif
