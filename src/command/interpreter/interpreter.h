/* The interpreter of commands: finds a line's command, runs it, and delivers what it says to a face, or as data to a program. A session has one
 * interpreter; every face can run any command through it. */
#ifndef COMMAND_INTERPRETER_INTERPRETER_H
#define COMMAND_INTERPRETER_INTERPRETER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/command.h"
#include "base/diag.h"
#include "base/text.h"
#include "command/interpreter/settings.h"
#include "command/table.h"
#include "debug/debug.h"
#include "session/session.h"

/* Exit statuses of --batch (docs/manual/scripts.md). */
enum exit_status {
	EXIT_STATUS_OK = 0,
	EXIT_STATUS_FAILED = 1,
	EXIT_STATUS_USAGE = 2,
	EXIT_STATUS_EXCEPTION = 3,
	EXIT_STATUS_STUCK = 4
};

/* The screen and keyboard of the face that an interpreter works for. A function may be NULL: what is said is then dropped, a question is answered
 * with yes, and there are no lines. */
struct interpreter_face {
	void *self;
	void (*print)(void *self, const char *s);    /* shows results */
	void (*line)(void *self, const char *json);  /* shows a line of `set output json` at once */
	void (*complain)(void *self, const char *s); /* shows diagnostics, a line or several */
	void (*flush)(void *self);		     /* delivers all that was shown so far */
	bool (*ask)(void *self, const char *question); /* returns true for yes */
	/* Reads a line, of *n bytes, that the caller owns. Returns NULL at the end of input. */
	char *(*read_line)(void *self, const char *prompt, size_t *n);
	void (*list_lines)(void *self, struct text *out); /* appends the lines that were typed, numbered */
	void (*begin_command)(void *self);		  /* a new command begins: a pager starts again */
	void (*begin_run)(void *self);			  /* a command runs the machine */
	void (*end_run)(void *self);
	bool (*is_lost)(void *self); /* returns true if what was shown since the last call could not be delivered */
	/* Stores the size of the terminal that results go to; NULL: they don't go to a terminal. */
	void (*screen_size)(void *self, unsigned *lines, unsigned *columns);
	bool has_colors; /* diagnostics and results may have colours */
};

struct user_command { /* made by `define` */
	char *name;
	char *body; /* lines */
	char *help; /* from `document`, or NULL */
};

struct command_alias {
	char *name, *text;
};

struct display { /* an expression shown at each stop */
	int number;
	char *args; /* /FMT EXPR */
	bool off;   /* by `disable display` */
};

/* What ends a pass of the innermost `while`. */
enum loop_jump { LOOP_JUMP_NONE, LOOP_JUMP_BREAK, LOOP_JUMP_CONTINUE };

struct input;  /* input.h */
struct server; /* server/server.h */

struct interpreter {
	const struct command_table *table;
	struct session *session;
	struct debug *dbg;
	const struct interpreter_face *face;	  /* never NULL */
	const struct session_face *session_face; /* of the same face; NULL: the session doesn't know it */
	struct server *program;			  /* --args; NULL: none */
	char *first_args;			  /* the setting `args`, as the command line has it */
	char *suppress_file;			  /* the setting check-suppress, as it was read last */
	char *settings[SETTINGS];
	uint64_t samples; /* interval of time-lapse samples that was set last, and 1; 0: none was */
	uint32_t tensor_rounding;    /* what the device was set to here: GPU_INPUT_TENSOR_ROUNDING */
	uint64_t limits[GPU_LIMITS]; /* of the device, 1 more than what they were set to here; 0: they were not */

	/* commands that were made, and scripts */
	struct user_command *user;
	size_t n_user, cap_user;
	struct command_alias *aliases;
	size_t n_aliases, cap_aliases;
	struct display *displays;
	size_t n_displays, cap_displays;
	int last_display;
	struct input *input; /* where lines come from */
	char *last_line;     /* for the empty line */
	char *previous_line; /* executed before last_line, for commands that run another one */
	char *pending;	     /* command list of the breakpoint that stopped the machine, not yet run */
	unsigned depth;	     /* nesting of user commands and scripts */
	bool in_hook;
	unsigned loops; /* `while` commands around the line that runs, in the same script or defined command */
	enum loop_jump loop_jump; /* given by the line that runs; the blocks up to its loop end */

	/* how commands run, and what they have led to */
	bool batch;	    /* the first failure ends the session; nothing is asked */
	bool interactive;   /* a user can answer questions */
	bool quit;	    /* the session ends */
	bool is_remote;	    /* the command is gdb's */
	bool failed;	    /* the last command failed */
	bool command_failed; /* a command failed */
	struct text error;  /* the last failure, as it was reported */
	int status;	    /* first failure */
	int failure; /* the status of the last kernel that failed, and how often the program had been given an error then (exit_status.h) */
	uint64_t failure_deliveries;
	int detached_failure;		    /* of a program that `detach` resumed */
	volatile sig_atomic_t *interrupted; /* the session's flag */
	unsigned n_stops;		    /* stops that were reported: a breakpoint's list of commands ends with the next one */
	unsigned interrupts;		    /* runs of the machine that Ctrl-C ended: loops of commands end too */

	char *log_file;	       /* of `set logging`, which is on; NULL: it is off */
	bool log_redirects;    /* results go only there */
	struct text *capture;  /* texts go there instead of the face; NULL: to the face */
	bool captures_results_only; /* diagnostics go to the face all the same */
	struct answer *answer; /* of the command that runs, where it is wanted as data (answer.h); NULL: it is printed */
};

/* Creates the interpreter of a session, which must outlive it, and gives the session's debugger its commands. The interpreter has no face. */
struct interpreter *interpreter_create(struct session *session, const struct command_table *table);
/* Releases the interpreter. Does nothing for NULL. */
void interpreter_destroy(struct interpreter *in);
/* Sets the face that commands print to, and the same face as the session knows it (NULL: it doesn't). Both must outlive the interpreter's use. NULL
 * for `face` takes the face away. */
void interpreter_set_face(struct interpreter *in, const struct interpreter_face *face, const struct session_face *session_face);

/* ---- running commands ---- */

/* Runs one line. Returns false if the command failed; its message is already printed. */
bool interpreter_execute(struct interpreter *in, const char *line);
/* Runs lines until the innermost source, pushed just before, is exhausted or `quit` is given. If `ends_at_failure`, a failed command drops the
 * source. With --batch a failure ends the session. Returns false if a failure ended the run. */
bool interpreter_run(struct interpreter *in, bool ends_at_failure);
/* Runs the lines of a file. Returns false if the file can't be read or a command failed. */
bool interpreter_source(struct interpreter *in, const char *path);
/* Runs lines for face `by` (NULL: no face of the session), such as gdb: all text goes to `out`, and nothing is asked. is_confined: the commands may not
 * access programs and files of the host. */
void interpreter_execute_for(struct interpreter *in, const struct session_face *by, const char *lines, bool is_confined, struct text *out);
/* Runs a command for face `by` (NULL: no face of the session) and adds what `set output json` prints to the open object: `command`, `status`, and `result` or `error` (docs/manual/json.md). The
 * face shows nothing. Lines after the first are the command's block. Returns false if the command failed. */
bool interpreter_ask(struct interpreter *in, const struct session_face *by, const char *lines, struct report *answer);
/* Runs a command that runs the machine, reversed if `exec-direction` is reverse. Reports the stop; returns false, with the error printed, if the
 * command failed. */
bool interpreter_run_machine(struct interpreter *in, command_run_fn *run, const char *args);
/* Prints a stop, notes the exit status, and queues the breakpoint's commands. Always returns true: a stop is not a failed command. */
bool interpreter_report_stop(struct interpreter *in, const struct debug_stop *stop);
/* Writes the file of -ptx_line_stats_filename anew, if the configuration asks for it. A face calls it after each kernel. */
void interpreter_kernel_done(struct interpreter *in);
/* Runs the defined command hook-stop, before a stop is shown. */
void interpreter_hook_stop(struct interpreter *in);
/* Notes an exit status, keeping the first. */
void interpreter_set_status(struct interpreter *in, enum exit_status s);

/* ---- finding commands ---- */

/* Finds a command by the first `n` bytes of `name`: an exact name, an alias or a unique prefix. Returns NULL, with the reason in `why`, if there is
 * none. */
const struct command *command_find(const struct interpreter *in, const char *name, size_t n, struct text *why);
/* Returns true if `name` is a command's full name or alias. */
bool interpreter_is_command(const struct interpreter *in, const char *name);
/* Returns true if a line's first word is a command, an alias or a defined command. */
bool interpreter_knows_command(const struct interpreter *in, const char *line);

/* ---- what commands say ---- */

/* Prints `error: ...` and returns false. */
__attribute__((format(printf, 2, 3))) bool interpreter_error(struct interpreter *in, const char *fmt, ...);
/* Prints the error of a failed command of src/debug. Prints nothing if `why` is empty. */
void interpreter_failure(struct interpreter *in, const struct text *why);
/* Prints diagnostics. Returns true if there was no error among them. */
bool interpreter_diags(struct interpreter *in, const struct diag_list *diags);
/* Prints a diagnostic, without a prefix, or adds it to the capture. */
void interpreter_complain(struct interpreter *in, const char *s);
/* Prints a result, or adds it to the capture or answer that collects. */
void interpreter_print(struct interpreter *in, const char *s);
/* Formats and prints a result, as interpreter_print does. */
__attribute__((format(printf, 2, 3))) void interpreter_printf(struct interpreter *in, const char *fmt, ...);
/* Prints and frees a text. */
void interpreter_print_text(struct interpreter *in, struct text *t);
/* Delivers all that was printed so far. */
void interpreter_flush(struct interpreter *in);
/* Sets the debugger's output width and colours before a command runs. */
void interpreter_fit(struct interpreter *in);
/* Asks a question to be answered with y or n. Returns true for y, at the end of input, or if there is no user to ask. */
bool interpreter_asks(struct interpreter *in, const char *question);

/* ---- what commands may do ---- */

/* Sets $_shell_exitcode and $_shell_exitsignal from a status of waitpid. (script/with.c) */
void shell_note_status(struct interpreter *in, int status);

/* Returns false, with an error about `what` printed, if the command that runs may not access programs and files of the host. */
bool interpreter_may_reach(struct interpreter *in, const char *what);
/* Writes a text as a file's content. Returns false, with the error printed and the old content kept, if that fails. */
bool interpreter_write_file(struct interpreter *in, const char *path, const struct text *t);

/* ---- words of arguments ---- */

/* Returns true if the first `n` bytes of `args` abbreviate the word with at least `least` letters. */
bool argument_abbreviates(const char *args, size_t n, const char *word, size_t least);
/* Returns an argument that is the rest of the line, without quotes around it. The caller frees the result. */
char *argument_unquoted(const char *args);

#endif
