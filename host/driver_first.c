/* The driver's functions as they were before 3.2: device addresses and sizes of 32 bits. */
#include "host/driver.h"

typedef unsigned address;

/* ---- what takes them: the later function with wider arguments ---- */

#define FIRST(name, wide, narrow, arguments) \
	int ws_##name##_v2 wide; \
	DRIVER(name) narrow { return CALL_TWIN(ws_##name##_v2 arguments); }

FIRST(cuMemFree, (uint64_t), (address p), (p))
FIRST(cuMemAllocHost, (void **, size_t), (void **p, unsigned n), (p, n))
FIRST(cuMemcpyHtoD, (uint64_t, const void *, size_t), (address to, const void *from, unsigned n), (to, from, n))
FIRST(cuMemcpyDtoH, (void *, uint64_t, size_t), (void *to, address from, unsigned n), (to, from, n))
FIRST(cuMemcpyDtoD, (uint64_t, uint64_t, size_t), (address to, address from, unsigned n), (to, from, n))
FIRST(cuMemcpyDtoA, (void *, size_t, uint64_t, size_t), (void *to, unsigned at, address from, unsigned n),
      (to, at, from, n))
FIRST(cuMemcpyAtoD, (uint64_t, void *, size_t, size_t), (address to, void *from, unsigned at, unsigned n),
      (to, from, at, n))
FIRST(cuMemcpyHtoA, (void *, size_t, const void *, size_t), (void *to, unsigned at, const void *from, unsigned n),
      (to, at, from, n))
FIRST(cuMemcpyAtoH, (void *, void *, size_t, size_t), (void *to, void *from, unsigned at, unsigned n),
      (to, from, at, n))
FIRST(cuMemcpyAtoA, (void *, size_t, void *, size_t, size_t),
      (void *to, unsigned to_at, void *from, unsigned from_at, unsigned n), (to, to_at, from, from_at, n))
FIRST(cuMemcpyHtoDAsync, (uint64_t, const void *, size_t, void *),
      (address to, const void *from, unsigned n, void *stream), (to, from, n, stream))
FIRST(cuMemcpyDtoHAsync, (void *, uint64_t, size_t, void *), (void *to, address from, unsigned n, void *stream),
      (to, from, n, stream))
FIRST(cuMemcpyDtoDAsync, (uint64_t, uint64_t, size_t, void *), (address to, address from, unsigned n, void *stream),
      (to, from, n, stream))
FIRST(cuMemcpyHtoAAsync, (void *, size_t, const void *, size_t, void *),
      (void *to, unsigned at, const void *from, unsigned n, void *stream), (to, at, from, n, stream))
FIRST(cuMemcpyAtoHAsync, (void *, void *, size_t, size_t, void *),
      (void *to, void *from, unsigned at, unsigned n, void *stream), (to, from, at, n, stream))
FIRST(cuMemsetD8, (uint64_t, unsigned char, size_t), (address p, unsigned char value, unsigned n), (p, value, n))
FIRST(cuMemsetD16, (uint64_t, unsigned short, size_t), (address p, unsigned short value, unsigned n), (p, value, n))
FIRST(cuMemsetD32, (uint64_t, unsigned, size_t), (address p, unsigned value, unsigned n), (p, value, n))
FIRST(cuMemsetD2D8, (uint64_t, size_t, unsigned char, size_t, size_t),
      (address p, unsigned pitch, unsigned char value, unsigned width, unsigned rows), (p, pitch, value, width, rows))
FIRST(cuMemsetD2D16, (uint64_t, size_t, unsigned short, size_t, size_t),
      (address p, unsigned pitch, unsigned short value, unsigned width, unsigned rows), (p, pitch, value, width, rows))
FIRST(cuMemsetD2D32, (uint64_t, size_t, unsigned, size_t, size_t),
      (address p, unsigned pitch, unsigned value, unsigned width, unsigned rows), (p, pitch, value, width, rows))

/* ---- what gives them: memory that lies higher can't be had ---- */

int ws_cuMemAlloc_v2(uint64_t *p, size_t n), ws_cuDeviceTotalMem_v2(size_t *n, int device);
int ws_cuMemAllocPitch_v2(uint64_t *p, size_t *pitch, size_t width, size_t rows, unsigned element);
int ws_cuMemGetAddressRange_v2(uint64_t *base, size_t *n, uint64_t p), ws_cuMemGetInfo_v2(size_t *free, size_t *all);
int ws_cudaHostGetDevicePointer(uint64_t *device, void *p, unsigned flags);
int ws_cuModuleGetGlobal_v2(uint64_t *p, size_t *n, struct host_module *m, const char *name);

static unsigned at_most(uint64_t n) { return n > UINT32_MAX ? UINT32_MAX : (unsigned)n; }

static int give(address *to, uint64_t p)
{
	if (p > UINT32_MAX)
		return cudaErrorMemoryAllocation;
	if (to)
		*to = (address)p;
	return 0;
}

static int give_allocated(address *to, uint64_t p)
{
	const int error = give(to, p);
	if (error)
		ws_cuMemFree_v2(p);
	return error;
}

DRIVER(cuMemAlloc)(address *p, unsigned n)
{
	uint64_t got = 0;
	const int error = p ? CALL_TWIN(ws_cuMemAlloc_v2(&got, n)) : cudaErrorInvalidValue;
	return error ? error : give_allocated(p, got);
}

DRIVER(cuMemAllocPitch)(address *p, unsigned *pitch, unsigned width, unsigned rows, unsigned element)
{
	uint64_t got = 0;
	size_t wide = 0;
	int error = p && pitch ? CALL_TWIN(ws_cuMemAllocPitch_v2(&got, &wide, width, rows, element))
			       : cudaErrorInvalidValue;
	if (!error)
		error = give_allocated(p, got);
	if (!error)
		*pitch = at_most(wide);
	return error;
}

DRIVER(cuMemGetAddressRange)(address *base, unsigned *n, address p)
{
	uint64_t got = 0;
	size_t bytes = 0;
	int error = ws_cuMemGetAddressRange_v2(&got, &bytes, p);
	if (!error)
		error = give(base, got);
	if (!error && n)
		*n = at_most(bytes);
	return error;
}

DRIVER(cuMemHostGetDevicePointer)(address *device, void *p, unsigned flags)
{
	uint64_t got = 0;
	const int error = device ? AS_DRIVER(ws_cudaHostGetDevicePointer(&got, p, flags)) : cudaErrorInvalidValue;
	return error ? error : give(device, got);
}

DRIVER(cuModuleGetGlobal)(address *p, unsigned *n, struct host_module *m, const char *name)
{
	uint64_t got = 0;
	size_t bytes = 0;
	int error = ws_cuModuleGetGlobal_v2(&got, &bytes, m, name);
	if (!error)
		error = give(p, got);
	if (!error && n)
		*n = at_most(bytes);
	return error;
}

DRIVER(cuMemGetInfo)(unsigned *free, unsigned *all)
{
	size_t left, most;
	const int error = free && all ? ws_cuMemGetInfo_v2(&left, &most) : cudaErrorInvalidValue;
	if (error)
		return error;
	*free = at_most(left);
	*all = at_most(most);
	return 0;
}

DRIVER(cuDeviceTotalMem)(unsigned *n, int device)
{
	size_t bytes;
	const int error = n ? ws_cuDeviceTotalMem_v2(&bytes, device) : cudaErrorInvalidValue;
	if (!error)
		*n = at_most(bytes);
	return error;
}

/* ---- structures: of copies, and of what describes an array ---- */

struct first_side_2d {
	unsigned x, y, type;
	void *host;
	address device;
	void *array;
	unsigned pitch;
};
struct first_copy_2d { /* CUDA_MEMCPY2D_v1 */
	struct first_side_2d from, to;
	unsigned bytes, rows;
};
struct first_side_3d {
	unsigned x, y, z, level, type;
	void *host;
	address device;
	void *array, *reserved;
	unsigned pitch, height;
};
struct first_copy_3d { /* CUDA_MEMCPY3D_v1 */
	struct first_side_3d from, to;
	unsigned bytes, rows, slices;
};

struct side_2d { /* as now */
	size_t x, y;
	unsigned type;
	void *host;
	uint64_t device;
	void *array;
	size_t pitch;
};
struct copy_2d {
	struct side_2d from, to;
	size_t bytes, rows;
};
struct side_3d {
	size_t x, y, z, level;
	unsigned type;
	void *host;
	uint64_t device;
	void *array, *reserved;
	size_t pitch, height;
};
struct copy_3d {
	struct side_3d from, to;
	size_t bytes, rows, slices;
};
int ws_cuMemcpy2D_v2(const struct copy_2d *c), ws_cuMemcpy2DAsync_v2(const struct copy_2d *c, void *stream);
int ws_cuMemcpy3D_v2(const struct copy_3d *c), ws_cuMemcpy3DAsync_v2(const struct copy_3d *c, void *stream);

static struct side_2d side_2d(const struct first_side_2d *s)
{
	return (struct side_2d){s->x, s->y, s->type, s->host, s->device, s->array, s->pitch};
}

static struct side_3d side_3d(const struct first_side_3d *s)
{
	return (struct side_3d){s->x,	   s->y,     s->z,	  s->level, s->type,  s->host,
				s->device, s->array, s->reserved, s->pitch, s->height};
}

static struct copy_2d copy_2d(const struct first_copy_2d *c)
{
	return (struct copy_2d){side_2d(&c->from), side_2d(&c->to), c->bytes, c->rows};
}

static struct copy_3d copy_3d(const struct first_copy_3d *c)
{
	return (struct copy_3d){side_3d(&c->from), side_3d(&c->to), c->bytes, c->rows, c->slices};
}

/* A function of a structure that is made of the first one. */
#define FIRST_OF(name, type, make, arguments, ...) \
	DRIVER(name)(const struct first_##type *c __VA_ARGS__) \
	{ \
		if (!c) \
			return cudaErrorInvalidValue; \
		const struct type wide = make(c); \
		return ws_##name##_v2 arguments; \
	}
FIRST_OF(cuMemcpy2D, copy_2d, copy_2d, (&wide))
FIRST_OF(cuMemcpy3D, copy_3d, copy_3d, (&wide))
FIRST_OF(cuMemcpy2DAsync, copy_2d, copy_2d, (&wide, stream), , void *stream)
FIRST_OF(cuMemcpy3DAsync, copy_3d, copy_3d, (&wide, stream), , void *stream)

struct first_array { /* CUDA_ARRAY_DESCRIPTOR_v1 */
	unsigned width, height, format, channels;
};
struct first_array_3d { /* CUDA_ARRAY3D_DESCRIPTOR_v1 */
	unsigned width, height, depth, format, channels, flags;
};
struct array { /* as now */
	size_t width, height;
	unsigned format, channels;
};
struct array_3d {
	size_t width, height, depth;
	unsigned format, channels, flags;
};
int ws_cuArrayCreate_v2(void **array, const struct array *d), ws_cuArrayGetDescriptor_v2(struct array *d, void *array);
int ws_cuArray3DCreate_v2(void **array, const struct array_3d *d),
	ws_cuArray3DGetDescriptor_v2(struct array_3d *d, void *array);

DRIVER(cuArrayCreate)(void **array, const struct first_array *d)
{
	if (!d)
		return cudaErrorInvalidValue;
	const struct array now = {d->width, d->height, d->format, d->channels};
	return CALL_TWIN(ws_cuArrayCreate_v2(array, &now));
}

DRIVER(cuArray3DCreate)(void **array, const struct first_array_3d *d)
{
	if (!d)
		return cudaErrorInvalidValue;
	const struct array_3d now = {d->width, d->height, d->depth, d->format, d->channels, d->flags};
	return CALL_TWIN(ws_cuArray3DCreate_v2(array, &now));
}

DRIVER(cuArrayGetDescriptor)(struct first_array *d, void *array)
{
	struct array now;
	const int error = d ? ws_cuArrayGetDescriptor_v2(&now, array) : cudaErrorInvalidValue;
	if (!error)
		*d = (struct first_array){at_most(now.width), at_most(now.height), now.format, now.channels};
	return error;
}

DRIVER(cuArray3DGetDescriptor)(struct first_array_3d *d, void *array)
{
	struct array_3d now;
	const int error = d ? ws_cuArray3DGetDescriptor_v2(&now, array) : cudaErrorInvalidValue;
	if (!error)
		*d = (struct first_array_3d){at_most(now.width), at_most(now.height), at_most(now.depth),
					     now.format,	 now.channels,	      now.flags};
	return error;
}
