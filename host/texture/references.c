/* The list of texture and surface references. */
#include "host/texture/references.h"

#include <stdlib.h>
#include <string.h>

/* The registry is called without the lock, as it calls host_references_remove_module. */
static struct references {
	struct host_lock lock;
	struct host_reference *first;
} references;

static void lock(void) { host_lock(&references.lock); }
static void unlock(void) { host_unlock(&references.lock); }

struct host_reference *host_reference_add(const struct host_reference *like)
{
	struct host_reference *r = malloc(sizeof *r);
	char *name = strdup(like->name ? like->name : "");
	if (!r || !name) {
		free(r);
		free(name);
		return NULL;
	}
	*r = *like;
	r->name = name;
	lock();
	r->next = references.first;
	references.first = r;
	unlock();
	return r;
}

/* Removes and frees a reference, with the lock held. */
static void free_reference(struct host_reference **link)
{
	struct host_reference *r = *link;
	*link = r->next;
	free(r->name);
	free(r);
}

bool host_reference_is_handle(const struct host_reference *handle, bool is_surface)
{
	lock();
	const struct host_reference *r = references.first;
	while (r && r != handle)
		r = r->next;
	const bool is = r && r->is_surface == is_surface && !r->symbol;
	unlock();
	return is;
}

void host_reference_remove(struct host_reference *r)
{
	lock();
	for (struct host_reference **link = &references.first; *link; link = &(*link)->next)
		if (*link == r) {
			free_reference(link);
			break;
		}
	unlock();
}

/* ---- references of the runtime: by the program's variable ---- */

struct host_reference *host_reference_by_symbol(const void *symbol, bool is_surface)
{
	lock();
	struct host_reference *r = references.first;
	while (r && (!symbol || r->symbol != symbol || r->is_surface != is_surface))
		r = r->next;
	unlock();
	return r;
}

/* ---- references of the driver API: by name ---- */

void host_sampling_init(struct host_reference *r)
{
	enum { CLAMP = 1, POINT = 0, FLOAT = 2 }; /* CUaddress_mode, CUfilter_mode, cudaChannelFormatKind */
	r->channels = (struct host_channels){.bits = {32}, .format = FLOAT};
	r->sampling = (struct host_sampling){.address = {CLAMP, CLAMP, CLAMP}, .filter = POINT};
}

static struct host_reference *find_by_name(const struct host_module *m, const char *name, bool is_surface)
{
	struct host_reference *r = references.first;
	while (r && (r->symbol || r->module != m || r->is_surface != is_surface || strcmp(r->name, name)))
		r = r->next;
	return r;
}

struct host_reference *host_reference_share(const struct host_reference *like)
{
	lock();
	struct host_reference *r = find_by_name(like->module, like->name, like->is_surface);
	r = r ? r : host_reference_add(like);
	unlock();
	return r;
}

/* ---- removal of modules and arrays ---- */

void host_references_remove_module(const struct host_module *m)
{
	lock();
	for (struct host_reference **link = &references.first; *link;)
		if ((*link)->module == m && m)
			free_reference(link);
		else
			link = &(*link)->next;
	unlock();
}

void host_references_reset(void)
{
	lock();
	for (struct host_reference **link = &references.first; *link;) {
		struct host_reference *r = *link;
		if (!r->symbol) {
			free_reference(link);
			continue;
		}
		r->bound = BOUND_TO_NOTHING;
		r->variable = 0;
		link = &r->next;
	}
	unlock();
}

/* The device keeps the address, so that an access can be reported as freed memory. Takes no lock if there are no references. */
void host_references_unbind_array(const void *array)
{
	if (!__atomic_load_n(&references.first, __ATOMIC_RELAXED))
		return;
	lock();
	for (struct host_reference *r = references.first; r; r = r->next)
		if (r->bound >= BOUND_TO_ARRAY && r->array == array)
			r->bound = BOUND_TO_NOTHING;
	unlock();
}
