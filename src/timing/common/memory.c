#include "timing/common/memory.h"

#include <string.h>

#define POOL_GAP (3 * ARENA_PAGE) /* the beginnings of equal pools, which alone are used, lie apart in the host's caches */

int timing_section(struct arena *a, const char *name, uint64_t bytes)
{
	for (unsigned k = 0; k < a->n; k++) {
		if (strcmp(a->section[k].name, name))
			continue;
		arena_empty(a, (int)k);
		return (int)k;
	}
	return arena_add(a, name, ARENA_HOT, bytes);
}

bool timing_memory_init(struct timing_memory *m, struct arena *a, const struct machine_limits *limits)
{
	*m = (struct timing_memory){.arena = a, .limits = limits, .section = timing_section(a, "timing", limits->timing),
				    .pools = timing_section(a, "pools", limits->pools)};
	if (m->section < 0 || m->pools < 0 || !arena_sparse(a, m->pools))
		return false;
	/* every cycle goes through the state of all cores: in small pages that is more of them than the host's TLB has entries */
	arena_dense(a, m->section);
	return true;
}

static void *allocate(struct arena *a, int section, uint64_t *used, uint64_t n, uint64_t size)
{
	uint64_t at = (*used + 63) & ~UINT64_C(63), bytes;
	if (__builtin_mul_overflow(n, size, &bytes) || bytes > a->section[section].reserved || !arena_use(a, section, at + bytes))
		return NULL;
	*used = at + bytes;
	return arena_at(a, section, at);
}

void *timing_take(struct timing_memory *m, uint64_t n, uint64_t size) { return allocate(m->arena, m->section, &m->used, n, size); }
void *timing_take_pool(struct timing_memory *m, uint64_t n, uint64_t size)
{
	m->pools_used += POOL_GAP;
	return allocate(m->arena, m->pools, &m->pools_used, n, size);
}

void timing_pool_use(struct timing_memory *m, const void *entry, uint64_t size)
{
	const struct arena_section *s = m->arena ? &m->arena->section[m->pools] : NULL;
	const uintptr_t at = s ? (uintptr_t)entry - (uintptr_t)s->base : 0;
	if (s && at < s->used) /* a core that is looked at alone may have pools elsewhere */
		arena_note_written(m->arena, m->pools, at, size);
}

struct fifo *fifo_take(struct timing_memory *m, uint32_t cap)
{
	struct fifo *f = timing_take(m, 1, sizeof *f + (uint64_t)cap * sizeof f->at[0]);
	if (f)
		f->cap = cap;
	return f;
}
