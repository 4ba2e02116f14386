/* Handles for memory and events of other processes. */
#ifndef HOST_IPC_H
#define HOST_IPC_H

#include "host/host.h"

#define HANDLE_BYTES 64u

/* cudaIpcMemHandle_t, cudaIpcEventHandle_t, cudaMemPoolPtrExportData, and the driver's types; the contents are private. */
struct ipc_handle {
	uint64_t device, number;
	char unused[HANDLE_BYTES - 2 * sizeof(uint64_t)];
};

/* Exports, by `kind`, memory at `what`, event `what` or, with `what` NULL, a pool under a new number, and sets *handle; memory and events exported
 * again get the same handle. pool: number of the exported pool that allocated the memory; 0: none. Returns 0, or an error with *handle unchanged. */
int ipc_export(struct ipc_handle *handle, enum wire_export kind, const void *what, uint64_t pool);

#endif
