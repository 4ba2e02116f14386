/* What a warp is about to do: registers that it hasn't computed yet, the barrier that it arrives at next. */
#ifndef EXEC_AHEAD_H
#define EXEC_AHEAD_H

#include "exec/exec.h"

struct exec_ahead {
	const struct exec_launch *launch; /* that the block belongs to */
	struct exec_cta *cta;
	uint32_t warp; /* which can run */
	uint32_t to;   /* the instruction, in front of which the registers are wanted */
};

/* Calls look(self) while a warp's registers, and the mask of its topmost SIMT entry, are as they will be in front of instruction `to`, and then restores
 * both. Returns false, without a call, if no lane comes to `to` by code that only computes and jumps forwards: no memory but a kernel's parameters,
 * nothing that depends on other lanes. */
bool exec_look_ahead(struct exec *x, const struct exec_ahead *a, void (*look)(void *self), void *self);

/* Stores the number of the block's barrier at which a warp's next instruction arrives. Returns false if that instruction is no barrier or names an
 * invalid one, no lane executes it, or the warp isn't runnable. */
bool exec_barrier_ahead(const struct exec *x, const struct exec_warp *w, uint32_t *id);

#endif
