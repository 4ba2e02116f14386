/* The table of settings, for completion and help. */
#ifndef REPL_SETTINGS_H
#define REPL_SETTINGS_H

#include "repl/repl.h"

struct repl_setting_row {
	const char *name;
	enum repl_reach reach;
	const char *kind;  /* "on|off", "number", "text" or the words allowed, separated by '|' */
	const char *value; /* default */
	const char *help;
};
extern const struct repl_setting_row repl_setting_rows[REPL_SETTINGS];

/* Sets all settings to their defaults. */
void repl_settings_init(struct repl *r);
/* Releases the values of all settings. */
void repl_settings_free(struct repl *r);

#endif
