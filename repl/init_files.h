/* Files of commands that are read when the session begins, as gdb's: the user's own, and one in the current folder. */
#ifndef REPL_INIT_FILES_H
#define REPL_INIT_FILES_H

#include "command/interpreter/interpreter.h"

/* Runs $XDG_CONFIG_HOME/warpstep/init, or ~/.config/warpstep/init if that variable isn't an absolute path. Does nothing if there is no such file. */
void init_read_home(struct interpreter *in);
/* Runs ./.warpstep if `set auto-load` allows that. Otherwise prints a warning that says how to allow it. */
void init_read_local(struct interpreter *in);

#endif
