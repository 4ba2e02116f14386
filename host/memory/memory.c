/* Device memory: allocation, copies, fills; variables of modules. */
#include <stdio.h>

#include "host/graph/graph.h"
#include "host/host.h"
#include "host/memory/pool.h"

static uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p; }

API(cudaMalloc)(void **p, size_t bytes)
{
	struct call_alloc_out out;
	int error = p ? host_enter() : cudaErrorInvalidValue;
	if (!error && !bytes) {
		*p = NULL;
		return 0;
	}
	if (!error && !capture_check_unsafe(&error))
		error = call_alloc(&(struct call_alloc){bytes, address_of(HOST_CALLER()), 0}, NULL, 0, &out);
	if (!error)
		*p = (void *)(uintptr_t)out.address;
	return host_leave(error);
}

API(cudaFree)(void *p)
{
	int error = host_enter();
	if (!error && p && !capture_check_unsafe(&error)) {
		pool_note_free(p); /* before the address can be reused */
		error = call_free(&(struct call_free){address_of(p)}, NULL, 0, NULL);
	}
	if (error == cudaErrorInvalidValue && !host_free_managed(p))
		error = 0;
	return host_leave(error);
}

/* Copies within host memory after the work in the stream is done. */
static int copy_within_host(void *to, const void *from, size_t bytes, const void *stream)
{
	const int error = call_synchronize(&(struct call_synchronize){host_stream(stream), false}, NULL, 0, NULL);
	return error ? error : host_copy(to, from, bytes) ? 0 : cudaErrorInvalidValue;
}

static int copy_memory(void *to, const void *from, size_t bytes, int kind, void *stream, bool is_async)
{
	int error = host_enter();
	if (error || !bytes)
		return error;
	if (is_async && capture_add(stream, &(struct host_work)GRAPH_COPY_1D(to, from, bytes, kind), &error))
		return error;
	if (!is_async && capture_check_legacy(stream, &error))
		return error;
	if (kind == 0 && !is_async) /* host to host */
		return copy_within_host(to, from, bytes, stream);
	const struct call_copy c = {address_of(to), address_of(from),
				    bytes,	    host_stream(stream),
				    host_copy_direction(kind), is_async && host_thread()->in_graph ? WIRE_BY_GRAPH : is_async};
	return call_copy(&c, NULL, 0, NULL);
}

API(cudaMemcpy)(void *to, const void *from, size_t bytes, int kind)
{
	return host_leave(copy_memory(to, from, bytes, kind, NULL, false));
}

API(cudaMemcpyAsync)(void *to, const void *from, size_t bytes, int kind, void *stream)
{
	return host_leave(copy_memory(to, from, bytes, kind, stream, true));
}

static int fill_memory(void *to, int value, size_t bytes, void *stream, bool is_async)
{
	const struct host_fill_params p = {to, bytes, (unsigned)value & 0xff, 1, bytes, 1};
	int error = host_enter();
	if (error || !bytes)
		return error;
	if (capture_add(stream, &(struct host_work){.type = NODE_FILL, .fill = p}, &error))
		return error;
	return call_fill(&(struct call_fill){address_of(to), bytes, host_stream(stream), p.value, 1, !is_async}, NULL,
			 0, NULL);
}

API(cudaMemset)(void *to, int value, size_t bytes) { return host_leave(fill_memory(to, value, bytes, NULL, false)); }

API(cudaMemsetAsync)(void *to, int value, size_t bytes, void *stream)
{
	return host_leave(fill_memory(to, value, bytes, stream, true));
}

/* ---- variables of modules: copies to and from them in any direction ---- */

static bool goes_to_device(int kind) { return kind == 1 || kind == 3 || kind == 4; }
static bool comes_from_device(int kind) { return kind == 2 || kind == 3 || kind == 4; }

static int symbol_address(const void *variable, size_t bytes, size_t offset, uint64_t *address)
{
	uint64_t n;
	int error = host_enter();
	if (!error)
		error = host_variable_of(variable, address, &n);
	if (!error && (offset > n || bytes > n - offset)) {
		error = cudaErrorInvalidValue;
		snprintf(host_thread()->reason, sizeof host_thread()->reason,
			 "the variable has %llu bytes, the copy needs %zu from byte %zu on", (unsigned long long)n, bytes, offset);
	}
	*address += offset;
	return error;
}

static int copy_to_symbol(const void *variable, const void *from, size_t bytes, size_t offset, int kind, void *stream,
			  bool is_async)
{
	uint64_t address = 0;
	int error = symbol_address(variable, bytes, offset, &address);
	if (!error && !goes_to_device(kind))
		error = cudaErrorInvalidMemcpyDirection;
	return error ? error : copy_memory((void *)(uintptr_t)address, from, bytes, kind, stream, is_async);
}

static int copy_from_symbol(void *to, const void *variable, size_t bytes, size_t offset, int kind, void *stream,
			    bool is_async)
{
	uint64_t address = 0;
	int error = symbol_address(variable, bytes, offset, &address);
	if (!error && !comes_from_device(kind))
		error = cudaErrorInvalidMemcpyDirection;
	return error ? error : copy_memory(to, (const void *)(uintptr_t)address, bytes, kind, stream, is_async);
}

API(cudaMemcpyToSymbol)(const void *variable, const void *from, size_t bytes, size_t offset, int kind)
{
	return host_leave(copy_to_symbol(variable, from, bytes, offset, kind, NULL, false));
}

API(cudaMemcpyFromSymbol)(void *to, const void *variable, size_t bytes, size_t offset, int kind)
{
	return host_leave(copy_from_symbol(to, variable, bytes, offset, kind, NULL, false));
}

API(cudaMemcpyToSymbolAsync)
(const void *variable, const void *from, size_t bytes, size_t offset, int kind, void *stream)
{
	return host_leave(copy_to_symbol(variable, from, bytes, offset, kind, stream, true));
}

API(cudaMemcpyFromSymbolAsync)
(void *to, const void *variable, size_t bytes, size_t offset, int kind, void *stream)
{
	return host_leave(copy_from_symbol(to, variable, bytes, offset, kind, stream, true));
}

API(cudaGetSymbolAddress)(void **p, const void *variable)
{
	uint64_t address = 0;
	const int error = p ? symbol_address(variable, 0, 0, &address) : cudaErrorInvalidValue;
	if (!error)
		*p = (void *)(uintptr_t)address;
	return host_leave(error);
}

API(cudaGetSymbolSize)(size_t *bytes, const void *variable)
{
	uint64_t address, n = 0;
	int error = bytes ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = host_variable_of(variable, &address, &n);
	if (!error)
		*bytes = n;
	return host_leave(error);
}

API(cudaMemGetInfo)(size_t *free, size_t *total)
{
	struct call_memory_info_out out;
	int error = free && total ? host_enter() : cudaErrorInvalidValue;
	if (!error)
		error = call_memory_info(&(struct call_memory_info){}, NULL, 0, &out);
	if (!error) {
		*free = out.free;
		*total = out.total;
	}
	return host_leave(error);
}

/* ---- stream-ordered ---- */

static int capture_allocates(void **p, size_t bytes, const void *stream, const void *caller)
{
	int error = 0;
	struct host_graph_memory *m = graph_memory_make(bytes ? bytes : 1, caller, &error);
	if (!m)
		return error;
	const struct host_work w = {
		.type = NODE_ALLOC,
		.alloc = {.properties = {1, 0, 1, 0}, .bytes = bytes, .at = graph_memory_address(m)},
		.memory = m};
	if (!capture_add(stream, &w, &error))
		error = cudaErrorStreamCaptureInvalidated;
	*p = graph_memory_address(m);
	graph_memory_release(m);
	return error;
}

/* Allocates in the order of a stream. The address is returned at once, as the program may use it only in the stream's order. 0 bytes give NULL, as
 * with cudaMalloc. */
static int allocate_in_stream(void **p, size_t bytes, struct host_pool *pool, void *stream, const void *caller)
{
	struct call_alloc_out out;
	int error = p ? host_enter() : cudaErrorInvalidValue;
	if (!error && !host_stream_lives(stream))
		error = cudaErrorInvalidResourceHandle;
	if (!error && !bytes) {
		*p = NULL;
		return 0;
	}
	if (!error && capture_is_active(stream))
		return capture_allocates(p, bytes, stream, caller);
	if (!error && !pool_has_space(pool, bytes))
		error = cudaErrorMemoryAllocation;
	if (!error)
		error = call_alloc(&(struct call_alloc){bytes, address_of(caller), 1 + host_stream(stream)}, NULL, 0, &out);
	if (error)
		return error;
	*p = (void *)(uintptr_t)out.address;
	pool_note_allocation(pool, *p, bytes);
	return 0;
}

API(cudaMallocAsync)(void **p, size_t bytes, void *stream)
{
	return host_leave(allocate_in_stream(p, bytes, pool_current(), stream, HOST_CALLER()));
}

API(cudaMallocFromPoolAsync)(void **p, size_t bytes, struct host_pool *pool, void *stream)
{
	return host_leave(pool_is_own(pool) ? allocate_in_stream(p, bytes, pool, stream, HOST_CALLER())
					    : cudaErrorInvalidValue);
}

API(cudaFreeAsync)(void *p, void *stream)
{
	int error = host_enter();
	if (!error && p && !capture_add(stream, &(struct host_work){.type = NODE_FREE, .freed = p}, &error)) {
		pool_note_free(p);
		error = call_free_in_stream(&(struct call_free_in_stream){address_of(p), host_stream(stream)}, NULL, 0,
					    NULL);
	}
	return host_leave(error);
}

API(cudaMemcpyPeer)(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
	return host_leave(to_device || from_device ? cudaErrorInvalidDevice
						   : copy_memory(to, from, bytes, 3, NULL, false));
}

API(cudaMemcpyPeerAsync)(void *to, int to_device, const void *from, int from_device, size_t bytes, void *stream)
{
	return host_leave(to_device || from_device ? cudaErrorInvalidDevice
						   : copy_memory(to, from, bytes, 3, stream, true));
}
