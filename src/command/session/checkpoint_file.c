/* Checkpoints: moments that are kept in memory, and files. */
#include <stdlib.h>
#include <string.h>

#include "checkpoint/checkpoint.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/running/running.h"
#include "command/setup/apply_settings.h"
#include "debug/stop/stop.h"

/* A name, which may be quoted, and nothing after it. */
static char *file_name(const char *args)
{
	char *s = argument_unquoted(args);
	size_t n = strlen(s);
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		s[--n] = '\0';
	return s;
}

static bool save_checkpoint(struct interpreter *in, const char *path)
{
	struct text out = {0}, why = {0};
	if (!interpreter_may_reach(in, path))
		return false;
	const bool ok = checkpoint_save(in->session, path, &out, &why);
	interpreter_print_text(in, &out);
	if (!ok)
		interpreter_failure(in, &why);
	text_free(&why);
	return ok;
}

bool command_checkpoint(struct interpreter *in, const char *args)
{
	char *path = file_name(args);
	const bool ok =
		checkpoint_is_file(path) ? save_checkpoint(in, path) : answer_ask_history(in, checkpoint_keep, args);
	free(path);
	return ok;
}

bool command_restore(struct interpreter *in, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	if (!*args)
		return interpreter_error(in, "usage: restore FILE.wsc");
	char *path = file_name(args);
	debug_stop_init(&stop);
	interpreter_fit(in);
	const bool ok = checkpoint_restore(in->session, path, &stop, &why);
	if (ok && history_is_recorded(session_history(in->session)))
		settings_record_history(in);
	if (ok)
		interpreter_report_stop(in, &stop);
	else
		interpreter_failure(in, &why);
	free(path);
	text_free(&why);
	debug_stop_free(&stop);
	return ok;
}
