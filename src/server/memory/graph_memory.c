/* Memory of graphs: each allocation node has a fixed address, which has memory from the node's execution until it is freed.
 *
 * A launch of a graph makes the calls of its nodes in order, so the call knows whether an address is allocated; memory is mapped and unmapped at the
 * turn in the stream. Calls decide how much of the device's memory is in use. */
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "server/memory/state.h"
#include "server/stream/deferred.h"
#include "debug/setup/buffer.h"

struct graph_piece {
	uint64_t address, bytes;
	uint32_t context;
	bool is_allocated; /* true if allocated by the calls so far */
	bool was_freed;	   /* true if it was freed and isn't allocated again */
	bool is_orphan;	   /* true if no node has the address any more */
	uint32_t pending;  /* number of calls that wait for their turn */
	uint64_t freed_in; /* if pending: the stream of the last call that frees it */
	struct graph_piece *next;
};

struct server_graph_memory {
	struct graph_piece *first;
	uint64_t allocated;
	uint64_t value[WIRE_GRAPH_ATTRIBUTES];
};

struct server_graph_memory *graph_memory_create(void) { return xcalloc(1, sizeof(struct server_graph_memory)); }

static struct graph_piece *find_piece(const struct server *c, uint64_t address)
{
	struct graph_piece *p = c->memory->graphs->first;
	while (p && p->address != address)
		p = p->next;
	return p;
}

static struct graph_piece *find_own_piece(const struct server_call *c, uint64_t address)
{
	struct graph_piece *p = find_piece(c->server, address);
	return p && p->context == c->client->context ? p : NULL;
}

static bool map_piece(struct server *c, const struct graph_piece *p, enum gpu_map how)
{
	return session_input(
		c->session,
		&(struct gpu_input){.kind = GPU_INPUT_MAP, .map = {p->address, p->bytes, how, 0}}, NULL);
}

static void remove_piece(struct server *c, struct graph_piece *p)
{
	struct graph_piece **at = &c->memory->graphs->first;
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	session_input(c->session, &(struct gpu_input){.kind = GPU_INPUT_UNRESERVE, .memory = {p->address}}, NULL);
	debug_buffer_forget(c->dbg, p->address);
	free(p);
}

static void remove_if_unused(struct server *c, struct graph_piece *p)
{
	if (p->is_orphan && !p->is_allocated && !p->pending)
		remove_piece(c, p);
}

static void mark_freed(struct server *c, struct graph_piece *p)
{
	p->is_allocated = false;
	p->was_freed = true;
	c->memory->used -= p->bytes;
	c->memory->graphs->allocated -= p->bytes;
}

void graph_memory_forget(struct server *c, uint32_t context)
{
	struct server_graph_memory *g = c->memory->graphs;
	for (struct graph_piece *p = g->first, *next; p; p = next) {
		next = p->next;
		if (!memory_selects(context, p->context))
			continue;
		if (p->is_allocated)
			mark_freed(c, p);
		map_piece(c, p, GPU_MAP_EMPTY);
		remove_piece(c, p);
	}
	if (!g->first)
		*g = (struct server_graph_memory){0};
}

void graph_memory_destroy(struct server_graph_memory *g)
{
	for (struct graph_piece *p = g->first, *next; p; p = next) {
		next = p->next;
		free(p);
	}
	free(g);
}

/* ---- how much ---- */

static void raise_to(uint64_t *v, uint64_t to) { *v = to > *v ? to : *v; }

/* Sets the reserved size. As with CUDA, freed memory stays reserved for graphs until it is trimmed; no other memory is reserved. */
static void set_reserved(struct server_graph_memory *g, uint64_t bytes)
{
	g->value[WIRE_GRAPH_USED] = g->value[WIRE_GRAPH_RESERVED] = bytes;
	raise_to(&g->value[WIRE_GRAPH_USED_HIGH], bytes);
	raise_to(&g->value[WIRE_GRAPH_RESERVED_HIGH], bytes);
}

/* Returns the bytes freed by waiting calls of other streams: only the freeing stream may reuse them. */
static uint64_t bytes_held_by_other_streams(const struct server_graph_memory *g, const struct graph_piece *but,
					    uint64_t stream)
{
	uint64_t sum = 0;
	for (const struct graph_piece *p = g->first; p; p = p->next)
		sum += p != but && !p->is_allocated && p->pending && p->freed_in != stream ? p->bytes : 0;
	return sum;
}

static void mark_allocated(struct server *c, struct graph_piece *p, uint64_t stream)
{
	struct server_graph_memory *g = c->memory->graphs;
	p->is_allocated = true;
	p->was_freed = false;
	c->memory->used += p->bytes;
	g->allocated += p->bytes;
	const uint64_t needed = g->allocated + bytes_held_by_other_streams(g, p, stream);
	if (needed > g->value[WIRE_GRAPH_RESERVED])
		set_reserved(g, needed);
}

uint32_t serve_graph_attribute(struct server_call *c, const struct call_graph_attribute *in,
			       struct call_graph_attribute_out *out)
{
	struct server_graph_memory *g = c->server->memory->graphs;
	if (in->attribute >= WIRE_GRAPH_ATTRIBUTES)
		return WIRE_INVALID_VALUE;
	if (in->what == WIRE_ATTRIBUTE_RESET)
		g->value[in->attribute] = 0;
	if (in->what == WIRE_ATTRIBUTE_TRIM)
		set_reserved(g, g->allocated);
	out->value = g->value[in->attribute];
	return 0;
}

/* ---- a node's memory ---- */

uint32_t serve_graph_reserve(struct server_call *c, const struct call_graph_reserve *in,
			     struct call_graph_reserve_out *out)
{
	struct server *server = c->server;
	char name[32];
	if (!in->bytes)
		return WIRE_INVALID_VALUE;
	if (in->bytes > server->memory->most)
		return WIRE_OUT_OF_MEMORY;
	memory_new_name(server, name, sizeof name);
	const struct gpu_input reserve = {
		.kind = GPU_INPUT_RESERVE,
		.alloc = {.bytes = in->bytes, .name = name, .context = c->client->context, .by_program = true, .caller = in->caller}};
	const int64_t address = session_input(server->session, &reserve, NULL);
	if (address <= 0)
		return WIRE_OUT_OF_MEMORY;
	server->memory->n_allocations++;
	debug_buffer_adopt(server->dbg, name, (uint64_t)address, in->bytes, "graph", in->caller);
	struct graph_piece *p = xcalloc(1, sizeof *p);
	*p = (struct graph_piece){.address = (uint64_t)address,
				  .bytes = in->bytes,
				  .context = c->client->context,
				  .next = server->memory->graphs->first};
	server->memory->graphs->first = p;
	out->address = p->address;
	return 0;
}

uint32_t serve_graph_release(struct server_call *c, const struct call_graph_release *in,
			     struct call_graph_release_out *out)
{
	struct graph_piece *p = find_own_piece(c, in->address);
	(void)out;
	if (!p)
		return WIRE_INVALID_VALUE;
	p->is_orphan = true;
	remove_if_unused(c->server, p);
	return 0;
}

uint32_t serve_graph_state(struct server_call *c, const struct call_graph_state *in, struct call_graph_state_out *out)
{
	const struct graph_piece *p = find_own_piece(c, in->address);
	out->is_allocated = p && p->is_allocated;
	return p ? 0 : WIRE_INVALID_VALUE;
}

uint32_t serve_graph_allocate(struct server_call *c, const struct call_graph_allocate *in,
			      struct call_graph_allocate_out *out)
{
	struct server *server = c->server;
	struct graph_piece *p = find_own_piece(c, in->address);
	(void)out;
	if (!p || (c->first && p->is_allocated))
		return WIRE_INVALID_VALUE;
	if (c->first && p->bytes > memory_available(server))
		return WIRE_OUT_OF_MEMORY;
	const uint32_t turn = deferred_enqueue(c, in->stream, &(struct deferred_source){0});
	if (turn && turn != SERVER_DEFERRED)
		return turn;
	if (c->first)
		mark_allocated(server, p, in->stream);
	if (turn) {
		p->pending++;
		return 0;
	}
	p->pending -= !c->first;
	return map_piece(server, p, GPU_MAP_ON) ? 0 : WIRE_OUT_OF_MEMORY;
}

/* ---- freeing, by nodes and other calls ---- */

bool graph_memory_has(const struct server *c, uint64_t address) { return find_piece(c, address); }

bool graph_memory_was_freed(const struct server *c, uint64_t address)
{
	const struct graph_piece *p = find_piece(c, address);
	return p && p->was_freed;
}

uint32_t graph_memory_free(struct server *c, uint64_t address)
{
	struct graph_piece *p = find_piece(c, address);
	if (!p->is_allocated)
		return WIRE_INVALID_VALUE;
	mark_freed(c, p);
	map_piece(c, p, GPU_MAP_EMPTY);
	remove_if_unused(c, p);
	return 0;
}

uint32_t graph_memory_free_in_stream(struct server_call *c, uint64_t address, uint64_t stream)
{
	struct graph_piece *p = find_piece(c->server, address);
	if (c->first && !p->is_allocated)
		return WIRE_INVALID_VALUE;
	const uint32_t turn = deferred_enqueue(c, stream, &(struct deferred_source){0});
	if (turn && turn != SERVER_DEFERRED)
		return turn;
	if (c->first)
		mark_freed(c->server, p);
	if (turn) {
		p->pending++;
		p->freed_in = stream;
		return 0;
	}
	p->pending -= !c->first;
	map_piece(c->server, p, GPU_MAP_EMPTY);
	remove_if_unused(c->server, p);
	return 0;
}
