/* Attributes of kernel nodes: kept for the program to read; a cooperative one is launched so. */
#include <stdlib.h>
#include <string.h>

#include "host/graph.h"

struct host_attribute { /* cudaLaunchAttribute: its number, its value */
	int id;
	char value[64];
};

enum {
	WINDOW = 1,
	SYNCHRONIZATION = 3,
	CLUSTER,
	SCHEDULING,
	PRIORITY = 8,
	MEMORY_MAP,
	MEMORY_DOMAIN,
	PREFERRED_CLUSTER,
	UPDATABLE = 13,
	CARVEOUT
};

/* What a kernel node may have; whether some are followed is up to the device. */
static bool is_known(int id)
{
	return (id >= WINDOW && id <= PREFERRED_CLUSTER && id != SYNCHRONIZATION) || id == CARVEOUT;
}

static struct host_attribute *find(const struct host_node *n, int id)
{
	for (unsigned k = 0; k < n->n_attributes; k++)
		if (n->attribute[k].id == id)
			return &n->attribute[k];
	return NULL;
}

int graph_attribute_set(struct host_node *n, int id, const void *value, size_t bytes)
{
	struct host_attribute *a = find(n, id);
	if (!a) {
		struct host_attribute *more = realloc(n->attribute, (n->n_attributes + 1) * sizeof *more);
		if (!more)
			return cudaErrorMemoryAllocation;
		n->attribute = more;
		a = &more[n->n_attributes++];
	}
	*a = (struct host_attribute){.id = id};
	memcpy(a->value, value, bytes);
	return 0;
}

int graph_attribute_of(const struct host_node *n, int id)
{
	const struct host_attribute *a = find(n, id);
	int value = 0;
	if (a)
		memcpy(&value, a->value, sizeof value);
	return value;
}

void graph_attributes_copy(struct host_node *to, const struct host_node *from)
{
	for (unsigned k = 0; k < from->n_attributes; k++)
		graph_attribute_set(to, from->attribute[k].id, from->attribute[k].value,
				    sizeof from->attribute[k].value);
}

static bool is_kernel(const struct host_node *n) { return graph_node_lives(n) && n->work.type == NODE_KERNEL; }

API(cudaGraphKernelNodeSetAttribute)(struct host_node *node, int id, const void *value)
{
	const bool may = is_kernel(node) && value && is_known(id) && !node->graph->is_ready;
	return host_leave(may ? graph_attribute_set(node, id, value, sizeof node->attribute->value)
			      : cudaErrorInvalidValue);
}

API(cudaGraphKernelNodeGetAttribute)(const struct host_node *node, int id, void *value)
{
	if (!is_kernel(node) || !value || !is_known(id))
		return host_leave(cudaErrorInvalidValue);
	const struct host_attribute *a = find(node, id);
	const struct host_attribute unset = {.id = id};
	memcpy(value, a ? a->value : unset.value, sizeof unset.value);
	return 0;
}

API(cudaGraphKernelNodeCopyAttributes)(struct host_node *to, const struct host_node *from)
{
	if (!is_kernel(to) || !is_kernel(from))
		return host_leave(cudaErrorInvalidValue);
	to->n_attributes = 0;
	graph_attributes_copy(to, from);
	return 0;
}
