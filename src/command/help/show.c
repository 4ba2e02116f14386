/* `show`: settings, and what the session has gathered: values, variables, definitions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "command/inspect.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/setup/apply_settings.h"

static bool list_convenience(struct interpreter *in, const char *args)
{
	(void)args;
	return answer_ask(in, show_convenience, "");
}

static bool list_values(struct interpreter *in, const char *args) { return answer_ask(in, show_values, args); }

static bool show_version(struct interpreter *in, const char *args)
{
	(void)args;
	interpreter_printf(in, "warpstep %s\n", WARPSTEP_VERSION);
	return true;
}

static bool show_user(struct interpreter *in, const char *args)
{
	bool any = false;
	for (size_t i = 0; i < in->n_user; i++) {
		if (*args && strcmp(args, in->user[i].name))
			continue;
		interpreter_printf(in, "User command \"%s\":\n", in->user[i].name);
		for (const char *s = in->user[i].body; *s;) {
			size_t n = strcspn(s, "\n");
			interpreter_printf(in, "  %.*s\n", (int)n, s);
			s += n + (s[n] == '\n');
		}
		interpreter_print(in, "\n");
		any = true;
	}
	return any || !*args || interpreter_error(in, "Not a user command.");
}

static bool show_commands(struct interpreter *in, const char *args)
{
	(void)args;
	return interpreter_may_reach(in, "show commands") && command_history(in, "");
}

static bool show_logging(struct interpreter *in, const char *args)
{
	static const char *const names[] = {"enabled", "file", "overwrite", "redirect"};
	bool ok = true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char name[32];
		snprintf(name, sizeof name, "logging-%s", names[i]);
		if (!*args || !strcmp(args, names[i]))
			ok = setting_show(in, name) && ok;
	}
	return ok;
}

static const struct {
	const char *name;
	size_t least; /* letters that say which */
	bool (*fn)(struct interpreter *in, const char *args);
} rows[] = {{"convenience", 4, list_convenience},
	    {"values", 3, list_values},
	    {"version", 3, show_version},
	    {"user", 2, show_user},
	    {"commands", 3, show_commands},
	    {"logging", 7, show_logging},
	    {"substitute-path", 15, show_substitute_path}};

bool command_show(struct interpreter *in, const char *args)
{
	size_t n = strcspn(args, " \t");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (n >= rows[i].least && n <= strlen(rows[i].name) && !strncmp(args, rows[i].name, n))
			return rows[i].fn(in, args + n + strspn(args + n, " \t"));
	settings_follow_device(in);
	return setting_show(in, args);
}
