/* Arguments of commands made with `define`. */
#ifndef COMMAND_INTERPRETER_USER_ARGS_H
#define COMMAND_INTERPRETER_USER_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct user_args {
	char **v; /* owned */
	size_t n, cap;
	const char *all; /* as typed; the caller's */
};

/* Splits arguments at blanks; quotes (which stay) and backslashes keep words together, as in gdb. Returns false if a quote is not closed. */
bool user_args_split(struct user_args *a, const char *s);
/* Releases the words; the arguments are then empty. */
void user_args_free(struct user_args *a);

/* Adds a body to `out` with $arg0, $arg1, ..., $argc and $arg* (all of them) replaced. A variable without an argument stays, so that `if $argc > 1`
 * can be asked first. */
void user_args_substitute(const struct user_args *a, const char *body, struct text *out);

#endif
