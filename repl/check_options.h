/* Checkers on the command line: --check, --report, and what they mean for the exit status. */
#ifndef REPL_CHECK_OPTIONS_H
#define REPL_CHECK_OPTIONS_H

#include "repl/options.h"
#include "command/interpreter/interpreter.h"

/* Switches on the checkers that the command line asks for. Returns false, with the error printed, if there is no such checker or the file of --report
 * can't be written. */
bool repl_check_begin(struct interpreter *in, const struct options *o);
/* Prints the summary, writes the file of --report, and sets the exit status where no program is debugged. Returns false, with the error
 * printed, if the file can't be written. */
bool repl_check_end(struct interpreter *in, const struct options *o);

#endif
