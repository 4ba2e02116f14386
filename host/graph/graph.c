/* Graphs and their nodes: creation and destruction. */
#include "host/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/core/handles.h"

static struct {
	struct host_lock lock;
	struct host_graph *first;
	unsigned long long last_id;
} known;

/* ---- graphs ---- */

struct host_graph *graph_create(void)
{
	struct host_graph *g = calloc(1, sizeof *g);
	if (!g)
		return NULL;
	g->end = &g->first;
	host_lock(&known.lock);
	g->id = ++known.last_id;
	g->known = known.first;
	known.first = g;
	host_unlock(&known.lock);
	return g;
}

bool graph_lives(const struct host_graph *g)
{
	host_lock(&known.lock);
	const struct host_graph *k = known.first;
	while (k && k != g)
		k = k->known;
	host_unlock(&known.lock);
	return k;
}

bool graph_is_instantiated(const struct host_graph *g)
{
	host_lock(&known.lock);
	const struct host_graph *k = known.first;
	while (k && (!k->is_ready || k->origin != g->id))
		k = k->known;
	host_unlock(&known.lock);
	return k;
}

static void remove_graph(const struct host_graph *g)
{
	host_lock(&known.lock);
	struct host_graph **at = &known.first;
	while (*at && *at != g)
		at = &(*at)->known;
	if (*at)
		*at = g->known;
	host_unlock(&known.lock);
}

static void free_work(struct host_work *w)
{
	free(w->owned);
	graph_memory_release(w->memory);
	if (w->type == NODE_GRAPH)
		graph_free(w->graph);
	if (w->type == NODE_CONDITION)
		graph_condition_free(&w->condition);
}

bool graph_node_lives(const struct host_node *n) { return handle_is(n, HANDLE_NODE); }

void graph_free_node(struct host_node *n)
{
	handle_remove(n, HANDLE_NODE);
	free_work(&n->work);
	free(n->before);
	attributes_free(&n->attributes);
	free(n);
}

void graph_free(struct host_graph *g)
{
	remove_graph(g);
	if (g->operations)
		g->operations->free_lanes(g);
	for (struct host_node *n = g->first, *next; n; n = next) {
		next = n->next;
		graph_free_node(n);
	}
	graph_conditions_release(g->id);
	graph_objects_release(g);
	free(g->order);
	free(g);
}

void graph_number_nodes(struct host_graph *g)
{
	size_t k = 0;
	for (struct host_node *n = g->first; n; n = n->next)
		n->place = k++;
}

/* ---- work of nodes ---- */

enum { EXTRA_END, EXTRA_BUFFER, EXTRA_BYTES }; /* CU_LAUNCH_PARAM_... */

/* Returns the buffer with all arguments that the driver API may be given, and its size. */
static const char *extra_buffer(void *const *extra, size_t *bytes)
{
	const char *buffer = NULL;
	*bytes = 0;
	for (unsigned k = 0; extra && extra[k] != (void *)EXTRA_END && k < 4; k += 2) {
		if (extra[k] == (void *)EXTRA_BUFFER)
			buffer = extra[k + 1];
		else if (extra[k] == (void *)EXTRA_BYTES)
			*bytes = *(const size_t *)extra[k + 1];
	}
	return buffer;
}

static bool copy_arguments(const struct host_kernel_params *p, const struct wire_kernel *k, void **to, char *bytes)
{
	size_t n_extra;
	const char *extra = p->arguments ? NULL : extra_buffer(p->extra, &n_extra);
	for (uint32_t i = 0; i < k->n_params; i++) {
		const uint32_t at = k->param[i].offset, n = k->param[i].bytes;
		const void *from = extra	  ? (at + n <= n_extra ? extra + at : NULL)
				   : p->arguments ? p->arguments[i]
						  : NULL;
		if (!from)
			return false;
		to[i] = memcpy(bytes + at, from, n);
	}
	return true;
}

/* Copies a kernel's arguments to memory that the node owns. */
static int copy_kernel_arguments(struct host_work *w)
{
	int error = 0;
	const struct host_kernel *k = host_kernel_of(w->kernel.function, &error);
	if (!k)
		return error;
	const uint32_t n = k->info->n_params;
	void **to = calloc(1, n * sizeof *to + k->info->param_bytes + 16);
	if (!to)
		return cudaErrorMemoryAllocation;
	if (!copy_arguments(&w->kernel, k->info, to, (char *)(to + n))) {
		free(to);
		return cudaErrorInvalidValue;
	}
	w->owned = w->kernel.arguments = to;
	w->kernel.extra = NULL;
	return 0;
}

static int copy_words(struct host_work *w)
{
	const size_t bytes = w->words.n * sizeof *w->words.op;
	const int error = words_check(&w->words);
	if (error)
		return error;
	if (!(w->owned = malloc(bytes ? bytes : 1)))
		return cudaErrorMemoryAllocation;
	w->words.op = memcpy(w->owned, w->words.op, bytes);
	return 0;
}

/* Copies a child graph, or takes ownership of it. */
static int copy_child_graph(struct host_work *w)
{
	int error = 0;
	if (!w->moves)
		w->graph = graph_clone(w->graph, &error);
	if (!error)
		w->graph->is_part = true;
	w->moves = false;
	return error;
}

static int copy_resources(struct host_work *w)
{
	w->owned = NULL;
	w->memory = graph_memory_retain(w->memory);
	switch (w->type) {
	case NODE_KERNEL: return copy_kernel_arguments(w);
	case NODE_GRAPH: return copy_child_graph(w);
	case NODE_WORDS: return copy_words(w);
	case NODE_CONDITION: return graph_condition_copy(&w->condition);
	default: return 0;
	}
}

int graph_prepare_work(const struct host_graph *g, const struct host_work *w)
{
	int error = 0;
	if (w->type == NODE_GRAPH)
		error = g->operations->prepare(w->graph);
	for (unsigned k = 0; w->type == NODE_CONDITION && !error && k < w->condition.n; k++)
		error = g->operations->prepare(w->condition.graphs[k]);
	return error;
}

int graph_set_work(struct host_node *n, const struct host_work *w)
{
	struct host_work mine = *w;
	int error = copy_resources(&mine);
	if (!error && n->graph->is_ready)
		error = graph_prepare_work(n->graph, &mine);
	if (error)
		return error;
	free_work(&n->work);
	n->work = mine;
	return 0;
}

/* Returns whether a fill has elements of 1, 2 or 4 bytes and rows that don't overlap. */
static bool is_fill(const struct host_fill_params *p)
{
	uint64_t row;
	return (p->element == 1 || p->element == 2 || p->element == 4) && p->to && p->width && p->height &&
	       !__builtin_mul_overflow(p->width, p->element, &row) && (p->height == 1 || row <= p->pitch);
}

bool graph_work_is_valid(const struct host_work *w)
{
	switch (w->type) {
	case NODE_FILL: return is_fill(&w->fill);
	case NODE_HOST: return w->call.function;
	default: return true;
	}
}

int graph_change_work(struct host_node *n, const struct host_work *w)
{
	if (!graph_node_lives(n) || n->work.type != w->type || !graph_work_is_valid(w) ||
	    (w->type == NODE_GRAPH && (!graph_lives(w->graph) || graph_is_single(w->graph))))
		return cudaErrorInvalidValue;
	return graph_set_work(n, w);
}

/* ---- nodes ---- */

bool graph_add_dependency(struct host_node *n, struct host_node *before)
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
	if (!*error && w->cooperative)
		*error = attributes_set(&node->attributes, ATTRIBUTE_COOPERATIVE, &(int){1}, sizeof(int));
	for (size_t k = 0; !*error && k < n; k++)
		if (!graph_add_dependency(node, before[k]))
			*error = cudaErrorMemoryAllocation;
	if (*error) {
		graph_free_node(node);
		return NULL;
	}
	node->place = g->n++;
	*g->end = node;
	g->end = &node->next;
	return node;
}

struct host_graph *graph_clone(const struct host_graph *g, int *error)
{
	struct host_graph *to = graph_lives(g) ? graph_create() : NULL;
	struct host_node **made = to ? calloc(g->n + 1, sizeof *made) : NULL;
	*error = made ? 0 : to ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
	if (!*error)
		graph_number_nodes((struct host_graph *)(uintptr_t)g);
	for (struct host_node *n = *error ? NULL : g->first; n && !*error; n = n->next) {
		struct host_node *m = made[n->place] = graph_add(to, NULL, 0, &n->work, error);
		if (!m)
			break;
		m->origin = n;
		m->disabled = n->disabled;
		*error = attributes_copy(&m->attributes, &n->attributes);
	}
	for (struct host_node *n = *error ? NULL : g->first; n; n = n->next)
		for (size_t k = 0; k < n->n_before; k++)
			if (!graph_add_dependency(made[n->place], made[n->before[k]->place]))
				*error = cudaErrorMemoryAllocation;
	free(made);
	if (!*error)
		graph_objects_copy(to, g);
	if (*error && to)
		graph_free(to);
	return *error ? NULL : to;
}

/* ---- the calls: graphs ---- */

API(cudaGraphCreate)(struct host_graph **g, unsigned flags)
{
	int error = g && !flags ? 0 : cudaErrorInvalidValue;
	if (!error && !(*g = graph_create()))
		error = cudaErrorMemoryAllocation;
	return host_leave(error);
}

static int destroy(struct host_graph *g, bool is_ready)
{
	if (!graph_lives(g) || g->is_ready != is_ready || g->is_part)
		return host_leave(cudaErrorInvalidValue);
	graph_free(g);
	return 0;
}

API(cudaGraphDestroy)(struct host_graph *g) { return destroy(g, false); }
API(cudaGraphExecDestroy)(struct host_graph *g) { return destroy(g, true); }

API(cudaGraphClone)(struct host_graph **to, const struct host_graph *g)
{
	int error = to && graph_lives(g) && !graph_is_single(g) ? 0 : cudaErrorInvalidValue;
	if (!error)
		*to = graph_clone(g, &error);
	return host_leave(error);
}

struct host_node *graph_clone_of_node(const struct host_graph *g, const struct host_node *n)
{
	struct host_node *found = NULL;
	for (struct host_node *m = n && graph_lives(g) ? g->first : NULL; m && !found; m = m->next) {
		if (m->origin == n)
			found = m;
		else if (m->work.type == NODE_GRAPH)
			found = graph_clone_of_node(m->work.graph, n);
		for (unsigned k = 0; m->work.type == NODE_CONDITION && !found && k < m->work.condition.n; k++)
			found = graph_clone_of_node(m->work.condition.graphs[k], n);
	}
	return found;
}

API(cudaGraphNodeFindInClone)(struct host_node **to, const struct host_node *n, const struct host_graph *clone)
{
	struct host_node *m = to ? graph_clone_of_node(clone, n) : NULL;
	if (m)
		*to = m;
	return host_leave(m ? 0 : cudaErrorInvalidValue);
}
