/* Stream capture: calls in a captured stream become nodes of a graph. A stream that waits for an event of a captured stream is captured, too, and
 * must be joined with the stream in which the capture began. */
#include <stdlib.h>
#include <string.h>

#include "host/graph/graph.h"

enum { CAPTURE_NONE, CAPTURE_ACTIVE, CAPTURE_VOID }; /* cudaStreamCaptureStatus */
enum { GLOBAL, OF_THREAD, RELAXED };		     /* cudaStreamCaptureMode */

/* The nodes that the next node of the stream depends on. */
struct front {
	struct host_node **node;
	size_t n;
};

struct capture {
	unsigned long long id;
	struct host_graph *graph;
	uint64_t origin; /* stream in which the capture began */
	int mode;
	const struct host_thread *thread; /* thread that began the capture */
	bool is_void, is_given;		  /* given: the program passed the graph */
	struct capture *next;
};

/* The capture of a stream, or of an event recorded in a captured stream. */
struct captured {
	struct capture *capture;
	uint64_t of; /* number of the stream, or handle of the event */
	bool is_event;
	bool is_blocking; /* a stream that the legacy stream waits for */
	struct front front;
	uint64_t *edges; /* edge data for queries: zeros */
	struct captured *next;
};

static struct {
	struct host_lock lock;
	struct capture *captures;
	struct captured *all;
	unsigned long long last_id;
} state;

static bool is_capture_inactive(void) { return !__atomic_load_n(&state.captures, __ATOMIC_RELAXED); }

/* Returns whether a signal handler has interrupted this file's code; then sets *error. */
static bool is_interrupted(int *error)
{
	if (is_capture_inactive() || !host_holds(&state.lock))
		return false;
	*error = cudaErrorNotPermitted;
	return true;
}

static struct captured *find_captured(uint64_t of, bool is_event)
{
	struct captured *c = state.all;
	while (c && (c->of != of || c->is_event != is_event))
		c = c->next;
	return c;
}

static bool is_blocking(uint64_t stream)
{
	struct call_stream_get_out out = {0};
	return !call_stream_get(&(struct call_stream_get){stream}, NULL, 0, &out) && !out.non_blocking;
}

static struct captured *make_captured(struct capture *capture, uint64_t of, bool is_event)
{
	struct captured *c = find_captured(of, is_event);
	if (!c) {
		c = calloc(1, sizeof *c);
		if (!c)
			return NULL;
		c->next = state.all;
		state.all = c;
	}
	c->capture = capture;
	c->of = of;
	c->is_event = is_event;
	c->is_blocking = !is_event && is_blocking(of);
	c->front.n = 0;
	return c;
}

static bool front_add(struct front *f, struct host_node *n)
{
	for (size_t k = 0; k < f->n; k++)
		if (f->node[k] == n)
			return true;
	struct host_node **more = realloc(f->node, (f->n + 1) * sizeof *more);
	if (!more)
		return false;
	f->node = more;
	f->node[f->n++] = n;
	return true;
}

static bool front_join(struct front *to, const struct front *from)
{
	bool ok = true;
	for (size_t k = 0; ok && k < from->n; k++)
		ok = front_add(to, from->node[k]);
	return ok;
}

/* Frees a capture and what belongs to it. */
static void free_capture(struct capture *c)
{
	for (struct captured **at = &state.all; *at;) {
		struct captured *k = *at;
		if (k->capture != c) {
			at = &k->next;
			continue;
		}
		*at = k->next;
		free(k->front.node);
		free(k->edges);
		free(k);
	}
	struct capture **at = &state.captures;
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	free(c);
}

/* ---- calls in streams that are captured ---- */

static struct captured *lock_captured(const void *stream)
{
	if (is_capture_inactive() || host_thread()->in_graph)
		return NULL;
	const uint64_t number = host_stream(stream);
	host_lock(&state.lock);
	struct captured *c = find_captured(number, false);
	if (!c)
		host_unlock(&state.lock);
	return c;
}

static int add_node(struct captured *c, const struct host_work *w)
{
	int error = 0;
	if (c->capture->is_void)
		return cudaErrorStreamCaptureInvalidated;
	error = graph_check_node(c->capture->graph, w);
	if (error)
		return error;
	struct host_node *n = graph_add(c->capture->graph, c->front.node, c->front.n, w, &error);
	c->front.n = 0;
	return n && !front_add(&c->front, n) ? cudaErrorMemoryAllocation : error;
}

/* Using the legacy stream invalidates captures of streams that the legacy stream waits for. */
bool capture_check_legacy(const void *stream, int *error)
{
	bool any = false;
	if (is_interrupted(error))
		return true;
	if (is_capture_inactive() || host_thread()->in_graph || host_stream(stream))
		return false;
	host_lock(&state.lock);
	for (struct captured *k = state.all; k; k = k->next)
		if (k->is_blocking)
			any = k->capture->is_void = true;
	host_unlock(&state.lock);
	if (any)
		*error = cudaErrorStreamCaptureImplicit;
	return any;
}

bool capture_add(const void *stream, const struct host_work *w, int *error)
{
	struct captured *c = is_interrupted(error) ? NULL : lock_captured(stream);
	if (!c)
		return capture_check_legacy(stream, error);
	*error = add_node(c, w);
	host_unlock(&state.lock);
	return true;
}

bool capture_is_active(const void *stream)
{
	const struct captured *c = lock_captured(stream);
	if (c)
		host_unlock(&state.lock);
	return c;
}

bool capture_reject(const void *stream, int *error)
{
	struct captured *c = is_interrupted(error) ? NULL : lock_captured(stream);
	if (!c)
		return capture_check_legacy(stream, error);
	c->capture->is_void = true;
	*error = cudaErrorStreamCaptureUnsupported;
	host_unlock(&state.lock);
	return true;
}

/* Returns whether the capture forbids this thread to wait for other streams, by the modes of both. */
static bool is_unsafe(const struct capture *c, const struct host_thread *t)
{
	if (t->capture_mode == RELAXED || c->mode == RELAXED)
		return false;
	return c->thread == t || (t->capture_mode == GLOBAL && c->mode == GLOBAL);
}

static bool end_captures(bool all, int *error)
{
	bool any = false;
	if (is_interrupted(error))
		return true;
	if (is_capture_inactive() || host_thread()->in_graph)
		return false;
	host_lock(&state.lock);
	for (struct capture *c = state.captures; c; c = c->next)
		if (all || is_unsafe(c, host_thread()))
			any = c->is_void = true;
	host_unlock(&state.lock);
	if (any)
		*error = cudaErrorStreamCaptureUnsupported;
	return any;
}

bool capture_check_unsafe(int *error) { return end_captures(false, error); }
bool capture_check_wait_all(int *error) { return end_captures(true, error); }

bool capture_check_event(const void *event, int *error)
{
	if (is_interrupted(error))
		return true;
	if (is_capture_inactive() || host_thread()->in_graph)
		return false;
	host_lock(&state.lock);
	struct captured *e = find_captured((uint64_t)(uintptr_t)event, true);
	if (e) {
		e->capture->is_void = true;
		*error = cudaErrorCapturedEvent;
	}
	host_unlock(&state.lock);
	return e;
}

static void forget_event(const void *event)
{
	host_lock(&state.lock);
	struct captured **at = &state.all;
	while (*at && ((*at)->of != (uint64_t)(uintptr_t)event || !(*at)->is_event))
		at = &(*at)->next;
	struct captured *e = *at;
	if (e) {
		*at = e->next;
		free(e->front.node);
		free(e->edges);
		free(e);
	}
	host_unlock(&state.lock);
}

bool capture_record(void *event, const void *stream, int *error)
{
	struct captured *c = is_interrupted(error) ? NULL : lock_captured(stream);
	if (!c && capture_check_legacy(stream, error))
		return true;
	if (!c) {
		if (!is_capture_inactive() && !host_thread()->in_graph)
			forget_event(event);
		return false;
	}
	struct captured *e = make_captured(c->capture, (uint64_t)(uintptr_t)event, true);
	*error = e && front_join(&e->front, &c->front) ? 0 : cudaErrorMemoryAllocation;
	host_unlock(&state.lock);
	return true;
}

/* The waiting stream becomes part of the capture. */
bool capture_wait(const void *stream, void *event, int *error)
{
	if (is_interrupted(error))
		return true;
	if (is_capture_inactive() || host_thread()->in_graph)
		return false;
	const uint64_t number = host_stream(stream);
	if (!number)
		return capture_check_legacy(stream, error);
	host_lock(&state.lock);
	const struct captured *e = find_captured((uint64_t)(uintptr_t)event, true);
	struct captured *c = find_captured(number, false);
	if (e && !c)
		c = make_captured(e->capture, number, false);
	if (e && c)
		*error = c->capture == e->capture && front_join(&c->front, &e->front) ? 0 : cudaErrorStreamCaptureMerge;
	else if (c)
		*error = cudaErrorStreamCaptureIsolation;
	if (c && *error)
		c->capture->is_void = true;
	host_unlock(&state.lock);
	return c;
}

/* ---- begin and end ---- */

static int may_capture(const void *stream, uint64_t number, int mode)
{
	if (mode < GLOBAL || mode > RELAXED)
		return cudaErrorInvalidValue;
	if (!host_stream_lives(stream))
		return cudaErrorInvalidResourceHandle;
	if (!number) /* the legacy default stream */
		return cudaErrorStreamCaptureUnsupported;
	return find_captured(number, false) ? cudaErrorIllegalState : 0;
}

/* Begins a capture into a graph of the program, or into a new graph. */
static int begin_capture(uint64_t number, struct host_graph *given, int mode)
{
	struct capture *c = calloc(1, sizeof *c);
	if (!c || !(c->graph = given ? given : graph_create()) || !make_captured(c, number, false)) {
		free(c);
		return cudaErrorMemoryAllocation;
	}
	c->is_given = given;
	c->mode = mode;
	c->thread = host_thread();
	c->id = ++state.last_id;
	c->origin = number;
	c->next = state.captures;
	__atomic_store_n(&state.captures, c, __ATOMIC_RELAXED);
	return 0;
}

API(cudaStreamBeginCapture)(const void *stream, int mode)
{
	int error = host_enter();
	const uint64_t number = error ? 0 : host_stream(stream);
	host_lock(&state.lock);
	if (!error)
		error = may_capture(stream, number, mode);
	if (!error)
		error = begin_capture(number, NULL, mode);
	host_unlock(&state.lock);
	return host_leave(error);
}

/* Returns whether all nodes are of graph `g`. */
static bool are_of(const struct host_graph *g, struct host_node *const *node, size_t n)
{
	size_t k = 0;
	while (node && k < n && graph_node_lives(node[k]) && node[k]->graph == g)
		k++;
	return k == n;
}

static int front_add_all(struct front *to, struct host_node *const *node, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (!front_add(to, node[k]))
			return cudaErrorMemoryAllocation;
	return 0;
}

API(cudaStreamBeginCaptureToGraph)
(const void *stream, struct host_graph *g, struct host_node *const *before, const void *edges, size_t n, int mode)
{
	(void)edges;
	int error = graph_lives(g) && !g->is_ready && are_of(g, before, n) ? host_enter() : cudaErrorInvalidValue;
	const uint64_t number = error ? 0 : host_stream(stream);
	host_lock(&state.lock);
	if (!error)
		error = may_capture(stream, number, mode);
	if (!error)
		error = begin_capture(number, g, mode);
	if (!error)
		error = front_add_all(&find_captured(number, false)->front, before, n);
	host_unlock(&state.lock);
	return host_leave(error);
}

static bool front_has(const struct front *f, const struct host_node *n)
{
	for (size_t k = 0; k < f->n; k++)
		if (f->node[k] == n)
			return true;
	return false;
}

static bool has_follower(const struct host_graph *g, const struct host_node *n)
{
	for (const struct host_node *m = g->first; m; m = m->next)
		for (size_t k = 0; k < m->n_before; k++)
			if (m->before[k] == n)
				return true;
	return false;
}

/* Returns whether the last nodes of all captured streams are joined with the stream in which the capture began. */
static bool is_joined(const struct capture *c, const struct front *last)
{
	for (const struct captured *k = state.all; k; k = k->next)
		for (size_t i = 0; !k->is_event && k->capture == c && i < k->front.n; i++)
			if (!front_has(last, k->front.node[i]) && !has_follower(c->graph, k->front.node[i]))
				return false;
	return true;
}

static int end_capture(uint64_t stream, struct host_graph **to)
{
	const struct captured *of = find_captured(stream, false);
	struct capture *c = of ? of->capture : NULL;
	if (!c)
		return cudaErrorIllegalState;
	if (!to && !c->is_given)
		return cudaErrorInvalidValue;
	if (c->mode != RELAXED && c->thread != host_thread())
		return cudaErrorStreamCaptureWrongThread;
	if (c->origin != stream) {
		c->is_void = true;
		return cudaErrorStreamCaptureUnmatched;
	}
	const int error = c->is_void		     ? cudaErrorStreamCaptureInvalidated
			  : is_joined(c, &of->front) ? 0
						     : cudaErrorStreamCaptureUnjoined;
	if (error && !c->is_given)
		graph_free(c->graph);
	if (to)
		*to = error ? NULL : c->graph;
	free_capture(c);
	return error;
}

API(cudaStreamEndCapture)(const void *stream, struct host_graph **to)
{
	int error = host_enter();
	const uint64_t number = error ? 0 : host_stream(stream);
	host_lock(&state.lock);
	if (!error)
		error = end_capture(number, to);
	host_unlock(&state.lock);
	return host_leave(error);
}

/* ---- queries ---- */

/* The values that a program queries; NULL: not queried. */
struct asked {
	int *status;
	unsigned long long *id;
	struct host_graph **graph;
	struct host_node *const **front; /* valid until the next call in the stream */
	const uint64_t **edges;
	size_t *n;
};

static int fill_answer(struct captured *c, const struct asked *a)
{
	if (a->id)
		*a->id = c->capture->id;
	if (a->graph)
		*a->graph = c->capture->graph;
	if (a->front)
		*a->front = c->front.node;
	if (a->n)
		*a->n = c->front.n;
	if (!a->edges)
		return 0;
	free(c->edges);
	*a->edges = c->edges = calloc(c->front.n + 1, sizeof *c->edges);
	return c->edges ? 0 : cudaErrorMemoryAllocation;
}

static int query_capture(const void *stream, const struct asked *a)
{
	int error = a->status ? host_enter() : cudaErrorInvalidValue;
	if (error)
		return host_leave(error);
	const uint64_t number = host_stream(stream);
	host_lock(&state.lock);
	struct captured *c = find_captured(number, false);
	*a->status = !c ? CAPTURE_NONE : c->capture->is_void ? CAPTURE_VOID : CAPTURE_ACTIVE;
	if (c)
		error = fill_answer(c, a);
	host_unlock(&state.lock);
	return host_leave(error);
}

API(cudaStreamIsCapturing)(const void *stream, int *to) { return query_capture(stream, &(struct asked){.status = to}); }

API(cudaStreamGetCaptureInfo)(const void *stream, int *to, unsigned long long *id)
{
	return query_capture(stream, &(struct asked){.status = to, .id = id});
}

API(cudaStreamGetCaptureInfo_v2)
(const void *stream, int *to, unsigned long long *id, struct host_graph **g, struct host_node *const **front, size_t *n)
{
	return query_capture(stream, &(struct asked){.status = to, .id = id, .graph = g, .front = front, .n = n});
}

API(cudaStreamGetCaptureInfo_v3)
(const void *stream, int *to, unsigned long long *id, struct host_graph **g, struct host_node *const **front,
 const uint64_t **edges, size_t *n)
{
	return query_capture(stream, &(struct asked){to, id, g, front, edges, n});
}

/* ---- changing the dependencies of the next node ---- */

enum { ADD, SET }; /* cudaStreamUpdateCaptureDependenciesFlags */

static int update_front(struct captured *c, struct host_node *const *node, size_t n, unsigned flags)
{
	if (flags > SET || !are_of(c->capture->graph, node, n))
		return cudaErrorInvalidValue;
	if (c->capture->is_void)
		return cudaErrorStreamCaptureInvalidated;
	if (flags == SET)
		c->front.n = 0;
	return front_add_all(&c->front, node, n);
}

API(cudaStreamUpdateCaptureDependencies)
(const void *stream, struct host_node *const *node, size_t n, unsigned flags)
{
	int error = host_enter();
	const uint64_t number = error ? 0 : host_stream(stream);
	host_lock(&state.lock);
	struct captured *c = error ? NULL : find_captured(number, false);
	if (!error)
		error = c ? update_front(c, node, n, flags) : cudaErrorIllegalState;
	host_unlock(&state.lock);
	return host_leave(error);
}

API(cudaStreamUpdateCaptureDependencies_v2)
(const void *stream, struct host_node *const *node, const void *edges, size_t n, unsigned flags)
{
	(void)edges;
	return ws_cudaStreamUpdateCaptureDependencies(stream, node, n, flags);
}

API(cudaThreadExchangeStreamCaptureMode)(int *mode)
{
	struct host_thread *t = host_thread();
	if (!mode || *mode < GLOBAL || *mode > RELAXED)
		return host_leave(cudaErrorInvalidValue);
	const int old = t->capture_mode;
	t->capture_mode = *mode;
	*mode = old;
	return 0;
}
