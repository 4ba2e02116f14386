/* What programs compiled with `--default-stream per-thread` call: the same functions, in which stream 0 is the thread's own. */
#include "host/host.h"

#define TWIN(name, suffix, parameters, arguments) \
	int ws_##name parameters; \
	API(name##suffix) parameters \
	{ \
		struct host_thread *t = host_thread(); \
		t->per_thread = true; \
		const int error = ws_##name arguments; \
		t->per_thread = false; \
		return error; \
	}

TWIN(cudaLaunchKernel, _ptsz,
     (const void *function, struct host_dim grid, struct host_dim block, void **arguments, size_t shared, void *stream),
     (function, grid, block, arguments, shared, stream))
TWIN(__cudaLaunchKernel, _ptsz,
     (void *kernel, struct host_dim grid, struct host_dim block, void **arguments, size_t shared, void *stream),
     (kernel, grid, block, arguments, shared, stream))
TWIN(cudaLaunchHostFunc, _ptsz, (const void *stream, void (*function)(void *), void *argument),
     (stream, function, argument))

TWIN(cudaMemcpy, _ptds, (void *to, const void *from, size_t bytes, int kind), (to, from, bytes, kind))
TWIN(cudaMemcpyAsync, _ptsz, (void *to, const void *from, size_t bytes, int kind, void *stream),
     (to, from, bytes, kind, stream))
TWIN(cudaMemset, _ptds, (void *to, int value, size_t bytes), (to, value, bytes))
TWIN(cudaMemsetAsync, _ptsz, (void *to, int value, size_t bytes, void *stream), (to, value, bytes, stream))
TWIN(cudaMemcpyToSymbol, _ptds, (const void *variable, const void *from, size_t bytes, size_t offset, int kind),
     (variable, from, bytes, offset, kind))
TWIN(cudaMemcpyFromSymbol, _ptds, (void *to, const void *variable, size_t bytes, size_t offset, int kind),
     (to, variable, bytes, offset, kind))
TWIN(cudaMemcpyToSymbolAsync, _ptsz,
     (const void *variable, const void *from, size_t bytes, size_t offset, int kind, void *stream),
     (variable, from, bytes, offset, kind, stream))
TWIN(cudaMemcpyFromSymbolAsync, _ptsz,
     (void *to, const void *variable, size_t bytes, size_t offset, int kind, void *stream),
     (to, variable, bytes, offset, kind, stream))
TWIN(cudaMallocAsync, _ptsz, (void **p, size_t bytes, void *stream), (p, bytes, stream))
TWIN(cudaMallocFromPoolAsync, _ptsz, (void **p, size_t bytes, void *pool, void *stream), (p, bytes, pool, stream))
TWIN(cudaFreeAsync, _ptsz, (void *p, void *stream), (p, stream))

TWIN(cudaEventRecord, _ptsz, (const void *event, const void *stream), (event, stream))
TWIN(cudaEventRecordWithFlags, _ptsz, (const void *event, const void *stream, unsigned flags), (event, stream, flags))
TWIN(cudaStreamAddCallback, _ptsz,
     (const void *stream, void (*callback)(void *, int, void *), void *argument, unsigned flags),
     (stream, callback, argument, flags))
TWIN(cudaStreamAttachMemAsync, _ptsz, (const void *stream, void *memory, size_t bytes, unsigned flags),
     (stream, memory, bytes, flags))
TWIN(cudaStreamGetDevice, _ptsz, (const void *stream, int *device), (stream, device))
TWIN(cudaStreamGetFlags, _ptsz, (const void *stream, unsigned *flags), (stream, flags))
TWIN(cudaStreamGetId, _ptsz, (const void *stream, unsigned long long *id), (stream, id))
TWIN(cudaStreamGetPriority, _ptsz, (const void *stream, int *priority), (stream, priority))
TWIN(cudaStreamQuery, _ptsz, (const void *stream), (stream))
TWIN(cudaStreamSynchronize, _ptsz, (const void *stream), (stream))
TWIN(cudaStreamWaitEvent, _ptsz, (const void *stream, const void *event, unsigned flags), (stream, event, flags))

TWIN(cudaGraphLaunch, _ptsz, (void *graph, void *stream), (graph, stream))
TWIN(cudaStreamBeginCapture, _ptsz, (const void *stream, int mode), (stream, mode))
TWIN(cudaStreamEndCapture, _ptsz, (const void *stream, void **graph), (stream, graph))
TWIN(cudaStreamIsCapturing, _ptsz, (const void *stream, int *status), (stream, status))
TWIN(cudaStreamBeginCaptureToGraph, _ptsz,
     (const void *stream, void *graph, void *const *before, const void *edges, size_t n, int mode),
     (stream, graph, before, edges, n, mode))
TWIN(cudaStreamGetCaptureInfo, _ptsz, (const void *stream, int *status, unsigned long long *id), (stream, status, id))
TWIN(cudaStreamGetCaptureInfo_v2, _ptsz,
     (const void *stream, int *status, unsigned long long *id, void **graph, void ***front, size_t *n),
     (stream, status, id, graph, front, n))
TWIN(cudaStreamGetCaptureInfo_v3, _ptsz,
     (const void *stream, int *status, unsigned long long *id, void **graph, void ***front, void **edges, size_t *n),
     (stream, status, id, graph, front, edges, n))
TWIN(cudaStreamUpdateCaptureDependencies, _ptsz, (const void *stream, void *const *node, size_t n, unsigned flags),
     (stream, node, n, flags))
TWIN(cudaStreamUpdateCaptureDependencies_v2, _ptsz,
     (const void *stream, void *const *node, const void *edges, size_t n, unsigned flags),
     (stream, node, edges, n, flags))
TWIN(cudaStreamSetAttribute, _ptsz, (const void *stream, int id, const void *value), (stream, id, value))
TWIN(cudaStreamGetAttribute, _ptsz, (const void *stream, int id, void *value), (stream, id, value))
TWIN(cudaStreamCopyAttributes, _ptsz, (const void *to, const void *from), (to, from))
TWIN(cudaMemPrefetchAsync, _ptsz, (const void *p, size_t bytes, int device, const void *stream),
     (p, bytes, device, stream))
struct place {
	int type, id;
};
TWIN(cudaMemPrefetchAsync_v2, _ptsz,
     (const void *p, size_t bytes, struct place place, unsigned flags, const void *stream),
     (p, bytes, place, flags, stream))
TWIN(cudaMemcpyBatchAsync, _ptsz,
     (void *const *to, const void *const *from, const size_t *bytes, size_t n, const void *attributes,
      const size_t *index, size_t n_attributes, size_t *failed, void *stream),
     (to, from, bytes, n, attributes, index, n_attributes, failed, stream))
TWIN(cudaMemcpyBatchAsync_v2, _ptsz,
     (void *const *to, const void *const *from, const size_t *bytes, size_t n, const void *attributes,
      const size_t *index, size_t n_attributes, void *stream),
     (to, from, bytes, n, attributes, index, n_attributes, stream))
TWIN(cudaMemcpy3DBatchAsync, _ptsz,
     (size_t n, const void *boxes, size_t *failed, unsigned long long flags, void *stream),
     (n, boxes, failed, flags, stream))
TWIN(cudaMemcpy3DBatchAsync_v2, _ptsz, (size_t n, const void *boxes, unsigned long long flags, void *stream),
     (n, boxes, flags, stream))

TWIN(cuStreamWaitValue32_v2, _ptsz, (const void *stream, uint64_t address, uint32_t value, unsigned flags),
     (stream, address, value, flags))
TWIN(cuStreamWaitValue64_v2, _ptsz, (const void *stream, uint64_t address, uint64_t value, unsigned flags),
     (stream, address, value, flags))
TWIN(cuStreamWriteValue32_v2, _ptsz, (const void *stream, uint64_t address, uint32_t value, unsigned flags),
     (stream, address, value, flags))
TWIN(cuStreamWriteValue64_v2, _ptsz, (const void *stream, uint64_t address, uint64_t value, unsigned flags),
     (stream, address, value, flags))
TWIN(cuStreamBatchMemOp_v2, _ptsz, (const void *stream, unsigned n, void *op, unsigned flags), (stream, n, op, flags))
