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

/* The HOT section of this name: a new one, or the one that is there, emptied (a machine built anew). -1: no address space. */
int timing_section(struct arena *a, const char *name, uint64_t bytes);
bool timing_memory_init(struct timing_memory *m, struct arena *a, const struct machine_limits *limits);
/* n * size zeroed bytes, 64-byte aligned, for as long as the device lives. NULL: the reservation is used up. */
void *timing_take(struct timing_memory *m, uint64_t n, uint64_t size);
/* The same for pools of which mostly only the beginning is ever used. */
void *timing_take_pool(struct timing_memory *m, uint64_t n, uint64_t size);

/* An entry of a pool is about to be used for the first time. */
void timing_pool_reaches(struct timing_memory *m, const void *entry, uint64_t size);

/* ---- a bounded first-in first-out queue of u32 (requests, instructions), wholly in the arena ---- */
struct fifo {
	uint32_t head, n, cap, unused;
	uint32_t at[];
};

struct fifo *fifo_take(struct timing_memory *m, uint32_t cap);
static inline bool fifo_full(const struct fifo *f) { return f->n >= f->cap; }
static inline bool fifo_empty(const struct fifo *f) { return !f->n; }
static inline uint32_t fifo_top(const struct fifo *f) { return f->at[f->head]; }
/* Element k counted from the oldest. */
static inline uint32_t fifo_peek(const struct fifo *f, uint32_t k)
{
	uint32_t i = f->head + k;
	return f->at[i >= f->cap ? i - f->cap : i];
}
static inline void fifo_push(struct fifo *f, uint32_t v)
{
	uint32_t i = f->head + f->n++;
	f->at[i >= f->cap ? i - f->cap : i] = v;
}
static inline uint32_t fifo_pop(struct fifo *f)
{
	uint32_t v = f->at[f->head];
	f->head = f->head + 1 == f->cap ? 0 : f->head + 1;
	f->n--;
	return v;
}

#endif
