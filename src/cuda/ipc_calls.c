/* Calls that export memory, events and pools to other processes, and open and close such exports. */
#include "base/xalloc.h"
#include "cuda/channel/channel.h"
#include "cuda/channel/ticket.h"
#include "cuda/ipc.h"
#include "cuda/memory/memory.h"
#include "cuda/stream/stream.h"

static struct cuda_export *add_export(struct cuda_call *c, const struct cuda_export *l)
{
	struct cuda_ipc *i = c->cuda->ipc;
	i->table = xgrow(i->table, &i->cap, i->n + 1, sizeof *i->table);
	i->table[i->n] = *l;
	i->table[i->n].context = c->client->context;
	return &i->table[i->n++];
}

static bool is_own_pool(const struct cuda_call *c, uint64_t number)
{
	const struct cuda_export *l = ipc_by_number(c->cuda, WIRE_EXPORT_POOL, number);
	return l && l->context == c->client->context;
}

/* Returns 0, or an error if the caller can't export it. */
static uint32_t check_export(const struct cuda_call *c, const struct call_ipc_export *in)
{
	switch (in->kind) {
	case WIRE_EXPORT_MEMORY: return memory_is_exportable(c, in->what) ? 0 : cudaErrorInvalidValue;
	case WIRE_EXPORT_POINTER:
		return memory_is_exportable(c, in->what) && is_own_pool(c, in->pool) ? 0 : cudaErrorInvalidValue;
	case WIRE_EXPORT_EVENT: return stream_event_is_exportable(c, in->what) ? 0 : cudaErrorInvalidResourceHandle;
	case WIRE_EXPORT_POOL: return 0;
	default: return cudaErrorInvalidValue;
	}
}

uint32_t serve_ipc_export(struct cuda_call *c, const struct call_ipc_export *in, struct call_ipc_export_out *out)
{
	const enum wire_export kind = (enum wire_export)in->kind;
	const uint32_t error = check_export(c, in);
	if (error)
		return error;
	const uint64_t what = kind == WIRE_EXPORT_POOL ? c->cuda->ipc->n + 1
			      : ipc_is_memory(kind)    ? gpu_nearest_allocation(c->cuda->gpu, in->what)->address
						       : in->what;
	const struct cuda_export *l = ipc_find(c->cuda, kind, what);
	if (!l)
		l = add_export(c, &(struct cuda_export){.kind = kind, .what = what, .pool = in->pool});
	*out = (struct call_ipc_export_out){channel_device(c->cuda), (uint64_t)(l - c->cuda->ipc->table) + 1};
	return 0;
}

uint32_t serve_ticket(struct cuda_call *c, const struct call_ticket *in, struct call_ticket_out *out)
{
	(void)out;
	if (in->kind == WIRE_EXPORT_PHYSICAL)
		return memory_export_physical(c, in->number);
	return in->kind == WIRE_EXPORT_POOL && is_own_pool(c, in->number) ? ticket_send(c, WIRE_EXPORT_POOL, in->number)
									  : cudaErrorInvalidValue;
}

/* Returns 0, or an error if the caller can't open the export. Pools and their memory may be opened by the exporting process, too. */
static uint32_t check_open(const struct cuda_call *c, const struct cuda_export *l, uint64_t pool)
{
	const uint32_t own = c->client->context;
	if (!l || c->cuda->context[l->context].has_ended)
		return cudaErrorInvalidValue;
	if (l->kind == WIRE_EXPORT_POINTER)
		return l->pool == pool && c->cuda->ipc->table[pool - 1].users[own] ? 0 : cudaErrorInvalidValue;
	return l->context == own && l->kind != WIRE_EXPORT_POOL ? cudaErrorDeviceUninitialized : 0;
}

/* Prints a note and returns an error for a handle of another device, or no handle. Memory of a pool needs its pool opened first. */
static uint32_t say_foreign_handle(struct cuda_call *c, const struct call_ipc_open *in)
{
	struct cuda_ipc *i = c->cuda->ipc;
	if (!i->said_foreign)
		cuda_say(c->cuda,
			 "note: process %ld has a handle of no process that is debugged here: one warpstep --args has "
			 "to start all that share memory",
			 (long)c->client->pid);
	i->said_foreign = true;
	return in->kind == WIRE_EXPORT_POINTER ? cudaErrorInvalidValue : cudaErrorMapBufferObjectFailed;
}

uint32_t serve_ipc_open(struct cuda_call *c, const struct call_ipc_open *in, struct call_ipc_open_out *out)
{
	const bool is_ours = in->device == channel_device(c->cuda);
	if (is_ours && in->kind == WIRE_EXPORT_PHYSICAL)
		return memory_import_physical(c, in->number, &out->what);
	const bool is_known = is_ours && in->number && in->number <= c->cuda->ipc->n;
	struct cuda_export *l = is_known ? ipc_by_number(c->cuda, (enum wire_export)in->kind, in->number) : NULL;
	const uint32_t error = is_known ? check_open(c, l, in->pool) : say_foreign_handle(c, in);
	if (error)
		return error;
	if (!l->users[c->client->context]++)
		ipc_set_opened(c->cuda, l, c->client->context, true);
	out->what = l->what;
	if (ipc_is_memory(l->kind))
		out->bytes = gpu_nearest_allocation(c->cuda->gpu, l->what)->bytes;
	return 0;
}

uint32_t serve_ipc_close(struct cuda_call *c, const struct call_ipc_close *in, struct call_ipc_close_out *out)
{
	const enum wire_export kind = (enum wire_export)in->kind;
	(void)out;
	if (!ipc_has_opened(c, kind, in->what))
		return cudaErrorInvalidValue;
	if (kind == WIRE_EXPORT_MEMORY && !context_is_idle(c)) /* earlier launches may use it */
		return CUDA_AGAIN;
	ipc_close(c, kind, in->what);
	return 0;
}
