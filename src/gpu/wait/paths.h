/* Warps whose lanes wait for lanes of the same warp, where a launch has independent threads.
 *
 * A path of a warp is what an entry of its SIMT stack runs. If the running path waits (wait.h), another one of the warp runs. */
#ifndef GPU_WAIT_PATHS_H
#define GPU_WAIT_PATHS_H

#include "gpu/device/internal.h"

/* The record of a resident warp: section "paths", indexed by CTA slot and warp. */
struct path_record {
	struct exec_ways paths;
	uint32_t failures; /* performance mode: observations in a row that found no wait */
	uint32_t repeats;  /* performance mode: lanes of the running path, if its state has repeated: another path is due */
};
/* Returns the record of a warp's paths for reading. */
const struct path_record *paths_of(const struct gpu *g, const struct exec_warp *w);
/* Returns the record of a warp's paths for writing, and saves its page for marks. */
struct path_record *paths_touch(struct gpu *g, uint32_t slot, uint32_t warp);
/* Returns the lanes that would run if the warp's running path waits; 0 if its launch has no independent threads. */
uint32_t paths_other_lanes(const struct gpu *g, const struct exec_cta *c, const struct exec_warp *w);
/* Records that `lanes` wait in memory epoch `epoch`, and switches the warp to another path. Returns false if all other paths wait, too, or there is no
 * other. */
bool paths_switch(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t epoch, uint32_t lanes);
/* Clears the records of the warps of a block, whose slot is about to be freed. */
void paths_end_block(struct gpu *g, uint32_t slot);
/* Adds the arena's section for records of warps' paths. Returns false if there is no room. */
bool paths_add_section(struct gpu *g);

#endif
