/* A session: one debugged machine and its faces (the prompt, the gdb stub, the output of programs). The session owns the device and the debugger.
 * Faces look at the machine through the debugger; they communicate only through the session, which notifies the other faces of what one face does.
 * Everything happens in the caller's thread. A process may have any number of sessions. The session prints nothing, doesn't read the environment and
 * doesn't end the process. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"
#include "debug/debug.h"
#include "gpu/input.h"
#include "history/history.h"

struct files;
struct session;

enum session_mode { SESSION_MODE_OF_CONFIG, SESSION_FUNCTIONAL, SESSION_PERFORMANCE };

struct session_setup {
	const char *config;	    /* the name of a folder in configs/, or a file */
	FILE *found_config;	    /* the file, open, if it was found without being named by the user; else NULL */
	const char *const *options; /* `-name value`, applied after the file */
	size_t n_options;
	enum session_mode mode;
	const char *isa_level; /* NULL: the best level of the host */
	/* Limits of the machine (base/limits.h), which outlive the session. NULL: the host's limits, or smaller ones if this process may not use as
	 * much. */
	const struct machine_limits *limits;
	bool shares_memory;    /* device memory is a file that programs map */
	const struct files *files; /* how all files of the session are opened, which outlives it; NULL: files_of_host */
	double (*clock)(void); /* seconds of the host, for statistics about the simulator itself; may be NULL */
};

enum session_failure { SESSION_OK, SESSION_BAD_SETUP, SESSION_NO_ROOM };

/* Creates a session with a new device. Appends errors, warnings and notes about the configuration to `messages`, a line each. Returns NULL and sets
 * *failure if the setup is wrong or the address space is too small. */
struct session *session_create(const struct session_setup *setup, struct text *messages, enum session_failure *failure);
/* An exchange of the device that has begun. */
struct session_exchange;
/* Puts a new device in the place of the session's device; the debugger isn't informed before session_exchange_keep. A loaded program is kept. Takes
 * ownership of `config`; NULL: the old device's configuration. Returns NULL with the reason, and changes nothing, if the new device can't be made. */
struct session_exchange *session_exchange_begin(struct session *s, struct config *config, bool performance,
						struct text *why);
/* Puts the old device back, destroys the new device and frees `x`. */
void session_exchange_drop(struct session *s, struct session_exchange *x);
/* Destroys the old device and frees `x`. History is off afterwards; the caller restores the debugger's record of the device (debug/checkpoint.h). */
void session_exchange_keep(struct session *s, struct session_exchange *x);
/* Destroys the session, its debugger and its device. Faces are not notified. */
void session_destroy(struct session *s);

/* Returns the session's debugger. */
struct debug *session_debug(const struct session *s);
/* Applies an input of a face to the device through the history, as gpu_input does, and counts it as known to the program. Returns the input's result;
 * `why` gets the reason of a failure. */
int64_t session_input(struct session *s, const struct gpu_input *in, struct text *why);
/* Returns the session's history of the machine. */
struct history *session_history(const struct session *s);

/* Returns how the session's files are opened; NULL: files_of_host. */
const struct files *session_files(const struct session *s);

/* Returns the flag that stops a run soon if it is nonzero. Signal handlers and threads may set it; the code that starts a run clears it. */
volatile sig_atomic_t *session_interrupt(struct session *s);
/* Returns the flag that requests a call of the faces' `progress` between two cycles of a run. Signal handlers may set it; the session clears it. */
volatile sig_atomic_t *session_due(struct session *s);

/* ---- faces ---- */

/* Callbacks of a face: what it is notified of, and what it can do. All but `self` may be NULL. */
struct session_face {
	void *self;
	/* Shows output of the device. Faces are called in turn, the newest first, until one returns true: it has shown the output. */
	bool (*output)(void *self, const char *s, size_t n);
	/* Shows text that the debugger prints while the machine runs; called in the same order as `output`. */
	bool (*text)(void *self, const char *s, size_t n);
	/* Shows a note about what runs, a line with its newline; called in the same order as `output`. */
	bool (*note)(void *self, const char *line);
	bool (*report)(void *self, const char *lines); /* shows findings of checkers, in the same order */
	void (*kernel_done)(void *self);	       /* a kernel has finished (debug_host.kernel_done) */
	void (*progress)(void *self);		       /* shows the progress of a run; may read the machine */
	void (*running)(void *self, bool on);	       /* another face begins a run (on), or ends it */
	void (*stopped)(void *self, const struct debug_stop *stop); /* another face's run has stopped */
	void (*said)(void *self, const char *line); /* shows another face's note to the user, a line with its newline */
	void (*killed)(void *self);		    /* the program or machine was killed through another face */
	void (*detached)(void *self); /* another face's client has detached from the program: lets the program run on, until it ends or stops */
	bool (*listen)(void *self, const char *where, struct text *out,
		       struct text *why); /* opens or closes ("off") the gdb server, as gdbstub_listen */
	bool (*active)(void *self);	  /* true if the face has something to serve while others wait */
	void (*wait)(void *self, int fd); /* serves until the descriptor can be read */
	bool (*done)(void *self);	  /* true if the session should end */
};

/* Adds a face to the session; at most 8. The caller keeps `face` valid and in place until it is detached. */
void session_attach(struct session *s, const struct session_face *face);
/* Removes a face from the session. */
void session_detach(struct session *s, const struct session_face *face);

/* ---- running ---- */
/* Notifies the other faces that face `by` begins to run the machine (session_face.running). */
void session_begin_run(struct session *s, const struct session_face *by);
/* Notifies the other faces that face `by` has ended its run. */
void session_end_run(struct session *s, const struct session_face *by);
/* Notifies the other faces of a stop of a run by face `by`. */
void session_report_stop(struct session *s, const struct session_face *by, const struct debug_stop *stop);

/* ---- services between faces ---- */
/* Shows a line, with its newline, through the newest face that accepts notes. */
void session_note(struct session *s, const char *line);
/* Sends a line, with its newline, to all other faces, which show it to their users. */
void session_say(struct session *s, const struct session_face *by, const char *line);
/* Notifies the other faces that face `by` was asked to kill what is debugged. */
void session_report_killed(struct session *s, const struct session_face *by);
/* Makes another face run the program on, which the client of face `by` has detached from. Returns when the program has ended or stopped. */
void session_report_detached(struct session *s, const struct session_face *by);
/* Notes that commands now run for face `by`, which is then not notified of their runs, stops and notes. NULL: for the face that runs them. Returns
 * the face that they ran for before. */
const struct session_face *session_set_asking(struct session *s, const struct session_face *by);
/* Opens or closes the gdb server through the first face that has one. Returns false with the reason in `why` if there is none, or if it fails. */
bool session_listen(struct session *s, const char *where, struct text *out, struct text *why);
/* Returns whether a face other than `by` has something to serve; the caller then waits with session_wait. */
bool session_others_active(const struct session *s, const struct session_face *by);
/* Serves the first other active face until `fd` can be read. Returns at once if no face is active. */
void session_wait(struct session *s, const struct session_face *by, int fd);
/* Returns whether a face wants the session to end. */
bool session_done(const struct session *s);

#endif
