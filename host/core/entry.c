/* The beginning and end of each entry point, and of the program. */
#include "host/core/channel.h"

int host_connect(void)
{
	struct host_thread *t = host_thread();
	struct call_device_out out;
	if (channel_is_ready())
		return 0;
	if (t->connects)
		return cudaErrorNotPermitted;
	t->connects = true;
	int error = host_connect_channel();
	if (!error)
		host_register_modules();
	if (!error)
		error = call_device(&(struct call_device){}, NULL, 0, &out);
	if (!error)
		channel_set_device(&out.device);
	t->connects = false;
	if (!error)
		gate_announce();
	return error;
}

int host_enter(void)
{
	const struct host_thread *t = host_thread();
	int error = t->holds ? cudaErrorNotPermitted : host_connect();
	if (!error && !t->has_context && t->by_driver)
		error = host_need_context();
	else if (!error && !t->has_context)
		host_use_primary_context();
	if (!error)
		host_unload_closed();
	return error ? error : host_sticky();
}

int host_leave_as(const char *function, int error)
{
	struct host_thread *t = host_thread();
	if (error == cudaErrorMemoryAllocation && t->allocates)
		error = cudaErrorNotPermitted;
	if (error) {
		t->error = error;
		host_log_error(function, error);
		host_report_failure(function, error);
	}
	t->reason[0] = '\0';
	return error;
}

/* At the program's end, waits until launched work is done, so that it can be inspected, and until a debugger started by the process has printed
 * its output. */
__attribute__((destructor)) static void finish_program(void)
{
	const bool in_call = host_thread()->in_call;
	if (channel_is_ready() && !channel_is_lost() && (!host_sticky() || channel_wants(WIRE_WANTS_END)) && !in_call)
		call_goodbye(&(struct call_goodbye){}, NULL, 0, NULL);
	if (!in_call)
		channel_finish();
}
