/* The driver API's copies and fills: the runtime's, with the direction in the name. */
#include "host/memory/areas.h"
#include "host/driver/driver.h"

enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST, DEVICE_TO_DEVICE, BY_ADDRESS };

static int copy_memory(uint64_t to, uint64_t from, size_t n, int kind)
{
	return AS_DRIVER(ws_cudaMemcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, n, kind));
}

static int copy_memory_async(uint64_t to, uint64_t from, size_t n, int kind, void *stream)
{
	return AS_DRIVER(ws_cudaMemcpyAsync((void *)(uintptr_t)to, (const void *)(uintptr_t)from, n, kind, stream));
}

DRIVER(cuMemcpyHtoD_v2)(uint64_t to, uint64_t from, size_t n) { return copy_memory(to, from, n, HOST_TO_DEVICE); }
DRIVER(cuMemcpyDtoH_v2)(uint64_t to, uint64_t from, size_t n) { return copy_memory(to, from, n, DEVICE_TO_HOST); }
DRIVER(cuMemcpyDtoD_v2)(uint64_t to, uint64_t from, size_t n) { return copy_memory(to, from, n, DEVICE_TO_DEVICE); }
DRIVER(cuMemcpy)(uint64_t to, uint64_t from, size_t n) { return copy_memory(to, from, n, BY_ADDRESS); }

DRIVER(cuMemcpyHtoDAsync_v2)(uint64_t to, uint64_t from, size_t n, void *stream)
{
	return copy_memory_async(to, from, n, HOST_TO_DEVICE, stream);
}

DRIVER(cuMemcpyDtoHAsync_v2)(uint64_t to, uint64_t from, size_t n, void *stream)
{
	return copy_memory_async(to, from, n, DEVICE_TO_HOST, stream);
}

DRIVER(cuMemcpyDtoDAsync_v2)(uint64_t to, uint64_t from, size_t n, void *stream)
{
	return copy_memory_async(to, from, n, DEVICE_TO_DEVICE, stream);
}

DRIVER(cuMemcpyAsync)(uint64_t to, uint64_t from, size_t n, void *stream)
{
	return copy_memory_async(to, from, n, BY_ADDRESS, stream);
}

/* All contexts are of one device. */
DRIVER(cuMemcpyPeer)(uint64_t to, const void *to_context, uint64_t from, const void *from_context, size_t n)
{
	(void)to_context, (void)from_context;
	return copy_memory(to, from, n, DEVICE_TO_DEVICE);
}

DRIVER(cuMemcpyPeerAsync)
(uint64_t to, const void *to_context, uint64_t from, const void *from_context, size_t n, void *stream)
{
	(void)to_context, (void)from_context;
	return copy_memory_async(to, from, n, DEVICE_TO_DEVICE, stream);
}

/* ---- fills: n elements ---- */

static int fill_memory(uint64_t to, uint32_t value, size_t n, uint32_t width, const struct host_order *o)
{
	if (n > SIZE_MAX / width)
		return cudaErrorInvalidValue;
	return AS_DRIVER(host_fill_area(&(struct host_side){to, n * width, 0}, &(struct host_extent){n * width, 1, 1},
					value, width, o));
}

DRIVER(cuMemsetD8_v2)(uint64_t to, unsigned char value, size_t n)
{
	return fill_memory(to, value, n, 1, &(struct host_order){0});
}
DRIVER(cuMemsetD16_v2)(uint64_t to, unsigned short value, size_t n)
{
	return fill_memory(to, value, n, 2, &(struct host_order){0});
}
DRIVER(cuMemsetD32_v2)(uint64_t to, unsigned value, size_t n)
{
	return fill_memory(to, value, n, 4, &(struct host_order){0});
}

DRIVER(cuMemsetD8Async)(uint64_t to, unsigned char value, size_t n, void *stream)
{
	return fill_memory(to, value, n, 1, &(struct host_order){stream, 0, true});
}
DRIVER(cuMemsetD16Async)(uint64_t to, unsigned short value, size_t n, void *stream)
{
	return fill_memory(to, value, n, 2, &(struct host_order){stream, 0, true});
}
DRIVER(cuMemsetD32Async)(uint64_t to, unsigned value, size_t n, void *stream)
{
	return fill_memory(to, value, n, 4, &(struct host_order){stream, 0, true});
}
