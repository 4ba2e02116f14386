/* Operand collector: collector units, register banks, arbitration. Source: GPGPU-Sim manual "Operand collector", behaviour of 3.2.2. */
#ifndef TIMING_COLLECTOR_H
#define TIMING_COLLECTOR_H

#include "base/text.h"
#include "timing/core/core.h"

struct collector_layout;

/* Builds c->collector, which reads ID_OC_* and fills OC_EX_*, and for the machine's first core c->t->collectors. Returns false if there is no room, or if the
 * configuration has more than 64 banks, units or output ports. */
bool collector_create(struct timing_memory *m, struct core *c);
/* Frees the layout that all collectors share; does nothing if k is NULL. */
void collector_layout_free(struct collector_layout *k);
/* Executes one step: dispatch, read arbitration, allocation of units, release of banks. */
void collector_step(struct core *c);
/* Loads the collector's state into the host's caches (core_prefetch). */
void collector_prefetch(const struct core *c);
/* Allocates the banks of all destination registers for a write. Returns false if one is taken; the banks before it stay allocated. */
bool collector_write(struct core *c, const struct inst *i);
/* Returns whether two destinations of an instruction lie in one bank of the register file. */
bool collector_shares_bank(const struct core *c, const struct inst *i);
/* Allocates the banks of the destinations whose bits are clear in *written and sets their bits. Stops and returns false at the first bank that is taken. */
bool collector_write_rest(struct core *c, const struct inst *i, uint8_t *written);
/* Returns whether a step would only release banks: nothing can be dispatched, read or allocated. */
bool collector_idle(const struct core *c);
/* Returns whether the collector's instructions can't move until instructions leave OC_EX_*. */
bool collector_stuck(const struct core *c);
/* Executes steps of an idle or stuck collector: only the arbitration's priority moves. */
void collector_skip(struct core *c, uint64_t steps);

/* ---- for observers ---- */
struct collector_unit_view {
	uint32_t inst; /* 0: free */
	uint32_t not_ready; /* bit per source slot */
	const char *set;    /* name of its set in the model */
};
/* Returns the number of collector units. */
uint32_t collector_unit_count(const struct core *c);
/* Stores the state of one collector unit. */
void collector_get_unit(const struct core *c, uint32_t unit, struct collector_unit_view *out);
/* Appends the block "Arbiter State" of `dp`: requests of each bank and the last grants. */
void collector_print_arbiter(const struct core *c, struct text *out);

#endif
