/* The table of commands: what a row of commands.def says of a command. */
#ifndef COMMAND_TABLE_H
#define COMMAND_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "command/command.h"
#include "debug/debug.h"
#include "history/history.h"

struct interpreter;

/* Which names a command's arguments are completed with (help/complete.c). */
enum command_completion {
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

/* What an empty line does after a command: nothing, the whole line again, the command without arguments. */
enum command_repeat { NO_REPEAT, REPEAT_LINE, REPEAT_NAME };

/* What a command, or a setting, can access on the host. Clients of gdb on other machines may use nothing of that (gdbstub/link/listen.c). */
enum command_reach {
	REACH_INSIDE, /* nothing but the simulated machine */
	REACH_ARGS,   /* depends on the arguments: the command asks interpreter_may_reach, or debug_may_reach_host */
	REACH_HOST,   /* starts programs; reads, writes or names files; or keeps commands that run later for the prompt's user */
	REACH_PROMPT  /* accesses the host, and is refused to every gdb */
};

/* A command that uses the interpreter itself: prints, reports stops, runs other commands. Returns false, with the error printed, if it fails. */
typedef bool command_own_fn(struct interpreter *in, const char *args);

/* One row of commands.def. Exactly one of the five functions is set. */
struct command {
	const char *name;
	const char *aliases; /* blank separated */
	const char *group;
	const char *usage; /* arguments */
	enum command_completion complete;
	enum command_repeat repeat;
	enum command_reach reach;
	const char *brief;
	const char *help; /* more, or "" */
	const char *example;
	command_own_fn *own;
	debug_answer_fn *text;	 /* answers */
	command_run_fn *run;	 /* runs the machine; the stop is reported */
	command_back_fn *back;	 /* moves the machine in time; the stop is reported */
	command_past_fn *past; /* answers about the past */
	bool is_script; /* the arguments are other commands, or text: `--json` in them is no option */
};

/* A run command and the command that takes its place while `exec-direction` is reverse. */
struct command_reversal {
	command_run_fn *forward;
	command_back_fn *back;
};

/* All commands. An interpreter has a pointer to its table, so only command_table.c names the functions. */
struct command_table {
	const struct command *rows;
	size_t n;
	const struct command_reversal *reversals;
	size_t n_reversals;
	void (*at_stop)(struct interpreter *in); /* called after a stop is shown: post-mortem files, displays */
};
extern const struct command_table command_table;

/* Functions of the rows OWN and SCRIPT. */
#define TEXT(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example)
#define RUN TEXT
#define BACK TEXT
#define PAST TEXT
#define TEXT_SCRIPT TEXT
#define OWN(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) command_own_fn fn;
#define SCRIPT OWN
#include "command/commands.def"

#endif
