/* Texture and surface objects of the driver API: what describes them is made into the runtime's descriptions. */
#include <string.h>

#include "host/arrays.h"
#include "host/driver.h"

enum { OF_ARRAY, OF_MIPMAPS, OF_MEMORY, OF_ROWS }; /* CUresourcetype, and cudaResourceType */

/* CUDA_RESOURCE_DESC */
struct driver_resource {
	int kind;
	union {
		void *array;
		struct {
			uint64_t at;
			unsigned format, channels;
			size_t width; /* of memory in a row: bytes */
			size_t height, pitch;
		} memory;
		int reserved[32];
	} of;
	unsigned flags;
};
_Static_assert(sizeof(struct driver_resource) == 144, "as cuda.h has it");

/* cudaResourceDesc */
struct resource {
	int kind;
	union {
		void *array;
		struct {
			uint64_t at;
			struct host_channels channels;
			size_t width, height, pitch;
		} memory;
		int reserved[32];
	} of;
	unsigned flags;
};

/* CUDA_TEXTURE_DESC */
struct driver_texture {
	int address[3], filter;
	unsigned flags, anisotropy;
	int mipmap_filter;
	float bias, least_level, most_level, border[4];
	int reserved[12];
};
_Static_assert(sizeof(struct driver_texture) == 104, "as cuda.h has it");
enum { READ_AS_INTEGER = 1, NORMALIZED = 2, SRGB = 0x10, NO_TRILINEAR = 0x20, SEAMLESS = 0x40 };

/* cudaTextureDesc */
struct texture {
	int address[3], filter, read_normalized, srgb;
	float border[4];
	int normalized;
	unsigned anisotropy;
	int mipmap_filter;
	float bias, least_level, most_level;
	int no_trilinear, seamless;
};
_Static_assert(sizeof(struct texture) == 72, "as driver_types.h has it");

int ws_cudaCreateTextureObject(uint64_t *handle, const struct resource *r, const struct texture *t, const void *view);
int ws_cudaCreateSurfaceObject(uint64_t *handle, const struct resource *r);

static int resource_of(const struct driver_resource *from, struct resource *to)
{
	*to = (struct resource){.kind = from->kind};
	if (from->kind == OF_ARRAY || from->kind == OF_MIPMAPS) {
		to->of.array = from->of.array;
		return 0;
	}
	to->of.memory.at = from->of.memory.at;
	to->of.memory.width = from->of.memory.width;
	if (from->kind == OF_ROWS) {
		to->of.memory.height = from->of.memory.height;
		to->of.memory.pitch = from->of.memory.pitch;
	}
	return host_driver_channels(from->of.memory.format, from->of.memory.channels, &to->of.memory.channels)
		       ? 0
		       : cudaErrorInvalidValue;
}

static struct texture texture_of(const struct driver_texture *t)
{
	return (struct texture){.address = {t->address[0], t->address[1], t->address[2]},
				.filter = t->filter,
				.read_normalized = !(t->flags & READ_AS_INTEGER),
				.srgb = !!(t->flags & SRGB),
				.border = {t->border[0], t->border[1], t->border[2], t->border[3]},
				.normalized = !!(t->flags & NORMALIZED),
				.anisotropy = t->anisotropy,
				.mipmap_filter = t->mipmap_filter,
				.bias = t->bias,
				.least_level = t->least_level,
				.most_level = t->most_level,
				.no_trilinear = !!(t->flags & NO_TRILINEAR),
				.seamless = !!(t->flags & SEAMLESS)};
}

/* (a resource view of both has the same beginning) */
DRIVER(cuTexObjectCreate)
(uint64_t *handle, const struct driver_resource *r, const struct driver_texture *t, const void *view)
{
	struct resource resource;
	struct texture texture;
	const int error = handle && r && t ? resource_of(r, &resource) : cudaErrorInvalidValue;
	if (error)
		return error;
	texture = texture_of(t);
	return AS_DRIVER(ws_cudaCreateTextureObject(handle, &resource, &texture, view));
}

DRIVER(cuSurfObjectCreate)(uint64_t *handle, const struct driver_resource *r)
{
	struct resource resource;
	const int error = handle && r ? resource_of(r, &resource) : cudaErrorInvalidValue;
	return error ? error : AS_DRIVER(ws_cudaCreateSurfaceObject(handle, &resource));
}
