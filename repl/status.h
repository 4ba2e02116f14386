/* What --batch ends with. */
#ifndef REPL_STATUS_H
#define REPL_STATUS_H

#include <stdbool.h>

#include "repl/repl.h"

/* With a program: 3 or 4 of a kernel that has failed and that nobody has gone on from, else findings of checkers, else a failed command, else
 * the program's own. */
int status_with_program(int failure, bool findings, bool command_failed, int program);

/* A kernel has failed at this stop, and the program has not been given its error. 0: none. */
int status_failure(const struct repl *r);

#endif
