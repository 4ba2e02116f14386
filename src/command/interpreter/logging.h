/* The log of `set logging`: a file that gets what commands print. */
#ifndef COMMAND_INTERPRETER_LOGGING_H
#define COMMAND_INTERPRETER_LOGGING_H

#include <stdbool.h>

struct interpreter;

/* Starts or ends logging as the settings say. Returns false, with the error printed and the setting off, if the file can't be written. */
bool logging_apply(struct interpreter *in);
/* Appends a text that a face is about to get to the log file, if there is one. Returns true if the settings say that the face doesn't get it too. */
bool logging_add(struct interpreter *in, const char *s);
/* Ends logging without a word. */
void logging_free(struct interpreter *in);

#endif
