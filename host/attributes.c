/* Attributes of kernel nodes and of streams. A cooperative kernel is launched so, and a stream has the priority it was made with; the others are
 * about caches, clusters and memory that this device hasn't. */
#include "host/attributes.h"

#include <stdlib.h>
#include <string.h>

#include "host/graph.h"

#define VALUE_BYTES 64u /* cudaLaunchAttributeValue */

struct host_attribute {
	int id;
	char value[VALUE_BYTES];
};

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

static struct host_attribute *find(const struct host_attributes *a, int id)
{
	for (unsigned k = 0; k < a->n; k++)
		if (a->at[k].id == id)
			return &a->at[k];
	return NULL;
}

int attributes_set(struct host_attributes *a, int id, const void *value, size_t bytes)
{
	struct host_attribute *one = find(a, id);
	if (!one) {
		struct host_attribute *more = realloc(a->at, (a->n + 1) * sizeof *more);
		if (!more)
			return cudaErrorMemoryAllocation;
		a->at = more;
		one = &more[a->n++];
	}
	*one = (struct host_attribute){.id = id};
	memcpy(one->value, value, bytes);
	return 0;
}

int attributes_copy(struct host_attributes *to, const struct host_attributes *from)
{
	int error = 0;
	for (unsigned k = 0; k < from->n && !error; k++)
		error = attributes_set(to, from->at[k].id, from->at[k].value, VALUE_BYTES);
	return error;
}

static void get(const struct host_attributes *a, int id, void *value)
{
	const struct host_attribute *one = find(a, id), unset = {.id = id};
	memcpy(value, one ? one->value : unset.value, VALUE_BYTES);
}

int attributes_word(const struct host_attributes *a, int id)
{
	const struct host_attribute *one = find(a, id);
	int value = 0;
	if (one)
		memcpy(&value, one->value, sizeof value);
	return value;
}

void attributes_free(struct host_attributes *a)
{
	free(a->at);
	*a = (struct host_attributes){0};
}

/* ---- of kernel nodes ---- */

static bool may_have(const struct host_node *n, int id)
{
	const bool is_known = id == WINDOW || id == ATTRIBUTE_COOPERATIVE || id == CLUSTER || id == SCHEDULING ||
			      (id >= ATTRIBUTE_PRIORITY && id <= PREFERRED_CLUSTER) || id == CARVEOUT;
	return graph_node_lives(n) && n->work.type == NODE_KERNEL && is_known;
}

API(cudaGraphKernelNodeSetAttribute)(struct host_node *node, int id, const void *value)
{
	const bool may = value && may_have(node, id) && !node->graph->is_ready;
	return host_leave(may ? attributes_set(&node->attributes, id, value, VALUE_BYTES) : cudaErrorInvalidValue);
}

API(cudaGraphKernelNodeGetAttribute)(const struct host_node *node, int id, void *value)
{
	if (!value || !may_have(node, id))
		return host_leave(cudaErrorInvalidValue);
	get(&node->attributes, id, value);
	return 0;
}

API(cudaGraphKernelNodeCopyAttributes)(struct host_node *to, const struct host_node *from)
{
	if (!may_have(to, WINDOW) || !may_have(from, WINDOW) || to == from)
		return host_leave(cudaErrorInvalidValue);
	attributes_free(&to->attributes);
	return host_leave(attributes_copy(&to->attributes, &from->attributes));
}

/* ---- of streams ---- */

struct of_stream {
	uint64_t stream;
	unsigned generation; /* a reset has ended it */
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

/* With the lock. NULL: nothing was set, or there is no memory. */
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

/* The priority is what it was made with. */
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
	error = a ? attributes_set(a, id, value, VALUE_BYTES) : cudaErrorMemoryAllocation;
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
	get(a ? a : &none, id, value);
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

void host_stream_forget_attributes(uint64_t stream)
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
