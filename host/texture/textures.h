/* Texture and surface objects, described by the runtime's structures of the toolkits with the fewest members. */
#ifndef HOST_TEXTURES_H
#define HOST_TEXTURES_H

#include "host/memory/arrays.h"

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

struct host_texture { /* cudaTextureDesc; 11's ends before `seamless` */
	int address[3], filter, read_normalized, srgb;
	float border[4];
	int normalized;
	unsigned anisotropy;
	int mipmap_filter;
	float bias, least_level, most_level;
	int no_trilinear, seamless;
};
_Static_assert(sizeof(struct host_texture) == 72, "as texture_types.h has it");

struct host_view { /* cudaResourceViewDesc of CUDA 11 and 12; 13's and the driver API's are longer */
	char bytes[48];
};

struct host_object {
	uint64_t handle;
	bool is_surface, has_view;
	struct host_resource resource;
	struct host_texture texture;
	struct host_view view;
	struct host_object *next;
};

/* Creates a texture object for resource `r` with sampling `t` and, unless NULL, `view`; *handle gets its handle. Returns 0, or an error if another
 * argument is NULL, textures can't read the resource, or sampling or view doesn't suit it. */
int host_texture_create(uint64_t *handle, const struct host_resource *r, const struct host_texture *t,
			const struct host_view *view);
/* Creates a surface object for an array; *handle gets its handle. Returns 0, cudaErrorInvalidChannelDescriptor if `r` isn't of kind OF_ARRAY,
 * cudaErrorInvalidValue if the array doesn't exist or an argument is NULL, or another error. */
int host_surface_create(uint64_t *handle, const struct host_resource *r);
/* Copies the description of the texture object, or with `is_surface` surface object, with that handle to *out. Returns false if there is none of that
 * kind. */
bool host_object_of(uint64_t handle, bool is_surface, struct host_object *out);

#endif
