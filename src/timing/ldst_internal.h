/* The LDST unit's parts, shared by ldst*.c. */
#ifndef TIMING_LDST_INTERNAL_H
#define TIMING_LDST_INTERNAL_H

#include "timing/ldst.h"

#define SHARED_STAGES 3u
enum ldst_cache { LDST_L1T, LDST_L1C, LDST_L1D, LDST_CACHES };
/* L1D as configured for kernels without preference, that prefer L1, that prefer shared memory. */
enum ldst_l1d_choice { L1D_DEFAULT, L1D_PREFER_L1, L1D_PREFER_SHARED, L1D_CHOICES };

struct ldst_state {
	uint32_t dispatch;	/* inst in the access stage */
	uint32_t next_wb;	/* inst whose registers are written next */
	uint32_t next_global;	/* request: a reply that bypasses L1D */
	uint32_t stage[SHARED_STAGES]; /* shared-memory pipeline: insts, stage 0 leaves next */
	uint32_t client;	/* writeback client asked first */
	uint32_t l1d;		/* enum ldst_l1d_choice in use */
	uint32_t stall;		/* enum stall_reason of the last cycle */
	uint32_t responses;	/* bit per enum ldst_cache: may have filled requests to hand out */
	uint32_t quiet;		/* bit per enum ldst_cache: its cycles only count, so that they are not executed */
	uint64_t cycles;	/* of the unit */
	uint64_t counted[LDST_CACHES]; /* how many of them each cache has had */
	uint64_t last_writeback;
};

/* A view. */
struct ldst {
	struct ldst_state *s;
	struct fifo *response; /* requests: replies on their way into the unit */
	struct cache *cache[LDST_CACHES]; /* NULL: none; L1D: the one in use */
	struct cache *l1d[L1D_CHOICES];	  /* NULL: the same as the default one */
	struct cache_lower lower;
};

struct cache *ldst_cache_in_use(const struct ldst *l, enum ldst_cache k); /* NULL: none */
/* The same for a cache about to be used: from now on its cycles are executed. */
struct cache *ldst_wake_cache(const struct ldst *l, enum ldst_cache k);
/* Writeback stage. */
void ldst_writeback(struct core *c, uint64_t now);
/* Access stage and what follows it, for the instruction in the dispatch register. */
void ldst_access(struct core *c, uint64_t now);

#endif
