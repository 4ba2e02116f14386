/* Launches of graphs: the nodes run in an order that respects their dependencies, in streams of the graph.
 *
 * A lane is a stream. A node continues the lane of the first of its predecessors that is the last node of its lane; else it begins a new lane. The
 * first lane is the stream of the launch. Dependencies across lanes are events. */
#include <stdlib.h>

#include "host/graph/graph.h"
#include "host/launch/launch.h"

#define FIRST_LANE 0u
#define NO_LANE UINT32_MAX

int ws_cudaStreamCreateWithFlags(void **stream, unsigned flags);
int ws_cudaStreamDestroy(void *stream);
int ws_cudaStreamWaitEvent(void *stream, void *event, unsigned flags);
int ws_cudaEventCreateWithFlags(void **event, unsigned flags);
int ws_cudaEventDestroy(void *event);
int ws_cudaEventRecord(void *event, void *stream);
int ws_cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
int ws_cudaMemcpy3DAsync(const void *params, void *stream);
int ws_cudaDeviceSynchronize(void);
int ws_cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data);

struct host_lanes {
	void **stream; /* stream of each lane; the first is the stream of the launch */
	uint32_t n;
	void **event;	    /* by node index: recorded after a node that another lane waits for; NULL: none */
	uint32_t *lane;	    /* by node index */
	void *begin, *done; /* events at the start of the launch, and at the end of a lane */
};

static void free_event(void *event)
{
	if (event)
		ws_cudaEventDestroy(event);
}

static void free_lanes(struct host_graph *g)
{
	struct host_lanes *l = g->lanes;
	if (!l)
		return;
	for (uint32_t k = 1; l->stream && k < l->n; k++)
		ws_cudaStreamDestroy(l->stream[k]);
	for (size_t k = 0; l->event && k < g->n; k++)
		free_event(l->event[k]);
	free_event(l->begin);
	free_event(l->done);
	free(l->stream);
	free(l->event);
	free(l->lane);
	free(l);
	g->lanes = NULL;
}

/* ---- preparation ---- */

/* Sorts the nodes topologically, in the order of their addition. Returns false if the dependencies have a cycle. */
static bool sort_nodes(struct host_graph *g)
{
	size_t n = 0;
	bool *there = calloc(g->n + 1, sizeof *there);
	g->order = calloc(g->n + 1, sizeof *g->order);
	for (bool any = there && g->order; any && n < g->n;) {
		any = false;
		for (struct host_node *m = g->first; m; m = m->next) {
			size_t k = 0;
			while (k < m->n_before && there[m->before[k]->place])
				k++;
			if (there[m->place] || k < m->n_before)
				continue;
			there[m->place] = any = true;
			g->order[n++] = m;
		}
	}
	free(there);
	return n == g->n;
}

/* Returns the lane that a node continues; NO_LANE: none. last: the last node of each lane. */
static uint32_t lane_of(const struct host_node *n, const struct host_lanes *l, struct host_node *const *last)
{
	for (size_t k = 0; k < n->n_before; k++)
		if (last[l->lane[n->before[k]->place]] == n->before[k])
			return l->lane[n->before[k]->place];
	return NO_LANE;
}

static void choose_lanes(const struct host_graph *g, struct host_lanes *l, struct host_node **last)
{
	for (size_t k = 0; k < g->n; k++) {
		struct host_node *n = g->order[k];
		uint32_t lane = lane_of(n, l, last);
		if (lane == NO_LANE)
			lane = l->n++;
		l->lane[n->place] = lane;
		last[lane] = n;
	}
}

static int make_event(void **event) { return *event ? 0 : ws_cudaEventCreateWithFlags(event, 2); }

static int make_lanes(struct host_graph *g)
{
	struct host_lanes *l = g->lanes = calloc(1, sizeof *l);
	struct host_node **last = calloc(g->n + 1, sizeof *last);
	int error = l && last ? 0 : cudaErrorMemoryAllocation;
	if (!error) {
		l->event = calloc(g->n + 1, sizeof *l->event);
		l->lane = calloc(g->n + 1, sizeof *l->lane);
		l->stream = calloc(g->n + 1, sizeof *l->stream);
		error = l->event && l->lane && l->stream ? make_event(&l->begin) : cudaErrorMemoryAllocation;
	}
	if (!error)
		error = make_event(&l->done);
	if (!error)
		choose_lanes(g, l, last);
	for (uint32_t k = 1; !error && k < l->n; k++)
		error = ws_cudaStreamCreateWithFlags(&l->stream[k], 1);
	for (size_t k = 0; !error && k < g->n; k++)
		for (size_t i = 0; !error && i < g->order[k]->n_before; i++) {
			const size_t before = g->order[k]->before[i]->place;
			if (l->lane[before] != l->lane[g->order[k]->place])
				error = make_event(&l->event[before]);
		}
	free(last);
	return error;
}

static const struct host_graph_operations operations = {graph_prepare, free_lanes};

int graph_prepare(struct host_graph *g)
{
	g->operations = &operations;
	graph_number_nodes(g);
	if (!sort_nodes(g))
		return cudaErrorInvalidValue;
	for (struct host_node *n = g->first; n; n = n->next) {
		const int error = graph_prepare_work(g, &n->work);
		if (error)
			return error;
	}
	g->is_ready = true;
	return make_lanes(g);
}

/* ---- launching ---- */

static int do_fill(const struct host_fill_params *p, void *stream)
{
	int error = 0;
	for (size_t k = 0; !error && k < (p->height ? p->height : 1); k++) {
		const struct call_fill c = {.to = (uint64_t)(uintptr_t)p->to + k * p->pitch,
					    .bytes = p->width * p->element,
					    .stream = host_stream(stream),
					    .value = p->value,
					    .width = p->element};
		error = call_fill(&c, NULL, 0, NULL);
	}
	return error;
}

static int do_copy(const struct host_copy_params *p, void *stream)
{
	if (p->from_array || p->to_array || p->extent[1] != 1 || p->extent[2] != 1)
		return ws_cudaMemcpy3DAsync(p, stream);
	return ws_cudaMemcpyAsync((char *)p->to.at + p->to_place[0], (const char *)p->from.at + p->from_place[0],
				  p->extent[0], p->kind, stream);
}

static int do_kernel(const struct host_node *n, void *stream)
{
	const struct host_kernel_params *p = &n->work.kernel;
	return host_launch(&(struct host_launch){.function = p->function,
						 .grid = p->grid,
						 .block = p->block,
						 .arguments = p->arguments,
						 .shared = p->shared,
						 .stream = stream,
						 .cooperative = attributes_word(&n->attributes, ATTRIBUTE_COOPERATIVE),
						 .caller = n->work.caller});
}

static int launch_graph(struct host_graph *g, void *stream);

/* Reads a word after waiting for the stream. */
static int read_word(uint64_t at, unsigned *value, const void *stream)
{
	return call_copy(&(struct call_copy){(uint64_t)(uintptr_t)value, at, sizeof *value, host_stream(stream),
					     WIRE_COPY_FROM_DEVICE, false},
			 NULL, 0, NULL);
}

/* Returns the graph selected by a value; NULL: none. */
static struct host_graph *chosen(const struct host_condition_params *p, unsigned value)
{
	const unsigned k = p->type == CONDITION_SWITCH ? value : !value;
	return k < p->n ? p->graphs[k] : NULL;
}

static int run_condition(const struct host_condition_params *p, void *stream)
{
	unsigned value = 0;
	for (;;) {
		int error = read_word(p->handle, &value, stream);
		struct host_graph *g = error ? NULL : chosen(p, value);
		if (g)
			error = launch_graph(g, stream);
		if (error || !g || p->type != CONDITION_WHILE)
			return error;
	}
}

static int do_work(const struct host_node *n, void *stream)
{
	const struct host_work *w = &n->work;
	switch (w->type) {
	case NODE_KERNEL: return do_kernel(n, stream);
	case NODE_COPY: return do_copy(&w->copy, stream);
	case NODE_FILL: return do_fill(&w->fill, stream);
	case NODE_HOST: return ws_cudaLaunchHostFunc(stream, w->call.function, w->call.data);
	case NODE_GRAPH: return launch_graph(w->graph, stream);
	case NODE_EMPTY: return 0;
	case NODE_WAIT: return ws_cudaStreamWaitEvent(stream, w->event, 0);
	case NODE_RECORD: return ws_cudaEventRecord(w->event, stream);
	case NODE_ALLOC:
	case NODE_FREE: return graph_memory_run(w, stream);
	case NODE_WORDS: return words_enqueue(&w->words, stream);
	case NODE_CONDITION: return run_condition(&w->condition, stream);
	}
	return cudaErrorInvalidValue;
}

static int do_node(const struct host_lanes *l, const struct host_node *n, void *const *stream)
{
	const uint32_t lane = l->lane[n->place];
	int error = 0;
	for (size_t k = 0; !error && k < n->n_before; k++)
		if (l->lane[n->before[k]->place] != lane)
			error = ws_cudaStreamWaitEvent(stream[lane], l->event[n->before[k]->place], 0);
	if (!error && !n->disabled)
		error = do_work(n, stream[lane]);
	if (!error && l->event[n->place])
		error = ws_cudaEventRecord(l->event[n->place], stream[lane]);
	return error;
}

/* Launches all lanes after the stream's earlier work; later work in the stream waits for all lanes. */
static int launch_lanes(struct host_graph *g, void *stream)
{
	struct host_lanes *l = g->lanes;
	int error = graph_conditions_reset(g, stream);
	if (!error && l->n > 1)
		error = ws_cudaEventRecord(l->begin, stream);
	l->stream[FIRST_LANE] = stream;
	for (uint32_t k = 1; !error && k < l->n; k++)
		error = ws_cudaStreamWaitEvent(l->stream[k], l->begin, 0);
	for (size_t k = 0; !error && k < g->n; k++)
		error = do_node(l, g->order[k], l->stream);
	for (uint32_t k = 1; !error && k < l->n; k++) {
		error = ws_cudaEventRecord(l->done, l->stream[k]);
		if (!error)
			error = ws_cudaStreamWaitEvent(stream, l->done, 0);
	}
	return error;
}

/* Launches a prepared graph in a stream. Returns 0 or an error. */
static int launch_graph(struct host_graph *g, void *stream)
{
	struct host_thread *t = host_thread();
	const bool before = t->in_graph;
	t->in_graph = true;
	const int error = launch_lanes(g, stream);
	t->in_graph = before;
	return error;
}

/* Orders a launch after the graph's previous launch, in any stream. */
static int wait_for_last_launch(struct host_graph *g, void *stream)
{
	int error = 0;
	if (g->was_launched && host_stream(g->last_stream) != host_stream(stream)) {
		if (host_stream_lives(g->last_stream)) {
			error = ws_cudaEventRecord(g->lanes->done, g->last_stream);
			if (!error)
				error = ws_cudaStreamWaitEvent(stream, g->lanes->done, 0);
		} else {
			error = ws_cudaDeviceSynchronize();
		}
	}
	g->was_launched = true;
	g->last_stream = host_stream_handle(host_stream(stream));
	return error;
}

static int launch_checked(struct host_graph *g, void *stream)
{
	int error = wait_for_last_launch(g, stream);
	if (!error)
		error = graph_memory_check_free(g, g->flags & GRAPH_AUTO_FREE, stream);
	return error ? error : launch_graph(g, stream);
}

API(cudaGraphLaunch)(struct host_graph *g, void *stream)
{
	int error = graph_lives(g) && g->is_ready ? host_enter() : cudaErrorInvalidValue;
	if (!error && !capture_add(stream, &(struct host_work){.type = NODE_GRAPH, .graph = g}, &error))
		error = launch_checked(g, stream);
	return host_leave(error);
}

API(cudaGraphUpload)(const struct host_graph *g, const void *stream)
{
	(void)stream;
	return host_leave(graph_lives(g) && g->is_ready ? 0 : cudaErrorInvalidValue);
}
