/* The device as a whole: synchronization, reset, enumeration; and errors. */
#include "host/graph/graph.h"
#include "host/host.h"
#include "host/memory/pool.h"
#include "host/texture/references.h"

API(cudaDeviceSynchronize)(void)
{
	int error = host_enter();
	if (!error && !capture_check_wait_all(&error))
		error = call_synchronize(&(struct call_synchronize){.all = 1}, NULL, 0, NULL);
	return host_leave(error);
}

API(cudaThreadSynchronize)(void) { return ws_cudaDeviceSynchronize(); }

API(cudaDeviceReset)(void)
{
	int error = host_connect();
	if (!error)
		error = call_reset(&(struct call_reset){}, NULL, 0, NULL);
	if (!error)
		host_reset_modules();
	if (!error) {
		host_reset_streams();
		host_references_reset();
		pool_reset();
		host_reset_primary_context();
	}
	return host_leave(error);
}

API(cudaThreadExit)(void) { return ws_cudaDeviceReset(); }

/* For devices without doubles, of toolkits before 12: this device has doubles. */
API(cudaSetDoubleForDevice)(const double *d) { return host_leave(d ? 0 : cudaErrorInvalidValue); }
API(cudaSetDoubleForHost)(const double *d) { return host_leave(d ? 0 : cudaErrorInvalidValue); }

/* ---- one device ---- */

API(cudaGetDeviceCount)(int *n)
{
	int error = n ? host_connect() : cudaErrorInvalidValue;
	if (n)
		*n = error ? 0 : 1;
	return host_leave(error);
}

API(cudaSetDevice)(int device)
{
	int error = host_connect();
	if (!error && device)
		error = cudaErrorInvalidDevice;
	if (!error)
		host_use_primary_context();
	return host_leave(error);
}

API(cudaGetDevice)(int *device)
{
	int error = device ? host_connect() : cudaErrorInvalidValue;
	if (!error)
		*device = 0;
	return host_leave(error);
}

/* ---- errors ---- */

/* A failed context's error stays. */
static int last_error(bool forget)
{
	struct host_thread *t = host_thread();
	const int error = t->error;
	if (forget)
		t->error = host_sticky();
	return error ? error : host_sticky();
}

API(cudaGetLastError)(void) { return last_error(true); }
API(cudaPeekAtLastError)(void) { return last_error(false); }
