/* The commands: what users can ask of a debugged machine and do with it. They know all layers below; a face runs them. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "debug/debug.h"

struct history;

/* A command that runs the machine. `args` is what was typed behind the command's name, never NULL. Returns false, with an error in `why`, if nothing
 * ran; otherwise `stop` says how the run ended. */
typedef bool command_run_fn(struct debug *d, const char *args, struct debug_stop *stop, struct text *why);
/* A command that moves the machine in time. Returns false, with an error in `why`, if it fails; otherwise `stop` says where the machine stands. */
typedef bool command_back_fn(struct history *h, const char *args, struct debug_stop *stop, struct text *why);
/* A command that answers from the past: adds its answer to a report. Returns false, with an error in `why`, if it fails. */
typedef bool command_past_fn(struct history *h, const char *args, struct report *answer, struct text *why);

/* Gives a debugger its commands: their state, the machine's fields in expressions, the hooks of traces and dprintf and, with a timing model, the
 * observer. debug_destroy frees the state. Does nothing if the debugger has them. */
void command_attach(struct debug *d);

#endif
