/* Texture and surface objects, described by the runtime's structures of the toolkits with the fewest members. */
#ifndef HOST_TEXTURES_H
#define HOST_TEXTURES_H

#include "server/channel/wire.h"
#include "host/memory/arrays.h"
#include "host/texture/texels.h"

enum host_resource_kind { OF_ARRAY, OF_MIPMAPS, OF_MEMORY, OF_ROWS }; /* cudaResourceType, and CUresourcetype */

struct host_resource { /* cudaResourceDesc of CUDA 11 and 12; 13's is longer */
	int kind;
	union {
		const void *array;
		struct {
			uint64_t at;
			struct host_channels channels;
			size_t width, height, pitch; /* width of memory in a row: bytes */
		} memory;
	} of;
};
_Static_assert(sizeof(struct host_resource) == 64, "as driver_types.h has it");

_Static_assert(sizeof(struct gpu_sampler) == 72, "as texture_types.h has cudaTextureDesc; 11's ends before `is_seamless`");
_Static_assert(sizeof(struct gpu_texture_view) == 48, "as cudaResourceViewDesc of CUDA 11 and 12; 13's and the driver API's are longer");

/* An object's description, as the program gave it. */
struct host_object {
	bool has_view;
	struct host_resource resource;
	struct gpu_sampler texture;
	struct gpu_texture_view view;
};

/* Returns the description of an array's texels for the device, with channels `c`. `kind` is GPU_TEXELS_ARRAY or GPU_TEXELS_MIPMAPS, and `handle` an
 * existing array of that kind. */
struct gpu_texels host_array_texels(uint32_t kind, const void *handle, const struct host_channels *c);
/* Returns the description of memory with channels `c` for the device. `kind` is GPU_TEXELS_MEMORY, with rows->width in bytes, or GPU_TEXELS_ROWS. */
struct gpu_texels host_memory_texels(uint32_t kind, const struct host_rows *rows, const struct host_channels *c);
/* Creates a texture object for resource `r` with sampling `t` and, unless NULL, `view`; *handle gets its handle. Returns 0, or an error if another
 * argument is NULL, textures can't read the resource, or sampling or view doesn't suit it. */
int host_texture_create(uint64_t *handle, const struct host_resource *r, const struct gpu_sampler *t,
			const struct gpu_texture_view *view);
/* Creates a surface object for an array; *handle gets its handle. Returns 0, cudaErrorInvalidChannelDescriptor if `r` isn't of kind OF_ARRAY,
 * cudaErrorInvalidValue if the array doesn't exist or an argument is NULL, or another error. */
int host_surface_create(uint64_t *handle, const struct host_resource *r);
/* Asks the device for the texture object, or with `is_surface` surface object, with that handle, and stores its description in *out. Returns false if
 * there is none of that kind or the call fails. */
bool host_object_of(uint64_t handle, bool is_surface, struct host_object *out);

#endif
