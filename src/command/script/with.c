/* Commands that run another one: with a setting changed for it (`with`), or with its output as a program's input (`pipe`). */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/xalloc.h"
#include "command/interpreter/interpreter.h"
#include "command/setup/apply_settings.h"
#include "debug/expr/expr.h"

/* Returns where ` -- ` begins in a line. Returns NULL if there is none. */
static const char *find_dashes(const char *s)
{
	for (const char *at = s; (at = strstr(at, "--")); at++)
		if ((at == s || isblank((unsigned char)at[-1])) && (!at[2] || isblank((unsigned char)at[2])))
			return at;
	return NULL;
}

/* Runs a command, or the one before this line if it is empty. An empty line still repeats the line that is being executed. */
static bool run_inner(struct interpreter *in, const char *command)
{
	char *line = in->last_line, *before = in->previous_line;
	in->last_line = in->previous_line = NULL;
	const bool ok = *command ? interpreter_execute(in, command)
			: before ? interpreter_execute(in, before)
				 : interpreter_error(in, "No previous command to relaunch");
	free(in->last_line);
	free(in->previous_line);
	in->last_line = line;
	in->previous_line = before;
	return ok;
}

/* ---- with ---- */

static bool run_with(struct interpreter *in, const char *setting, const char *command)
{
	enum setting_id id;
	if (!setting_named(setting, &id))
		return setting_unknown(in, setting, "; `show` lists them");
	char *before = xstrdup(setting_text(in, id));
	bool ok = command_set(in, setting) && run_inner(in, command);
	setting_replace(in, id, before);
	ok = settings_apply(in) && ok;
	free(before);
	return ok;
}

bool command_with(struct interpreter *in, const char *args)
{
	const char *dashes = find_dashes(args);
	if (!*args || dashes == args)
		return interpreter_error(in, "Missing arguments.");
	size_t n = dashes ? (size_t)(dashes - args) : strlen(args);
	while (n && isblank((unsigned char)args[n - 1]))
		n--;
	char *setting = xstrndup(args, n), *command = xstrdup(dashes ? dashes + 2 + strspn(dashes + 2, " \t") : "");
	const bool ok = run_with(in, setting, command);
	free(setting);
	free(command);
	return ok;
}

/* ---- pipe ---- */

static void set_number(struct interpreter *in, const char *name, int number)
{
	struct expr_value v = {.type = ISA_S32, .count = 1, .u.s64 = number};
	debug_variable_set(in->dbg, name, &v);
}

void shell_note_status(struct interpreter *in, int status)
{
	const struct expr_value none = {0};
	debug_variable_set(in->dbg, "_shell_exitcode", &none);
	debug_variable_set(in->dbg, "_shell_exitsignal", &none);
	if (WIFEXITED(status))
		set_number(in, "_shell_exitcode", WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		set_number(in, "_shell_exitsignal", WTERMSIG(status));
}

/* Runs a shell command with a text as its input. */
static bool feed(struct interpreter *in, const char *shell, const struct text *input)
{
	interpreter_flush(in);
	void (*on_pipe)(int) = signal(SIGPIPE, SIG_DFL); /* what is ignored here would be ignored there */
	FILE *to = popen(shell, "w");
	signal(SIGPIPE, on_pipe);
	if (!to)
		return interpreter_error(in, "can't run a shell: %m");
	on_pipe = signal(SIGPIPE, SIG_IGN); /* the command may end before it has read all */
	fwrite(text_str(input), 1, input->n, to);
	const int status = pclose(to);
	signal(SIGPIPE, on_pipe);
	shell_note_status(in, status);
	return true;
}

static bool run_pipe(struct interpreter *in, const char *command, const char *shell)
{
	struct text out = {0}, *const before = in->capture;
	in->capture = &out;
	in->captures_results_only = true;
	bool ok = run_inner(in, command);
	in->captures_results_only = false;
	in->capture = before;
	ok = ok && feed(in, shell, &out);
	text_free(&out);
	return ok;
}

bool command_pipe(struct interpreter *in, const char *args)
{
	char *delimiter = xstrdup("|");
	if (!strncmp(args, "-d", 2) && isblank((unsigned char)args[2])) {
		args += 2 + strspn(args + 2, " \t");
		const size_t n = strcspn(args, " \t");
		free(delimiter);
		delimiter = xstrndup(args, n);
		args += n + strspn(args + n, " \t");
	}
	const char *at = *delimiter ? strstr(args, delimiter) : NULL;
	const char *shell = at ? at + strlen(delimiter) + strspn(at + strlen(delimiter), " \t") : NULL;
	bool ok;
	if (!*delimiter)
		ok = interpreter_error(in, "-d requires an argument");
	else if (!*args)
		ok = interpreter_error(in, "Missing COMMAND");
	else if (!at)
		ok = interpreter_error(in, "Missing delimiter before SHELL_COMMAND");
	else if (!*shell)
		ok = interpreter_error(in, "Missing SHELL_COMMAND");
	else {
		char *command = xstrndup(args, (size_t)(at - args)), *copy = xstrdup(shell);
		ok = run_pipe(in, command, copy);
		free(command);
		free(copy);
	}
	free(delimiter);
	return ok;
}
