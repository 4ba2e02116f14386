/* LDST unit: coalescing, shared-memory banks, L1 caches, response FIFO, writeback. Source: GPGPU-Sim manual "Memory unit", behaviour of
 * 3.2.2. */
#ifndef TIMING_LDST_H
#define TIMING_LDST_H

#include "timing/core/core.h"

struct ldst *ldst_create(struct timing_memory *m, struct core *c);
void ldst_destroy(struct ldst *l);
/* At issue of a load or store: the transactions of the instruction (`a`: what exec recorded), or for shared memory the access cycles.
 * Sets i->space, accesses, n_accesses, dispatch. `t`: where its CTA's threads are, for local memory. */
void ldst_make_accesses(struct core *c, struct inst *i, const struct exec_access *a);
bool ldst_accepts(const struct core *c); /* the dispatch register is empty */
void ldst_issue(struct core *c, uint32_t inst, uint64_t now);
/* One LDST cycle; includes one collector step. Called warp_parts times per core cycle. */
void ldst_cycle(struct core *c, uint64_t now);
bool ldst_response_full(const struct core *c);
void ldst_fill(struct core *c, uint32_t request, uint64_t now); /* into the response FIFO */
/* A kernel that prefers L1 or shared memory begins (-gpgpu_cache:dl1PrefL1 ...); L1D changes to that string and is flushed. */
void ldst_choose_l1d(struct core *c, const struct cache_config *l1d);
void ldst_flush_l1d(struct core *c);
/* A cycle would do nothing but count (and step the collector). Then ldst_skip does that for so many cycles, without the collector. */
bool ldst_idle(const struct core *c);
/* The L1D refuses the instruction in the access stage and will until something arrives; nothing else is under way in the unit. Each cycle only
 * counts, and uses up the number of a request. */
bool ldst_stuck(const struct core *c);
void ldst_skip(struct core *c, uint64_t cycles);

/* ---- for observers ---- */
struct cache *ldst_l1c(const struct core *c);
struct cache *ldst_l1t(const struct core *c); /* may be NULL */
struct cache *ldst_l1d(const struct core *c); /* may be NULL; these three bring the cache's cycle counts up to date */
/* The L1Ds of kernels without preference (0), that prefer L1 (1), shared memory (2); NULL: no such, or the same as 0. Their statistics
 * belong together. */
#define LDST_L1D_VARIANTS 3u
struct cache *ldst_l1d_variant(const struct core *c, uint32_t k);
uint32_t ldst_dispatch(const struct core *c); /* inst, 0: bubble */
/* Why the next access of the instruction in the access stage can't be made as things stand; false: it can, or there is none. */
bool ldst_obstacle(const struct core *c, struct text *out);
uint32_t ldst_next_writeback(const struct core *c); /* inst, 0: none */
uint32_t ldst_next_global(const struct core *c); /* request: a reply that bypasses L1D, 0: none */
uint32_t ldst_shared_stage(const struct core *c, uint32_t stage); /* of cfg->smem_latency ones */
uint32_t ldst_l1_length(const struct core *c);		    /* accesses on their way to the L1D (4.x) */
uint32_t ldst_l1_at(const struct core *c, uint32_t k);	    /* request, the first to arrive first */
uint32_t ldst_response_length(const struct core *c);
uint32_t ldst_response_at(const struct core *c, uint32_t k); /* request */
enum stall_reason ldst_stall_reason(const struct core *c); /* of the last cycle, as GPGPU-Sim names it */
uint64_t ldst_last_writeback(const struct core *c);	   /* cycle */

#endif
