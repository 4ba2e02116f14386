/* Commands about the program that is debugged: run, kill, detach, its arguments. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/server.h"
#include "debug/debug.h"
#include "debug/program.h"
#include "debug/stop/run.h"
#include "repl/main_program.h"
#include "repl/repl.h"

/* Those of the command line are given as they are, others by a shell; what is there already, by path alone, has its own. */
void repl_apply_args(struct repl *r)
{
	const char *args = repl_setting(r, REPL_SET_ARGS);
	if (r->program && r->first_args)
		server_program_set_args(r->program, strcmp(args, r->first_args) ? args : NULL);
}

static bool is_launch(const char *args) { return strstr(args, "<<<") != NULL; }

/* A launch at the prompt, or the program from its beginning. */
static bool begin(struct repl *r, debug_run_fn *command, const char *args)
{
	if (!r->program || is_launch(args))
		return repl_run_machine(r, command, args);
	if (*args && !repl_may_reach(r, "run with arguments"))
		return false;
	if (server_program_lives(r->program) &&
	    !repl_asks(r, "The program being debugged has been started already.\nStart it from the beginning?")) {
		repl_print(r, "Program not restarted.\n");
		return true;
	}
	if (!r->first_args) /* by path alone it begins once, with its own */
		return repl_run_machine(r, command, args);
	if (*args) {
		char *copy = xstrdup(args);
		free(r->settings[REPL_SET_ARGS]);
		r->settings[REPL_SET_ARGS] = copy;
		repl_apply_args(r);
	}
	return repl_run_machine(r, command, "");
}

bool cmd_run(struct repl *r, const char *args) { return begin(r, debug_cmd_run, args); }
bool cmd_launch(struct repl *r, const char *args) { return begin(r, debug_cmd_launch, args); }

static bool kill_program(struct repl *r)
{
	const long pid = server_program_pid(r->program);
	if (!repl_asks(r, "Kill the program being debugged?"))
		return true;
	debug_program_kill(r->dbg);
	repl_printf(r, "[Inferior 1 (process %ld) killed]\n", pid);
	return true;
}

bool cmd_kill(struct repl *r, const char *args)
{
	if (*args)
		return repl_error(r, "usage: kill");
	if (r->program && server_program_lives(r->program))
		return kill_program(r);
	if (!debug_can_run(r->dbg))
		return repl_error(r, r->program ? "The program is not being run." : "no kernel is running");
	if (repl_asks(r, "Kill the launches being debugged?")) {
		debug_kill(r->dbg);
		repl_print(r, "[Launches killed]\n");
	}
	return true;
}

bool cmd_detach(struct repl *r, const char *args)
{
	if (*args)
		return repl_error(r, "usage: detach");
	if (!r->program || !server_program_lives(r->program))
		return repl_error(r, "The program is not being run.");
	repl_printf(r, "Detaching from program, process %ld\n", server_program_pid(r->program));
	const int failure = main_program_run_to_end(r);
	if (failure)
		r->detached_failure = failure;
	return true;
}
