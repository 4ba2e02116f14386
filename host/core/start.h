/* Starts a debugger for a program that runs without one. */
#ifndef HOST_START_H
#define HOST_START_H

/* Starts a debugger as a child process; *process: its id. Returns the socket to it, or -1 if it can't be started. */
int host_start_debugger(long *process);

#endif
