/* Commands about the program that is debugged: run, kill, detach, its arguments. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/server.h"
#include "debug/debug.h"
#include "debug/program.h"
#include "debug/stop/run.h"
#include "command/interpreter/exit_status.h"
#include "command/interpreter/interpreter.h"
#include "command/program/program.h"
#include "command/running/running.h"

/* Those of the command line are given as they are, others by a shell; what is there already, by path alone, has its own. */
void program_apply_args(struct interpreter *in)
{
	const char *args = setting_text(in, SETTING_ARGS);
	if (in->program && in->first_args)
		server_program_set_args(in->program, strcmp(args, in->first_args) ? args : NULL);
}

static bool is_launch(const char *args) { return strstr(args, "<<<") != NULL; }

/* A launch at the prompt, or the program from its beginning. */
static bool begin(struct interpreter *in, command_run_fn *command, const char *args)
{
	if (!in->program || is_launch(args))
		return interpreter_run_machine(in, command, args);
	if (*args && !interpreter_may_reach(in, "run with arguments"))
		return false;
	if (server_program_lives(in->program) &&
	    !interpreter_asks(in, "The program being debugged has been started already.\nStart it from the beginning?")) {
		interpreter_print(in, "Program not restarted.\n");
		return true;
	}
	if (!in->first_args) /* by path alone it begins once, with its own */
		return interpreter_run_machine(in, command, args);
	if (*args) {
		setting_replace(in, SETTING_ARGS, args);
		program_apply_args(in);
	}
	return interpreter_run_machine(in, command, "");
}

bool command_run(struct interpreter *in, const char *args) { return begin(in, command_run_kernel, args); }
bool command_launch(struct interpreter *in, const char *args) { return begin(in, command_launch_kernel, args); }

void program_follow(struct interpreter *in)
{
	if (in->program)
		server_program_follow(in->program, setting_is_on(in, SETTING_DETACH_ON_FORK),
				    !strcmp(setting_text(in, SETTING_FOLLOW_FORK_MODE), "child"));
}

static bool kill_program(struct interpreter *in)
{
	const long pid = server_program_pid(in->program);
	if (!interpreter_asks(in, "Kill the program being debugged?"))
		return true;
	debug_program_kill(in->dbg);
	interpreter_printf(in, "[Inferior 1 (process %ld) killed]\n", pid);
	return true;
}

bool command_kill(struct interpreter *in, const char *args)
{
	if (*args)
		return interpreter_error(in, "usage: kill");
	if (in->program && server_program_lives(in->program))
		return kill_program(in);
	if (!debug_can_run(in->dbg))
		return interpreter_error(in, in->program ? "The program is not being run." : "no kernel is running");
	if (interpreter_asks(in, "Kill the launches being debugged?")) {
		debug_kill(in->dbg);
		interpreter_print(in, "[Launches killed]\n");
	}
	return true;
}

/* Nothing stops it any more but failures, which it gets, and Ctrl-C; the first failure counts. */
int program_run_to_end(struct interpreter *in)
{
	const unsigned interrupts = in->interrupts;
	int failure = status_failure(in);
	if (server_program_lives(in->program)) {
		interpreter_execute(in, "disable");
		debug_settings(in->dbg)->break_on_launch = DEBUG_LAUNCHES_NONE;
	}
	while (server_program_lives(in->program) && !*in->interrupted && in->interrupts == interrupts &&
	       interpreter_execute(in, "continue"))
		failure = failure ? failure : status_failure(in);
	return failure;
}

bool command_detach(struct interpreter *in, const char *args)
{
	if (*args)
		return interpreter_error(in, "usage: detach");
	if (!in->program || !server_program_lives(in->program))
		return interpreter_error(in, "The program is not being run.");
	interpreter_printf(in, "Detaching from program, process %ld\n", server_program_pid(in->program));
	const int failure = program_run_to_end(in);
	if (failure)
		in->detached_failure = failure;
	return true;
}
