/* What is known of the paths of warps, and switching them; see paths.h. */
#include "gpu/wait/paths.h"

#include <assert.h>
#include <string.h>

/* By CTA slot and warp. */
static struct path_record *record_of(const struct gpu *g, uint32_t slot, uint32_t warp)
{
	return (struct path_record *)arena_at(&g->arena, g->sec_paths, 0) + (slot * EXEC_WARPS_PER_CTA + warp);
}

struct path_record *paths_touch(struct gpu *g, uint32_t slot, uint32_t warp)
{
	const uint64_t at = (uint64_t)(slot * EXEC_WARPS_PER_CTA + warp) * sizeof(struct path_record);
	const bool fits = arena_use(&g->arena, g->sec_paths, at + sizeof(struct path_record));
	assert(fits);
	arena_touch(&g->arena, g->sec_paths, at, sizeof(struct path_record));
	return record_of(g, slot, warp);
}

bool paths_add_section(struct gpu *g)
{
	const uint64_t n = (uint64_t)g->max_slots * EXEC_WARPS_PER_CTA;
	g->sec_paths = arena_add(&g->arena, "paths", ARENA_PAGED, n * sizeof(struct path_record));
	return g->sec_paths >= 0;
}

const struct path_record *paths_of(const struct gpu *g, const struct exec_warp *w)
{
	return record_of(g, w->cta, w->index);
}

uint32_t gpu_spinning_lanes(const struct gpu *g, const struct exec_warp *w)
{
	const uint32_t running = exec_simt_top(&g->exec, w)->mask;
	return gpu_warp_spins(g, w) ? running | paths_of(g, w)->paths.spin_lanes : 0;
}

uint32_t paths_other_lanes(const struct gpu *g, const struct exec_cta *c, const struct exec_warp *w)
{
	if (w->state != EXEC_WARP_RUNNABLE || w->n_simt < 2 || !gpu_launch_at(g, c->launch)->launch.independent_threads)
		return 0;
	return w->lanes & ~(w->exited | w->sync_lanes | w->barrier_lanes | exec_simt_top(&g->exec, w)->mask);
}

bool paths_switch(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t epoch, uint32_t lanes)
{
	struct exec_cta *c = gpu_cta_at(g, slot);
	if (!paths_other_lanes(g, c, &c->warp[warp]))
		return false;
	exec_enter(&g->exec, &gpu_launch_at(g, c->launch)->launch);
	return exec_switch_way(&g->exec, c, warp, &paths_touch(g, slot, warp)->paths, epoch, lanes);
}

void paths_end_block(struct gpu *g, uint32_t slot)
{
	for (uint32_t w = 0; w < gpu_cta_at(g, slot)->n_warps; w++)
		if (record_of(g, slot, w)->paths.epoch || record_of(g, slot, w)->failures || record_of(g, slot, w)->repeats)
			memset(paths_touch(g, slot, w), 0, sizeof(struct path_record));
}
