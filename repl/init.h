/* Files of commands that are read when the session begins, as gdb's: the user's own, and one in the current folder. */
#ifndef REPL_INIT_H
#define REPL_INIT_H

#include "repl/repl.h"

/* $XDG_CONFIG_HOME/warpstep/init, else ~/.config/warpstep/init. */
void init_read_home(struct repl *r);
/* ./.warpstep, where `set auto-load` allows it; else a warning says how to allow it. */
void init_read_local(struct repl *r);

#endif
