/* What the cycles of warps and schedulers are lost to, counted turn by turn while switched on. */
#ifndef COMMAND_STALLS_H
#define COMMAND_STALLS_H

#include "command/dump/dump_info.h"

/* A scheduler's turns are the statistics' W0_Idle, W0_Scoreboard and Stall; the rest issue. */
struct stalls_scheduler {
	uint64_t turns[TURN_COUNT];
	uint64_t lost[WAIT_COUNT]; /* of those in which nothing issued: what the warp nearest to issuing waited for */
};
/* A warp slot of a core: of all warps that were there. */
struct stalls_warp {
	uint64_t issued, insns;	    /* turns, instructions */
	uint64_t waits[WAIT_COUNT]; /* turns without an instruction */
};
struct stalls_place {
	uint32_t pc;
	uint64_t cycles;
};

/* Switches the counting of turns on, from zero, or off, which frees the counts. Does nothing if that is so already. A device without a performance
 * model counts from when it gets one. */
void stalls_set(struct debug *d, bool on);
#define STALLS_BRIEF_PLACES 10u
/* Puts the counts aside and counts from zero what schedulers lose, but not what single warps wait for, which costs most of the time; of the places of a
 * reason only the STALLS_BRIEF_PLACES worst are given. Returns the counts put aside, for stalls_end_brief. The device has a performance model. */
struct stalls *stalls_begin_brief(struct debug *d);
/* Frees the brief counts and takes the counts put aside back. */
void stalls_end_brief(struct debug *d, struct stalls *was);
/* Stores the cycle since which all turns are counted; sets the counts to zero first if turns were missed. Returns false if turns aren't counted. */
bool stalls_since(struct debug *d, uint64_t *cycle);
/* Returns the counts of a core's scheduler. Turns must be counted; valid until that is switched off. */
const struct stalls_scheduler *stalls_of_scheduler(const struct debug *d, uint32_t core, uint32_t scheduler);
/* Returns the counts of a core's warp slot. Turns must be counted; valid until that is switched off. */
const struct stalls_warp *stalls_of_warp(const struct debug *d, uint32_t core, uint32_t warp);

/* A copy of the counts, for going back in time. */
struct stalls_kept;
/* Returns a copy of the counts, of *bytes bytes, which the caller frees with free(). Returns NULL, with *bytes unchanged, if turns aren't
 * counted. */
struct stalls_kept *stalls_keep(const struct debug *d, size_t *bytes);
/* Replaces the counts by those of a copy; if `k` is NULL or of another machine, counts begin at zero. Does nothing if turns aren't counted. */
void stalls_take_back(struct debug *d, const struct stalls_kept *k);

/* Where the cycles lost to a reason were lost: of a warp slot, or (STALLS_SCHEDULERS) of all schedulers of a core or of STALLS_ALL_CORES.
 * The most first, in memory that the caller frees. */
#define STALLS_SCHEDULERS UINT32_MAX
#define STALLS_ALL_CORES UINT32_MAX
/* Returns the *n instructions at which cycles were lost to a reason, the most first, in memory that the caller frees. `warp`: a warp slot, or
 * STALLS_SCHEDULERS for all schedulers, of `core`, which may be STALLS_ALL_CORES. Turns must be counted. */
struct stalls_place *stalls_places(const struct debug *d, uint32_t core, uint32_t warp, enum warp_wait wait, size_t *n);

#endif
