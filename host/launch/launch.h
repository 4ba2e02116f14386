/* Launches, for all entry points that launch kernels. */
#ifndef HOST_LAUNCH_H
#define HOST_LAUNCH_H

#include "host/host.h"

struct host_launch {
	const void *function;
	struct host_dim grid, block;
	void *const *arguments;
	size_t shared;
	void *stream;
	bool cooperative;
	const void *caller;
};
/* Launches a kernel, or adds it to the graph that the stream captures. Returns 0 or an error. */
int host_launch(const struct host_launch *l);
struct call_launch;
/* Returns 0 if the device can run the launch, or an error, whose reason the debugger shows its user (launch_check.c). */
int host_check_launch(const struct host_kernel *k, const struct call_launch *c, const struct host_launch *l);
/* Returns whether all blocks of the launch can be resident at once. */
bool host_launch_is_resident(const struct host_kernel *k, const struct host_launch *l);

#endif
