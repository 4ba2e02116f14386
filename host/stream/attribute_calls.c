/* Calls on attributes of kernel nodes and streams. Only `cooperative` has an effect, and a stream's priority is fixed at its creation; other
 * attributes concern caches, clusters and memory that this device doesn't have. */
#include <stdlib.h>

#include "host/graph/graph.h"

enum {
	WINDOW = 1,
	SYNCHRONIZATION = 3,
	CLUSTER,
	SCHEDULING,
	MEMORY_MAP = 9,
	MEMORY_DOMAIN,
	PREFERRED_CLUSTER,
	CARVEOUT = 14
};

/* ---- of kernel nodes ---- */

static bool check_node(const struct host_node *n, int id)
{
	const bool is_known = id == WINDOW || id == ATTRIBUTE_COOPERATIVE || id == CLUSTER || id == SCHEDULING ||
			      (id >= ATTRIBUTE_PRIORITY && id <= PREFERRED_CLUSTER) || id == CARVEOUT;
	return graph_node_lives(n) && n->work.type == NODE_KERNEL && is_known;
}

API(cudaGraphKernelNodeSetAttribute)(struct host_node *node, int id, const void *value)
{
	const bool may = value && check_node(node, id) && !node->graph->is_ready;
	return host_leave(may ? attributes_set(&node->attributes, id, value, ATTRIBUTE_VALUE_BYTES)
			      : cudaErrorInvalidValue);
}

API(cudaGraphKernelNodeGetAttribute)(const struct host_node *node, int id, void *value)
{
	if (!value || !check_node(node, id))
		return host_leave(cudaErrorInvalidValue);
	attributes_get(&node->attributes, id, value);
	return 0;
}

API(cudaGraphKernelNodeCopyAttributes)(struct host_node *to, const struct host_node *from)
{
	if (!check_node(to, WINDOW) || !check_node(from, WINDOW) || to == from)
		return host_leave(cudaErrorInvalidValue);
	attributes_free(&to->attributes);
	return host_leave(attributes_copy(&to->attributes, &from->attributes));
}

/* ---- of streams ---- */

struct of_stream {
	uint64_t stream;
	unsigned generation; /* generation of streams it belongs to */
	struct host_attributes attributes;
	struct of_stream *next;
};

static struct {
	struct host_lock lock;
	struct of_stream *first;
} streams;

int ws_cudaStreamGetPriority(const void *stream, int *priority);

static bool stream_may_have(int id)
{
	return id == WINDOW || id == SYNCHRONIZATION || (id >= ATTRIBUTE_PRIORITY && id <= MEMORY_DOMAIN);
}

/* Returns the attributes of a stream, with the lock held; make: creates them. NULL if there are none, or not enough memory. */
static struct host_attributes *of_stream(uint64_t stream, bool make)
{
	struct of_stream *s = streams.first;
	while (s && s->stream != stream)
		s = s->next;
	if (!s && make && (s = calloc(1, sizeof *s))) {
		*s = (struct of_stream){
			.stream = stream, .generation = host_stream_generation(), .next = streams.first};
		streams.first = s;
	}
	if (s && s->generation != host_stream_generation()) {
		attributes_free(&s->attributes);
		s->generation = host_stream_generation();
	}
	return s ? &s->attributes : NULL;
}

static int check_stream(const void *stream, int id, const void *value)
{
	const int error = value && stream_may_have(id) ? host_enter() : cudaErrorInvalidValue;
	return error ? error : host_stream_lives(stream) ? 0 : cudaErrorInvalidResourceHandle;
}

/* The priority can't be changed after the stream's creation. */
API(cudaStreamSetAttribute)(const void *stream, int id, const void *value)
{
	int error = check_stream(stream, id, value);
	if (!error && id == ATTRIBUTE_PRIORITY)
		error = cudaErrorNotSupported;
	if (error)
		return host_leave(error);
	const uint64_t number = host_stream(stream);
	host_lock(&streams.lock);
	struct host_attributes *a = of_stream(number, true);
	error = a ? attributes_set(a, id, value, ATTRIBUTE_VALUE_BYTES) : cudaErrorMemoryAllocation;
	host_unlock(&streams.lock);
	return host_leave(error);
}

API(cudaStreamGetAttribute)(const void *stream, int id, void *value)
{
	const struct host_attributes none = {0};
	int error = check_stream(stream, id, value);
	if (error)
		return host_leave(error);
	const uint64_t number = host_stream(stream);
	host_lock(&streams.lock);
	const struct host_attributes *a = of_stream(number, false);
	attributes_get(a ? a : &none, id, value);
	host_unlock(&streams.lock);
	return id == ATTRIBUTE_PRIORITY ? ws_cudaStreamGetPriority(stream, value) : 0;
}

API(cudaStreamCopyAttributes)(const void *to, const void *from)
{
	int error = check_stream(to, WINDOW, &streams);
	if (!error)
		error = check_stream(from, WINDOW, &streams);
	if (error)
		return host_leave(error);
	const uint64_t number_to = host_stream(to), number_from = host_stream(from);
	host_lock(&streams.lock);
	struct host_attributes *a = of_stream(number_to, true);
	const struct host_attributes *b = of_stream(number_from, true);
	error = a && b ? a == b ? 0 : attributes_copy(a, b) : cudaErrorMemoryAllocation;
	host_unlock(&streams.lock);
	return host_leave(error);
}

void host_stream_drop_attributes(uint64_t stream)
{
	host_lock(&streams.lock);
	struct of_stream **at = &streams.first;
	while (*at && (*at)->stream != stream)
		at = &(*at)->next;
	struct of_stream *s = *at;
	if (s) {
		*at = s->next;
		attributes_free(&s->attributes);
		free(s);
	}
	host_unlock(&streams.lock);
}
