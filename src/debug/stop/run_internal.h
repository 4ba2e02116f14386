/* What the commands that run the machine share. */
#ifndef DEBUG_RUN_INTERNAL_H
#define DEBUG_RUN_INTERNAL_H

#include "debug/ground/ground.h"
#include "debug/stop/machine.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"

/* Fills `w` with the focus. Returns false, with an error in `why`, if nothing runs, there is no focus, or its thread has finished. */
bool run_have_thread(struct debug *d, struct debug_where *w, struct text *why);
/* Fills `w` with the focus and lets the next run pass the breakpoint in front of the focused warp. Returns false, with an error in `why`, where
 * run_have_thread does. */
bool run_need_thread(struct debug *d, struct debug_where *w, struct text *why);
/* Evaluates `[N]`, 1 without an argument. Returns false, with an error in `why`, if it is no number or below 1. */
bool run_take_count(struct debug *d, const char *args, uint64_t *n, struct text *why);

/* Runs the thread's warp for n instructions. `stays_waiting`: a warp that waits is not resumed. Returns how the run ended. */
enum machine_end run_step_warp(struct debug *d, const struct debug_thread *t, uint64_t n, bool stays_waiting, struct debug_stop *stop);

/* Returns a goal: the thread, after it has gone on, at one of n instructions, in any activation. The goal borrows `pcs`. */
struct machine_goal run_place_goal(struct debug *d, const struct debug_where *w, const uint32_t *pcs, uint32_t n);
/* Returns whether the goal's thread is next at the hit's instruction, at most as deep in calls as the goal says. */
bool run_reached_outer(struct debug *d, const struct machine_goal *g, const struct debug_hit *h);
/* Stores where activation `level` returns to in its caller, and the caller's depth. Returns false if there is no caller. */
bool run_return_place(struct debug *d, const struct debug_where *w, uint32_t level, uint32_t *pc, uint32_t *depth);
/* Adds `Value returned is $1 = 400` to the stop: the first return value of the call. Adds nothing if the callee returns none. */
void run_returned_value(struct debug *d, uint32_t call, const struct isa_function *callee, struct debug_stop *stop);
/* Runs until the thread is at LOC or back in the caller (until, advance). `anywhere`: LOC counts in any activation, else in the selected one.
 * Returns false, with an error in `why`, if nothing ran. */
bool run_to_location(struct debug *d, const char *args, bool anywhere, struct debug_stop *stop, struct text *why);

#endif
