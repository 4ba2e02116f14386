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

/* Returns whether an export of that kind is memory. */
bool ipc_is_memory(enum wire_export kind);
/* Returns the export of address, event or pool number `what`; NULL if there is none. */
struct cuda_export *ipc_find(const struct cuda *c, enum wire_export kind, uint64_t what);
/* Returns the export with that number; NULL if there is none of that kind, or it no longer exists. */
struct cuda_export *ipc_by_number(const struct cuda *c, enum wire_export kind, uint64_t number);
/* Informs the device that a context may use exported memory (on), or no longer may. Other exports are ignored. */
void ipc_set_opened(struct cuda *c, const struct cuda_export *e, uint32_t context, bool on);

#endif
