#include "timing/memory.h"

#define TIMING_RESERVE (UINT64_C(4) << 30)

bool timing_memory_init(struct timing_memory *m, struct arena *a)
{
	m->arena = a;
	m->used = 0;
	m->section = arena_add(a, "timing", ARENA_HOT, TIMING_RESERVE);
	return m->section >= 0;
}

void *timing_take(struct timing_memory *m, uint64_t n, uint64_t size)
{
	uint64_t at = (m->used + 63) & ~UINT64_C(63), bytes;
	if (__builtin_mul_overflow(n, size, &bytes) || bytes > TIMING_RESERVE ||
	    !arena_use(m->arena, m->section, at + bytes))
		return NULL;
	m->used = at + bytes;
	return arena_at(m->arena, m->section, at);
}

struct fifo *fifo_take(struct timing_memory *m, uint32_t cap)
{
	struct fifo *f = timing_take(m, 1, sizeof *f + (uint64_t)cap * sizeof f->at[0]);
	if (f)
		f->cap = cap;
	return f;
}
