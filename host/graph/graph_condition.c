/* Conditional nodes. A condition is a word of device memory that kernels write (cudaGraphSetConditional); its handle is the word's address. A launch
 * waits for the node's predecessors, reads the word, and launches the selected graph. */
#include <stdlib.h>
#include <string.h>

#include "host/graph/graph.h"

struct condition {
	uint64_t at;
	unsigned first; /* initial value at a launch */
	bool has_first, is_used;
	unsigned users; /* number of users: its graph, and nodes */
	unsigned long long graph;
	unsigned generation; /* generation of the device in which the word exists */
	struct condition *next;
};

static struct {
	struct host_lock lock;
	struct condition *first;
} all;

#define ASSIGN_DEFAULT 1u /* cudaGraphCondAssignDefault */

static struct condition *find_condition(uint64_t handle)
{
	struct condition *c = all.first;
	while (c && c->at != handle)
		c = c->next;
	return c;
}

static int write_word(uint64_t at, unsigned value, const void *stream)
{
	return call_fill(&(struct call_fill){at, sizeof value, host_stream(stream), value, sizeof value, false}, NULL,
			 0, NULL);
}

/* ---- handles ---- */

static int create_condition(uint64_t *handle, unsigned long long graph, unsigned value, unsigned flags,
			    const void *caller)
{
	struct call_alloc_out out;
	struct condition *c = calloc(1, sizeof *c);
	int error = c ? host_enter() : cudaErrorMemoryAllocation;
	if (!error)
		error = call_alloc(&(struct call_alloc){sizeof value, (uint64_t)(uintptr_t)caller, 0}, NULL, 0, &out);
	if (!error)
		error = write_word(out.address, value, NULL);
	if (error) {
		free(c);
		return error;
	}
	*c = (struct condition){.at = out.address,
				.first = value,
				.has_first = flags,
				.users = 1,
				.graph = graph,
				.generation = host_stream_generation()};
	host_lock(&all.lock);
	c->next = all.first;
	all.first = c;
	host_unlock(&all.lock);
	*handle = c->at;
	return 0;
}

API(cudaGraphConditionalHandleCreate)(uint64_t *handle, const struct host_graph *g, unsigned value, unsigned flags)
{
	if (!handle || !graph_lives(g) || g->is_ready || flags > ASSIGN_DEFAULT)
		return host_leave(cudaErrorInvalidValue);
	return host_leave(create_condition(handle, g->id, value, flags, HOST_CALLER()));
}

API(cuGraphConditionalHandleCreate)
(uint64_t *handle, const struct host_graph *g, const void *context, unsigned value, unsigned flags)
{
	(void)context;
	if (!handle || !graph_lives(g) || g->is_ready || flags > ASSIGN_DEFAULT)
		return cudaErrorInvalidValue;
	return create_condition(handle, g->id, value, flags, HOST_CALLER());
}

/* Releases a condition, with the lock held. Returns the condition if it must be freed after the lock is released; else NULL. */
static struct condition *release_condition(struct condition *c)
{
	if (!c || --c->users)
		return NULL;
	struct condition **at = &all.first;
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	return c;
}

static void free_condition(struct condition *c)
{
	if (c && c->generation == host_stream_generation())
		call_free(&(struct call_free){c->at}, NULL, 0, NULL);
	free(c);
}

void graph_conditions_release(unsigned long long graph)
{
	for (bool any = true; any;) {
		host_lock(&all.lock);
		struct condition *c = all.first;
		while (c && c->graph != graph)
			c = c->next;
		any = c;
		if (c)
			c->graph = 0;
		c = release_condition(c);
		host_unlock(&all.lock);
		free_condition(c);
	}
}

/* ---- nodes ---- */

static bool has_size(const struct host_condition_params *p)
{
	return p->n && (p->type == CONDITION_IF	     ? p->n <= 2
			: p->type == CONDITION_WHILE ? p->n == 1
						     : p->type == CONDITION_SWITCH);
}

int graph_condition_claim(const struct host_graph *g, const struct host_condition_params *p)
{
	host_lock(&all.lock);
	struct condition *c = find_condition(p->handle);
	const bool may = c && c->graph == g->id && !c->is_used && has_size(p);
	if (may)
		c->is_used = true;
	host_unlock(&all.lock);
	return may ? 0 : cudaErrorInvalidValue;
}

int graph_condition_copy(struct host_condition_params *p)
{
	struct host_graph *const *from = p->graphs;
	int error = 0;
	p->graphs = calloc(p->n, sizeof *p->graphs);
	if (!p->graphs)
		return cudaErrorMemoryAllocation;
	for (unsigned k = 0; k < p->n && !error; k++) {
		struct host_graph *g = p->graphs[k] = from ? graph_clone(from[k], &error) : graph_create();
		if (g)
			g->is_part = g->is_body = true;
		else
			error = cudaErrorMemoryAllocation;
	}
	host_lock(&all.lock);
	struct condition *c = find_condition(p->handle);
	if (c)
		c->users++;
	host_unlock(&all.lock);
	if (error)
		graph_condition_free(p);
	return error;
}

void graph_condition_free(struct host_condition_params *p)
{
	for (unsigned k = 0; k < p->n; k++)
		if (p->graphs[k])
			graph_free(p->graphs[k]);
	free(p->graphs);
	host_lock(&all.lock);
	struct condition *c = release_condition(find_condition(p->handle));
	host_unlock(&all.lock);
	free_condition(c);
}

/* ---- launching ---- */

int graph_conditions_reset(const struct host_graph *g, const void *stream)
{
	int error = 0;
	for (const struct host_node *n = g->first; n && !error; n = n->next) {
		if (n->work.type != NODE_CONDITION)
			continue;
		host_lock(&all.lock);
		const struct condition *c = find_condition(n->work.condition.handle);
		const bool has_first = c && c->has_first;
		const unsigned first = c ? c->first : 0;
		host_unlock(&all.lock);
		if (has_first)
			error = write_word(n->work.condition.handle, first, stream);
	}
	return error;
}
