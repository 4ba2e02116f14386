/* Run control: everything that makes the machine move. Built on gpu_run and marks only, so stepping never changes what is
 * simulated. All functions stop early at breakpoints, watchpoints, catchpoints, exceptions, deadlock, limits and interrupts. */
#ifndef DEBUG_RUN_H
#define DEBUG_RUN_H

#include "debug/debug.h"

/* Runs `continue [N]`. */
debug_run_fn debug_cmd_continue;
/* Runs `step [N]`: N cycles. */
debug_run_fn debug_cmd_step;
/* Runs `stepi [N]`: N instructions of the focused warp. */
debug_run_fn debug_cmd_stepi;
/* Runs `next [N]`: N source lines of the focused thread, over calls. */
debug_run_fn debug_cmd_next;
/* Runs N source lines of the focused thread, into calls. */
debug_run_fn debug_cmd_step_line;
/* Runs `nexti [N]`: N instructions, over calls. */
debug_run_fn debug_cmd_nexti;
/* Runs `finish`: until the focused activation returns; in a kernel until the thread exits. */
debug_run_fn debug_cmd_finish;
/* Runs `until [LOC]`; without LOC a `next` that never goes backwards. */
debug_run_fn debug_cmd_until;
/* Runs `advance LOC`. */
debug_run_fn debug_cmd_advance;
/* Runs `run-to-cycle N`. */
debug_run_fn debug_cmd_run_to_cycle;
/* Runs until the focused warp is about to execute a barrier instruction. */
debug_run_fn debug_cmd_run_to_barrier;
/* Runs until the focused thread is about to exit. */
debug_run_fn debug_cmd_run_to_exit;
/* Runs `run-to-launch N | NAME[#K]`: until that launch begins. */
debug_run_fn debug_cmd_run_to_launch;

/* Makes all further runs stop where the launch `N | NAME[#K]` begins, until debug_run_to_launch_end. For faces that run the machine repeatedly.
 * Returns false, with an error in `why`, if it is no launch or has begun already. */
bool debug_run_to_launch_begin(struct debug *d, const char *args, struct text *why);
/* Ends what debug_run_to_launch_begin began. */
void debug_run_to_launch_end(struct debug *d);

/* Runs `launch KERNEL<<<...>>>(...)`: queues the launch and moves the focus to its first thread (stop.reason LAUNCHED). Without arguments calls
 * debug_launch_again. Starts the program, if there is one, and runs to its first launch. */
debug_run_fn debug_cmd_launch;
/* Runs `run KERNEL<<<...>>>(...)`: launch, then continue. Without arguments repeats the last launch with memory as that launch found it: queued
 * and running launches are killed. */
debug_run_fn debug_cmd_run;
/* Repeats the last launch with memory as that launch found it, and stops in front of its first instruction. Returns false, with an error in `why`,
 * if that can't be done. */
bool debug_launch_again(struct debug *d, struct debug_stop *stop, struct text *why);

/* Moves the focus to the thread with a uid and runs its warp for n instructions (vCont;s). Returns false, with an error in `why`, if nothing ran. */
bool debug_run_thread(struct debug *d, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why);
/* Runs the device until a stop; starts the program first if it has not begun. Returns false, with an error in `why`, if nothing ran. */
bool debug_run_free(struct debug *d, struct debug_stop *stop, struct text *why);

/* Runs `schedule SEED | default | fuzz N [SEED]` (fuzz.c). */
debug_answer_fn debug_cmd_schedule;

/* Sets the text that `launch` alone repeats, a copy of `text`. NULL: there is nothing to repeat. */
void run_set_last_launch(struct debug *d, const char *text);

/* Returns true if the device has work (gpu_has_work). */
bool debug_can_run(struct debug *d);

/* Queues the last launch again, with memory as that launch found it, and stores its id. Returns false, with an error in `why`, if that can't be
 * done. */
bool run_last_launch_again(struct debug *d, uint32_t *id, struct text *why);

#endif
