/* The file of the command history: plain lines. Each line is added when it is typed. So a session that ends by a signal loses none, and several
 * sessions can share the file. */
#ifndef REPL_LINE_HISTORY_H
#define REPL_LINE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Adds the last `most` lines of a history file (0: all) to `out`, each with its newline. A file that libedit has written is read, too. */
void line_history_read(const char *path, size_t most, struct text *out);
/* Adds a line at the end of a history file, which is made if need be, of mode 0600. Returns false with errno set, and leaves the file as it
 * was, if that fails. */
bool line_history_add(const char *path, const char *line);
/* Shortens a history file to its last `most` lines (0: all). Returns false with errno set, and leaves the file as it was, if that fails. */
bool line_history_shorten(const char *path, size_t most);

#endif
