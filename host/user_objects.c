/* Objects of the program's that graphs hold: counted, and ended by a function of the program's when nobody holds them any more. */
#include <stdlib.h>

#include "host/graph.h"

struct host_object {
	void *p;
	void (*destroy)(void *p);
	unsigned long count;
	struct host_object *next;
};

/* By a graph. */
struct host_object_use {
	struct host_object *object;
	unsigned long count;
	struct host_object_use *next;
};

static struct {
	struct host_lock lock;
	struct host_object *first;
} all;

#define NO_DESTRUCTOR_SYNC 1u /* the only flag, and it has to be there */
#define MOVE 1u		      /* cudaGraphUserObjectMove */

static bool lives(const struct host_object *o)
{
	const struct host_object *k = all.first;
	while (k && k != o)
		k = k->next;
	return k;
}

/* False: it isn't there, or hasn't been held so often. */
static bool release(struct host_object *o, unsigned long n)
{
	host_lock(&all.lock);
	const bool ok = n && lives(o) && o->count >= n;
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

static bool retain(struct host_object *o, unsigned long n)
{
	host_lock(&all.lock);
	const bool ok = n && lives(o);
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
	return host_leave(retain(o, count) ? 0 : cudaErrorInvalidValue);
}

API(cudaUserObjectRelease)(struct host_object *o, unsigned count)
{
	return host_leave(release(o, count) ? 0 : cudaErrorInvalidValue);
}

/* ---- of graphs ---- */

static struct host_object_use *use_of(const struct host_graph *g, const struct host_object *o)
{
	struct host_object_use *u = g->objects;
	while (u && u->object != o)
		u = u->next;
	return u;
}

static int add(struct host_graph *g, struct host_object *o, unsigned long count)
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

/* With MOVE the program's own are handed over. */
API(cudaGraphRetainUserObject)(struct host_graph *g, struct host_object *o, unsigned count, unsigned flags)
{
	if (!graph_lives(g) || g->is_ready || flags > MOVE || !retain(o, count))
		return host_leave(cudaErrorInvalidValue);
	const int error = add(g, o, count);
	if (error || flags == MOVE)
		release(o, count);
	return host_leave(error);
}

API(cudaGraphReleaseUserObject)(const struct host_graph *g, struct host_object *o, unsigned count)
{
	struct host_object_use *u = graph_lives(g) ? use_of(g, o) : NULL;
	if (!u || u->count < count)
		return host_leave(cudaErrorInvalidValue);
	u->count -= count;
	release(o, count);
	return 0;
}

void graph_objects_copy(struct host_graph *to, const struct host_graph *from)
{
	for (const struct host_object_use *u = from->objects; u; u = u->next)
		if (u->count && retain(u->object, 1))
			add(to, u->object, 1);
}

void graph_objects_drop(struct host_graph *g)
{
	for (struct host_object_use *u = g->objects, *next; u; u = next) {
		next = u->next;
		release(u->object, u->count);
		free(u);
	}
	g->objects = NULL;
}
