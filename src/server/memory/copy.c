/* Copies between host and device, fills, and words that streams wait for. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/channel/channel.h"
#include "server/memory/state.h"
#include "server/stream/deferred.h"
#include "server/stream/stream.h"
#include "debug/findings/findings.h"

#define PART_BYTES ((uint64_t)256 << 10) /* piece of a copy: fits in the host's cache */

/* ---- copies ---- */

/* Returns the host address of device memory at an address from memory_contiguous. */
static const char *bytes_at(const struct server *c, uint64_t address)
{
	const struct exec *e = gpu_exec(c->gpu);
	return memory_is_constant(c, address, 0)
		       ? arena_at(gpu_arena(c->gpu), e->sec_const, address - EXEC_CONST_WINDOW)
		       : e->global + address;
}

/* Writes to device memory as an input of the call. `kind` is GPU_INPUT_WRITE or GPU_INPUT_COPY; `what` has the address and the source. */
static bool write_device(const struct server_call *c, uint64_t stream, enum gpu_input_kind kind,
			 const struct gpu_input_copy *what)
{
	struct gpu_input in = {.kind = kind, .copy = *what};
	in.copy.caller = server_called_from(c);
	in.copy.context = c->client->context;
	in.copy.operation = stream_operation(c, stream);
	if (memory_is_constant(c->server, what->address, 0)) {
		in.kind = GPU_INPUT_BYTES;
		in.copy.address -= EXEC_CONST_WINDOW;
		in.copy.section = gpu_exec(c->server->gpu)->sec_const;
	}
	shared_before_write(c->server, what->address, what->n);
	const bool ok = session_input(c->server->session, &in, NULL);
	shared_after_write(c->server, what->address, what->n);
	debug_host_found(c->server->dbg);
	return ok;
}

/* Writes `bytes`, which were read in advance, to the target of a copy. */
static bool write_copy(const struct server_call *c, const struct call_copy *in, const char *bytes)
{
	bool ok = true;
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done;
		const uint64_t to = memory_contiguous(c->server, in->to + done, &n);
		ok = write_device(c, in->stream, GPU_INPUT_COPY,
				  &(struct gpu_input_copy){.address = to, .n = n, .data = bytes + done});
	}
	return ok;
}

static bool is_shared(const struct server_call *c, uint64_t address)
{
	return shared_kind(c->server, memory_device_address(c, address)) != WIRE_MEMORY_NONE;
}

/* Returns the device address of a copy's source if device and host share that memory: page-locked, registered or managed. Else returns 0. */
static uint64_t shared_source(const struct server_call *c, const struct call_copy *in)
{
	const uint64_t from = memory_device_address(c, in->from);
	return is_shared(c, from) && memory_will_fit(c, from, in->bytes) ? from : 0;
}

/* A piece of the program's memory that is copied to the device. */
struct program_part {
	struct server_call *c;
	uint64_t address;
	uint64_t device; /* address of the same bytes in shared memory; 0: they aren't shared */
	bool is_read;
};

static void fetch_program_bytes(void *self, void *to, uint64_t n)
{
	struct program_part *p = self;
	p->is_read = p->device && !p->c->client->can_access;
	if (p->is_read)
		memcpy(to, bytes_at(p->c->server, p->device), n);
	else
		p->is_read = channel_read(p->c, p->address, to, n);
}

/* Returns the size of the next piece of a copy: all pages that were written before, which need no new memory, or one part. */
static uint64_t bytes_written_before(const struct server *c, uint64_t to, uint64_t bytes)
{
	uint64_t n = 0;
	while (n < bytes && arena_written(gpu_arena(c->gpu), gpu_exec(c->gpu)->sec_global, to + n,
					  bytes - n < PART_BYTES ? bytes - n : PART_BYTES))
		n += PART_BYTES;
	n = n ? n : PART_BYTES;
	return n < bytes ? n : bytes;
}

static bool copy_to_constant(struct server_call *c, const struct call_copy *in)
{
	char *bytes = xmalloc(in->bytes);
	struct program_part part = {.c = c, .address = in->from, .device = shared_source(c, in)};
	fetch_program_bytes(&part, bytes, in->bytes);
	const bool ok = part.is_read && write_copy(c, in, bytes);
	free(bytes);
	return ok;
}

static uint32_t copy_to_device(struct server_call *c, const struct call_copy *in)
{
	if (c->ahead)
		return memory_may_write(c, in->to, in->bytes) && write_copy(c, in, c->ahead) ? 0
											     : WIRE_INVALID_VALUE;
	const uint64_t shared = shared_source(c, in);
	bool ok = memory_may_write(c, in->to, in->bytes);
	if (ok && memory_is_constant(c->server, in->to, 0))
		return copy_to_constant(c, in) ? 0 : WIRE_INVALID_VALUE;
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done;
		const uint64_t to = memory_contiguous(c->server, in->to + done, &n);
		const uint64_t from = shared ? shared + done : 0;
		n = bytes_written_before(c->server, to, n);
		struct program_part part = {.c = c, .address = in->from + done, .device = from};
		const struct gpu_source source = {fetch_program_bytes, &part};
		const struct gpu_input_copy copy = {.address = to, .n = n, .source = &source, .from = from};
		ok = write_device(c, in->stream, GPU_INPUT_COPY, &copy) && part.is_read;
	}
	return ok ? 0 : WIRE_INVALID_VALUE;
}

static uint32_t copy_within_device(struct server_call *c, const struct call_copy *in)
{
	char *part = xmalloc(in->bytes < PART_BYTES ? in->bytes : PART_BYTES);
	bool ok = memory_may_write(c, in->to, in->bytes) && memory_fits(c, in->from, in->bytes);
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < PART_BYTES ? in->bytes - done : PART_BYTES;
		const uint64_t to = memory_contiguous(c->server, in->to + done, &n);
		const uint64_t from = memory_contiguous(c->server, in->from + done, &n);
		memcpy(part, bytes_at(c->server, from), n);
		const struct gpu_input_copy copy = {.address = to, .n = n, .data = part, .from = from};
		ok = write_device(c, in->stream, GPU_INPUT_WRITE, &copy);
	}
	free(part);
	return ok ? 0 : WIRE_INVALID_VALUE;
}

/* Records that the program reads device memory as a result; constant memory isn't recorded. */
static void record_read(struct server_call *c, const struct call_copy *in)
{
	struct gpu_input read = {.kind = GPU_INPUT_READ,
				 .copy = {.caller = server_called_from(c),
					  .context = c->client->context,
					  .operation = stream_operation(c, in->stream)}};
	if (!memory_fits(c, in->from, in->bytes) || memory_is_constant(c->server, in->from, 0))
		return;
	for (uint64_t done = 0; done < in->bytes; done += read.copy.n) {
		read.copy.n = in->bytes - done;
		read.copy.address = memory_contiguous(c->server, in->from + done, &read.copy.n);
		session_input(c->server->session, &read, NULL);
	}
	debug_host_found(c->server->dbg);
}

/* Copies device memory to host memory that isn't shared. */
static bool copy_to_host(struct server_call *c, const struct call_copy *in)
{
	bool ok = memory_fits(c, in->from, in->bytes);
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done;
		const uint64_t from = memory_contiguous(c->server, in->from + done, &n);
		ok = channel_write(c, in->to + done, bytes_at(c->server, from), n);
	}
	return ok;
}

static uint32_t copy_from_device(struct server_call *c, const struct call_copy *in)
{
	record_read(c, in);
	struct call_copy at = *in;
	at.to = memory_device_address(c, in->to);
	if (shared_is_journaled(c->server, at.to, at.bytes))
		return copy_within_device(c, &at);
	return copy_to_host(c, in) ? 0 : WIRE_INVALID_VALUE;
}

static uint32_t copy_within_host(struct server_call *c, const struct call_copy *in)
{
	const uint64_t device = memory_device_address(c, in->to);
	const bool is_kept = shared_is_journaled(c->server, device, in->bytes);
	char *part = xmalloc(in->bytes < PART_BYTES ? in->bytes : PART_BYTES);
	bool ok = true;
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < PART_BYTES ? in->bytes - done : PART_BYTES;
		ok = channel_read(c, in->from + done, part, n) &&
		     (is_kept ? write_device(
					c, in->stream, GPU_INPUT_WRITE,
					&(struct gpu_input_copy){.address = device + done, .n = n, .data = part})
			      : channel_write(c, in->to + done, part, n));
	}
	free(part);
	return ok ? 0 : WIRE_INVALID_VALUE;
}

static bool copy_fits(const struct server_call *c, const struct call_copy *in, uint32_t kind)
{
	return (!(kind & 1) || memory_will_fit(c, in->to, in->bytes)) &&
	       (!(kind & 2) || memory_will_fit(c, in->from, in->bytes));
}

/* Returns whether the call returns before the copy is done: its source can be read at the copy's turn, belongs to a graph, or is staged during the
 * call as CUDA does with pageable memory; `source` then has its range. */
static bool can_be_deferred(const struct server_call *c, const struct call_copy *in, uint32_t kind,
			    struct deferred_source *source)
{
	if (!in->is_async || !copy_fits(c, in, kind))
		return false;
	if (kind == WIRE_COPY_WITHIN_DEVICE)
		return true;
	if (kind == WIRE_COPY_TO_DEVICE && in->is_async != WIRE_DURING_CALL && shared_source(c, in))
		return true;
	if (in->is_async == WIRE_BY_GRAPH)
		return c->client->can_access;
	if (kind == WIRE_COPY_FROM_DEVICE)
		return c->client->can_access && shared_kind(c->server, in->to) != WIRE_MEMORY_NONE;
	*source = (struct deferred_source){.address = in->from, .bytes = in->bytes};
	return kind == WIRE_COPY_TO_DEVICE && deferred_may_stage(c->server, in->bytes);
}

/* Returns whether the copy is possible now, or will be when the waiting work is done. */
static bool is_possible(const struct server_call *c, const struct call_copy *in, uint32_t kind)
{
	const bool now = (!(kind & 1) || memory_may_write(c, in->to, in->bytes)) &&
			 (!(kind & 2) || memory_fits(c, in->from, in->bytes));
	return now || (!context_is_idle(c) && copy_fits(c, in, kind));
}

/* Enqueues the time of the transfer on the modelled device, before the copy. */
static void enqueue_transfer(struct server_call *c, const struct call_copy *in, uint32_t kind)
{
	static const enum gpu_engine engines[] = {[WIRE_COPY_TO_DEVICE] = GPU_ENGINE_TO_DEVICE,
						  [WIRE_COPY_FROM_DEVICE] = GPU_ENGINE_FROM_DEVICE,
						  [WIRE_COPY_WITHIN_DEVICE] = GPU_ENGINE_WITHIN};
	if (kind != WIRE_COPY_WITHIN_HOST && is_possible(c, in, kind))
		stream_transfer(c, in->stream, engines[kind], kind == WIRE_COPY_WITHIN_DEVICE ? 2 * in->bytes : in->bytes);
}

/* Returns whether the program has waited for the copy when the call returns: CUDA's "API synchronization behavior". Shared memory counts as host
 * memory, too. */
static bool is_waited_for(const struct server_call *c, const struct call_copy *in, uint32_t kind)
{
	if (in->is_async == WIRE_BY_GRAPH)
		return false;
	if (kind == WIRE_COPY_WITHIN_DEVICE)
		return !in->is_async && (is_shared(c, in->to) || is_shared(c, in->from));
	return !in->is_async || kind == WIRE_COPY_WITHIN_HOST || (kind == WIRE_COPY_FROM_DEVICE && !is_shared(c, in->to));
}

static uint32_t copy_now(struct server_call *c, const struct call_copy *in, uint32_t kind)
{
	switch (kind) {
	case WIRE_COPY_TO_DEVICE: return copy_to_device(c, in);
	case WIRE_COPY_FROM_DEVICE: return copy_from_device(c, in);
	case WIRE_COPY_WITHIN_DEVICE: return copy_within_device(c, in);
	default: return copy_within_host(c, in);
	}
}

/* Tells the debugger about a copy that has been made. Copies within the host aren't the device's. */
static void note_copy(const struct server_call *c, const struct call_copy *in, uint32_t kind)
{
	static const enum debug_memory_kind kinds[] = {[WIRE_COPY_TO_DEVICE] = DEBUG_MEMORY_FROM_HOST,
						       [WIRE_COPY_FROM_DEVICE] = DEBUG_MEMORY_TO_HOST,
						       [WIRE_COPY_WITHIN_DEVICE] = DEBUG_MEMORY_WITHIN};
	if (kind != WIRE_COPY_WITHIN_HOST)
		debug_host_memory(c->server->dbg,
				  &(struct debug_memory_event){.kind = kinds[kind], .to = in->to, .from = in->from, .bytes = in->bytes});
}

static uint32_t serve_directed_copy(struct server_call *c, const struct call_copy *in, uint32_t kind)
{
	struct deferred_source source = {0};
	enqueue_transfer(c, in, kind);
	const uint32_t turn = !c->first || !can_be_deferred(c, in, kind, &source)
				      ? stream_turn(c, in->stream)
				      : deferred_enqueue(c, in->stream, &source);
	if (turn)
		return turn == SERVER_DEFERRED ? 0 : turn;
	const uint32_t status = copy_now(c, in, kind);
	if (!status)
		note_copy(c, in, kind);
	if (!status && is_waited_for(c, in, kind))
		stream_record_wait(c->server, GPU_WAITED_STREAM, stream_number(c, in->stream));
	return status;
}

/* Returns a copy's direction. Shared memory counts as device memory, except as a source that is read during the call. */
static uint32_t direction_by_address(const struct server_call *c, const struct call_copy *in)
{
	const bool is_staged = in->is_async == WIRE_DURING_CALL && shared_source(c, in);
	const bool from_device = memory_is_device(c, in->from) && !is_staged;
	return (memory_is_device(c, in->to) ? 1u : 0u) + (from_device ? 2u : 0u);
}

uint32_t serve_copy(struct server_call *c, const struct call_copy *in, struct call_copy_out *out)
{
	struct call_copy at = *in;
	uint32_t kind = in->kind;
	(void)out;
	if (kind > WIRE_COPY_BY_ADDRESS)
		return WIRE_INVALID_DIRECTION;
	if (kind == WIRE_COPY_BY_ADDRESS)
		kind = direction_by_address(c, in);
	/* registered memory may be named by its host or its device address */
	at.to = kind & 1 ? memory_device_address(c, in->to) : in->to;
	at.from = kind & 2 ? memory_device_address(c, in->from) : in->from;
	return serve_directed_copy(c, &at, kind);
}

/* ---- fills ---- */

static void fill_pattern(char *to, uint64_t n, uint64_t value, uint64_t width)
{
	for (uint64_t k = 0; k < n; k += width)
		memcpy(to + k, &value, width);
}

uint32_t serve_fill(struct server_call *c, const struct call_fill *in, struct call_fill_out *out)
{
	const uint64_t to = memory_device_address(c, in->to);
	(void)out;
	if (in->width != 1 && in->width != 2 && in->width != 4 && in->width != 8)
		return WIRE_INVALID_VALUE;
	if (!memory_will_fit(c, to, in->bytes) || in->bytes % in->width || in->to % in->width)
		return WIRE_INVALID_VALUE;
	if (is_possible(c, &(struct call_copy){.to = to, .bytes = in->bytes}, WIRE_COPY_TO_DEVICE))
		stream_transfer(c, in->stream, GPU_ENGINE_WITHIN, in->bytes);
	const bool waits = in->waits && is_shared(c, to);
	const uint32_t turn = !c->first || waits ? stream_turn(c, in->stream)
						 : deferred_enqueue(c, in->stream, &(struct deferred_source){0});
	if (turn)
		return turn == SERVER_DEFERRED ? 0 : turn;
	const uint64_t most = in->bytes < PART_BYTES ? in->bytes : PART_BYTES;
	char *part = xmalloc(most);
	fill_pattern(part, most, in->value, in->width);
	bool ok = memory_may_write(c, to, in->bytes);
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < most ? in->bytes - done : most;
		const uint64_t at = memory_contiguous(c->server, to + done, &n);
		ok = write_device(c, in->stream, GPU_INPUT_WRITE,
				  &(struct gpu_input_copy){.address = at, .n = n, .data = part});
	}
	free(part);
	if (ok)
		debug_host_memory(c->server->dbg, &(struct debug_memory_event){
							  .kind = DEBUG_MEMORY_FILLED, .to = to, .bytes = in->bytes, .value = in->value});
	if (ok && waits)
		stream_record_wait(c->server, GPU_WAITED_STREAM, stream_number(c, in->stream));
	return ok ? 0 : WIRE_INVALID_VALUE;
}

/* ---- words that streams wait for ---- */

uint32_t serve_stream_poll(struct server_call *c, const struct call_stream_poll *in, struct call_stream_poll_out *out)
{
	static const enum gpu_poll_how hows[] = {[WIRE_POLL_NOT_LESS] = GPU_POLL_GEQ, [WIRE_POLL_EQUAL] = GPU_POLL_EQ, [WIRE_POLL_AND] = GPU_POLL_AND,
						 [WIRE_POLL_NOR] = GPU_POLL_NOR};
	struct server *server = c->server;
	const uint64_t address = memory_device_address(c, in->address);
	const uint64_t value = in->bytes == 4 ? (uint32_t)in->value : in->value;
	const struct gpu_input poll = {.kind = GPU_INPUT_OPERATION,
				       .operation = {.kind = GPU_OPERATION_POLL,
						     .stream = stream_number(c, in->stream),
						     .poll = {address, value, in->bytes, in->how < WIRE_POLLS ? hows[in->how] : GPU_POLL_HOWS}}};
	(void)out;
	if (!stream_exists(c, in->stream))
		return WIRE_INVALID_HANDLE;
	return memory_will_fit(c, address, in->bytes) && session_input(server->session, &poll, NULL)
		       ? 0
		       : WIRE_INVALID_VALUE;
}
