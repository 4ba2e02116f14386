/* Positions of the machine, to the instruction and to each step between instructions: where an input came, and where a replay has to stop for it.
 *
 * The device's way is fixed by its state: so counts of what it has done so far name a position on it, whatever requests it was run with. They grow
 * until a kill or a reset, which are inputs themselves. */
#ifndef GPU_MOMENT_H
#define GPU_MOMENT_H

#include "gpu/gpu.h"

enum gpu_place {
	GPU_BETWEEN,  /* between instructions (functional mode) or ticks */
	GPU_IN_FRONT, /* inside a tick, in front of an instruction that is being issued */
	GPU_AFTER,    /* right after one was issued */
	GPU_LANDED    /* right after a deferred atomic has happened for some lanes */
};

#define GPU_ANY UINT64_MAX /* landed: however often */
struct gpu_moment {
	uint64_t cycle;	      /* gpu_cycle; in functional mode: instructions executed */
	uint64_t transitions; /* blocks and launches begun and ended, turns: what changes the device between instructions */
	uint64_t ticks;	      /* of the performance model's clocks */
	uint64_t issued;      /* instructions it has issued */
	uint64_t landed;      /* times that deferred effects have happened */
	uint32_t failed;      /* launches that stand in front of a fault that has been reported */
	enum gpu_place place;
	/* the warp whose turn it is, derived from the counts. No warp: launch is UINT32_MAX. core, scheduler: inside a tick only */
	uint32_t launch, warp, core, scheduler;
	uint64_t cta;
};

/* Stores the device's present moment. */
void gpu_moment_now(const struct gpu *g, struct gpu_moment *out);
/* Returns true if counts and place of two moments are equal; the warp whose turn it is doesn't count. A `landed` of GPU_ANY equals every other value. */
bool gpu_moment_is(const struct gpu_moment *a, const struct gpu_moment *b);
/* Runs the device to a moment, passing marks and breakpoint instructions; output stays in gpu_output. Returns false if the device stops before that
 * moment or runs past it. */
bool gpu_run_to(struct gpu *g, const struct gpu_moment *m);

#endif
