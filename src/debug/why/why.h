/* Reasons: what a warp, a barrier, the whole machine or a memory request waits for. */
#ifndef DEBUG_WHY_H
#define DEBUG_WHY_H

#include "debug/debug.h"

/* [warp N [core N] | barrier [N] | hang | request N]; without a word what is to say about the present stop. */
debug_answer_fn debug_cmd_why;
bool debug_why_is_word(const char *args); /* it is for debug_cmd_why: there is nothing, or one of its words */
/* The words it takes, for completion, blank separated. */
extern const char debug_why_words[];

#endif
