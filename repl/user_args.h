/* Arguments of commands made with `define`. */
#ifndef REPL_USER_ARGS_H
#define REPL_USER_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct user_args {
	char **v; /* owned */
	size_t n, cap;
	const char *all; /* as typed; the caller's */
};

/* Splits at blanks; quotes (which stay) and backslashes keep words together, as in gdb. False: a quote is not closed. */
bool user_args_split(struct user_args *a, const char *s);
void user_args_free(struct user_args *a);

/* A body with $arg0, $arg1, ..., $argc and $arg* (all of them) replaced. What was not given stays as it is: a variable without a
 * value, so that `if $argc > 1` can be asked first. */
void user_args_substitute(const struct user_args *a, const char *body, struct text *out);

#endif
