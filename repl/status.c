#include "repl/status.h"

#include "debug/program.h"

int status_with_program(int failure, bool findings, bool command_failed, int program)
{
	if (findings)
		return REPL_EXCEPTION;
	if (failure)
		return failure;
	return command_failed ? REPL_FAILED : program;
}

int status_failure(const struct repl *r)
{
	return r->failure && r->failure_deliveries == debug_program_deliveries(r->dbg) ? r->failure : 0;
}

/* Without a program the first failure of any kind counts. */
void repl_set_status(struct repl *r, enum repl_status s)
{
	const bool of_kernel = s == REPL_EXCEPTION || s == REPL_STUCK;
	if (!r->status)
		r->status = (int)s;
	if (of_kernel && !status_failure(r)) {
		r->failure = (int)s;
		r->failure_deliveries = debug_program_deliveries(r->dbg);
	}
	r->command_failed |= s == REPL_FAILED;
}
