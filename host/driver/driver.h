/* The driver API (driver*.c): shared declarations, and the runtime's entry points it uses. Both APIs have the same error numbers. */
#ifndef HOST_DRIVER_H
#define HOST_DRIVER_H

#include "host/host.h"

#define DRIVER(name) API_OF(int, name)

/* Both APIs share handles: a CUfunction, a CUkernel and a cudaKernel_t are a struct host_kernel, modules and libraries a struct host_module. */

/* Returns 0 and an attribute of the device, by cudaDeviceAttr, or an error. */
int ws_cudaDeviceGetAttribute(int *value, int attribute, int device);
/* Resets the device, as cudaDeviceReset. */
int ws_cudaDeviceReset(void);
/* Waits for all work of the device, as cudaDeviceSynchronize. */
int ws_cudaDeviceSynchronize(void);
/* Sets an attribute of a kernel, as cudaFuncSetAttribute. */
int ws_cudaFuncSetAttribute(const void *function, int attribute, int value);
/* Gets the free and total memory, as cudaMemGetInfo. */
int ws_cudaMemGetInfo(size_t *left, size_t *all);
/* Copies n bytes in the direction `kind`, as cudaMemcpy. */
int ws_cudaMemcpy(void *to, const void *from, size_t n, int kind);
/* Copies n bytes in a stream, as cudaMemcpyAsync. */
int ws_cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, void *stream);
/* Returns the text of an error, as cudaGetErrorString. */
const char *ws_cudaGetErrorString(int error);

/* Calls a function of the runtime for the driver API: it makes no context current by itself, and its error isn't kept for cudaGetLastError. */
#define AS_DRIVER(call) \
	({ \
		struct host_thread *thread_ = host_thread(); \
		const bool was_ = thread_->by_driver; \
		const int last_ = thread_->error; \
		thread_->by_driver = true; \
		const int error_ = (call); \
		thread_->by_driver = was_; \
		thread_->error = last_; \
		error_; \
	})

/* As AS_DRIVER, and passes on the program's return address as the caller. */
#define CALL_RUNTIME(call) \
	({ \
		host_thread()->caller = HOST_CALLER(); \
		const int is_ = AS_DRIVER(call); \
		host_thread()->caller = NULL; \
		is_; \
	})

/* Prepares a call that needs a context. Returns 0, or the error to return. */
static inline int driver_enter(void) { return AS_DRIVER(host_enter()); }
/* Returns 0 after cuInit or the first call of the runtime, else an error. */
int driver_initialized(void);
/* Marks the driver API as initialized. */
void driver_initialize(void);

#endif
