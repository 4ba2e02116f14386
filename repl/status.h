/* What --batch ends with. */
#ifndef REPL_STATUS_H
#define REPL_STATUS_H

#include <stdbool.h>

#include "repl/repl.h"

/* Returns the status of a session with a program: 3 with findings of checkers, also if a deadlock follows; else that of a kernel that has failed and
 * from which the session hasn't gone on; else that of a failed command; else the program's own. */
int status_with_program(int failure, bool findings, bool command_failed, int program);

/* A kernel has failed at this stop, and the program has not been given its error. 0: none. */
int status_failure(const struct repl *r);

#endif
