/* CUDA programs under the debugger: a program is started as a process of its own, its calls are served, its kernels run on the session's
 * device. What a face needs of it; the rest happens in the debugger's commands that run the machine (debug/program.h). */
#ifndef CUDA_CUDA_H
#define CUDA_CUDA_H

#include <stdbool.h>

#include "base/text.h"
#include "session/session.h"

struct cuda;

struct cuda_setup {
	char *const *argv;  /* the program and its arguments, ended by NULL; they outlive it. NULL: it runs already, */
	int socket;	    /* and is at the other end of this */
	int in, out, error; /* its standard streams */
	bool keeps_interrupts; /* Ctrl-C is for the debugger, not for the program */
	bool has_terminal;     /* somebody sits at standard input: the program has it while the machine runs for them */
	const char *device_name;  /* of the configuration, for those who ask for a name */
	const char *library_path; /* the folder with what programs load */
	const char *alone;	  /* options, as in WARPSTEP_ARGS, of the debuggers that processes start which aren't debugged here */
};

/* The folder with what programs load, beside the program that runs or where it is installed; false: there is none. */
bool cuda_library_path(struct text *out);

/* Attaches itself to the session, as a face and as the debugger's program. Nothing is started yet. NULL: `why`. */
struct cuda *cuda_create(struct session *s, const struct cuda_setup *setup, struct text *why);
/* A process of that name (argv[0]) is a helper of the terminal's: it doesn't come back. False: it is none. */
bool cuda_terminal_helper(const char *name);
/* What is run at the terminal begins, ends: in between the program has it. */
void cuda_terminal_runs(struct cuda *c, bool on);
/* The program, if it still lives, is killed. */
void cuda_destroy(struct cuda *c);

/* Does the program live (it was started, and hasn't ended)? */
bool cuda_program_lives(const struct cuda *c);
/* What it ended with: its exit status, 128 + a signal's number; 0 if it hasn't run. */
int cuda_program_status(const struct cuda *c);
/* What `run` gives it from now on, through sh; NULL: what the command line has. */
void cuda_program_set_args(struct cuda *c, const char *args);
/* Which processes are debugged here: all, or with `detach_on_fork` the one that was started, or the first of its children that uses CUDA. */
void cuda_program_follow(struct cuda *c, bool detach_on_fork, bool child);
long cuda_program_pid(const struct cuda *c); /* 0: it doesn't live */
/* `kill`: the program ends, the device stays as it is. */
void cuda_program_kill(struct cuda *c);

#endif
