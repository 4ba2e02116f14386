/* Calls that export memory, events and pools to other processes, and open and close such exports. */
#include "base/xalloc.h"
#include "server/channel/channel.h"
#include "server/channel/ticket.h"
#include "server/ipc.h"
#include "server/memory/memory.h"
#include "server/stream/stream.h"

static struct server_export *add_export(struct server_call *c, const struct server_export *l)
{
	struct server_ipc *i = c->server->ipc;
	i->table = xgrow(i->table, &i->cap, i->n + 1, sizeof *i->table);
	i->table[i->n] = *l;
	i->table[i->n].context = c->client->context;
	return &i->table[i->n++];
}

static bool is_own_pool(const struct server_call *c, uint64_t number)
{
	const struct server_export *l = ipc_by_number(c->server, WIRE_EXPORT_POOL, number);
	return l && l->context == c->client->context;
}

/* Returns 0, or an error if the caller can't export it. */
static uint32_t check_export(const struct server_call *c, const struct call_ipc_export *in)
{
	switch (in->kind) {
	case WIRE_EXPORT_MEMORY: return memory_is_exportable(c, in->what) ? 0 : WIRE_INVALID_VALUE;
	case WIRE_EXPORT_POINTER:
		return memory_is_exportable(c, in->what) && is_own_pool(c, in->pool) ? 0 : WIRE_INVALID_VALUE;
	case WIRE_EXPORT_EVENT: return stream_event_is_exportable(c, in->what) ? 0 : WIRE_INVALID_HANDLE;
	case WIRE_EXPORT_POOL: return 0;
	default: return WIRE_INVALID_VALUE;
	}
}

uint32_t serve_ipc_export(struct server_call *c, const struct call_ipc_export *in, struct call_ipc_export_out *out)
{
	const enum wire_export kind = (enum wire_export)in->kind;
	const uint32_t error = check_export(c, in);
	if (error)
		return error;
	const uint64_t what = kind == WIRE_EXPORT_POOL ? c->server->ipc->n + 1
			      : ipc_is_memory(kind)    ? gpu_nearest_allocation(c->server->gpu, in->what)->address
						       : in->what;
	const struct server_export *l = ipc_find(c->server, kind, what);
	if (!l)
		l = add_export(c, &(struct server_export){.kind = kind, .what = what, .pool = in->pool});
	*out = (struct call_ipc_export_out){channel_device(c->server), (uint64_t)(l - c->server->ipc->table) + 1};
	return 0;
}

uint32_t serve_ticket(struct server_call *c, const struct call_ticket *in, struct call_ticket_out *out)
{
	(void)out;
	if (in->kind == WIRE_EXPORT_PHYSICAL)
		return memory_export_physical(c, in->number);
	return in->kind == WIRE_EXPORT_POOL && is_own_pool(c, in->number) ? ticket_send(c, WIRE_EXPORT_POOL, in->number)
									  : WIRE_INVALID_VALUE;
}

/* Returns 0, or an error if the caller can't open the export. Pools and their memory may be opened by the exporting process, too. */
static uint32_t check_open(const struct server_call *c, const struct server_export *l, uint64_t pool)
{
	const uint32_t own = c->client->context;
	if (!l || c->server->context[l->context].has_ended)
		return WIRE_INVALID_VALUE;
	if (l->kind == WIRE_EXPORT_POINTER)
		return l->pool == pool && c->server->ipc->table[pool - 1].users[own] ? 0 : WIRE_INVALID_VALUE;
	return l->context == own && l->kind != WIRE_EXPORT_POOL ? WIRE_NO_CONTEXT : 0;
}

/* Prints a note and returns an error for a handle of another device, or no handle. Memory of a pool needs its pool opened first. */
static uint32_t say_foreign_handle(struct server_call *c, const struct call_ipc_open *in)
{
	struct server_ipc *i = c->server->ipc;
	if (!i->said_foreign)
		server_say(c->server,
			 "note: process %ld has a handle of no process that is debugged here: one warpstep --args has "
			 "to start all that share memory",
			 (long)c->client->pid);
	i->said_foreign = true;
	return in->kind == WIRE_EXPORT_POINTER ? WIRE_INVALID_VALUE : WIRE_MAPPING_FAILED;
}

uint32_t serve_ipc_open(struct server_call *c, const struct call_ipc_open *in, struct call_ipc_open_out *out)
{
	const bool is_ours = in->device == channel_device(c->server);
	if (is_ours && in->kind == WIRE_EXPORT_PHYSICAL)
		return memory_import_physical(c, in->number, &out->what);
	const bool is_known = is_ours && in->number && in->number <= c->server->ipc->n;
	struct server_export *l = is_known ? ipc_by_number(c->server, (enum wire_export)in->kind, in->number) : NULL;
	const uint32_t error = is_known ? check_open(c, l, in->pool) : say_foreign_handle(c, in);
	if (error)
		return error;
	if (!l->users[c->client->context]++)
		ipc_set_opened(c->server, l, c->client->context, true);
	out->what = l->what;
	if (ipc_is_memory(l->kind))
		out->bytes = gpu_nearest_allocation(c->server->gpu, l->what)->bytes;
	return 0;
}

uint32_t serve_ipc_close(struct server_call *c, const struct call_ipc_close *in, struct call_ipc_close_out *out)
{
	const enum wire_export kind = (enum wire_export)in->kind;
	(void)out;
	if (!ipc_has_opened(c, kind, in->what))
		return WIRE_INVALID_VALUE;
	if (kind == WIRE_EXPORT_MEMORY && !context_is_idle(c)) /* earlier launches may use it */
		return SERVER_AGAIN;
	ipc_close(c, kind, in->what);
	return 0;
}
