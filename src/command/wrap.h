/* Lines that fit the screen. */
#ifndef DEBUG_WRAP_H
#define DEBUG_WRAP_H

#include "debug/debug.h"

/* Appends lines. A line wider than the screen, if there is one, is broken at blanks, and the rest of it is indented. */
void debug_wrap(const struct debug *d, struct text *lines, struct text *out);

#endif
