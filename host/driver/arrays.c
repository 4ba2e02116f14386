/* The driver's arrays and mipmapped arrays: the runtime's, described by a format and a number of channels. */
#include "host/memory/arrays.h"
#include "host/driver/driver.h"

struct extent { /* cudaExtent */
	size_t width, height, depth;
};
int ws_cudaMallocMipmappedArray(void **mipmaps, const struct host_channels *c, struct extent e, unsigned levels,
				unsigned flags);

/* CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR */
struct descriptor {
	size_t width, height;
	unsigned format, channels;
};
struct descriptor_3d {
	size_t width, height, depth;
	unsigned format, channels, flags;
};

static int create(void **array, const struct descriptor_3d *d, const void *caller)
{
	struct host_channels c;
	if (!host_driver_channels(d->format, d->channels, &c))
		return cudaErrorInvalidValue;
	return AS_DRIVER(host_array_create(array, &c, d->width, d->height, d->depth, d->flags, caller));
}

DRIVER(cuArrayCreate_v2)(void **array, const struct descriptor *d)
{
	if (!array || !d)
		return cudaErrorInvalidValue;
	return create(array, &(struct descriptor_3d){d->width, d->height, 0, d->format, d->channels, 0}, HOST_CALLER());
}

DRIVER(cuArray3DCreate_v2)(void **array, const struct descriptor_3d *d)
{
	return array && d ? create(array, d, HOST_CALLER()) : cudaErrorInvalidValue;
}

DRIVER(cuArrayDestroy)(void *array)
{
	const int error = host_array_free(array);
	return error == cudaErrorInvalidValue ? cudaErrorInvalidResourceHandle : error;
}

DRIVER(cuArray3DGetDescriptor_v2)(struct descriptor_3d *d, const void *array)
{
	const struct host_array *a = host_array_of(array);
	if (!a || !d)
		return a ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
	*d = (struct descriptor_3d){a->width, a->height, a->depth, 0, 0, a->flags};
	host_driver_format(&a->channels, &d->format, &d->channels);
	return 0;
}

DRIVER(cuArrayGetDescriptor_v2)(struct descriptor *d, const void *array)
{
	struct descriptor_3d of;
	const int error = d ? ws_cuArray3DGetDescriptor_v2(&of, array) : cudaErrorInvalidValue;
	if (!error)
		*d = (struct descriptor){of.width, of.height, of.format, of.channels};
	return error;
}

/* ---- mipmapped ---- */

DRIVER(cuMipmappedArrayCreate)(void **mipmaps, const struct descriptor_3d *d, unsigned levels)
{
	struct host_channels c;
	if (!mipmaps || !d || !host_driver_channels(d->format, d->channels, &c))
		return cudaErrorInvalidValue;
	const struct extent e = {d->width, d->height, d->depth};
	return AS_DRIVER(ws_cudaMallocMipmappedArray(mipmaps, &c, e, levels, d->flags));
}
