/* Run control: everything that makes the machine move. Built on gpu_run and marks only, so stepping never changes what is
 * simulated. All functions stop early at breakpoints, watchpoints, catchpoints, exceptions, deadlock, limits and interrupts. */
#ifndef DEBUG_RUN_H
#define DEBUG_RUN_H

#include "debug/debug.h"

debug_run_fn debug_cmd_continue;       /* [N] */
debug_run_fn debug_cmd_step;	       /* [N] cycles */
debug_run_fn debug_cmd_stepi;	       /* [N] instructions of the focused warp */
debug_run_fn debug_cmd_next;	       /* [N] source lines of the focused thread, over calls */
debug_run_fn debug_cmd_step_line;      /* [N] source lines, into calls */
debug_run_fn debug_cmd_nexti;	       /* [N] instructions, over calls */
debug_run_fn debug_cmd_finish;	       /* until the focused activation returns; in a kernel: until the thread exits */
debug_run_fn debug_cmd_until;	       /* [LOC] without LOC: a next that never goes backwards */
debug_run_fn debug_cmd_advance;	       /* LOC */
debug_run_fn debug_cmd_run_to_cycle;   /* N */
debug_run_fn debug_cmd_run_to_barrier; /* until the focused warp is about to execute a barrier instruction */
debug_run_fn debug_cmd_run_to_exit;    /* until the focused thread is about to exit */
debug_run_fn debug_cmd_run_to_launch;  /* N | NAME[#K]: until it begins */

/* For a face that runs the machine again and again, since launches come while it goes on: from now on, until debug_run_to_launch_end, it stops
 * where that launch begins. False: it is no launch, or has begun already. */
bool debug_run_to_launch_begin(struct debug *d, const char *args, struct text *why);
void debug_run_to_launch_end(struct debug *d);

/* `launch KERNEL<<<...>>>(...)`: queues it; stop.reason LAUNCHED with the focus on its first thread. Without arguments
 * debug_launch_again. */
debug_run_fn debug_cmd_launch;
/* `run KERNEL<<<...>>>(...)` = launch, continue; without arguments repeats the last launch, with memory as that found it: what is
 * queued or running is killed, and what was there then gets its contents back. */
debug_run_fn debug_cmd_run;
/* The last launch again, likewise, standing in front of its first instruction. */
bool debug_launch_again(struct debug *d, struct debug_stop *stop, struct text *why);

/* Steps for a face that has no text: the thread's warp executes n instructions (vCont;s), or the device runs freely. */
bool debug_run_thread(struct debug *d, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why);
bool debug_run_free(struct debug *d, struct debug_stop *stop, struct text *why);

/* schedule SEED | default | fuzz N [SEED] (fuzz.c) */
debug_answer_fn debug_cmd_schedule;

/* What `launch` alone repeats; NULL: nothing. */
void run_set_last_launch(struct debug *d, const char *text);

/* True while a launch is queued or running and has not failed. */
bool debug_can_run(struct debug *d);

#endif
