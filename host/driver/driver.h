/* The driver API (driver*.c): shared declarations, and the runtime's entry points it uses. Both APIs have the same error numbers. */
#ifndef HOST_DRIVER_H
#define HOST_DRIVER_H

#include "host/host.h"

#define DRIVER(name) API_OF(int, name)

/* Both APIs share handles: a CUfunction, a CUkernel and a cudaKernel_t are a struct host_kernel, modules and libraries a struct host_module. */

/* Stores an attribute of the device, by its cudaDeviceAttr number, in *value. Returns 0, cudaErrorInvalidValue if `value` is NULL or the number is
 * out of range, cudaErrorInvalidDevice if `device` isn't 0, or a connection error. */
int ws_cudaDeviceGetAttribute(int *value, int attribute, int device);
/* Resets the device for this process as cudaDeviceReset does: frees its memory, except virtual memory of the driver API, its streams and its modules.
 * Drops this process's records of them and resets the primary context. Returns 0, or a cudaError with nothing freed. */
int ws_cudaDeviceReset(void);
/* Waits until all work of this process on the device is done, as cudaDeviceSynchronize. Returns 0 or an error; if a stream is being captured, fails
 * and invalidates the capture. */
int ws_cudaDeviceSynchronize(void);
/* Sets attribute `attribute` (cudaFuncAttribute) of a kernel, given by stub address or handle; only 8, dynamic shared memory, has an effect. Returns
 * 0, or an error if the kernel is unknown or the value isn't allowed. */
int ws_cudaFuncSetAttribute(const void *function, int attribute, int value);
/* Stores the bytes of device memory that can still be allocated in *left, and the total in *all. Returns 0 or an error: cudaErrorInvalidValue if a
 * pointer is NULL. */
int ws_cudaMemGetInfo(size_t *left, size_t *all);
/* Copies n bytes in the direction `kind` (cudaMemcpyKind) in the default stream, as cudaMemcpy. Returns 0 or an error. */
int ws_cudaMemcpy(void *to, const void *from, size_t n, int kind);
/* Enqueues a copy of n bytes in the direction `kind` (cudaMemcpyKind) in the stream or, if that is captured, adds it to the capture's graph. Returns
 * 0 or an error. */
int ws_cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, void *stream);

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

/* Begins a driver API call that needs a context: connects and checks that the thread has a context. Returns 0 or the error to return. Leaves the
 * error of cudaGetLastError unchanged. */
static inline int driver_enter(void) { return AS_DRIVER(host_enter()); }
/* Returns 0 once driver_initialize was called, by cuInit or by the runtime; else cudaErrorInitializationError. */
int driver_initialized(void);
/* Marks the driver API as initialized, for all threads of the process. */
void driver_initialize(void);

#endif
