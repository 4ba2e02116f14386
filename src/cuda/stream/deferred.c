/* Deferred calls: answered at once, kept, and served when the device reaches their operation in the stream. Functions that a stream calls are among
 * them: a thread of the library fetches them one by one. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/xalloc.h"
#include "cuda/channel/channel.h"
#include "cuda/stream/deferred.h"
#include "cuda/stream/stream.h"

#define AHEAD_BYTES ((uint64_t)256 << 20) /* most bytes of sources read in advance for deferred copies */

struct deferred {
	uint64_t tag;
	struct cuda_client *client;
	pid_t pid; /* the calling process, which may have ended */
	uint32_t context;
	uint32_t index;
	char *ahead;
	uint64_t n_ahead;
	struct deferred *next;
	struct cuda_slot *slot; /* allocated only up to the message's end */
};

struct cuda_deferred {
	struct deferred *first, **end;
	uint64_t ahead;
	/* the function that the program calls, or will call next */
	struct call_stream_function function;
	struct cuda_client *caller;	   /* process that calls it; NULL: none */
	uint32_t calling;		   /* context of the process */
	bool given;			   /* true if the process has fetched the function */
	uint64_t generation[GPU_CONTEXTS]; /* changes when the calls of a context are dropped */
};

struct cuda_deferred *deferred_create(void)
{
	struct cuda_deferred *l = xcalloc(1, sizeof *l);
	l->end = &l->first;
	return l;
}

static void free_call(struct cuda_deferred *l, struct deferred *o)
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

void deferred_drop_context(struct cuda *c, uint32_t context)
{
	struct cuda_deferred *l = c->deferred;
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

void deferred_free(struct cuda_deferred *l) { free(l); }

bool deferred_calls_program(const struct cuda *c) { return c->deferred->caller && c->deferred->caller->socket >= 0; }

/* ---- keeping ---- */

static struct cuda_slot *copy_slot(const struct cuda_slot *s, uint64_t tag)
{
	const struct wire_message *m = (const struct wire_message *)s->message;
	struct cuda_slot *to = xcalloc(1, offsetof(struct cuda_slot, message) + m->bytes);
	memcpy(to->message, s->message, m->bytes);
	to->has_turn = true;
	to->tag = tag;
	return to;
}

uint32_t deferred_enqueue(struct cuda_call *c, uint64_t stream, const struct deferred_source *source)
{
	struct cuda_deferred *l = c->cuda->deferred;
	if (!c->first)
		return 0;
	if (!stream_exists(c, stream))
		return cudaErrorInvalidResourceHandle;
	if (!source->always && context_is_idle(c)) {
		stream_count_immediate(c->cuda);
		return 0;
	}
	struct deferred *o = xcalloc(1, sizeof *o);
	*o = (struct deferred){.tag = stream_new_tag(c->cuda),
			       .client = c->client,
			       .pid = c->client->pid,
			       .context = c->client->context,
			       .index = c->index};
	if (source->bytes) {
		o->ahead = xmalloc(source->bytes);
		if (!channel_read(c, source->address, o->ahead, source->bytes)) {
			free(o->ahead);
			free(o);
			return cudaErrorInvalidValue;
		}
		o->n_ahead = source->bytes;
		l->ahead += source->bytes;
	}
	o->slot = copy_slot(c->slot, o->tag);
	const struct gpu_input in = {
		.kind = GPU_INPUT_OPERATION,
		.operation = {.kind = GPU_OPERATION_HOST, .stream = stream_number(c, stream), .tag = o->tag}};
	if (!session_input(c->cuda->session, &in, NULL)) {
		free_call(l, o);
		return cudaErrorMemoryAllocation;
	}
	*l->end = o;
	l->end = &o->next;
	return CUDA_DEFERRED;
}

bool deferred_may_stage(const struct cuda *c, uint64_t bytes)
{
	return bytes <= AHEAD_BYTES && c->deferred->ahead <= AHEAD_BYTES - bytes;
}

/* ---- their turn ---- */

static struct deferred *remove_call(struct cuda_deferred *l, uint64_t tag)
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

enum deferred_turn deferred_run(struct cuda *c, uint64_t tag)
{
	struct cuda_deferred *l = c->deferred;
	struct deferred *o = remove_call(l, tag);
	if (!o)
		return DEFERRED_UNKNOWN;
	uint32_t status = 0;
	if (o->client->socket >= 0 && o->client->pid == o->pid) {
		struct cuda_call call = {
			.cuda = c, .client = o->client, .slot = o->slot, .index = o->index, .ahead = o->ahead};
		status = cuda_serve_deferred(&call);
	}
	free_call(l, o);
	if (status && status != CUDA_AGAIN)
		cuda_say(c, "note: an asynchronous copy or fill failed (%u): its memory is gone", status);
	return status == CUDA_AGAIN ? DEFERRED_PENDING : DEFERRED_DONE;
}

/* ---- functions ---- */

uint32_t serve_stream_function(struct cuda_call *c, const struct call_stream_function *in,
			       struct call_stream_function_out *out)
{
	struct cuda_deferred *l = c->cuda->deferred;
	const uint32_t turn = deferred_enqueue(c, in->stream, &(struct deferred_source){.always = true});
	(void)out;
	if (turn)
		return turn == CUDA_DEFERRED ? 0 : turn;
	l->function = *in;
	l->caller = c->client;
	l->calling = c->client->context;
	l->given = false;
	return CUDA_AGAIN;
}

/* Serves the library's thread that calls functions: waits for the next function; the request also ends the previous function. */
uint32_t serve_next_function(struct cuda_call *c, const struct call_next_function *in,
			     struct call_next_function_out *out)
{
	struct cuda_deferred *l = c->cuda->deferred;
	if (c->first) {
		c->slot->goal = l->generation[c->client->context];
		if (in->done && l->given && l->caller == c->client) {
			l->caller = NULL;
			l->given = false;
			session_input(c->cuda->session, &(struct gpu_input){.kind = GPU_INPUT_DONE}, NULL);
		}
	}
	c->slot->patient = true;
	if (c->slot->goal != l->generation[c->client->context])
		return cudaErrorCudartUnloading;
	if (l->given || l->caller != c->client)
		return CUDA_AGAIN;
	l->given = true;
	*out = (struct call_next_function_out){l->function.function, l->function.argument, l->function.stream,
					       l->function.is_callback};
	return 0;
}
