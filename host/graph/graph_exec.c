/* Executable graphs: instantiation and update. */
#include "host/graph/graph.h"

API(cudaGraphNodeSetEnabled)(const struct host_graph *g, const struct host_node *node, unsigned enabled)
{
	struct host_node *m = graph_clone_of_node(g, node);
	if (m)
		m->disabled = !enabled;
	return host_leave(m ? 0 : cudaErrorInvalidValue);
}

API(cudaGraphNodeGetEnabled)(const struct host_graph *g, const struct host_node *node, unsigned *enabled)
{
	const struct host_node *m = enabled ? graph_clone_of_node(g, node) : NULL;
	if (m)
		*enabled = !m->disabled;
	return host_leave(m ? 0 : cudaErrorInvalidValue);
}

static int instantiate(struct host_graph **to, const struct host_graph *g, unsigned long long flags)
{
	int error =
		to && graph_lives(g) && !g->is_part && !g->is_ready && !(graph_is_single(g) && graph_is_instantiated(g))
			? host_enter()
			: cudaErrorInvalidValue;
	struct host_graph *made = error ? NULL : graph_clone(g, &error);
	if (made && (error = graph_prepare(made)))
		graph_free(made);
	if (!error) {
		made->origin = g->id;
		made->flags = flags;
		*to = made;
	}
	return host_leave(error);
}

/* Up to 11.x three more arguments reported the failure. */
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

static bool may_become(const struct host_work *w, const struct host_work *to)
{
	switch (w->type) {
	case NODE_ALLOC: return w->memory == to->memory;
	case NODE_FREE: return w->freed == to->freed;
	case NODE_CONDITION:
		return w->condition.handle == to->condition.handle && w->condition.type == to->condition.type &&
		       w->condition.n == to->condition.n;
	default: return true;
	}
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
		if (!may_become(&m->work, &n->work))
			return UPDATE_PARAMETERS;
		if (!waits_alike(m, n))
			return UPDATE_TOPOLOGY;
	}
	r->node = NULL;
	return UPDATE_SUCCESS;
}

static int update(struct host_graph *g, struct host_graph *from, struct update_result *r)
{
	int error = graph_lives(g) && g->is_ready && graph_lives(from) ? 0 : cudaErrorInvalidValue;
	*r = (struct update_result){.result = UPDATE_ERROR};
	if (error)
		return host_leave(error);
	graph_number_nodes(g);
	graph_number_nodes(from);
	r->result = compare(g, from, r);
	error = r->result ? cudaErrorGraphExecUpdateFailure : 0;
	struct host_node *m = g->first, *n = from->first;
	for (; !error && n; m = m->next, n = n->next) {
		error = graph_set_work(m, &n->work);
		m->origin = n;
	}
	return host_leave(error);
}

/* Up to 11.x the result had two parts. */
API(cudaGraphExecUpdate_11)
(struct host_graph *g, struct host_graph *from, const struct host_node **node, int *result)
{
	struct update_result r;
	const int error = update(g, from, &r);
	if (node)
		*node = r.node;
	if (result)
		*result = r.result;
	return error;
}

API(cudaGraphExecUpdate_12)(struct host_graph *g, struct host_graph *from, struct update_result *result)
{
	struct update_result r;
	const int error = update(g, from, &r);
	if (result)
		*result = r;
	return error;
}

API(cudaGraphExecUpdate_13)(struct host_graph *g, struct host_graph *from, struct update_result *result)
{
	return ws_cudaGraphExecUpdate_12(g, from, result);
}
