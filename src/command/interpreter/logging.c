#include "command/interpreter/logging.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "command/interpreter/interpreter.h"

void logging_free(struct interpreter *in)
{
	free(in->log_file);
	in->log_file = NULL;
}

static bool fail(struct interpreter *in, const char *path)
{
	const int error = errno;
	setting_replace(in, SETTING_LOGGING_ENABLED, "off");
	return interpreter_error(in, "can't write '%s': %s", path, strerror(error));
}

/* The line about the log is for the face alone. */
static bool start(struct interpreter *in)
{
	const char *path = setting_text(in, SETTING_LOGGING_FILE);
	const struct files *files = session_files(in->session);
	if (setting_is_on(in, SETTING_LOGGING_OVERWRITE) ? !files_write(files, path, "", 0) : !files_append(files, path, "", 0))
		return fail(in, path);
	in->log_redirects = setting_is_on(in, SETTING_LOGGING_REDIRECT);
	interpreter_printf(in, "%s output to %s.\n", in->log_redirects ? "Redirecting" : "Copying", path);
	in->log_file = xstrdup(path);
	return true;
}

static void stop(struct interpreter *in)
{
	struct text line = {0};
	text_addf(&line, "Done logging to %s.\n", in->log_file);
	logging_free(in);
	interpreter_print_text(in, &line);
}

bool logging_apply(struct interpreter *in)
{
	const bool is_wanted = setting_is_on(in, SETTING_LOGGING_ENABLED);
	if (is_wanted == (in->log_file != NULL))
		return true;
	if (is_wanted)
		return start(in);
	stop(in);
	return true;
}

bool logging_add(struct interpreter *in, const char *s)
{
	if (!in->log_file || !*s)
		return false;
	if (files_append(session_files(in->session), in->log_file, s, strlen(s)))
		return in->log_redirects;
	char *path = in->log_file;
	in->log_file = NULL;
	fail(in, path);
	free(path);
	return false;
}
