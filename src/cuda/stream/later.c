/* Calls whose turn in a stream comes when the program has gone on: they are answered at once and kept, and served again, with nobody waiting, when
 * the device has come to them. Functions that a stream calls are among them: the library's thread for them asks for the next one. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/xalloc.h"
#include "cuda/channel/channel.h"
#include "cuda/stream/later.h"
#include "cuda/stream/stream.h"

#define AHEAD_BYTES ((uint64_t)256 << 20) /* kept of what copies that wait are to bring */

struct later {
	uint64_t tag;
	struct cuda_client *client;
	pid_t pid; /* its process, which may have gone */
	uint32_t context;
	uint32_t index;
	char *ahead;
	uint64_t n_ahead;
	struct later *next;
	struct cuda_slot *slot; /* only as much as the message is long */
};

struct cuda_later {
	struct later *first, **end;
	uint64_t ahead;
	/* the function that the program is to call, or calls */
	struct call_stream_function function;
	struct cuda_client *caller;	   /* NULL: none */
	uint32_t calling;		   /* its context */
	bool given;			   /* it calls it */
	uint64_t generation[GPU_CONTEXTS]; /* changes where what a context has is forgotten */
};

struct cuda_later *later_create(void)
{
	struct cuda_later *l = xcalloc(1, sizeof *l);
	l->end = &l->first;
	return l;
}

static void drop(struct cuda_later *l, struct later *o)
{
	l->ahead -= o->n_ahead;
	free(o->ahead);
	free(o->slot);
	free(o);
}

static bool is_of(const struct later *o, uint32_t context)
{
	return context == GPU_EVERY_CONTEXT || context == o->context;
}

void later_forget(struct cuda *c, uint32_t context)
{
	struct cuda_later *l = c->later;
	l->end = &l->first;
	while (*l->end) {
		struct later *o = *l->end;
		if (!is_of(o, context)) {
			l->end = &o->next;
			continue;
		}
		*l->end = o->next;
		drop(l, o);
	}
	if (context == GPU_EVERY_CONTEXT || context == l->calling) {
		l->caller = NULL;
		l->given = false;
	}
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		l->generation[k] += context == GPU_EVERY_CONTEXT || context == k;
}

void later_free(struct cuda_later *l) { free(l); }

bool later_calls(const struct cuda *c) { return c->later->caller && c->later->caller->socket >= 0; }

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

uint32_t later_keep(struct cuda_call *c, uint64_t stream, const struct later_source *source)
{
	struct cuda_later *l = c->cuda->later;
	if (!c->first)
		return 0;
	if (!stream_exists(c, stream))
		return cudaErrorInvalidResourceHandle;
	if (!source->always && context_is_idle(c)) {
		stream_at_once(c->cuda);
		return 0;
	}
	struct later *o = xcalloc(1, sizeof *o);
	*o = (struct later){.tag = stream_new_tag(c->cuda),
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
		drop(l, o);
		return cudaErrorMemoryAllocation;
	}
	*l->end = o;
	l->end = &o->next;
	return CUDA_LATER;
}

bool later_may_read(const struct cuda *c, uint64_t bytes)
{
	return bytes <= AHEAD_BYTES && c->later->ahead <= AHEAD_BYTES - bytes;
}

/* ---- their turn ---- */

static struct later *take(struct cuda_later *l, uint64_t tag)
{
	struct later **at = &l->first;
	while (*at && (*at)->tag != tag)
		at = &(*at)->next;
	struct later *o = *at;
	if (!o)
		return NULL;
	*at = o->next;
	if (l->end == &o->next)
		l->end = at;
	return o;
}

enum later_turn later_do(struct cuda *c, uint64_t tag)
{
	struct cuda_later *l = c->later;
	struct later *o = take(l, tag);
	if (!o)
		return LATER_UNKNOWN;
	uint32_t status = 0;
	if (o->client->socket >= 0 && o->client->pid == o->pid) {
		struct cuda_call call = {
			.cuda = c, .client = o->client, .slot = o->slot, .index = o->index, .ahead = o->ahead};
		status = cuda_serve_kept(&call);
	}
	drop(l, o);
	if (status && status != CUDA_AGAIN)
		cuda_say(c, "note: an asynchronous copy or fill failed (%u): its memory is gone", status);
	return status == CUDA_AGAIN ? LATER_UNDER_WAY : LATER_DONE;
}

/* ---- functions ---- */

uint32_t serve_stream_function(struct cuda_call *c, const struct call_stream_function *in,
			       struct call_stream_function_out *out)
{
	struct cuda_later *l = c->cuda->later;
	const uint32_t turn = later_keep(c, in->stream, &(struct later_source){.always = true});
	(void)out;
	if (turn)
		return turn == CUDA_LATER ? 0 : turn;
	l->function = *in;
	l->caller = c->client;
	l->calling = c->client->context;
	l->given = false;
	return CUDA_AGAIN;
}

/* The library's thread that calls functions waits here for the next one, which says that the one before is over. */
uint32_t serve_next_function(struct cuda_call *c, const struct call_next_function *in,
			     struct call_next_function_out *out)
{
	struct cuda_later *l = c->cuda->later;
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
