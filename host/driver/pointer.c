/* Pointer queries of the driver API. */
#include <string.h>

#include "host/driver/driver.h"
#include "host/memory/pool.h"

#define NOT_FOUND 500

/* struct cudaPointerAttributes */
struct attributes {
	int type, device;
	void *device_pointer, *host_pointer;
};
enum { KNOWN_HOST = 1, KNOWN_DEVICE, KNOWN_MANAGED };
int ws_cudaPointerGetAttributes(struct attributes *a, const void *p);

/* CUpointer_attribute */
enum {
	CONTEXT = 1,
	MEMORY_TYPE,
	DEVICE_POINTER,
	HOST_POINTER,
	SYNC_MEMOPS = 6,
	BUFFER_ID,
	IS_MANAGED,
	DEVICE_ORDINAL,
	IS_LEGACY_IPC,
	RANGE_START,
	RANGE_SIZE,
	MAPPED,
	HANDLE_TYPES,
	IS_RDMA,
	ACCESS_FLAGS,
	POOL,
	MAPPING_SIZE,
	MAPPING_BASE,
	BLOCK_ID
};
enum { TYPE_HOST = 1, TYPE_DEVICE };
#define DESCRIPTOR 1u /* CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR */
#define READ_AND_WRITE 3u

struct pointer {
	struct attributes a;
	struct call_pointer_out range;
	uint64_t at;
};

int ws_cuCtxGetCurrent(void **context);

static int query_pointer(uint64_t p, struct pointer *out)
{
	int error = driver_enter();
	out->at = p;
	if (!error)
		error = AS_DRIVER(ws_cudaPointerGetAttributes(&out->a, (const void *)(uintptr_t)p));
	/* registered memory is looked up by its device address */
	const uint64_t device = out->a.type == KNOWN_HOST ? (uint64_t)(uintptr_t)out->a.device_pointer : p;
	return error ? error : call_pointer(&(struct call_pointer){device}, NULL, 0, &out->range);
}

static uint32_t size_of(int attribute)
{
	switch (attribute) {
	case SYNC_MEMOPS:
	case IS_MANAGED:
	case IS_LEGACY_IPC:
	case MAPPED:
	case IS_RDMA: return sizeof(char);
	case MEMORY_TYPE:
	case DEVICE_ORDINAL:
	case ACCESS_FLAGS: return sizeof(uint32_t);
	case CONTEXT:
	case DEVICE_POINTER:
	case HOST_POINTER:
	case BUFFER_ID:
	case RANGE_START:
	case RANGE_SIZE:
	case HANDLE_TYPES:
	case POOL:
	case MAPPING_SIZE:
	case MAPPING_BASE:
	case BLOCK_ID: return sizeof(uint64_t);
	default: return 0;
	}
}

/* Returns the start of the range on the program's side: registered memory has two addresses. */
static uint64_t range_start(const struct pointer *p)
{
	const uint64_t device = (uint64_t)(uintptr_t)p->a.device_pointer;
	return p->at - (device - p->range.base);
}

static uint64_t context(void)
{
	void *c = NULL;
	ws_cuCtxGetCurrent(&c);
	return (uint64_t)(uintptr_t)c;
}

/* Returns the properties of memory that is mapped by a handle; zeros for other memory. */
static struct call_virtual_ask_out query_mapping(const struct pointer *p)
{
	struct call_virtual_ask_out out;
	const int error = call_virtual_ask(&(struct call_virtual_ask){.address = p->at}, NULL, 0, &out);
	return error ? (struct call_virtual_ask_out){0} : out;
}

static uint64_t value_of(int attribute, const struct pointer *p)
{
	switch (attribute) {
	case CONTEXT: return context();
	case MEMORY_TYPE: return p->a.type == KNOWN_HOST ? TYPE_HOST : TYPE_DEVICE;
	case DEVICE_POINTER: return (uint64_t)(uintptr_t)p->a.device_pointer;
	case HOST_POINTER: return (uint64_t)(uintptr_t)p->a.host_pointer;
	case BUFFER_ID: return p->range.base;
	case BLOCK_ID: return query_mapping(p).handle ? query_mapping(p).handle : p->range.base;
	case HANDLE_TYPES: return query_mapping(p).properties.is_exportable ? DESCRIPTOR : 0;
	case IS_MANAGED: return p->a.type == KNOWN_MANAGED;
	case RANGE_START:
	case MAPPING_BASE: return range_start(p);
	case RANGE_SIZE:
	case MAPPING_SIZE: return p->range.bytes;
	case MAPPED: return 1;
	case IS_LEGACY_IPC:
		return p->a.type == KNOWN_DEVICE && p->range.flags && !pool_of((const void *)(uintptr_t)p->range.base);
	case POOL: return (uint64_t)(uintptr_t)pool_of((const void *)(uintptr_t)p->range.base);
	case ACCESS_FLAGS: return query_mapping(p).handle ? host_access_flags(query_mapping(p).access) : READ_AND_WRITE;
	default: return 0;
	}
}

static void store_value(void *to, uint64_t value, uint32_t bytes) { memcpy(to, &value, bytes); }

static bool is_known(const struct pointer *p) { return p->a.type >= KNOWN_HOST && p->a.type <= KNOWN_MANAGED; }

DRIVER(cuPointerGetAttribute)(void *to, int attribute, uint64_t at)
{
	struct pointer p;
	const uint32_t bytes = size_of(attribute);
	int error = to && bytes ? query_pointer(at, &p) : cudaErrorInvalidValue;
	if (!error && !is_known(&p))
		error = cudaErrorInvalidValue;
	if (!error && attribute == HOST_POINTER && !p.a.host_pointer)
		error = cudaErrorInvalidValue;
	if (!error)
		store_value(to, value_of(attribute, &p), bytes);
	return error;
}

/* For memory unknown to CUDA all attributes are 0, and the device is -2. */
DRIVER(cuPointerGetAttributes)(unsigned n, const int *attribute, void **to, uint64_t at)
{
	struct pointer p;
	int error = n && attribute && to ? 0 : cudaErrorInvalidValue;
	for (unsigned k = 0; !error && k < n; k++)
		if (!size_of(attribute[k]) || !to[k])
			error = cudaErrorInvalidValue;
	if (!error)
		error = query_pointer(at, &p);
	for (unsigned k = 0; !error && k < n; k++) {
		const uint64_t nothing = attribute[k] == DEVICE_ORDINAL ? (uint64_t)-2 : 0;
		store_value(to[k], is_known(&p) ? value_of(attribute[k], &p) : nothing, size_of(attribute[k]));
	}
	return error;
}

/* Hints without an effect. */
DRIVER(cuPointerSetAttribute)(const void *value, int attribute, uint64_t at)
{
	struct pointer p;
	int error = value && attribute == SYNC_MEMOPS ? query_pointer(at, &p) : cudaErrorInvalidValue;
	return error ? error : is_known(&p) ? 0 : cudaErrorInvalidValue;
}

DRIVER(cuMemGetAddressRange_v2)(uint64_t *base, size_t *bytes, uint64_t at)
{
	struct pointer p;
	const int error = query_pointer(at, &p);
	if (error)
		return error;
	if (!is_known(&p))
		return NOT_FOUND;
	if (base)
		*base = range_start(&p);
	if (bytes)
		*bytes = p.range.bytes;
	return 0;
}
