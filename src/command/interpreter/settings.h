/* The settings of an interpreter: `set NAME VALUE`, `show NAME`. The table is settings.def. */
#ifndef COMMAND_INTERPRETER_SETTINGS_H
#define COMMAND_INTERPRETER_SETTINGS_H

#include <stdbool.h>

#include "command/table.h"

enum setting_id {
#define SETTING(id, name, reach, kind, value, help) SETTING_##id,
#include "command/interpreter/settings.def"
	SETTINGS
};

struct setting_row {
	const char *name;
	enum command_reach reach;
	const char *kind;  /* "on|off", "number", "text" or the words allowed, separated by '|' */
	const char *value; /* default */
	const char *help;
};
extern const struct setting_row setting_rows[SETTINGS];

/* Sets all settings to their defaults. */
void settings_create(struct interpreter *in);
/* Releases the values of all settings. */
void settings_free(struct interpreter *in);

/* Returns a setting's value as a number. */
long setting_number(const struct interpreter *in, enum setting_id id);
/* Returns true if a setting's value is "on". */
bool setting_is_on(const struct interpreter *in, enum setting_id id);
/* Returns a setting's value, owned by the interpreter and valid until the setting changes. */
const char *setting_text(const struct interpreter *in, enum setting_id id);
/* Replaces a setting's value by a copy of `value`, unchecked. */
void setting_replace(struct interpreter *in, enum setting_id id, const char *value);
/* Stores the setting whose name begins a text, as in setting_set. Returns false if there is none. */
bool setting_named(const char *text, enum setting_id *id);
/* Sets a setting from `NAME VALUE`; NAME may be a unique prefix, or two words for a name with a '-'. Returns false if there is no such setting
 * (*known is false), or with the error printed. */
bool setting_set(struct interpreter *in, const char *text, bool *known);
/* Prints that there is no setting of that name, with the nearest name or else `otherwise`. Always returns false. */
bool setting_unknown(struct interpreter *in, const char *text, const char *otherwise);
/* Prints one setting, or all if `name` is empty. Returns false, with the error printed, if there is no such setting. */
bool setting_show(struct interpreter *in, const char *name);

#endif
