/* Texture and surface objects: made, described, destroyed. The device has no instructions for them yet: a kernel that uses one stops there. */
#include <stdlib.h>
#include <string.h>

#include "host/arrays.h"
#include "host/host.h"

#define FIRST_HANDLE UINT64_C(0x100000000)

enum { OF_ARRAY, OF_MIPMAPS, OF_MEMORY, OF_ROWS }; /* cudaResourceType */

struct resource { /* cudaResourceDesc, what all toolkits have of it: 13's is longer */
	int kind;
	union {
		const void *array;
		const void *memory;
		char all[56];
	} of;
};
_Static_assert(sizeof(struct resource) == 64, "cudaResourceDesc of CUDA 11 and 12");

struct texture {
	char bytes[72]; /* cudaTextureDesc */
};
struct view {
	char bytes[48]; /* cudaResourceViewDesc of CUDA 11 and 12; 13's is longer */
};

struct object {
	uint64_t handle;
	bool is_surface, has_view;
	struct resource resource;
	struct texture texture;
	struct view view;
	struct object *next;
};

static struct objects {
	struct host_lock lock;
	struct object *first;
	uint64_t n;
} objects;

/* Is what it describes there? */
static bool known(const struct resource *r)
{
	switch (r->kind) {
	case OF_ARRAY: return host_array_of(r->of.array) != NULL;
	case OF_MIPMAPS: return host_mipmaps_of(r->of.array) != NULL;
	case OF_MEMORY:
	case OF_ROWS: return r->of.memory != NULL;
	default: return false;
	}
}

static int create(uint64_t *handle, const struct object *like)
{
	int error = host_enter();
	if (error)
		return error;
	struct object *o = malloc(sizeof *o);
	if (!o)
		return cudaErrorMemoryAllocation;
	*o = *like;
	host_lock(&objects.lock);
	o->handle = *handle = FIRST_HANDLE + ++objects.n;
	o->next = objects.first;
	objects.first = o;
	host_unlock(&objects.lock);
	return 0;
}

/* 0: there is none. */
static bool find(uint64_t handle, bool is_surface, struct object *copy, bool destroy)
{
	host_lock(&objects.lock);
	struct object **link = &objects.first;
	while (*link && ((*link)->handle != handle || (*link)->is_surface != is_surface))
		link = &(*link)->next;
	struct object *o = *link;
	if (o && copy)
		*copy = *o;
	if (o && destroy) {
		*link = o->next;
		free(o);
	}
	host_unlock(&objects.lock);
	return o != NULL;
}

API(cudaCreateTextureObject)
(uint64_t *handle, const struct resource *r, const struct texture *t, const struct view *v)
{
	if (!handle || !r || !t || !known(r))
		return host_leave(cudaErrorInvalidValue);
	struct object o = {.has_view = v != NULL, .resource = *r, .texture = *t};
	if (v)
		o.view = *v;
	return host_leave(create(handle, &o));
}

API(cudaCreateSurfaceObject)(uint64_t *handle, const struct resource *r)
{
	if (!handle || !r || r->kind != OF_ARRAY || !known(r))
		return host_leave(handle && r && r->kind != OF_ARRAY ? cudaErrorInvalidChannelDescriptor
								     : cudaErrorInvalidValue);
	return host_leave(create(handle, &(struct object){.is_surface = true, .resource = *r}));
}

API(cudaDestroyTextureObject)(uint64_t handle)
{
	return host_leave(!handle || find(handle, false, NULL, true) ? 0 : cudaErrorInvalidValue);
}

API(cudaDestroySurfaceObject)(uint64_t handle)
{
	return host_leave(!handle || find(handle, true, NULL, true) ? 0 : cudaErrorInvalidValue);
}

API(cudaGetTextureObjectResourceDesc)(struct resource *r, uint64_t handle)
{
	struct object o;
	if (!r || !find(handle, false, &o, false))
		return host_leave(cudaErrorInvalidValue);
	*r = o.resource;
	return host_leave(0);
}

API(cudaGetTextureObjectTextureDesc)(struct texture *t, uint64_t handle)
{
	struct object o;
	if (!t || !find(handle, false, &o, false))
		return host_leave(cudaErrorInvalidValue);
	*t = o.texture;
	return host_leave(0);
}

API(cudaGetTextureObjectResourceViewDesc)(struct view *v, uint64_t handle)
{
	struct object o;
	if (!v || !find(handle, false, &o, false) || !o.has_view)
		return host_leave(cudaErrorInvalidValue);
	*v = o.view;
	return host_leave(0);
}

API(cudaGetSurfaceObjectResourceDesc)(struct resource *r, uint64_t handle)
{
	struct object o;
	if (!r || !find(handle, true, &o, false))
		return host_leave(cudaErrorInvalidValue);
	*r = o.resource;
	return host_leave(0);
}
