/* `--args`: the program that is debugged, from the command line to the exit status. */
#ifndef REPL_MAIN_PROGRAM_H
#define REPL_MAIN_PROGRAM_H

#include <stdbool.h>

struct options;
struct repl;

/* The socket to a program that has started this debugger, by its library path alone; -1: none has. */
int main_program_socket(void);
/* Opens gpgpusim.config of the current folder as the configuration of a program, unless the command line names one or the file belongs to
 * another user. A note says what was done. */
void main_program_find_config(struct options *o);

/* Before anything is printed. With --batch the debugger's texts go to standard error from now on: standard output is the program's. False:
 * message printed. */
bool main_program_begin(struct repl *r, const struct options *o);
/* To the program's end without stops; failures are given to it. The status of the first one, or of one that nobody has gone on from; 0: none. */
int main_program_run_to_end(struct repl *r);
/* The end of --batch: a program that still stands goes on to its end; the exit status becomes what the manual says. */
void main_program_finish(struct repl *r);
void main_program_end(struct repl *r);
/* set follow-fork-mode, detach-on-fork */
void main_program_follow(struct repl *r);

#endif
