/* The driver's virtual memory: ranges of addresses, physical memory by handles, and what is mapped where. What is mapped and may be accessed is
 * live on the device, for reading or also for writing, or an alias of what is (physical.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cuda/memory/physical.h"
#include "debug/setup/buffer.h"

#define GRAIN PHYSICAL_GRAIN

/* A program's name for physical memory: there as long as the program or one of its mappings has it. */
struct handle {
	uint64_t number;
	uint32_t context;
	uint32_t references, mappings;
	struct physical *of;
	struct handle *next;
};

struct range {
	uint64_t address, bytes;
	uint32_t context;
	struct range *next;
};

/* What is mapped at an address, by which handle. */
struct mapped {
	struct mapping mapping;
	struct handle *by;
	struct mapped *next;
};

struct cuda_virtual {
	struct handle *handle;
	struct range *range;
	struct mapped *mapped;
	uint64_t handles; /* so far */
};

struct cuda_virtual *virtual_create(void) { return xcalloc(1, sizeof(struct cuda_virtual)); }

static bool is_whole(uint64_t bytes) { return bytes && !(bytes % GRAIN); }

/* ---- finding ---- */

static struct handle *handle_of(const struct cuda_call *c, uint64_t number)
{
	struct handle *h = c->cuda->memory->virtual->handle;
	while (h && (h->number != number || h->context != c->client->context))
		h = h->next;
	return h;
}

static struct range *range_of(const struct cuda_call *c, uint64_t address, uint64_t bytes)
{
	struct range *r = c->cuda->memory->virtual->range;
	while (r && (r->context != c->client->context || address < r->address || address - r->address > r->bytes ||
		     bytes > r->bytes - (address - r->address)))
		r = r->next;
	return r;
}

/* The first one that has a part of it. */
static struct mapped *mapped_in(const struct cuda_virtual *v, uint64_t address, uint64_t bytes)
{
	struct mapped *m = v->mapped;
	while (m && (m->mapping.address >= address + bytes || address >= m->mapping.address + m->mapping.bytes))
		m = m->next;
	return m;
}

bool virtual_mapping(const struct cuda *c, uint64_t address, uint64_t *base, uint64_t *bytes)
{
	const struct mapped *m = mapped_in(c->memory->virtual, address, 1);
	if (m) {
		*base = m->mapping.address;
		*bytes = m->mapping.bytes;
	}
	return m;
}

/* Whole mappings, one after the other, fill it. */
static bool is_filled(const struct cuda_virtual *v, uint64_t address, uint64_t bytes)
{
	while (bytes) {
		const struct mapped *m = mapped_in(v, address, 1);
		if (!m || m->mapping.address != address || m->mapping.bytes > bytes)
			return false;
		address += m->mapping.bytes;
		bytes -= m->mapping.bytes;
	}
	return true;
}

/* ---- handles ---- */

static struct handle *add_handle(const struct cuda_call *c, struct physical *p)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	struct handle *h = xcalloc(1, sizeof *h);
	*h = (struct handle){.number = ++v->handles, .context = c->client->context, .of = p, .next = v->handle};
	v->handle = h;
	return h;
}

static void hold(struct handle *h)
{
	h->references++;
	h->of->references++;
}

static void free_physical(struct cuda *c, struct physical *p)
{
	c->memory->used -= p->bytes;
	physical_free(p);
}

static bool has_handle(const struct cuda_virtual *v, const struct physical *p)
{
	const struct handle *h = v->handle;
	while (h && h->of != p)
		h = h->next;
	return h;
}

/* Neither the program nor a mapping has it. */
static void free_unused(struct cuda *c, struct handle *h)
{
	struct cuda_virtual *v = c->memory->virtual;
	struct handle **at = &v->handle;
	struct physical *p = h->of;
	if (h->references || h->mappings)
		return;
	while (*at != h)
		at = &(*at)->next;
	*at = h->next;
	free(h);
	if (!has_handle(v, p))
		free_physical(c, p);
}

uint32_t serve_virtual_create(struct cuda_call *c, const struct call_virtual_create *in,
			      struct call_virtual_create_out *out)
{
	if (!is_whole(in->bytes))
		return cudaErrorInvalidValue;
	if (in->bytes > memory_left(c->cuda))
		return cudaErrorMemoryAllocation;
	struct handle *h = add_handle(c, physical_create(in->bytes, &in->properties));
	hold(h);
	c->cuda->memory->used += in->bytes;
	out->handle = h->number;
	return 0;
}

static void release(struct cuda *c, struct handle *h)
{
	h->references--;
	h->of->references--;
	free_unused(c, h);
}

uint32_t serve_virtual_release(struct cuda_call *c, const struct call_virtual_release *in,
			       struct call_virtual_release_out *out)
{
	struct handle *h = handle_of(c, in->handle);
	(void)out;
	if (!h || !h->references)
		return cudaErrorInvalidValue;
	release(c->cuda, h);
	return 0;
}

/* By its handle, or by an address; that may be asked for once more. */
uint32_t serve_virtual_ask(struct cuda_call *c, const struct call_virtual_ask *in, struct call_virtual_ask_out *out)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	const struct mapped *m = in->address && memory_is_device(c, in->address) ? mapped_in(v, in->address, 1) : NULL;
	struct handle *h = m ? m->by : in->address ? NULL : handle_of(c, in->handle);
	if (!h || (!in->address && !h->references))
		return cudaErrorInvalidValue;
	if (in->retains && h->of->references < UINT32_MAX)
		hold(h);
	*out = (struct call_virtual_ask_out){h->number, h->of->bytes, h->of->properties,
					     m ? m->mapping.access : ACCESS_NONE};
	return 0;
}

/* ---- ranges ---- */

uint32_t serve_virtual_reserve(struct cuda_call *c, const struct call_virtual_reserve *in,
			       struct call_virtual_reserve_out *out)
{
	struct cuda *cuda = c->cuda;
	struct cuda_virtual *v = cuda->memory->virtual;
	char name[32];
	const uint64_t align = in->align > GRAIN ? in->align : GRAIN;
	if (!in->bytes || in->bytes % ARENA_PAGE || in->align & (in->align - 1))
		return cudaErrorInvalidValue;
	memory_new_name(cuda, name, sizeof name);
	const struct gpu_input reserve = {.kind = GPU_INPUT_RESERVE,
					  .address = align,
					  .n = in->bytes,
					  .name = name,
					  .context = c->client->context};
	const int64_t address = session_input(cuda->session, &reserve, NULL);
	if (address <= 0)
		return cudaErrorMemoryAllocation;
	cuda->memory->n_allocations++;
	debug_buffer_adopt(cuda->dbg, name, (uint64_t)address, in->bytes, "virtual", in->caller);
	struct range *r = xcalloc(1, sizeof *r);
	*r = (struct range){(uint64_t)address, in->bytes, c->client->context, v->range};
	v->range = r;
	out->address = r->address;
	return 0;
}

static void forget_range(struct cuda *c, struct range *r)
{
	struct range **at = &c->memory->virtual->range;
	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	session_input(c->session, &(struct gpu_input){.kind = GPU_INPUT_UNRESERVE, .address = r->address}, NULL);
	debug_buffer_forget(c->dbg, r->address);
	free(r);
}

uint32_t serve_virtual_free(struct cuda_call *c, const struct call_virtual_free *in, struct call_virtual_free_out *out)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	struct range *r = range_of(c, in->address, in->bytes);
	(void)out;
	if (!r || r->address != in->address || r->bytes != in->bytes || mapped_in(v, r->address, r->bytes))
		return cudaErrorInvalidValue;
	forget_range(c->cuda, r);
	return 0;
}

/* ---- mappings ---- */

uint32_t serve_virtual_map(struct cuda_call *c, const struct call_virtual_map *in, struct call_virtual_map_out *out)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	struct handle *h = handle_of(c, in->handle);
	(void)out;
	if (!h || !h->references || !is_whole(in->bytes) || in->address % GRAIN || in->bytes > h->of->bytes ||
	    !range_of(c, in->address, in->bytes) || mapped_in(v, in->address, in->bytes))
		return cudaErrorInvalidValue;
	struct mapped *m = xcalloc(1, sizeof *m);
	*m = (struct mapped){.mapping = {.address = in->address, .bytes = in->bytes}, .by = h, .next = v->mapped};
	v->mapped = m;
	h->mappings++;
	physical_add(h->of, &m->mapping);
	return 0;
}

/* What was launched before may find less there, or find it moved. */
static bool must_wait(const struct cuda_call *c, const struct call_virtual_access *in)
{
	bool waits = in->access != ACCESS_READ_WRITE;
	for (uint64_t at = in->address; at < in->address + in->bytes;) {
		const struct mapping *m = &mapped_in(c->cuda->memory->virtual, at, 1)->mapping;
		waits = waits || physical_would_move(m, in->access);
		at += m->bytes;
	}
	return waits && memory_must_wait(c);
}

uint32_t serve_virtual_access(struct cuda_call *c, const struct call_virtual_access *in,
			      struct call_virtual_access_out *out)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	(void)out;
	if (!in->bytes || !range_of(c, in->address, in->bytes) || !is_filled(v, in->address, in->bytes))
		return cudaErrorInvalidValue;
	if (must_wait(c, in))
		return CUDA_AGAIN;
	for (uint64_t at = in->address; at < in->address + in->bytes;) {
		struct mapping *m = &mapped_in(v, at, 1)->mapping;
		if (!physical_set_access(c, m, in->access))
			return cudaErrorMemoryAllocation;
		at += m->bytes;
	}
	return 0;
}

static void unmap(struct cuda *c, struct mapped *m)
{
	struct mapped **at = &c->memory->virtual->mapped;
	struct handle *h = m->by;
	physical_remove(c, &m->mapping);
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	free(m);
	h->mappings--;
	free_unused(c, h);
}

uint32_t serve_virtual_unmap(struct cuda_call *c, const struct call_virtual_unmap *in,
			     struct call_virtual_unmap_out *out)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	(void)out;
	if (!in->bytes || !range_of(c, in->address, in->bytes) || !is_filled(v, in->address, in->bytes))
		return cudaErrorInvalidValue;
	if (memory_must_wait(c))
		return CUDA_AGAIN;
	for (uint64_t at = in->address, n; at < in->address + in->bytes; at += n) {
		struct mapped *m = mapped_in(v, at, 1);
		n = m->mapping.bytes;
		unmap(c->cuda, m);
	}
	return 0;
}

/* ---- all of it ---- */

static void forget_handle(struct cuda *c, struct handle *h)
{
	h->of->references -= h->references;
	h->references = 0;
	free_unused(c, h);
}

void virtual_forget(struct cuda *c, uint32_t context)
{
	struct cuda_virtual *v = c->memory->virtual;
	for (struct handle *h = v->handle, *next; h; h = next) {
		next = h->next;
		if (memory_means(context, h->context))
			forget_handle(c, h);
	}
	for (struct mapped *m = v->mapped, *next; m; m = next) {
		next = m->next;
		if (memory_means(context, m->by->context))
			unmap(c, m);
	}
	for (struct range *r = v->range, *next; r; r = next) {
		next = r->next;
		if (memory_means(context, r->context))
			forget_range(c, r);
	}
}

static void free_mapped(struct cuda_virtual *v)
{
	for (struct mapped *m = v->mapped, *next; m; m = next) {
		next = m->next;
		free(m);
	}
}

static void free_handles(struct cuda_virtual *v)
{
	for (struct handle *h = v->handle, *next; h; h = next) {
		struct physical *p = h->of;
		next = v->handle = h->next;
		free(h);
		if (!has_handle(v, p))
			physical_free(p);
	}
}

void virtual_free_room(struct cuda_virtual *v)
{
	free_mapped(v);
	free_handles(v);
	for (struct range *r = v->range, *next; r; r = next) {
		next = r->next;
		free(r);
	}
	free(v);
}
