/* Starts a debugger for a program that runs without one. */
#ifndef HOST_START_H
#define HOST_START_H

/* Starts a debugger as a child process, connected by a socket pair; *process gets the child's id. Returns this process' socket, or -1 if the
 * debugger isn't found, which is printed, or no child can be made. A child that can't execute the debugger shows only as a closed socket. The
 * child sends no SIGCHLD: waiting for it needs __WALL. */
int host_start_debugger(long *process);

#endif
