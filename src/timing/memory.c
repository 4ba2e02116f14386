#include "timing/memory.h"

#include <string.h>

#define TIMING_RESERVE (UINT64_C(4) << 30)

int timing_section(struct arena *a, const char *name, uint64_t bytes)
{
	for (unsigned k = 0; k < a->n; k++) {
		if (strcmp(a->section[k].name, name))
			continue;
		arena_zero(a, (int)k, 0, (a->section[k].used + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1));
		a->section[k].used = 0;
		return (int)k;
	}
	return arena_add(a, name, ARENA_HOT, bytes);
}

bool timing_memory_init(struct timing_memory *m, struct arena *a)
{
	m->arena = a;
	m->used = 0;
	m->section = timing_section(a, "timing", TIMING_RESERVE);
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
