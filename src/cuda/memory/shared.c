/* Memory that programs and the device both have: pages of one file, mapped in both at the same address. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/xalloc.h"
#include "cuda/channel/channel.h"
#include "cuda/memory/room.h"

struct piece {
	uint64_t address, bytes; /* as asked for */
	enum wire_memory kind;
	uint32_t flags;
	bool is_variable; /* of a module */
};

struct cuda_shared {
	struct piece *piece;
	size_t n, cap;
};

struct cuda_shared *shared_create(void) { return xcalloc(1, sizeof(struct cuda_shared)); }

void shared_free(struct cuda_shared *s)
{
	free(s->piece);
	free(s);
}

static uint64_t page_up(uint64_t n) { return (n + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1); }

/* The device's pages become the file's; what they held stays. */
static bool map_pages(struct cuda *c, uint64_t address, uint64_t bytes)
{
	char *at = gpu_exec(c->gpu)->global + address;
	return mmap(at, page_up(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, channel_window(c),
		    (off_t)address) == at;
}

/* Zeros, and no memory of the host's any more. */
static void drop_pages(struct cuda *c, uint64_t address, uint64_t bytes)
{
	if (fallocate(channel_window(c), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)address,
		      (off_t)page_up(bytes)))
		memset(gpu_exec(c->gpu)->global + address, 0, bytes);
}

static struct piece *find(const struct cuda_shared *s, uint64_t address)
{
	for (size_t k = 0; k < s->n; k++)
		if (address >= s->piece[k].address && address - s->piece[k].address < s->piece[k].bytes)
			return &s->piece[k];
	return NULL;
}

enum wire_memory shared_kind(const struct cuda *c, uint64_t address)
{
	const struct piece *p = find(c->memory->shared, address);
	return p ? p->kind : WIRE_MEMORY_NONE;
}

static void add(struct cuda_shared *s, const struct piece *p)
{
	s->piece = xgrow(s->piece, &s->cap, s->n + 1, sizeof *s->piece);
	s->piece[s->n++] = *p;
}

uint32_t serve_host_alloc(struct cuda_call *c, const struct call_host_alloc *in, struct call_host_alloc_out *out)
{
	struct cuda *cuda = c->cuda;
	struct cuda_shared *s = cuda->memory->shared;
	if (!in->bytes || (in->kind != WIRE_MEMORY_HOST && in->kind != WIRE_MEMORY_MANAGED))
		return cudaErrorInvalidValue;
	const uint64_t address = memory_allocate(cuda, in->bytes, (enum wire_memory)in->kind, in->caller);
	if (!address)
		return cudaErrorMemoryAllocation;
	drop_pages(cuda, address, in->bytes);
	if (!map_pages(cuda, address, in->bytes)) {
		memory_free(cuda, address);
		return cudaErrorMemoryAllocation;
	}
	add(s, &(struct piece){address, in->bytes, (enum wire_memory)in->kind, in->flags, false});
	out->address = address;
	return 0;
}

static void give_back(struct cuda *c, struct piece *p)
{
	const uint64_t address = p->address;
	const bool is_variable = p->is_variable;
	if (!is_variable)
		drop_pages(c, address, p->bytes);
	*p = c->memory->shared->piece[--c->memory->shared->n];
	if (!is_variable)
		memory_free(c, address);
}

uint32_t serve_host_free(struct cuda_call *c, const struct call_host_free *in, struct call_host_free_out *out)
{
	struct piece *p = find(c->cuda->memory->shared, in->address);
	if (!p || p->address != in->address || p->kind != (enum wire_memory)in->kind || p->is_variable)
		return cudaErrorInvalidValue;
	if (memory_must_wait(c))
		return CUDA_AGAIN;
	out->bytes = p->bytes;
	give_back(c->cuda, p);
	return 0;
}

void shared_forget_all(struct cuda *c)
{
	while (c->memory->shared->n)
		give_back(c, &c->memory->shared->piece[0]);
}

uint32_t serve_pointer(struct cuda_call *c, const struct call_pointer *in, struct call_pointer_out *out)
{
	const struct piece *p = find(c->cuda->memory->shared, in->address);
	const struct gpu_allocation *a = gpu_nearest_allocation(c->cuda->gpu, in->address);
	if (p) {
		*out = (struct call_pointer_out){p->address, p->bytes, p->kind, p->flags};
	} else if (virtual_mapping(c->cuda, in->address, &out->base, &out->bytes)) {
		out->kind = WIRE_MEMORY_DEVICE;
	} else if (a && memory_will_fit(c->cuda, in->address, 1)) {
		*out = (struct call_pointer_out){a->address, a->bytes, WIRE_MEMORY_DEVICE, 0};
	}
	return 0;
}

/* ---- variables ---- */

uint64_t shared_place(struct cuda *c, uint64_t bytes)
{
	const struct gpu_input in = {.kind = GPU_INPUT_ALLOC_PAGES, .n = bytes, .name = "managed variable"};
	const int64_t address = session_input(c->session, &in, NULL);
	if (address <= 0)
		return 0;
	drop_pages(c, (uint64_t)address, bytes);
	if (!map_pages(c, (uint64_t)address, bytes))
		return 0;
	add(c->memory->shared, &(struct piece){(uint64_t)address, bytes, WIRE_MEMORY_MANAGED, 1, true});
	return (uint64_t)address;
}

bool shared_any(const struct cuda *c) { return c->memory->shared->n; }
