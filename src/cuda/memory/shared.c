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
	uint32_t context;
	bool is_variable;   /* of a module */
	bool is_registered; /* the program has it at another address, too */
	char *known; /* what the device has left there, as long as history is recorded and it isn't too much; NULL: nobody knows */
};

struct cuda_shared {
	struct piece *piece;
	size_t n, cap;
	uint64_t known; /* bytes */
};

struct cuda_shared *shared_create(void) { return xcalloc(1, sizeof(struct cuda_shared)); }

void shared_free(struct cuda_shared *s)
{
	for (size_t k = 0; k < s->n; k++)
		free(s->piece[k].known);
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

/* ---- what the program writes there, for the journal ---- */

#define KNOWN_MOST (UINT64_C(2) << 20) /* of all pieces: they are compared whenever the program had its turn */
#define WORD 4u
#define BLOCK 4096u
#define RUNS_MOST 2048u /* more of them are taken together */

static bool is_recorded(const struct cuda *c) { return history_journal(session_history(c->session)); }

static void forget_known(struct cuda_shared *s, struct piece *p)
{
	s->known -= p->known ? p->bytes : 0;
	free(p->known);
	p->known = NULL;
}

/* Zeros, if nothing is known yet. */
static bool make_known(const struct cuda *c, struct piece *p)
{
	struct cuda_shared *s = c->memory->shared;
	if (p->known || p->is_registered || !is_recorded(c) || p->bytes > KNOWN_MOST - s->known)
		return p->known;
	p->known = xcalloc(page_up(p->bytes), 1);
	s->known += p->bytes;
	return true;
}

void shared_note(struct cuda *c, bool alone)
{
	struct cuda_shared *s = c->memory->shared;
	for (size_t k = 0; k < s->n; k++) {
		struct piece *p = &s->piece[k];
		if (!alone)
			forget_known(s, p);
		else if (make_known(c, p))
			memcpy(p->known, gpu_exec(c->gpu)->global + p->address, p->bytes);
	}
}

static uint64_t first_difference(const struct piece *p, const char *now, uint64_t at, uint64_t size)
{
	while (at < size) {
		const uint64_t n = at % BLOCK || size - at < BLOCK ? WORD : BLOCK;
		if (memcmp(now + at, p->known + at, n) != 0) {
			while (!memcmp(now + at, p->known + at, WORD))
				at += WORD;
			return at;
		}
		at += n;
	}
	return size;
}

/* From an offset on: the next run that differs, with gaps of so many equal bytes at most. False: there is none. */
static bool next_run(const struct piece *p, const char *now, uint64_t gap, uint64_t *from, uint64_t *to)
{
	uint64_t at = *from, n = 0;
	const uint64_t size = p->bytes / WORD * WORD;
	at = first_difference(p, now, at, size);
	*from = at;
	if (at >= size && (size == p->bytes || !memcmp(now + size, p->known + size, p->bytes - size)))
		return false;
	for (*to = at; at < size && n <= gap; at += WORD) {
		n = memcmp(now + at, p->known + at, WORD) ? 0 : n + WORD;
		*to = n ? *to : at + WORD;
	}
	*to = *to <= *from || (at >= size && size < p->bytes) ? p->bytes : *to;
	return true;
}

static uint64_t count_runs(const struct piece *p, const char *now)
{
	uint64_t n = 0, to = 0;
	for (uint64_t at = 0; n <= RUNS_MOST && next_run(p, now, 0, &at, &to); at = to)
		n++;
	return n;
}

static void keep_piece(struct cuda *c, struct piece *p)
{
	const char *now = gpu_exec(c->gpu)->global + p->address;
	const uint64_t gap = count_runs(p, now) > RUNS_MOST ? p->bytes : 0;
	uint64_t to = 0;
	for (uint64_t at = 0; next_run(p, now, gap, &at, &to); at = to) {
		memcpy(p->known + at, now + at, to - at);
		session_input(c->session,
			      &(struct gpu_input){.kind = GPU_INPUT_WRITE,
						  .address = p->address + at,
						  .n = to - at,
						  .data = p->known + at},
			      NULL);
	}
}

bool shared_keep(struct cuda *c)
{
	struct cuda_shared *s = c->memory->shared;
	bool all = true;
	for (size_t k = 0; k < s->n; k++)
		all &= s->piece[k].known != NULL;
	for (size_t k = 0; all && k < s->n; k++)
		keep_piece(c, &s->piece[k]);
	return all;
}

bool shared_is_kept(const struct cuda *c, uint64_t address, uint64_t bytes)
{
	const struct piece *p = find(c->memory->shared, address);
	return p && p->known && bytes <= p->bytes - (address - p->address);
}

void shared_put(struct cuda *c, uint64_t address, uint64_t bytes)
{
	if (shared_is_kept(c, address, bytes)) {
		const struct piece *p = find(c->memory->shared, address);
		memcpy(p->known + (address - p->address), gpu_exec(c->gpu)->global + address, bytes);
	}
}

/* ---- pieces ---- */

static void add(struct cuda *c, const struct piece *p)
{
	struct cuda_shared *s = c->memory->shared;
	s->piece = xgrow(s->piece, &s->cap, s->n + 1, sizeof *s->piece);
	s->piece[s->n++] = *p;
	make_known(c, &s->piece[s->n - 1]);
}

uint32_t serve_host_alloc(struct cuda_call *c, const struct call_host_alloc *in, struct call_host_alloc_out *out)
{
	struct cuda *cuda = c->cuda;
	if (!in->bytes || (in->kind != WIRE_MEMORY_HOST && in->kind != WIRE_MEMORY_MANAGED))
		return cudaErrorInvalidValue;
	const uint64_t address = memory_allocate(c, in->bytes, (enum wire_memory)in->kind, in->caller);
	if (!address)
		return cudaErrorMemoryAllocation;
	drop_pages(cuda, address, in->bytes);
	if (!map_pages(cuda, address, in->bytes)) {
		memory_free(cuda, address);
		return cudaErrorMemoryAllocation;
	}
	if (in->at)
		session_input(cuda->session,
			      &(struct gpu_input){.kind = GPU_INPUT_HOST_ADDRESS, .address = address, .n = in->at}, NULL);
	add(cuda, &(struct piece){.address = address,
				  .bytes = in->bytes,
				  .kind = (enum wire_memory)in->kind,
				  .flags = in->flags,
				  .context = c->client->context,
				  .is_registered = in->at});
	out->address = address;
	return 0;
}

static void give_back(struct cuda *c, struct piece *p)
{
	const uint64_t address = p->address;
	const bool is_variable = p->is_variable;
	forget_known(c->memory->shared, p);
	if (!is_variable)
		drop_pages(c, address, p->bytes);
	*p = c->memory->shared->piece[--c->memory->shared->n];
	if (!is_variable)
		memory_free(c, address);
}

bool shared_give_back(struct cuda *c, uint64_t address)
{
	struct piece *p = find(c->memory->shared, address);
	const bool is = p && p->address == address && !p->is_variable;
	if (is)
		give_back(c, p);
	return is;
}

uint32_t serve_host_free(struct cuda_call *c, const struct call_host_free *in, struct call_host_free_out *out)
{
	struct piece *p = find(c->cuda->memory->shared, in->address);
	if (!p || p->context != c->client->context || p->address != in->address ||
	    p->kind != (enum wire_memory)in->kind || p->is_variable)
		return cudaErrorInvalidValue;
	if (memory_must_wait(c))
		return CUDA_AGAIN;
	out->bytes = p->bytes;
	give_back(c->cuda, p);
	return 0;
}

void shared_forget(struct cuda *c, uint32_t context)
{
	struct cuda_shared *s = c->memory->shared;
	for (size_t k = s->n; k-- > 0;)
		if (memory_means(context, s->piece[k].context))
			give_back(c, &s->piece[k]);
}

uint32_t serve_pointer(struct cuda_call *c, const struct call_pointer *in, struct call_pointer_out *out)
{
	const struct piece *p = find(c->cuda->memory->shared, in->address);
	const struct gpu_allocation *a = gpu_nearest_allocation(c->cuda->gpu, in->address);
	if (!memory_is_device(c, in->address))
		return 0;
	if (p) {
		*out = (struct call_pointer_out){p->address, p->bytes, p->kind, p->flags};
	} else if (virtual_mapping(c->cuda, in->address, &out->base, &out->bytes)) {
		out->kind = WIRE_MEMORY_DEVICE;
	} else if (a && memory_will_fit(c, in->address, 1)) {
		*out = (struct call_pointer_out){a->address, a->bytes, WIRE_MEMORY_DEVICE, 0};
	}
	return 0;
}

/* ---- variables ---- */

uint64_t shared_place(struct cuda *c, uint64_t bytes)
{
	const struct gpu_input in = {
		.kind = GPU_INPUT_ALLOC_PAGES, .n = bytes, .name = "managed variable", .context = c->serving};
	const int64_t address = session_input(c->session, &in, NULL);
	if (address <= 0)
		return 0;
	drop_pages(c, (uint64_t)address, bytes);
	if (!map_pages(c, (uint64_t)address, bytes))
		return 0;
	add(c, &(struct piece){.address = (uint64_t)address,
			       .bytes = bytes,
			       .kind = WIRE_MEMORY_MANAGED,
			       .flags = 1,
			       .context = c->serving,
			       .is_variable = true});
	return (uint64_t)address;
}

bool shared_any(const struct cuda *c) { return c->memory->shared->n; }
