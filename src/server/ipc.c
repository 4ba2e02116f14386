/* Exports of memory, events and pools to other processes, by handles that travel as bytes (cudaIpc..., cudaMemPoolExportPointer) or as a
 * descriptor. The exporting process stays the owner; a process that has opened an export may use it until it closes the export, or ends. */
#include "server/ipc.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "session/session.h"

struct server_ipc *ipc_create(void) { return xcalloc(1, sizeof(struct server_ipc)); }

void ipc_free(struct server_ipc *i)
{
	free(i->table);
	free(i);
}

bool ipc_is_memory(enum wire_export kind) { return kind == WIRE_EXPORT_MEMORY || kind == WIRE_EXPORT_POINTER; }

/* ---- finding ---- */

struct server_export *ipc_find(const struct server *c, enum wire_export kind, uint64_t what)
{
	const struct server_ipc *i = c->ipc;
	for (size_t k = 0; what && k < i->n; k++)
		if (i->table[k].kind == kind && i->table[k].what == what)
			return &i->table[k];
	return NULL;
}

struct server_export *ipc_by_number(const struct server *c, enum wire_export kind, uint64_t number)
{
	struct server_export *l = number && number <= c->ipc->n ? &c->ipc->table[number - 1] : NULL;
	return l && l->kind == kind && l->what ? l : NULL;
}

bool ipc_has_opened(const struct server_call *c, enum wire_export kind, uint64_t what)
{
	const struct server_export *l = ipc_find(c->server, kind, what);
	return l && l->users[c->client->context];
}

/* ---- the end ---- */

void ipc_set_opened(struct server *c, const struct server_export *l, uint32_t context, bool on)
{
	const struct gpu_input in = {.kind = GPU_INPUT_SHARE, .share = {l->what, context, on}};
	if (ipc_is_memory(l->kind))
		session_input(c->session, &in, NULL);
}

bool ipc_close(struct server_call *c, enum wire_export kind, uint64_t what)
{
	struct server_export *l = ipc_find(c->server, kind, what);
	if (!l || !l->users[c->client->context])
		return false;
	if (!--l->users[c->client->context])
		ipc_set_opened(c->server, l, c->client->context, false);
	return true;
}

/* Prints a note if other processes still have the export open: CUDA requires them to close it before it is freed. */
static void note_open_users(struct server *c, const struct server_export *l)
{
	const struct server_context *own = &c->context[l->context];
	for (uint32_t k = 0; !own->has_ended && k < GPU_CONTEXTS; k++) {
		if (!l->users[k] || k == l->context || c->ipc->said_early)
			continue;
		server_say(c, "note: process %ld has freed memory at 0x%llx that process %ld has opened, and not closed",
			 (long)own->pid, (unsigned long long)l->what, (long)c->context[k].pid);
		c->ipc->said_early = true;
	}
}

void ipc_forget(struct server *c, enum wire_export kind, uint64_t what)
{
	struct server_export *l = ipc_find(c, kind, what);
	if (!l)
		return;
	note_open_users(c, l);
	l->what = 0;
}

/* Memory of the context stays exported as long as other processes have it open. */
void ipc_forget_context(struct server *c, uint32_t context)
{
	struct server_ipc *i = c->ipc;
	if (context == GPU_EVERY_CONTEXT)
		i->n = 0; /* all processes that had handles have ended */
	for (size_t k = 0; k < i->n; k++) {
		struct server_export *l = &i->table[k];
		if (l->users[context] && l->what)
			ipc_set_opened(c, l, context, false);
		l->users[context] = 0;
		if (l->context == context && !ipc_is_memory(l->kind))
			l->what = 0;
	}
}
