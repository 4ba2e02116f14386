/* What the validators of a core's parts share. */
#ifndef TIMING_CORE_VALID_H
#define TIMING_CORE_VALID_H

#include "timing/common/valid.h"
#include "timing/core/core.h"

/* Where an instruction is; neither: only its requests are under way. */
enum inst_place { INST_NOWHERE, INST_FREE, INST_IN_PIPE /* counted by its warp */, INST_WRITTEN };

struct core_valid {
	const struct core *c;
	struct timing_valid *v;
	struct valid_pool insts, accesses;
	uint32_t *requests;	 /* [inst] whose data the instruction waits for */
	uint32_t in_pipe[CORE_WARPS_MAX];
	uint32_t atomics[CORE_WARPS_MAX]; /* lanes whose atomics have not returned */
	uint32_t due[CORE_WARPS_MAX];	  /* lanes whose atomics have not happened */
	uint32_t dispatch, next_write;	  /* instructions in the LDST unit's registers */
};

/* The core by itself: its numbers, pools, blocks, warps, and what is in its pipelines. */
bool core_is_valid(struct core_valid *k);
/* A request of the core's that is under way. */
bool core_request_is_valid(struct core_valid *k, uint32_t request);
/* After all requests: what instructions and warps count of them. */
bool core_counts_are_valid(struct core_valid *k);
void core_valid_init(struct core_valid *k, const struct core *c, struct timing_valid *v);
void core_valid_free(struct core_valid *k);

/* Claims an instruction for a pipeline register. */
static inline bool core_claim_inst(struct core_valid *k, uint32_t inst, enum inst_place place)
{
	const struct core *c = k->c;
	if (!valid_claim(&k->insts, inst, (uint8_t)place) || c->inst[inst].warp >= c->cfg->n_warps ||
	    c->inst[inst].pc >= k->v->n_insns)
		return false;
	k->in_pipe[c->inst[inst].warp] += place == INST_IN_PIPE;
	return true;
}
/* Parts of it. */
bool units_are_valid(struct core_valid *k);
bool collector_is_valid(struct core_valid *k);
bool schedulers_are_valid(const struct core_valid *k);
bool ldst_is_valid(struct core_valid *k);
/* Returns true if that cache would take the request's reply. */
bool ldst_takes(const struct core *c, const struct mem_request *m, const void *cache);

#endif
