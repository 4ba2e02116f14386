/* `--args`: the program that is debugged, from the command line to the exit status. */
#ifndef REPL_MAIN_PROGRAM_H
#define REPL_MAIN_PROGRAM_H

#include <stdbool.h>

struct options;
struct repl;

/* Before anything is printed. With --batch the debugger's texts go to standard error from now on: standard output is the program's. False:
 * message printed. */
bool main_program_begin(struct repl *r, const struct options *o);
/* The end of --batch: a program that still stands goes on to its end; the exit status becomes what the contract says. */
void main_program_finish(struct repl *r);
void main_program_end(struct repl *r);

#endif
