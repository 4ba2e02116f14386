/* Lines that fit the screen. */
#ifndef COMMAND_WRAP_H
#define COMMAND_WRAP_H

#include "debug/debug.h"

/* Appends `lines` to `out`, with lines wider than settings.width broken at blanks and their rest indented. Without a width appends them unchanged. */
void debug_wrap(const struct debug *d, struct text *lines, struct text *out);

/* Breaks lines as debug_wrap does, and indents the rest of a broken line to column `column`. */
void debug_wrap_at(const struct debug *d, unsigned column, struct text *lines, struct text *out);

#endif
