/* Memory and events of other processes: creates and opens handles. */
#include "host/memory/ipc.h"

#include "host/memory/pool.h"

enum { LAZY_PEER_ACCESS = 1 };

static uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p; }

int ipc_export(struct ipc_handle *handle, enum wire_export kind, const void *what, uint64_t pool)
{
	struct call_ipc_export_out out;
	const int error = call_ipc_export(&(struct call_ipc_export){address_of(what), pool, kind, 0}, NULL, 0, &out);
	if (!error)
		*handle = (struct ipc_handle){.device = out.device, .number = out.number};
	return error;
}

static int open_export(void **what, enum wire_export kind, const struct ipc_handle *handle)
{
	struct call_ipc_open_out out;
	int error = what ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_ipc_open(&(struct call_ipc_open){handle->device, handle->number, 0, kind, 0}, NULL, 0,
				      &out);
	if (!error)
		*what = (void *)(uintptr_t)out.what;
	return host_leave(error);
}

/* Returns whether memory is of a pool, which is exported by other calls (pool_share.c). */
static bool is_of_pool(const void *p)
{
	struct call_pointer_out out;
	return !call_pointer(&(struct call_pointer){address_of(p)}, NULL, 0, &out) &&
	       pool_of((const void *)(uintptr_t)out.base);
}

API(cudaIpcGetMemHandle)(struct ipc_handle *handle, void *p)
{
	int error = handle && p ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = is_of_pool(p) ? cudaErrorInvalidValue : ipc_export(handle, WIRE_EXPORT_MEMORY, p, 0);
	return host_leave(error);
}

API(cudaIpcGetEventHandle)(struct ipc_handle *handle, void *event)
{
	int error = handle && event ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = ipc_export(handle, WIRE_EXPORT_EVENT, event, 0);
	return host_leave(error);
}

API(cudaIpcOpenMemHandle)(void **p, struct ipc_handle handle, unsigned flags)
{
	return flags > LAZY_PEER_ACCESS ? host_leave(cudaErrorInvalidValue)
					: open_export(p, WIRE_EXPORT_MEMORY, &handle);
}

API(cudaIpcOpenEventHandle)(void **event, struct ipc_handle handle)
{
	return open_export(event, WIRE_EXPORT_EVENT, &handle);
}

API(cudaIpcCloseMemHandle)(void *p)
{
	int error = host_enter();
	if (!error)
		error = call_ipc_close(&(struct call_ipc_close){address_of(p), WIRE_EXPORT_MEMORY, 0}, NULL, 0, NULL);
	return host_leave(error);
}
