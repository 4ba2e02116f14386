/* Profiler calls: there is no profiler, so they succeed without an effect. */
#include "host/host.h"

API(cudaProfilerStart)(void) { return host_leave(0); }
API(cudaProfilerStop)(void) { return host_leave(0); }

/* Of toolkits before 12. */
API(cudaProfilerInitialize)(const char *settings, const char *output, int mode)
{
	(void)settings, (void)output, (void)mode;
	return host_leave(0);
}
