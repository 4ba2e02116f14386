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

struct cuda_shared *shared_create(void);
void shared_free(struct cuda_shared *s);

void memory_new_name(const struct cuda *c, char *name, size_t n); /* of the next allocation */

/* Is a context the one that is meant, or meant are all? */
static inline bool memory_means(uint32_t which, uint32_t context)
{
	return which == GPU_EVERY_CONTEXT || which == context;
}

/* ---- virtual.c ---- */
struct cuda_virtual *virtual_create(void);
void virtual_free_room(struct cuda_virtual *v);
void virtual_forget(struct cuda *c, uint32_t context); /* or GPU_EVERY_CONTEXT */
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
