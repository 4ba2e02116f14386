/* The commands: what users can ask of a debugged machine and do with it. They know all layers below; a face runs them. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "debug/debug.h"

/* Gives a debugger its commands: their state, the machine's fields in expressions, the hooks of traces and dprintf and, with a timing model, the
 * observer. debug_destroy frees the state. Does nothing if the debugger has them. */
void command_attach(struct debug *d);

#endif
