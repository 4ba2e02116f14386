/* Memory shared by programs and the device: pages of one file, mapped by both at the same address. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/xalloc.h"
#include "debug/findings/findings.h"
#include "server/channel/channel.h"
#include "server/memory/state.h"

struct server_shared *shared_create(void) { return xcalloc(1, sizeof(struct server_shared)); }

void shared_free(struct server_shared *s)
{
	for (size_t k = 0; k < s->n; k++)
		free(s->piece[k].known);
	free(s->piece);
	free(s);
}

/* Maps the device's pages to the shared file. */
static bool map_pages(struct server *c, uint64_t address, uint64_t bytes)
{
	char *at = gpu_exec(c->gpu)->global + address;
	return mmap(at, shared_pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, channel_window(c),
		    (off_t)address) == at;
}

/* Replaces the mapping by private zero pages, because history may restore their contents after the program has freed them. */
static bool unmap_pages(struct server *c, uint64_t address, uint64_t bytes)
{
	char *at = gpu_exec(c->gpu)->global + address;
	return mmap(at, shared_pages(bytes), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == at;
}

/* Clears the pages in the file and frees their host memory. */
static void drop_pages(struct server *c, uint64_t address, uint64_t bytes)
{
	if (fallocate(channel_window(c), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)address,
		      (off_t)shared_pages(bytes)))
		memset(gpu_exec(c->gpu)->global + address, 0, bytes);
}

struct piece *shared_find(const struct server *c, uint64_t address)
{
	const struct server_shared *s = c->memory->shared;
	for (size_t k = 0; k < s->n; k++)
		if (address >= s->piece[k].address && address - s->piece[k].address < s->piece[k].bytes)
			return &s->piece[k];
	return NULL;
}

enum wire_memory shared_kind(const struct server *c, uint64_t address)
{
	const struct piece *p = shared_find(c, address);
	return p ? p->kind : WIRE_MEMORY_NONE;
}

/* ---- pieces ---- */

static void add_piece(struct server *c, const struct piece *p)
{
	struct server_shared *s = c->memory->shared;
	s->piece = xgrow(s->piece, &s->cap, s->n + 1, sizeof *s->piece);
	s->piece[s->n++] = *p;
	shared_journal_begin(c, &s->piece[s->n - 1]);
}

uint32_t serve_host_alloc(struct server_call *c, const struct call_host_alloc *in, struct call_host_alloc_out *out)
{
	struct server *server = c->server;
	if (!in->bytes || (in->kind != WIRE_MEMORY_HOST && in->kind != WIRE_MEMORY_MANAGED))
		return WIRE_INVALID_VALUE;
	const uint64_t address = memory_allocate(c, in->bytes, (enum wire_memory)in->kind, in->caller);
	if (!address)
		return WIRE_OUT_OF_MEMORY;
	drop_pages(server, address, in->bytes);
	if (!map_pages(server, address, in->bytes)) {
		memory_free(server, address, 0);
		return WIRE_OUT_OF_MEMORY;
	}
	if (in->at)
		session_input(server->session,
			      &(struct gpu_input){.kind = GPU_INPUT_HOST_ADDRESS, .host_address = {address, in->at}},
			      NULL);
	add_piece(server, &(struct piece){.address = address,
					.bytes = in->bytes,
					.kind = (enum wire_memory)in->kind,
					.flags = in->flags & ~WIRE_ON_STACK,
					.context = c->client->context,
					.is_stack = in->flags & WIRE_ON_STACK});
	out->address = address;
	return 0;
}

/* `caller`: return address of the call that frees the piece, or 0. */
static void free_piece(struct server *c, struct piece *p, uint64_t caller)
{
	shared_journal_end(c, p);
	const struct piece was = *p;
	*p = c->memory->shared->piece[--c->memory->shared->n];
	if (was.is_variable)
		session_input(c->session, &(struct gpu_input){.kind = GPU_INPUT_FREE, .memory = {.address = was.address}}, NULL);
	else
		memory_free(c, was.address, caller);
	if (unmap_pages(c, was.address, was.bytes))
		drop_pages(c, was.address, was.bytes);
}

bool shared_free_at(struct server *c, uint64_t address)
{
	struct piece *p = shared_find(c, address);
	const bool is = p && p->address == address && !p->is_variable;
	if (is)
		free_piece(c, p, 0);
	return is;
}

uint32_t serve_host_free(struct server_call *c, const struct call_host_free *in, struct call_host_free_out *out)
{
	struct piece *p = shared_find(c->server, in->address);
	if (!p || p->context != c->client->context || p->address != in->address ||
	    p->kind != (enum wire_memory)in->kind || p->is_variable)
		return WIRE_INVALID_VALUE;
	if (memory_must_wait(c))
		return SERVER_AGAIN;
	out->bytes = p->bytes;
	free_piece(c->server, p, server_called_from(c));
	return 0;
}

uint32_t serve_host_access(struct server_call *c, const struct call_host_access *in, struct call_host_access_out *out)
{
	const struct gpu_input access = {.kind = GPU_INPUT_READ,
					 .copy = {.address = in->address,
						  .n = 1,
						  .caller = in->pc,
						  .context = c->client->context,
						  .is_direct = true,
						  .writes = in->writes != 0}};
	(void)out;
	if (shared_kind(c->server, in->address) != WIRE_MEMORY_MANAGED)
		return WIRE_INVALID_VALUE;
	session_input(c->server->session, &access, NULL);
	debug_host_found(c->server->dbg);
	return 0;
}

void shared_free_context(struct server *c, uint32_t context)
{
	struct server_shared *s = c->memory->shared;
	for (size_t k = s->n; k-- > 0;)
		if (memory_selects(context, s->piece[k].context))
			free_piece(c, &s->piece[k], 0);
	if (context != GPU_EVERY_CONTEXT)
		return;
	s->cost = 0;
	s->is_dear = s->is_lost = false;
}

uint32_t serve_pointer(struct server_call *c, const struct call_pointer *in, struct call_pointer_out *out)
{
	const struct piece *p = shared_find(c->server, in->address);
	const struct gpu_allocation *a = gpu_nearest_allocation(c->server->gpu, in->address);
	if (!memory_is_device(c, in->address))
		return 0;
	if (p) {
		*out = (struct call_pointer_out){p->address, p->bytes, p->kind, p->flags};
	} else if (virtual_mapping(c->server, in->address, &out->base, &out->bytes)) {
		out->kind = WIRE_MEMORY_DEVICE;
	} else if (a && memory_will_fit(c, in->address, 1)) {
		*out = (struct call_pointer_out){a->address, a->bytes, WIRE_MEMORY_DEVICE,
						 memory_is_exportable(c, in->address)};
	}
	return 0;
}

/* ---- variables ---- */

uint64_t shared_place(struct server *c, uint64_t bytes)
{
	const struct gpu_input in = {
		.kind = GPU_INPUT_ALLOC_PAGES,
		.alloc = {.bytes = bytes, .name = "managed variable", .context = c->serving}};
	const int64_t address = session_input(c->session, &in, NULL);
	if (address <= 0)
		return 0;
	drop_pages(c, (uint64_t)address, bytes);
	if (!map_pages(c, (uint64_t)address, bytes))
		return 0;
	add_piece(c, &(struct piece){.address = (uint64_t)address,
				     .bytes = bytes,
				     .kind = WIRE_MEMORY_MANAGED,
				     .flags = 1,
				     .context = c->serving,
				     .is_variable = true});
	return (uint64_t)address;
}

bool shared_has_pieces(const struct server *c) { return c->memory->shared->n || c->memory->shared->is_lost; }
