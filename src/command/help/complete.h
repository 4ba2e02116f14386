/* Completion of command lines. */
#ifndef COMMAND_HELP_COMPLETE_H
#define COMMAND_HELP_COMPLETE_H

#include <stddef.h>

struct interpreter;

/* Returns the candidates for the word that starts at `start` of `line`: a NULL-terminated malloc'd array of malloc'd strings. Returns NULL if there
 * are none. */
char **command_completions(struct interpreter *in, const char *line, size_t start, const char *word);

#endif
