/* Memory shared by program and device: page-locked, mapped, managed and registered memory. Registered memory keeps the program's address; the device
 * has it in its own memory and knows both addresses. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host/graph/graph.h"
#include "host/host.h"

static uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p; }

enum { PAGE = 4096 };

static int allocate_shared(void **p, size_t bytes, enum wire_memory kind, unsigned flags, const void *caller)
{
	struct call_host_alloc_out out;
	int error = p ? host_enter() : cudaErrorInvalidValue;
	if (error || capture_check_unsafe(&error))
		return error;
	*p = NULL;
	if (!bytes)
		return kind == WIRE_MEMORY_MANAGED ? cudaErrorInvalidValue : 0;
	error = call_host_alloc(&(struct call_host_alloc){bytes, 0, address_of(caller), kind, flags}, NULL, 0, &out);
	if (error)
		return error;
	if (!host_map(out.address, bytes, NULL)) {
		struct call_host_free_out freed;
		call_host_free(&(struct call_host_free){out.address, kind, 0}, NULL, 0, &freed);
		return cudaErrorMemoryAllocation;
	}
	*p = (void *)(uintptr_t)out.address;
	if (kind == WIRE_MEMORY_MANAGED)
		host_guards_add(out.address, bytes);
	return 0;
}

/* Frees shared memory, on the device first: the address may be reused at once. */
static int free_shared(void *p, enum wire_memory kind)
{
	struct call_host_free_out out;
	const int error = call_host_free(&(struct call_host_free){address_of(p), kind, 0}, NULL, 0, &out);
	if (!error) {
		host_guards_remove(address_of(p));
		host_unmap(address_of(p), out.bytes);
		host_advice_drop(address_of(p), out.bytes);
	}
	return error;
}

API(cudaHostAlloc)(void **p, size_t bytes, unsigned flags)
{
	return host_leave(flags > 7 ? cudaErrorInvalidValue
				    : allocate_shared(p, bytes, WIRE_MEMORY_HOST, flags, HOST_CALLER()));
}

API(cudaMallocHost)(void **p, size_t bytes)
{
	return host_leave(allocate_shared(p, bytes, WIRE_MEMORY_HOST, 0, HOST_CALLER()));
}

API(cudaFreeHost)(void *p)
{
	int error = host_enter();
	if (!error && p)
		error = free_shared(p, WIRE_MEMORY_HOST);
	return host_leave(error);
}

API(cudaMallocManaged)(void **p, size_t bytes, unsigned flags)
{
	return host_leave(flags != 1 && flags != 2
				  ? cudaErrorInvalidValue
				  : allocate_shared(p, bytes, WIRE_MEMORY_MANAGED, flags, HOST_CALLER()));
}

int host_free_managed(void *p) { return free_shared(p, WIRE_MEMORY_MANAGED); }

/* ---- registered memory: its pages are replaced by pages of device memory with the same contents ---- */

struct registered {
	uint64_t begin, pages_begin, pages_bytes, device; /* device: device address of the first page */
	struct registered *next;
};
static struct registered *registered;
static struct host_lock lock;

static struct registered *registered_at(uint64_t a)
{
	struct registered *r = registered;
	while (r && (a < r->begin || a >= r->pages_begin + r->pages_bytes))
		r = r->next;
	return r;
}

/* Returns whether the memory contains local variables of the calling thread. */
static bool is_on_stack(const struct registered *r)
{
	pthread_attr_t a;
	void *stack = NULL;
	size_t bytes = 0;
	if (pthread_getattr_np(pthread_self(), &a))
		return false;
	pthread_attr_getstack(&a, &stack, &bytes);
	pthread_attr_destroy(&a);
	return r->pages_begin < address_of(stack) + bytes && address_of(stack) < r->pages_begin + r->pages_bytes;
}

static int register_pages(struct registered *r, const void *caller)
{
	struct call_host_alloc_out out;
	const struct call_host_alloc in = {r->pages_bytes, r->pages_begin, address_of(caller), WIRE_MEMORY_HOST,
					   is_on_stack(r) ? WIRE_ON_STACK : 0};
	int error = call_host_alloc(&in, NULL, 0, &out);
	if (error)
		return error;
	r->device = out.address;
	void *copy = (void *)(uintptr_t)r->device, *pages = (void *)(uintptr_t)r->pages_begin;
	if (host_map(r->device, r->pages_bytes, NULL) && host_copy(copy, pages, r->pages_bytes) &&
	    host_map(r->device, r->pages_bytes, pages))
		return 0;
	free_shared(copy, WIRE_MEMORY_HOST);
	return cudaErrorInvalidValue;
}

API(cudaHostRegister)(void *p, size_t bytes, unsigned flags)
{
	int error = !p || !bytes || flags > 15 ? cudaErrorInvalidValue : host_enter();
	struct registered *r = error ? NULL : calloc(1, sizeof *r);
	if (!r)
		return host_leave(error ? error : cudaErrorMemoryAllocation);
	r->begin = address_of(p);
	r->pages_begin = r->begin & ~(uint64_t)(PAGE - 1);
	r->pages_bytes = ((r->begin + bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1)) - r->pages_begin;
	host_lock(&lock);
	error = registered_at(r->begin) ? cudaErrorHostMemoryAlreadyRegistered : register_pages(r, HOST_CALLER());
	if (!error) {
		r->next = registered;
		registered = r;
	} else {
		free(r);
	}
	host_unlock(&lock);
	return host_leave(error);
}

/* Replaces the device's pages by private pages with the same contents. */
static int restore_pages(const struct registered *r)
{
	void *pages = (void *)(uintptr_t)r->pages_begin, *device = (void *)(uintptr_t)r->device;
	void *own = mmap(NULL, r->pages_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (own == MAP_FAILED || !host_copy(own, device, r->pages_bytes) ||
	    mremap(own, r->pages_bytes, r->pages_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pages) == MAP_FAILED)
		return cudaErrorMemoryAllocation;
	return free_shared(device, WIRE_MEMORY_HOST);
}

API(cudaHostUnregister)(void *p)
{
	int error = host_enter();
	if (error)
		return host_leave(error);
	host_lock(&lock);
	struct registered **at = &registered;
	while (*at && (*at)->begin != address_of(p))
		at = &(*at)->next;
	struct registered *r = *at;
	error = r ? restore_pages(r) : cudaErrorHostMemoryNotRegistered;
	if (!error) {
		*at = r->next;
		free(r);
	}
	host_unlock(&lock);
	return host_leave(error);
}

/* ---- pointer queries ---- */

/* struct cudaPointerAttributes */
struct pointer_attributes {
	int type, device;
	void *device_pointer, *host_pointer;
};
enum { TYPE_UNREGISTERED, TYPE_HOST, TYPE_DEVICE, TYPE_MANAGED };

static int query_pointer(const void *p, struct call_pointer_out *out)
{
	const int error = host_enter();
	return error ? error : call_pointer(&(struct call_pointer){address_of(p)}, NULL, 0, out);
}

static bool is_registered(const void *p)
{
	host_lock(&lock);
	const bool is = registered_at(address_of(p));
	host_unlock(&lock);
	return is;
}

API(cudaPointerGetAttributes)(struct pointer_attributes *a, const void *p)
{
	struct call_pointer_out out;
	const int error = a ? query_pointer(p, &out) : cudaErrorInvalidValue;
	if (error)
		return host_leave(error);
	void *same = (void *)(uintptr_t)p;
	*a = (struct pointer_attributes){TYPE_UNREGISTERED, -2, NULL, NULL};
	if (out.kind == WIRE_MEMORY_DEVICE)
		*a = (struct pointer_attributes){TYPE_DEVICE, 0, same, NULL};
	else if (out.kind == WIRE_MEMORY_HOST || is_registered(p))
		*a = (struct pointer_attributes){TYPE_HOST, 0, same, same};
	else if (out.kind == WIRE_MEMORY_MANAGED)
		*a = (struct pointer_attributes){TYPE_MANAGED, 0, same, same};
	else
		a->host_pointer = same;
	return 0;
}

API(cudaHostGetDevicePointer)(void **device, void *p, unsigned flags)
{
	struct call_pointer_out out;
	int error = device && !flags ? query_pointer(p, &out) : cudaErrorInvalidValue;
	if (!error && !is_registered(p) && out.kind != WIRE_MEMORY_HOST && out.kind != WIRE_MEMORY_MANAGED)
		error = cudaErrorInvalidValue;
	if (!error)
		*device = p;
	return host_leave(error);
}

API(cudaHostGetFlags)(unsigned *flags, void *p)
{
	struct call_pointer_out out;
	int error = flags ? query_pointer(p, &out) : cudaErrorInvalidValue;
	if (!error && out.kind != WIRE_MEMORY_HOST)
		error = cudaErrorInvalidValue;
	if (!error)
		*flags = out.flags | 2; /* cudaHostAllocMapped */
	return host_leave(error);
}
