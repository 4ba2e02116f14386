/* The prompt's part of reverse execution: checkpoints, and settings. */
#ifndef REPL_PAST_H
#define REPL_PAST_H

#include "repl/repl.h"

/* Switches the setting `history` on: an interactive session begins, or gdb is served. */
void past_begin(struct repl *r);
/* Returns the reverse counterpart of a run command while `exec-direction` is reverse. Returns NULL if there is none, or time goes forward. */
history_run_fn *past_instead_of(const struct repl *r, debug_run_fn *run);
/* Applies the settings `history` and `history-memory`. Returns false, with the error printed, if a value is bad; the old value then stays. */
bool past_apply(struct repl *r);

#endif
