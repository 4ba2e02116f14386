/* Run control: everything that makes the machine move. Built on gpu_run and marks only, so stepping never changes what is
 * simulated. All functions stop early at breakpoints, watchpoints, catchpoints, exceptions, deadlock, limits and interrupts. */
#ifndef DEBUG_RUN_H
#define DEBUG_RUN_H

#include "debug/debug.h"

/* Runs `continue [N]`: until something stops the machine. With N, the breakpoint that stopped the machine last ignores its next N - 1 hits. */
debug_run_fn debug_run_continue;
/* Runs `step [N]`: N cycles. */
debug_run_fn debug_run_step;
/* Runs `stepi [N]`: N instructions of the focused warp. */
debug_run_fn debug_run_stepi;
/* Runs `next [N]`: N source lines of the focused thread, over calls. */
debug_run_fn debug_run_next;
/* Runs N source lines of the focused thread, into calls. */
debug_run_fn debug_run_step_line;
/* Runs `nexti [N]`: N instructions, over calls. */
debug_run_fn debug_run_nexti;
/* Runs `finish`: until the focused activation returns; in a kernel until the thread exits. */
debug_run_fn debug_run_finish;
/* Runs `until [LOC]`; without LOC a `next` that never goes backwards. */
debug_run_fn debug_run_until;
/* Runs `advance LOC`. */
debug_run_fn debug_run_advance;
/* Runs `run-to-cycle N`: the machine, until its cycle is N. Fails if the machine is past that cycle. */
debug_run_fn debug_run_to_cycle;
/* Runs until the focused thread is in front of a barrier instruction, after at least one instruction of its warp. */
debug_run_fn debug_run_to_barrier;
/* Runs until the focused thread is in front of the instruction with which it leaves the kernel. */
debug_run_fn debug_run_to_exit;
/* Runs `run-to-launch N | NAME[#K]`: until that launch begins. Starts a program that isn't running first. Fails if the launch has begun, or if it
 * isn't queued and there is no program. */
debug_run_fn debug_run_to_launch;

/* Makes all further runs stop where the launch `N | NAME[#K]` begins, until debug_run_to_launch_end. Replaces an earlier such launch. Returns
 * false, with an error in `why`, if `args` names no launch, it has begun, or it isn't queued and no program can make it. */
bool debug_run_to_launch_begin(struct debug *d, const char *args, struct text *why);
/* Ends what debug_run_to_launch_begin began. */
void debug_run_to_launch_end(struct debug *d);

/* Runs `launch KERNEL<<<...>>>(...)`: queues the launch and moves the focus to its first thread (stop.reason LAUNCHED). Without arguments does what
 * debug_launch_again does. If a program is attached, arguments without `<<<` start the program with them and run to its first launch. */
debug_run_fn debug_run_launch;
/* Runs `run KERNEL<<<...>>>(...)`: queues the launch and runs until a stop; without arguments does so with the launch that run_last_launch_again
 * queues. If a program is attached, arguments without `<<<` start the program with them. */
debug_run_fn debug_run_run;
/* Queues the last launch again as run_last_launch_again does, and fills `stop` for its first instruction without running. Returns false, with an
 * error in `why`, if that can't be done. */
bool debug_launch_again(struct debug *d, struct debug_stop *stop, struct text *why);

/* Focuses thread `uid` and runs the machine until the thread's warp has executed n instructions or exits, or until another stop comes first
 * (vCont;s). Returns false, with an error in `why`, if there is nothing to run or no such thread. */
bool debug_run_thread(struct debug *d, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why);
/* Runs the machine until a stop; starts an attached program first if it was never started. Returns false, with an error in `why`, if the program
 * can't be started, or if there is neither work nor a running program. */
bool debug_run_free(struct debug *d, struct debug_stop *stop, struct text *why);

/* Sets the launch that `launch` or `run` alone repeats to a copy of `text`. NULL: there is nothing to repeat. */
void run_set_last_launch(struct debug *d, const char *text);

/* Returns true if running the machine would execute or change anything (gpu_has_work). */
bool debug_can_run(struct debug *d);

/* Drops all queued and running launches, restores memory as the last launch found it, queues that launch again, focuses its first thread, and
 * stores its id. Returns false, with an error in `why`, if there is none or it can't be made now. */
bool run_last_launch_again(struct debug *d, uint32_t *id, struct text *why);

#endif
