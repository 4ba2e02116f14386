/* The command prompt: one session's reader, settings, output and command execution. A face of src/debug: it parses lines and
 * prints texts; every decision about the machine is made below. */
#ifndef REPL_REPL_H
#define REPL_REPL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/text.h"
#include "debug/debug.h"
#include "repl/progress.h"
#include "session/session.h"

/* Exit statuses of --batch (docs/manual/scripts.md). */
enum repl_status { REPL_OK = 0, REPL_FAILED = 1, REPL_USAGE = 2, REPL_EXCEPTION = 3, REPL_STUCK = 4 };

enum repl_setting_id {
#define SETTING(id, name, reach, kind, value, help) REPL_SET_##id,
#include "repl/settings.def"
	REPL_SETTINGS
};

struct repl_user_command { /* made by `define` */
	char *name;
	char *body; /* lines */
	char *help; /* from `document`, or NULL */
};

struct repl_alias {
	char *name, *text;
};

struct repl_display { /* an expression shown at each stop */
	int number;
	char *args; /* /FMT EXPR */
	bool off;   /* by `disable display` */
};

struct input; /* input.h */

struct repl_command_table;
struct repl {
	const struct repl_command_table *table;
	char **(*complete)(struct repl *r, const char *line, size_t start, const char *word); /* repl_complete */
	struct session *session;
	struct session_face face; /* as the session knows it (face.c) */
	struct debug *dbg;
	struct server *program; /* --args; NULL: none */
	char *library_path;   /* with what it loads */
	char *alone;	       /* options of the debuggers that its processes start for themselves */
	char *suppress_file;  /* the setting check-suppress, as it was read last */
	char *first_args;     /* the setting `args`, as the command line has it */
	struct input *input;
	bool batch, quiet, interactive;
	bool quit;
	bool color, terminal; /* color: of errors, on standard error; terminal: standard output is one */
	int status;	      /* first failure */
	int failure; /* the status of the last kernel that failed, and how often the program had been given an error then (status.h) */
	uint64_t failure_deliveries;
	bool command_failed;  /* one of them */
	int detached_failure; /* of a program that `detach` has let go on */
	bool failed;	      /* the last command failed */
	struct text error;    /* the last failure, as it was reported */
	char *settings[REPL_SETTINGS];
	uint64_t limits[GPU_LIMITS]; /* of the device, 1 more than what they were set to here; 0: they were not */
	struct repl_user_command *user;
	size_t n_user, cap_user;
	struct repl_alias *aliases;
	size_t n_aliases, cap_aliases;
	char *last_line; /* for the empty line */
	bool in_hook;
	bool history_failed; /* it was said that the history file can't be written */
	unsigned depth; /* nesting of user commands and scripts */
	char *pending;	/* command list of the breakpoint that stopped the machine, not yet run */
	/* pager */
	unsigned lines_out;
	bool page_quit;
	struct repl_display *displays;
	size_t n_displays, cap_displays;
	int last_display;
	int trace_level;		    /* PTX_SIM_DEBUG: what of a loaded file is printed */
	volatile sig_atomic_t *interrupted; /* the session's flag */
	struct progress progress;
	struct text *capture; /* texts go there instead of the streams: a command of another face */
	struct answer *answer; /* of the command that runs, where it is wanted as data (answer.h); NULL: it is printed */
	bool is_remote;	      /* the command is gdb's */
	unsigned interrupts;  /* runs of the machine that Ctrl-C ended: loops of commands end too */
};

/* Initialises a prompt and attaches it to a session, which must outlive the prompt. */
void repl_init(struct repl *r, struct session *session, const struct repl_command_table *table);
/* Detaches the prompt from the session and releases what the prompt owns. */
void repl_free(struct repl *r);
/* Returns the prompt's functions as a face of the session. */
struct session_face repl_face(struct repl *r);

/* Runs one line. Returns false if the command failed; its message is already printed. */
bool repl_execute(struct repl *r, const char *line);
/* Runs lines until the innermost source, pushed just before, is exhausted or `quit` is given. If `ends_at_failure`, a failed command drops the
 * source. With --batch a failure ends the session. Returns false if a failure ended the run. */
bool repl_run(struct repl *r, bool ends_at_failure);
/* Runs the lines of a file. Returns false if the file can't be read or a command failed. */
bool repl_source(struct repl *r, const char *path);

/* Returns true if `name` is a command's full name or alias. */
bool repl_is_command(const struct repl *r, const char *name);
/* Returns true if the first `n` bytes of `args` abbreviate the word with at least `least` letters. */
bool repl_abbreviates(const char *args, size_t n, const char *word, size_t least);
/* Returns true if a line's first word is a command, an alias or a defined command. */
bool repl_knows_command(const struct repl *r, const char *line);

/* Runs a command that runs the machine, reversed if `exec-direction` is reverse. Reports the stop; returns false, with the error printed, if the
 * command failed. */
bool repl_run_machine(struct repl *r, debug_run_fn *run, const char *args);
/* Passes the setting `args` to the program. */
void repl_apply_args(struct repl *r);

/* Prints `error: ...` on standard error and returns false. */
__attribute__((format(printf, 2, 3))) bool repl_error(struct repl *r, const char *fmt, ...);
/* Prints the error of a failed command of src/debug. Prints nothing if `why` is empty. */
void repl_failure(struct repl *r, const struct text *why);
/* Returns an argument that is the rest of the line, without quotes around it. The caller frees the result. */
char *repl_unquoted(const char *args);
/* Prints diagnostics on standard error; returns true if there was no error among them. */
bool repl_diags(struct repl *r, const struct diag_list *diags);
/* Prints a result to standard output, through the pager on a terminal, or adds it to the capture or answer that collects. */
void repl_print(struct repl *r, const char *s);
/* Sets the debugger's output width and colours before a command runs. */
void repl_fit(struct repl *r);
/* Formats and prints a result, as repl_print does. */
__attribute__((format(printf, 2, 3))) void repl_printf(struct repl *r, const char *fmt, ...);
/* Prints and frees a text. */
void repl_print_text(struct repl *r, struct text *t);
/* Passes the settings of the checkers to the debugger. */
void repl_apply_check(struct repl *r);
/* Writes a text as a file's content. Returns false, with the error printed and the old content kept, if that fails. */
bool repl_write_file(struct repl *r, const char *path, const struct text *t);
/* Asks a question to be answered with y or n. Returns true for y, at the end of input, or if there is no user to ask. */
bool repl_asks(struct repl *r, const char *question);
/* Returns true if standard output has not accepted what was written since the last call. The command then counts as failed, with an error printed,
 * unless a pipe's reader is gone. */
bool repl_output_lost(struct repl *r);
/* Notes an exit status, keeping the first. */
void repl_set_status(struct repl *r, enum repl_status s);

/* Prints a diagnostic, without a prefix, to standard error, or adds it to the capture. */
void repl_complain(struct repl *r, const char *s);
/* Runs lines for another face, such as gdb: all text goes to `out`, and nothing is asked. If `is_confined`, the commands may not touch programs and
 * files of the host. */
void repl_execute_for(struct repl *r, const char *lines, bool is_confined, struct text *out);
/* Returns false, with an error about `what` printed, if the command that runs may not touch programs and files of the host. */
bool repl_may_reach(struct repl *r, const char *what);
/* Waits until the descriptor that the prompt reads from is readable, while other faces work. Returns at once if no other face has work. */
void repl_wait_input(struct repl *r, int fd);

/* ---- settings ---- */
/* Returns a setting's value as a number. */
long repl_setting_int(const struct repl *r, enum repl_setting_id id);
/* Returns true if a setting's value is "on". */
bool repl_setting_on(const struct repl *r, enum repl_setting_id id);
/* Returns a setting's value, owned by the prompt and valid until the setting changes. */
const char *repl_setting(const struct repl *r, enum repl_setting_id id);
/* Sets a setting from `NAME VALUE`; NAME may be a unique prefix, or two words for a name with a '-'. Returns false if there is no such setting
 * (*known is false), or with the error printed. */
bool repl_setting_set(struct repl *r, const char *text, bool *known);
/* Prints that there is no setting of that name, with the nearest name or else `otherwise`. Always returns false. */
bool repl_setting_unknown(struct repl *r, const char *text, const char *otherwise);
/* Prints one setting, or all if `name` is empty. Returns false, with the error printed, if there is no such setting. */
bool repl_setting_show(struct repl *r, const char *name);

/* ---- the table of commands ---- */
enum repl_complete {
	COMPLETE_NONE,
	COMPLETE_FILE,
	COMPLETE_LOCATION,
	COMPLETE_EXPR,
	COMPLETE_COMMAND,
	COMPLETE_INFO,
	COMPLETE_KERNEL,
	COMPLETE_SETTING,
	COMPLETE_SET,
	COMPLETE_BREAKPOINT,
	COMPLETE_FOCUS,
	COMPLETE_FRAME,
	COMPLETE_CATCH,
	COMPLETE_BUFFER,
	COMPLETE_TYPE, /* NAME TYPE[COUNT] = INIT */
	COMPLETE_DUMP,
	COMPLETE_WHY,
	COMPLETE_DIFF_LAUNCH,
	COMPLETE_STATS,
	COMPLETE_DIAGRAM,
	COMPLETE_TRACE
};

enum repl_repeat {
	NO_REPEAT,
	REPEAT_LINE,
	REPEAT_NAME
}; /* what an empty line does: nothing, the whole line again, the command without arguments */

/* What a command, or a setting, can touch of the machine that warpstep runs on. The client of gdb on another machine is refused all of it
 * (gdbstub/link/listen.c). */
enum repl_reach {
	REACH_INSIDE, /* nothing but the simulated machine */
	REACH_ARGS,   /* depends on the arguments: the command asks repl_may_reach, or debug_may_reach_host */
	REACH_HOST,   /* starts programs; reads, writes or names files; or keeps commands that run later for the prompt's user */
	REACH_PROMPT  /* touches the host, and is for no gdb at all */
};

/* One row of commands.def. Exactly one of the five functions is set. */
struct repl_command {
	const char *name;
	const char *aliases; /* blank separated */
	const char *group;
	const char *usage; /* arguments */
	enum repl_complete complete;
	enum repl_repeat repeat;
	enum repl_reach reach;
	const char *brief;
	const char *help; /* more, or "" */
	const char *example;
	bool (*own)(struct repl *r, const char *args); /* prints and reports by itself */
	debug_answer_fn *text;			       /* answers (answer.h) */
	debug_run_fn *run;			       /* reports the stop */
	history_run_fn *back;			       /* of src/history: reports the stop */
	history_answer_fn *past;		       /* of src/history: answers */
	bool is_script; /* its arguments are other commands, or text: `--json` in them means nothing to it */
};

/* All commands; a prompt has a pointer to its table, so that only command_table.c names their functions. */
struct repl_command_table {
	const struct repl_command *rows;
	size_t n;
};
extern const struct repl_command_table repl_command_table;

/* Finds a command by the first `n` bytes of `name`: an exact name, an alias or a unique prefix. Returns NULL, with the reason in `why`, if there is
 * none. */
const struct repl_command *repl_find_command(const struct repl *r, const char *name, size_t n, struct text *why);

/* Functions of the table that are the prompt's own. */
#define TEXT(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example)
#define RUN(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example)
#define BACK(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example)
#define PAST(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example)
#define OWN(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	bool fn(struct repl *r, const char *args);
#define SCRIPT OWN
#include "repl/commands.def"

/* ---- `info` (info.c) ---- */
/* A subject the prompt knows itself, beside debug_info_rows. */
struct repl_info_row {
	const char *name, *usage, *help;
	bool (*fn)(struct repl *r, const char *args);
};
extern const struct repl_info_row repl_info_rows[];
extern const size_t repl_info_n;

/* ---- reporting what the machine did ---- */
/* Prints a stop, notes the exit status, and queues the breakpoint's commands. Always returns true: a stop is not a failed command. */
bool repl_report(struct repl *r, const struct debug_stop *stop);

/* Runs the defined command hook-stop, before a stop is shown. */
void repl_hook_stop(struct repl *r);

/* Shows all displays (after stops, and `display` without arguments). */
void repl_show_displays(struct repl *r);

/* ---- completion (complete.c) ---- */
/* Returns the candidates for the word that starts at `start` of `line`: a NULL-terminated malloc'd array of malloc'd strings. Returns NULL if there
 * are none. */
char **repl_complete(struct repl *r, const char *line, size_t start, const char *word);

#endif
