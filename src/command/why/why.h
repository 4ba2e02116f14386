/* Reasons: what a warp, a barrier, the whole machine or a memory request waits for. */
#ifndef COMMAND_WHY_H
#define COMMAND_WHY_H

#include "command/command.h"
#include "history/history.h"

/* Runs `why [EXPR [DEPTH] | warp N [core N] | barrier [N] | hang | request N]`; without arguments answers about the present stop. */
command_past_fn command_why;
/* Adds to the stop which threads hold the locks that the warps of a deadlock wait for: the lines of `why hang`, two blanks further in, and its cells. */
void why_deadlock(struct history *h, struct debug_stop *stop);
/* The words it takes, for completion, blank separated. */
extern const char why_words[];

#endif
