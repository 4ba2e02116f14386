/* Commands that move the machine: forwards, backwards, to a checkpoint. They read their arguments; debug/stop/run.h and history/history.h do the rest. */
#ifndef COMMAND_RUNNING_RUNNING_H
#define COMMAND_RUNNING_RUNNING_H

#include "command/command.h"
#include "debug/view/source.h"

/* ---- forwards ---- */

/* Runs `launch [KERNEL<<<...>>>(...) | ARG...]`: queues the launch, without arguments the last one again, and moves the focus to its first thread. If a
 * program is attached, arguments without `<<<` start the program with them and run to its first launch. */
command_run_fn command_launch_kernel;
/* Runs `run [KERNEL<<<...>>>(...) | ARG...]`: as `launch`, and on until a stop. */
command_run_fn command_run_kernel;
/* Runs `continue [N]`. */
command_run_fn command_continue;
/* Runs `step [N]`. */
command_run_fn command_step;
/* Runs `stepi [N]`. */
command_run_fn command_stepi;
/* Runs `next [N]`. */
command_run_fn command_next;
/* Runs `nexti [N]`. */
command_run_fn command_nexti;
/* Runs `step-line [N]`. */
command_run_fn command_step_line;
/* Runs `finish`. */
command_run_fn command_finish;
/* Runs `until [LOC]`. */
command_run_fn command_until;
/* Runs `advance LOC`. */
command_run_fn command_advance;
/* Runs `run-to-cycle N`. */
command_run_fn command_run_to_cycle;
/* Runs `run-to-barrier`. */
command_run_fn command_run_to_barrier;
/* Runs `run-to-access`. */
command_run_fn command_run_to_access;
/* Runs `run-to-exit`. */
command_run_fn command_run_to_exit;
/* Runs `run-to-launch N | NAME[#K]`. */
command_run_fn command_run_to_launch;

/* ---- backwards ---- */

/* Runs `reverse-step [N]`. */
command_back_fn command_reverse_step;
/* Runs `reverse-stepi [N]`. */
command_back_fn command_reverse_stepi;
/* Runs `reverse-next [N]`. */
command_back_fn command_reverse_next;
/* Runs `reverse-nexti [N]`. */
command_back_fn command_reverse_nexti;
/* Runs `reverse-finish`. */
command_back_fn command_reverse_finish;
/* Runs `reverse-continue [N]`. */
command_back_fn command_reverse_continue;
/* Runs `until [LOC]` while `exec-direction` is reverse. */
command_back_fn command_reverse_until;
/* Runs `advance LOC` while `exec-direction` is reverse. */
command_back_fn command_reverse_advance;
/* Runs `goto-cycle N`. */
command_back_fn command_goto_cycle;
/* Runs `undo [N]`. */
command_back_fn command_undo;
/* Runs `redo [N]`. */
command_back_fn command_redo;

/* ---- checkpoints ---- */

/* Runs `restart N | NAME`. */
command_back_fn command_restart;
/* Runs `checkpoint [NAME]`: keeps the position in memory. */
command_past_fn checkpoint_keep;
/* Runs `delete checkpoint N...`: the checkpoints with these numbers or names. */
command_past_fn checkpoint_delete;
/* Answers `info checkpoints`. */
command_past_fn info_checkpoints;

/* ---- arguments, for this room ---- */

/* Evaluates `[N]`, the whole of `args`; without an argument stores 1. Returns false, with an error in `why`, if it has no value that can be an
 * integer, or is below 1. */
bool running_count(struct debug *d, const char *args, uint64_t *n, struct text *why);
/* Parses LOC, the whole of `args`; the caller frees *out with debug_location_free. Returns false, with an error in `why`, if that fails. */
bool running_location(struct debug *d, const char *args, struct debug_location *out, struct text *why);

#endif
