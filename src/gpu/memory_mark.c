/* Going back to what device memory held at a mark. The pages are saved by the arena (base/arena_saved.h); which of their bytes are
 * brought back is a question of allocations, as several lie on one page. The caches of the performance model know nothing of it,
 * as they hold no values. */
#include <string.h>

#include "base/arena_saved.h"
#include "gpu/internal.h"

/* What is saved for a mark must not cost more than this. */
#define SAVED_BYTES_MAX (UINT64_C(1) << 30)

void gpu_memory_mark(struct gpu *g)
{
	/* without room for it nothing can be brought back */
	(void)arena_mark(&g->arena, g->exec.sec_global, SAVED_BYTES_MAX);
	gpu_state(g)->n_marks++;
}

static void put_back_page(struct gpu *g, const struct arena_saved_page *p)
{
	const struct gpu_allocation *a, *end;
	for (a = gpu_allocations_from(g, p->offset, &end); a < end && a->address < p->offset + ARENA_PAGE; a++) {
		if (!a->live || a->marks == gpu_state(g)->n_marks)
			continue;
		uint64_t from = a->address > p->offset ? a->address : p->offset, to = a->address + a->bytes;
		if (to > p->offset + ARENA_PAGE)
			to = p->offset + ARENA_PAGE;
		if (from >= to)
			continue;
		if (p->bytes)
			memcpy(g->exec.global + from, (const char *)p->bytes + (from - p->offset), to - from);
		else
			memset(g->exec.global + from, 0, to - from);
	}
}

bool gpu_memory_put_back(struct gpu *g)
{
	const int section = g->exec.sec_global;
	if (!arena_saved_all(&g->arena, section))
		return false;
	for (size_t k = 0; k < arena_saved_count(&g->arena, section); k++) {
		const struct arena_saved_page p = arena_saved_at(&g->arena, section, k);
		put_back_page(g, &p);
	}
	gpu_state_changed(g);
	return true;
}
