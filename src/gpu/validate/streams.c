/* Streams, what waits in them, and their events are looked at. */
#include "gpu/device/valid_internal.h"
#include "gpu/stream/stream_internal.h"

#define TRANSFER_MOST (UINT64_C(1) << 48)

static const struct stream_event *events(const struct gpu *g) { return arena_at(&g->arena, g->sec_event, 0); }

bool gpu_valid_events(struct gpu_valid *v)
{
	const struct gpu_state *s = gpu_state(v->g);
	if (s->n_events > gpu_valid_entries(v, v->g->sec_event, sizeof(struct stream_event)) || s->first_event > s->n_events)
		return invalid(v->what, "how many events there are");
	for (uint32_t k = 0; k < s->n_events; k++) {
		const struct stream_event *e = &events(v->g)[k];
		if (!VALID_BOOL(e->used) || !VALID_BOOL(e->stamped) || e->context >= GPU_CONTEXTS)
			return invalid(v->what, "event %u", k + 1);
	}
	return true;
}

/* ---- streams ---- */

bool gpu_valid_streams(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	if (s->n_streams > gpu_valid_entries(v, g->sec_stream, sizeof(struct stream)))
		return invalid(v->what, "how many streams there are");
	for (uint32_t k = 0; k < s->n_streams; k++) {
		const struct stream *x = stream_at(g, k);
		if (!VALID_BOOL(x->created) || !VALID_BOOL(x->destroyed) || !VALID_BOOL(x->non_blocking) ||
		    !VALID_BOOL(x->is_default) || !VALID_BOOL(x->begun) || x->context >= GPU_CONTEXTS ||
		    (k && x->number <= stream_at(g, k - 1)->number) || (x->begun && !x->n))
			return invalid(v->what, "stream %u", x->number);
	}
	return true;
}

/* ---- operations ---- */

/* A launch that has not begun is queued, and the other way round. */
static bool launch_is_valid(const struct gpu *g, const struct stream *x, const struct operation *o, bool begun)
{
	if (o->launch >= gpu_state(g)->n_launches)
		return false;
	const struct gpu_launch_info *l = gpu_launch_at(g, o->launch);
	const bool runs = l->state == GPU_LAUNCH_RUNNING || l->state == GPU_LAUNCH_FAILED;
	return !l->parent && l->launch.stream == x->number && (begun ? runs : l->state == GPU_LAUNCH_QUEUED);
}

static bool operation_is_valid(const struct gpu *g, const struct stream *x, const struct operation *o, bool begun)
{
	if (o->number > gpu_state(g)->n_operations_ever || o->event > gpu_state(g)->n_events)
		return false;
	switch (o->kind) {
	case GPU_OPERATION_EMPTY:
	case GPU_OPERATION_RECORD:
	case GPU_OPERATION_WAIT: return !begun;
	case GPU_OPERATION_LAUNCH: return launch_is_valid(g, x, o, begun);
	case GPU_OPERATION_HOST: return true;
	case GPU_OPERATION_POLL: return !begun && poll_is_valid(&o->poll);
	case GPU_OPERATION_TRANSFER:
		return !begun && (unsigned)o->transfer.engine < GPU_ENGINES && o->transfer.bytes <= TRANSFER_MOST;
	default: return false;
	}
}

static bool queue_is_valid(const struct gpu *g, const struct stream *x, struct valid_pool *pool, uint32_t *polls)
{
	uint32_t k = x->first, last = 0;
	uint64_t number = 0;
	for (uint32_t n = 0; n < x->n; n++, last = k, k = operation_at(g, k)->next) {
		if (!valid_claim(pool, k, 1))
			return false;
		const struct operation *o = operation_at(g, k);
		if (o->number <= number || !operation_is_valid(g, x, o, !n && x->begun))
			return false;
		number = o->number;
		*polls += o->kind == GPU_OPERATION_POLL;
	}
	return !x->n || last == x->last;
}

/* The host's operation that has begun is the first of its stream. */
static bool host_is_valid(const struct gpu *g)
{
	const struct gpu_point *p = &gpu_state(g)->host_operation;
	const struct stream *x = p->number ? streams_find(g, p->stream) : NULL;
	return !p->number || (x && x->n && x->begun && operation_at(g, x->first)->number == p->number &&
			      operation_at(g, x->first)->kind == GPU_OPERATION_HOST);
}

bool gpu_valid_operations(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	uint32_t waiting = 0, polls = 0;
	struct valid_pool pool;
	if (s->n_operations && s->n_operations >= gpu_valid_entries(v, g->sec_operation, sizeof(struct operation)))
		return invalid(v->what, "how many operations wait in streams");
	valid_pool_init(&pool, s->n_operations + UINT64_C(1));
	bool ok = true;
	for (uint32_t k = 0; ok && k < s->n_streams; k++) {
		ok = queue_is_valid(g, stream_at(g, k), &pool, &polls);
		waiting += stream_at(g, k)->n - stream_at(g, k)->begun;
	}
	for (uint32_t k = s->free_operation; ok && k; k = ok ? operation_at(g, k)->next : 0)
		ok = valid_claim(&pool, k, 2);
	ok = ok && !valid_count(&pool, 0) && waiting == s->n_waiting && polls == s->n_polls && host_is_valid(g);
	valid_pool_free(&pool);
	return ok || invalid(v->what, "what waits in streams");
}
