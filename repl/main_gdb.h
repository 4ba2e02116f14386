/* `-g`: gdb served from the command line on. */
#ifndef REPL_MAIN_GDB_H
#define REPL_MAIN_GDB_H

#include <stdbool.h>

struct repl;
struct stub;

struct main_gdb_pipe {
	int in, out; /* -1: none */
};
/* `-g -`: standard input and output are the protocol's. From now on all text goes to standard error, and what commands run (`shell`) reads
 * nothing instead of gdb's packets. Before anything is printed. */
void main_gdb_keep_pipe(struct main_gdb_pipe *p);

/* What `-g` asks for, after the commands of the command line: listens, or serves the pipe. False: message printed. */
bool main_gdb_start(struct stub *s, const char *where, const struct main_gdb_pipe *p, struct repl *r);

/* Serves gdb after the end of standard input, until there is nothing left to serve or somebody said `quit`. */
void main_gdb_stay(struct stub *s, struct repl *r);

#endif
