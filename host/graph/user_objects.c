/* User objects that graphs refer to: counted, and destroyed by a function of the program with the last reference. */
#include <stdlib.h>

#include "host/graph/graph.h"

struct host_object {
	void *p;
	void (*destroy)(void *p);
	unsigned long count;
	struct host_object *next;
};

/* The references of a graph to an object. */
struct host_object_use {
	struct host_object *object;
	unsigned long count;
	struct host_object_use *next;
};

static struct {
	struct host_lock lock;
	struct host_object *first;
} all;

#define NO_DESTRUCTOR_SYNC 1u /* the only flag, which is required */
#define MOVE 1u		      /* cudaGraphUserObjectMove */

static bool object_exists(const struct host_object *o)
{
	const struct host_object *k = all.first;
	while (k && k != o)
		k = k->next;
	return k;
}

/* Releases n references. Returns false if the object doesn't exist or has fewer references. */
static bool release_object(struct host_object *o, unsigned long n)
{
	host_lock(&all.lock);
	const bool ok = n && object_exists(o) && o->count >= n;
	const bool ends = ok && !(o->count -= n);
	struct host_object **at = &all.first;
	while (ends && *at != o)
		at = &(*at)->next;
	if (ends)
		*at = o->next;
	host_unlock(&all.lock);
	if (ends) {
		o->destroy(o->p);
		free(o);
	}
	return ok;
}

static bool retain_object(struct host_object *o, unsigned long n)
{
	host_lock(&all.lock);
	const bool ok = n && object_exists(o);
	if (ok)
		o->count += n;
	host_unlock(&all.lock);
	return ok;
}

API(cudaUserObjectCreate)(struct host_object **to, void *p, void (*destroy)(void *), unsigned count, unsigned flags)
{
	struct host_object *o = to && destroy && count && flags == NO_DESTRUCTOR_SYNC ? calloc(1, sizeof *o) : NULL;
	if (!o)
		return host_leave(cudaErrorInvalidValue);
	*o = (struct host_object){p, destroy, count, NULL};
	host_lock(&all.lock);
	o->next = all.first;
	all.first = o;
	host_unlock(&all.lock);
	*to = o;
	return 0;
}

API(cudaUserObjectRetain)(struct host_object *o, unsigned count)
{
	return host_leave(retain_object(o, count) ? 0 : cudaErrorInvalidValue);
}

API(cudaUserObjectRelease)(struct host_object *o, unsigned count)
{
	return host_leave(release_object(o, count) ? 0 : cudaErrorInvalidValue);
}

/* ---- references of graphs ---- */

static struct host_object_use *use_of(const struct host_graph *g, const struct host_object *o)
{
	struct host_object_use *u = g->objects;
	while (u && u->object != o)
		u = u->next;
	return u;
}

static int add_use(struct host_graph *g, struct host_object *o, unsigned long count)
{
	struct host_object_use *u = use_of(g, o);
	if (!u && !(u = calloc(1, sizeof *u)))
		return cudaErrorMemoryAllocation;
	if (!u->object) {
		*u = (struct host_object_use){o, 0, g->objects};
		g->objects = u;
	}
	u->count += count;
	return 0;
}

/* With MOVE the program's references become the graph's. */
API(cudaGraphRetainUserObject)(struct host_graph *g, struct host_object *o, unsigned count, unsigned flags)
{
	if (!graph_lives(g) || g->is_ready || flags > MOVE || !retain_object(o, count))
		return host_leave(cudaErrorInvalidValue);
	const int error = add_use(g, o, count);
	if (error || flags == MOVE)
		release_object(o, count);
	return host_leave(error);
}

API(cudaGraphReleaseUserObject)(const struct host_graph *g, struct host_object *o, unsigned count)
{
	struct host_object_use *u = graph_lives(g) ? use_of(g, o) : NULL;
	if (!u || u->count < count)
		return host_leave(cudaErrorInvalidValue);
	u->count -= count;
	release_object(o, count);
	return 0;
}

void graph_objects_copy(struct host_graph *to, const struct host_graph *from)
{
	for (const struct host_object_use *u = from->objects; u; u = u->next)
		if (u->count && retain_object(u->object, 1))
			add_use(to, u->object, 1);
}

void graph_objects_release(struct host_graph *g)
{
	for (struct host_object_use *u = g->objects, *next; u; u = next) {
		next = u->next;
		release_object(u->object, u->count);
		free(u);
	}
	g->objects = NULL;
}
