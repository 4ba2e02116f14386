/* Memory: allocations, copies, fills. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cuda/channel/channel.h"
#include "cuda/memory/room.h"
#include "cuda/stream/later.h"
#include "cuda/stream/stream.h"
#include "debug/findings/findings.h"
#include "debug/setup/buffer.h"

#define PART_BYTES ((uint64_t)256 << 10) /* of a copy: stays in the host's cache */

void memory_room_create(struct cuda *c, uint64_t most)
{
	c->memory = xcalloc(1, sizeof *c->memory);
	c->memory->most = most;
	c->memory->shared = shared_create();
	c->memory->graphs = graph_memory_create();
	c->memory->virtual = virtual_create();
}

void memory_room_free(struct cuda *c)
{
	shared_free(c->memory->shared);
	graph_memory_free_room(c->memory->graphs);
	virtual_free_room(c->memory->virtual);
	free(c->memory);
}

/* The context's work so far has to be done first. */
bool memory_must_wait(const struct cuda_call *c)
{
	if (!context_is_idle(c))
		return true;
	stream_waited(c->cuda, GPU_WAITED_ALL, 0);
	return false;
}

void memory_new_name(const struct cuda *c, char *name, size_t n)
{
	snprintf(name, n, "alloc_%llu", (unsigned long long)c->memory->n_allocations + 1);
}

uint64_t memory_allocate(struct cuda_call *call, uint64_t bytes, enum wire_memory kind, uint64_t caller)
{
	static const char *const kinds[] = {"", "device", "host", "managed"};
	struct cuda *c = call->cuda;
	const bool pages = kind != WIRE_MEMORY_DEVICE;
	char name[32];
	if (bytes > memory_left(c))
		memory_reclaim(c);
	if (bytes > memory_left(c))
		return 0;
	memory_new_name(c, name, sizeof name);
	const struct gpu_input alloc = {.kind = pages ? GPU_INPUT_ALLOC_PAGES : GPU_INPUT_ALLOC,
					.n = bytes,
					.name = name,
					.context = call->client->context};
	const int64_t address = session_input(c->session, &alloc, NULL);
	if (address <= 0)
		return 0;
	c->memory->n_allocations++;
	c->memory->used += bytes;
	debug_buffer_adopt(c->dbg, name, (uint64_t)address, bytes, kinds[kind], caller);
	return (uint64_t)address;
}

bool memory_free(struct cuda *c, uint64_t address)
{
	const struct gpu_input free_it = {.kind = GPU_INPUT_FREE, .address = address};
	const struct gpu_allocation *a = gpu_nearest_allocation(c->gpu, address);
	const uint64_t bytes = a ? a->bytes : 0;
	if (!a || a->address != address || !a->live || a->by_kernel || strncmp(a->name, "alloc_", 6) ||
	    !session_input(c->session, &free_it, NULL))
		return false;
	c->memory->used -= bytes;
	ipc_forget(c, WIRE_LENT_MEMORY, address);
	ipc_forget(c, WIRE_LENT_POINTER, address);
	debug_buffer_forget(c->dbg, address);
	return true;
}

uint32_t serve_alloc(struct cuda_call *c, const struct call_alloc *in, struct call_alloc_out *out)
{
	out->address = memory_allocate(c, in->bytes, WIRE_MEMORY_DEVICE, in->caller);
	return out->address ? 0 : cudaErrorMemoryAllocation;
}

static uint32_t wrong_free(const struct cuda *c, uint64_t address)
{
	debug_wrong_free(c->dbg, address, graph_memory_was_freed(c, address));
	return cudaErrorInvalidValue;
}

/* As with CUDA, what was launched before may use it to its end. */
uint32_t serve_free(struct cuda_call *c, const struct call_free *in, struct call_free_out *out)
{
	(void)out;
	if (memory_must_wait(c))
		return CUDA_AGAIN;
	if (shared_kind(c->cuda, in->address)) /* which the library frees otherwise */
		return cudaErrorInvalidValue;
	if (ipc_close(c, WIRE_LENT_POINTER, in->address))
		return 0;
	const bool is_own = memory_is_own(c, in->address);
	if (is_own && (graph_memory_has(c->cuda, in->address) ? !graph_memory_free(c->cuda, in->address)
							      : memory_free(c->cuda, in->address)))
		return 0;
	return wrong_free(c->cuda, in->address);
}

uint64_t memory_total(const struct cuda *c) { return c->memory->most; }
uint64_t memory_left(const struct cuda *c) { return c->memory->most - c->memory->used; }

static void give_back(struct cuda *c, uint64_t address)
{
	if (!shared_give_back(c, address))
		memory_free(c, address);
}

/* What the driver's virtual memory management gives belongs to the process, whichever contexts come and go. */
void memory_reset(struct cuda *c, uint32_t context)
{
	size_t n;
	shared_forget(c, context);
	graph_memory_forget(c, context);
	const struct gpu_allocation *a = gpu_allocations(c->gpu, &n);
	for (size_t k = 0; k < n; k++)
		if (a[k].live && memory_means(context, a[k].context))
			memory_free(c, a[k].address);
	if ((context == GPU_EVERY_CONTEXT || !contexts_several(c)) && !virtual_any(c))
		c->memory->n_allocations = 0;
}

void memory_free_of(struct cuda *c, uint32_t context)
{
	virtual_forget(c, context);
	memory_reset(c, context);
}

/* What another process has opened stays. */
void memory_reclaim(struct cuda *c)
{
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(c->gpu, &n);
	for (size_t k = 0; k < n; k++)
		if (a[k].live && c->context[a[k].context].has_ended && a[k].users == UINT32_C(1) << a[k].context)
			give_back(c, a[k].address);
	virtual_reclaim(c);
}

/* ---- ranges ---- */

/* Constants lie in a space of their own, which programs see as a part of the generic one. */
static bool is_constant(const struct cuda *c, uint64_t address, uint64_t n)
{
	const uint64_t most = gpu_program(c->gpu)->const_next;
	return address >= EXEC_CONST_WINDOW && address - EXEC_CONST_WINDOW < most &&
	       n <= most - (address - EXEC_CONST_WINDOW);
}

bool memory_is_own(const struct cuda_call *c, uint64_t address)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->cuda->gpu, address);
	return a && gpu_allocation_start(a) == address && a->context == c->client->context;
}

bool memory_may_be_lent(const struct cuda_call *c, uint64_t address)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->cuda->gpu, address);
	return a && a->live && !a->reserved && a->context == c->client->context && address >= a->address &&
	       address - a->address < a->bytes && !strncmp(a->name, "alloc_", 6) && !shared_kind(c->cuda, a->address);
}

/* That holds the address; NULL: none that the caller may use. What kernels allocate is theirs: CUDA's calls know nothing of it. */
static const struct gpu_allocation *holder(const struct cuda_call *c, uint64_t address)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->cuda->gpu, address);
	return a && (a->live || a->reserved) && !a->by_kernel && address >= a->address &&
			       address - a->address < a->bytes && a->users >> c->client->context & 1
		       ? a
		       : NULL;
}

bool memory_is_device(const struct cuda_call *c, uint64_t address)
{
	return is_constant(c->cuda, address, 0) || holder(c, address);
}

enum use { LATER, READ, WRITE };

static bool serves(const struct cuda_call *c, const struct gpu_allocation *a, enum use use)
{
	const bool is_there = a->live || a->alias;
	return use == LATER ? is_there || graph_memory_has(c->cuda, a->range)
			    : is_there && !(use == WRITE && a->read_only);
}

/* One piece has it, or parts of one range that follow each other. */
static bool holds(const struct cuda_call *c, uint64_t address, uint64_t n, enum use use)
{
	if (is_constant(c->cuda, address, 0))
		return is_constant(c->cuda, address, n);
	const struct gpu_allocation *a = holder(c, address);
	const uint64_t range = a && a->reserved ? a->range : 0;
	while (a && serves(c, a, use)) {
		const uint64_t left = a->bytes - (address - a->address);
		if (n <= left)
			return true;
		address += left;
		n -= left;
		a = range ? holder(c, address) : NULL;
		a = a && a->reserved && a->range == range ? a : NULL;
	}
	return false;
}

bool memory_will_fit(const struct cuda_call *c, uint64_t address, uint64_t n) { return holds(c, address, n, LATER); }
bool memory_fits(const struct cuda_call *c, uint64_t address, uint64_t n) { return holds(c, address, n, READ); }
bool memory_may_write(const struct cuda_call *c, uint64_t address, uint64_t n) { return holds(c, address, n, WRITE); }

/* Where the device has what is at an address of a range that fits; of *n bytes as many as lie there in one piece. */
static uint64_t piece_at(const struct cuda *c, uint64_t address, uint64_t *n)
{
	if (is_constant(c, address, 0))
		return address;
	const struct gpu_allocation *a = gpu_nearest_allocation(c->gpu, address);
	const uint64_t offset = address - a->address, left = a->bytes - offset;
	*n = *n < left ? *n : left;
	return a->alias ? a->alias + offset : address;
}

/* An address of the host's, in memory that the device knows. */
static uint64_t of_host(const struct cuda_call *c, uint64_t address)
{
	return address >= gpu_exec(c->cuda->gpu)->limits->device_end
		       ? gpu_device_address_of(c->cuda->gpu, c->client->context, address)
		       : address;
}

/* ---- copies ---- */

/* Of what piece_at has found. */
static const char *bytes_at(const struct cuda *c, uint64_t address)
{
	const struct exec *e = gpu_exec(c->gpu);
	return is_constant(c, address, 0) ? arena_at(gpu_arena(c->gpu), e->sec_const, address - EXEC_CONST_WINDOW)
					  : e->global + address;
}

/* `in` says the kind, where and from where the bytes are. */
static bool put(const struct cuda_call *c, uint64_t stream, const struct gpu_input *in)
{
	struct gpu_input done = *in;
	done.caller = cuda_called_from(c);
	done.context = c->client->context;
	done.operation = stream_operation(c, stream);
	if (is_constant(c->cuda, in->address, 0)) {
		done.kind = GPU_INPUT_BYTES;
		done.address -= EXEC_CONST_WINDOW;
		done.section = gpu_exec(c->cuda->gpu)->sec_const;
	}
	shared_before_put(c->cuda, in->address, in->n);
	const bool ok = session_input(c->cuda->session, &done, NULL);
	shared_put(c->cuda, in->address, in->n);
	debug_host_found(c->cuda->dbg);
	return ok;
}

static bool put_copy(const struct cuda_call *c, const struct call_copy *in, const char *bytes)
{
	bool ok = true;
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done;
		const uint64_t to = piece_at(c->cuda, in->to + done, &n);
		ok = put(c, in->stream,
			 &(struct gpu_input){.kind = GPU_INPUT_COPY, .address = to, .n = n, .data = bytes + done});
	}
	return ok;
}

/* Of the program's memory: goes straight to where the device has it. */
struct program_part {
	struct cuda_call *c;
	uint64_t address;
	bool is_read;
};

static void fetch(void *self, void *to, uint64_t n)
{
	struct program_part *p = self;
	p->is_read = channel_read(p->c, p->address, to, n);
}

/* How much from an address on comes at once: all that was written before, as that takes no memory in between. */
static uint64_t straight(const struct cuda *c, uint64_t to, uint64_t bytes)
{
	uint64_t n = 0;
	while (n < bytes && arena_written(gpu_arena(c->gpu), gpu_exec(c->gpu)->sec_global, to + n,
					  bytes - n < PART_BYTES ? bytes - n : PART_BYTES))
		n += PART_BYTES;
	n = n ? n : PART_BYTES;
	return n < bytes ? n : bytes;
}

static bool to_constant(struct cuda_call *c, const struct call_copy *in)
{
	char *bytes = xmalloc(in->bytes);
	const bool ok = channel_read(c, in->from, bytes, in->bytes) && put_copy(c, in, bytes);
	free(bytes);
	return ok;
}

static uint32_t to_device(struct cuda_call *c, const struct call_copy *in)
{
	if (c->ahead)
		return memory_may_write(c, in->to, in->bytes) && put_copy(c, in, c->ahead) ? 0 : cudaErrorInvalidValue;
	bool ok = memory_may_write(c, in->to, in->bytes);
	if (ok && is_constant(c->cuda, in->to, 0))
		return to_constant(c, in) ? 0 : cudaErrorInvalidValue;
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done;
		const uint64_t to = piece_at(c->cuda, in->to + done, &n);
		n = straight(c->cuda, to, n);
		struct program_part part = {.c = c, .address = in->from + done};
		const struct gpu_source source = {fetch, &part};
		const struct gpu_input copy = {.kind = GPU_INPUT_COPY, .address = to, .n = n, .source = &source};
		ok = put(c, in->stream, &copy) && part.is_read;
	}
	return ok ? 0 : cudaErrorInvalidValue;
}

static uint32_t within_device(struct cuda_call *c, const struct call_copy *in)
{
	char *part = xmalloc(in->bytes < PART_BYTES ? in->bytes : PART_BYTES);
	bool ok = memory_may_write(c, in->to, in->bytes) && memory_fits(c, in->from, in->bytes);
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < PART_BYTES ? in->bytes - done : PART_BYTES;
		const uint64_t to = piece_at(c->cuda, in->to + done, &n);
		const uint64_t from = piece_at(c->cuda, in->from + done, &n);
		memcpy(part, bytes_at(c->cuda, from), n);
		const struct gpu_input copy = {
			.kind = GPU_INPUT_WRITE, .address = to, .n = n, .data = part, .from = from};
		ok = put(c, in->stream, &copy);
	}
	free(part);
	return ok ? 0 : cudaErrorInvalidValue;
}

/* As a result, if it isn't constant memory. */
static void is_read(struct cuda_call *c, const struct call_copy *in)
{
	struct gpu_input read = {.kind = GPU_INPUT_READ,
				 .caller = cuda_called_from(c),
				 .context = c->client->context,
				 .operation = stream_operation(c, in->stream)};
	if (!memory_fits(c, in->from, in->bytes) || is_constant(c->cuda, in->from, 0))
		return;
	for (uint64_t done = 0; done < in->bytes; done += read.n) {
		read.n = in->bytes - done;
		read.address = piece_at(c->cuda, in->from + done, &read.n);
		session_input(c->cuda->session, &read, NULL);
	}
	debug_host_found(c->cuda->dbg);
}

/* To memory of the host that the device doesn't have. */
static bool to_host(struct cuda_call *c, const struct call_copy *in)
{
	bool ok = memory_fits(c, in->from, in->bytes);
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done;
		const uint64_t from = piece_at(c->cuda, in->from + done, &n);
		ok = channel_write(c, in->to + done, bytes_at(c->cuda, from), n);
	}
	return ok;
}

static uint32_t from_device(struct cuda_call *c, const struct call_copy *in)
{
	is_read(c, in);
	struct call_copy at = *in;
	at.to = of_host(c, in->to);
	if (shared_is_kept(c->cuda, at.to, at.bytes))
		return within_device(c, &at);
	return to_host(c, in) ? 0 : cudaErrorInvalidValue;
}

static uint32_t within_host(struct cuda_call *c, const struct call_copy *in)
{
	const uint64_t device = of_host(c, in->to);
	const bool is_kept = shared_is_kept(c->cuda, device, in->bytes);
	char *part = xmalloc(in->bytes < PART_BYTES ? in->bytes : PART_BYTES);
	bool ok = true;
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < PART_BYTES ? in->bytes - done : PART_BYTES;
		ok = channel_read(c, in->from + done, part, n) &&
		     (is_kept ? put(c, in->stream,
				    &(struct gpu_input){
					    .kind = GPU_INPUT_WRITE, .address = device + done, .n = n, .data = part})
			      : channel_write(c, in->to + done, part, n));
	}
	free(part);
	return ok ? 0 : cudaErrorInvalidValue;
}

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, BY_ADDRESS };

static bool copy_fits(const struct cuda_call *c, const struct call_copy *in, uint32_t kind)
{
	return (!(kind & 1) || memory_will_fit(c, in->to, in->bytes)) &&
	       (!(kind & 2) || memory_will_fit(c, in->from, in->bytes));
}

/* The program need not wait: what the copy reads it has read, or it is of memory that CUDA knows, or the copy is a graph's, whose
 * memory the program leaves alone. */
static bool goes_by_itself(const struct cuda_call *c, const struct call_copy *in, uint32_t kind,
			   struct later_source *source)
{
	if (!in->is_async || !copy_fits(c, in, kind))
		return false;
	if (kind == DEVICE_TO_DEVICE)
		return true;
	if (in->is_async == WIRE_BY_GRAPH)
		return c->client->may_reach;
	if (kind == DEVICE_TO_HOST)
		return c->client->may_reach && shared_kind(c->cuda, in->to) != WIRE_MEMORY_NONE;
	*source = (struct later_source){.address = in->from, .bytes = in->bytes};
	return kind == HOST_TO_DEVICE && later_may_read(c->cuda, in->bytes);
}

/* It can be done, or can be when what waits for the device is done. */
static bool is_possible(const struct cuda_call *c, const struct call_copy *in, uint32_t kind)
{
	const bool now = (!(kind & 1) || memory_may_write(c, in->to, in->bytes)) &&
			 (!(kind & 2) || memory_fits(c, in->from, in->bytes));
	return now || (!context_is_idle(c) && copy_fits(c, in, kind));
}

/* On the modelled device it takes time before its turn. */
static void transfer(struct cuda_call *c, const struct call_copy *in, uint32_t kind)
{
	static const enum gpu_engine engines[] = {[HOST_TO_DEVICE] = GPU_ENGINE_TO_DEVICE,
						  [DEVICE_TO_HOST] = GPU_ENGINE_FROM_DEVICE,
						  [DEVICE_TO_DEVICE] = GPU_ENGINE_WITHIN};
	if (kind != HOST_TO_HOST && is_possible(c, in, kind))
		stream_transfer(c, in->stream, engines[kind], kind == DEVICE_TO_DEVICE ? 2 * in->bytes : in->bytes);
}

/* CUDA has the program wait: for copies from or to its own memory, and within it; those to memory that isn't page-locked even if it asked for them to be
 * asynchronous. */
static bool is_waited_for(const struct cuda_call *c, const struct call_copy *in, uint32_t kind)
{
	if (kind == DEVICE_TO_DEVICE || in->is_async == WIRE_BY_GRAPH)
		return false;
	return !in->is_async || kind == HOST_TO_HOST ||
	       (kind == DEVICE_TO_HOST && shared_kind(c->cuda, in->to) == WIRE_MEMORY_NONE);
}

static uint32_t copy_now(struct cuda_call *c, const struct call_copy *in, uint32_t kind)
{
	switch (kind) {
	case HOST_TO_DEVICE: return to_device(c, in);
	case DEVICE_TO_HOST: return from_device(c, in);
	case DEVICE_TO_DEVICE: return within_device(c, in);
	default: return within_host(c, in);
	}
}

static uint32_t copy(struct cuda_call *c, const struct call_copy *in, uint32_t kind)
{
	struct later_source source = {0};
	transfer(c, in, kind);
	const uint32_t turn = !c->first || !goes_by_itself(c, in, kind, &source) ? stream_turn(c, in->stream)
										 : later_keep(c, in->stream, &source);
	if (turn)
		return turn == CUDA_LATER ? 0 : turn;
	const uint32_t status = copy_now(c, in, kind);
	if (!status && is_waited_for(c, in, kind))
		stream_waited(c->cuda, GPU_WAITED_STREAM, stream_number(c, in->stream));
	return status;
}

uint32_t serve_copy(struct cuda_call *c, const struct call_copy *in, struct call_copy_out *out)
{
	struct call_copy at = *in;
	uint32_t kind = in->kind;
	(void)out;
	if (kind > BY_ADDRESS)
		return cudaErrorInvalidMemcpyDirection;
	if (kind == BY_ADDRESS)
		kind = (memory_is_device(c, in->to) ? 1u : 0u) + (memory_is_device(c, in->from) ? 2u : 0u);
	/* registered memory is on both sides, so it may be named as either */
	at.to = kind & 1 ? of_host(c, in->to) : in->to;
	at.from = kind & 2 ? of_host(c, in->from) : in->from;
	return copy(c, &at, kind);
}

/* What is in the stream before it may use it. */
uint32_t serve_free_in_stream(struct cuda_call *c, const struct call_free_in_stream *in,
			      struct call_free_in_stream_out *out)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->cuda->gpu, in->address);
	(void)out;
	if (graph_memory_has(c->cuda, in->address) && memory_is_own(c, in->address)) {
		const uint32_t error = graph_memory_free_in_stream(c, in->address, in->stream);
		return error == cudaErrorInvalidValue ? wrong_free(c->cuda, in->address) : error;
	}
	const bool is_own = a && a->context == c->client->context && a->live && a->address == in->address &&
			    !shared_kind(c->cuda, in->address);
	if (!is_own && !ipc_has_opened(c, WIRE_LENT_POINTER, in->address))
		return wrong_free(c->cuda, in->address);
	const uint32_t turn = later_keep(c, in->stream, &(struct later_source){0});
	if (turn)
		return turn == CUDA_LATER ? 0 : turn;
	return ipc_close(c, WIRE_LENT_POINTER, in->address) || (is_own && memory_free(c->cuda, in->address))
		       ? 0
		       : cudaErrorInvalidValue;
}

/* ---- fills ---- */

static void repeat(char *to, uint64_t n, uint64_t value, uint64_t width)
{
	for (uint64_t k = 0; k < n; k += width)
		memcpy(to + k, &value, width);
}

uint32_t serve_fill(struct cuda_call *c, const struct call_fill *in, struct call_fill_out *out)
{
	const uint64_t to = of_host(c, in->to);
	(void)out;
	if (in->width != 1 && in->width != 2 && in->width != 4 && in->width != 8)
		return cudaErrorInvalidValue;
	if (!memory_will_fit(c, to, in->bytes) || in->bytes % in->width || in->to % in->width)
		return cudaErrorInvalidValue;
	if (is_possible(c, &(struct call_copy){.to = to, .bytes = in->bytes}, HOST_TO_DEVICE))
		stream_transfer(c, in->stream, GPU_ENGINE_WITHIN, in->bytes);
	const bool waits = !c->first || (in->waits && shared_kind(c->cuda, to) != WIRE_MEMORY_NONE);
	const uint32_t turn = waits ? stream_turn(c, in->stream) : later_keep(c, in->stream, &(struct later_source){0});
	if (turn)
		return turn == CUDA_LATER ? 0 : turn;
	const uint64_t most = in->bytes < PART_BYTES ? in->bytes : PART_BYTES;
	char *part = xmalloc(most);
	repeat(part, most, in->value, in->width);
	bool ok = memory_may_write(c, to, in->bytes);
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < most ? in->bytes - done : most;
		const uint64_t at = piece_at(c->cuda, to + done, &n);
		ok = put(c, in->stream,
			 &(struct gpu_input){.kind = GPU_INPUT_WRITE, .address = at, .n = n, .data = part});
	}
	free(part);
	return ok ? 0 : cudaErrorInvalidValue;
}

/* ---- words that streams wait for ---- */

uint32_t serve_stream_poll(struct cuda_call *c, const struct call_stream_poll *in, struct call_stream_poll_out *out)
{
	struct cuda *cuda = c->cuda;
	const uint64_t address = of_host(c, in->address);
	const uint64_t value = in->bytes == 4 ? (uint32_t)in->value : in->value;
	const struct gpu_input poll = {.kind = GPU_INPUT_OPERATION,
				       .operation = {.kind = GPU_OPERATION_POLL,
						     .stream = stream_number(c, in->stream),
						     .poll = {address, value, in->bytes, (enum gpu_poll_how)in->how}}};
	(void)out;
	if (!stream_exists(c, in->stream))
		return cudaErrorInvalidResourceHandle;
	return memory_will_fit(c, address, in->bytes) && session_input(cuda->session, &poll, NULL)
		       ? 0
		       : cudaErrorInvalidValue;
}
