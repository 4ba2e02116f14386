/* Texture and surface objects of the device: which texels they read, and how these are sampled.
 *
 * They are state of the device, in section "texture" of the arena, so checkpoints and going back in time include them. All of it changes through
 * gpu_input. A handle is an object's number, counted from 1, and the address of its texels. A texture or surface reference is a module's
 * variable; while the reference is bound, the variable holds the handle of an object that the binding made. Numbers of modes, filters and
 * formats are CUDA's. Programs' libraries include this header too: standard headers only. */
#ifndef GPU_TEXTURE_H
#define GPU_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;

#define GPU_TEXTURE_SHIFT 48 /* of the number in a handle */
#define GPU_TEXTURES_MOST UINT32_C(0xffff)

#define GPU_TEXELS_LAYERED 1u /* cudaArrayLayered */
#define GPU_TEXELS_CUBE 4u    /* cudaArrayCubemap */

enum gpu_texels_kind { GPU_TEXELS_ARRAY, GPU_TEXELS_MIPMAPS, GPU_TEXELS_MEMORY, GPU_TEXELS_ROWS }; /* cudaResourceType */

#define GPU_TEXTURE_LEVELS 18u

struct gpu_texels {
	uint64_t address;	       /* of the first texel */
	uint64_t width, height, depth; /* in texels, 0 for a missing dimension; MEMORY: width in bytes */
	uint64_t pitch;		       /* ROWS: bytes from a row to the next */
	uint64_t array;		       /* ARRAY, MIPMAPS: the program's handle of the array */
	int32_t bits[4], format;       /* of the channels; format: cudaChannelFormatKind */
	uint32_t kind;		       /* enum gpu_texels_kind */
	uint32_t flags;		       /* ARRAY, MIPMAPS: cudaArrayLayered ... */
	uint32_t n_levels, unused;     /* MIPMAPS: levels, and the addresses of their first texels */
	uint64_t level[GPU_TEXTURE_LEVELS];
};

struct gpu_sampler { /* laid out as cudaTextureDesc */
	int32_t address[3], filter;
	int32_t reads_normalized, srgb;
	float border[4];
	int32_t normalized;
	uint32_t anisotropy;
	int32_t mipmap_filter;
	float bias, least_level, most_level;
	int32_t has_no_trilinear, is_seamless;
};

struct gpu_texture_view { /* laid out as cudaResourceViewDesc of CUDA 11 and 12 */
	int32_t format, unused;
	uint64_t width, height, depth;
	uint32_t first_level, last_level, first_layer, last_layer;
};

struct gpu_texture {
	struct gpu_texels texels;
	struct gpu_sampler sampler;
	struct gpu_texture_view view;
	uint32_t context;	       /* the owner */
	uint32_t is_surface, has_view; /* 0 or 1 */
	uint32_t unused;
	uint64_t variable; /* address of the reference whose binding made the object; 0: an object of the program */
};

/* ---- changes: for gpu_input only ---- */
/* Creates an object and returns its handle. Returns 0 if the description is invalid or there is no room. */
uint64_t gpu_texture_create(struct gpu *g, const struct gpu_texture *t);
/* Destroys an object of a context. Returns false if the context has no object of that kind with that handle, or a binding made the object. */
bool gpu_texture_destroy(struct gpu *g, uint32_t context, uint64_t handle, bool is_surface);
/* Binds the reference at t->variable: destroys the object bound before, creates the object, and stores its handle in the variable. Texels with address
 * 0 only unbind. Returns false if the variable's memory doesn't exist, or if the description is invalid, and then nothing is bound. */
bool gpu_texture_bind(struct gpu *g, const struct gpu_texture *t);

/* ---- looking ---- */
/* Returns the texture or surface object with that handle, or NULL if there is none. The device owns it. */
const struct gpu_texture *gpu_texture_at(const struct gpu *g, uint64_t handle);
/* Returns the number of entries of the table of objects, unused ones included. */
uint32_t gpu_texture_count(const struct gpu *g);
/* Returns the object in entry k of the table, which must be below gpu_texture_count, and stores its handle. Returns NULL, storing 0, if the entry is
 * unused. The device owns the object. */
const struct gpu_texture *gpu_texture_entry(const struct gpu *g, uint32_t k, uint64_t *handle);

#endif
