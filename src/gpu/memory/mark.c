/* Going back to what device memory held at a mark. The pages are saved by the arena (base/arena_marks.h); which of their bytes are
 * brought back is a question of allocations, as several lie on one page. The caches of the performance model know nothing of it,
 * as they hold no values. */
#include <stdlib.h>
#include <string.h>

#include "base/arena_marks.h"
#include "gpu/memory/memory.h"

void gpu_memory_mark(struct gpu *g)
{
	const uint64_t before = g->memory_mark;
	/* without room for it nothing can be brought back */
	const bool room = arena_marks_begin(&g->arena, g->limits->saved);
#ifdef WS_VERIFY_MARKS
	if (room)
		arena_marks_verify(&g->arena);
#endif
	g->memory_mark = room ? arena_mark(&g->arena) : 0;
	if (before && !g->keeps_marks && arena_has_mark(&g->arena, before))
		arena_drop_mark(&g->arena, before);
	gpu_state(g)->n_marks++;
}

static void put_back_page(struct gpu *g, char *base, const struct arena_saved_page *p)
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
			memcpy(base + from, (const char *)p->bytes + (from - p->offset), to - from);
		else
			memset(base + from, 0, to - from);
	}
}

bool gpu_section_put_back(struct gpu *g, int section)
{
	size_t n;
	struct arena_saved_page *page = arena_saved_since(&g->arena, g->memory_mark, section, &n);
	/* what is written for it is saved first, and that can cost the mark */
	for (size_t k = 0; k < n; k++)
		arena_touch(&g->arena, section, page[k].offset, ARENA_PAGE);
	const bool is_there = arena_has_mark(&g->arena, g->memory_mark);
	for (size_t k = 0; is_there && k < n; k++)
		put_back_page(g, arena_at(&g->arena, section, 0), &page[k]);
	free(page);
	return is_there;
}

bool gpu_memory_put_back(struct gpu *g)
{
	if (!gpu_section_put_back(g, g->exec.sec_global))
		return false;
	gpu_state_changed(g);
	return true;
}
