/* Barriers of a thread block. */
#ifndef EXEC_BARRIER_H
#define EXEC_BARRIER_H

#include "exec/internal.h"

/* Opens barriers without a thread count that now have all live warps of the block. Call it after all lanes of x->warp have exited. */
void barrier_warp_done(struct exec *x);

/* Settles the SIMT stack after some lanes of x->warp have exited. If all other live lanes stand at a barrier, the warp arrives there. */
void barrier_lanes_left(struct exec *x);

#endif
