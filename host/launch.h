/* Launching, for all the entry points that do. */
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
/* 0, or an error. */
int host_launch(const struct host_launch *l);
/* What the device can't take (launch_check.c): an error, and why for whoever sits at the debugger. */
struct call_launch;
int host_check_launch(const struct host_kernel *k, const struct call_launch *c, const struct host_launch *l);
bool host_fits_at_once(const struct host_kernel *k, const struct host_launch *l);

#endif
