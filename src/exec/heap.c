#include "exec/heap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define HEAP_UNIT 64u

struct heap {
	uint64_t next; /* first byte never handed out */
	uint64_t used;
	/* first free block of each class; a free block begins with the offset of the next */
	uint64_t free[HEAP_CLASSES];
};

static struct heap *heap_of(const struct arena *a, int section) { return arena_at(a, section, 0); }

/* Class k holds blocks of (5 + k%4) << (k/4 - 1) units: 5, 6, 7, 8, 10, 12, 14, 16, 20 ... ; the first four hold 1 to 4. */
static uint64_t class_units(unsigned k) { return k < 4 ? k + 1 : (uint64_t)(5 + k % 4) << (k / 4 - 1); }

static unsigned class_of(uint64_t bytes)
{
	uint64_t units = (bytes + HEAP_UNIT - 1) / HEAP_UNIT;
	if (units <= 4)
		return units ? (unsigned)units - 1 : 0;
	unsigned shift = 61u - (unsigned)__builtin_clzll(units - 1); /* (units - 1) >> shift is 4 to 7 */
	return 4 * shift + (unsigned)((units - 1) >> shift);
}

void heap_init(struct arena *a, int section)
{
	struct heap *h = heap_of(a, section);
	arena_touch(a, section, 0, sizeof *h);
	h->next = (sizeof *h + HEAP_UNIT - 1) & ~(uint64_t)(HEAP_UNIT - 1);
	arena_use(a, section, h->next);
}

uint64_t heap_alloc(struct arena *a, int section, uint64_t bytes)
{
	struct heap *h = heap_of(a, section);
	unsigned k = class_of(bytes);
	uint64_t size = class_units(k) * HEAP_UNIT, at = h->free[k];
	arena_touch(a, section, 0, sizeof *h);
	if (at) {
		uint64_t *link = arena_at(a, section, at);
		arena_touch(a, section, at, sizeof *link);
		h->free[k] = *link;
		*link = 0; /* a thread may read it as its local memory */
	} else {
		if (size > a->section[section].reserved || !arena_use(a, section, h->next + size))
			return 0;
		at = h->next;
		h->next += size;
	}
	h->used += size;
	return at;
}

void heap_free(struct arena *a, int section, uint64_t offset, uint64_t bytes)
{
	if (!offset)
		return;
	struct heap *h = heap_of(a, section);
	unsigned k = class_of(bytes);
	arena_touch(a, section, 0, sizeof *h);
	arena_touch(a, section, offset, sizeof(uint64_t));
	*(uint64_t *)arena_at(a, section, offset) = h->free[k];
	h->free[k] = offset;
	assert(h->used >= class_units(k) * HEAP_UNIT);
	h->used -= class_units(k) * HEAP_UNIT;
}

void heap_save(const struct arena *a, int section, struct heap_saved *saved)
{
	struct heap *h = heap_of(a, section);
	saved->next = h->next;
	saved->used = h->used;
	memcpy(saved->free, h->free, sizeof saved->free);
	memset(h->free, 0, sizeof h->free);
}

void heap_restore(const struct arena *a, int section, const struct heap_saved *saved)
{
	struct heap *h = heap_of(a, section);
	memset((char *)arena_at(a, section, saved->next), 0, (size_t)(h->next - saved->next));
	h->next = saved->next;
	h->used = saved->used;
	memcpy(h->free, saved->free, sizeof h->free);
}

/* ---- looking ---- */

void heap_blocks_add(struct heap_blocks *b, uint64_t at, uint64_t bytes)
{
	b->block = xgrow(b->block, &b->cap, b->n + 1, sizeof *b->block);
	b->block[b->n++] = (struct heap_block){at, bytes};
}

static int by_place(const void *a, const void *b)
{
	const struct heap_block *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

static uint64_t heap_first(void) { return (sizeof(struct heap) + HEAP_UNIT - 1) & ~(uint64_t)(HEAP_UNIT - 1); }

/* Adds the free blocks. Returns false if a list leaves the heap or has no end. */
static bool add_free(const struct arena *a, int section, struct heap_blocks *b)
{
	const struct heap *h = heap_of(a, section);
	const size_t most = (size_t)(h->next / HEAP_UNIT);
	for (unsigned k = 0; k < HEAP_CLASSES; k++)
		for (uint64_t at = h->free[k]; at; at = *(const uint64_t *)arena_at(a, section, at)) {
			if (at < heap_first() || at >= h->next || at % HEAP_UNIT || b->n > most ||
			    k >= class_of(a->section[section].reserved) + 1)
				return false;
			heap_blocks_add(b, at, class_units(k) * HEAP_UNIT);
		}
	return true;
}

bool heap_is_valid(const struct arena *a, int section, struct heap_blocks *b)
{
	const struct heap *h = heap_of(a, section);
	const struct arena_section *s = &a->section[section];
	uint64_t used = 0, at = heap_first();
	if (s->used < at || h->next < at || h->next > s->used || h->next % HEAP_UNIT)
		return false;
	for (size_t k = 0; k < b->n; k++) {
		if (b->block[k].bytes > s->reserved)
			return false;
		b->block[k].bytes = class_units(class_of(b->block[k].bytes)) * HEAP_UNIT;
		used += b->block[k].bytes;
	}
	if (used != h->used || !add_free(a, section, b))
		return false;
	if (b->n)
		qsort(b->block, b->n, sizeof *b->block, by_place);
	for (size_t k = 0; k < b->n; at += b->block[k++].bytes)
		if (b->block[k].at != at)
			return false;
	return at == h->next;
}
