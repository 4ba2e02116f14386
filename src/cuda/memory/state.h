/* Private state of this folder. Only its own files include this. */
#ifndef CUDA_MEMORY_STATE_H
#define CUDA_MEMORY_STATE_H

#include "cuda/memory/memory.h"

struct cuda_memory {
	uint64_t n_allocations; /* allocations so far, for their names */
	uint64_t used, most;	/* bytes that programs have allocated, and may allocate */
	struct cuda_shared *shared;
	struct cuda_graph_memory *graphs;
	struct cuda_virtual *virtual;
};

/* ---- shared.c, shared_journal.c: memory shared with programs ---- */
struct piece {
	uint64_t address, bytes; /* size as requested */
	enum wire_memory kind;
	uint32_t flags;
	uint32_t context;
	bool is_variable; /* true for a managed variable of a module */
	bool is_stack;	  /* true for memory on a thread's stack, which a waiting thread may write */
	char *known; /* contents at the last snapshot, if history is recorded and the piece isn't too large; NULL: unknown */
};

struct cuda_shared {
	struct piece *piece;
	size_t n, cap;
	uint64_t known; /* bytes of all snapshots */
	uint64_t cost;	/* CPU time of comparing so far, ns */
	bool is_dear;	/* true if comparing took too long: only little is compared from then on */
	bool is_lost;	/* true if a piece with unknown contents was freed */
};

/* Returns a size rounded up to whole pages. */
static inline uint64_t shared_pages(uint64_t bytes) { return (bytes + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1); }
/* Returns the piece of shared memory that contains `address`; NULL if none does. */
struct piece *shared_find(const struct cuda *c, uint64_t address);
/* Begins to track a new piece, which holds zeros. */
void shared_journal_begin(struct cuda *c, struct piece *p);
/* Adds the last writes of the program to a piece to the journal, before the piece is freed. */
void shared_journal_end(struct cuda *c, struct piece *p);

/* Creates the state of shared memory, without pieces. */
struct cuda_shared *shared_create(void);
/* Frees the state of shared memory. */
void shared_free(struct cuda_shared *s);

/* Writes the name of the next allocation to `name`. */
void memory_new_name(const struct cuda *c, char *name, size_t n);

/* Returns whether `which` selects a context: it is that context, or GPU_EVERY_CONTEXT. */
static inline bool memory_selects(uint32_t which, uint32_t context)
{
	return which == GPU_EVERY_CONTEXT || which == context;
}

/* ---- memory.c: ranges, for copy.c ---- */
/* Returns whether [address, address + n) is constant memory, which has a section of its own and an address in the generic space. */
bool memory_is_constant(const struct cuda *c, uint64_t address, uint64_t n);
/* Returns the address at which the device keeps the byte at `address`, which memory_fits has accepted; limits *n to the bytes that are contiguous
 * there. */
uint64_t memory_contiguous(const struct cuda *c, uint64_t address, uint64_t *n);
/* Returns the device address of registered host memory; any other address unchanged. */
uint64_t memory_device_address(const struct cuda_call *c, uint64_t address);

/* ---- virtual.c ---- */
/* Creates the state of the driver's virtual memory, without ranges. */
struct cuda_virtual *virtual_create(void);
/* Frees the state of the driver's virtual memory. */
void virtual_destroy(struct cuda_virtual *v);
/* Frees handles, mappings and ranges of a context, or of all with GPU_EVERY_CONTEXT. */
void virtual_forget(struct cuda *c, uint32_t context);
/* Frees handles and mappings of ended processes, except memory that other processes have mapped. */
void virtual_reclaim(struct cuda *c);
/* Returns whether any range of addresses is reserved. */
bool virtual_has_ranges(const struct cuda *c);
/* Gets address and size of the mapping that contains `address`. Returns false if nothing is mapped there. */
bool virtual_mapping(const struct cuda *c, uint64_t address, uint64_t *base, uint64_t *bytes);

/* ---- graph.c ---- */
/* Creates the state of graph memory, without allocations. */
struct cuda_graph_memory *graph_memory_create(void);
/* Frees the state of graph memory. */
void graph_memory_destroy(struct cuda_graph_memory *g);
/* Frees the graph memory of a context, or of all with GPU_EVERY_CONTEXT. */
void graph_memory_forget(struct cuda *c, uint32_t context);
/* Returns whether `address` is that of a graph's allocation node, which is freed by graph_memory_free. */
bool graph_memory_has(const struct cuda *c, uint64_t address);
/* Returns whether memory of an allocation node was freed and isn't allocated again. */
bool graph_memory_was_freed(const struct cuda *c, uint64_t address);
/* Frees the memory of an allocation node at once. Returns an error if it isn't allocated. */
uint32_t graph_memory_free(struct cuda *c, uint64_t address);
/* Frees the memory of an allocation node when its turn in the stream comes. Returns 0 or an error. */
uint32_t graph_memory_free_in_stream(struct cuda_call *c, uint64_t address, uint64_t stream);

#endif
