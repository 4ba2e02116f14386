/* Commands about breakpoints that are about displays, checkpoints or buffers, too: delete, enable, disable, save; and command lists. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/input.h"
#include "command/interpreter/interpreter.h"
#include "command/running/running.h"
#include "command/show/displays.h"
#include "command/stop/stop_commands.h"
#include "command/setup/buffers.h"
#include "debug/setup/buffer.h"
#include "debug/stop/breakpoint.h"

bool command_commands(struct interpreter *in, const char *args)
{
	uint32_t numbers[64];
	size_t n = 0;
	struct text why = {0};
	bool ok = breakpoint_commands_targets(in->dbg, args, numbers, 64, &n, &why);
	char *body = input_read_block(in);
	if (!ok && body)
		interpreter_error(in, "%s", text_str(&why));
	ok = ok && body;
	text_free(&why);
	const char **lines = NULL;
	size_t n_lines = 0, cap = 0;
	for (char *at = body; ok && *at;) {
		char *eol = strchr(at, '\n');
		lines = xgrow(lines, &cap, n_lines + 1, sizeof *lines);
		lines[n_lines++] = at;
		*eol = '\0'; /* input_read_block ends every line */
		at = eol + 1;
	}
	for (size_t i = 0; ok && i < n; i++)
		breakpoint_commands_set(in->dbg, numbers[i], lines, n_lines);
	free(lines);
	free(body);
	return ok;
}

bool command_delete(struct interpreter *in, const char *args)
{
	size_t n = strcspn(args, " \t");
	const char *rest = args + n + strspn(args + n, " \t");
	if (argument_abbreviates(args, n, "checkpoints", 2))
		return answer_ask_history(in, checkpoint_delete, rest);
	if (argument_abbreviates(args, n, "display", 1))
		return command_undisplay(in, rest);
	if (argument_abbreviates(args, n, "buffers", 2))
		return answer_ask(in, command_delete_buffer, rest);
	if (argument_abbreviates(args, n, "breakpoints", 1))
		args = rest;
	if (!*args && breakpoint_count(in->dbg) && !interpreter_asks(in, "Delete all breakpoints?"))
		return true;
	return answer_ask(in, breakpoints_delete, args);
}

/* `enable display 2`; everything else is about breakpoints. */
static bool switched(struct interpreter *in, const char *args, enum display_change what, debug_answer_fn *breakpoints)
{
	size_t n = strcspn(args, " \t");
	const char *rest = args + n + strspn(args + n, " \t");
	if (n >= 2 && n <= 7 && !strncmp(args, "display", n) && strncmp(args, "delete", n))
		return displays_change(in, rest, what);
	if (n >= 2 && n <= 11 && !strncmp(args, "breakpoints", n))
		args = rest;
	return answer_ask(in, breakpoints, args);
}

bool command_enable(struct interpreter *in, const char *args) { return switched(in, args, DISPLAY_ENABLE, breakpoints_enable); }

bool command_disable(struct interpreter *in, const char *args) { return switched(in, args, DISPLAY_DISABLE, breakpoints_disable); }

bool command_save(struct interpreter *in, const char *args)
{
	size_t n = strcspn(args, " \t");
	const char *rest = args + n + strspn(args + n, " \t");
	if (n < 2 || n > 11 || strncmp(args, "breakpoints", n) || !*rest || debug_buffer_find(in->dbg, args, n))
		return answer_ask(in, buffer_save, args);
	char *path = argument_unquoted(rest);
	struct text out = {0}, why = {0};
	bool ok = breakpoint_save_text(in->dbg, &out, &why);
	if (!ok)
		interpreter_error(in, "%s", text_str(&why));
	ok = ok && interpreter_write_file(in, path, &out);
	if (ok)
		interpreter_printf(in, "Saved to file '%s'.\n", path);
	text_free(&out);
	text_free(&why);
	free(path);
	return ok;
}
