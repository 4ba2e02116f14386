/* Functions of the driver API with the parameters of a runtime function. They need a current context, which only the runtime makes current by
 * itself. */
#include "host/driver/driver.h"

#define TWIN(name, other, parameters, arguments) \
	int ws_##other parameters; \
	DRIVER(name) parameters { return CALL_RUNTIME(ws_##other arguments); }

TWIN(cuMemAllocHost_v2, cudaMallocHost, (void **p, size_t bytes), (p, bytes))
TWIN(cuMemAllocManaged, cudaMallocManaged, (void **p, size_t bytes, unsigned flags), (p, bytes, flags))
TWIN(cuMemFreeHost, cudaFreeHost, (void *p), (p))
TWIN(cuMemFree_v2, cudaFree, (void *p), (p))
TWIN(cuMemGetInfo_v2, cudaMemGetInfo, (size_t * left, size_t *all), (left, all))
TWIN(cuMemHostAlloc, cudaHostAlloc, (void **p, size_t bytes, unsigned flags), (p, bytes, flags))
TWIN(cuMemHostRegister_v2, cudaHostRegister, (void *p, size_t bytes, unsigned flags), (p, bytes, flags))

TWIN(cuCtxGetLimit, cudaDeviceGetLimit, (size_t * value, int limit), (value, limit))
TWIN(cuCtxSetLimit, cudaDeviceSetLimit, (int limit, size_t value), (limit, value))
TWIN(cuEventCreate, cudaEventCreateWithFlags, (void **event, unsigned flags), (event, flags))
TWIN(cuStreamCreate, cudaStreamCreateWithFlags, (void **stream, unsigned flags), (stream, flags))
TWIN(cuStreamCreateWithPriority, cudaStreamCreateWithPriority, (void **stream, unsigned flags, int priority),
     (stream, flags, priority))

/* cuMemAlloc rejects a size of 0. */
int ws_cudaMalloc(void **p, size_t bytes);
DRIVER(cuMemAlloc_v2)(void **p, size_t bytes)
{
	return bytes ? CALL_RUNTIME(ws_cudaMalloc(p, bytes)) : cudaErrorInvalidValue;
}

/* Variants from before 10.1, with the global capture mode. */
#define CAPTURE_GLOBAL 0
int ws_cudaStreamBeginCapture(void *stream, int mode), ws_cudaStreamBeginCapture_ptsz(void *stream, int mode);
DRIVER(cuStreamBeginCapture)(void *stream) { return ws_cudaStreamBeginCapture(stream, CAPTURE_GLOBAL); }
DRIVER(cuStreamBeginCapture_ptsz)(void *stream) { return ws_cudaStreamBeginCapture_ptsz(stream, CAPTURE_GLOBAL); }
