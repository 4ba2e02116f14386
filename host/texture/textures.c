/* Texture and surface objects: checks of what the program describes, and its description for the device, which has the objects. */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "host/texture/texels.h"
#include "host/texture/textures.h"

/* Returns 0 if the described resource exists and textures may read it, or an error. */
static int check_resource(const struct host_resource *r)
{
	const __typeof__(r->of.memory) *m = &r->of.memory;
	size_t offset;
	switch (r->kind) {
	case OF_ARRAY: return host_array_of(r->of.array) ? 0 : cudaErrorInvalidValue;
	case OF_MIPMAPS: return host_mipmaps_of(r->of.array) ? 0 : cudaErrorInvalidValue;
	case OF_MEMORY: return host_check_texels(m->at, m->width, &m->channels, &offset, NULL);
	case OF_ROWS:
		return host_check_rows(&(struct host_rows){m->at, m->width, m->height, m->pitch, false}, &m->channels,
				       &offset, NULL);
	default: return cudaErrorInvalidValue;
	}
}

/* Returns whether the resource may be read with this sampling and view. */
static bool can_be_read(const struct host_resource *r, const struct gpu_sampler *t, bool has_view)
{
	const bool is_array = r->kind == OF_ARRAY || r->kind == OF_MIPMAPS;
	const struct host_array *a = r->kind == OF_ARRAY ? host_array_of(r->of.array)
				     : is_array		 ? host_mipmaps_of(r->of.array)
							 : NULL;
	return (r->kind != OF_MIPMAPS || t->normalized) && (is_array || !has_view) &&
	       (!t->is_seamless || (a && a->flags & HOST_ARRAY_CUBE));
}

struct gpu_texels host_array_texels(uint32_t kind, const void *handle, const struct host_channels *c)
{
	const struct host_array *a = kind == GPU_TEXELS_ARRAY ? host_array_of(handle) : host_mipmaps_of(handle);
	struct gpu_texels t = {.kind = kind,
			       .address = a->at,
			       .width = a->width,
			       .height = a->height,
			       .depth = a->depth,
			       .array = (uint64_t)(uintptr_t)handle,
			       .flags = a->flags,
			       .bits = {c->bits[0], c->bits[1], c->bits[2], c->bits[3]},
			       .format = c->format};
	if (kind == GPU_TEXELS_MIPMAPS)
		t.n_levels = host_mipmaps_levels(handle, t.level);
	return t;
}

struct gpu_texels host_memory_texels(uint32_t kind, const struct host_rows *rows, const struct host_channels *c)
{
	return (struct gpu_texels){.kind = kind,
				   .address = rows->at,
				   .width = rows->width,
				   .height = rows->height,
				   .pitch = rows->pitch,
				   .bits = {c->bits[0], c->bits[1], c->bits[2], c->bits[3]},
				   .format = c->format};
}

/* Returns the texels of a resource that check_resource has accepted. */
static struct gpu_texels texels_of(const struct host_resource *r)
{
	const __typeof__(r->of.memory) *m = &r->of.memory;
	if (r->kind == OF_ARRAY || r->kind == OF_MIPMAPS) {
		const struct host_array *a = r->kind == OF_ARRAY ? host_array_of(r->of.array) : host_mipmaps_of(r->of.array);
		return host_array_texels((uint32_t)r->kind, r->of.array, &a->channels);
	}
	return host_memory_texels((uint32_t)r->kind, &(struct host_rows){m->at, m->width, m->height, m->pitch, false}, &m->channels);
}

/* Returns the program's description of texels. */
static struct host_resource resource_of(const struct gpu_texels *t)
{
	struct host_resource r = {.kind = (int)t->kind};
	if (r.kind == OF_ARRAY || r.kind == OF_MIPMAPS) {
		r.of.array = (const void *)(uintptr_t)t->array;
		return r;
	}
	r.of.memory = (__typeof__(r.of.memory)){.at = t->address,
						.channels = {{t->bits[0], t->bits[1], t->bits[2], t->bits[3]}, t->format},
						.width = t->width,
						.height = t->height,
						.pitch = t->pitch};
	return r;
}

static int create_object(uint64_t *handle, const struct gpu_texture *t)
{
	struct call_texture_create_out out;
	const int error = call_texture_create(&(struct call_texture_create){*t}, NULL, 0, &out);
	if (!error)
		*handle = out.handle;
	return error;
}

static int destroy_object(uint64_t handle, bool is_surface)
{
	int error = handle ? host_enter() : 0;
	if (handle && !error)
		error = call_texture_destroy(&(struct call_texture_destroy){handle, is_surface}, NULL, 0, NULL);
	return error;
}

bool host_object_of(uint64_t handle, bool is_surface, struct host_object *out)
{
	struct call_texture_get_out got;
	if (host_enter() || call_texture_get(&(struct call_texture_get){handle, is_surface}, NULL, 0, &got))
		return false;
	*out = (struct host_object){.has_view = got.texture.has_view,
				    .resource = resource_of(&got.texture.texels),
				    .texture = got.texture.sampler,
				    .view = got.texture.view};
	return true;
}

int host_texture_create(uint64_t *handle, const struct host_resource *r, const struct gpu_sampler *t,
			const struct gpu_texture_view *view)
{
	int error = handle && r && t ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = check_resource(r);
	if (!error && !can_be_read(r, t, view))
		error = cudaErrorInvalidValue;
	if (error)
		return error;
	struct gpu_texture o = {.has_view = view != NULL, .texels = texels_of(r), .sampler = *t};
	if (view)
		o.view = *view;
	return create_object(handle, &o);
}

int host_surface_create(uint64_t *handle, const struct host_resource *r)
{
	int error = handle && r ? host_enter() : cudaErrorInvalidValue;
	if (!error && r->kind != OF_ARRAY)
		error = cudaErrorInvalidChannelDescriptor;
	if (!error)
		error = check_resource(r);
	return error ? error : create_object(handle, &(struct gpu_texture){.is_surface = true, .texels = texels_of(r)});
}

/* ---- calls of the runtime; members that only later toolkits have are 0 ---- */

#define TEXTURE_BYTES sizeof(struct gpu_sampler)
#define TEXTURE_BYTES_11 offsetof(struct gpu_sampler, is_seamless)
#define RESOURCE_BYTES sizeof(struct host_resource)
#define RESOURCE_BYTES_13 144
#define VIEW_BYTES sizeof(struct gpu_texture_view)
#define VIEW_BYTES_13 112

static int create_texture(uint64_t *handle, const struct host_resource *r, const void *t, size_t bytes,
			  const struct gpu_texture_view *view)
{
	struct gpu_sampler texture = {0};
	if (t)
		memcpy(&texture, t, bytes);
	return host_leave(host_texture_create(handle, r, t ? &texture : NULL, view));
}

/* Copies a part of a description; the rest of `to` is 0. */
static int copy_description(void *to, size_t bytes, const void *part, size_t n)
{
	if (!to || !part)
		return host_leave(cudaErrorInvalidValue);
	memset(to, 0, bytes);
	memcpy(to, part, n < bytes ? n : bytes);
	return host_leave(0);
}

static int get_resource(void *r, size_t bytes, uint64_t handle, bool is_surface)
{
	struct host_object o;
	return copy_description(r, bytes, host_object_of(handle, is_surface, &o) ? &o.resource : NULL,
				sizeof o.resource);
}

static int get_texture(void *t, size_t bytes, uint64_t handle)
{
	struct host_object o;
	return copy_description(t, bytes, host_object_of(handle, false, &o) ? &o.texture : NULL, sizeof o.texture);
}

static int get_view(void *v, size_t bytes, uint64_t handle)
{
	struct host_object o;
	return copy_description(v, bytes, host_object_of(handle, false, &o) && o.has_view ? &o.view : NULL,
				sizeof o.view);
}

/* A variant for each toolkit; 11.8 also has the later ones as _v2. */
#define TEXTURE_CALLS(suffix, bytes) \
	API(cudaCreateTextureObject##suffix) \
	(uint64_t * handle, const struct host_resource *r, const void *t, const struct gpu_texture_view *v) \
	{ \
		return create_texture(handle, r, t, bytes, v); \
	} \
	API(cudaGetTextureObjectTextureDesc##suffix)(void *t, uint64_t handle) { return get_texture(t, bytes, handle); }
TEXTURE_CALLS(_11, TEXTURE_BYTES_11)
TEXTURE_CALLS(_12, TEXTURE_BYTES)
TEXTURE_CALLS(_13, TEXTURE_BYTES)
TEXTURE_CALLS(_v2, TEXTURE_BYTES)

#define DESCRIPTION_CALLS(suffix, resource_bytes, view_bytes) \
	API(cudaGetTextureObjectResourceDesc##suffix)(void *r, uint64_t handle) \
	{ \
		return get_resource(r, resource_bytes, handle, false); \
	} \
	API(cudaGetSurfaceObjectResourceDesc##suffix)(void *r, uint64_t handle) \
	{ \
		return get_resource(r, resource_bytes, handle, true); \
	} \
	API(cudaGetTextureObjectResourceViewDesc##suffix)(void *v, uint64_t handle) \
	{ \
		return get_view(v, view_bytes, handle); \
	}
DESCRIPTION_CALLS(_11, RESOURCE_BYTES, VIEW_BYTES)
DESCRIPTION_CALLS(_12, RESOURCE_BYTES, VIEW_BYTES)
DESCRIPTION_CALLS(_13, RESOURCE_BYTES_13, VIEW_BYTES_13)

API(cudaCreateSurfaceObject)(uint64_t *handle, const struct host_resource *r)
{
	return host_leave(host_surface_create(handle, r));
}

API(cudaDestroyTextureObject)(uint64_t handle)
{
	return host_leave(destroy_object(handle, false));
}

API(cudaDestroySurfaceObject)(uint64_t handle)
{
	return host_leave(destroy_object(handle, true));
}
