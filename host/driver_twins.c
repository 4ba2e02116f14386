/* The driver's functions that take what one of the runtime takes, but need a context that is current: it is the runtime that makes one so by itself. */
#include "host/driver.h"

#define TWIN(name, other, parameters, arguments) \
	int ws_##other parameters; \
	DRIVER(name) parameters { return CALL_TWIN(ws_##other arguments); }

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

/* The one that isn't asked for nothing. */
int ws_cudaMalloc(void **p, size_t bytes);
DRIVER(cuMemAlloc_v2)(void **p, size_t bytes)
{
	return bytes ? CALL_TWIN(ws_cudaMalloc(p, bytes)) : cudaErrorInvalidValue;
}

/* Of before 10.1: no thread may call meanwhile what would end the capture. */
#define CAPTURE_GLOBAL 0
int ws_cudaStreamBeginCapture(void *stream, int mode), ws_cudaStreamBeginCapture_ptsz(void *stream, int mode);
DRIVER(cuStreamBeginCapture)(void *stream) { return ws_cudaStreamBeginCapture(stream, CAPTURE_GLOBAL); }
DRIVER(cuStreamBeginCapture_ptsz)(void *stream) { return ws_cudaStreamBeginCapture_ptsz(stream, CAPTURE_GLOBAL); }
