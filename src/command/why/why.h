/* Reasons: what a warp, a barrier, the whole machine or a memory request waits for. */
#ifndef COMMAND_WHY_H
#define COMMAND_WHY_H

#include "command/command.h"
#include "history/history.h"

/* Runs `why [EXPR [DEPTH] | warp N [core N] | barrier [N] | hang | request N]`; without arguments answers about the present stop. */
command_past_fn command_why;
/* Appends which threads hold the locks that the warps of a deadlock wait for, as `why hang` does, two blanks further in. */
void why_deadlock(struct history *h, struct text *out);
/* The words it takes, for completion, blank separated. */
extern const char why_words[];

#endif
