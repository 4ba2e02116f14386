/* Texture and surface references: which there are. */
#include "host/references.h"

#include <stdlib.h>
#include <string.h>

/* What is asked of the registry is asked without the lock: it calls host_references_forget. */
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

/* With the lock. */
static void drop(struct host_reference **link)
{
	struct host_reference *r = *link;
	*link = r->next;
	free(r->name);
	free(r);
}

bool host_reference_is(const struct host_reference *handle, bool is_surface)
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
			drop(link);
			break;
		}
	unlock();
}

/* ---- those of the runtime: by the program's variable ---- */

static struct host_reference *with_symbol(const void *symbol, bool is_surface)
{
	lock();
	struct host_reference *r = references.first;
	while (r && (!symbol || r->symbol != symbol || r->is_surface != is_surface))
		r = r->next;
	unlock();
	return r;
}

bool host_reference_is_symbol(const void *symbol, bool is_surface) { return with_symbol(symbol, is_surface) != NULL; }

struct host_reference *host_reference_of(const void *symbol, bool is_surface, int *error)
{
	struct host_reference *r = with_symbol(symbol, is_surface);
	*error = !r	       ? cudaErrorInvalidSymbol
		 : r->variable ? 0
			       : host_module_reference(r->module, r->name, is_surface, &r->variable);
	if (*error == cudaErrorInvalidSymbol)
		*error = is_surface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture;
	return *error ? NULL : r;
}

/* ---- those of the driver API: by a name ---- */

static struct host_reference *with_name(const struct host_module *m, const char *name, bool is_surface)
{
	struct host_reference *r = references.first;
	while (r && (r->symbol || r->module != m || r->is_surface != is_surface || strcmp(r->name, name)))
		r = r->next;
	return r;
}

int host_reference_named(struct host_module *m, const char *name, bool is_surface, struct host_reference **out)
{
	struct host_reference like = {.module = m, .name = (char *)(uintptr_t)name, .is_surface = is_surface};
	const int error = host_module_reference(m, name, is_surface, &like.variable);
	if (error)
		return error == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound : error;
	host_sampling_begin(&like);
	lock();
	struct host_reference *r = with_name(m, name, is_surface);
	*out = r ? r : host_reference_add(&like);
	unlock();
	return *out ? 0 : cudaErrorMemoryAllocation;
}

/* ---- what they were bound to, or are of, goes ---- */

void host_references_forget(const struct host_module *m)
{
	lock();
	for (struct host_reference **link = &references.first; *link;)
		if ((*link)->module == m && m)
			drop(link);
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
			drop(link);
			continue;
		}
		r->bound = BOUND_TO_NOTHING;
		r->variable = 0;
		link = &r->next;
	}
	unlock();
}

/* (The device goes on knowing where it was: what comes there tells what has been freed.) Without references it takes no lock. */
void host_references_lose(const void *array)
{
	if (!__atomic_load_n(&references.first, __ATOMIC_RELAXED))
		return;
	lock();
	for (struct host_reference *r = references.first; r; r = r->next)
		if (r->bound >= BOUND_TO_ARRAY && r->array == array)
			r->bound = BOUND_TO_NOTHING;
	unlock();
}
