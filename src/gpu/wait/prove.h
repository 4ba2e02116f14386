/* Proofs that a warp which waits does so forever, as long as no other warp changes memory. */
#ifndef GPU_WAIT_PROVE_H
#define GPU_WAIT_PROVE_H

#include "gpu/device/internal.h"

/* Starts a proof that a warp waits forever. is_blind: the warp wasn't seen to wait, and reads nothing. */
void prove_begin(struct gpu *g, uint32_t slot, uint32_t warp, bool is_blind);
enum prove_news { PROVE_GOES_ON, PROVE_DONE, PROVE_FAILED };
/* Records the instruction that the warp of the proof is about to execute, and tests the paths of a branch on varying values. */
void prove_before(struct gpu *g);
/* Records that the warp of the proof has executed that instruction; `changed`: and has changed global or shared memory. Returns whether the proof
 * continues, is done or has failed. */
enum prove_news prove_after(struct gpu *g, bool changed);
/* Returns true if the state of a proof, which comes from a file, is valid. */
bool prove_is_valid(const struct gpu *g);
/* Returns a hash of all that the warp's next instructions depend on besides global and shared memory. */
uint64_t gpu_warp_hash(const struct gpu *g, const struct exec_warp *w);

struct prove_ahead {
	bool is_tried; /* else effects of the warp are under way */
	bool is_proven;
	uint32_t steps; /* instructions that were run for it */
};
/* Tries to prove that a warp waits forever while no other warp changes memory: runs the warp ahead and undoes that. Longer rounds are tried the more
 * proofs, `tries`, have failed before. Tries nothing while effects of the warp are under way. */
struct prove_ahead prove_ahead(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t tries);

#endif
