/* Allocations, and checks of the address ranges that calls may use. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/memory/state.h"
#include "server/stream/deferred.h"
#include "server/stream/stream.h"
#include "debug/findings/findings.h"
#include "debug/setup/buffer.h"

void memory_create(struct server *c, uint64_t most)
{
	c->memory = xcalloc(1, sizeof *c->memory);
	c->memory->most = most;
	c->memory->shared = shared_create();
	c->memory->graphs = graph_memory_create();
	c->memory->virtual = virtual_create();
}

void memory_destroy(struct server *c)
{
	shared_free(c->memory->shared);
	graph_memory_destroy(c->memory->graphs);
	virtual_destroy(c->memory->virtual);
	free(c->memory);
}

bool memory_must_wait(const struct server_call *c)
{
	if (!context_is_idle(c))
		return true;
	stream_record_wait(c->server, GPU_WAITED_ALL, 0);
	return false;
}

void memory_new_name(const struct server *c, char *name, size_t n)
{
	snprintf(name, n, "alloc_%llu", (unsigned long long)c->memory->n_allocations + 1);
}

uint64_t memory_allocate(struct server_call *call, uint64_t bytes, enum wire_memory kind, uint64_t caller)
{
	static const char *const kinds[] = {"", "device", "host", "managed"};
	struct server *c = call->server;
	const bool pages = kind != WIRE_MEMORY_DEVICE;
	char name[32];
	if (bytes > memory_available(c))
		memory_reclaim(c);
	if (bytes > memory_available(c))
		return 0;
	memory_new_name(c, name, sizeof name);
	const struct gpu_input alloc = {.kind = pages ? GPU_INPUT_ALLOC_PAGES : GPU_INPUT_ALLOC,
					.alloc = {.bytes = bytes,
						  .name = name,
						  .context = call->client->context,
						  .by_program = true,
						  .caller = caller}};
	const int64_t address = session_input(c->session, &alloc, NULL);
	if (address <= 0)
		return 0;
	c->memory->n_allocations++;
	c->memory->used += bytes;
	debug_buffer_adopt(c->dbg, name, (uint64_t)address, bytes, kinds[kind], caller);
	debug_host_memory(c->dbg, &(struct debug_memory_event){.kind = DEBUG_MEMORY_ALLOCATED, .to = (uint64_t)address, .bytes = bytes});
	return (uint64_t)address;
}

bool memory_free(struct server *c, uint64_t address, uint64_t caller)
{
	const struct gpu_input free_it = {.kind = GPU_INPUT_FREE, .memory = {address, caller}};
	const struct gpu_allocation *a = gpu_nearest_allocation(c->gpu, address);
	const uint64_t bytes = a ? a->bytes : 0;
	if (!a || a->address != address || !a->live || !a->by_program || !session_input(c->session, &free_it, NULL))
		return false;
	c->memory->used -= bytes;
	ipc_forget(c, WIRE_EXPORT_MEMORY, address);
	ipc_forget(c, WIRE_EXPORT_POINTER, address);
	debug_buffer_forget(c->dbg, address);
	return true;
}

/* Returns whether an allocation or range of the calling process begins at `address`. */
static bool begins_own_memory(const struct server_call *c, uint64_t address)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->server->gpu, address);
	return a && gpu_allocation_start(a) == address && a->context == c->client->context;
}

/* Records that memory of a pool is allocated or freed in the order of a stream. */
static void record_pool(struct server_call *c, struct gpu_operation_spec operation, uint64_t address, bool is_free)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->server->gpu, address);
	const struct gpu_input note = {.kind = GPU_INPUT_POOL,
				       .copy = {.address = address,
						.n = a ? a->bytes : 0,
						.caller = server_called_from(c),
						.context = c->client->context,
						.is_free = is_free,
						.operation = operation}};
	if (!a || a->address != address)
		return;
	session_input(c->server->session, &note, NULL);
	debug_host_found(c->server->dbg);
}

uint32_t serve_alloc(struct server_call *c, const struct call_alloc *in, struct call_alloc_out *out)
{
	out->address = memory_allocate(c, in->bytes, WIRE_MEMORY_DEVICE, in->caller);
	if (out->address && in->pool_stream)
		record_pool(c, stream_operation(c, in->pool_stream - 1), out->address, false);
	return out->address ? 0 : WIRE_OUT_OF_MEMORY;
}

static uint32_t refuse_free(const struct server_call *c, uint64_t address)
{
	const struct check_free wrong = {.address = address,
					 .again = graph_memory_was_freed(c->server, address),
					 .context = c->client->context,
					 .caller = server_called_from(c)};
	debug_wrong_free(c->server->dbg, &wrong);
	c->slot->refused.is_found = true;
	return WIRE_INVALID_VALUE;
}

/* Waits first: as with CUDA, earlier launches may use the memory until they end. */
uint32_t serve_free(struct server_call *c, const struct call_free *in, struct call_free_out *out)
{
	(void)out;
	if (memory_must_wait(c))
		return SERVER_AGAIN;
	if (shared_kind(c->server, in->address)) /* the library frees shared memory by another call */
		return WIRE_INVALID_VALUE;
	if (ipc_close(c, WIRE_EXPORT_POINTER, in->address))
		return 0;
	const bool is_own = begins_own_memory(c, in->address);
	if (is_own && (graph_memory_has(c->server, in->address) ? !graph_memory_free(c->server, in->address)
							      : memory_free(c->server, in->address, server_called_from(c))))
		return 0;
	return refuse_free(c, in->address);
}

uint64_t memory_total(const struct server *c) { return c->memory->most; }
uint64_t memory_available(const struct server *c) { return c->memory->most - c->memory->used; }

static void free_allocation(struct server *c, uint64_t address)
{
	if (!shared_free_at(c, address))
		memory_free(c, address, 0);
}

/* The driver's virtual memory belongs to the process and survives a reset of its context. */
void memory_reset(struct server *c, uint32_t context)
{
	size_t n;
	shared_free_context(c, context);
	graph_memory_forget(c, context);
	const struct gpu_allocation *a = gpu_allocations(c->gpu, &n);
	for (size_t k = 0; k < n; k++)
		if (a[k].live && memory_selects(context, a[k].context))
			memory_free(c, a[k].address, 0);
	if ((context == GPU_EVERY_CONTEXT || !contexts_have_several(c)) && !virtual_has_ranges(c))
		c->memory->n_allocations = 0;
}

void memory_free_of(struct server *c, uint32_t context)
{
	virtual_forget(c, context);
	memory_reset(c, context);
}

/* Memory that another process has opened is left alone. */
void memory_reclaim(struct server *c)
{
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(c->gpu, &n);
	for (size_t k = 0; k < n; k++)
		if (a[k].live && c->context[a[k].context].has_ended && a[k].users == UINT32_C(1) << a[k].context)
			free_allocation(c, a[k].address);
	virtual_reclaim(c);
}

/* ---- ranges ---- */

bool memory_is_constant(const struct server *c, uint64_t address, uint64_t n)
{
	const uint64_t most = gpu_program(c->gpu)->const_next;
	return address >= EXEC_CONST_WINDOW && address - EXEC_CONST_WINDOW < most &&
	       n <= most - (address - EXEC_CONST_WINDOW);
}

bool memory_is_exportable(const struct server_call *c, uint64_t address)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->server->gpu, address);
	return a && a->live && !a->reserved && a->context == c->client->context && address >= a->address &&
	       address - a->address < a->bytes && a->by_program &&
	       !shared_kind(c->server, a->address);
}

/* Returns the allocation or range at `address` that the caller may use; NULL if there is none. Memory that kernels allocate is invisible to CUDA's
 * calls. */
static const struct gpu_allocation *usable_allocation(const struct server_call *c, uint64_t address)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->server->gpu, address);
	return a && (a->live || a->reserved) && !a->by_kernel && address >= a->address &&
			       address - a->address < a->bytes && a->users >> c->client->context & 1
		       ? a
		       : NULL;
}

bool memory_is_device(const struct server_call *c, uint64_t address)
{
	return memory_is_constant(c->server, address, 0) || usable_allocation(c, address);
}

enum use { LATER, READ, WRITE };

static bool permits(const struct server_call *c, const struct gpu_allocation *a, enum use use)
{
	const bool is_there = a->live || a->alias;
	return use == LATER ? is_there || graph_memory_has(c->server, a->range)
			    : is_there && !(use == WRITE && a->read_only);
}

/* Returns whether the use is permitted for n bytes: in one allocation, or in adjacent parts of one range. */
static bool range_permits(const struct server_call *c, uint64_t address, uint64_t n, enum use use)
{
	if (memory_is_constant(c->server, address, 0))
		return memory_is_constant(c->server, address, n);
	const struct gpu_allocation *a = usable_allocation(c, address);
	const uint64_t range = a && a->reserved ? a->range : 0;
	while (a && permits(c, a, use)) {
		const uint64_t left = a->bytes - (address - a->address);
		if (n <= left)
			return true;
		address += left;
		n -= left;
		a = range ? usable_allocation(c, address) : NULL;
		a = a && a->reserved && a->range == range ? a : NULL;
	}
	return false;
}

bool memory_will_fit(const struct server_call *c, uint64_t address, uint64_t n)
{
	return range_permits(c, address, n, LATER);
}
bool memory_fits(const struct server_call *c, uint64_t address, uint64_t n) { return range_permits(c, address, n, READ); }
bool memory_may_write(const struct server_call *c, uint64_t address, uint64_t n)
{
	return range_permits(c, address, n, WRITE);
}

uint64_t memory_contiguous(const struct server *c, uint64_t address, uint64_t *n)
{
	if (memory_is_constant(c, address, 0))
		return address;
	const struct gpu_allocation *a = gpu_nearest_allocation(c->gpu, address);
	const uint64_t offset = address - a->address, left = a->bytes - offset;
	*n = *n < left ? *n : left;
	return a->alias ? a->alias + offset : address;
}

uint64_t memory_device_address(const struct server_call *c, uint64_t address)
{
	return address >= gpu_exec(c->server->gpu)->limits->device_end
		       ? gpu_device_address_of(c->server->gpu, c->client->context, address)
		       : address;
}

uint64_t memory_usable(const struct server_call *c, uint64_t address, uint64_t n, bool writes)
{
	uint64_t fits = 0;
	for (uint64_t step = UINT64_C(1) << 40; step; step /= 2)
		if (fits + step <= n && range_permits(c, address, fits + step, writes ? WRITE : READ))
			fits += step;
	return fits;
}

/* ---- freeing in the order of a stream ---- */

/* Frees at the call's turn in the stream: earlier work there may use the memory. */
uint32_t serve_free_in_stream(struct server_call *c, const struct call_free_in_stream *in,
			      struct call_free_in_stream_out *out)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->server->gpu, in->address);
	(void)out;
	if (graph_memory_has(c->server, in->address) && begins_own_memory(c, in->address)) {
		const uint32_t error = graph_memory_free_in_stream(c, in->address, in->stream);
		return error == WIRE_INVALID_VALUE ? refuse_free(c, in->address) : error;
	}
	const bool is_own = a && a->context == c->client->context && a->live && a->address == in->address &&
			    !shared_kind(c->server, in->address);
	if (!is_own && !ipc_has_opened(c, WIRE_EXPORT_POINTER, in->address))
		return refuse_free(c, in->address);
	const uint32_t turn = deferred_enqueue(c, in->stream, &(struct deferred_source){0});
	if (turn)
		return turn == SERVER_DEFERRED ? 0 : turn;
	if (is_own)
		record_pool(c, stream_operation(c, in->stream), in->address, true);
	return ipc_close(c, WIRE_EXPORT_POINTER, in->address) || (is_own && memory_free(c->server, in->address, server_called_from(c)))
		       ? 0
		       : WIRE_INVALID_VALUE;
}
