/* Nodes of graphs: calls that add and change them. */
#include "host/graph/graph.h"

static bool may_be_in_body(enum host_node_type type)
{
	return type == NODE_KERNEL || type == NODE_COPY || type == NODE_FILL || type == NODE_EMPTY ||
	       type == NODE_GRAPH || type == NODE_CONDITION;
}

/* Returns whether `part` is `g` or a child graph of it at any depth. */
static bool holds(const struct host_graph *g, const struct host_graph *part)
{
	bool found = g == part;
	for (const struct host_node *n = g->first; n && !found; n = n->next) {
		if (n->work.type == NODE_GRAPH)
			found = holds(n->work.graph, part);
		for (unsigned k = 0; n->work.type == NODE_CONDITION && !found && k < n->work.condition.n; k++)
			found = holds(n->work.condition.graphs[k], part);
	}
	return found;
}

/* Returns whether a node of the graph, child graphs included, has work for which `is` returns true. */
static bool contains(const struct host_graph *g, bool (*is)(const struct host_work *w))
{
	bool found = false;
	for (const struct host_node *n = g->first; n && !found; n = n->next) {
		found = is(&n->work) || (n->work.type == NODE_GRAPH && contains(n->work.graph, is));
		for (unsigned k = 0; n->work.type == NODE_CONDITION && !found && k < n->work.condition.n; k++)
			found = contains(n->work.condition.graphs[k], is);
	}
	return found;
}

static bool is_memory(const struct host_work *w) { return w->type == NODE_ALLOC || w->type == NODE_FREE; }
static bool is_condition(const struct host_work *w) { return w->type == NODE_CONDITION; }
bool graph_has_memory(const struct host_graph *g) { return contains(g, is_memory); }
bool graph_is_single(const struct host_graph *g) { return graph_has_memory(g) || contains(g, is_condition); }

/* Returns whether the graph may become a child graph; moves: the node takes ownership of it. */
static bool may_be_child(const struct host_graph *g, bool moves)
{
	return !contains(g, is_condition) && (moves ? !g->is_part && !g->is_ready : !graph_has_memory(g));
}

int graph_check_node(struct host_graph *g, const struct host_work *w)
{
	if (!graph_lives(g) || g->is_ready)
		return cudaErrorInvalidValue;
	if (g->is_body && !may_be_in_body(w->type))
		return cudaErrorNotSupported;
	if (w->type == NODE_GRAPH)
		return graph_lives(w->graph) && may_be_child(w->graph, w->moves) && !(w->moves && holds(w->graph, g))
			       ? 0
			       : cudaErrorInvalidValue;
	return w->type == NODE_CONDITION ? graph_condition_claim(g, &w->condition) : graph_memory_check_node(g, w);
}

/* ---- nodes ---- */

int graph_add_checked(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n,
		      const struct host_work *w)
{
	int error = to && graph_work_is_valid(w) ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = graph_check_node(g, w);
	struct host_node *node = error ? NULL : graph_add(g, before, n, w, &error);
	if (node)
		*to = node;
	return host_leave(error);
}

/* Functions for each kind of node: add it, and change it in its graph and in an executable graph. */
#define NODES(name, set, params_type, row, params_of) \
	API(cudaGraphAdd##name##Node) \
	(struct host_node * *to, struct host_graph * g, struct host_node *const *before, size_t n, params_type p) \
	{ \
		return p ? graph_add_checked(to, g, before, n, &(struct host_work)row) \
			 : host_leave(cudaErrorInvalidValue); \
	} \
	API(cudaGraph##set)(struct host_node * node, params_type p) \
	{ \
		return host_leave(p ? graph_change_work(node, &(struct host_work)row) : cudaErrorInvalidValue); \
	} \
	API(cudaGraphExec##set)(struct host_graph * g, const struct host_node *node, params_type p) \
	{ \
		return host_leave(p ? graph_change_work(graph_clone_of_node(g, node), &(struct host_work)row) \
				    : cudaErrorInvalidValue); \
	}
#define ROW(...) \
	{ \
		__VA_ARGS__ \
	}
NODES(Kernel, KernelNodeSetParams, const struct host_kernel_params *,
      ROW(.type = NODE_KERNEL, .kernel = *p, .caller = HOST_CALLER()), kernel)
NODES(Memcpy, MemcpyNodeSetParams, const struct host_copy_params *, ROW(.type = NODE_COPY, .copy = *p), copy)
NODES(Memset, MemsetNodeSetParams, const struct host_fill_params *, ROW(.type = NODE_FILL, .fill = *p), fill)
NODES(Host, HostNodeSetParams, const struct host_function_params *, ROW(.type = NODE_HOST, .call = *p), call)
NODES(EventRecord, EventRecordNodeSetEvent, void *, ROW(.type = NODE_RECORD, .event = p), event)
NODES(EventWait, EventWaitNodeSetEvent, void *, ROW(.type = NODE_WAIT, .event = p), event)

API(cudaGraphAddChildGraphNode)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n, struct host_graph *child)
{
	return graph_add_checked(to, g, before, n, &(struct host_work){.type = NODE_GRAPH, .graph = child});
}

API(cudaGraphExecChildGraphNodeSetParams)(struct host_graph *g, const struct host_node *node, struct host_graph *child)
{
	return host_leave(graph_lives(child)
				  ? graph_change_work(graph_clone_of_node(g, node),
						      &(struct host_work){.type = NODE_GRAPH, .graph = child})
				  : cudaErrorInvalidValue);
}

API(cudaGraphAddEmptyNode)(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n)
{
	return graph_add_checked(to, g, before, n, &(struct host_work){.type = NODE_EMPTY});
}

API(cudaGraphAddMemcpyNode1D)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n, void *p, const void *from,
 size_t bytes, int kind)
{
	const struct host_work w = GRAPH_COPY_1D(p, from, bytes, kind);
	return graph_add_checked(to, g, before, n, &w);
}

API(cudaGraphMemcpyNodeSetParams1D)(struct host_node *node, void *p, const void *from, size_t bytes, int kind)
{
	const struct host_work w = GRAPH_COPY_1D(p, from, bytes, kind);
	return host_leave(graph_change_work(node, &w));
}

API(cudaGraphExecMemcpyNodeSetParams1D)
(struct host_graph *g, const struct host_node *node, void *p, const void *from, size_t bytes, int kind)
{
	return ws_cudaGraphMemcpyNodeSetParams1D(graph_clone_of_node(g, node), p, from, bytes, kind);
}

/* ---- variables of modules ---- */

static int symbol(const void *variable, size_t bytes, size_t offset, void **at)
{
	uint64_t address, n;
	int error = host_enter();
	if (!error)
		error = host_variable_of(variable, &address, &n);
	if (!error && (offset > n || bytes > n - offset))
		error = cudaErrorInvalidValue;
	if (!error)
		*at = (void *)(uintptr_t)(address + offset);
	return error;
}

API(cudaGraphAddMemcpyNodeToSymbol)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n, const void *variable,
 const void *from, size_t bytes, size_t offset, int kind)
{
	void *at;
	const int error = symbol(variable, bytes, offset, &at);
	return error ? host_leave(error) : ws_cudaGraphAddMemcpyNode1D(to, g, before, n, at, from, bytes, kind);
}

API(cudaGraphAddMemcpyNodeFromSymbol)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n, void *p, const void *variable,
 size_t bytes, size_t offset, int kind)
{
	void *at;
	const int error = symbol(variable, bytes, offset, &at);
	return error ? host_leave(error) : ws_cudaGraphAddMemcpyNode1D(to, g, before, n, p, at, bytes, kind);
}

API(cudaGraphMemcpyNodeSetParamsToSymbol)
(struct host_node *node, const void *variable, const void *from, size_t bytes, size_t offset, int kind)
{
	void *at;
	const int error = symbol(variable, bytes, offset, &at);
	return error ? host_leave(error) : ws_cudaGraphMemcpyNodeSetParams1D(node, at, from, bytes, kind);
}

API(cudaGraphMemcpyNodeSetParamsFromSymbol)
(struct host_node *node, void *p, const void *variable, size_t bytes, size_t offset, int kind)
{
	void *at;
	const int error = symbol(variable, bytes, offset, &at);
	return error ? host_leave(error) : ws_cudaGraphMemcpyNodeSetParams1D(node, p, at, bytes, kind);
}

API(cudaGraphExecMemcpyNodeSetParamsToSymbol)
(struct host_graph *g, const struct host_node *node, const void *variable, const void *from, size_t bytes,
 size_t offset, int kind)
{
	return ws_cudaGraphMemcpyNodeSetParamsToSymbol(graph_clone_of_node(g, node), variable, from, bytes, offset,
						       kind);
}

API(cudaGraphExecMemcpyNodeSetParamsFromSymbol)
(struct host_graph *g, const struct host_node *node, void *p, const void *variable, size_t bytes, size_t offset,
 int kind)
{
	return ws_cudaGraphMemcpyNodeSetParamsFromSymbol(graph_clone_of_node(g, node), p, variable, bytes, offset,
							 kind);
}

/* ---- nodes of any kind ---- */

struct host_node_params { /* cudaGraphNodeParams */
	int type, reserved[3];
	union {
		struct host_kernel_params kernel;
		struct {
			int flags, reserved[3];
			struct host_copy_params params;
		} copy;
		struct host_fill_params fill;
		struct host_function_params call;
		struct {
			struct host_graph *graph;
			int moves;
		} child;
		void *event;
		struct host_alloc_params alloc;
		void *freed;
		struct host_words_params words;
		struct host_condition_params condition;
		long long all[29];
	};
	long long reserved2;
};
_Static_assert(sizeof(struct host_node_params) == 256, "as cudaGraphNodeParams");

int ws_cudaGraphAddMemAllocNode(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n,
				struct host_alloc_params *p);

/* Converts node parameters to work. Returns false for an unknown kind. */
static bool work_of(const struct host_node_params *p, struct host_work *w)
{
	*w = (struct host_work){.type = (enum host_node_type)p->type};
	switch (w->type) {
	case NODE_KERNEL: w->kernel = p->kernel; return true;
	case NODE_COPY: w->copy = p->copy.params; return true;
	case NODE_FILL: w->fill = p->fill; return true;
	case NODE_HOST: w->call = p->call; return true;
	case NODE_GRAPH:
		w->graph = p->child.graph;
		w->moves = p->child.moves;
		return true;
	case NODE_EMPTY: return true;
	case NODE_WAIT:
	case NODE_RECORD: w->event = p->event; return true;
	case NODE_FREE: w->freed = p->freed; return true;
	case NODE_WORDS: w->words = p->words; return true;
	case NODE_CONDITION:
		w->condition = p->condition;
		w->condition.graphs = NULL;
		return true;
	default: return false;
	}
}

static int add_node(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n,
		    struct host_node_params *p, const void *caller)
{
	struct host_work w;
	if (!p)
		return host_leave(cudaErrorInvalidValue);
	if (p->type == NODE_ALLOC)
		return ws_cudaGraphAddMemAllocNode(to, g, before, n, &p->alloc);
	if (!work_of(p, &w))
		return host_leave(cudaErrorNotSupported);
	w.caller = caller;
	const int error = graph_add_checked(to, g, before, n, &w);
	if (!error && w.type == NODE_CONDITION)
		p->condition.graphs = (*to)->work.condition.graphs;
	return error;
}

API(cudaGraphAddNode)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n, struct host_node_params *p)
{
	return add_node(to, g, before, n, p, HOST_CALLER());
}

API(cudaGraphAddNode_v2)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, const void *edges, size_t n,
 struct host_node_params *p)
{
	(void)edges;
	return add_node(to, g, before, n, p, HOST_CALLER());
}

static int change_node(struct host_node *node, const struct host_node_params *p)
{
	struct host_work w;
	if (!p || !work_of(p, &w) || w.moves)
		return host_leave(cudaErrorInvalidValue);
	return host_leave(w.type == NODE_CONDITION || w.type == NODE_FREE ? cudaErrorNotSupported
									  : graph_change_work(node, &w));
}

API(cudaGraphNodeSetParams)(struct host_node *node, const struct host_node_params *p) { return change_node(node, p); }

API(cudaGraphExecNodeSetParams)
(struct host_graph *g, const struct host_node *node, const struct host_node_params *p)
{
	return change_node(graph_clone_of_node(g, node), p);
}
