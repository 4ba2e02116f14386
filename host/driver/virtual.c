/* The driver API's virtual memory management: checks parameters here; the debugger keeps the state (src/server/memory/virtual.c). */
#include "host/driver/driver.h"
#include "host/memory/ticket.h"

struct location { /* CUmemLocation */
	int type, id;
};
struct properties { /* CUmemAllocationProp */
	int type, handles;
	struct location location;
	void *of_windows;
	unsigned char compression, direct;
	unsigned short usage;
	unsigned char reserved[4];
};
struct access { /* CUmemAccessDesc */
	struct location location;
	int flags;
};
_Static_assert(sizeof(struct properties) == 32 && sizeof(struct access) == 12, "as cuda.h has them");

enum { PINNED = 1, DEVICE = 1, NONE = 0, READ = 1, READ_WRITE = 3 };
enum { DESCRIPTOR = 1 }; /* CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR */

/* Returns 0 for memory of the device that is shared by a descriptor or not at all, or an error. */
static int check_properties(const struct properties *p)
{
	if (!p || p->type != PINNED || p->location.type < DEVICE)
		return cudaErrorInvalidValue;
	if (p->location.type != DEVICE || p->handles & ~DESCRIPTOR)
		return cudaErrorNotSupported;
	return p->location.id ? cudaErrorInvalidDevice : 0;
}

DRIVER(cuMemGetAllocationGranularity)(size_t *bytes, const struct properties *p, int option)
{
	int error = bytes && option >= 0 && option <= 1 ? check_properties(p) : cudaErrorInvalidValue;
	if (!error)
		error = host_enter();
	if (!error)
		*bytes = WIRE_VIRTUAL_GRAIN;
	return error;
}

DRIVER(cuMemAddressReserve)(uint64_t *address, size_t bytes, size_t align, uint64_t hint, unsigned long long flags)
{
	struct call_virtual_reserve_out out;
	(void)hint;
	int error = address && !flags ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_virtual_reserve(
			&(struct call_virtual_reserve){bytes, align, (uint64_t)(uintptr_t)HOST_CALLER()}, NULL, 0,
			&out);
	if (!error)
		*address = out.address;
	return error;
}

DRIVER(cuMemAddressFree)(uint64_t address, size_t bytes)
{
	const int error = host_enter();
	return error ? error : call_virtual_free(&(struct call_virtual_free){address, bytes}, NULL, 0, NULL);
}

/* Compression is a hint without an effect. */
DRIVER(cuMemCreate)(uint64_t *handle, size_t bytes, const struct properties *p, unsigned long long flags)
{
	struct call_virtual_create_out out;
	int error = handle && !flags ? check_properties(p) : cudaErrorInvalidValue;
	if (!error)
		error = host_enter();
	if (!error)
		error = call_virtual_create(
			&(struct call_virtual_create){
				bytes, {.is_exportable = p->handles != 0, .direct = p->direct, .usage = p->usage}},
			NULL, 0, &out);
	if (!error)
		*handle = out.handle;
	return error;
}

DRIVER(cuMemRelease)(uint64_t handle)
{
	const int error = host_enter();
	return error ? error : call_virtual_release(&(struct call_virtual_release){handle}, NULL, 0, NULL);
}

DRIVER(cuMemMap)(uint64_t address, size_t bytes, size_t offset, uint64_t handle, unsigned long long flags)
{
	const int error = offset || flags ? cudaErrorInvalidValue : host_enter();
	return error ? error : call_virtual_map(&(struct call_virtual_map){address, bytes, handle}, NULL, 0, NULL);
}

DRIVER(cuMemUnmap)(uint64_t address, size_t bytes)
{
	const int error = host_enter();
	return error ? error : call_virtual_unmap(&(struct call_virtual_unmap){address, bytes}, NULL, 0, NULL);
}

/* Gets the access flags; with one device the last entry counts. */
static int access_of(const struct access *a, size_t n, uint64_t *access)
{
	if (!a || !n)
		return cudaErrorInvalidValue;
	for (size_t k = 0; k < n; k++) {
		if (a[k].location.type != DEVICE)
			return cudaErrorNotSupported;
		if (a[k].location.id)
			return cudaErrorInvalidDevice;
		if (a[k].flags != NONE && a[k].flags != READ && a[k].flags != READ_WRITE)
			return cudaErrorInvalidValue;
		*access = (uint64_t)a[k].flags;
	}
	return 0;
}

DRIVER(cuMemSetAccess)(uint64_t address, size_t bytes, const struct access *a, size_t n)
{
	uint64_t flags = NONE;
	int error = access_of(a, n, &flags);
	if (!error)
		error = host_enter();
	return error ? error : call_virtual_access(&(struct call_virtual_access){address, bytes, host_wire_access((int)flags)}, NULL, 0, NULL);
}

static int query_memory(uint64_t address, uint64_t handle, bool retains, struct call_virtual_ask_out *out)
{
	const int error = host_enter();
	return error ? error : call_virtual_ask(&(struct call_virtual_ask){address, handle, retains}, NULL, 0, out);
}

DRIVER(cuMemGetAccess)(unsigned long long *flags, const struct location *l, uint64_t address)
{
	struct call_virtual_ask_out out;
	if (!flags || !l || !address)
		return cudaErrorInvalidValue;
	if (l->type != DEVICE || l->id)
		return cudaErrorInvalidDevice;
	const int error = query_memory(address, 0, false, &out);
	if (!error)
		*flags = host_access_flags(out.access);
	return error;
}

DRIVER(cuMemRetainAllocationHandle)(uint64_t *handle, const void *address)
{
	struct call_virtual_ask_out out;
	const int error =
		handle && address ? query_memory((uint64_t)(uintptr_t)address, 0, true, &out) : cudaErrorInvalidValue;
	if (!error)
		*handle = out.handle;
	return error;
}

DRIVER(cuMemGetAllocationPropertiesFromHandle)(struct properties *p, uint64_t handle)
{
	struct call_virtual_ask_out out;
	const int error = p ? query_memory(0, handle, false, &out) : cudaErrorInvalidValue;
	if (!error)
		*p = (struct properties){.type = PINNED,
					 .handles = out.properties.is_exportable ? DESCRIPTOR : 0,
					 .location = {DEVICE, 0},
					 .direct = (unsigned char)out.properties.direct,
					 .usage = (unsigned short)out.properties.usage};
	return error;
}

DRIVER(cuMemExportToShareableHandle)(int *descriptor, uint64_t handle, int type, unsigned long long flags)
{
	const int error = descriptor && type == DESCRIPTOR && !flags ? host_enter() : cudaErrorInvalidValue;
	return error ? error : ticket_request(WIRE_EXPORT_PHYSICAL, handle, descriptor);
}

DRIVER(cuMemImportFromShareableHandle)(uint64_t *handle, void *descriptor, int type)
{
	struct wire_ticket t;
	struct call_ipc_open_out out;
	const bool valid = handle && type == DESCRIPTOR && ticket_peek((int)(intptr_t)descriptor, &t) &&
			   t.kind == WIRE_EXPORT_PHYSICAL;
	int error = valid ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_ipc_open(&(struct call_ipc_open){t.device, t.number, 0, WIRE_EXPORT_PHYSICAL, 0}, NULL, 0,
				      &out);
	if (!error)
		*handle = out.what;
	return error;
}
