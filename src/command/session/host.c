/* Commands about the session and the host: quit, shell, the current folder, the gdb server. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/interpreter/interpreter.h"
#include "command/setup/apply_settings.h"
#include "debug/program.h"
#include "debug/setup/launch.h"
#include "debug/stop/run.h"
#include "server/server.h"

bool command_history(struct interpreter *in, const char *args)
{
	struct text out = {0};
	if (*args)
		return interpreter_error(in, "usage: history");
	if (in->face->list_lines)
		in->face->list_lines(in->face->self, &out);
	interpreter_print_text(in, &out);
	return true;
}

bool command_gdbserver(struct interpreter *in, const char *args)
{
	struct text out = {0}, why = {0};
	bool ok = *args && session_listen(in->session, args, &out, &why);
	if (ok && strcmp(args, "off"))
		settings_record_history(in);
	interpreter_print_text(in, &out);
	if (!ok)
		interpreter_error(in, "%s", *args ? text_str(&why) : "usage: gdbserver [HOST:]PORT, gdbserver unix:PATH, or gdbserver off");
	text_free(&why);
	return ok;
}

bool command_shell(struct interpreter *in, const char *args)
{
	interpreter_flush(in);
	void (*on_pipe)(int) = signal(SIGPIPE, SIG_DFL); /* what is ignored here would be ignored there */
	int status = system(*args ? args : "${SHELL:-/bin/sh}");
	signal(SIGPIPE, on_pipe);
	if (status == -1)
		return interpreter_error(in, "can't run a shell: %m");
	shell_note_status(in, status);
	if (WIFEXITED(status) && WEXITSTATUS(status))
		return interpreter_error(in, "the shell command ended with status %d", WEXITSTATUS(status));
	return WIFEXITED(status) || interpreter_error(in, "the shell command was ended by signal %d", WTERMSIG(status));
}

bool command_pwd(struct interpreter *in, const char *args)
{
	char path[4096];
	if (*args)
		return interpreter_error(in, "usage: pwd");
	if (!getcwd(path, sizeof path))
		return interpreter_error(in, "can't tell the current folder: %m");
	interpreter_printf(in, "Working directory %s.\n", path);
	return true;
}

bool command_cd(struct interpreter *in, const char *args)
{
	const char *home = getenv("HOME");
	const char *to = *args ? args : home ? home : "/";
	if (chdir(to))
		return interpreter_error(in, "can't change to '%s': %m", to);
	return true;
}

/* A program would be killed, a kernel left in the middle. In gdb's words. */
static bool may_quit(struct interpreter *in)
{
	char question[128];
	if (!debug_program_lives(in->dbg))
		return !debug_can_run(in->dbg) || interpreter_asks(in, "A kernel is running. Quit anyway?");
	snprintf(question, sizeof question,
		 "A debugging session is active.\n\n\tInferior 1 [process %ld] will be killed.\n\nQuit anyway?",
		 server_program_pid(in->program));
	return interpreter_asks(in, question);
}

bool command_quit(struct interpreter *in, const char *args)
{
	char *end;
	long status = strtol(args, &end, 0);
	if (*end || status < 0 || status > 255)
		return interpreter_error(in, "usage: quit [STATUS], a number from 0 to 255");
	if (!may_quit(in))
		return true;
	if (*args)
		in->status = (int)status;
	in->quit = true;
	return true;
}
