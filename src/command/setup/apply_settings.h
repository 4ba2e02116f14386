/* Settings that faces apply when a session begins. */
#ifndef COMMAND_SETUP_APPLY_SETTINGS_H
#define COMMAND_SETUP_APPLY_SETTINGS_H

#include "command/interpreter/interpreter.h"

/* Applies all settings. Returns false, with the error printed, if a value is bad. */
bool settings_apply(struct interpreter *in);
/* Gives settings that are inputs of the device the values that the device has, which may be those of an earlier moment. */
void settings_follow_device(struct interpreter *in);
/* Runs `set substitute-path FROM TO`. */
bool set_substitute_path(struct interpreter *in, const char *args);
/* Runs `show substitute-path [PATH]`. */
bool show_substitute_path(struct interpreter *in, const char *args);
/* Passes the settings of the checkers to the debugger. */
void settings_apply_check(struct interpreter *in);
/* Switches the setting `history` on: an interactive session begins, or gdb is served. */
void settings_record_history(struct interpreter *in);

#endif
