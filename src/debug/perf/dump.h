/* The state of the performance model as text: GPGPU-Sim's dumps, trace streams, execution diagrams, and single fields. */
#ifndef DEBUG_DUMP_H
#define DEBUG_DUMP_H

#include "debug/debug.h"

debug_answer_fn debug_cmd_dp;	      /* CORE [warp N] [unit NAME] [--diff]: a SIMT core, section by section */
debug_run_fn debug_cmd_dpc;	      /* CORE ...: the same through the host's output, then continue */
debug_answer_fn debug_cmd_dm;	      /* PARTITION [--tags]: a memory partition */
debug_answer_fn debug_cmd_dicnt;	      /* [NODE]: the interconnection network */
debug_answer_fn debug_cmd_ptxdis_func;  /* CORE THREAD: the function a hardware thread is in */
debug_answer_fn debug_cmd_ptx_tids2pcs; /* TID[,TID...] [LEN] CORE: where hardware threads of a core are */
debug_answer_fn debug_cmd_trace;	      /* STREAM[,STREAM...] on|off [core N] */
debug_answer_fn debug_cmd_diagram;      /* [warp A..B] [cycle C..D] [core N]; on|off|auto */

/* Names for completion, blank separated. */
extern const char debug_dump_sections[], debug_trace_streams[];
/* More help on a command: a legend of all that it prints. NULL: none. */
const char *debug_dump_legend(const char *command);

#endif
