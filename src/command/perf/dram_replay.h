/* Memories of DRAM standards without a kernel: `dram replay`, `info dram`. */
#ifndef COMMAND_PERF_DRAM_REPLAY_H
#define COMMAND_PERF_DRAM_REPLAY_H

#include "debug/debug.h"

/* Runs `dram replay TRACE [COMMANDS [REQUESTS]]`. */
debug_answer_fn command_dram;

#endif
