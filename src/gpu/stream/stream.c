/* The queues of streams, and their events: made, filled, emptied. */
#include <string.h>

#include "gpu/device/performance_state.h"
#include "gpu/stream/stream_internal.h"

bool streams_add_sections(struct gpu *g)
{
	g->sec_stream = arena_add(&g->arena, "stream", ARENA_HOT, g->limits->streams);
	g->sec_operation = arena_add(&g->arena, "operation", ARENA_HOT, g->limits->operations);
	g->sec_event = arena_add(&g->arena, "event", ARENA_HOT, g->limits->events);
	return g->sec_stream >= 0 && g->sec_operation >= 0 && g->sec_event >= 0;
}

/* ---- streams ---- */

/* The place of a stream in the table, or where it would be. */
static uint32_t place_of(const struct gpu *g, uint32_t number)
{
	uint32_t lo = 0, hi = gpu_state(g)->n_streams;
	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;
		if (stream_at(g, mid)->number < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct stream *streams_find(const struct gpu *g, uint32_t number)
{
	const uint32_t k = place_of(g, number);
	struct stream *s = k < gpu_state(g)->n_streams ? stream_at(g, k) : NULL;
	return s && s->number == number ? s : NULL;
}

static struct stream *make(struct gpu *g, uint32_t number)
{
	struct gpu_state *st = gpu_state(g);
	const uint32_t k = place_of(g, number);
	if (!arena_use(&g->arena, g->sec_stream, (st->n_streams + 1) * sizeof(struct stream)))
		return NULL;
	struct stream *s = stream_at(g, k);
	memmove(s + 1, s, (st->n_streams - k) * sizeof *s);
	*s = (struct stream){.number = number};
	st->n_streams++;
	return s;
}

static void forget(struct gpu *g, struct stream *s)
{
	struct gpu_state *st = gpu_state(g);
	const struct stream *end = stream_at(g, st->n_streams);
	memmove(s, s + 1, (size_t)((const char *)end - (const char *)(s + 1)));
	st->n_streams--;
}

uint32_t gpu_stream_create(struct gpu *g, const struct gpu_stream_spec *spec)
{
	struct gpu_state *st = gpu_state(g);
	if (spec->context >= GPU_CONTEXTS || !(gpu_contexts(g) >> spec->context & 1))
		return 0;
	do
		st->last_stream++;
	while (!st->last_stream || streams_find(g, st->last_stream));
	struct stream *s = make(g, st->last_stream);
	if (!s)
		return 0;
	s->created = true;
	s->non_blocking = spec->non_blocking;
	s->priority = spec->priority;
	s->context = spec->context;
	return s->number;
}

bool streams_begin_context(struct gpu *g, uint32_t context)
{
	const uint32_t number = gpu_default_stream(context);
	struct stream *s = streams_find(g, number) ? NULL : make(g, number);
	if (!s)
		return false;
	s->created = s->is_default = true;
	s->context = context;
	return true;
}

bool gpu_stream_destroy(struct gpu *g, uint32_t number)
{
	struct stream *s = streams_find(g, number);
	if (!s || !s->created || s->destroyed)
		return false;
	s->destroyed = true;
	if (!s->n)
		forget(g, s);
	return true;
}

/* ---- operations ---- */

static uint32_t take_place(struct gpu *g)
{
	struct gpu_state *st = gpu_state(g);
	uint32_t k = st->free_operation;
	if (k) {
		st->free_operation = operation_at(g, k)->next;
		return k;
	}
	k = st->n_operations + 1;
	if (!arena_use(&g->arena, g->sec_operation, (k + UINT64_C(1)) * sizeof(struct operation)))
		return 0;
	st->n_operations = k;
	return k;
}

static struct operation *push(struct gpu *g, uint32_t number, enum gpu_operation_kind kind)
{
	struct gpu_state *st = gpu_state(g);
	struct stream *s = streams_find(g, number);
	const uint32_t k = s && s->destroyed ? 0 : take_place(g);
	if (!k)
		return NULL;
	if (!s && !(s = make(g, number))) {
		operation_at(g, k)->next = st->free_operation;
		st->free_operation = k;
		return NULL;
	}
	struct operation *o = operation_at(g, k);
	*o = (struct operation){.number = ++st->n_operations_ever, .kind = kind};
	if (s->n++)
		operation_at(g, s->last)->next = k;
	else
		s->first = k;
	s->last = k;
	s->tail = o->number;
	st->n_waiting++;
	st->n_polls += kind == GPU_OPERATION_POLL;
	st->streams_changed = true;
	return o;
}

bool streams_queue_launch(struct gpu *g, uint32_t stream, uint32_t launch)
{
	struct operation *o = push(g, stream, GPU_OPERATION_LAUNCH);
	if (!o)
		return false;
	o->launch = launch;
	return true;
}

static struct stream_event *event_at(const struct gpu *g, uint32_t event)
{
	if (!event || event > gpu_state(g)->n_events)
		return NULL;
	struct stream_event *e = (struct stream_event *)arena_at(&g->arena, g->sec_event, 0) + (event - 1);
	return e->used ? e : NULL;
}

uint64_t gpu_enqueue(struct gpu *g, const struct gpu_operation_spec *spec)
{
	struct stream_event *e = event_at(g, spec->event);
	if ((unsigned)spec->kind >= GPU_OPERATION_KINDS || spec->after.number > gpu_state(g)->n_operations_ever ||
	    spec->kind == GPU_OPERATION_LAUNCH || (!e && (spec->event || spec->kind == GPU_OPERATION_RECORD)) ||
	    (spec->kind == GPU_OPERATION_POLL && !poll_is_valid(&spec->poll)) ||
	    (spec->kind == GPU_OPERATION_TRANSFER && (unsigned)spec->transfer.engine >= GPU_ENGINES) ||
	    (spec->stream && !streams_find(g, spec->stream)))
		return 0;
	struct operation *o = push(g, spec->stream, spec->kind);
	if (!o)
		return 0;
	o->tag = spec->tag;
	o->event = spec->event;
	o->after = e ? e->record : spec->after;
	o->poll = spec->poll;
	o->transfer = spec->transfer;
	const uint64_t number = o->number;
	if (spec->kind == GPU_OPERATION_RECORD)
		e->record = (struct gpu_point){spec->stream, number};
	streams_settle(g);
	return number;
}

static void stamp(struct gpu *g, const struct operation *o)
{
	struct stream_event *e = event_at(g, o->event);
	if (!e || e->record.number != o->number)
		return;
	e->stamped = true;
	e->cycle = streams_now(g);
	e->seconds = gpu_host_now(g);
}

void streams_end_operation(struct gpu *g, struct stream *s)
{
	struct gpu_state *st = gpu_state(g);
	struct operation *o = operation_at(g, s->first);
	const uint32_t k = s->first;
	if (o->kind == GPU_OPERATION_RECORD)
		stamp(g, o);
	if (!s->begun)
		st->n_waiting--;
	st->n_polls -= o->kind == GPU_OPERATION_POLL;
	s->first = o->next;
	s->begun = false;
	o->next = st->free_operation;
	st->free_operation = k;
	st->streams_changed = true;
	if (!--s->n && s->destroyed)
		forget(g, s);
}

void streams_end_launch(struct gpu *g, const struct exec_launch *l)
{
	struct stream *s = streams_find(g, l->stream);
	if (!s || !s->begun || operation_at(g, s->first)->launch != l->id)
		return;
	streams_end_operation(g, s);
	streams_settle(g);
}

uint32_t streams_begin(struct gpu *g, struct stream *s)
{
	const struct operation *o = operation_at(g, s->first);
	struct gpu_state *st = gpu_state(g);
	s->begun = true;
	st->n_waiting--;
	gpu_transition(g);
	if (o->kind == GPU_OPERATION_LAUNCH)
		return o->launch;
	st->host_operation = (struct gpu_point){s->number, o->number};
	st->host_tag = o->tag;
	return GPU_NONE;
}

bool streams_hand_to_host(const struct gpu *g, struct gpu_event *ev)
{
	ev->tag = gpu_state(g)->host_tag;
	ev->kind = GPU_EVENT_HOST;
	return false;
}

bool gpu_operation_done(struct gpu *g)
{
	struct gpu_state *st = gpu_state(g);
	struct stream *s = st->host_operation.number ? streams_find(g, st->host_operation.stream) : NULL;
	st->host_operation = (struct gpu_point){0};
	if (!s)
		return false;
	streams_end_operation(g, s);
	streams_settle(g);
	return true;
}

void streams_drop_contexts(struct gpu *g, uint32_t contexts)
{
	struct gpu_state *st = gpu_state(g);
	const struct stream *host = st->host_operation.number ? streams_find(g, st->host_operation.stream) : NULL;
	if (host && contexts >> host->context & 1)
		st->host_operation = (struct gpu_point){0};
	for (uint32_t k = st->n_streams; k-- > 0;) {
		const uint32_t number = stream_at(g, k)->number;
		for (uint32_t n = contexts >> stream_at(g, k)->context & 1 ? stream_at(g, k)->n : 0; n > 0; n--)
			streams_end_operation(g, streams_find(g, number));
	}
}

void streams_drop(struct gpu *g) { streams_drop_contexts(g, UINT32_MAX); }

void streams_end_context(struct gpu *g, uint32_t context)
{
	struct stream_event *e = arena_at(&g->arena, g->sec_event, 0);
	for (uint32_t k = gpu_state(g)->n_streams; k-- > 0;)
		if (stream_at(g, k)->context == context && stream_at(g, k)->number)
			forget(g, stream_at(g, k));
	for (uint32_t k = gpu_state(g)->n_events; k-- > 0;)
		if (e[k].used && e[k].context == context)
			gpu_stream_event_destroy(g, k + 1);
}

bool streams_have_work(const struct gpu *g, uint32_t context)
{
	for (uint32_t k = 0; k < gpu_state(g)->n_streams; k++)
		if (stream_at(g, k)->context == context && stream_at(g, k)->n)
			return true;
	return false;
}

/* ---- events ---- */

uint32_t gpu_stream_event_create(struct gpu *g, uint32_t context)
{
	struct gpu_state *st = gpu_state(g);
	uint32_t k = 0;
	const struct stream_event *table = arena_at(&g->arena, g->sec_event, 0);
	for (k = st->first_event; k < st->n_events && table[k].used; k++)
		;
	if (k == st->n_events) {
		if (!arena_use(&g->arena, g->sec_event, (k + UINT64_C(1)) * sizeof *table))
			return 0;
		st->n_events++;
	}
	st->first_event = k + 1;
	((struct stream_event *)arena_at(&g->arena, g->sec_event, 0))[k] =
		(struct stream_event){.used = true, .context = context};
	return k + 1;
}

bool gpu_stream_event_destroy(struct gpu *g, uint32_t event)
{
	struct stream_event *e = event_at(g, event);
	if (!e)
		return false;
	*e = (struct stream_event){0};
	if (event - 1 < gpu_state(g)->first_event)
		gpu_state(g)->first_event = event - 1;
	return true;
}

/* ---- looking ---- */

uint32_t gpu_operations_waiting(const struct gpu *g) { return gpu_state(g)->n_waiting; }

bool gpu_stream_get(const struct gpu *g, uint32_t number, struct gpu_stream_info *out)
{
	const struct stream *s = streams_find(g, number);
	if (!s || s->destroyed)
		return false;
	*out = (struct gpu_stream_info){.created = s->created,
					.non_blocking = s->non_blocking,
					.priority = s->priority,
					.context = s->context,
					.n_operations = s->n,
					.kind = s->n ? operation_at(g, s->first)->kind : GPU_OPERATION_EMPTY,
					.begun = s->begun,
					.last_kind = s->n ? operation_at(g, s->last)->kind : GPU_OPERATION_EMPTY,
					.last = s->tail};
	return true;
}

uint32_t gpu_stream_list(const struct gpu *g, uint32_t *out, uint32_t most)
{
	const uint32_t n = gpu_state(g)->n_streams;
	for (uint32_t k = 0; k < n && k < most; k++)
		out[k] = stream_at(g, k)->number;
	return n;
}

bool gpu_stream_event_get(const struct gpu *g, uint32_t event, struct gpu_stream_event_info *out)
{
	const struct stream_event *e = event_at(g, event);
	if (!e)
		return false;
	*out = (struct gpu_stream_event_info){.context = e->context,
					      .recorded = e->record.number,
					      .record = e->record,
					      .complete = gpu_point_reached(g, e->record),
					      .cycle = e->cycle,
					      .seconds = e->seconds};
	return true;
}

bool gpu_point_reached(const struct gpu *g, struct gpu_point p)
{
	const struct stream *s = p.number ? streams_find(g, p.stream) : NULL;
	return !s || !s->n || operation_at(g, s->first)->number > p.number;
}

bool gpu_point_over(const struct gpu *g, struct gpu_point p)
{
	const struct gpu_state *st = gpu_state(g);
	const bool others = st->n_waiting || st->host_operation.number || (g->perf && perf_runs_kernels(g));
	return gpu_point_reached(g, p) && (others || !gpu_has_work(g));
}
