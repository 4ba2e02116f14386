/* The state of the performance model as text: GPGPU-Sim's dumps, trace streams, execution diagrams, and single fields. */
#ifndef COMMAND_DUMP_H
#define COMMAND_DUMP_H

#include "command/command.h"
#include "debug/debug.h"

/* Runs `dp CORE [warp N] [unit NAME] [--diff]`: shows a SIMT core, section by section. */
debug_answer_fn command_dp;
/* Runs `dpc CORE ...`: prints what `dp` shows through the host's output, then continues. */
command_run_fn command_dpc;
/* Runs `dm PARTITION [--tags]`: shows a memory partition. */
debug_answer_fn command_dm;
/* Runs `dicnt [NODE]`: shows the interconnection network. */
debug_answer_fn command_dicnt;
/* Runs `ptxdis_func CORE THREAD`: shows the function that a hardware thread is in. */
debug_answer_fn command_ptxdis_func;
/* Runs `ptx_tids2pcs TID[,TID...] [LEN] CORE`: shows where hardware threads of a core are. */
debug_answer_fn command_ptx_tids2pcs;
/* Runs `trace STREAM[,STREAM...] on|off [core N]`. */
debug_answer_fn command_trace;
/* Runs `diagram [warp A..B] [cycle C..D] [core N]` and `diagram on|off|auto`. */
debug_answer_fn command_diagram;

/* Appends the names of the sections of `dp` for completion, blank separated; those of pipelined units only in performance mode. */
void dump_sections(const struct debug *d, struct text *out);
/* Names for completion, blank separated. */
extern const char dump_trace_streams[];
/* Returns the legend of all that a command prints, by the command's name, as `dp` or `info cores`. Returns NULL if there is none. */
const char *dump_legend(const char *command);

#endif
