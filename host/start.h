/* A debugger of the program's own. */
#ifndef HOST_START_H
#define HOST_START_H

/* Starts it; the socket to it, -1: it can't be started. */
int host_start_debugger(long *process);

#endif
