/* Memory: allocations, copies, fills. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cuda/internal.h"
#include "gpu/config.h"

#define PART_BYTES ((uint64_t)256 << 10) /* of a copy: stays in the host's cache */

/* The context's work so far has to be done first. */
static bool must_wait(const struct cuda_call *c) { return gpu_has_work(c->cuda->gpu); }

/* What the program may still allocate. */
static uint64_t bytes_left(const struct cuda *c)
{
	struct config_device d;
	config_device(gpu_config(c->gpu), &d);
	return d.memory_bytes > c->allocated_bytes ? d.memory_bytes - c->allocated_bytes : 0;
}

uint32_t serve_alloc(struct cuda_call *c, const struct call_alloc *in, struct call_alloc_out *out)
{
	struct cuda *cuda = c->cuda;
	char name[32];
	if (in->bytes > bytes_left(cuda))
		return cudaErrorMemoryAllocation;
	snprintf(name, sizeof name, "alloc_%llu", (unsigned long long)cuda->n_allocations + 1);
	const struct gpu_input alloc = {.kind = GPU_INPUT_ALLOC, .n = in->bytes, .name = name};
	const int64_t address = session_input(cuda->session, &alloc, NULL);
	if (address <= 0)
		return cudaErrorMemoryAllocation;
	cuda->n_allocations++;
	cuda->allocated_bytes += in->bytes;
	out->address = (uint64_t)address;
	return 0;
}

/* As with CUDA, what was launched before may use it to its end. */
uint32_t serve_free(struct cuda_call *c, const struct call_free *in, struct call_free_out *out)
{
	const struct gpu_input free_it = {.kind = GPU_INPUT_FREE, .address = in->address};
	(void)out;
	if (must_wait(c))
		return CUDA_AGAIN;
	const struct gpu_allocation *a = gpu_nearest_allocation(c->cuda->gpu, in->address);
	const uint64_t bytes = a && a->address == in->address ? a->bytes : 0;
	if (!session_input(c->cuda->session, &free_it, NULL))
		return cudaErrorInvalidValue;
	c->cuda->allocated_bytes -= bytes;
	return 0;
}

void memory_free_all(struct cuda *c)
{
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(c->gpu, &n);
	for (size_t k = 0; k < n; k++) {
		const struct gpu_input free_it = {.kind = GPU_INPUT_FREE, .address = a[k].address};
		if (a[k].live && !strncmp(a[k].name, "alloc_", 6))
			session_input(c->session, &free_it, NULL);
	}
	c->n_allocations = 0;
	c->allocated_bytes = 0;
}

/* ---- ranges ---- */

/* Constants lie in a space of their own, which programs see as a part of the generic one. */
static bool is_constant(const struct cuda *c, uint64_t address, uint64_t n)
{
	const uint64_t most = gpu_program(c->gpu)->const_next;
	return address >= EXEC_CONST_WINDOW && address - EXEC_CONST_WINDOW < most &&
	       n <= most - (address - EXEC_CONST_WINDOW);
}

static bool is_device(const struct cuda *c, uint64_t address)
{
	if (is_constant(c, address, 0))
		return true;
	const struct gpu_allocation *a = gpu_nearest_allocation(c->gpu, address);
	return a && a->live && address >= a->address && address - a->address < a->bytes;
}

static bool range_fits(const struct cuda *c, uint64_t address, uint64_t n)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(c->gpu, address);
	if (is_constant(c, address, 0))
		return is_constant(c, address, n);
	return is_device(c, address) && n <= a->bytes - (address - a->address);
}

/* ---- copies ---- */

/* Of a range that fits. */
static const char *bytes_at(const struct cuda *c, uint64_t address)
{
	const struct exec *e = gpu_exec(c->gpu);
	return is_constant(c, address, 0) ? arena_at(gpu_arena(c->gpu), e->sec_const, address - EXEC_CONST_WINDOW)
					  : e->global + address;
}

static bool put(struct cuda *c, uint64_t to, const void *bytes, uint64_t n, bool as_copy)
{
	const struct gpu_input constant = {.kind = GPU_INPUT_BYTES,
					   .address = to - EXEC_CONST_WINDOW,
					   .n = n,
					   .data = bytes,
					   .section = gpu_exec(c->gpu)->sec_const};
	if (is_constant(c, to, 0))
		return session_input(c->session, &constant, NULL);
	const struct gpu_input in = {
		.kind = as_copy ? GPU_INPUT_COPY : GPU_INPUT_WRITE, .address = to, .n = n, .data = bytes};
	return session_input(c->session, &in, NULL);
}

static uint32_t to_device(struct cuda_call *c, const struct call_copy *in)
{
	char *part = xmalloc(in->bytes < PART_BYTES ? in->bytes : PART_BYTES);
	bool ok = range_fits(c->cuda, in->to, in->bytes);
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < PART_BYTES ? in->bytes - done : PART_BYTES;
		ok = channel_read(c, in->from + done, part, n) && put(c->cuda, in->to + done, part, n, true);
	}
	free(part);
	return ok ? 0 : cudaErrorInvalidValue;
}

static uint32_t from_device(struct cuda_call *c, const struct call_copy *in)
{
	return range_fits(c->cuda, in->from, in->bytes) &&
			       channel_write(c, in->to, bytes_at(c->cuda, in->from), in->bytes)
		       ? 0
		       : cudaErrorInvalidValue;
}

static uint32_t within_device(struct cuda_call *c, const struct call_copy *in)
{
	char *part = xmalloc(in->bytes < PART_BYTES ? in->bytes : PART_BYTES);
	bool ok = range_fits(c->cuda, in->to, in->bytes) && range_fits(c->cuda, in->from, in->bytes);
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < PART_BYTES ? in->bytes - done : PART_BYTES;
		memcpy(part, bytes_at(c->cuda, in->from) + done, n);
		ok = put(c->cuda, in->to + done, part, n, false);
	}
	free(part);
	return ok ? 0 : cudaErrorInvalidValue;
}

static uint32_t within_host(struct cuda_call *c, const struct call_copy *in)
{
	char *part = xmalloc(in->bytes < PART_BYTES ? in->bytes : PART_BYTES);
	bool ok = true;
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < PART_BYTES ? in->bytes - done : PART_BYTES;
		ok = channel_read(c, in->from + done, part, n) && channel_write(c, in->to + done, part, n);
	}
	free(part);
	return ok ? 0 : cudaErrorInvalidValue;
}

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, BY_ADDRESS };

uint32_t serve_copy(struct cuda_call *c, const struct call_copy *in, struct call_copy_out *out)
{
	uint32_t kind = in->kind;
	(void)out;
	if (kind > BY_ADDRESS)
		return cudaErrorInvalidMemcpyDirection;
	if (must_wait(c))
		return CUDA_AGAIN;
	if (kind == BY_ADDRESS)
		kind = (is_device(c->cuda, in->to) ? 1u : 0u) + (is_device(c->cuda, in->from) ? 2u : 0u);
	switch (kind) {
	case HOST_TO_DEVICE: return to_device(c, in);
	case DEVICE_TO_HOST: return from_device(c, in);
	case DEVICE_TO_DEVICE: return within_device(c, in);
	default: return within_host(c, in);
	}
}

/* ---- fills ---- */

static void repeat(char *to, uint64_t n, uint32_t value, uint32_t width)
{
	for (uint64_t k = 0; k < n; k += width)
		memcpy(to + k, &value, width);
}

uint32_t serve_fill(struct cuda_call *c, const struct call_fill *in, struct call_fill_out *out)
{
	(void)out;
	if (in->width != 1 && in->width != 2 && in->width != 4)
		return cudaErrorInvalidValue;
	if (!range_fits(c->cuda, in->to, in->bytes) || in->bytes % in->width || in->to % in->width)
		return cudaErrorInvalidValue;
	if (must_wait(c))
		return CUDA_AGAIN;
	const uint64_t most = in->bytes < PART_BYTES ? in->bytes : PART_BYTES;
	char *part = xmalloc(most);
	repeat(part, most, in->value, in->width);
	bool ok = true;
	for (uint64_t done = 0, n; ok && done < in->bytes; done += n) {
		n = in->bytes - done < most ? in->bytes - done : most;
		ok = put(c->cuda, in->to + done, part, n, false);
	}
	free(part);
	return ok ? 0 : cudaErrorInvalidValue;
}
