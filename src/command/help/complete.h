/* Completion of command lines. */
#ifndef COMMAND_HELP_COMPLETE_H
#define COMMAND_HELP_COMPLETE_H

#include <stddef.h>

struct interpreter;

/* Returns the candidates for `word`, which starts at `start` of `line`, behind a blank: a NULL-terminated malloc'd array of malloc'd strings. Each
 * candidate replaces the whole word; in an expression it repeats what stands in front of the name. Returns NULL if there are none. */
char **command_completions(struct interpreter *in, const char *line, size_t start, const char *word);

#endif
