/* Pools shared between processes, as descriptors, and their memory, as bytes. */
#include "host/memory/ipc.h"
#include "host/memory/pool.h"
#include "host/memory/ticket.h"

/* Gets the number of a pool for other processes, which is assigned on demand. Returns 0 or an error. */
static int number_of(struct host_pool *pool, uint64_t *number)
{
	struct ipc_handle new = {.number = 0};
	uint64_t has = __atomic_load_n(&pool->number, __ATOMIC_ACQUIRE);
	const int error = has ? 0 : ipc_export(&new, WIRE_EXPORT_POOL, NULL, 0);
	if (error)
		return error;
	if (!has &&
	    __atomic_compare_exchange_n(&pool->number, &has, new.number, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		has = new.number;
	*number = has;
	return 0;
}

API(cudaMemPoolExportToShareableHandle)(int *descriptor, struct host_pool *pool, int type, unsigned flags)
{
	uint64_t number = 0;
	const bool valid =
		descriptor && !flags && pool_is_own(pool) && type == POOL_HANDLE_DESCRIPTOR && pool->handles & type;
	int error = valid ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = number_of(pool, &number);
	if (!error)
		error = ticket_request(WIRE_EXPORT_POOL, number, descriptor);
	return host_leave(error);
}

API(cudaMemPoolImportFromShareableHandle)(struct host_pool **pool, void *descriptor, int type, unsigned flags)
{
	struct wire_ticket t;
	struct call_ipc_open_out out;
	const bool valid = pool && !flags && type == POOL_HANDLE_DESCRIPTOR &&
			   ticket_peek((int)(intptr_t)descriptor, &t) && t.kind == WIRE_EXPORT_POOL;
	int error = valid ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_ipc_open(&(struct call_ipc_open){t.device, t.number, 0, WIRE_EXPORT_POOL, 0}, NULL, 0,
				      &out);
	if (error)
		return host_leave(error);
	struct host_pool *const p = pool_import(t.number);
	if (p)
		*pool = p;
	else
		call_ipc_close(&(struct call_ipc_close){t.number, WIRE_EXPORT_POOL, 0}, NULL, 0, NULL);
	return host_leave(p ? 0 : cudaErrorMemoryAllocation);
}

API(cudaMemPoolExportPointer)(struct ipc_handle *data, void *p)
{
	uint64_t number = 0;
	struct host_pool *const pool = data ? pool_of(p) : NULL;
	int error = pool && pool->handles ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = number_of(pool, &number);
	if (!error)
		error = ipc_export(data, WIRE_EXPORT_POINTER, p, number);
	return host_leave(error);
}

API(cudaMemPoolImportPointer)(void **p, struct host_pool *pool, const struct ipc_handle *data)
{
	struct call_ipc_open_out out;
	const bool valid = p && data && pool_lives(pool) && pool->is_import;
	int error = valid ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_ipc_open(
			&(struct call_ipc_open){data->device, data->number, pool->number, WIRE_EXPORT_POINTER, 0}, NULL,
			0, &out);
	if (!error) {
		*p = (void *)(uintptr_t)out.what;
		pool_note_allocation(pool, *p, out.bytes);
	}
	return host_leave(error);
}
