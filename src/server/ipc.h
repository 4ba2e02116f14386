/* The table of exports to other processes, for ipc.c and ipc_calls.c. */
#ifndef SERVER_IPC_H
#define SERVER_IPC_H

#include "server/internal.h"

/* Something that a process exported; the handle is its number. */
struct server_export {
	enum wire_export kind;
	uint64_t what; /* an address, an event, a pool's number; 0: it no longer exists */
	uint64_t pool; /* the number of the pool that allocated the memory */
	uint32_t context;
	uint32_t users[GPU_CONTEXTS]; /* how often each context has opened it */
};

struct server_ipc {
	struct server_export *table; /* by number less one */
	size_t n, cap;
	bool said_early,
		said_foreign; /* notes already printed: memory was freed too early, a handle is of another device */
};

/* Returns whether exports of that kind are memory of cudaMalloc or of a pool; false for physical memory of the driver API. */
bool ipc_is_memory(enum wire_export kind);
/* Returns the export of that kind for `what`: an address, an event or a pool's number. Returns NULL if there is none. Valid until an export is
 * added. */
struct server_export *ipc_find(const struct server *c, enum wire_export kind, uint64_t what);
/* Returns the export with that number, from 1; NULL if there is none of that kind, or what was exported no longer exists. Valid until an export is
 * added. */
struct server_export *ipc_by_number(const struct server *c, enum wire_export kind, uint64_t number);
/* Informs the device that `context` may use exported memory (`on`), or no longer may. Does nothing for exports of events and pools. */
void ipc_set_opened(struct server *c, const struct server_export *e, uint32_t context, bool on);

#endif
