/* `COMMAND ... --json FILE`: what a report says, for machines. */
#ifndef REPL_JSON_H
#define REPL_JSON_H

#include "repl/repl.h"

/* A command that only makes text. */
struct json_report {
	const char *name;      /* `info stalls` */
	debug_text_fn *text;   /* of src/debug, or */
	history_text_fn *past; /* of src/history */
};
extern const char json_option[]; /* `--json` */
/* Prints it; with `--json FILE` behind its arguments it goes to that file as JSON instead, `-`: is printed so. */
bool json_run(struct repl *r, const struct json_report *what, const char *args);
/* Does a row of a table, with this usage, take `--json FILE`? */
bool json_is_taken(const char *usage);
/* A JSON text to a file, as a user names it; `-`: it is printed. */
bool json_write(struct repl *r, const char *path, const struct text *json);

#endif
