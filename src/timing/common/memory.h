/* Arena memory for the hardware blocks.
 *
 * A block is two things: its state, in the arena, which refers to other state by index only; and a view outside the arena that holds
 * pointers to the state and to the configuration. Views are made once, when the device is created; restoring a snapshot changes the
 * state under them and leaves them valid, since a section never moves. */
#ifndef TIMING_MEMORY_H
#define TIMING_MEMORY_H

#include "base/arena.h"
#include "base/limits.h"

struct timing_memory {
	struct arena *arena;
	const struct machine_limits *limits;
	int section; /* "timing": what cycles look at, in as few pages as possible */
	int pools;   /* "pools" */
	uint64_t used, pools_used;
};

/* Adds a HOT section of that name, or empties the section that exists (a machine is built anew). Returns its index, or -1 if the address space is refused. */
int timing_section(struct arena *a, const char *name, uint64_t bytes);
/* Prepares the sections that timing_take and timing_take_pool allocate from. Returns false if the address space is refused. */
bool timing_memory_init(struct timing_memory *m, struct arena *a, const struct machine_limits *limits);
/* Allocates n * size zeroed bytes, 64-byte aligned, that live until the machine is built anew. Returns NULL if the reservation is used up. */
void *timing_take(struct timing_memory *m, uint64_t n, uint64_t size);
/* Allocates as timing_take does, in the section for pools that are mostly used only at their beginning. */
void *timing_take_pool(struct timing_memory *m, uint64_t n, uint64_t size);

/* Declares `size` bytes at `entry`, in memory of timing_take_pool, as used. Call it before an entry's first use: snapshots hold only used pages. */
void timing_pool_use(struct timing_memory *m, const void *entry, uint64_t size);

/* ---- a bounded first-in first-out queue of u32 (requests, instructions), wholly in the arena ---- */
struct fifo {
	uint32_t head, n, cap, unused;
	uint32_t at[];
};

/* Allocates an empty queue of `cap` entries. Returns NULL if there is no room. */
struct fifo *fifo_take(struct timing_memory *m, uint32_t cap);
/* Returns true if a queue's capacity is `cap` and its other numbers fit that. For validators. */
static inline bool fifo_is_valid(const struct fifo *f, uint32_t cap)
{
	return f->cap == cap && f->n <= cap && (f->head < cap || !f->head);
}
/* Returns true if the queue is full. */
static inline bool fifo_full(const struct fifo *f) { return f->n >= f->cap; }
/* Returns whether the queue is empty. */
static inline bool fifo_empty(const struct fifo *f) { return !f->n; }
/* Returns the oldest entry of a queue that is not empty. */
static inline uint32_t fifo_top(const struct fifo *f) { return f->at[f->head]; }
/* Returns entry k, counted from the oldest. */
static inline uint32_t fifo_peek(const struct fifo *f, uint32_t k)
{
	uint32_t i = f->head + k;
	return f->at[i >= f->cap ? i - f->cap : i];
}
/* Appends an entry to a queue that is not full. */
static inline void fifo_push(struct fifo *f, uint32_t v)
{
	uint32_t i = f->head + f->n++;
	f->at[i >= f->cap ? i - f->cap : i] = v;
}
/* Removes and returns the oldest entry of a queue that is not empty. */
static inline uint32_t fifo_pop(struct fifo *f)
{
	uint32_t v = f->at[f->head];
	f->head = f->head + 1 == f->cap ? 0 : f->head + 1;
	f->n--;
	return v;
}

#endif
