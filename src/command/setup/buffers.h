/* Commands about buffers and files. */
#ifndef COMMAND_SETUP_BUFFERS_H
#define COMMAND_SETUP_BUFFERS_H

#include "debug/debug.h"

/* Runs `save NAME FILE`; NAME may be a slice NAME[A..B]. */
debug_answer_fn buffer_save;
/* Runs `compare NAME FILE [ABS [REL]]`. Fails if the contents differ; the answer then lists the first differences. */
debug_answer_fn command_compare;

#endif
