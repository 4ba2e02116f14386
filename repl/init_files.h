/* Files of commands that are read when the session begins, as gdb's: the user's own, and one in the current folder. */
#ifndef REPL_INIT_FILES_H
#define REPL_INIT_FILES_H

#include "command/interpreter/interpreter.h"

/* Runs $XDG_CONFIG_HOME/warpstep/init, or ~/.config/warpstep/init if that variable isn't an absolute path. Does nothing if there is no such file. */
void init_read_home(struct interpreter *in);
/* Runs ./.warpstep if the settings auto-load and auto-load-safe-path allow that, and only the user can write the file and its folder. Prints a warning with the
 * reason otherwise. Does nothing if there is no such file. */
void init_read_local(struct interpreter *in);

#endif
