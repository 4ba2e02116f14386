/* Memory and events of other processes: handles that programs pass on as they like, and what they stand for. */
#include <string.h>

#include "host/host.h"

#define HANDLE_BYTES 64u
enum { LAZY_PEER_ACCESS = 1 };

/* cudaIpcMemHandle_t, cudaIpcEventHandle_t, and the driver's: what is in it is ours. */
struct ipc_handle {
	uint64_t device, number;
	char unused[HANDLE_BYTES - 2 * sizeof(uint64_t)];
};

static uint64_t of(const void *p) { return (uint64_t)(uintptr_t)p; }

static int lend(struct ipc_handle *handle, enum wire_lent kind, const void *what)
{
	struct call_ipc_lend_out out;
	int error = handle && what ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_ipc_lend(&(struct call_ipc_lend){of(what), kind, 0}, NULL, 0, &out);
	if (!error)
		*handle = (struct ipc_handle){.device = out.device, .number = out.number};
	return host_leave(error);
}

static int open_lent(void **what, enum wire_lent kind, const struct ipc_handle *handle)
{
	struct call_ipc_open_out out;
	int error = what ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_ipc_open(&(struct call_ipc_open){handle->device, handle->number, kind, 0}, NULL, 0, &out);
	if (!error)
		*what = (void *)(uintptr_t)out.what;
	return host_leave(error);
}

API(cudaIpcGetMemHandle)(struct ipc_handle *handle, void *p) { return lend(handle, WIRE_LENT_MEMORY, p); }
API(cudaIpcGetEventHandle)(struct ipc_handle *handle, void *event) { return lend(handle, WIRE_LENT_EVENT, event); }

API(cudaIpcOpenMemHandle)(void **p, struct ipc_handle handle, unsigned flags)
{
	return flags > LAZY_PEER_ACCESS ? host_leave(cudaErrorInvalidValue) : open_lent(p, WIRE_LENT_MEMORY, &handle);
}

API(cudaIpcOpenEventHandle)(void **event, struct ipc_handle handle)
{
	return open_lent(event, WIRE_LENT_EVENT, &handle);
}

API(cudaIpcCloseMemHandle)(void *p)
{
	int error = host_enter();
	if (!error)
		error = call_ipc_close(&(struct call_ipc_close){of(p), WIRE_LENT_MEMORY, 0}, NULL, 0, NULL);
	return host_leave(error);
}
