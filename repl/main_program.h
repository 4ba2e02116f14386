/* `--args`: the program that is debugged, from the command line to the exit status. */
#ifndef REPL_MAIN_PROGRAM_H
#define REPL_MAIN_PROGRAM_H

#include <stdbool.h>

struct options;
struct interpreter;

/* Strings that the program's server uses while it lives. */
struct main_program {
	char *library_path; /* with what the program loads */
	char *alone;	    /* options of the debuggers that its processes start for themselves */
};

/* Returns the socket to a program that has started this debugger through its library path. Returns -1 if none has. */
int main_program_socket(void);
/* Opens gpgpusim.config of the current folder as a program's configuration. Does nothing if the command line names a configuration or another user
 * owns the file. A note says what was done. */
void main_program_find_config(struct options *o);

/* Creates the session's program, before anything is printed. With --batch all text then goes to standard error; standard output is the program's.
 * Returns false, with the error printed, on failure. */
bool main_program_begin(struct main_program *p, struct interpreter *in, const struct options *o);
/* Ends --batch: runs a live program to its end, or kills it after Ctrl-C, and sets the exit status as the manual says. */
void main_program_finish(struct interpreter *in);
/* Releases the program and its strings. */
void main_program_end(struct main_program *p, struct interpreter *in);

#endif
