/* Lines that fit the screen. */
#ifndef COMMAND_WRAP_H
#define COMMAND_WRAP_H

#include "debug/debug.h"

/* Appends `lines` to `out`, with lines wider than settings.width broken at blanks and their rest indented. Without a width appends them unchanged. */
void wrap_lines(const struct debug *d, struct text *lines, struct text *out);

/* Breaks lines as wrap_lines does, and indents the rest of a broken line to column `column`. */
void wrap_lines_at(const struct debug *d, unsigned column, struct text *lines, struct text *out);

#endif
