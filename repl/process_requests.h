/* What a gdb on the simulator process asks of it (macros/process.gdb): a command that looks, answered where the process stands. gdb writes the
 * command into the mailbox and lets the process continue with a signal; so gdb calls no function and writes no register, which it can't do
 * everywhere (gdb 13 on processors with AMX). */
#ifndef REPL_PROCESS_REQUESTS_H
#define REPL_PROCESS_REQUESTS_H

struct interpreter;

#define REPL_REQUEST_SIGNAL SIGUSR2 /* process.gdb knows it, too */

/* Starts answering requests, which REPL_REQUEST_SIGNAL announces. */
void repl_request_begin(struct interpreter *in);
/* Stops answering requests, and releases the answer. */
void repl_request_end(void);

#endif
