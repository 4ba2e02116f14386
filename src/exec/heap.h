/* Blocks inside an arena section: register frames, SIMT stacks, local and shared memory of resident CTAs.
 *
 * The allocator's own state is in the section too (its first bytes), so a snapshot holds it. Blocks are multiples of 64 bytes
 * in size classes, four to a doubling, with a free list each: both calls take constant time, and what was given back last is
 * handed out first, while it is still in the cache. Offset 0 is never a block. */
#ifndef EXEC_HEAP_H
#define EXEC_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Makes a heap in a section of zeros. */
void heap_init(struct arena *a, int section);

/* Returns the offset of a block of at least `bytes`, or 0 if the section is full. The block is aligned to 64 bytes; its first 8 bytes are zero,
 * the others hold what its last use left. */
uint64_t heap_alloc(struct arena *a, int section, uint64_t bytes);
/* Frees a block; `bytes` is what heap_alloc was given. Does nothing for offset 0. */
void heap_free(struct arena *a, int section, uint64_t offset, uint64_t bytes);
/* Blocks in use, as their owners have them: collected to be compared with the heap (heap_is_valid). */
struct heap_blocks {
	struct heap_block {
		uint64_t at, bytes; /* as given to heap_alloc; later what the block takes */
	} * block;
	size_t n, cap;
};
/* Adds a block to the list; `bytes` is what heap_alloc was given. */
void heap_blocks_add(struct heap_blocks *b, uint64_t at, uint64_t bytes);
/* Returns true if the section is a heap in which just these blocks are in use, and all others are free. Changes the order of the blocks. Safe
 * whatever the section holds. */
bool heap_is_valid(const struct arena *a, int section, struct heap_blocks *in_use);

/* Keeps the allocator's state; from now on it hands out none of the blocks that are free now. */
#define HEAP_CLASSES 160u
struct heap_saved {
	uint64_t next, used;
	uint64_t free[HEAP_CLASSES];
};
/* Keeps the allocator's state in *saved. From now on the heap hands out no block that is free now. */
void heap_save(const struct arena *a, int section, struct heap_saved *saved);
/* Puts the allocator's state back: blocks allocated since are free, blocks freed since are in use. The first 8 bytes of the latter are lost. */
void heap_restore(const struct arena *a, int section, const struct heap_saved *saved);


#endif
