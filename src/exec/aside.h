/* Runs a warp ahead, and takes back all that it has done.
 *
 * Between exec_aside_begin and exec_aside_end the warp executes for real, in the arena. Afterwards registers, SIMT stack, memory and counters are as
 * before; only the high-water mark of the frames' section may be higher. Atomics happen at once, and clocks run faster. Instructions whose effects
 * can't be taken back aren't executed: barriers, traps, library functions, the exit of all lanes. No observer and no checker sees any of it.
 * The warp must have no effects under way (exec/pending.h). */
#ifndef EXEC_ASIDE_H
#define EXEC_ASIDE_H

#include "exec/exec.h"

struct exec_aside;

/* x->launch is the warp's launch. */
struct exec_aside *exec_aside_begin(struct exec *x, struct exec_cta *cta, uint32_t warp);
/* Returns true if exec_aside_step may execute the warp's next instruction. */
bool exec_aside_may_step(const struct exec_aside *a);
/* Executes it. Returns false if it faults. x->effect.access says which access it made, x->n_stores is greater if that has changed memory. */
bool exec_aside_step(struct exec_aside *a);
/* Takes all back. */
void exec_aside_end(struct exec_aside *a);

#endif
