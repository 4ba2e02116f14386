/* Checks launches here, so that the program needn't wait. Programs seldom check a launch's error, so the debugger shows its user the reason. */
#include <stdio.h>
#include <string.h>

#include "host/host.h"
#include "host/launch/launch.h"

enum { THREADS_MOST = 1, BLOCK_MOST = 2, GRID_MOST = 5, SHARED_MOST = 8, SHARED_OPT_IN = 97 }; /* device attributes */

#define WHY_MOST (sizeof ((struct host_thread *)0)->reason)

/* Returns whether sizes are within the device attributes from `first` on; else writes the reason to `why`. */
static bool size_fits(const uint32_t v[3], int first, const char *what, char *why)
{
	const int32_t *most = &host_device()->attribute[first];
	for (int k = 0; k < 3; k++)
		if (!v[k] || v[k] > (uint32_t)most[k]) {
			snprintf(why, WHY_MOST, "the %s is (%u,%u,%u), the device takes 1 to (%d,%d,%d)", what, v[0],
				 v[1], v[2], most[0], most[1], most[2]);
			return false;
		}
	return true;
}

static int check_threads(const struct host_kernel *k, const struct call_launch *c, char *why)
{
	const uint64_t threads = (uint64_t)c->block[0] * c->block[1] * c->block[2];
	const uint64_t most = (uint64_t)host_device()->attribute[THREADS_MOST];
	if (threads <= most && threads <= k->info->threads_most)
		return 0;
	char by_registers[40];
	snprintf(by_registers, sizeof by_registers, "kernel (%u registers a thread)", k->info->registers);
	snprintf(why, WHY_MOST, "%llu threads in a block, the %s takes %llu", (unsigned long long)threads,
		 threads > most				 ? "device"
		 : threads > k->info->threads_by_registers ? by_registers
							 : "kernel (__launch_bounds__)",
		 (unsigned long long)(threads > most ? most : k->info->threads_most));
	return threads > most ? cudaErrorInvalidConfiguration : cudaErrorLaunchOutOfResources;
}

static int check_shared(const struct host_kernel *k, const struct host_launch *l, char *why)
{
	const int32_t *d = host_device()->attribute;
	const size_t most = k->dynamic_most ? (size_t)d[SHARED_OPT_IN] : (size_t)d[SHARED_MOST];
	if (l->shared <= most && l->shared + k->info->shared_bytes <= most)
		return 0;
	snprintf(why, WHY_MOST, "%zu bytes of dynamic and %llu of static shared memory, a block gets %zu%s", l->shared,
		 (unsigned long long)k->info->shared_bytes, most,
		 most < (size_t)d[SHARED_OPT_IN] ? " unless cudaFuncSetAttribute asks for more" : "");
	return cudaErrorInvalidValue;
}

static int find_error(const struct host_kernel *k, const struct call_launch *c, const struct host_launch *l, char *why)
{
	if (!size_fits(c->grid, GRID_MOST, "grid", why) || !size_fits(c->block, BLOCK_MOST, "block", why))
		return cudaErrorInvalidConfiguration;
	int error = check_threads(k, c, why);
	error = error ? error : check_shared(k, l, why);
	if (error || !l->cooperative || host_launch_is_resident(k, l))
		return error;
	snprintf(why, WHY_MOST, "a cooperative launch has more blocks than can be resident at once");
	return cudaErrorCooperativeLaunchTooLarge;
}

int host_check_launch(const struct host_kernel *k, const struct call_launch *c, const struct host_launch *l)
{
	char *why = host_thread()->reason;
	const int error = find_error(k, c, l, why);
	const struct call_refused refused = {.kernel = c->kernel, .caller = c->caller};
	if (error)
		call_refused(&refused, why, (uint32_t)strlen(why), NULL);
	return error;
}
