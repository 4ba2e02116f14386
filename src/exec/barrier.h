/* Barriers of a thread block. */
#ifndef EXEC_BARRIER_H
#define EXEC_BARRIER_H

#include "exec/internal.h"

/* x->warp has exited: barriers that waited for every live warp may open. */
void barrier_warp_done(struct exec *x);

/* Lanes of x->warp have exited while others wait in a barrier for the rest of the warp: perhaps that was all they waited for.
 * Settles the SIMT stack. */
void barrier_lanes_left(struct exec *x);

#endif
