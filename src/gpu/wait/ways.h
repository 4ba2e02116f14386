/* Warps whose lanes wait for lanes of the same warp, where a launch has independent threads.
 *
 * A way of a warp is what an entry of its SIMT stack runs. If the running way waits (wait.h), another one of the warp runs. */
#ifndef GPU_WAYS_H
#define GPU_WAYS_H

#include "gpu/device/internal.h"

/* The record of a resident warp: section "ways", indexed by CTA slot and warp. */
struct ways_record {
	struct exec_ways ways;
	uint32_t failures; /* performance mode: observations in a row that found no wait */
	uint32_t repeats;  /* performance mode: lanes of the running way, if its state has repeated: another way is due */
};
/* Returns the record of a warp's ways for reading. */
const struct ways_record *ways_of(const struct gpu *g, const struct exec_warp *w);
/* Returns the record for writing. */
struct ways_record *ways_touch(struct gpu *g, uint32_t slot, uint32_t warp);
/* Returns the lanes that run if the running way of the warp waits; 0 if its launch has no independent threads. */
uint32_t ways_other_lanes(const struct gpu *g, const struct exec_cta *c, const struct exec_warp *w);
/* Notes that `lanes` wait in this memory epoch, and switches to another way of the warp. Returns false if all ways wait, or there is no other. */
bool ways_switch(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t epoch, uint32_t lanes);
/* Forgets the warps of a block, whose slot is about to be freed. */
void ways_end_block(struct gpu *g, uint32_t slot);
/* Adds the arena's section for records of warps' ways. Returns false if there is no room. */
bool ways_add_section(struct gpu *g);

#endif
