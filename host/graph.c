/* Graphs: making, changing, asking. */
#include "host/graph.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/handles.h"

static struct {
	pthread_mutex_t lock;
	struct host_graph *first;
	unsigned long long last_id;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- graphs ---- */

struct host_graph *graph_make(void)
{
	struct host_graph *g = calloc(1, sizeof *g);
	if (!g)
		return NULL;
	g->end = &g->first;
	pthread_mutex_lock(&known.lock);
	g->id = ++known.last_id;
	g->known = known.first;
	known.first = g;
	pthread_mutex_unlock(&known.lock);
	return g;
}

bool graph_lives(const struct host_graph *g)
{
	pthread_mutex_lock(&known.lock);
	const struct host_graph *k = known.first;
	while (k && k != g)
		k = k->known;
	pthread_mutex_unlock(&known.lock);
	return k;
}

bool graph_is_instantiated(const struct host_graph *g)
{
	pthread_mutex_lock(&known.lock);
	const struct host_graph *k = known.first;
	while (k && (!k->is_ready || k->origin != g->id))
		k = k->known;
	pthread_mutex_unlock(&known.lock);
	return k;
}

static void forget(const struct host_graph *g)
{
	pthread_mutex_lock(&known.lock);
	struct host_graph **at = &known.first;
	while (*at && *at != g)
		at = &(*at)->known;
	if (*at)
		*at = g->known;
	pthread_mutex_unlock(&known.lock);
}

static void free_work(struct host_work *w)
{
	free(w->kept);
	graph_memory_drop(w->memory);
	if (w->type == NODE_GRAPH)
		graph_free(w->graph);
}

bool graph_node_lives(const struct host_node *n) { return handle_is(n, HANDLE_NODE); }

static void free_node(struct host_node *n)
{
	handle_take(n, HANDLE_NODE);
	free_work(&n->work);
	free(n->before);
	free(n);
}

void graph_free(struct host_graph *g)
{
	forget(g);
	graph_free_lanes(g);
	for (struct host_node *n = g->first, *next; n; n = next) {
		next = n->next;
		free_node(n);
	}
	free(g->order);
	free(g);
}

void graph_places(struct host_graph *g)
{
	size_t k = 0;
	for (struct host_node *n = g->first; n; n = n->next)
		n->place = k++;
}

/* ---- what nodes do ---- */

/* The arguments, in memory of the node's own. */
static int keep_arguments(struct host_work *w)
{
	int error = 0;
	const struct host_kernel *k = host_kernel_of(w->kernel.function, &error);
	if (!k)
		return error;
	const uint32_t n = k->info->n_params;
	void **to = calloc(1, n * sizeof *to + k->info->param_bytes + 16);
	char *bytes = to ? (char *)(to + n) : NULL;
	if (!to)
		return cudaErrorMemoryAllocation;
	for (uint32_t i = 0; i < n; i++) {
		to[i] = bytes + k->info->param[i].offset;
		if (!w->kernel.arguments || !w->kernel.arguments[i]) {
			free(to);
			return cudaErrorInvalidValue;
		}
		memcpy(to[i], w->kernel.arguments[i], k->info->param[i].bytes);
	}
	w->kept = w->kernel.arguments = to;
	w->kernel.extra = NULL;
	return 0;
}

static int keep(struct host_work *w)
{
	int error = 0;
	w->kept = NULL;
	w->memory = graph_memory_keep(w->memory);
	if (w->type == NODE_KERNEL)
		return keep_arguments(w);
	if (w->type == NODE_GRAPH)
		w->graph = graph_clone(w->graph, &error);
	return error;
}

int graph_set_work(struct host_node *n, const struct host_work *w)
{
	struct host_work mine = *w;
	int error = keep(&mine);
	if (!error && mine.type == NODE_GRAPH && n->graph->is_ready)
		error = graph_make_ready(mine.graph);
	if (error)
		return error;
	free_work(&n->work);
	n->work = mine;
	return 0;
}

/* ---- nodes ---- */

bool graph_wait_for(struct host_node *n, struct host_node *before)
{
	struct host_node **more = realloc(n->before, (n->n_before + 1) * sizeof *more);
	if (!more)
		return false;
	n->before = more;
	n->before[n->n_before++] = before;
	return true;
}

struct host_node *graph_add(struct host_graph *g, struct host_node *const *before, size_t n, const struct host_work *w,
			    int *error)
{
	struct host_node *node = NULL;
	*error = graph_lives(g) && (before || !n) ? 0 : cudaErrorInvalidValue;
	for (size_t k = 0; !*error && k < n; k++)
		if (!graph_node_lives(before[k]) || before[k]->graph != g)
			*error = cudaErrorInvalidValue;
	if (!*error && (!(node = calloc(1, sizeof *node)) || !handle_add(node, HANDLE_NODE)))
		*error = cudaErrorMemoryAllocation;
	if (*error) {
		free(node);
		return NULL;
	}
	node->graph = g;
	node->work.type = NODE_EMPTY;
	*error = graph_set_work(node, w);
	for (size_t k = 0; !*error && k < n; k++)
		if (!graph_wait_for(node, before[k]))
			*error = cudaErrorMemoryAllocation;
	if (*error) {
		free_node(node);
		return NULL;
	}
	node->place = g->n++;
	*g->end = node;
	g->end = &node->next;
	return node;
}

struct host_graph *graph_clone(const struct host_graph *g, int *error)
{
	struct host_graph *to = graph_lives(g) ? graph_make() : NULL;
	struct host_node **made = to ? calloc(g->n + 1, sizeof *made) : NULL;
	*error = made ? 0 : to ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
	if (!*error)
		graph_places((struct host_graph *)(uintptr_t)g);
	for (struct host_node *n = *error ? NULL : g->first; n && !*error; n = n->next) {
		struct host_node *m = made[n->place] = graph_add(to, NULL, 0, &n->work, error);
		if (!m)
			break;
		m->origin = n;
		m->disabled = n->disabled;
	}
	for (struct host_node *n = *error ? NULL : g->first; n; n = n->next)
		for (size_t k = 0; k < n->n_before; k++)
			if (!graph_wait_for(made[n->place], made[n->before[k]->place]))
				*error = cudaErrorMemoryAllocation;
	free(made);
	if (*error && to)
		graph_free(to);
	return *error ? NULL : to;
}

/* ---- the calls: graphs ---- */

API(cudaGraphCreate)(struct host_graph **g, unsigned flags)
{
	int error = g && !flags ? 0 : cudaErrorInvalidValue;
	if (!error && !(*g = graph_make()))
		error = cudaErrorMemoryAllocation;
	return host_leave(error);
}

static int destroy(struct host_graph *g, bool is_ready)
{
	if (!graph_lives(g) || g->is_ready != is_ready)
		return host_leave(cudaErrorInvalidValue);
	graph_free(g);
	return 0;
}

API(cudaGraphDestroy)(struct host_graph *g) { return destroy(g, false); }
API(cudaGraphExecDestroy)(struct host_graph *g) { return destroy(g, true); }

API(cudaGraphClone)(struct host_graph **to, const struct host_graph *g)
{
	int error = to && graph_lives(g) && !graph_has_memory(g) ? 0 : cudaErrorInvalidValue;
	if (!error)
		*to = graph_clone(g, &error);
	return host_leave(error);
}

static struct host_node *twin_of(const struct host_graph *g, const struct host_node *n)
{
	struct host_node *m = graph_lives(g) ? g->first : NULL;
	while (m && m->origin != n)
		m = m->next;
	return m;
}

API(cudaGraphNodeFindInClone)(struct host_node **to, const struct host_node *n, const struct host_graph *clone)
{
	struct host_node *m = to ? twin_of(clone, n) : NULL;
	if (m)
		*to = m;
	return host_leave(m ? 0 : cudaErrorInvalidValue);
}

/* ---- nodes ---- */

int graph_add_call(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n,
		   const struct host_work *w)
{
	int error = to ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = graph_memory_is_made(g, w);
	struct host_node *node = error ? NULL : graph_add(g, before, n, w, &error);
	if (node)
		*to = node;
	return host_leave(error);
}

/* A node of each kind is added, and changed in its graph and in one that can be launched. */
#define NODES(name, set, params_type, row, params_of) \
	API(cudaGraphAdd##name##Node) \
	(struct host_node * *to, struct host_graph * g, struct host_node *const *before, size_t n, params_type p) \
	{ \
		return p ? graph_add_call(to, g, before, n, &(struct host_work)row) \
			 : host_leave(cudaErrorInvalidValue); \
	} \
	API(cudaGraph##set)(struct host_node * node, params_type p) \
	{ \
		return host_leave(graph_node_lives(node) && p ? graph_set_work(node, &(struct host_work)row) \
							      : cudaErrorInvalidValue); \
	} \
	API(cudaGraphExec##set)(struct host_graph * g, const struct host_node *node, params_type p) \
	{ \
		struct host_node *m = twin_of(g, node); \
		return host_leave(m && p ? graph_set_work(m, &(struct host_work)row) : cudaErrorInvalidValue); \
	}
#define ROW(...) \
	{ \
		__VA_ARGS__ \
	}
NODES(Kernel, KernelNodeSetParams, const struct host_kernel_params *, ROW(.type = NODE_KERNEL, .kernel = *p), kernel)
NODES(Memcpy, MemcpyNodeSetParams, const struct host_copy_params *, ROW(.type = NODE_COPY, .copy = *p), copy)
NODES(Memset, MemsetNodeSetParams, const struct host_fill_params *, ROW(.type = NODE_FILL, .fill = *p), fill)
NODES(Host, HostNodeSetParams, const struct host_function_params *, ROW(.type = NODE_HOST, .call = *p), call)
NODES(EventRecord, EventRecordNodeSetEvent, void *, ROW(.type = NODE_RECORD, .event = p), event)
NODES(EventWait, EventWaitNodeSetEvent, void *, ROW(.type = NODE_WAIT, .event = p), event)

API(cudaGraphAddChildGraphNode)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n, struct host_graph *child)
{
	return graph_add_call(to, g, before, n, &(struct host_work){.type = NODE_GRAPH, .graph = child});
}

API(cudaGraphExecChildGraphNodeSetParams)(struct host_graph *g, const struct host_node *node, struct host_graph *child)
{
	struct host_node *m = twin_of(g, node);
	return host_leave(m ? graph_set_work(m, &(struct host_work){.type = NODE_GRAPH, .graph = child})
			    : cudaErrorInvalidValue);
}

API(cudaGraphAddEmptyNode)(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n)
{
	return graph_add_call(to, g, before, n, &(struct host_work){.type = NODE_EMPTY});
}

API(cudaGraphAddMemcpyNode1D)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n, void *p, const void *from,
 size_t bytes, int kind)
{
	const struct host_work w = GRAPH_COPY_1D(p, from, bytes, kind);
	return graph_add_call(to, g, before, n, &w);
}

API(cudaGraphMemcpyNodeSetParams1D)(struct host_node *node, void *p, const void *from, size_t bytes, int kind)
{
	const struct host_work w = GRAPH_COPY_1D(p, from, bytes, kind);
	return host_leave(graph_node_lives(node) ? graph_set_work(node, &w) : cudaErrorInvalidValue);
}

API(cudaGraphExecMemcpyNodeSetParams1D)
(struct host_graph *g, const struct host_node *node, void *p, const void *from, size_t bytes, int kind)
{
	return ws_cudaGraphMemcpyNodeSetParams1D(twin_of(g, node), p, from, bytes, kind);
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

/* ---- asking ---- */

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

/* As many as there is room for; without room only their number is told. */
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

/* ---- edges: since 13.0 there is data of theirs in front of the number, which a small number can't be taken for ---- */

static bool is_number(const void *p) { return (uintptr_t)p && (uintptr_t)p < 1u << 24; }

API(cudaGraphAddDependencies)
(struct host_graph *g, struct host_node *const *from, struct host_node *const *to, const void *data, size_t n)
{
	const size_t count = is_number(data) ? (size_t)(uintptr_t)data : n;
	if (!graph_lives(g) || (count && (!from || !to)))
		return host_leave(cudaErrorInvalidValue);
	for (size_t k = 0; k < count; k++) {
		if (!graph_node_lives(from[k]) || !graph_node_lives(to[k]) || from[k]->graph != g ||
		    to[k]->graph != g || waits_for(to[k], from[k]))
			return host_leave(cudaErrorInvalidValue);
		if (!graph_wait_for(to[k], from[k]))
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

API(cudaGraphRemoveDependencies)
(struct host_graph *g, struct host_node *const *from, struct host_node *const *to, const void *data, size_t n)
{
	const size_t count = is_number(data) ? (size_t)(uintptr_t)data : n;
	if (!graph_lives(g) || (count && (!from || !to || graph_has_memory(g))))
		return host_leave(cudaErrorInvalidValue);
	for (size_t k = 0; k < count; k++) {
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
	free_node(node);
	return 0;
}

API(cudaGraphNodeGetDependencies)(const struct host_node *node, struct host_node **to, size_t *n)
{
	return host_leave(graph_node_lives(node) && n ? list(to, n, node->before, node->n_before)
						      : cudaErrorInvalidValue);
}

API(cudaGraphNodeGetDependentNodes)(const struct host_node *node, struct host_node **to, size_t *n)
{
	return graph_node_lives(node) ? list_some(node->graph, to, n, waits_for, node)
				      : host_leave(cudaErrorInvalidValue);
}

API(cudaGraphGetEdges)(const struct host_graph *g, struct host_node **from, struct host_node **to, size_t *n)
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

/* ---- of one that can be launched ---- */

API(cudaGraphNodeSetEnabled)(const struct host_graph *g, const struct host_node *node, unsigned enabled)
{
	struct host_node *m = twin_of(g, node);
	if (m)
		m->disabled = !enabled;
	return host_leave(m ? 0 : cudaErrorInvalidValue);
}

API(cudaGraphNodeGetEnabled)(const struct host_graph *g, const struct host_node *node, unsigned *enabled)
{
	const struct host_node *m = enabled ? twin_of(g, node) : NULL;
	if (m)
		*enabled = !m->disabled;
	return host_leave(m ? 0 : cudaErrorInvalidValue);
}

static int instantiate(struct host_graph **to, const struct host_graph *g, unsigned long long flags)
{
	int error = to && graph_lives(g) && !(graph_has_memory(g) && graph_is_instantiated(g)) ? host_enter()
											       : cudaErrorInvalidValue;
	struct host_graph *made = error ? NULL : graph_clone(g, &error);
	if (made && (error = graph_make_ready(made)))
		graph_free(made);
	if (!error) {
		made->origin = g->id;
		made->flags = flags;
		*to = made;
	}
	return host_leave(error);
}

/* Up to 11.x three more arguments told where it failed. */
API(cudaGraphInstantiate_11)(struct host_graph **to, const struct host_graph *g) { return instantiate(to, g, 0); }
API(cudaGraphInstantiateWithFlags)(struct host_graph **to, const struct host_graph *g, unsigned long long flags)
{
	return instantiate(to, g, flags);
}
API(cudaGraphInstantiate_12)(struct host_graph **to, const struct host_graph *g, unsigned long long flags)
{
	return instantiate(to, g, flags);
}
API(cudaGraphInstantiate_13)(struct host_graph **to, const struct host_graph *g, unsigned long long flags)
{
	return instantiate(to, g, flags);
}

/* cudaGraphInstantiateParams */
struct instantiate_params {
	unsigned long long flags;
	void *upload_stream;
	const struct host_node *failed;
	int result;
};
enum { INSTANTIATED, INSTANTIATE_ERROR, INSTANTIATE_CIRCLE };

API(cudaGraphInstantiateWithParams)
(struct host_graph **to, const struct host_graph *g, struct instantiate_params *p)
{
	if (!p)
		return host_leave(cudaErrorInvalidValue);
	const int error = instantiate(to, g, p->flags);
	const bool is_circle = error == cudaErrorInvalidValue && to && graph_lives(g);
	p->failed = NULL;
	p->result = !error ? INSTANTIATED : is_circle ? INSTANTIATE_CIRCLE : INSTANTIATE_ERROR;
	return error;
}

API(cudaGraphExecGetFlags)(const struct host_graph *g, unsigned long long *flags)
{
	if (!graph_lives(g) || !flags)
		return host_leave(cudaErrorInvalidValue);
	*flags = g->flags;
	return 0;
}

enum { UPDATE_SUCCESS, UPDATE_ERROR, UPDATE_TOPOLOGY, UPDATE_TYPE, UPDATE_PARAMETERS = 5 };
struct update_result {
	int result;
	const struct host_node *node, *from;
};

static bool waits_alike(const struct host_node *a, const struct host_node *b)
{
	bool same = a->n_before == b->n_before;
	for (size_t k = 0; same && k < a->n_before; k++)
		same = a->before[k]->place == b->before[k]->place;
	return same;
}

static int compare(const struct host_graph *a, const struct host_graph *b, struct update_result *r)
{
	const struct host_node *m = a->first, *n = b->first;
	if (a->n != b->n)
		return UPDATE_TOPOLOGY;
	for (; m && n; m = m->next, n = n->next) {
		r->node = n;
		if (m->work.type != n->work.type)
			return UPDATE_TYPE;
		if ((m->work.type == NODE_ALLOC && m->work.memory != n->work.memory) ||
		    (m->work.type == NODE_FREE && m->work.freed != n->work.freed))
			return UPDATE_PARAMETERS;
		if (!waits_alike(m, n))
			return UPDATE_TOPOLOGY;
	}
	r->node = NULL;
	return UPDATE_SUCCESS;
}

API(cudaGraphExecUpdate)(struct host_graph *g, struct host_graph *from, struct update_result *result)
{
	struct update_result r = {0};
	int error = graph_lives(g) && g->is_ready && graph_lives(from) ? 0 : cudaErrorInvalidValue;
	if (error)
		return host_leave(error);
	graph_places(g);
	graph_places(from);
	r.result = compare(g, from, &r);
	error = r.result ? cudaErrorGraphExecUpdateFailure : 0;
	struct host_node *m = g->first, *n = from->first;
	for (; !error && n; m = m->next, n = n->next) {
		error = graph_set_work(m, &n->work);
		m->origin = n;
	}
	if (result)
		*result = r;
	return host_leave(error);
}

/* ---- a picture ---- */

API(cudaGraphDebugDotPrint)(struct host_graph *g, const char *path, unsigned flags)
{
	static const char *const names[] = {"KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH",     "EMPTY",
					    "WAIT",   "RECORD", "",	  "",	  "MEM_ALLOC", "MEM_FREE"};
	(void)flags;
	FILE *f = graph_lives(g) && path ? fopen(path, "w") : NULL;
	if (!f)
		return host_leave(cudaErrorInvalidValue);
	graph_places(g);
	fprintf(f, "digraph dot {\nsubgraph cluster_0 {\n");
	for (const struct host_node *n = g->first; n; n = n->next)
		fprintf(f, "\"node_%zu\" [label=\"%zu\\n%s\"];\n", n->place, n->place, names[n->work.type]);
	for (const struct host_node *n = g->first; n; n = n->next)
		for (size_t k = 0; k < n->n_before; k++)
			fprintf(f, "\"node_%zu\" -> \"node_%zu\";\n", n->before[k]->place, n->place);
	fprintf(f, "}\n}\n");
	return host_leave(fclose(f) ? cudaErrorInvalidValue : 0);
}
