/* Texture and surface objects of the driver API: converts descriptions to the runtime's and back. */
#include <string.h>

#include "host/driver/driver.h"
#include "host/texture/textures.h"

struct driver_resource { /* CUDA_RESOURCE_DESC */
	int kind;
	union {
		const void *array;
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

struct driver_texture { /* CUDA_TEXTURE_DESC */
	int address[3], filter;
	unsigned flags, anisotropy;
	int mipmap_filter;
	float bias, least_level, most_level, border[4];
	int reserved[12];
};
_Static_assert(sizeof(struct driver_texture) == 104, "as cuda.h has it");
enum { READ_AS_INTEGER = 1, NORMALIZED = 2, SRGB = 0x10, NO_TRILINEAR = 0x20, SEAMLESS = 0x40 };

struct driver_view { /* CUDA_RESOURCE_VIEW_DESC */
	struct gpu_texture_view view;
	int reserved[16];
};

static bool is_memory(int kind) { return kind == OF_MEMORY || kind == OF_ROWS; }

static int resource_of(const struct driver_resource *from, struct host_resource *to)
{
	*to = (struct host_resource){.kind = from->kind};
	if (!is_memory(from->kind)) {
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

static struct driver_resource described_resource(const struct host_resource *from)
{
	struct driver_resource to = {.kind = from->kind};
	if (!is_memory(from->kind)) {
		to.of.array = from->of.array;
		return to;
	}
	to.of.memory.at = from->of.memory.at;
	to.of.memory.width = from->of.memory.width;
	host_driver_format(&from->of.memory.channels, &to.of.memory.format, &to.of.memory.channels);
	if (from->kind == OF_ROWS) {
		to.of.memory.height = from->of.memory.height;
		to.of.memory.pitch = from->of.memory.pitch;
	}
	return to;
}

static struct gpu_sampler texture_of(const struct driver_texture *t)
{
	return (struct gpu_sampler){.address = {t->address[0], t->address[1], t->address[2]},
				     .filter = t->filter,
				     .reads_normalized = !(t->flags & READ_AS_INTEGER),
				     .srgb = !!(t->flags & SRGB),
				     .border = {t->border[0], t->border[1], t->border[2], t->border[3]},
				     .normalized = !!(t->flags & NORMALIZED),
				     .anisotropy = t->anisotropy,
				     .mipmap_filter = t->mipmap_filter,
				     .bias = t->bias,
				     .least_level = t->least_level,
				     .most_level = t->most_level,
				     .has_no_trilinear = !!(t->flags & NO_TRILINEAR),
				     .is_seamless = !!(t->flags & SEAMLESS)};
}

static struct driver_texture described_texture(const struct gpu_sampler *t)
{
	const unsigned flags = (t->reads_normalized ? 0 : READ_AS_INTEGER) | (t->srgb ? SRGB : 0) |
			       (t->normalized ? NORMALIZED : 0) | (t->has_no_trilinear ? NO_TRILINEAR : 0) |
			       (t->is_seamless ? SEAMLESS : 0);
	return (struct driver_texture){.address = {t->address[0], t->address[1], t->address[2]},
				       .filter = t->filter,
				       .flags = flags,
				       .anisotropy = t->anisotropy,
				       .mipmap_filter = t->mipmap_filter,
				       .bias = t->bias,
				       .least_level = t->least_level,
				       .most_level = t->most_level,
				       .border = {t->border[0], t->border[1], t->border[2], t->border[3]}};
}

DRIVER(cuTexObjectCreate)
(uint64_t *handle, const struct driver_resource *r, const struct driver_texture *t, const struct driver_view *view)
{
	struct host_resource resource;
	const int error = handle && r && t ? resource_of(r, &resource) : cudaErrorInvalidValue;
	if (error)
		return error;
	const struct gpu_sampler texture = texture_of(t);
	return AS_DRIVER(host_texture_create(handle, &resource, &texture, view ? &view->view : NULL));
}

DRIVER(cuSurfObjectCreate)(uint64_t *handle, const struct driver_resource *r)
{
	struct host_resource resource;
	const int error = handle && r ? resource_of(r, &resource) : cudaErrorInvalidValue;
	return error ? error : AS_DRIVER(host_surface_create(handle, &resource));
}

static int get_object(struct host_object *o, const void *to, uint64_t handle, bool is_surface)
{
	const int error = to ? driver_enter() : cudaErrorInvalidValue;
	return error ? error : host_object_of(handle, is_surface, o) ? 0 : cudaErrorInvalidValue;
}

DRIVER(cuTexObjectGetResourceDesc)(struct driver_resource *r, uint64_t handle)
{
	struct host_object o;
	const int error = get_object(&o, r, handle, false);
	if (!error)
		*r = described_resource(&o.resource);
	return error;
}

DRIVER(cuSurfObjectGetResourceDesc)(struct driver_resource *r, uint64_t handle)
{
	struct host_object o;
	const int error = get_object(&o, r, handle, true);
	if (!error)
		*r = described_resource(&o.resource);
	return error;
}

DRIVER(cuTexObjectGetTextureDesc)(struct driver_texture *t, uint64_t handle)
{
	struct host_object o;
	const int error = get_object(&o, t, handle, false);
	if (!error)
		*t = described_texture(&o.texture);
	return error;
}

DRIVER(cuTexObjectGetResourceViewDesc)(struct driver_view *view, uint64_t handle)
{
	struct host_object o;
	const int error = get_object(&o, view, handle, false);
	if (error || !o.has_view)
		return error ? error : cudaErrorInvalidValue;
	*view = (struct driver_view){.view = o.view};
	return 0;
}
