/* Completion of command lines. */
#ifndef COMMAND_HELP_COMPLETE_H
#define COMMAND_HELP_COMPLETE_H

#include <stddef.h>

struct interpreter;

/* Returns the candidates for the word that starts at `start` of `line`, behind a blank; they begin as the word does, where it is an expression with all
 * that stands in front of the name: a NULL-terminated malloc'd array of malloc'd strings. Returns NULL if there
 * are none. */
char **command_completions(struct interpreter *in, const char *line, size_t start, const char *word);

#endif
