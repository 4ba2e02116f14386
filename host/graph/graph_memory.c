/* Memory nodes of graphs. An allocation node and its clones own a reserved address; the debugger knows whether it is allocated
 * (src/server/memory/graph_memory.c). */
#include <stdlib.h>

#include "host/graph/graph.h"

struct host_graph_memory {
	uint64_t at;
	unsigned users;		     /* number of nodes that refer to it */
	unsigned long long owner;    /* id of the graph that allocates it */
	unsigned long long freed_by; /* id of the last graph that got a node to free it; 0: none */
	struct host_graph_memory *next;
};

static struct {
	struct host_lock lock;
	struct host_graph_memory *first;
} all;

struct host_graph_memory *graph_memory_make(size_t bytes, const void *caller, int *error)
{
	struct call_graph_reserve_out out;
	struct host_graph_memory *m = calloc(1, sizeof *m);
	*error = m ? call_graph_reserve(&(struct call_graph_reserve){bytes, (uint64_t)(uintptr_t)caller}, NULL, 0, &out)
		   : cudaErrorMemoryAllocation;
	if (*error) {
		free(m);
		return NULL;
	}
	m->at = out.address;
	m->users = 1;
	host_lock(&all.lock);
	m->next = all.first;
	all.first = m;
	host_unlock(&all.lock);
	return m;
}

struct host_graph_memory *graph_memory_retain(struct host_graph_memory *m)
{
	host_lock(&all.lock);
	if (m)
		m->users++;
	host_unlock(&all.lock);
	return m;
}

void graph_memory_release(struct host_graph_memory *m)
{
	if (!m)
		return;
	host_lock(&all.lock);
	const bool unused = !--m->users;
	struct host_graph_memory **at = &all.first;
	while (unused && *at != m)
		at = &(*at)->next;
	if (unused)
		*at = m->next;
	host_unlock(&all.lock);
	if (!unused)
		return;
	call_graph_release(&(struct call_graph_release){m->at}, NULL, 0, NULL);
	free(m);
}

void *graph_memory_address(const struct host_graph_memory *m) { return (void *)(uintptr_t)m->at; }

/* ---- nodes ---- */

/* Returns 0 if graph `g` may free the memory, and records it: once in its own graph, or in other graphs. */
static int is_freed_by(const struct host_graph *g, const void *at)
{
	int error = cudaErrorInvalidValue;
	host_lock(&all.lock);
	struct host_graph_memory *m = all.first;
	while (m && m->at != (uint64_t)(uintptr_t)at)
		m = m->next;
	if (m && m->freed_by != g->id && (!m->freed_by || (m->freed_by != m->owner && g->id != m->owner))) {
		m->freed_by = g->id;
		error = 0;
	}
	host_unlock(&all.lock);
	return error;
}

int graph_memory_check_node(struct host_graph *g, const struct host_work *w)
{
	if (w->type != NODE_ALLOC && w->type != NODE_FREE)
		return 0;
	if (w->type == NODE_FREE)
		return is_freed_by(g, w->freed);
	w->memory->owner = g->id;
	return 0;
}

/* ---- launching ---- */

static int free_in_stream(uint64_t at, const void *stream)
{
	return call_free_in_stream(&(struct call_free_in_stream){at, host_stream(stream)}, NULL, 0, NULL);
}

static int is_ready(uint64_t at, bool frees, const void *stream)
{
	struct call_graph_state_out out;
	const int error = call_graph_state(&(struct call_graph_state){at}, NULL, 0, &out);
	if (error || !out.is_allocated)
		return error;
	return frees ? free_in_stream(at, stream) : cudaErrorInvalidValue;
}

int graph_memory_check_free(const struct host_graph *g, bool frees, const void *stream)
{
	int error = 0;
	for (const struct host_node *n = g->first; n && !error; n = n->next)
		if (n->work.type == NODE_ALLOC)
			error = is_ready(n->work.memory->at, frees, stream);
		else if (n->work.type == NODE_GRAPH)
			error = graph_memory_check_free(n->work.graph, frees, stream);
	return error;
}

int graph_memory_run(const struct host_work *w, const void *stream)
{
	if (w->type == NODE_FREE)
		return free_in_stream((uint64_t)(uintptr_t)w->freed, stream);
	return call_graph_allocate(&(struct call_graph_allocate){w->memory->at, host_stream(stream)}, NULL, 0, NULL);
}

/* ---- the calls ---- */

enum { PINNED = 1, ON_DEVICE = 1 }; /* cudaMemAllocationType, cudaMemLocationType */

static bool may_be(const struct host_alloc_params *p)
{
	enum { TYPE, HANDLES, LOCATION, DEVICE };
	return p && p->bytes && p->properties[TYPE] == PINNED && !p->properties[HANDLES] &&
	       p->properties[LOCATION] == ON_DEVICE && !p->properties[DEVICE];
}

API(cudaGraphAddMemAllocNode)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n, struct host_alloc_params *p)
{
	int error = to && may_be(p) && graph_lives(g) ? host_enter() : cudaErrorInvalidValue;
	struct host_graph_memory *m = error ? NULL : graph_memory_make(p->bytes, HOST_CALLER(), &error);
	if (!m)
		return host_leave(error);
	struct host_work w = {.type = NODE_ALLOC, .alloc = *p, .memory = m};
	w.alloc.at = graph_memory_address(m);
	w.alloc.access = NULL;
	w.alloc.n_access = 0;
	error = graph_add_checked(to, g, before, n, &w);
	if (!error)
		p->at = w.alloc.at;
	graph_memory_release(m);
	return error;
}

API(cudaGraphAddMemFreeNode)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n, void *p)
{
	return graph_add_checked(to, g, before, n, &(struct host_work){.type = NODE_FREE, .freed = p});
}

API(cudaGraphMemAllocNodeGetParams)(const struct host_node *node, struct host_alloc_params *p)
{
	if (!graph_node_lives(node) || !p || node->work.type != NODE_ALLOC)
		return host_leave(cudaErrorInvalidValue);
	*p = node->work.alloc;
	return 0;
}

API(cudaGraphMemFreeNodeGetParams)(const struct host_node *node, void **p)
{
	if (!graph_node_lives(node) || !p || node->work.type != NODE_FREE)
		return host_leave(cudaErrorInvalidValue);
	*p = node->work.freed;
	return 0;
}

/* ---- memory in use ---- */

static int attribute(int device, unsigned number, enum wire_attribute what, uint64_t *value)
{
	struct call_graph_attribute_out out = {0};
	int error = device ? cudaErrorInvalidDevice : host_enter();
	if (!error)
		error = call_graph_attribute(&(struct call_graph_attribute){host_graph_memory_attribute(number), what}, NULL, 0, &out);
	if (!error && value)
		*value = out.value;
	return host_leave(error);
}

API(cudaDeviceGetGraphMemAttribute)(int device, unsigned number, uint64_t *value)
{
	return value ? attribute(device, number, WIRE_ATTRIBUTE_GET, value) : host_leave(cudaErrorInvalidValue);
}

/* High marks can only be set to 0. */
API(cudaDeviceSetGraphMemAttribute)(int device, unsigned number, const uint64_t *value)
{
	const bool is_mark = number == 1 || number == 3;
	return value && !*value && is_mark ? attribute(device, number, WIRE_ATTRIBUTE_RESET, NULL)
					   : host_leave(cudaErrorInvalidValue);
}

API(cudaDeviceGraphMemTrim)(int device) { return attribute(device, 0, WIRE_ATTRIBUTE_TRIM, NULL); }
