/* Runs a warp ahead, and takes back all that it has done.
 *
 * Between exec_speculation_begin and exec_speculation_end the warp executes for real, in the arena. Afterwards registers, SIMT stack, memory and counters are as
 * before; only the high-water mark of the frames' section may be higher. Atomics happen at once, and clocks run faster. Instructions whose effects
 * can't be taken back aren't executed: barriers, traps, library functions, the exit of all lanes. No other watcher sees any of it.
 * The warp must have no effects under way (exec/pending.h). */
#ifndef EXEC_SPECULATE_H
#define EXEC_SPECULATE_H

#include "exec/exec.h"

struct exec_speculation;

/* Begins a trial run of a warp, whose launch is x->launch, and returns it. End it with exec_speculation_end. */
struct exec_speculation *exec_speculation_begin(struct exec *x, struct exec_cta *cta, uint32_t warp);
/* Returns true if exec_speculation_step may execute the warp's next instruction. */
bool exec_speculation_may_step(const struct exec_speculation *a);
/* Executes the warp's next instruction; exec_speculation_may_step must allow it. Returns false if it faults or stops. Afterwards x->effect.access is its
 * access, and x->n_stores has grown if it has changed memory. */
bool exec_speculation_step(struct exec_speculation *a);
/* Undoes all that the trial run has done, and frees it. */
void exec_speculation_end(struct exec_speculation *a);

#endif
