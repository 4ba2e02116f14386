/* What a process lends to others: memory, events and pools, by handles that go from one process to another as bytes (cudaIpc..., cudaMemPoolExportPointer)
 * or as a descriptor. Its own they stay: who has opened them may use them until he closes them, or ends. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "cuda/channel/channel.h"
#include "cuda/channel/ticket.h"
#include "cuda/internal.h"
#include "cuda/memory/memory.h"
#include "cuda/stream/stream.h"

/* What was lent; the handle is its number. */
struct lent {
	enum wire_lent kind;
	uint64_t what; /* an address, an event, a pool's number; 0: it is gone */
	uint64_t pool; /* that has given it */
	uint32_t context;
	uint32_t users[GPU_CONTEXTS]; /* opened so often */
};

struct cuda_ipc {
	struct lent *lent; /* by number less one */
	size_t n, cap;
	bool said_early, said_foreign; /* that memory was freed too early; that a handle is of another device */
};

struct cuda_ipc *ipc_create(void) { return xcalloc(1, sizeof(struct cuda_ipc)); }

void ipc_free(struct cuda_ipc *i)
{
	free(i->lent);
	free(i);
}

static bool is_memory(enum wire_lent kind) { return kind == WIRE_LENT_MEMORY || kind == WIRE_LENT_POINTER; }

/* ---- finding ---- */

static struct lent *find(const struct cuda *c, enum wire_lent kind, uint64_t what)
{
	const struct cuda_ipc *i = c->ipc;
	for (size_t k = 0; what && k < i->n; k++)
		if (i->lent[k].kind == kind && i->lent[k].what == what)
			return &i->lent[k];
	return NULL;
}

static struct lent *by_number(const struct cuda *c, enum wire_lent kind, uint64_t number)
{
	struct lent *l = number && number <= c->ipc->n ? &c->ipc->lent[number - 1] : NULL;
	return l && l->kind == kind && l->what ? l : NULL;
}

bool ipc_has_opened(const struct cuda_call *c, enum wire_lent kind, uint64_t what)
{
	const struct lent *l = find(c->cuda, kind, what);
	return l && l->users[c->client->context];
}

/* ---- the end ---- */

static void set_shared(struct cuda *c, const struct lent *l, uint32_t context, bool on)
{
	const struct gpu_input in = {.kind = GPU_INPUT_SHARE, .address = l->what, .context = context, .n = on};
	if (is_memory(l->kind))
		session_input(c->session, &in, NULL);
}

bool ipc_close(struct cuda_call *c, enum wire_lent kind, uint64_t what)
{
	struct lent *l = find(c->cuda, kind, what);
	if (!l || !l->users[c->client->context])
		return false;
	if (!--l->users[c->client->context])
		set_shared(c->cuda, l, c->client->context, false);
	return true;
}

/* CUDA wants those who have opened it to be first. */
static void note_users(struct cuda *c, const struct lent *l)
{
	const struct cuda_context *own = &c->context[l->context];
	for (uint32_t k = 0; !own->has_ended && k < GPU_CONTEXTS; k++) {
		if (!l->users[k] || k == l->context || c->ipc->said_early)
			continue;
		cuda_say(c, "note: process %ld has freed memory at 0x%llx that process %ld has opened, and not closed",
			 (long)own->pid, (unsigned long long)l->what, (long)c->context[k].pid);
		c->ipc->said_early = true;
	}
}

void ipc_forget(struct cuda *c, enum wire_lent kind, uint64_t what)
{
	struct lent *l = find(c, kind, what);
	if (!l)
		return;
	note_users(c, l);
	l->what = 0;
}

/* What it had opened is closed; its own events are gone, and its memory is as long as others have it. */
void ipc_forget_context(struct cuda *c, uint32_t context)
{
	struct cuda_ipc *i = c->ipc;
	if (context == GPU_EVERY_CONTEXT)
		i->n = 0; /* who had handles is gone */
	for (size_t k = 0; k < i->n; k++) {
		struct lent *l = &i->lent[k];
		if (l->users[context] && l->what)
			set_shared(c, l, context, false);
		l->users[context] = 0;
		if (l->context == context && !is_memory(l->kind))
			l->what = 0;
	}
}

/* ---- calls ---- */

static struct lent *add(struct cuda_call *c, const struct lent *l)
{
	struct cuda_ipc *i = c->cuda->ipc;
	i->lent = xgrow(i->lent, &i->cap, i->n + 1, sizeof *i->lent);
	i->lent[i->n] = *l;
	i->lent[i->n].context = c->client->context;
	return &i->lent[i->n++];
}

static bool is_own_pool(const struct cuda_call *c, uint64_t number)
{
	const struct lent *l = by_number(c->cuda, WIRE_LENT_POOL, number);
	return l && l->context == c->client->context;
}

/* 0, or why the caller can't lend it. */
static uint32_t refuse(const struct cuda_call *c, const struct call_ipc_lend *in)
{
	switch (in->kind) {
	case WIRE_LENT_MEMORY: return memory_may_be_lent(c, in->what) ? 0 : cudaErrorInvalidValue;
	case WIRE_LENT_POINTER:
		return memory_may_be_lent(c, in->what) && is_own_pool(c, in->pool) ? 0 : cudaErrorInvalidValue;
	case WIRE_LENT_EVENT: return stream_lends(c, in->what) ? 0 : cudaErrorInvalidResourceHandle;
	case WIRE_LENT_POOL: return 0;
	default: return cudaErrorInvalidValue;
	}
}

uint32_t serve_ipc_lend(struct cuda_call *c, const struct call_ipc_lend *in, struct call_ipc_lend_out *out)
{
	const enum wire_lent kind = (enum wire_lent)in->kind;
	const uint32_t error = refuse(c, in);
	if (error)
		return error;
	const uint64_t what = kind == WIRE_LENT_POOL ? c->cuda->ipc->n + 1
			      : is_memory(kind)	     ? gpu_nearest_allocation(c->cuda->gpu, in->what)->address
						     : in->what;
	const struct lent *l = find(c->cuda, kind, what);
	if (!l)
		l = add(c, &(struct lent){.kind = kind, .what = what, .pool = in->pool});
	*out = (struct call_ipc_lend_out){channel_device(c->cuda), (uint64_t)(l - c->cuda->ipc->lent) + 1};
	return 0;
}

uint32_t serve_ticket(struct cuda_call *c, const struct call_ticket *in, struct call_ticket_out *out)
{
	(void)out;
	if (in->kind == WIRE_LENT_PHYSICAL)
		return memory_lend_physical(c, in->number);
	return in->kind == WIRE_LENT_POOL && is_own_pool(c, in->number) ? ticket_give(c, WIRE_LENT_POOL, in->number)
									: cudaErrorInvalidValue;
}

/* Pools and what they have given may be opened by the process itself, too. */
static uint32_t refuse_to_open(const struct cuda_call *c, const struct lent *l, uint64_t pool)
{
	const uint32_t own = c->client->context;
	if (!l || c->cuda->context[l->context].has_ended)
		return cudaErrorInvalidValue;
	if (l->kind == WIRE_LENT_POINTER)
		return l->pool == pool && c->cuda->ipc->lent[pool - 1].users[own] ? 0 : cudaErrorInvalidValue;
	return l->context == own && l->kind != WIRE_LENT_POOL ? cudaErrorDeviceUninitialized : 0;
}

/* Another device's, or no handle at all. What a pool has given is only looked for where its pool is. */
static uint32_t refuse_unknown(struct cuda_call *c, const struct call_ipc_open *in)
{
	struct cuda_ipc *i = c->cuda->ipc;
	if (!i->said_foreign)
		cuda_say(c->cuda,
			 "note: process %ld has a handle of no process that is debugged here: one warpstep --args has "
			 "to start all that share memory",
			 (long)c->client->pid);
	i->said_foreign = true;
	return in->kind == WIRE_LENT_POINTER ? cudaErrorInvalidValue : cudaErrorMapBufferObjectFailed;
}

uint32_t serve_ipc_open(struct cuda_call *c, const struct call_ipc_open *in, struct call_ipc_open_out *out)
{
	const bool is_ours = in->device == channel_device(c->cuda);
	if (is_ours && in->kind == WIRE_LENT_PHYSICAL)
		return memory_open_physical(c, in->number, &out->what);
	const bool is_known = is_ours && in->number && in->number <= c->cuda->ipc->n;
	struct lent *l = is_known ? by_number(c->cuda, (enum wire_lent)in->kind, in->number) : NULL;
	const uint32_t error = is_known ? refuse_to_open(c, l, in->pool) : refuse_unknown(c, in);
	if (error)
		return error;
	if (!l->users[c->client->context]++)
		set_shared(c->cuda, l, c->client->context, true);
	out->what = l->what;
	if (is_memory(l->kind))
		out->bytes = gpu_nearest_allocation(c->cuda->gpu, l->what)->bytes;
	return 0;
}

uint32_t serve_ipc_close(struct cuda_call *c, const struct call_ipc_close *in, struct call_ipc_close_out *out)
{
	const enum wire_lent kind = (enum wire_lent)in->kind;
	(void)out;
	if (!ipc_has_opened(c, kind, in->what))
		return cudaErrorInvalidValue;
	if (kind == WIRE_LENT_MEMORY && !context_is_idle(c)) /* what was launched before may use it */
		return CUDA_AGAIN;
	ipc_close(c, kind, in->what);
	return 0;
}
