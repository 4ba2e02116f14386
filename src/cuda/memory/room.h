/* What the room keeps. Only its own files include this. */
#ifndef CUDA_MEMORY_ROOM_H
#define CUDA_MEMORY_ROOM_H

#include "cuda/memory/memory.h"

struct cuda_memory {
	uint64_t n_allocations; /* so far, for their names */
	uint64_t used, most;	/* by programs' allocations */
	struct cuda_shared *shared;
	struct cuda_graph_memory *graphs;
	struct cuda_virtual *virtual;
};

/* ---- shared.c, kept.c: what both sides have ---- */
struct piece {
	uint64_t address, bytes; /* as asked for */
	enum wire_memory kind;
	uint32_t flags;
	uint32_t context;
	bool is_variable; /* of a module */
	bool is_stack;	  /* the program's: who waits for an answer may write there */
	char *known; /* what the journal leads to, as long as history is recorded and it isn't too much; NULL: nobody knows */
};

struct cuda_shared {
	struct piece *piece;
	size_t n, cap;
	uint64_t known; /* bytes */
	uint64_t cost;	/* nanoseconds of comparing so far */
	bool is_dear;	/* that was too much: only little is compared */
	bool is_lost;	/* a piece has gone of which nobody knew what it held */
};

static inline uint64_t shared_pages(uint64_t bytes) { return (bytes + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1); }
struct piece *shared_find(const struct cuda *c, uint64_t address); /* NULL: it is in none */
/* A piece is there, all zeros; it is about to go. */
void kept_begin(struct cuda *c, struct piece *p);
void kept_end(struct cuda *c, struct piece *p);

struct cuda_shared *shared_create(void);
void shared_free(struct cuda_shared *s);

void memory_new_name(const struct cuda *c, char *name, size_t n); /* of the next allocation */

/* Is a context the one that is meant, or meant are all? */
static inline bool memory_means(uint32_t which, uint32_t context)
{
	return which == GPU_EVERY_CONTEXT || which == context;
}

/* ---- memory.c: ranges, for copy.c ---- */
/* True if [address, address + n) is constant memory, which has a section of its own and an address in the generic space. */
bool memory_is_constant(const struct cuda *c, uint64_t address, uint64_t n);
/* Returns where the device keeps the byte at `address`, which memory_fits has accepted, and cuts *n to the bytes that lie there in one piece. */
uint64_t memory_piece(const struct cuda *c, uint64_t address, uint64_t *n);
/* Returns the device address of registered memory; any other address unchanged. */
uint64_t memory_of_host(const struct cuda_call *c, uint64_t address);

/* ---- virtual.c ---- */
struct cuda_virtual *virtual_create(void);
void virtual_free_room(struct cuda_virtual *v);
void virtual_forget(struct cuda *c, uint32_t context); /* or GPU_EVERY_CONTEXT */
void virtual_reclaim(struct cuda *c); /* memory_reclaim */
bool virtual_any(const struct cuda *c); /* addresses are reserved */
/* What is mapped at an address; false: nothing is. */
bool virtual_mapping(const struct cuda *c, uint64_t address, uint64_t *base, uint64_t *bytes);

/* ---- graph.c ---- */
struct cuda_graph_memory *graph_memory_create(void);
void graph_memory_free_room(struct cuda_graph_memory *g);
void graph_memory_forget(struct cuda *c, uint32_t context); /* or GPU_EVERY_CONTEXT */
/* Is it the address of a graph's allocation node? Then it is freed so. */
bool graph_memory_has(const struct cuda *c, uint64_t address);
bool graph_memory_was_freed(const struct cuda *c, uint64_t address); /* and isn't allocated again */
uint32_t graph_memory_free(struct cuda *c, uint64_t address);
uint32_t graph_memory_free_in_stream(struct cuda_call *c, uint64_t address, uint64_t stream);

#endif
