/* Functions for programs compiled with `--default-stream per-thread`: stream 0 is the thread's own. */
#include "host/stream/per_thread.h"

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

TWIN(cudaLaunchCooperativeKernel, _ptsz,
     (const void *function, struct host_dim grid, struct host_dim block, void **arguments, size_t shared, void *stream),
     (function, grid, block, arguments, shared, stream))
TWIN(cudaLaunchKernelExC, _ptsz, (const void *configuration, const void *function, void **arguments),
     (configuration, function, arguments))

/* ---- memory in rows, and arrays ---- */

TWIN(cudaMemcpy2D, _ptds,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind),
     (to, to_pitch, from, from_pitch, width, height, kind))
TWIN(cudaMemcpy2DAsync, _ptsz,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind,
      void *stream),
     (to, to_pitch, from, from_pitch, width, height, kind, stream))
TWIN(cudaMemcpy2DToArray, _ptds,
     (void *to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind),
     (to, x, y, from, pitch, width, height, kind))
TWIN(cudaMemcpy2DToArrayAsync, _ptsz,
     (void *to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind,
      void *stream),
     (to, x, y, from, pitch, width, height, kind, stream))
TWIN(cudaMemcpy2DFromArray, _ptds,
     (void *to, size_t pitch, const void *from, size_t x, size_t y, size_t width, size_t height, int kind),
     (to, pitch, from, x, y, width, height, kind))
TWIN(cudaMemcpy2DFromArrayAsync, _ptsz,
     (void *to, size_t pitch, const void *from, size_t x, size_t y, size_t width, size_t height, int kind,
      void *stream),
     (to, pitch, from, x, y, width, height, kind, stream))
TWIN(cudaMemcpy2DArrayToArray, _ptds,
     (void *to, size_t to_x, size_t to_y, const void *from, size_t from_x, size_t from_y, size_t width, size_t height,
      int kind),
     (to, to_x, to_y, from, from_x, from_y, width, height, kind))
TWIN(cudaMemcpyToArray, _ptds, (void *to, size_t x, size_t y, const void *from, size_t bytes, int kind),
     (to, x, y, from, bytes, kind))
TWIN(cudaMemcpyToArrayAsync, _ptsz,
     (void *to, size_t x, size_t y, const void *from, size_t bytes, int kind, void *stream),
     (to, x, y, from, bytes, kind, stream))
TWIN(cudaMemcpyFromArray, _ptds, (void *to, const void *from, size_t x, size_t y, size_t bytes, int kind),
     (to, from, x, y, bytes, kind))
TWIN(cudaMemcpyFromArrayAsync, _ptsz,
     (void *to, const void *from, size_t x, size_t y, size_t bytes, int kind, void *stream),
     (to, from, x, y, bytes, kind, stream))
TWIN(cudaMemcpyArrayToArray, _ptds,
     (void *to, size_t to_x, size_t to_y, const void *from, size_t from_x, size_t from_y, size_t bytes, int kind),
     (to, to_x, to_y, from, from_x, from_y, bytes, kind))
TWIN(cudaMemcpy3D, _ptds, (const void *box), (box))
TWIN(cudaMemcpy3DAsync, _ptsz, (const void *box, void *stream), (box, stream))
TWIN(cudaMemcpy3DPeer, _ptds, (const void *box), (box))
TWIN(cudaMemcpy3DPeerAsync, _ptsz, (const void *box, void *stream), (box, stream))
TWIN(cudaMemset2D, _ptds, (void *p, size_t pitch, int value, size_t width, size_t height),
     (p, pitch, value, width, height))
TWIN(cudaMemset2DAsync, _ptsz, (void *p, size_t pitch, int value, size_t width, size_t height, void *stream),
     (p, pitch, value, width, height, stream))
struct pitched {
	void *p;
	size_t pitch, width, height;
};
struct extent {
	size_t width, height, depth;
};
TWIN(cudaMemset3D, _ptds, (struct pitched p, int value, struct extent e), (p, value, e))
TWIN(cudaMemset3DAsync, _ptsz, (struct pitched p, int value, struct extent e, void *stream), (p, value, e, stream))
