/* Conditional nodes. A condition is a word of the device's memory, which kernels write (cudaGraphSetConditional); its handle is the address. Who
 * launches the graph waits for what comes before the node, reads the word, and launches what it says. */
#include <stdlib.h>
#include <string.h>

#include "host/graph.h"

struct condition {
	uint64_t at;
	unsigned first; /* its value when the graph begins */
	bool has_first, is_used;
	unsigned users; /* its graph, and nodes */
	unsigned long long graph;
	unsigned generation; /* a reset has freed the word */
	struct condition *next;
};

static struct {
	struct host_lock lock;
	struct condition *first;
} all;

enum { IF, WHILE, SWITCH }; /* cudaGraphConditionalNodeType */
#define ASSIGN_DEFAULT 1u   /* cudaGraphCondAssignDefault */
#define DEVICE_TO_HOST 2u

static struct condition *find(uint64_t handle)
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

static int make(uint64_t *handle, unsigned long long graph, unsigned value, unsigned flags, const void *caller)
{
	struct call_alloc_out out;
	struct condition *c = calloc(1, sizeof *c);
	int error = c ? host_enter() : cudaErrorMemoryAllocation;
	if (!error)
		error = call_alloc(&(struct call_alloc){sizeof value, (uint64_t)(uintptr_t)caller}, NULL, 0, &out);
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
	return host_leave(make(handle, g->id, value, flags, HOST_CALLER()));
}

API(cuGraphConditionalHandleCreate)
(uint64_t *handle, const struct host_graph *g, const void *context, unsigned value, unsigned flags)
{
	(void)context;
	if (!handle || !graph_lives(g) || g->is_ready || flags > ASSIGN_DEFAULT)
		return cudaErrorInvalidValue;
	return make(handle, g->id, value, flags, HOST_CALLER());
}

/* With the lock; what is to be freed without it. */
static struct condition *drop(struct condition *c)
{
	if (!c || --c->users)
		return NULL;
	struct condition **at = &all.first;
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	return c;
}

static void end(struct condition *c)
{
	if (c && c->generation == host_stream_generation())
		call_free(&(struct call_free){c->at}, NULL, 0, NULL);
	free(c);
}

void graph_conditions_forget(unsigned long long graph)
{
	for (bool any = true; any;) {
		host_lock(&all.lock);
		struct condition *c = all.first;
		while (c && c->graph != graph)
			c = c->next;
		any = c;
		if (c)
			c->graph = 0;
		c = drop(c);
		host_unlock(&all.lock);
		end(c);
	}
}

/* ---- nodes ---- */

static bool has_size(const struct host_condition_params *p)
{
	return p->n && (p->type == IF ? p->n <= 2 : p->type == WHILE ? p->n == 1 : p->type == SWITCH);
}

int graph_condition_may_be(const struct host_graph *g, const struct host_condition_params *p)
{
	host_lock(&all.lock);
	struct condition *c = find(p->handle);
	const bool may = c && c->graph == g->id && !c->is_used && has_size(p);
	if (may)
		c->is_used = true;
	host_unlock(&all.lock);
	return may ? 0 : cudaErrorInvalidValue;
}

int graph_condition_keep(struct host_condition_params *p)
{
	struct host_graph *const *from = p->graphs;
	int error = 0;
	p->graphs = calloc(p->n, sizeof *p->graphs);
	if (!p->graphs)
		return cudaErrorMemoryAllocation;
	for (unsigned k = 0; k < p->n && !error; k++) {
		struct host_graph *g = p->graphs[k] = from ? graph_clone(from[k], &error) : graph_make();
		if (g)
			g->is_part = g->is_body = true;
		else
			error = cudaErrorMemoryAllocation;
	}
	host_lock(&all.lock);
	struct condition *c = find(p->handle);
	if (c)
		c->users++;
	host_unlock(&all.lock);
	if (error)
		graph_condition_drop(p);
	return error;
}

void graph_condition_drop(struct host_condition_params *p)
{
	for (unsigned k = 0; k < p->n; k++)
		if (p->graphs[k])
			graph_free(p->graphs[k]);
	free(p->graphs);
	host_lock(&all.lock);
	struct condition *c = drop(find(p->handle));
	host_unlock(&all.lock);
	end(c);
}

/* ---- launching ---- */

int graph_conditions_begin(const struct host_graph *g, const void *stream)
{
	int error = 0;
	for (const struct host_node *n = g->first; n && !error; n = n->next) {
		if (n->work.type != NODE_CONDITION)
			continue;
		host_lock(&all.lock);
		const struct condition *c = find(n->work.condition.handle);
		const bool has_first = c && c->has_first;
		const unsigned first = c ? c->first : 0;
		host_unlock(&all.lock);
		if (has_first)
			error = write_word(n->work.condition.handle, first, stream);
	}
	return error;
}

/* Waits for what is in the stream. */
static int read_word(uint64_t at, unsigned *value, const void *stream)
{
	return call_copy(&(struct call_copy){(uint64_t)(uintptr_t)value, at, sizeof *value, host_stream(stream),
					     DEVICE_TO_HOST, false},
			 NULL, 0, NULL);
}

/* The graph that is to be done for a value; NULL: none. */
static struct host_graph *chosen(const struct host_condition_params *p, unsigned value)
{
	const unsigned k = p->type == SWITCH ? value : !value;
	return k < p->n ? p->graphs[k] : NULL;
}

int graph_condition_do(const struct host_condition_params *p, void *stream)
{
	unsigned value = 0;
	for (;;) {
		int error = read_word(p->handle, &value, stream);
		struct host_graph *g = error ? NULL : chosen(p, value);
		if (g)
			error = graph_launch(g, stream);
		if (error || !g || p->type != WHILE)
			return error;
	}
}
