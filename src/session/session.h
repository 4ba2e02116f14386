/* A session: one debugged machine and the faces that show it (prompt, gdb stub; the output of programs).
 *
 * It owns device and debugger. Faces look at the machine through the debugger, but they don't know each other: what one of them does
 * the session tells the others, and what one wants of another goes through here. All of it happens in the caller's thread. A process may have any number of
 * sessions; whose `main` it is doesn't matter. Nothing here prints, reads the environment or ends the program. */
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

struct session;

enum session_mode { SESSION_MODE_OF_CONFIG, SESSION_FUNCTIONAL, SESSION_PERFORMANCE };

struct session_setup {
	const char *config;	    /* the name of a folder in configs/, or a file */
	FILE *found_config;	    /* that file, open, if the user hasn't named it; NULL: the user has */
	const char *const *options; /* `-name value`, on top of it */
	size_t n_options;
	enum session_mode mode;
	const char *isa_level; /* NULL: the best the host has */
	/* base/limits.h; they outlive the session. NULL: those for this host, or smaller ones if this process may not use so much */
	const struct machine_limits *limits;
	bool shares_memory; /* device memory will be a file that programs map */
	double (*clock)(void); /* seconds of the host, for statistics about the simulator itself; may be NULL */
};

enum session_failure { SESSION_OK, SESSION_BAD_SETUP, SESSION_NO_ROOM };

/* NULL: `failure` says of which kind it is. `messages`: what there is to say of the configuration, errors, warnings and notes, a line each. */
struct session *session_create(const struct session_setup *setup, struct text *messages, enum session_failure *failure);
/* Of a device that somebody made himself; the session takes it over. */
struct session *session_of_device(struct gpu *g);
/* Puts a new device of that configuration in the place of the session's device, of which the debugger does not know until it is kept. The program
 * stays if there is one. `config` is taken over either way; NULL: that of the old device. Returns NULL, with nothing changed, if there can be no such
 * device. */
struct session_exchange;
struct session_exchange *session_exchange_begin(struct session *s, struct config *config, bool performance,
						struct text *why);
/* Puts the old device back. */
void session_exchange_drop(struct session *s, struct session_exchange *x);
/* Destroys the old device. History is off afterwards, and the debugger has to be given what it knows of the device (debug/checkpoint.h). */
void session_exchange_keep(struct session *s, struct session_exchange *x);
void session_destroy(struct session *s); /* faces have been detached, or need not hear of it */

struct debug *session_debug(const struct session *s);
/* The one door through which the host changes the device: the debugger's changes come here, a face that has some of its own brings them.
 * As gpu_input. */
int64_t session_input(struct session *s, const struct gpu_input *in, struct text *why);
/* What was, and the way back there. */
struct history *session_history(const struct session *s);

/* Nonzero: what runs is to stop soon. Signal handlers and threads may set it; who runs something clears it. */
volatile sig_atomic_t *session_interrupt(struct session *s);
/* Nonzero: faces' `progress` is to be called soon, in a run between two cycles. A signal handler may set it. */
volatile sig_atomic_t *session_due(struct session *s);

/* ---- faces ---- */

/* What is reported to a face, and what it can do; all but `self` may be NULL. */
struct session_face {
	void *self;
	/* Device output. Asked in turn, the newest face first, until one says that it alone has shown it. */
	bool (*output)(void *self, const char *s, size_t n);
	/* Text of the debugger that comes while the machine runs, likewise. */
	bool (*text)(void *self, const char *s, size_t n);
	/* A remark of the device's on what runs, a line with its newline; likewise. */
	bool (*note)(void *self, const char *line);
	bool (*report)(void *self, const char *lines); /* findings of checkers, likewise */
	void (*kernel_done)(void *self);			    /* debug_host.kernel_done */
	void (*progress)(void *self);				    /* may look at the machine */
	void (*running)(void *self, bool on);			    /* another face begins, ends to run the machine */
	void (*stopped)(void *self, const struct debug_stop *stop); /* another face has run it, and it stands again */
	void (*said)(void *self, const char *line); /* a note of another face for whoever sits here, with its newline */
	void (*killed)(void *self);		    /* another face was asked to end what is debugged */
	/* Runs one line of the prompt's commands for another face. Its texts, errors included, go to `out`. is_confined: it may not touch
	 * programs and files of the host. */
	void (*command)(void *self, const char *line, bool is_confined, struct text *out);
	bool (*listen)(void *self, const char *where, struct text *out, struct text *why); /* gdbstub_listen, or "off" */
	bool (*active)(void *self);	  /* it has something to serve while others wait */
	void (*wait)(void *self, int fd); /* serves until the descriptor can be read */
	bool (*done)(void *self);	  /* the session is to end */
};

/* The face stays the caller's, and where it is, until it is detached. At most 8. */
void session_attach(struct session *s, const struct session_face *face);
void session_detach(struct session *s, const struct session_face *face);

/* ---- running. What a face runs for another one (session_command) is the other's doing ---- */
/* A face whose runs leave room for others brackets them: these hear that the machine runs (session_face.running). */
void session_begin_run(struct session *s, const struct session_face *by);
void session_end_run(struct session *s, const struct session_face *by);
void session_report_stop(struct session *s, const struct session_face *by, const struct debug_stop *stop);

/* ---- what faces want of each other ---- */
/* A line with its newline for the user: to the newest face that shows notes. */
void session_note(struct session *s, const char *line);
void session_say(struct session *s, const struct session_face *by, const char *line);
void session_report_killed(struct session *s, const struct session_face *by);
/* Runs a command of a face (session_face.command). Returns false if no face takes commands. */
bool session_command(struct session *s, const struct session_face *by, const char *line, bool is_confined,
		     struct text *out);
bool session_listen(struct session *s, const char *where, struct text *out, struct text *why);
/* Does another face have something to serve? Then session_wait lets it until `fd` can be read. */
bool session_others_active(const struct session *s, const struct session_face *by);
void session_wait(struct session *s, const struct session_face *by, int fd);
bool session_done(const struct session *s);

#endif
