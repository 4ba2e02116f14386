/* Commands that answer from the past: where values come from, in what launches differ. */
#ifndef COMMAND_PAST_PAST_COMMANDS_H
#define COMMAND_PAST_PAST_COMMANDS_H

#include "command/command.h"
#include "history/history.h"

/* Runs `who-wrote LVALUE`: reports the last write to it. */
command_past_fn command_who_wrote;
/* Runs `find-nan [EXPR | BUFFER]`: reports where a value that isn't finite came from: that of EXPR, or those in BUFFER or in all memory. */
command_past_fn command_find_nan;
/* Runs `diff-launch`: finds the first instruction of a thread whose result differs in two launches, or in a launch run again in another mode or order. */
command_past_fn command_diff_launch;
/* Answers `why EXPR [DEPTH]`: explains where EXPR's value comes from, DEPTH levels deep. */
command_past_fn why_value;

#endif
