/* What --batch ends with. */
#ifndef COMMAND_INTERPRETER_EXIT_STATUS_H
#define COMMAND_INTERPRETER_EXIT_STATUS_H

#include <stdbool.h>

#include "command/interpreter/interpreter.h"

/* Returns the status of a session with a program: 3 with findings of checkers, also if a deadlock follows; else that of a kernel that has failed and
 * from which the session hasn't gone on; else that of a failed command; else the program's own. */
int status_with_program(int failure, bool findings, bool command_failed, int program);

/* Returns the status of the last failed kernel whose error the program hasn't been given yet. Returns 0 if there is none. */
int status_failure(const struct interpreter *in);

#endif
