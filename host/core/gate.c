/* What a gate does with a call: notes it in the thread, and announces it to the debugger if that has asked for calls. */
#include "host/core/gate.h"

#include <errno.h>
#include <string.h>

#include "host/core/announce.h"
#include "host/core/channel.h"

void gate_enter(const struct gate_call *call)
{
	host_thread()->gate = *call;
	gate_announce();
}

/* Returns true if a call is one that the program's author wrote: a kernel's launch is, calls that nvcc makes around it aren't. */
static bool is_of_author(const char *name)
{
	return strncmp(name, "__", 2) || !strncmp(name, "__cudaLaunchKernel", strlen("__cudaLaunchKernel"));
}

void gate_announce(void)
{
	const struct host_thread *t = host_thread();
	if (!channel_wants(WIRE_WANTS_CALLS) || t->in_call || t->holds || t->allocates || !t->gate.row || !is_of_author(t->gate.row->name))
		return;
	const int saved = errno;
	announce_call(&t->gate);
	errno = saved;
}
