#include "command/interpreter/exit_status.h"

#include "debug/program.h"

int status_with_program(int failure, bool findings, bool command_failed, int program)
{
	if (findings)
		return EXIT_STATUS_EXCEPTION;
	if (failure)
		return failure;
	return command_failed ? EXIT_STATUS_FAILED : program;
}

int status_failure(const struct interpreter *in)
{
	return in->failure && in->failure_deliveries == debug_program_deliveries(in->dbg) ? in->failure : 0;
}

/* Without a program the first failure of any kind counts. */
void interpreter_set_status(struct interpreter *in, enum exit_status s)
{
	const bool of_kernel = s == EXIT_STATUS_EXCEPTION || s == EXIT_STATUS_STUCK;
	if (!in->status)
		in->status = (int)s;
	if (of_kernel && !status_failure(in)) {
		in->failure = (int)s;
		in->failure_deliveries = debug_program_deliveries(in->dbg);
	}
	in->command_failed |= s == EXIT_STATUS_FAILED;
}
