/* The gdb server beside the prompt: what main puts between gdbstub/ and repl/, which don't know each other. */
#ifndef REPL_MAIN_GDB_H
#define REPL_MAIN_GDB_H

#include "debug/debug.h"

struct repl;
struct stub;

/* `-g -`: keeps standard output for the protocol and sends all text to standard error from now on. Returns the descriptor that
 * is kept, -1 if that failed. Before anything is printed. */
int main_gdb_keep_stdout(void);

struct stub *main_gdb_create(struct repl *r, struct debug *d);

/* What `-g` asks for, after the commands of the command line: listens, or serves the pipe. False: message printed. */
bool main_gdb_start(struct stub *s, const char *where, int kept_stdout, struct repl *r);

/* Serves gdb after the end of standard input, until there is nothing left to serve or somebody said `quit`. */
void main_gdb_stay(struct stub *s, struct repl *r);

#endif
