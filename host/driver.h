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

/* What the driver's functions call of the runtime's: that makes no context current by itself, and what it returns is nothing to cudaGetLastError. */
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

/* The same for what asks who has called: the program, this function. */
#define CALL_TWIN(call) \
	({ \
		host_thread()->caller = HOST_CALLER(); \
		const int is_ = AS_DRIVER(call); \
		host_thread()->caller = NULL; \
		is_; \
	})

/* Before what needs a context: 0, or the error to return. */
static inline int driver_enter(void) { return AS_DRIVER(host_enter()); }
/* After cuInit, or the runtime's beginning: 0, or the error. */
int driver_initialized(void);
void driver_initialize(void);

#endif
