/* What a process lends to others: memory and events, by handles that go from one process to another as bytes (cudaIpc...). Its own they stay: who
 * has opened them may use them until he closes them, or ends. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "cuda/channel/channel.h"
#include "cuda/internal.h"
#include "cuda/memory/memory.h"
#include "cuda/stream/stream.h"

/* What was lent; the handle is its number. */
struct lent {
	enum wire_lent kind;
	uint64_t what; /* an address, an event; 0: it is gone */
	uint32_t context;
	uint32_t users[GPU_CONTEXTS]; /* opened so often */
};

struct cuda_ipc {
	struct lent *lent; /* by number less one */
	size_t n, cap;
};

struct cuda_ipc *ipc_create(void) { return xcalloc(1, sizeof(struct cuda_ipc)); }

void ipc_free(struct cuda_ipc *i)
{
	free(i->lent);
	free(i);
}

/* What tells the handles of one device from those of others. */
static uint64_t device_of(const struct cuda *c)
{
	const char *name = channel_name(c);
	return hash_fnv1a64(name, strlen(name));
}

/* ---- finding ---- */

static struct lent *find(const struct cuda *c, enum wire_lent kind, uint64_t what)
{
	const struct cuda_ipc *i = c->ipc;
	for (size_t k = 0; what && k < i->n; k++)
		if (i->lent[k].kind == kind && i->lent[k].what == what)
			return &i->lent[k];
	return NULL;
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
	if (l->kind == WIRE_LENT_MEMORY)
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

void ipc_forget(struct cuda *c, enum wire_lent kind, uint64_t what)
{
	struct lent *l = find(c, kind, what);
	if (l)
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
		if (l->context == context && l->kind == WIRE_LENT_EVENT)
			l->what = 0;
	}
}

/* ---- calls ---- */

uint32_t serve_ipc_lend(struct cuda_call *c, const struct call_ipc_lend *in, struct call_ipc_lend_out *out)
{
	struct cuda_ipc *i = c->cuda->ipc;
	const struct gpu_allocation *a = gpu_nearest_allocation(c->cuda->gpu, in->what);
	const bool is_memory = in->kind == WIRE_LENT_MEMORY;
	const uint64_t what = is_memory && a ? a->address : in->what;
	if (is_memory ? !memory_may_be_lent(c, in->what) : !stream_lends(c, what))
		return is_memory ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
	struct lent *l = find(c->cuda, (enum wire_lent)in->kind, what);
	if (!l) {
		i->lent = xgrow(i->lent, &i->cap, i->n + 1, sizeof *i->lent);
		l = &i->lent[i->n++];
		*l = (struct lent){.kind = (enum wire_lent)in->kind, .what = what, .context = c->client->context};
	}
	*out = (struct call_ipc_lend_out){device_of(c->cuda), (uint64_t)(l - i->lent) + 1};
	return 0;
}

uint32_t serve_ipc_open(struct cuda_call *c, const struct call_ipc_open *in, struct call_ipc_open_out *out)
{
	struct cuda_ipc *i = c->cuda->ipc;
	const bool is_known = in->device == device_of(c->cuda) && in->number && in->number <= i->n;
	struct lent *l = is_known ? &i->lent[in->number - 1] : NULL;
	if (!l || !l->what || l->kind != (enum wire_lent)in->kind)
		return is_known ? cudaErrorInvalidValue : cudaErrorMapBufferObjectFailed;
	if (l->context == c->client->context)
		return cudaErrorDeviceUninitialized;
	if (!l->users[c->client->context]++)
		set_shared(c->cuda, l, c->client->context, true);
	out->what = l->what;
	return 0;
}

uint32_t serve_ipc_close(struct cuda_call *c, const struct call_ipc_close *in, struct call_ipc_close_out *out)
{
	struct lent *l = find(c->cuda, (enum wire_lent)in->kind, in->what);
	(void)out;
	if (!l || !l->users[c->client->context])
		return cudaErrorInvalidValue;
	if (!context_is_idle(c)) /* what was launched before may use it */
		return CUDA_AGAIN;
	ipc_close(c, l->kind, l->what);
	return 0;
}
