/* What the commands that run the machine share. */
#ifndef DEBUG_RUN_INTERNAL_H
#define DEBUG_RUN_INTERNAL_H

#include "debug/ground/ground.h"
#include "debug/stop/machine.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"

/* Fills `w` with the focus. Returns false, with an error in `why`, if there is nothing to run, no thread in focus, or that thread has exited. */
bool run_have_thread(struct debug *d, struct debug_where *w, struct text *why);
/* Begins a command that moves the focused warp alone, once the command can't be refused any more: the next run passes a breakpoint in front of that
 * warp. Until run_finish, breakpoints of other warps are counted and don't stop, unless `set step-stops all`. Other warps run unless `set
 * scheduler-locking on`. */
void run_begin_step(struct debug *d);
/* Notes whether `set scheduler-locking` holds the other warps until run_finish. `is_step`: the command steps the focused warp. */
void run_hold_others(struct debug *d, bool is_step);
/* Fills `w` with the focus, and lets the next run pass a breakpoint in front of the focused warp. Returns false, with an error in `why`, if there
 * is nothing to run, no thread in focus, or that thread has exited. */
bool run_need_thread(struct debug *d, struct debug_where *w, struct text *why);

/* Runs the machine until the thread's warp has executed n instructions. Unless `stays_waiting`, a warp that spins is resumed first. Returns
 * MACHINE_GOAL with an empty `stop`, or MACHINE_STOPPED with a filled one, also if the warp exits. */
enum machine_end run_step_warp(struct debug *d, const struct debug_thread *t, uint64_t n, bool stays_waiting, struct debug_stop *stop);

/* Returns a goal that is reached when the thread is next at one of n instructions, in any activation, after its warp has executed an instruction, or
 * when that warp has exited. The goal borrows `pcs`. */
struct machine_goal run_place_goal(struct debug *d, const struct debug_where *w, const uint32_t *pcs, uint32_t n);
/* Runs to a goal of run_place_goal. Returns MACHINE_GOAL with an empty `stop`, or MACHINE_STOPPED with a filled one, also if the warp exits. */
enum machine_end run_to_places(struct debug *d, const struct machine_goal *goal, struct debug_stop *stop);
/* Returns whether the goal's thread is next at the hit's instruction, at a call depth of g->depth or less. */
bool run_reached_outer(struct debug *d, const struct machine_goal *g, const struct debug_hit *h);
/* Stores in *pc the instruction at which activation `level` returns to its caller, in *depth the caller's call depth. `level` counts from 0, the
 * innermost. Returns false if there is no such activation or no caller. */
bool run_return_place(struct debug *d, const struct debug_where *w, uint32_t level, uint32_t *pc, uint32_t *depth);
/* Appends `Value returned is $1 = 400` to the stop, and adds the value to the value history. `call`: the call from which the focused thread has just
 * returned. Does nothing if `callee` returns nothing, an array without a type in the source, or a value that can't be read. */
void run_returned_value(struct debug *d, uint32_t call, const struct isa_function *callee, struct debug_stop *stop);
/* Runs until the focused thread is at the location or back in the caller of the selected frame, and completes the stop. `anywhere`: the location
 * counts in any activation, else only at the selected one's call depth. Returns false, with an error in `why`, if nothing ran. */
bool run_to_location(struct debug *d, const struct debug_location *to, bool anywhere, struct debug_stop *stop, struct text *why);

#endif
