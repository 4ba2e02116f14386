/* Proofs that a warp which waits does so forever, as long as no other warp changes memory. */
#ifndef GPU_WAIT_PROVE_H
#define GPU_WAIT_PROVE_H

#include "gpu/device/internal.h"

/* Starts the proof that a warp that waits does so for ever. is_blind: the warp wasn't seen to wait, and reads nothing. */
void prove_begin(struct gpu *g, uint32_t slot, uint32_t warp, bool is_blind);
enum prove_news { PROVE_GOES_ON, PROVE_DONE, PROVE_FAILED };
/* Notes what the warp is about to execute. */
void prove_before(struct gpu *g);
/* Notes that it has executed that. changed: it has changed global or shared memory. */
enum prove_news prove_after(struct gpu *g, bool changed);
/* Validates a proof that comes from a file. */
bool prove_is_valid(const struct gpu *g);
/* Returns a hash of all that the warp's next instructions depend on besides global and shared memory. */
uint64_t gpu_warp_hash(const struct gpu *g, const struct exec_warp *w);

struct prove_ahead {
	bool is_tried; /* else effects of the warp are under way */
	bool is_proven;
	uint32_t steps; /* instructions that were run for it */
};
/* Tries to prove that a warp waits for ever while no other one changes memory; after `tries` that were in vain. */
struct prove_ahead prove_ahead(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t tries);

#endif
