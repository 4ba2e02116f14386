/* `set substitute-path`, `show substitute-path`, `unset`: rules that say where sources have moved to. */
#include <stdlib.h>
#include <string.h>

#include "command/interpreter/interpreter.h"
#include "command/interpreter/user_args.h"
#include "command/setup/apply_settings.h"
#include "debug/view/source.h"

#define NAME "substitute-path"

static void add_rule(struct interpreter *in, const struct user_args *a)
{
	char *from = argument_unquoted(a->v[0]), *to = argument_unquoted(a->v[1]);
	if (*from)
		debug_substitute_add(in->dbg, from, to);
	else
		interpreter_error(in, "First argument must be at least one character long");
	free(from);
	free(to);
}

bool set_substitute_path(struct interpreter *in, const char *args)
{
	struct user_args a;
	if (!interpreter_may_reach(in, "set " NAME))
		return false;
	if (!user_args_split(&a, args))
		return interpreter_error(in, "a quote is not closed in the arguments of set " NAME);
	if (a.n == 2)
		add_rule(in, &a);
	else
		interpreter_error(in, "Incorrect usage, two arguments are required: set " NAME " FROM TO");
	user_args_free(&a);
	return !in->failed;
}

static void print_rule(struct interpreter *in, const struct debug_substitute *rule)
{
	interpreter_printf(in, "  `%s' -> `%s'.\n", rule->from, rule->to);
}

bool show_substitute_path(struct interpreter *in, const char *args)
{
	if (*args) {
		const struct debug_substitute *rule = debug_substitute_for(in->dbg, args);
		interpreter_printf(in, "Source path substitution rule matching `%s':\n", args);
		if (rule)
			print_rule(in, rule);
		return true;
	}
	interpreter_print(in, "List of all source path substitution rules:\n");
	for (size_t i = 0; i < debug_substitute_count(in->dbg); i++)
		print_rule(in, debug_substitute_at(in->dbg, i));
	return true;
}

bool command_unset(struct interpreter *in, const char *args)
{
	const size_t n = strcspn(args, " \t");
	const char *from = args + n + strspn(args + n, " \t");
	if (n != strlen(NAME) || memcmp(args, NAME, n))
		return interpreter_error(in, "usage: unset " NAME " [FROM]");
	if (!interpreter_may_reach(in, "unset " NAME))
		return false;
	if (!*from && !interpreter_asks(in, "Delete all source path substitution rules?"))
		return true;
	char *folder = argument_unquoted(from);
	const bool ok = debug_substitute_remove(in->dbg, *folder ? folder : NULL) || !*folder ||
			interpreter_error(in, "No substitution rule defined for `%s'", folder);
	free(folder);
	return ok;
}
