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
/* Checks a launch and enqueues it in its stream or, if that is captured, adds it to the capture's graph; doesn't wait for the kernel. Connects and
 * loads the kernel's module if needed. Returns 0 or an error; if only the device refuses the launch, returns 0, and later calls return its error. */
int host_launch(const struct host_launch *l);
struct call_launch;
/* Returns 0 if the device can run kernel `k` with the sizes in `c` and the shared memory and cooperation in `l`. Else sends the reason to the
 * debugger, which shows it to the user, and returns the CUDA error. */
int host_check_launch(const struct host_kernel *k, const struct call_launch *c, const struct host_launch *l);
/* Returns whether the device's cores have room for all blocks of the launch at once, by the limits of blocks, threads, registers and shared memory.
 * Uses only grid, block and shared memory of `l`. */
bool host_launch_is_resident(const struct host_kernel *k, const struct host_launch *l);

#endif
