/* CUDA programs under the debugger: a program runs as a process of its own, the debugger serves its calls, and its kernels run on the session's
 * device. The interface for faces; commands that run the machine reach the program through debug/program.h. */
#ifndef CUDA_CUDA_H
#define CUDA_CUDA_H

#include <stdbool.h>

#include "base/text.h"
#include "session/session.h"

struct cuda;

struct cuda_setup {
	char *const *
		argv; /* the program and its arguments, ended by NULL; they outlive the session. NULL: the program already runs */
	int socket;	       /* argv NULL: the socket to the running program */
	int in, out, error;    /* its standard streams */
	bool keeps_interrupts; /* true if Ctrl-C is meant for the debugger and ignored by the program */
	bool has_terminal; /* true if standard input is a terminal, which the program gets while the machine runs for its user */
	const char *device_name;  /* the configuration's name, which is part of the device's name */
	const char *library_path; /* the folder with the libraries that programs load */
	const char *
		alone; /* options, as in WARPSTEP_ARGS, of the debuggers that processes start which aren't debugged here */
};

/* Finds the folder with the libraries that programs load, beside the executable or where it is installed, and appends it to `out`. Returns false if
 * there is none. */
bool cuda_library_path(struct text *out);

/* Creates the CUDA side of a session, as a face and as the debugger's program; starts no process. Returns NULL with the reason in `why`. */
struct cuda *cuda_create(struct session *s, const struct cuda_setup *setup, struct text *why);
/* Runs the terminal's helper process if `name` (argv[0]) is its name, and then doesn't return. Returns false for any other name. */
bool cuda_terminal_helper(const char *name);
/* Marks the beginning or end of a run for the user at the terminal: between them the program has the terminal. */
void cuda_terminal_runs(struct cuda *c, bool on);
/* Kills the program if it is alive, detaches from the session and frees `c`. */
void cuda_destroy(struct cuda *c);

/* Returns whether the program is alive: it was started or adopted, and hasn't ended. */
bool cuda_program_lives(const struct cuda *c);
/* Returns the program's exit status, or 128 + the number of the signal that ended it; 0 if it hasn't run. */
int cuda_program_status(const struct cuda *c);
/* Sets the arguments of later runs, which a shell parses; NULL: those of the command line. */
void cuda_program_set_args(struct cuda *c, const char *args);
/* Selects the debugged processes: all; with `detach_on_fork` only the started process, or if `child` is also set, only the first of its children that
 * uses CUDA. */
void cuda_program_follow(struct cuda *c, bool detach_on_fork, bool child);
/* Returns the process id of the program; 0 if it isn't alive. */
long cuda_program_pid(const struct cuda *c);
/* Kills the program's processes. The device keeps its state. */
void cuda_program_kill(struct cuda *c);

#endif
