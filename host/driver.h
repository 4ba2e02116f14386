/* The driver API (driver*.c): what its files share, and what they use of the runtime's entry points. Numbers of errors are the same. */
#ifndef HOST_DRIVER_H
#define HOST_DRIVER_H

#include "host/host.h"

#define DRIVER(name) API_OF(int, name)

/* Both have one space of handles: a CUfunction, a CUkernel and a cudaKernel_t are a struct host_kernel, modules and libraries a struct
 * host_module. */

int ws_cudaDeviceGetAttribute(int *value, int attribute, int device);
int ws_cudaDeviceReset(void);
int ws_cudaDeviceSynchronize(void);
int ws_cudaFuncSetAttribute(const void *function, int attribute, int value);
int ws_cudaMemGetInfo(size_t *left, size_t *all);
int ws_cudaMemcpy(void *to, const void *from, size_t n, int kind);
int ws_cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, void *stream);
const char *ws_cudaGetErrorString(int error);

/* What it returns is nothing to the runtime's cudaGetLastError. */
#define WITHOUT_LAST_ERROR(call) \
	({ \
		struct host_thread *thread_ = host_thread(); \
		const int last_ = thread_->error, error_ = (call); \
		thread_->error = last_; \
		error_; \
	})

#endif
