/* Private state of this folder. Only its own files include this. */
#ifndef SERVER_MEMORY_STATE_H
#define SERVER_MEMORY_STATE_H

#include "server/memory/memory.h"

struct server_memory {
	uint64_t n_allocations; /* allocations so far, for their names */
	uint64_t used, most;	/* bytes that programs have allocated, and may allocate */
	struct server_shared *shared;
	struct server_graph_memory *graphs;
	struct server_virtual *virtual;
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

struct server_shared {
	struct piece *piece;
	size_t n, cap;
	uint64_t known; /* bytes of all snapshots */
	uint64_t cost;	/* CPU time of comparing so far, ns */
	bool is_dear;	/* true if comparing took too long: only little is compared from then on */
	bool is_lost;	/* true if a piece with unknown contents was freed */
};

/* Returns `bytes` rounded up to whole pages. */
static inline uint64_t shared_pages(uint64_t bytes) { return (bytes + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1); }
/* Returns the piece of shared memory that contains `address`; NULL if none does. Valid until a piece is added or freed. */
struct piece *shared_find(const struct server *c, uint64_t address);
/* Begins to track the program's writes to a new piece, which holds zeros. Doesn't if history isn't recorded, the piece is on a stack, or snapshots
 * would take too much memory. */
void shared_journal_begin(struct server *c, struct piece *p);
/* Adds the program's writes to a piece since the last snapshot to the journal, before the piece is freed, and frees its snapshot. If there is no
 * snapshot of it, but history is recorded, notes that writes are lost. */
void shared_journal_end(struct server *c, struct piece *p);

/* Creates the state of shared memory, without pieces. */
struct server_shared *shared_create(void);
/* Frees the state of shared memory with all snapshots; the pages stay mapped. */
void shared_free(struct server_shared *s);

/* Writes the name that the next allocation gets, `alloc_` and a number, to `name`, which has n bytes. Doesn't count it as used. */
void memory_new_name(const struct server *c, char *name, size_t n);

/* Returns whether `which` selects a context: it is that context, or GPU_EVERY_CONTEXT. */
static inline bool memory_selects(uint32_t which, uint32_t context)
{
	return which == GPU_EVERY_CONTEXT || which == context;
}

/* ---- memory.c: ranges, for copy.c ---- */
/* Returns whether n bytes at `address` lie in the used part of constant memory, by its addresses in the generic space. With n 0, returns whether
 * `address` does. */
bool memory_is_constant(const struct server *c, uint64_t address, uint64_t n);
/* Returns the address at which the device keeps the byte at `address`, which memory_fits has accepted: another one for an alias. Limits *n to the
 * bytes that are contiguous there. */
uint64_t memory_contiguous(const struct server *c, uint64_t address, uint64_t *n);
/* Returns the device address of host memory that the caller's context has registered; any other address unchanged. */
uint64_t memory_device_address(const struct server_call *c, uint64_t address);

/* ---- virtual.c ---- */
/* Creates the state of the driver's virtual memory, without ranges, handles and mappings. */
struct server_virtual *virtual_create(void);
/* Frees the state of the driver's virtual memory; the device isn't informed. */
void virtual_destroy(struct server_virtual *v);
/* Frees the handles, mappings and ranges of a context, or of all with GPU_EVERY_CONTEXT, and physical memory that nothing refers to any more. */
void virtual_forget(struct server *c, uint32_t context);
/* Frees the handles of ended processes, their mappings of memory that no other process has mapped, and physical memory that nothing refers to any
 * more. */
void virtual_reclaim(struct server *c);
/* Returns whether any process has a reserved range of addresses. */
bool virtual_has_ranges(const struct server *c);
/* Gets start and size of the mapping that contains `address`. Returns false, with both unchanged, if nothing is mapped there. */
bool virtual_mapping(const struct server *c, uint64_t address, uint64_t *base, uint64_t *bytes);

/* ---- graph_memory.c ---- */
/* Creates the state of graph memory, without allocation nodes' memory. */
struct server_graph_memory *graph_memory_create(void);
/* Frees the state of graph memory; the device isn't informed. */
void graph_memory_destroy(struct server_graph_memory *g);
/* Frees the graph memory of a context, or of all with GPU_EVERY_CONTEXT, and its reserved addresses. */
void graph_memory_forget(struct server *c, uint32_t context);
/* Returns whether `address` is the address reserved for a graph's allocation node, allocated or not; graph_memory_free frees its memory. */
bool graph_memory_has(const struct server *c, uint64_t address);
/* Returns whether the memory of the allocation node at `address` was freed and isn't allocated again; false if no node has that address. */
bool graph_memory_was_freed(const struct server *c, uint64_t address);
/* Frees the memory of the allocation node at `address`, which must have one (graph_memory_has), at once; releases the address if the node is gone.
 * Returns 0, or WIRE_INVALID_VALUE if the memory isn't allocated. */
uint32_t graph_memory_free(struct server *c, uint64_t address);
/* Frees the memory of the allocation node at `address`, which must have one, at the call's turn in the stream; counts it as free at once. Returns 0,
 * WIRE_INVALID_VALUE if it isn't allocated, or the error of enqueueing. */
uint32_t graph_memory_free_in_stream(struct server_call *c, uint64_t address, uint64_t stream);

#endif
