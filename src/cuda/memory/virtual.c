/* The driver's virtual memory: ranges of addresses, physical memory by handles, and what is mapped where. What is mapped and may be accessed is
 * live on the device, for reading or also for writing; the contents move with the handle when it is mapped somewhere else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cuda/memory/room.h"
#include "debug/setup/buffer.h"

#define GRAIN WIRE_VIRTUAL_GRAIN

enum { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_READ_WRITE = 3 }; /* CUmemAccess_flags */

struct physical {
	uint64_t number, bytes;
	uint32_t context;
	uint32_t references; /* of the program's */
	bool is_mapped;
	struct wire_physical properties;
	char **kept; /* by grain, what it holds while it isn't to be accessed; NULL: zeros */
	struct physical *next;
};

struct range {
	uint64_t address, bytes;
	uint32_t context;
	struct range *next;
};

struct mapping {
	uint64_t address, bytes;
	struct physical *of;
	uint64_t access; /* CUmemAccess_flags */
	struct mapping *next;
};

struct cuda_virtual {
	struct physical *physical;
	struct range *range;
	struct mapping *mapping;
	uint64_t handles; /* so far */
	bool said_once;	  /* that a handle is mapped once at a time */
};

struct cuda_virtual *virtual_create(void) { return xcalloc(1, sizeof(struct cuda_virtual)); }

static uint64_t grains(uint64_t bytes) { return bytes / GRAIN; }
static bool is_whole(uint64_t bytes) { return bytes && !(bytes % GRAIN); }

static void free_physical(struct physical *p)
{
	for (uint64_t k = 0; k < grains(p->bytes); k++)
		free(p->kept[k]);
	free(p->kept);
	free(p);
}

/* ---- finding ---- */

static struct physical *physical_of(const struct cuda_call *c, uint64_t number)
{
	struct physical *p = c->cuda->memory->virtual->physical;
	while (p && (p->number != number || p->context != c->client->context))
		p = p->next;
	return p;
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
static struct mapping *mapping_in(const struct cuda_virtual *v, uint64_t address, uint64_t bytes)
{
	struct mapping *m = v->mapping;
	while (m && (m->address >= address + bytes || address >= m->address + m->bytes))
		m = m->next;
	return m;
}

bool virtual_mapping(const struct cuda *c, uint64_t address, uint64_t *base, uint64_t *bytes)
{
	const struct mapping *m = mapping_in(c->memory->virtual, address, 1);
	if (m) {
		*base = m->address;
		*bytes = m->bytes;
	}
	return m;
}

/* Whole mappings, one after the other, fill it. */
static bool is_filled(const struct cuda_virtual *v, uint64_t address, uint64_t bytes)
{
	while (bytes) {
		const struct mapping *m = mapping_in(v, address, 1);
		if (!m || m->address != address || m->bytes > bytes)
			return false;
		address += m->bytes;
		bytes -= m->bytes;
	}
	return true;
}

/* ---- physical memory ---- */

/* Neither the program nor a mapping has it. */
static void free_unused(struct cuda *c, struct physical *p)
{
	struct physical **at = &c->memory->virtual->physical;
	if (p->references || p->is_mapped)
		return;
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	c->memory->used -= p->bytes;
	free_physical(p);
}

uint32_t serve_virtual_create(struct cuda_call *c, const struct call_virtual_create *in,
			      struct call_virtual_create_out *out)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	if (!is_whole(in->bytes))
		return cudaErrorInvalidValue;
	if (in->bytes > memory_left(c->cuda))
		return cudaErrorMemoryAllocation;
	struct physical *p = xcalloc(1, sizeof *p);
	*p = (struct physical){.number = ++v->handles,
			       .bytes = in->bytes,
			       .context = c->client->context,
			       .references = 1,
			       .properties = in->properties,
			       .kept = xcalloc(grains(in->bytes), sizeof *p->kept),
			       .next = v->physical};
	v->physical = p;
	c->cuda->memory->used += p->bytes;
	out->handle = p->number;
	return 0;
}

uint32_t serve_virtual_release(struct cuda_call *c, const struct call_virtual_release *in,
			       struct call_virtual_release_out *out)
{
	struct physical *p = physical_of(c, in->handle);
	(void)out;
	if (!p || !p->references)
		return cudaErrorInvalidValue;
	p->references--;
	free_unused(c->cuda, p);
	return 0;
}

/* By its handle, or by an address; that may be asked for once more. */
uint32_t serve_virtual_ask(struct cuda_call *c, const struct call_virtual_ask *in, struct call_virtual_ask_out *out)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	const struct mapping *m =
		in->address && memory_is_device(c, in->address) ? mapping_in(v, in->address, 1) : NULL;
	struct physical *p = m ? m->of : in->address ? NULL : physical_of(c, in->handle);
	if (!p || (!in->address && !p->references))
		return cudaErrorInvalidValue;
	p->references += in->retains && p->references < UINT32_MAX;
	*out = (struct call_virtual_ask_out){p->number, p->bytes, p->properties, m ? m->access : ACCESS_NONE};
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
	if (!r || r->address != in->address || r->bytes != in->bytes || mapping_in(v, r->address, r->bytes))
		return cudaErrorInvalidValue;
	forget_range(c->cuda, r);
	return 0;
}

/* ---- mappings ---- */

static bool map(struct cuda *c, const struct mapping *m, enum gpu_map how)
{
	return session_input(
		c->session,
		&(struct gpu_input){.kind = GPU_INPUT_MAP, .address = m->address, .n = m->bytes, .number = how}, NULL);
}

uint32_t serve_virtual_map(struct cuda_call *c, const struct call_virtual_map *in, struct call_virtual_map_out *out)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	struct physical *p = physical_of(c, in->handle);
	(void)out;
	if (!p || !p->references || !is_whole(in->bytes) || in->address % GRAIN || in->bytes > p->bytes ||
	    !range_of(c, in->address, in->bytes) || mapping_in(v, in->address, in->bytes))
		return cudaErrorInvalidValue;
	if (p->is_mapped) {
		if (!v->said_once)
			cuda_say(c->cuda, "note: cuMemMap: memory of one handle can be mapped once at a time");
		v->said_once = true;
		return cudaErrorNotSupported;
	}
	struct mapping *m = xcalloc(1, sizeof *m);
	*m = (struct mapping){in->address, in->bytes, p, ACCESS_NONE, v->mapping};
	v->mapping = m;
	p->is_mapped = true;
	return 0;
}

/* What it holds comes to the device. */
static void bring(const struct cuda_call *c, const struct mapping *m)
{
	for (uint64_t k = 0; k < grains(m->bytes); k++) {
		const struct gpu_input put = {.kind = GPU_INPUT_WRITE,
					      .address = m->address + k * GRAIN,
					      .n = GRAIN,
					      .data = m->of->kept[k],
					      .caller = cuda_called_from(c),
					      .context = c->client->context};
		if (put.data)
			session_input(c->cuda->session, &put, NULL);
		free(m->of->kept[k]);
		m->of->kept[k] = NULL;
	}
}

/* And goes, if somebody can still ask for it. */
static void take(struct cuda *c, const struct mapping *m)
{
	const struct exec *e = gpu_exec(c->gpu);
	for (uint64_t k = 0; k < grains(m->bytes); k++) {
		const uint64_t at = m->address + k * GRAIN;
		if (!arena_written(gpu_arena(c->gpu), e->sec_global, at, GRAIN))
			continue;
		m->of->kept[k] = xmalloc(GRAIN);
		memcpy(m->of->kept[k], e->global + at, GRAIN);
	}
}

static bool set_access(const struct cuda_call *c, struct mapping *m, uint64_t access)
{
	const uint64_t before = m->access;
	if (before == access)
		return true;
	if (!access)
		take(c->cuda, m);
	m->access = access;
	if (!map(c->cuda, m, access == ACCESS_READ_WRITE ? GPU_MAP_ON : access ? GPU_MAP_READ : GPU_MAP_EMPTY))
		return false;
	if (!before)
		bring(c, m);
	return true;
}

uint32_t serve_virtual_access(struct cuda_call *c, const struct call_virtual_access *in,
			      struct call_virtual_access_out *out)
{
	struct cuda_virtual *v = c->cuda->memory->virtual;
	(void)out;
	if (!in->bytes || !range_of(c, in->address, in->bytes) || !is_filled(v, in->address, in->bytes))
		return cudaErrorInvalidValue;
	if (in->access != ACCESS_READ_WRITE && memory_must_wait(c))
		return CUDA_AGAIN;
	for (uint64_t at = in->address; at < in->address + in->bytes;) {
		struct mapping *m = mapping_in(v, at, 1);
		if (!set_access(c, m, in->access))
			return cudaErrorMemoryAllocation;
		at += m->bytes;
	}
	return 0;
}

static void unmap(struct cuda *c, struct mapping *m)
{
	struct mapping **at = &c->memory->virtual->mapping;
	struct physical *p = m->of;
	if (m->access && p->references)
		take(c, m);
	if (m->access)
		map(c, m, GPU_MAP_EMPTY);
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	free(m);
	p->is_mapped = false;
	free_unused(c, p);
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
		struct mapping *m = mapping_in(v, at, 1);
		n = m->bytes;
		unmap(c->cuda, m);
	}
	return 0;
}

/* ---- all of it ---- */

void virtual_forget(struct cuda *c, uint32_t context)
{
	struct cuda_virtual *v = c->memory->virtual;
	for (struct physical *p = v->physical; p; p = p->next)
		p->references += memory_means(context, p->context); /* until nothing has it any more */
	for (struct mapping *m = v->mapping, *next; m; m = next) {
		next = m->next;
		if (memory_means(context, m->of->context))
			unmap(c, m);
	}
	for (struct range *r = v->range, *next; r; r = next) {
		next = r->next;
		if (memory_means(context, r->context))
			forget_range(c, r);
	}
	for (struct physical *p = v->physical, *next; p; p = next) {
		next = p->next;
		if (!memory_means(context, p->context))
			continue;
		p->references = 0;
		free_unused(c, p);
	}
}

void virtual_free_room(struct cuda_virtual *v)
{
	for (struct physical *p = v->physical, *next; p; p = next) {
		next = p->next;
		free_physical(p);
	}
	for (struct range *r = v->range, *next; r; r = next) {
		next = r->next;
		free(r);
	}
	for (struct mapping *m = v->mapping, *next; m; m = next) {
		next = m->next;
		free(m);
	}
	free(v);
}
