/* Serves calls on streams and events, and orders work of the host (copies) in streams. gpu/stream.h decides the device's order. */
#include "server/stream/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/stream/deferred.h"
#include "gpu/config/config.h"

#define QUERY_CYCLES \
	1000 /* cycles that the machine runs at each unanswered query, so that a polling host always makes the same progress */

enum { NO_TIMING = 1, INTERPROCESS = 2 };

/* The last query answered "done". */
struct last_query {
	uint64_t what, number, goal, at_once;
};

struct server_streams {
	uint64_t tags;		      /* tags given to operations so far */
	uint64_t at_once;	      /* copies and fills done at once so far */
	struct last_query last_query; /* the last query answered "done" */
	uint8_t *flags;		      /* flags of each event: NO_TIMING, INTERPROCESS */
	size_t cap;
	bool reported_times; /* true if the note about times between events was printed */
};

struct server_streams *server_streams_create(void) { return xcalloc(1, sizeof(struct server_streams)); }

void server_streams_free(struct server_streams *s)
{
	free(s->flags);
	free(s);
}

uint32_t stream_number(const struct server_call *c, uint64_t stream)
{
	return stream ? (uint32_t)stream : gpu_default_stream(c->client->context);
}

bool stream_exists(const struct server_call *c, uint64_t stream)
{
	struct gpu_stream_info info;
	return !stream ||
	       (stream < gpu_default_stream(GPU_CONTEXTS) && gpu_stream_get(c->server->gpu, (uint32_t)stream, &info) &&
		info.created && info.context == c->client->context);
}

static bool event_get(const struct server_call *c, uint64_t event, struct gpu_stream_event_info *out)
{
	return event && event <= UINT32_MAX && gpu_stream_event_get(c->server->gpu, (uint32_t)event, out) &&
	       (out->context == c->client->context || ipc_has_opened(c, WIRE_EXPORT_EVENT, event));
}

bool stream_event_is_exportable(const struct server_call *c, uint64_t event)
{
	struct gpu_stream_event_info info;
	return event_get(c, event, &info) && info.context == c->client->context &&
	       c->server->streams->flags[event] & INTERPROCESS;
}

/* ---- turns ---- */

uint64_t stream_new_tag(struct server *c) { return ++c->streams->tags; }

void stream_transfer(struct server_call *c, uint64_t stream, enum gpu_engine engine, uint64_t bytes)
{
	struct server *server = c->server;
	const struct gpu_input in = {.kind = GPU_INPUT_OPERATION,
				     .operation = {.kind = GPU_OPERATION_TRANSFER,
						   .stream = stream_number(c, stream),
						   .transfer = {.engine = engine, .bytes = bytes}}};
	if (c->first && bytes && gpu_copies_take_time(server->gpu) && stream_exists(c, stream))
		session_input(server->session, &in, NULL);
}

void stream_count_immediate(struct server *c) { c->streams->at_once++; }

uint32_t stream_turn(struct server_call *c, uint64_t stream)
{
	struct server *server = c->server;
	if (c->first) {
		if (!stream_exists(c, stream))
			return WIRE_INVALID_HANDLE;
		if (context_is_idle(c)) {
			stream_count_immediate(server);
			return 0;
		}
		c->slot->tag = ++server->streams->tags;
		const struct gpu_input in = {.kind = GPU_INPUT_OPERATION,
					     .operation = {.kind = GPU_OPERATION_HOST,
							   .stream = stream_number(c, stream),
							   .tag = c->slot->tag}};
		return session_input(server->session, &in, NULL) ? SERVER_AGAIN : WIRE_OUT_OF_MEMORY;
	}
	return !c->slot->tag || c->slot->has_turn ? 0 : SERVER_AGAIN;
}

struct gpu_operation_spec stream_operation(const struct server_call *c, uint64_t stream)
{
	return (struct gpu_operation_spec){
		.kind = GPU_OPERATION_HOST, .stream = stream_number(c, stream), .tag = c->slot->tag};
}

/* ---- waiting ---- */

void stream_record_wait(struct server *c, enum gpu_waited what, uint32_t number)
{
	session_input(c->session, &(struct gpu_input){.kind = GPU_INPUT_WAITED, .waited = {what, number}}, NULL);
}

static bool is_over(const struct server_call *c)
{
	return gpu_point_over(c->server->gpu, (struct gpu_point){c->slot->goal_stream, c->slot->goal});
}

/* Sets the call's goal to the end of a stream; the default stream gets an operation of its own, which waits for the streams it is ordered after. */
static bool mark_end(struct server_call *c, uint32_t stream)
{
	struct gpu_stream_info info = {0};
	const bool is_there = gpu_stream_get(c->server->gpu, stream, &info);
	c->slot->goal_stream = stream;
	c->slot->goal = info.last;
	if (stream != gpu_default_stream(c->client->context) ||
	    (info.n_operations && info.last_kind == GPU_OPERATION_EMPTY))
		return is_there;
	const struct gpu_input in = {.kind = GPU_INPUT_OPERATION,
				     .operation = {.kind = GPU_OPERATION_EMPTY, .stream = stream}};
	c->slot->goal = (uint64_t)session_input(c->server->session, &in, NULL);
	return c->slot->goal;
}

uint32_t serve_synchronize(struct server_call *c, const struct call_synchronize *in, struct call_synchronize_out *out)
{
	(void)out;
	if (!in->all && c->first && (!stream_exists(c, in->stream) || !mark_end(c, stream_number(c, in->stream))))
		return WIRE_INVALID_HANDLE;
	if (in->all ? !context_is_idle(c) : !is_over(c))
		return SERVER_AGAIN;
	stream_record_wait(c->server, in->all ? GPU_WAITED_ALL : GPU_WAITED_STREAM, stream_number(c, in->stream));
	return 0;
}

/* Records a wait for a query answered "done"; repeated equal queries count once. */
static void waited_once(struct server *c, enum gpu_waited what, uint32_t number, uint64_t goal)
{
	struct server_streams *s = c->streams;
	const struct last_query now = {what, number, goal, s->at_once};
	if (memcmp(&s->last_query, &now, sizeof now) != 0)
		stream_record_wait(c, what, number);
	s->last_query = now;
}

/* Answers a query. If the goal isn't reached, the machine runs QUERY_CYCLES before the answer "not ready". */
static uint32_t answer_query(struct server_call *c, enum gpu_waited what, uint32_t number)
{
	struct gpu *g = c->server->gpu;
	if (c->first)
		c->slot->deadline = gpu_cycle(g) + QUERY_CYCLES;
	if (is_over(c)) {
		waited_once(c->server, what, number, c->slot->goal);
		return 0;
	}
	if (gpu_cycle(g) >= c->slot->deadline || context_is_idle(c) || deferred_calls_program(c->server))
		return WIRE_NOT_READY;
	c->slot->until = c->slot->deadline;
	return SERVER_AGAIN;
}

bool stream_answer_queries(struct server_client *k)
{
	bool any = false;
	for (uint32_t i = 0; i < WIRE_SLOTS; i++)
		if (k->slot[i].busy && k->slot[i].until != UINT64_MAX) {
			k->slot[i].deadline = 0;
			any = true;
		}
	return any;
}

uint32_t serve_stream_query(struct server_call *c, const struct call_stream_query *in, struct call_stream_query_out *out)
{
	(void)out;
	if (c->first && (!stream_exists(c, in->stream) || !mark_end(c, stream_number(c, in->stream))))
		return WIRE_INVALID_HANDLE;
	return answer_query(c, GPU_WAITED_STREAM, stream_number(c, in->stream));
}

/* ---- streams ---- */

uint32_t serve_stream_create(struct server_call *c, const struct call_stream_create *in,
			     struct call_stream_create_out *out)
{
	const struct gpu_input create = {
		.kind = GPU_INPUT_STREAM,
		.stream = {.non_blocking = in->non_blocking, .priority = in->priority, .context = c->client->context}};
	out->stream = (uint64_t)session_input(c->server->session, &create, NULL);
	return out->stream ? 0 : WIRE_OUT_OF_MEMORY;
}

uint32_t serve_stream_destroy(struct server_call *c, const struct call_stream_destroy *in,
			      struct call_stream_destroy_out *out)
{
	const struct gpu_input destroy = {.kind = GPU_INPUT_STREAM_DESTROY, .numbered = {(uint32_t)in->stream}};
	(void)out;
	return in->stream && stream_exists(c, in->stream) && session_input(c->server->session, &destroy, NULL)
		       ? 0
		       : WIRE_INVALID_HANDLE;
}

uint32_t serve_stream_get(struct server_call *c, const struct call_stream_get *in, struct call_stream_get_out *out)
{
	struct gpu_stream_info info;
	if (!stream_exists(c, in->stream))
		return WIRE_INVALID_HANDLE;
	if (in->stream && gpu_stream_get(c->server->gpu, (uint32_t)in->stream, &info))
		*out = (struct call_stream_get_out){info.non_blocking, info.priority};
	return 0;
}

static uint32_t enqueue(const struct server_call *c, enum gpu_operation_kind kind, uint64_t stream, uint64_t event)
{
	struct gpu_stream_event_info e;
	const struct gpu_input in = {
		.kind = GPU_INPUT_OPERATION,
		.operation = {.kind = kind, .stream = stream_number(c, stream), .event = (uint32_t)event}};
	if (!stream_exists(c, stream) || !event_get(c, event, &e))
		return WIRE_INVALID_HANDLE;
	return session_input(c->server->session, &in, NULL) ? 0 : WIRE_OUT_OF_MEMORY;
}

uint32_t serve_stream_wait(struct server_call *c, const struct call_stream_wait *in, struct call_stream_wait_out *out)
{
	(void)out;
	return enqueue(c, GPU_OPERATION_WAIT, in->stream, in->event);
}

/* ---- events ---- */

uint32_t serve_event_create(struct server_call *c, const struct call_event_create *in, struct call_event_create_out *out)
{
	struct server_streams *s = c->server->streams;
	const struct gpu_input create = {.kind = GPU_INPUT_EVENT, .of_context = {c->client->context}};
	out->event = (uint64_t)session_input(c->server->session, &create, NULL);
	if (!out->event)
		return WIRE_OUT_OF_MEMORY;
	s->flags = xgrow(s->flags, &s->cap, out->event + 1, 1);
	s->flags[out->event] = (uint8_t)((in->no_timing ? NO_TIMING : 0) | (in->is_interprocess ? INTERPROCESS : 0));
	return 0;
}

uint32_t serve_event_destroy(struct server_call *c, const struct call_event_destroy *in,
			     struct call_event_destroy_out *out)
{
	struct gpu_stream_event_info e;
	const struct gpu_input destroy = {.kind = GPU_INPUT_EVENT_DESTROY, .numbered = {(uint32_t)in->event}};
	(void)out;
	if (ipc_close(c, WIRE_EXPORT_EVENT, in->event))
		return 0;
	if (!event_get(c, in->event, &e) || !session_input(c->server->session, &destroy, NULL))
		return WIRE_INVALID_HANDLE;
	ipc_forget(c->server, WIRE_EXPORT_EVENT, in->event);
	return 0;
}

uint32_t serve_event_record(struct server_call *c, const struct call_event_record *in, struct call_event_record_out *out)
{
	(void)out;
	return enqueue(c, GPU_OPERATION_RECORD, in->stream, in->event);
}

/* Sets the call's goal to the event's last record. Returns false if there is no such event. */
static bool find_record(struct server_call *c, uint64_t event)
{
	struct gpu_stream_event_info e;
	if (!event_get(c, event, &e))
		return false;
	c->slot->goal_stream = e.record.stream;
	c->slot->goal = e.record.number;
	return true;
}

uint32_t serve_event_query(struct server_call *c, const struct call_event_query *in, struct call_event_query_out *out)
{
	(void)out;
	if (c->first && !find_record(c, in->event))
		return WIRE_INVALID_HANDLE;
	return c->slot->goal ? answer_query(c, GPU_WAITED_EVENT, (uint32_t)in->event) : 0;
}

uint32_t serve_event_synchronize(struct server_call *c, const struct call_event_synchronize *in,
				 struct call_event_synchronize_out *out)
{
	(void)out;
	if (c->first && !find_record(c, in->event))
		return WIRE_INVALID_HANDLE;
	if (c->slot->goal && !is_over(c))
		return SERVER_AGAIN;
	stream_record_wait(c->server, GPU_WAITED_EVENT, (uint32_t)in->event);
	return 0;
}

/* Returns the time between two events: of the modelled device, or in functional mode, which has no time, of the host. */
static double milliseconds(struct server *c, const struct gpu_stream_event_info *a, const struct gpu_stream_event_info *b)
{
	if (!gpu_made_for_performance(c->gpu))
		return (b->seconds - a->seconds) * 1e3;
	if (!c->streams->reported_times)
		server_say(c, "note: times between events are simulated time: cycles of the modelled GPU's cores at "
			    "their clock");
	c->streams->reported_times = true;
	const double core = strtod(config_string(gpu_config(c->gpu), "gpgpu_clock_domains"), NULL) *
			    1e3; /* cycles in a millisecond */
	return core > 0 ? ((double)b->cycle - (double)a->cycle) / core : 0;
}

uint32_t serve_event_elapsed(struct server_call *c, const struct call_event_elapsed *in,
			     struct call_event_elapsed_out *out)
{
	struct gpu_stream_event_info a, b;
	const struct server_streams *s = c->server->streams;
	if (!event_get(c, in->from, &a) || !event_get(c, in->to, &b) || !a.recorded || !b.recorded ||
	    (s->flags[in->from] | s->flags[in->to]) & NO_TIMING)
		return WIRE_INVALID_HANDLE;
	if (!a.complete || !b.complete)
		return WIRE_NOT_READY;
	out->milliseconds = milliseconds(c->server, &a, &b);
	return 0;
}
