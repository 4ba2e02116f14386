/* The driver's arrays and mipmapped arrays: the runtime's, described by a format and a number of channels. */
#include "host/arrays.h"
#include "host/driver.h"

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

/* CUarray_format, and the matching cudaChannelFormatKind. */
enum { SIGNED, UNSIGNED, FLOAT };
static const struct format {
	unsigned format;
	int bits, kind;
} formats[] = {{0x01, 8, UNSIGNED}, {0x02, 16, UNSIGNED}, {0x03, 32, UNSIGNED}, {0x08, 8, SIGNED},
	       {0x09, 16, SIGNED},  {0x0a, 32, SIGNED},	  {0x10, 16, FLOAT},	{0x20, 32, FLOAT}};
#define FORMATS (sizeof formats / sizeof *formats)

bool host_driver_channels(unsigned format, unsigned n, struct host_channels *c)
{
	*c = (struct host_channels){0};
	for (size_t k = 0; k < FORMATS; k++) {
		if (formats[k].format != format)
			continue;
		for (unsigned i = 0; i < n && i < 4; i++)
			c->bits[i] = formats[k].bits;
		c->format = formats[k].kind;
		return n == 1 || n == 2 || n == 4;
	}
	return false;
}

bool host_driver_format(const struct host_channels *c, unsigned *format, unsigned *n)
{
	*n = 0;
	while (*n < 4 && c->bits[*n])
		++*n;
	for (size_t k = 0; k < FORMATS; k++)
		if (formats[k].bits == c->bits[0] && formats[k].kind == c->format) {
			*format = formats[k].format;
			return true;
		}
	return false;
}

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
