#include "repl/json.h"

#include <stdlib.h>
#include <string.h>

#include "debug/facts.h"
#include "repl/past.h"

const char json_option[] = "--json";

bool json_is_taken(const char *usage) { return strstr(usage, "--json FILE"); }

bool json_write(struct repl *r, const char *path, const struct text *json)
{
	if (strcmp(path, "-"))
		return repl_write_file(r, path, json);
	repl_print(r, text_str(json));
	return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The last one; NULL: there is none. */
static const char *find_option(const char *args)
{
	const size_t n = strlen(json_option);
	const char *found = NULL;
	for (const char *s = args; (s = strstr(s, json_option)); s += n)
		if ((s == args || is_blank(s[-1])) && (!s[n] || is_blank(s[n])))
			found = s;
	return found;
}

static bool print(struct repl *r, const struct json_report *what, const char *args)
{
	return what->text ? repl_run_text(r, what->text, args) : past_text(r, what->past, args);
}

/* The arguments without what is behind them. */
static bool make(struct repl *r, const struct json_report *what, const char *args, struct text *json)
{
	struct text out = {0}, why = {0};
	facts_begin(r->dbg);
	struct text command = {0};
	text_addf(&command, "%s%s%s", what->name, *args ? " " : "", args);
	facts_text(r->dbg, "command", text_str(&command));
	facts_number(r->dbg, "cycle", gpu_cycle(debug_gpu(r->dbg)));
	const bool ok = what->text ? what->text(r->dbg, args, &out, &why)
				   : what->past(session_history(r->session), args, &out, &why);
	facts_text(r->dbg, "text", text_str(&out));
	facts_end(r->dbg, json);
	if (!ok)
		repl_failure(r, &why);
	text_free(&command);
	text_free(&out);
	text_free(&why);
	return ok;
}

bool json_run(struct repl *r, const struct json_report *what, const char *args)
{
	const char *at = find_option(args);
	struct text json = {0}, rest = {0};
	if (!at)
		return print(r, what, args);
	const char *file = at + strlen(json_option);
	file += strspn(file, " \t");
	if (!*file)
		return repl_error(r, "usage: %s ... --json FILE", what->name);
	size_t n = (size_t)(at - args);
	while (n && is_blank(args[n - 1]))
		n--;
	text_addn(&rest, args, n);
	char *path = repl_unquoted(file);
	const bool ok = (!strcmp(path, "-") || repl_may_reach(r, path)) && make(r, what, text_str(&rest), &json) && json_write(r, path, &json);
	free(path);
	text_free(&rest);
	text_free(&json);
	return ok;
}
