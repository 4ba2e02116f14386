/* What a command answers as data: `COMMAND ... --json FILE` for one command, `set output json` for all that follow
 * (docs/manual/json.md). */
#ifndef COMMAND_INTERPRETER_ANSWER_H
#define COMMAND_INTERPRETER_ANSWER_H

#include "command/command.h"
#include "report/report.h"
#include "command/interpreter/interpreter.h"

/* The answer of a command that runs, from answer_begin to answer_end. While there is one, what the command prints is kept in it. */
struct answer {
	struct answer *outer;	/* of the command that runs this one; NULL: none */
	struct report *report;	/* cells of the result, and the words that the command printed */
	bool is_bare;		/* the result is without `command`, `cycle` and `text` */
	bool is_script;		/* nothing is printed for a command that has said nothing: those that it ran have answers */
	bool is_line;		/* printed as one line with the status; else `result` alone goes to `file` */
	struct report *to;	/* gets what the line would show (interpreter_ask); NULL: the line is printed */
	char *file;		/* of `--json FILE`; "-": standard output */
	char *command;
	int status;		/* of the last stop that was reported */
	struct text message;	/* of the first error; empty: there was none */
	char *error_file;	/* where the error is; NULL: no place */
	uint32_t line, column;
	struct text *capture;	/* the interpreter's, while the answer collects */
};

extern const char json_option[]; /* `--json` */

/* Returns true if arguments end with `--json FILE`. *rest gets the text in front of it and *file the rest of the line, "-" if there is none; the
 * caller frees both. */
bool answer_option(const char *args, char **rest, char **file);
/* Begins a command's answer. `file`, which the answer owns from now on, is that of `--json FILE`; NULL: the setting `output` is json. */
void answer_begin(struct interpreter *in, struct answer *a, const char *command, char *file);
/* Ends the answer and prints it, or writes the file. Returns false if the command failed or the file can't be written. */
bool answer_end(struct interpreter *in, struct answer *a, bool ok);
/* Makes the running command's result consist of the report's cells alone, without its words, and drops cells added so far. Does nothing if no answer
 * is collected. */
void answer_bare(struct interpreter *in);
/* Notes an error of the command that runs, with its place if a script's line is. Returns false, with nothing done, if errors are printed. */
bool answer_error(struct interpreter *in, const char *message);
/* Notes the first error of a list, with its place. Returns false, with nothing done, if errors are printed or the list has none. */
bool answer_diags(struct interpreter *in, const struct diag_list *diags);

/* Returns the report to which a command adds one part of its answer: the answer that is being collected, or a new report, which answer_part_end
 * prints. */
struct report *answer_part(struct interpreter *in);
/* Ends a part that answer_part returned; prints the part if no answer collects. */
void answer_part_end(struct interpreter *in, struct report *part);
/* Runs a command that answers from the debugger, and prints its answer or adds it to the answer that is being collected. Returns false if the command
 * failed. */
bool answer_ask(struct interpreter *in, debug_answer_fn *fn, const char *args);
/* Runs a command that answers from the history, and prints its answer or adds it to the answer that is being collected. Returns false if the command
 * failed. */
bool answer_ask_history(struct interpreter *in, command_past_fn *fn, const char *args);
/* Adds a stop to the answer that collects, if there is one. */
void answer_stop(struct interpreter *in, const struct debug_stop *stop);

/* Prints a stop that another face has led to as a line, `{"stop": ...}`, if the setting `output` is json and returns true; else returns false. */
bool answer_event_stop(struct interpreter *in, const struct debug_stop *stop);
/* Prints `{"NAME": "TEXT"}` as a line if the setting `output` is json and returns true; else returns false. */
bool answer_event(struct interpreter *in, const char *name, const char *s, size_t n);

#endif
