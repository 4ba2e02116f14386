/* Deferred calls: answered at once, kept, and served when the device reaches their operation in the stream. Functions that a stream calls are among
 * them: a thread of the library fetches them one by one. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/xalloc.h"
#include "server/channel/channel.h"
#include "server/stream/deferred.h"
#include "server/stream/stream.h"

#define AHEAD_BYTES ((uint64_t)256 << 20) /* most bytes of sources read in advance for deferred copies */

struct deferred {
	uint64_t tag;
	struct server_client *client;
	pid_t pid; /* the calling process, which may have ended */
	uint32_t context;
	uint32_t index;
	char *ahead;
	uint64_t n_ahead;
	struct deferred *next;
	struct server_slot *slot; /* allocated only up to the message's end */
};

struct server_deferred {
	struct deferred *first, **end;
	uint64_t ahead;
	/* the function that the program calls, or will call next */
	struct call_stream_function function;
	struct server_client *caller;	   /* process that calls it; NULL: none */
	uint32_t calling;		   /* context of the process */
	bool given;			   /* true if the process has fetched the function */
	uint64_t generation[GPU_CONTEXTS]; /* changes when the calls of a context are dropped */
};

struct server_deferred *deferred_create(void)
{
	struct server_deferred *l = xcalloc(1, sizeof *l);
	l->end = &l->first;
	return l;
}

static void free_call(struct server_deferred *l, struct deferred *o)
{
	l->ahead -= o->n_ahead;
	free(o->ahead);
	free(o->slot);
	free(o);
}

static bool is_in_context(const struct deferred *o, uint32_t context)
{
	return context == GPU_EVERY_CONTEXT || context == o->context;
}

void deferred_drop_context(struct server *c, uint32_t context)
{
	struct server_deferred *l = c->deferred;
	l->end = &l->first;
	while (*l->end) {
		struct deferred *o = *l->end;
		if (!is_in_context(o, context)) {
			l->end = &o->next;
			continue;
		}
		*l->end = o->next;
		free_call(l, o);
	}
	if (context == GPU_EVERY_CONTEXT || context == l->calling) {
		l->caller = NULL;
		l->given = false;
	}
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		l->generation[k] += context == GPU_EVERY_CONTEXT || context == k;
}

void deferred_free(struct server_deferred *l) { free(l); }

bool deferred_calls_program(const struct server *c) { return c->deferred->caller && c->deferred->caller->socket >= 0; }

/* ---- keeping ---- */

static struct server_slot *copy_slot(const struct server_slot *s, uint64_t tag)
{
	const struct wire_message *m = (const struct wire_message *)s->message;
	struct server_slot *to = xcalloc(1, offsetof(struct server_slot, message) + m->bytes);
	memcpy(to->message, s->message, m->bytes);
	to->has_turn = true;
	to->tag = tag;
	return to;
}

uint32_t deferred_enqueue(struct server_call *c, uint64_t stream, const struct deferred_source *source)
{
	struct server_deferred *l = c->server->deferred;
	if (!c->first)
		return 0;
	if (!stream_exists(c, stream))
		return WIRE_INVALID_HANDLE;
	if (!source->always && context_is_idle(c)) {
		stream_count_immediate(c->server);
		return 0;
	}
	struct deferred *o = xcalloc(1, sizeof *o);
	*o = (struct deferred){.tag = stream_new_tag(c->server),
			       .client = c->client,
			       .pid = c->client->pid,
			       .context = c->client->context,
			       .index = c->index};
	if (source->bytes) {
		o->ahead = xmalloc(source->bytes);
		if (!channel_read(c, source->address, o->ahead, source->bytes)) {
			free(o->ahead);
			free(o);
			return WIRE_INVALID_VALUE;
		}
		o->n_ahead = source->bytes;
		l->ahead += source->bytes;
	}
	o->slot = copy_slot(c->slot, o->tag);
	const struct gpu_input in = {
		.kind = GPU_INPUT_OPERATION,
		.operation = {.kind = GPU_OPERATION_HOST, .stream = stream_number(c, stream), .tag = o->tag}};
	if (!session_input(c->server->session, &in, NULL)) {
		free_call(l, o);
		return WIRE_OUT_OF_MEMORY;
	}
	*l->end = o;
	l->end = &o->next;
	return SERVER_DEFERRED;
}

bool deferred_may_stage(const struct server *c, uint64_t bytes)
{
	return bytes <= AHEAD_BYTES && c->deferred->ahead <= AHEAD_BYTES - bytes;
}

/* ---- their turn ---- */

static struct deferred *remove_call(struct server_deferred *l, uint64_t tag)
{
	struct deferred **at = &l->first;
	while (*at && (*at)->tag != tag)
		at = &(*at)->next;
	struct deferred *o = *at;
	if (!o)
		return NULL;
	*at = o->next;
	if (l->end == &o->next)
		l->end = at;
	return o;
}

enum deferred_turn deferred_run(struct server *c, uint64_t tag)
{
	struct server_deferred *l = c->deferred;
	struct deferred *o = remove_call(l, tag);
	if (!o)
		return DEFERRED_UNKNOWN;
	uint32_t status = 0;
	if (o->client->socket >= 0 && o->client->pid == o->pid) {
		struct server_call call = {
			.server = c, .client = o->client, .slot = o->slot, .index = o->index, .ahead = o->ahead};
		status = server_serve_deferred(&call);
	}
	free_call(l, o);
	if (status && status != SERVER_AGAIN)
		server_say(c, "note: an asynchronous copy or fill failed (%u): its memory is gone", status);
	return status == SERVER_AGAIN ? DEFERRED_PENDING : DEFERRED_DONE;
}

/* ---- functions ---- */

uint32_t serve_stream_function(struct server_call *c, const struct call_stream_function *in,
			       struct call_stream_function_out *out)
{
	struct server_deferred *l = c->server->deferred;
	const uint32_t turn = deferred_enqueue(c, in->stream, &(struct deferred_source){.always = true});
	(void)out;
	if (turn)
		return turn == SERVER_DEFERRED ? 0 : turn;
	l->function = *in;
	l->caller = c->client;
	l->calling = c->client->context;
	l->given = false;
	return SERVER_AGAIN;
}

/* Serves the library's thread that calls functions: waits for the next function; the request also ends the previous function. */
uint32_t serve_next_function(struct server_call *c, const struct call_next_function *in,
			     struct call_next_function_out *out)
{
	struct server_deferred *l = c->server->deferred;
	if (c->first) {
		c->slot->goal = l->generation[c->client->context];
		if (in->done && l->given && l->caller == c->client) {
			l->caller = NULL;
			l->given = false;
			session_input(c->server->session, &(struct gpu_input){.kind = GPU_INPUT_DONE}, NULL);
		}
	}
	c->slot->patient = true;
	if (c->slot->goal != l->generation[c->client->context])
		return WIRE_ENDING;
	if (l->given || l->caller != c->client)
		return SERVER_AGAIN;
	l->given = true;
	*out = (struct call_next_function_out){l->function.function, l->function.argument, l->function.stream,
					       l->function.is_callback};
	return 0;
}
