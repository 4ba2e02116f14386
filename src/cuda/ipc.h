/* The table of exports to other processes, for ipc.c and ipc_calls.c. */
#ifndef CUDA_IPC_H
#define CUDA_IPC_H

#include "cuda/internal.h"

/* Something that a process exported; the handle is its number. */
struct cuda_export {
	enum wire_export kind;
	uint64_t what; /* an address, an event, a pool's number; 0: it no longer exists */
	uint64_t pool; /* the number of the pool that allocated the memory */
	uint32_t context;
	uint32_t users[GPU_CONTEXTS]; /* how often each context has opened it */
};

struct cuda_ipc {
	struct cuda_export *table; /* by number less one */
	size_t n, cap;
	bool said_early,
		said_foreign; /* notes already printed: memory was freed too early, a handle is of another device */
};

/* Returns whether exports of that kind are memory of cudaMalloc or of a pool; false for physical memory of the driver API. */
bool ipc_is_memory(enum wire_export kind);
/* Returns the export of that kind for `what`: an address, an event or a pool's number. Returns NULL if there is none. Valid until an export is
 * added. */
struct cuda_export *ipc_find(const struct cuda *c, enum wire_export kind, uint64_t what);
/* Returns the export with that number, from 1; NULL if there is none of that kind, or what was exported no longer exists. Valid until an export is
 * added. */
struct cuda_export *ipc_by_number(const struct cuda *c, enum wire_export kind, uint64_t number);
/* Informs the device that `context` may use exported memory (`on`), or no longer may. Does nothing for exports of events and pools. */
void ipc_set_opened(struct cuda *c, const struct cuda_export *e, uint32_t context, bool on);

#endif
