/* Expressions that are shown at each stop. */
#ifndef COMMAND_SHOW_DISPLAYS_H
#define COMMAND_SHOW_DISPLAYS_H

#include "command/interpreter/interpreter.h"

enum display_change { DISPLAY_DROP, DISPLAY_ENABLE, DISPLAY_DISABLE };

/* Shows all displays that are on (after stops, and `display` without arguments). */
void displays_show(struct interpreter *in);
/* Changes the displays N and N-M of `args`, or all if it is empty. Returns false, with the error printed, for other words or numbers. */
bool displays_change(struct interpreter *in, const char *args, enum display_change what);

#endif
