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
	uint32_t *due;		 /* [inst] lanes whose atomics have not happened */
	uint32_t in_pipe[CORE_WARPS_MAX];
	uint32_t atomics[CORE_WARPS_MAX]; /* lanes whose atomics have not returned */
	uint32_t dispatch, next_write;	  /* instructions in the LDST unit's registers */
};

/* Returns true if the core's own state is consistent: numbers, pools, blocks, warps and pipelines. Names what is wrong in k->v->what. */
bool core_is_valid(struct core_valid *k);
/* Returns true if a request under way of this core goes where the core expects it, and counts the request for its instruction and warp. */
bool core_request_is_valid(struct core_valid *k, uint32_t request);
/* Returns true if instructions and warps count as many requests as there are. Call it after core_request_is_valid for all requests. Names what is
 * wrong in k->v->what. */
bool core_counts_are_valid(struct core_valid *k);
/* Prepares the validation of a core. */
void core_valid_init(struct core_valid *k, const struct core *c, struct timing_valid *v);
/* Frees what core_valid_init has allocated. */
void core_valid_free(struct core_valid *k);

/* Claims an instruction for a place. Returns false if it is claimed, or if its warp or pc is out of range. */
static inline bool core_claim_inst(struct core_valid *k, uint32_t inst, enum inst_place place)
{
	const struct core *c = k->c;
	if (!valid_claim(&k->insts, inst, (uint8_t)place) || c->inst[inst].warp >= c->cfg->n_warps ||
	    c->inst[inst].pc >= k->v->n_insns)
		return false;
	k->in_pipe[c->inst[inst].warp] += place == INST_IN_PIPE;
	return true;
}
/* Returns true if the state of the function units is consistent, and claims the instructions in them. */
bool units_are_valid(struct core_valid *k);
/* Returns true if the state of the operand collector is consistent, and claims the instructions in it. */
bool collector_is_valid(struct core_valid *k);
/* Returns true if the state of the schedulers is consistent. */
bool schedulers_are_valid(const struct core_valid *k);
/* Returns true if the state of the LDST unit is consistent, and claims the instructions and requests in it. */
bool ldst_is_valid(struct core_valid *k);
/* Returns true if the LDST unit would give the reply of a request to `cache`; NULL stands for no cache. */
bool ldst_takes(const struct core *c, const struct mem_request *m, const void *cache);

#endif
