/* Reasons: what a warp, a barrier, the whole machine or a memory request waits for. */
#ifndef DEBUG_WHY_H
#define DEBUG_WHY_H

#include "debug/debug.h"

/* Runs `why [warp N [core N] | barrier [N] | hang | request N]`; without a word answers about the present stop. */
debug_answer_fn debug_cmd_why;
/* Returns true if `args` is empty or begins with a word of debug_cmd_why. */
bool debug_why_is_word(const char *args);
/* The words it takes, for completion, blank separated. */
extern const char debug_why_words[];

#endif
