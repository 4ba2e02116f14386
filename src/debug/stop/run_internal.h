/* What the commands that run the machine share. */
#ifndef DEBUG_RUN_INTERNAL_H
#define DEBUG_RUN_INTERNAL_H

#include "debug/internal.h"
#include "debug/stop/machine.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"

/* The focus, for commands that run it on; false with a message if there is none, or it has finished. */
bool run_have_thread(struct debug *d, struct debug_where *w, struct text *why);
/* The same, and the machine goes on from there. */
bool run_need_thread(struct debug *d, struct debug_where *w, struct text *why);
bool run_take_count(struct debug *d, const char *args, uint64_t *n, struct text *why); /* [N], 1 without it */

/* The thread's warp executes n instructions. */
enum machine_end run_step_warp(struct debug *d, const struct debug_thread *t, uint64_t n, bool stays_waiting, struct debug_stop *stop);

/* Goals: a thread at one of some instructions. */
struct machine_goal run_place_goal(struct debug *d, const struct debug_where *w, const uint32_t *pcs, uint32_t n);
/* Reached at most as deep as the goal says: back from a call, or out of the function. */
bool run_reached_outer(struct debug *d, const struct machine_goal *g, const struct debug_hit *h);
/* Where an activation goes on in its caller; false: it is the kernel's own. */
bool run_return_place(struct debug *d, const struct debug_where *w, uint32_t level, uint32_t *pc, uint32_t *depth);
/* `Value returned is $1 = 400`: where the call put the first return value. */
void run_returned_value(struct debug *d, uint32_t call, const struct isa_function *callee, struct debug_stop *stop);
/* until, advance LOC: there, or back in the caller. `anywhere`: in any activation, else in the selected one. */
bool run_to_location(struct debug *d, const char *args, bool anywhere, struct debug_stop *stop, struct text *why);

/* The last launch is queued again, with memory as that found it. */
bool run_last_launch_again(struct debug *d, uint32_t *id, struct text *why);

#endif
