/* Mipmapped arrays: an array for each level. */
#include <stdlib.h>

#include "host/memory/arrays.h"
#include "host/host.h"
#include "server/channel/wire.h"
#include "host/texture/references.h"

#define LEVELS_MAX 32u

struct mipmaps {
	unsigned n;
	void *level[LEVELS_MAX];
	struct mipmaps *next;
};

static struct mipmaps_table {
	struct host_lock lock;
	struct mipmaps *first;
} table;

/* Returns the link to a mipmapped array, or to the end of the list, with the lock held. */
static struct mipmaps **link_to(const void *handle)
{
	struct mipmaps **m = &table.first;
	while (*m && *m != handle)
		m = &(*m)->next;
	return m;
}

static struct mipmaps *find_mipmaps(const void *handle, bool take)
{
	host_lock(&table.lock);
	struct mipmaps **link = link_to(handle), *m = *link;
	if (m && take)
		*link = m->next;
	host_unlock(&table.lock);
	return m;
}

const struct host_array *host_mipmaps_of(const void *handle)
{
	const struct mipmaps *m = find_mipmaps(handle, false);
	return m ? host_array_of(m->level[0]) : NULL;
}

unsigned host_mipmaps_levels(const void *handle, uint64_t *level)
{
	const struct mipmaps *m = find_mipmaps(handle, false);
	unsigned n = 0;
	for (; m && n < m->n && n < GPU_TEXTURE_LEVELS; n++)
		level[n] = host_array_of(m->level[n])->at;
	return n;
}

static int free_levels(struct mipmaps *m)
{
	int error = 0;
	while (m->n) {
		const int e = host_array_free(m->level[--m->n]);
		error = error ? error : e;
	}
	free(m);
	return error;
}

static uint64_t halved(uint64_t n, unsigned level) { return n ? (n >> level ? n >> level : 1) : 0; }

struct extent { /* cudaExtent */
	size_t width, height, depth;
};

static unsigned levels_of(const struct extent *e)
{
	uint64_t n = e->width | e->height | e->depth;
	unsigned levels = 0;
	while (n)
		levels++, n >>= 1;
	return levels;
}

static int create_mipmaps(struct mipmaps **made, const struct host_channels *c, const struct extent *e, unsigned levels,
			  unsigned flags, const void *caller)
{
	const bool keeps_depth = flags & (HOST_ARRAY_LAYERED | HOST_ARRAY_CUBE);
	int error = host_enter();
	if (!error)
		error = host_array_check(e->width, e->height, e->depth, flags, true);
	if (error)
		return error;
	struct mipmaps *m = calloc(1, sizeof *m);
	if (!m)
		return cudaErrorMemoryAllocation;
	while (!error && m->n < levels) {
		error = host_array_create(&m->level[m->n], c, halved(e->width, m->n), halved(e->height, m->n),
					  keeps_depth ? e->depth : halved(e->depth, m->n), flags, caller);
		m->n += !error;
	}
	if (error)
		free_levels(m);
	else
		*made = m;
	return error;
}

API(cudaMallocMipmappedArray)
(void **mipmaps, const struct host_channels *c, struct extent e, unsigned levels, unsigned flags)
{
	struct mipmaps *m = NULL;
	const unsigned most = levels_of(&e);
	if (!mipmaps || !c || !levels)
		return host_leave(cudaErrorInvalidValue);
	const int error = create_mipmaps(&m, c, &e, levels < most ? levels : most, flags, HOST_CALLER());
	if (error)
		return host_leave(error);
	host_lock(&table.lock);
	m->next = table.first;
	table.first = m;
	host_unlock(&table.lock);
	*mipmaps = m;
	return host_leave(0);
}

API(cudaGetMipmappedArrayLevel)(void **array, const void *mipmaps, unsigned level)
{
	const struct mipmaps *m = find_mipmaps(mipmaps, false);
	if (!m || !array || level >= m->n)
		return host_leave(m ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
	*array = m->level[level];
	return host_leave(0);
}

API(cudaFreeMipmappedArray)(void *mipmaps)
{
	struct mipmaps *m = find_mipmaps(mipmaps, true);
	host_references_unbind_array(m);
	return host_leave(m ? free_levels(m) : mipmaps ? cudaErrorInvalidValue : 0);
}
