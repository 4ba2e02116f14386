/* Graphs: queries, and edges between nodes. */
#include <stdio.h>
#include <stdlib.h>

#include "host/graph/graph.h"

/* ---- queries ---- */

#define GET(name, params_type, node_type, value) \
	API(cudaGraph##name)(const struct host_node *node, params_type *p) \
	{ \
		if (!graph_node_lives(node) || !p || node->work.type != node_type) \
			return host_leave(cudaErrorInvalidValue); \
		*p = value; \
		return 0; \
	}
GET(KernelNodeGetParams, struct host_kernel_params, NODE_KERNEL, node->work.kernel)
GET(MemcpyNodeGetParams, struct host_copy_params, NODE_COPY, node->work.copy)
GET(MemsetNodeGetParams, struct host_fill_params, NODE_FILL, node->work.fill)
GET(HostNodeGetParams, struct host_function_params, NODE_HOST, node->work.call)
GET(EventRecordNodeGetEvent, void *, NODE_RECORD, node->work.event)
GET(EventWaitNodeGetEvent, void *, NODE_WAIT, node->work.event)
GET(ChildGraphNodeGetGraph, struct host_graph *, NODE_GRAPH, node->work.graph)

API(cudaGraphNodeGetType)(const struct host_node *node, int *type)
{
	if (!graph_node_lives(node) || !type)
		return host_leave(cudaErrorInvalidValue);
	*type = (int)node->work.type;
	return 0;
}

/* Copies up to *n nodes to `to`; with NULL gets only their number. */
static int list(struct host_node **to, size_t *n, struct host_node *const *from, size_t there_are)
{
	if (to)
		for (size_t k = 0; k < *n; k++)
			to[k] = k < there_are ? from[k] : NULL;
	if (!to || there_are < *n)
		*n = there_are;
	return 0;
}

static int list_some(const struct host_graph *g, struct host_node **to, size_t *n,
		     bool (*wanted)(const struct host_node *, const void *), const void *self)
{
	if (!graph_lives(g) || !n)
		return host_leave(cudaErrorInvalidValue);
	struct host_node **all = calloc(g->n + 1, sizeof *all);
	size_t k = 0;
	for (struct host_node *node = all ? g->first : NULL; node; node = node->next)
		if (wanted(node, self))
			all[k++] = node;
	const int error = all ? list(to, n, all, k) : cudaErrorMemoryAllocation;
	free(all);
	return host_leave(error);
}

static bool any(const struct host_node *n, const void *unused) { return n && !unused; }
static bool is_root(const struct host_node *n, const void *unused) { return !n->n_before && !unused; }

static bool waits_for(const struct host_node *n, const void *other)
{
	for (size_t k = 0; k < n->n_before; k++)
		if (n->before[k] == other)
			return true;
	return false;
}

API(cudaGraphGetNodes)(const struct host_graph *g, struct host_node **to, size_t *n)
{
	return list_some(g, to, n, any, NULL);
}
API(cudaGraphGetRootNodes)(const struct host_graph *g, struct host_node **to, size_t *n)
{
	return list_some(g, to, n, is_root, NULL);
}

/* ---- edges: all are full dependencies; edge data is ignored (calls have it since 13.0, as _v2 before) ---- */

static int add_edges(struct host_graph *g, struct host_node *const *from, struct host_node *const *to, size_t n)
{
	if (!graph_lives(g) || (n && (!from || !to)))
		return host_leave(cudaErrorInvalidValue);
	for (size_t k = 0; k < n; k++) {
		if (!graph_node_lives(from[k]) || !graph_node_lives(to[k]) || from[k]->graph != g ||
		    to[k]->graph != g || from[k] == to[k] || waits_for(to[k], from[k]))
			return host_leave(cudaErrorInvalidValue);
		if (!graph_add_dependency(to[k], from[k]))
			return host_leave(cudaErrorMemoryAllocation);
	}
	return 0;
}

static void wait_no_more(struct host_node *n, const struct host_node *before)
{
	size_t kept = 0;
	for (size_t k = 0; k < n->n_before; k++)
		if (n->before[k] != before)
			n->before[kept++] = n->before[k];
	n->n_before = kept;
}

static int remove_edges(struct host_graph *g, struct host_node *const *from, struct host_node *const *to, size_t n)
{
	if (!graph_lives(g) || (n && (!from || !to || graph_has_memory(g))))
		return host_leave(cudaErrorInvalidValue);
	for (size_t k = 0; k < n; k++) {
		if (!graph_node_lives(from[k]) || !graph_node_lives(to[k]) || !waits_for(to[k], from[k]))
			return host_leave(cudaErrorInvalidValue);
		wait_no_more(to[k], from[k]);
	}
	return 0;
}

API(cudaGraphDestroyNode)(struct host_node *node)
{
	struct host_graph *g = graph_node_lives(node) ? node->graph : NULL;
	struct host_node **at = g ? &g->first : NULL;
	while (at && *at && *at != node)
		at = &(*at)->next;
	if (!at || !*at || g->is_ready || graph_has_memory(g))
		return host_leave(cudaErrorInvalidValue);
	*at = node->next;
	if (g->end == &node->next)
		g->end = at;
	g->n--;
	for (struct host_node *n = g->first; n; n = n->next)
		wait_no_more(n, node);
	graph_free_node(node);
	return 0;
}

static int get_edges(const struct host_graph *g, struct host_node **from, struct host_node **to, size_t *n)
{
	size_t k = 0;
	if (!graph_lives(g) || !n || (!from != !to))
		return host_leave(cudaErrorInvalidValue);
	for (struct host_node *node = g->first; node; node = node->next)
		for (size_t i = 0; i < node->n_before; i++, k++)
			if (from && k < *n) {
				from[k] = node->before[i];
				to[k] = node;
			}
	if (!from || k < *n)
		*n = k;
	return 0;
}

static int get_before(const struct host_node *node, struct host_node **to, size_t *n)
{
	return host_leave(graph_node_lives(node) && n ? list(to, n, node->before, node->n_before)
						      : cudaErrorInvalidValue);
}

static int get_after(const struct host_node *node, struct host_node **to, size_t *n)
{
	return graph_node_lives(node) ? list_some(node->graph, to, n, waits_for, node)
				      : host_leave(cudaErrorInvalidValue);
}

/* Clears the edge data (cudaGraphEdgeData) of n edges. */
static int blank(int error, uint64_t *data, const size_t *n)
{
	for (size_t k = 0; !error && data && k < *n; k++)
		data[k] = 0;
	return error;
}

/* A function without edge data, and its variant with it. */
#define EDGES(name, parameters, other_parameters, call, other_call) \
	API(name) parameters { return call; } \
	API(name##_v2) other_parameters { return other_call; }
EDGES(cudaGraphAddDependencies,
      (struct host_graph * g, struct host_node *const *from, struct host_node *const *to, size_t n),
      (struct host_graph * g, struct host_node *const *from, struct host_node *const *to, const uint64_t *data,
       size_t n),
      add_edges(g, from, to, n), ((void)data, add_edges(g, from, to, n)))
EDGES(cudaGraphRemoveDependencies,
      (struct host_graph * g, struct host_node *const *from, struct host_node *const *to, size_t n),
      (struct host_graph * g, struct host_node *const *from, struct host_node *const *to, const uint64_t *data,
       size_t n),
      remove_edges(g, from, to, n), ((void)data, remove_edges(g, from, to, n)))
EDGES(cudaGraphGetEdges, (const struct host_graph *g, struct host_node **from, struct host_node **to, size_t *n),
      (const struct host_graph *g, struct host_node **from, struct host_node **to, uint64_t *data, size_t *n),
      get_edges(g, from, to, n), blank(get_edges(g, from, to, n), from ? data : NULL, n))
EDGES(cudaGraphNodeGetDependencies, (const struct host_node *node, struct host_node **to, size_t *n),
      (const struct host_node *node, struct host_node **to, uint64_t *data, size_t *n), get_before(node, to, n),
      blank(get_before(node, to, n), to ? data : NULL, n))
EDGES(cudaGraphNodeGetDependentNodes, (const struct host_node *node, struct host_node **to, size_t *n),
      (const struct host_node *node, struct host_node **to, uint64_t *data, size_t *n), get_after(node, to, n),
      blank(get_after(node, to, n), to ? data : NULL, n))

/* ---- output for dot ---- */

API(cudaGraphDebugDotPrint)(struct host_graph *g, const char *path, unsigned flags)
{
	static const char *const names[] = {"KERNEL",	 "MEMCPY",   "MEMSET",	     "HOST",	   "GRAPH",
					    "EMPTY",	 "WAIT",     "RECORD",	     "",	   "",
					    "MEM_ALLOC", "MEM_FREE", "BATCH_MEM_OP", "CONDITIONAL"};
	(void)flags;
	FILE *f = graph_lives(g) && path ? fopen(path, "w") : NULL;
	if (!f)
		return host_leave(cudaErrorInvalidValue);
	graph_number_nodes(g);
	fprintf(f, "digraph dot {\nsubgraph cluster_0 {\n");
	for (const struct host_node *n = g->first; n; n = n->next)
		fprintf(f, "\"node_%zu\" [label=\"%zu\\n%s\"];\n", n->place, n->place, names[n->work.type]);
	for (const struct host_node *n = g->first; n; n = n->next)
		for (size_t k = 0; k < n->n_before; k++)
			fprintf(f, "\"node_%zu\" -> \"node_%zu\";\n", n->before[k]->place, n->place);
	fprintf(f, "}\n}\n");
	return host_leave(fclose(f) ? cudaErrorInvalidValue : 0);
}
