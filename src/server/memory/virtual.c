/* The driver's virtual memory: address ranges, handles of physical memory, and mappings. An accessible mapping is live on the device, for reading or
 * also writing, or is an alias of a live mapping (physical.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/channel/ticket.h"
#include "server/memory/physical.h"
#include "debug/setup/buffer.h"

#define GRAIN PHYSICAL_GRAIN

/* A context's handle of physical memory; it exists while the program or a mapping refers to it. */
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

/* A mapping and the handle it was made with. */
struct mapped {
	struct mapping mapping;
	struct handle *by;
	struct mapped *next;
};

struct server_virtual {
	struct physical *physical;
	struct handle *handle;
	struct range *range;
	struct mapped *mapped;
	uint64_t n_physical, n_handles; /* numbers given so far */
};

struct server_virtual *virtual_create(void) { return xcalloc(1, sizeof(struct server_virtual)); }

static bool is_whole(uint64_t bytes) { return bytes && !(bytes % GRAIN); }

/* ---- finding ---- */

static struct handle *handle_of(const struct server_call *c, uint64_t number)
{
	struct handle *h = c->server->memory->virtual->handle;
	while (h && (h->number != number || h->context != c->client->context))
		h = h->next;
	return h;
}

static struct range *range_of(const struct server_call *c, uint64_t address, uint64_t bytes)
{
	struct range *r = c->server->memory->virtual->range;
	while (r && (r->context != c->client->context || address < r->address || address - r->address > r->bytes ||
		     bytes > r->bytes - (address - r->address)))
		r = r->next;
	return r;
}

/* Returns a mapping that overlaps the range; NULL if there is none. */
static struct mapped *mapped_in(const struct server_virtual *v, uint64_t address, uint64_t bytes)
{
	struct mapped *m = v->mapped;
	while (m && (m->mapping.address >= address + bytes || address >= m->mapping.address + m->mapping.bytes))
		m = m->next;
	return m;
}

bool virtual_has_ranges(const struct server *c) { return c->memory->virtual->range; }

bool virtual_mapping(const struct server *c, uint64_t address, uint64_t *base, uint64_t *bytes)
{
	const struct mapped *m = mapped_in(c->memory->virtual, address, 1);
	if (m) {
		*base = m->mapping.address;
		*bytes = m->mapping.bytes;
	}
	return m;
}

/* Returns whether whole mappings fill the range without gaps. */
static bool is_filled(const struct server_virtual *v, uint64_t address, uint64_t bytes)
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

/* Adds a reference to the caller's handle of `p`; creates the handle if needed. */
static struct handle *acquire_handle(struct server_call *c, struct physical *p)
{
	struct server_virtual *v = c->server->memory->virtual;
	struct handle *h = v->handle;
	while (h && (h->of != p || h->context != c->client->context))
		h = h->next;
	if (!h) {
		h = xcalloc(1, sizeof *h);
		*h = (struct handle){
			.number = ++v->n_handles, .context = c->client->context, .of = p, .next = v->handle};
		v->handle = h;
		p->handles++;
	}
	h->references++;
	p->references++;
	return h;
}

static void free_if_unwanted(struct server *c, struct physical *p)
{
	struct physical **at = &c->memory->virtual->physical;
	if (p->handles || physical_is_wanted(c, p))
		return;
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	c->memory->used -= p->bytes;
	physical_free(p);
}

/* Frees the handle if neither the program nor a mapping refers to it. */
static void free_handle_if_unused(struct server *c, struct handle *h)
{
	struct handle **at = &c->memory->virtual->handle;
	struct physical *p = h->of;
	if (h->references || h->mappings)
		return;
	while (*at != h)
		at = &(*at)->next;
	*at = h->next;
	free(h);
	p->handles--;
	free_if_unwanted(c, p);
}

uint32_t serve_virtual_create(struct server_call *c, const struct call_virtual_create *in,
			      struct call_virtual_create_out *out)
{
	struct server_virtual *v = c->server->memory->virtual;
	if (!is_whole(in->bytes))
		return WIRE_INVALID_VALUE;
	if (in->bytes > memory_available(c->server))
		memory_reclaim(c->server);
	if (in->bytes > memory_available(c->server))
		return WIRE_OUT_OF_MEMORY;
	struct physical *p = physical_create(in->bytes, &in->properties);
	p->number = ++v->n_physical;
	p->next = v->physical;
	v->physical = p;
	c->server->memory->used += in->bytes;
	out->handle = acquire_handle(c, p)->number;
	return 0;
}

static void release_handle(struct server *c, struct handle *h)
{
	h->references--;
	h->of->references--;
	free_handle_if_unused(c, h);
}

uint32_t serve_virtual_release(struct server_call *c, const struct call_virtual_release *in,
			       struct call_virtual_release_out *out)
{
	struct handle *h = handle_of(c, in->handle);
	(void)out;
	if (!h || !h->references)
		return WIRE_INVALID_VALUE;
	release_handle(c->server, h);
	return 0;
}

/* Returns properties of physical memory by handle or by mapped address; with `retains`, also adds a reference. */
uint32_t serve_virtual_ask(struct server_call *c, const struct call_virtual_ask *in, struct call_virtual_ask_out *out)
{
	struct server_virtual *v = c->server->memory->virtual;
	const struct mapped *m = in->address && memory_is_device(c, in->address) ? mapped_in(v, in->address, 1) : NULL;
	struct handle *h = m ? m->by : in->address ? NULL : handle_of(c, in->handle);
	if (!h || (!in->address && !h->references))
		return WIRE_INVALID_VALUE;
	if (in->retains && h->of->references < UINT32_MAX)
		acquire_handle(c, h->of);
	*out = (struct call_virtual_ask_out){h->number, h->of->bytes, h->of->properties,
					     m ? m->mapping.access : WIRE_ACCESS_NONE};
	return 0;
}

/* ---- sharing between processes ---- */

uint32_t memory_export_physical(struct server_call *c, uint64_t handle)
{
	const struct handle *h = handle_of(c, handle);
	if (!h || !h->references || !h->of->properties.is_exportable)
		return WIRE_INVALID_VALUE;
	h->of->was_exported = true;
	return ticket_send(c, WIRE_EXPORT_PHYSICAL, h->of->number);
}

uint32_t memory_import_physical(struct server_call *c, uint64_t number, uint64_t *handle)
{
	struct physical *p = c->server->memory->virtual->physical;
	while (p && p->number != number)
		p = p->next;
	if (!p || !p->was_exported || p->references == UINT32_MAX)
		return WIRE_INVALID_VALUE;
	*handle = acquire_handle(c, p)->number;
	return 0;
}

/* ---- ranges ---- */

uint32_t serve_virtual_reserve(struct server_call *c, const struct call_virtual_reserve *in,
			       struct call_virtual_reserve_out *out)
{
	struct server *server = c->server;
	struct server_virtual *v = server->memory->virtual;
	char name[32];
	const uint64_t align = in->align > GRAIN ? in->align : GRAIN;
	if (!in->bytes || in->bytes % ARENA_PAGE || in->align & (in->align - 1))
		return WIRE_INVALID_VALUE;
	memory_new_name(server, name, sizeof name);
	const struct gpu_input reserve = {.kind = GPU_INPUT_RESERVE,
					  .alloc = {.bytes = in->bytes,
						    .align = align,
						    .name = name,
						    .context = c->client->context,
						    .by_program = true,
						    .caller = in->caller}};
	const int64_t address = session_input(server->session, &reserve, NULL);
	if (address <= 0)
		return WIRE_OUT_OF_MEMORY;
	server->memory->n_allocations++;
	debug_buffer_adopt(server->dbg, name, (uint64_t)address, in->bytes, "virtual", in->caller);
	struct range *r = xcalloc(1, sizeof *r);
	*r = (struct range){(uint64_t)address, in->bytes, c->client->context, v->range};
	v->range = r;
	out->address = r->address;
	return 0;
}

static void remove_range(struct server *c, struct range *r)
{
	struct range **at = &c->memory->virtual->range;
	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	session_input(c->session, &(struct gpu_input){.kind = GPU_INPUT_UNRESERVE, .memory = {r->address}}, NULL);
	debug_buffer_forget(c->dbg, r->address);
	free(r);
}

uint32_t serve_virtual_free(struct server_call *c, const struct call_virtual_free *in, struct call_virtual_free_out *out)
{
	struct server_virtual *v = c->server->memory->virtual;
	struct range *r = range_of(c, in->address, in->bytes);
	(void)out;
	if (!r || r->address != in->address || r->bytes != in->bytes || mapped_in(v, r->address, r->bytes))
		return WIRE_INVALID_VALUE;
	remove_range(c->server, r);
	return 0;
}

/* ---- mappings ---- */

uint32_t serve_virtual_map(struct server_call *c, const struct call_virtual_map *in, struct call_virtual_map_out *out)
{
	struct server_virtual *v = c->server->memory->virtual;
	struct handle *h = handle_of(c, in->handle);
	(void)out;
	if (!h || !h->references || !is_whole(in->bytes) || in->address % GRAIN || in->bytes > h->of->bytes ||
	    !range_of(c, in->address, in->bytes) || mapped_in(v, in->address, in->bytes))
		return WIRE_INVALID_VALUE;
	struct mapped *m = xcalloc(1, sizeof *m);
	*m = (struct mapped){.mapping = {.address = in->address, .bytes = in->bytes, .context = h->context},
			     .by = h,
			     .next = v->mapped};
	v->mapped = m;
	h->mappings++;
	physical_add(h->of, &m->mapping);
	return 0;
}

/* Returns whether any process that has mapped the memory has work on the modelled device, which may access it in flight. */
static bool is_under_way(const struct server_call *c, const struct physical *p)
{
	const struct gpu *g = c->server->gpu;
	const struct mapping *m = gpu_is_performance(g) ? p->mappings : NULL;
	while (m && !gpu_context_has_work(g, m->context))
		m = m->next;
	return m;
}

/* Returns whether earlier work must finish first: the change of access would remove or move memory that the work may use. */
static bool must_wait(const struct server_call *c, uint64_t address, uint64_t bytes, uint64_t access)
{
	bool waits = access != WIRE_ACCESS_READ_WRITE;
	for (uint64_t at = address; at < address + bytes;) {
		const struct mapping *m = &mapped_in(c->server->memory->virtual, at, 1)->mapping;
		const bool moves = physical_would_move(m, access);
		if (moves && is_under_way(c, m->of))
			return true;
		waits = waits || moves;
		at += m->bytes;
	}
	return waits && memory_must_wait(c);
}

uint32_t serve_virtual_access(struct server_call *c, const struct call_virtual_access *in,
			      struct call_virtual_access_out *out)
{
	struct server_virtual *v = c->server->memory->virtual;
	(void)out;
	if (!in->bytes || !range_of(c, in->address, in->bytes) || !is_filled(v, in->address, in->bytes))
		return WIRE_INVALID_VALUE;
	if (must_wait(c, in->address, in->bytes, in->access))
		return SERVER_AGAIN;
	for (uint64_t at = in->address; at < in->address + in->bytes;) {
		struct mapping *m = &mapped_in(v, at, 1)->mapping;
		if (!physical_set_access(c, m, in->access))
			return WIRE_OUT_OF_MEMORY;
		at += m->bytes;
	}
	return 0;
}

static void unmap(struct server *c, struct mapped *m)
{
	struct mapped **at = &c->memory->virtual->mapped;
	struct handle *h = m->by;
	physical_remove(c, &m->mapping);
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	free(m);
	h->mappings--;
	free_handle_if_unused(c, h);
}

uint32_t serve_virtual_unmap(struct server_call *c, const struct call_virtual_unmap *in,
			     struct call_virtual_unmap_out *out)
{
	struct server_virtual *v = c->server->memory->virtual;
	(void)out;
	if (!in->bytes || !range_of(c, in->address, in->bytes) || !is_filled(v, in->address, in->bytes))
		return WIRE_INVALID_VALUE;
	if (must_wait(c, in->address, in->bytes, WIRE_ACCESS_NONE))
		return SERVER_AGAIN;
	for (uint64_t at = in->address, n; at < in->address + in->bytes; at += n) {
		struct mapped *m = mapped_in(v, at, 1);
		n = m->mapping.bytes;
		unmap(c->server, m);
	}
	return 0;
}

/* ---- all of it ---- */

static void drop_references(struct server *c, struct handle *h)
{
	h->of->references -= h->references;
	h->references = 0;
	free_handle_if_unused(c, h);
}

static void drop_handles(struct server *c, uint32_t context)
{
	for (struct handle *h = c->memory->virtual->handle, *next; h; h = next) {
		next = h->next;
		if (memory_selects(context, h->context))
			drop_references(c, h);
	}
}

static void free_unwanted(struct server *c)
{
	for (struct physical *p = c->memory->virtual->physical, *next; p; p = next) {
		next = p->next;
		free_if_unwanted(c, p);
	}
}

void virtual_forget(struct server *c, uint32_t context)
{
	struct server_virtual *v = c->memory->virtual;
	drop_handles(c, context);
	for (struct mapped *m = v->mapped, *next; m; m = next) {
		next = m->next;
		if (memory_selects(context, m->by->context))
			unmap(c, m);
	}
	for (struct range *r = v->range, *next; r; r = next) {
		next = r->next;
		if (memory_selects(context, r->context))
			remove_range(c, r);
	}
	for (struct physical *p = v->physical; context == GPU_EVERY_CONTEXT && p; p = p->next)
		p->was_exported = false;
	free_unwanted(c);
}

/* Also frees exported memory that is no longer wanted. */
void virtual_reclaim(struct server *c)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (c->context[k].has_ended)
			drop_handles(c, k);
	for (struct mapped *m = c->memory->virtual->mapped, *next; m; m = next) {
		const uint32_t context = m->by->context;
		next = m->next;
		if (c->context[context].has_ended && !physical_is_mapped_by_others(m->mapping.of, context))
			unmap(c, m);
	}
	free_unwanted(c);
}

void virtual_destroy(struct server_virtual *v)
{
	for (struct mapped *m = v->mapped, *next; m; m = next) {
		next = m->next;
		free(m);
	}
	for (struct handle *h = v->handle, *next; h; h = next) {
		next = h->next;
		free(h);
	}
	for (struct physical *p = v->physical, *next; p; p = next) {
		next = p->next;
		physical_free(p);
	}
	for (struct range *r = v->range, *next; r; r = next) {
		next = r->next;
		free(r);
	}
	free(v);
}
