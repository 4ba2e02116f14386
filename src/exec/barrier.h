/* Barriers of a thread block. */
#ifndef EXEC_BARRIER_H
#define EXEC_BARRIER_H

#include "exec/internal.h"

/* x->warp has exited: barriers that waited for every live warp may open. */
void barrier_warp_done(struct exec *x);

#endif
