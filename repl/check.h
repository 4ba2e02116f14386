/* Checkers on the command line: --check, --report, and what they mean for the exit status. */
#ifndef REPL_CHECK_H
#define REPL_CHECK_H

#include "repl/options.h"
#include "repl/repl.h"

/* False: no such checker; it was said. */
bool repl_check_begin(struct repl *r, const struct options *o);
/* The last lines, the file of --report, and the status where no program is debugged. */
void repl_check_end(struct repl *r, const struct options *o);

#endif
