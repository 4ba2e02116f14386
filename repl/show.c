/* `show`: settings, and what the session has gathered: values, variables, definitions. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "command/inspect.h"
#include "repl/answer.h"
#include "repl/options.h"
#include "repl/repl.h"

static bool show_convenience(struct repl *r, const char *args)
{
	(void)args;
	return answer_ask(r, debug_convenience_text, "");
}

static bool show_values(struct repl *r, const char *args) { return answer_ask(r, debug_values_text, args); }

static bool show_version(struct repl *r, const char *args)
{
	(void)args;
	repl_printf(r, "warpstep %s\n", WARPSTEP_VERSION);
	return true;
}

static bool show_user(struct repl *r, const char *args)
{
	bool any = false;
	for (size_t i = 0; i < r->n_user; i++) {
		if (*args && strcmp(args, r->user[i].name))
			continue;
		repl_printf(r, "User command \"%s\":\n", r->user[i].name);
		for (const char *s = r->user[i].body; *s;) {
			size_t n = strcspn(s, "\n");
			repl_printf(r, "  %.*s\n", (int)n, s);
			s += n + (s[n] == '\n');
		}
		repl_print(r, "\n");
		any = true;
	}
	return any || !*args || repl_error(r, "Not a user command.");
}

static bool show_commands(struct repl *r, const char *args)
{
	(void)args;
	return repl_may_reach(r, "show commands") && cmd_history(r, "");
}

static const struct {
	const char *name;
	size_t least; /* letters that say which */
	bool (*fn)(struct repl *r, const char *args);
} rows[] = {{"convenience", 4, show_convenience},
	    {"values", 3, show_values},
	    {"version", 3, show_version},
	    {"user", 2, show_user},
	    {"commands", 3, show_commands}};

bool cmd_show(struct repl *r, const char *args)
{
	size_t n = strcspn(args, " \t");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (n >= rows[i].least && n <= strlen(rows[i].name) && !strncmp(args, rows[i].name, n))
			return rows[i].fn(r, args + n + strspn(args + n, " \t"));
	return repl_setting_show(r, args);
}
