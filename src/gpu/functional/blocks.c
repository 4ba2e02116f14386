/* Resident blocks in functional mode.
 *
 * Blocks become resident by id, each when the scheduler gets to it. Block b is placed on the first core from b modulo the number of cores on
 * that has room, in its lowest free slot. A core has room for as many blocks as its slots, threads, shared memory and registers allow, at
 * least one. */
#include <string.h>

#include "gpu/functional/functional.h"
#include "gpu/wait/wait.h"

static bool is_free(const struct gpu *g, uint32_t slot)
{
	return slot >= gpu_state(g)->n_slots || !gpu_cta_at(g, slot)->used;
}

/* When those that wait for it fill the device, a launch by a thread has a place for one block beside the cores' slots. */
static bool find_nested_slot(const struct gpu *g, const struct gpu_launch_info *l, uint32_t *core, uint32_t *slot)
{
	*core = (uint32_t)(l->ctas_started % g->n_cores);
	if (!l->parent || gpu_state(g)->n_resident > l->first_resident)
		return false;
	for (*slot = g->n_cores * g->device.ctas_per_core; *slot < g->max_slots; ++*slot)
		if (is_free(g, *slot))
			return true;
	return false;
}

/* A free slot for block `linear`; false if all cores are full. */
static bool find_slot(const struct gpu *g, uint32_t per_core, uint64_t linear, uint32_t *core, uint32_t *slot)
{
	uint32_t first = (uint32_t)(linear % g->n_cores);
	for (uint32_t k = 0; k < g->n_cores; k++) {
		*core = (first + k) % g->n_cores;
		for (uint32_t n = 0; n < per_core; n++) {
			*slot = *core * g->device.ctas_per_core + n;
			if (is_free(g, *slot))
				return true;
		}
	}
	return false;
}

bool functional_start_block(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_launch_info *l = gpu_launch_at(g, gpu_running(g));
	uint32_t core, slot;
	if (l->ctas_started == l->launch.n_ctas ||
	    (!find_slot(g, l->ctas_per_core, l->ctas_started, &core, &slot) && !find_nested_slot(g, l, &core, &slot)))
		return false;
	if (!arena_use(&g->arena, g->sec_cta, (slot + 1) * sizeof(struct exec_cta)) ||
	    !arena_use(&g->arena, g->sec_resident, (s->n_resident + 1) * sizeof(uint32_t)))
		return false;
	struct exec_cta *c = gpu_cta_at(g, slot);
	c->core = core;
	c->core_slot =
		slot < g->n_cores * g->device.ctas_per_core ? slot % g->device.ctas_per_core : g->device.ctas_per_core;
	if (!exec_start_cta(&g->exec, c, slot, &l->launch, l->ctas_started))
		return false;
	for (uint32_t w = 0; w < c->n_warps; w++)
		c->warp[w].quantum = GPU_QUANTUM;
	if (slot >= s->n_slots)
		s->n_slots = slot + 1;
	l->ctas_started++;
	gpu_residents(g)[s->n_resident++] = slot;
	return true;
}

void functional_finish_block(struct gpu *g, uint32_t index)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t *r = gpu_residents(g);
	if (s->probe.active && s->probe.cta_slot == r[index])
		s->probe.active = false;
	struct exec_cta *c = gpu_cta_at(g, r[index]);
	wait_end_block(g, r[index]);
	exec_finish_cta(&g->exec, c);
	s->n_resident--;
	memmove(&r[index], &r[index + 1], (s->n_resident - index) * sizeof *r);
	s->current = GPU_NONE;
}

void functional_drop_blocks(struct gpu *g)
{
	while (gpu_state(g)->n_resident)
		functional_finish_block(g, gpu_state(g)->n_resident - 1);
}
