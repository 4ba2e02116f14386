/* Run control: everything that makes the machine move. Built on gpu_run and marks only, so stepping never changes what is
 * simulated. All functions stop early at breakpoints, watchpoints, catchpoints, exceptions, deadlock, limits and interrupts. */
#ifndef DEBUG_RUN_H
#define DEBUG_RUN_H

#include "debug/debug.h"
#include "debug/setup/launches.h"
#include "debug/view/source.h"

/* Runs until something stops the machine. With n above 1, the first breakpoint that the last stop reported ignores its next n - 1 hits. Returns false,
 * with an error in `why`, if nothing can be run; else *stop says how the run ended. */
bool debug_run_continue(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why);
/* Runs n cycles. Returns false, with an error in `why`, if nothing can be run; else *stop says how the run ended. */
bool debug_run_step(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why);
/* Runs until the focused warp has executed n instructions. Returns false, with an error in `why`, if nothing can be run or no thread is in focus;
 * else *stop says how the run ended. */
bool debug_run_stepi(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why);
/* Runs n source lines of the focused thread, over calls. Returns false, with an error in `why`, if nothing can be run or no thread is in focus; else
 * *stop says how the run ended. */
bool debug_run_next(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why);
/* Runs n source lines of the focused thread, into calls. Returns false, with an error in `why`, if nothing can be run or no thread is in focus; else
 * *stop says how the run ended. */
bool debug_run_step_line(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why);
/* Runs n instructions of the focused thread, over calls. Returns false, with an error in `why`, if nothing can be run or no thread is in focus; else
 * *stop says how the run ended. */
bool debug_run_nexti(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why);
/* Runs until the selected activation of a function returns. Returns false, with an error in `why`, if nothing can be run, or the selected activation
 * is the kernel's own; else *stop says how the run ended. */
bool debug_run_finish(struct debug *d, struct debug_stop *stop, struct text *why);
/* Runs until the focused thread is at a location in the selected activation, or back in its caller. If `to` is NULL, runs one source line, over calls
 * and never back to an earlier line. Returns false, with an error in `why`, if nothing can be run or no thread is in focus; else *stop says how the
 * run ended. */
bool debug_run_until(struct debug *d, const struct debug_location *to, struct debug_stop *stop, struct text *why);
/* Runs until the focused thread is at a location in any activation, or back in the caller of the selected one. Returns false, with an error in `why`,
 * if nothing can be run or no thread is in focus; else *stop says how the run ended. */
bool debug_run_advance(struct debug *d, const struct debug_location *to, struct debug_stop *stop, struct text *why);
/* Runs until the machine's cycle is `cycle`. Returns false, with an error in `why`, if nothing can be run or the machine is past that cycle; else
 * *stop says how the run ended. */
bool debug_run_to_cycle(struct debug *d, int64_t cycle, struct debug_stop *stop, struct text *why);
/* Runs until the focused thread is in front of a barrier instruction, after at least one instruction of its warp. Returns false, with an error in
 * `why`, if nothing can be run or no thread is in focus; else *stop says how the run ended. */
bool debug_run_to_barrier(struct debug *d, struct debug_stop *stop, struct text *why);
/* Runs until the focused warp is in front of an instruction that reads or writes memory (parameters don't count), after at least one instruction of
 * the warp. Moves the focus to a lane that executes the access, unless the focused lane does. Returns false, with an error in `why`, if nothing can
 * be run or no thread is in focus; else *stop says how the run ended. */
bool debug_run_to_access(struct debug *d, struct debug_stop *stop, struct text *why);
/* Runs until the focused thread is in front of the instruction with which it leaves the kernel. Returns false, with an error in `why`, if nothing can
 * be run or no thread is in focus; else *stop says how the run ended. */
bool debug_run_to_exit(struct debug *d, struct debug_stop *stop, struct text *why);
/* Runs until the launch that a name means begins or, if name->name is NULL, launch `number`. Starts an attached program that isn't running first.
 * Returns false, with an error in `why`, if the launch has begun, or isn't queued and there is no program; else *stop says how the run ended. Takes
 * ownership of *name. */
bool debug_run_to_launch(struct debug *d, struct launch_name *name, uint32_t number, struct debug_stop *stop, struct text *why);

/* Returns true if the focused thread can be run. Returns false, with an error in `why`, if there is nothing to run, no thread in focus, or that thread
 * has exited. */
bool debug_can_run_focus(struct debug *d, struct text *why);

/* Queues the launch that `text` describes (`KERNEL<<<...>>>(...)`), focuses its first thread, and fills `stop` for its first instruction; nothing
 * runs. If `text` is NULL, queues the last launch again, after memory was restored as that launch found it. Returns false, with an error in `why`, if
 * that fails. */
bool debug_launch(struct debug *d, const char *text, struct debug_stop *stop, struct text *why);
/* Queues the launch that `text` describes (NULL: the last one again) and runs until a stop. Returns false, with an error in `why`, if the launch
 * can't be queued; else *stop says how the run ended. */
bool debug_run_launch(struct debug *d, const char *text, struct debug_stop *stop, struct text *why);
/* Starts the attached program with `args` ("": those of last time), and runs until a stop or, with `to_launch`, until its first launch begins.
 * Returns false, with an error in `why`, if the program can't be started; else *stop says how the run ended. */
bool debug_run_program(struct debug *d, const char *args, bool to_launch, struct debug_stop *stop, struct text *why);

/* Focuses thread `uid` and runs the machine until the thread's warp has executed n instructions or exits, or until another stop comes first
 * (vCont;s). Returns false, with an error in `why`, if there is nothing to run or no such thread. */
bool debug_run_thread(struct debug *d, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why);
/* Runs the machine until a stop; first starts an attached program that was never started. Returns false, with an error in `why`, if the program can't
 * be started, or if there is neither work nor a running program; else *stop says how the run ended. */
bool debug_run_free(struct debug *d, struct debug_stop *stop, struct text *why);

/* Sets the launch that `launch` or `run` alone repeats to a copy of `text`. NULL: there is nothing to repeat. */
void run_set_last_launch(struct debug *d, const char *text);

/* Returns true if running the machine would execute or change anything (gpu_has_work). */
bool debug_can_run(struct debug *d);

/* Drops all queued and running launches, and restores memory as the last launch found it. Queues that launch again, focuses its first thread, and
 * stores its id. Returns false, with an error in `why`, if there was no launch at the prompt or the past can't be changed. Returns false, too, if the
 * launch can't be made now. */
bool run_last_launch_again(struct debug *d, uint32_t *id, struct text *why);

#endif
