/* Going back in time, at the prompt: checkpoints, and settings. */
#ifndef REPL_PAST_H
#define REPL_PAST_H

#include "repl/repl.h"

/* There is somebody to go back: recording is on from the beginning. */
void past_begin(struct repl *r);
/* With `set exec-direction reverse`: what a command that runs the machine does backwards; NULL: it has no such counterpart, or time goes forward. */
history_run_fn *past_instead_of(const struct repl *r, debug_run_fn *run);
/* The settings `history` and `history-memory`. False: the value is none, with the error printed. */
bool past_apply(struct repl *r);

#endif
