/* Functions of the driver API for programs compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM. */
#include "host/stream/per_thread.h"

#define SIZES unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared
TWIN(cuLaunchKernel, _ptsz, (const void *function, SIZES, void *stream, void **arguments, void **extra),
     (function, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra))
TWIN(cuLaunchCooperativeKernel, _ptsz, (const void *function, SIZES, void *stream, void **arguments),
     (function, gx, gy, gz, bx, by, bz, shared, stream, arguments))
TWIN(cuLaunchKernelEx, _ptsz, (const void *configuration, const void *function, void **arguments, void **extra),
     (configuration, function, arguments, extra))

/* ---- copies ---- */

TWIN(cuMemcpy, _ptds, (uint64_t to, uint64_t from, size_t n), (to, from, n))
TWIN(cuMemcpyAsync, _ptsz, (uint64_t to, uint64_t from, size_t n, void *stream), (to, from, n, stream))
TWIN(cuMemcpyHtoD_v2, _ptds, (uint64_t to, const void *from, size_t n), (to, from, n))
TWIN(cuMemcpyHtoDAsync_v2, _ptsz, (uint64_t to, const void *from, size_t n, void *stream), (to, from, n, stream))
TWIN(cuMemcpyDtoH_v2, _ptds, (void *to, uint64_t from, size_t n), (to, from, n))
TWIN(cuMemcpyDtoHAsync_v2, _ptsz, (void *to, uint64_t from, size_t n, void *stream), (to, from, n, stream))
TWIN(cuMemcpyDtoD_v2, _ptds, (uint64_t to, uint64_t from, size_t n), (to, from, n))
TWIN(cuMemcpyDtoDAsync_v2, _ptsz, (uint64_t to, uint64_t from, size_t n, void *stream), (to, from, n, stream))
TWIN(cuMemcpyPeer, _ptds, (uint64_t to, void *to_context, uint64_t from, void *from_context, size_t n),
     (to, to_context, from, from_context, n))
TWIN(cuMemcpyPeerAsync, _ptsz,
     (uint64_t to, void *to_context, uint64_t from, void *from_context, size_t n, void *stream),
     (to, to_context, from, from_context, n, stream))

/* ---- memory in rows, and arrays ---- */

TWIN(cuMemcpy2D_v2, _ptds, (const void *copy), (copy))
TWIN(cuMemcpy2DAsync_v2, _ptsz, (const void *copy, void *stream), (copy, stream))
TWIN(cuMemcpy3D_v2, _ptds, (const void *copy), (copy))
TWIN(cuMemcpy3DAsync_v2, _ptsz, (const void *copy, void *stream), (copy, stream))
TWIN(cuMemcpyHtoA_v2, _ptds, (const void *array, size_t offset, const void *from, size_t n), (array, offset, from, n))
TWIN(cuMemcpyHtoAAsync_v2, _ptsz, (const void *array, size_t offset, const void *from, size_t n, void *stream),
     (array, offset, from, n, stream))
TWIN(cuMemcpyAtoH_v2, _ptds, (void *to, const void *array, size_t offset, size_t n), (to, array, offset, n))
TWIN(cuMemcpyAtoHAsync_v2, _ptsz, (void *to, const void *array, size_t offset, size_t n, void *stream),
     (to, array, offset, n, stream))
TWIN(cuMemcpyDtoA_v2, _ptds, (const void *array, size_t offset, uint64_t from, size_t n), (array, offset, from, n))
TWIN(cuMemcpyAtoD_v2, _ptds, (uint64_t to, const void *array, size_t offset, size_t n), (to, array, offset, n))
TWIN(cuMemcpyAtoA_v2, _ptds, (const void *to, size_t to_offset, const void *from, size_t from_offset, size_t n),
     (to, to_offset, from, from_offset, n))

/* ---- fills ---- */

#define FILLS(bits, type) \
	TWIN(cuMemsetD##bits##_v2, _ptds, (uint64_t to, type value, size_t n), (to, value, n)) \
	TWIN(cuMemsetD##bits##Async, _ptsz, (uint64_t to, type value, size_t n, void *stream), (to, value, n, stream)) \
	TWIN(cuMemsetD2D##bits##_v2, _ptds, (uint64_t to, size_t pitch, type value, size_t n, size_t rows), \
	     (to, pitch, value, n, rows)) \
	TWIN(cuMemsetD2D##bits##Async, _ptsz, \
	     (uint64_t to, size_t pitch, type value, size_t n, size_t rows, void *stream), \
	     (to, pitch, value, n, rows, stream))
FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned)

/* ---- words of memory ---- */

TWIN(cuStreamWaitValue32_v2, _ptsz, (const void *stream, uint64_t address, uint32_t value, unsigned flags),
     (stream, address, value, flags))
TWIN(cuStreamWaitValue64_v2, _ptsz, (const void *stream, uint64_t address, uint64_t value, unsigned flags),
     (stream, address, value, flags))
TWIN(cuStreamWriteValue32_v2, _ptsz, (const void *stream, uint64_t address, uint32_t value, unsigned flags),
     (stream, address, value, flags))
TWIN(cuStreamWriteValue64_v2, _ptsz, (const void *stream, uint64_t address, uint64_t value, unsigned flags),
     (stream, address, value, flags))
TWIN(cuStreamBatchMemOp_v2, _ptsz, (const void *stream, unsigned n, void *op, unsigned flags), (stream, n, op, flags))
