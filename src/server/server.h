/* CUDA programs under the debugger: a program runs as a process of its own, the debugger serves its calls, and its kernels run on the session's
 * device. The interface for faces; commands that run the machine reach the program through debug/program.h. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <stdbool.h>

#include "base/text.h"
#include "session/session.h"

struct server;

struct server_setup {
	char *const *
		argv; /* the program and its arguments, ended by NULL; they outlive the session. NULL: the program already runs */
	int socket;	       /* argv NULL: the socket to the running program */
	int in, out, error;    /* its standard streams */
	bool keeps_interrupts; /* true if Ctrl-C is meant for the debugger and ignored by the program */
	bool has_terminal; /* true if standard input is a terminal, which the program gets while the machine runs for its user */
	const char *device_name;  /* the configuration's name, which is part of the device's name */
	const char *library_path; /* the folder with the libraries that programs load */
	const char *ptx_file; /* the PTX that is run in place of that in the program; NULL: the program's */
	const char *
		alone; /* options, as in WARPSTEP_ARGS, of the debuggers that processes start which aren't debugged here */
};

/* Appends the folder of libwarpstep.so, which programs load, to `out`: lib/warpstep in the executable's folder or beside that folder. Returns false,
 * with `out` unchanged, if there is none. */
bool server_library_path(struct text *out);

/* Creates the CUDA side of a session from a copy of *setup, and attaches it as a face and as the debugger's program. Starts no process; connects the
 * program that already runs if setup->argv is NULL. Returns NULL, with the reason, if that or opening the channel fails. */
struct server *server_create(struct session *s, const struct server_setup *setup, struct text *why);
/* Becomes the terminal's helper process, and never returns, if `name` (argv[0]) is the helper's name. Returns false for any other name. */
bool server_terminal_helper(const char *name);
/* Marks the beginning (`on`) or end of a run for the user at the terminal; in between, the program may get the terminal. At the end, if the program
 * has the terminal, stops the program's processes and takes the terminal back. Does nothing if the program shares no terminal. */
void server_terminal_runs(struct server *c, bool on);
/* Kills the program, closes its connections, detaches from the session and the debugger, and frees `c`. Allocations and code stay on the device. */
void server_destroy(struct server *c);

/* Returns whether the program is alive: the started process, or an adopted program. The program's end counts once program_has_ended or a kill has
 * noticed it. */
bool server_program_lives(const struct server *c);
/* Returns the exit status of the started process, or 128 + the number of the signal that ended it. Returns 0 before its end, and for a program that
 * wasn't started here. */
int server_program_status(const struct server *c);
/* Sets the arguments of later runs to a copy of `args`, which a shell parses; "": no arguments; NULL: those of the command line. */
void server_program_set_args(struct server *c, const char *args);
/* Selects which connecting processes are debugged: all, or with `detach_on_fork` only the started process. With `child`, too: one child at a time,
 * the first that connects, and the started process only while it has no child. Connected processes, and all of an adopted program, stay debugged. */
void server_program_follow(struct server *c, bool detach_on_fork, bool child);
/* Returns the started process' id while it lives, else that of a connected process. Returns 0 if there is neither. */
long server_program_pid(const struct server *c);
/* Kills all connected processes and the started process. If the started process was alive, waits for its end, records it, closes all connections, and
 * drops unread output. The device keeps its state. */
void server_program_kill(struct server *c);

#endif
