/* `-g`: gdb served from the command line on. */
#ifndef REPL_MAIN_GDB_H
#define REPL_MAIN_GDB_H

#include <stdbool.h>

struct interpreter;
struct stub;

struct main_gdb_pipe {
	int in, out; /* -1: none */
};
/* Reserves standard input and output for gdb's protocol (`-g -`): stores duplicates of both in *p, -1 for one that isn't open. Redirects standard
 * output to standard error, and standard input to /dev/null. Must be called before anything is printed. */
void main_gdb_keep_pipe(struct main_gdb_pipe *p);

/* Starts serving gdb as `-g` asks, after the commands of the command line: listens, or attaches to the pipe. Returns false, with the error printed,
 * if that fails. */
bool main_gdb_start(struct stub *s, const char *where, const struct main_gdb_pipe *p, struct interpreter *in);

/* Serves gdb after the end of standard input, until no connection is left or `quit` was given. Ctrl-C or the program's end also ends it. */
void main_gdb_stay(struct stub *s, struct interpreter *in);

#endif
