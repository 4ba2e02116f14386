/* A test of two processes: what each does, and what both found wrong. */
#ifndef TWO_PROCESSES_H
#define TWO_PROCESSES_H

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

/* The exit status of this one. `after`, if there is one, instead of the parent's part: it sees to the child itself. */
static int with_child(void (*child_part)(void), void (*parent_part)(void), void (*after)(pid_t child))
{
	int status = 0;
	const pid_t child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		child_part();
		fflush(stdout);
		_exit(failures);
	}
	if (after) {
		after(child);
		return failures;
	}
	parent_part();
	waitpid(child, &status, 0);
	return failures + (status != 0);
}

#endif
