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

/* Calls look(self) while the registers of a warp are as they will be in front of instruction `to`, and then restores them. Returns false, without a call,
 * unless the instructions from the warp's next one up to `to` are straight code that only computes: no memory but a kernel's parameters, no control flow,
 * nothing that depends on other lanes. */
bool exec_look_ahead(struct exec *x, const struct exec_ahead *a, void (*look)(void *self), void *self);

/* Stores the number of the block's barrier at which a warp's next instruction arrives. Returns false if that instruction is no barrier or names an
 * invalid one, no lane executes it, or the warp isn't runnable. */
bool exec_barrier_ahead(const struct exec *x, const struct exec_warp *w, uint32_t *id);

#endif
