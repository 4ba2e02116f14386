/* Texture and surface objects: creation, description, destruction. The device has no instructions for them yet: a kernel that uses an object stops
 * there, and the debugger finds its texels by the handle (wire.h). */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "host/texture/texels.h"
#include "host/texture/textures.h"

static struct objects {
	struct host_lock lock;
	struct host_object *first;
	uint64_t n;
} objects;

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
static bool can_be_read(const struct host_resource *r, const struct host_texture *t, bool has_view)
{
	const bool is_array = r->kind == OF_ARRAY || r->kind == OF_MIPMAPS;
	const struct host_array *a = r->kind == OF_ARRAY ? host_array_of(r->of.array)
				     : is_array		 ? host_mipmaps_of(r->of.array)
							 : NULL;
	return (r->kind != OF_MIPMAPS || t->normalized) && (is_array || !has_view) &&
	       (!t->seamless || (a && a->flags & HOST_ARRAY_CUBE));
}

static bool find_object(uint64_t handle, bool is_surface, struct host_object *copy, bool destroy)
{
	host_lock(&objects.lock);
	struct host_object **link = &objects.first;
	while (*link && ((*link)->handle != handle || (*link)->is_surface != is_surface))
		link = &(*link)->next;
	struct host_object *o = *link;
	if (o && copy)
		*copy = *o;
	if (o && destroy) {
		*link = o->next;
		free(o);
	}
	host_unlock(&objects.lock);
	return o != NULL;
}

static uint64_t address_of(const struct host_resource *r)
{
	switch (r->kind) {
	case OF_ARRAY: return host_array_of(r->of.array)->at;
	case OF_MIPMAPS: return host_mipmaps_of(r->of.array)->at;
	default: return r->of.memory.at;
	}
}

/* Returns an unused handle for an object's texels, with the lock held; 0 if none is left. */
static uint64_t new_handle(const struct host_object *o)
{
	const uint64_t at = address_of(&o->resource);
	for (unsigned tries = 0; tries < WIRE_OBJECTS_MOST; tries++) {
		const uint64_t handle = (objects.n++ % WIRE_OBJECTS_MOST + 1) << WIRE_OBJECT_SHIFT | at;
		if (!find_object(handle, false, NULL, false) && !find_object(handle, true, NULL, false))
			return handle;
	}
	return 0;
}

static int create_object(uint64_t *handle, const struct host_object *like)
{
	struct host_object *o = malloc(sizeof *o);
	if (!o)
		return cudaErrorMemoryAllocation;
	*o = *like;
	host_lock(&objects.lock);
	o->handle = new_handle(o);
	if (o->handle) {
		*handle = o->handle;
		o->next = objects.first;
		objects.first = o;
	}
	host_unlock(&objects.lock);
	if (o->handle)
		return 0;
	free(o);
	return cudaErrorMemoryAllocation;
}

bool host_object_of(uint64_t handle, bool is_surface, struct host_object *out)
{
	return find_object(handle, is_surface, out, false);
}

int host_texture_create(uint64_t *handle, const struct host_resource *r, const struct host_texture *t,
			const struct host_view *view)
{
	int error = handle && r && t ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = check_resource(r);
	if (!error && !can_be_read(r, t, view))
		error = cudaErrorInvalidValue;
	if (error)
		return error;
	struct host_object o = {.has_view = view != NULL, .resource = *r, .texture = *t};
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
	return error ? error : create_object(handle, &(struct host_object){.is_surface = true, .resource = *r});
}

/* ---- calls of the runtime; members that only later toolkits have are 0 ---- */

#define TEXTURE_BYTES sizeof(struct host_texture)
#define TEXTURE_BYTES_11 offsetof(struct host_texture, seamless)
#define RESOURCE_BYTES sizeof(struct host_resource)
#define RESOURCE_BYTES_13 144
#define VIEW_BYTES sizeof(struct host_view)
#define VIEW_BYTES_13 112

static int create_texture(uint64_t *handle, const struct host_resource *r, const void *t, size_t bytes,
			  const struct host_view *view)
{
	struct host_texture texture = {0};
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
	(uint64_t * handle, const struct host_resource *r, const void *t, const struct host_view *v) \
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
	return host_leave(!handle || find_object(handle, false, NULL, true) ? 0 : cudaErrorInvalidValue);
}

API(cudaDestroySurfaceObject)(uint64_t handle)
{
	return host_leave(!handle || find_object(handle, true, NULL, true) ? 0 : cudaErrorInvalidValue);
}
