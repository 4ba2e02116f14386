/* Operand collector: collector units, register banks, arbitration. Source: GPGPU-Sim manual "Operand collector", behaviour of 3.2.2. */
#ifndef TIMING_COLLECTOR_H
#define TIMING_COLLECTOR_H

#include "base/text.h"
#include "timing/core/core.h"

struct collector_layout;

/* Makes c->collector, which reads ID_OC_* and fills OC_EX_*, and with the machine's first one c->t->collectors. False: no room, or more than
 * 64 banks, 64 units or 64 output ports. */
bool collector_create(struct timing_memory *m, struct core *c);
void collector_layout_free(struct collector_layout *k); /* or NULL */
/* Dispatch, read arbitration, allocation, reset: once per LDST cycle. */
void collector_step(struct core *c);
void collector_prefetch(const struct core *c); /* for core_prefetch */
/* Allocates the destination registers' banks for a write; false if one was taken (those before it stay allocated). */
bool collector_write(struct core *c, const struct inst *i);
/* Are two of its destinations in one bank of the register file? */
bool collector_shares_bank(const struct core *c, const struct inst *i);
/* Loads in parts: only destinations not in `written`, a bit each, which notes those that found their bank free. */
bool collector_write_rest(struct core *c, const struct inst *i, uint8_t *written);
/* Nothing to dispatch, read or allocate: a step would only reset banks (cheap). */
bool collector_idle(const struct core *c);
/* Has instructions but can't do anything for them as long as nobody takes some from OC_EX_*. */
bool collector_stuck(const struct core *c);
/* As many steps as that while idle or stuck: only the arbitration's priority moves. */
void collector_skip(struct core *c, uint64_t steps);

/* ---- for observers ---- */
struct collector_unit_view {
	uint32_t inst; /* 0: free */
	uint32_t not_ready; /* bit per source slot */
	const char *set;    /* SP, SFU, MEM, GEN; 4.x's that nobody uses: DP, TC (tensor core), INT */
};
uint32_t collector_unit_count(const struct core *c);
void collector_get_unit(const struct core *c, uint32_t unit, struct collector_unit_view *out);
/* "Arbiter State": requests per bank and last grants, for dp. */
void collector_print_arbiter(const struct core *c, struct text *out);

#endif
