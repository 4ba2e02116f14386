/* Handles by which processes use what others have. */
#ifndef HOST_IPC_H
#define HOST_IPC_H

#include "host/host.h"

#define HANDLE_BYTES 64u

/* cudaIpcMemHandle_t, cudaIpcEventHandle_t, cudaMemPoolPtrExportData, and the driver's: what is in it is ours. */
struct ipc_handle {
	uint64_t device, number;
	char unused[HANDLE_BYTES - 2 * sizeof(uint64_t)];
};

/* pool: the number of the one that has given it; 0: none has. */
int ipc_export(struct ipc_handle *handle, enum wire_export kind, const void *what, uint64_t pool);

#endif
