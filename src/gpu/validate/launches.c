/* The device as a whole, its launches and its blocks are looked at. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "exec/tensor.h"
#include "gpu/device/valid_internal.h"
#include "gpu/rewind/restore.h"
#include "gpu/wait/prove.h"

/* ---- the device ---- */

static bool device_bools(const struct gpu_state *s)
{
	return VALID_BOOL(s->performance) && VALID_BOOL(s->was_idle) && VALID_BOOL(s->has_concurrent) && VALID_BOOL(s->must_yield) &&
	       VALID_BOOL(s->children_changed) && VALID_BOOL(s->probe.active) && s->patience_level <= GPU_PATIENCE_LEVELS && s->turn_context <= GPU_CONTEXTS &&
	       VALID_BOOL(s->streams_changed) && VALID_BOOL(s->nothing_ready) && VALID_BOOL(s->schedule.chosen) && s->tensor_rounding <= EXEC_TENSORS;
}

static bool limits_are_valid(const struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	for (unsigned k = 0; k < GPU_LIMITS; k++) {
		if (s->limit[k] > gpu_limit_row(k)->most)
			return false;
		for (unsigned c = 0; c < GPU_CONTEXTS; c++)
			if (s->of_context[c].limit[k] > gpu_limit_row(k)->most)
				return false;
	}
	return true;
}

bool gpu_valid_device(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	const struct isa_program *p = &g->program;
	if (g->arena.section[g->sec_state].used < sizeof *s || !device_bools(s) || !limits_are_valid(g))
		return invalid(v->what, "the device's state");
	if (s->heap_first != ((g->device.heap_start + 255) & ~UINT64_C(255)) || s->heap_next < s->heap_first ||
	    s->heap_next > 2 * g->limits->device_end)
		return invalid(v->what, "where free device memory begins");
	if (s->n_variables > p->n_variables || s->program_end > p->n_insns || s->gone_first > s->gone_end ||
	    s->gone_end > p->n_insns)
		return invalid(v->what, "what there is of the program");
	if (s->performance && !v->outside->has_machine)
		return invalid(v->what, "the device's mode");
	if (!VALID_BOOL(s->covered.is_reset) || s->covered.first > s->n_launches || (s->covered.performance && !v->outside->has_machine))
		return invalid(v->what, "the launches that the statistics cover");
	if (s->alone.launch > s->n_launches || s->alone.warp >= EXEC_WARPS_PER_CTA)
		return invalid(v->what, "which warp runs alone");
	if (s->n_slots > g->max_slots || s->n_resident > s->n_slots || s->schedule.n_lowered > GPU_CHANGES)
		return invalid(v->what, "how many blocks there are");
	const struct timing_place *at = &v->outside->beside.at;
	if (at->core >= g->n_cores || at->cta_slot >= g->max_slots || at->warp >= EXEC_WARPS_PER_CTA || at->pc > p->n_insns)
		return invalid(v->what, "where inside a cycle the machine stands");
	return true;
}

/* ---- launches ---- */

static bool is_over(const struct gpu_launch_info *l)
{
	return l->state == GPU_LAUNCH_DONE || l->state == GPU_LAUNCH_KILLED;
}

static bool has_begun(const struct gpu_launch_info *l)
{
	return l->state == GPU_LAUNCH_RUNNING || l->state == GPU_LAUNCH_FAILED;
}

static bool launch_numbers(const struct gpu_valid *v, const struct gpu_launch_info *l, uint32_t id)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	return l->launch.id == id && l->state <= GPU_LAUNCH_KILLED && VALID_BOOL(l->announced) &&
	       VALID_BOOL(l->performance) && VALID_BOOL(l->tail) && VALID_BOOL(l->waits) &&
	       VALID_BOOL(l->launch.independent_threads) && l->cache <= CONFIG_CACHE_SHARED &&
	       l->launch.context < GPU_CONTEXTS && l->launch.depth <= GPU_LAUNCH_DEPTH && l->ctas_per_core &&
	       l->ctas_per_core <= g->device.ctas_per_core && l->ctas_most <= l->ctas_per_core &&
	       l->ctas_started <= l->launch.n_ctas && l->ctas_done <= l->ctas_started &&
	       l->ctas_started - l->ctas_done <= s->n_resident && (is_over(l) || l->first_resident <= s->n_resident) &&
	       l->parent_pc <= g->program.n_insns && l->last_tail <= s->n_launches && l->next_child <= s->n_launches &&
	       l->parent <= id && l->after[0] <= id && l->after[1] <= id && (!l->performance || v->outside->has_machine || is_over(l));
}

static bool launch_state(const struct gpu_launch_info *l)
{
	switch (l->state) {
	case GPU_LAUNCH_QUEUED: return !l->ctas_started;
	case GPU_LAUNCH_DONE: return l->ctas_done == l->launch.n_ctas && !l->n_children && !l->n_tails;
	case GPU_LAUNCH_KILLED: return true;
	default: return l->launch.param_offset != 0;
	}
}

/* Launches by kernels that wait, in the list; and what each launch counts of its own. */
static bool children_are_valid(const struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	struct valid_pool pool;
	uint32_t last = 0, all = 0;
	bool ok = true;
	valid_pool_init(&pool, s->n_launches + UINT64_C(1));
	for (uint32_t k = s->first_child; ok && k;) {
		ok = valid_claim(&pool, k, 1) && gpu_launch_at(g, k - 1)->parent &&
		     gpu_launch_at(g, k - 1)->state == GPU_LAUNCH_QUEUED;
		last = k;
		k = ok ? gpu_launch_at(g, k - 1)->next_child : 0;
	}
	ok = ok && last == s->last_child;
	uint32_t *counted = xcalloc(2 * (s->n_launches + (size_t)1), sizeof *counted);
	for (uint32_t k = 0; ok && k < s->n_launches; k++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (!l->parent || is_over(l))
			continue;
		all++;
		counted[2 * (l->parent - 1)]++;
		counted[2 * (l->parent - 1) + 1] += l->tail;
		ok = (l->state == GPU_LAUNCH_QUEUED) == (pool.claimed[k + 1] == 1) &&
		     !is_over(gpu_launch_at(g, l->parent - 1)) &&
		     l->launch.depth == gpu_launch_at(g, l->parent - 1)->launch.depth + 1;
	}
	for (uint32_t k = 0; ok && k < s->n_launches; k++)
		ok = gpu_launch_at(g, k)->n_children == counted[2 * k] && gpu_launch_at(g, k)->n_tails == counted[2 * k + 1];
	free(counted);
	valid_pool_free(&pool);
	return ok && all == s->n_children;
}

static const struct gpu_launch_info *named(const struct gpu *g, uint32_t number)
{
	return number && number <= gpu_state(g)->n_launches ? gpu_launch_at(g, number - 1) : NULL;
}

/* Which launches the device runs. */
static bool running_is_valid(const struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	const struct gpu_launch_info *nested = named(g, s->nested), *other = named(g, s->other);
	uint32_t begun = 0, failed = 0;
	for (uint32_t k = 0; k < s->n_launches; k++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (k < s->head && !is_over(l) && !l->parent)
			return false;
		if (has_begun(l) && l->performance != s->performance)
			return false;
		begun += !l->parent && has_begun(l);
		failed += l->state == GPU_LAUNCH_FAILED;
	}
	if (failed != s->n_failed || (s->nested && (!nested || !nested->parent || !has_begun(nested))) ||
	    (s->other && (!other || other->parent || !has_begun(other))))
		return false;
	return s->performance ? !s->n_begun && !s->nested && !s->other : begun == s->n_begun;
}

bool gpu_valid_launches(struct gpu_valid *v)
{
	struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	if (s->n_launches > gpu_valid_entries(v, g->sec_launch, sizeof(struct gpu_launch_info)) ||
	    s->head > s->n_launches || s->mode_end > s->n_launches)
		return invalid(v->what, "how many launches there are");
	g->exec.stack_limit = 0;
	for (uint32_t k = 0; k < s->n_launches; k++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (l->launch.id != k)
			return invalid(v->what, "the number of kernel %u", k);
		if (!exec_launch_is_valid(&g->exec, &l->launch, is_over(l), &v->heaps, v->what))
			return false;
		if (!launch_numbers(v, l, k) || !launch_state(l))
			return invalid(v->what, "what kernel %u has done", k);
	}
	if (!children_are_valid(v))
		return invalid(v->what, "launches by kernels");
	return running_is_valid(v) || invalid(v->what, "which launches run");
}

/* ---- blocks ---- */

/* Where a block lies among the cores' places, or among those for launches by threads. */
static bool place_is_valid(const struct gpu *g, uint32_t slot, const struct exec_cta *c)
{
	const uint32_t per_core = g->device.ctas_per_core;
	if (slot >= g->n_cores * per_core)
		return c->core < g->n_cores && c->core_slot == per_core && !gpu_state(g)->performance;
	return c->core == slot / per_core && c->core_slot == slot % per_core;
}

/* In functional mode's own order the block's turn is that of a warp that can run. */
static bool turn_is_valid(const struct gpu *g, const struct exec_cta *c)
{
	bool any = false;
	for (uint32_t k = 0; k < c->n_warps; k++)
		any |= c->warp[k].state == EXEC_WARP_RUNNABLE;
	return !any || gpu_state(g)->performance || gpu_state(g)->schedule.spec.seed ||
	       c->warp[c->current].state == EXEC_WARP_RUNNABLE;
}

bool gpu_valid_blocks(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	uint32_t *resident = xcalloc(s->n_launches + (size_t)1, sizeof *resident);
	bool ok = s->n_slots <= gpu_valid_entries(v, g->sec_cta, sizeof(struct exec_cta)) ||
		  invalid(v->what, "how many blocks there are");
	for (uint32_t k = 0; ok && k < s->n_slots; k++) {
		const struct exec_cta *c = gpu_cta_at(g, k);
		if (!VALID_BOOL(c->used) || (c->used && c->launch >= s->n_launches))
			ok = invalid(v->what, "place %u of blocks", k);
		if (!ok || !c->used)
			continue;
		const struct gpu_launch_info *l = gpu_launch_at(g, c->launch);
		ok = exec_cta_is_valid(&g->exec, c, k, &l->launch, &v->heaps, v->what);
		if (ok && (!has_begun(l) || c->linear >= l->ctas_started || !place_is_valid(g, k, c) ||
			   !turn_is_valid(g, c) || c->last_child > s->n_launches))
			ok = invalid(v->what, "block %llu of kernel %u", (unsigned long long)c->linear, c->launch);
		resident[c->launch]++;
	}
	for (uint32_t k = 0; ok && k < s->n_launches; k++) {
		const struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (!is_over(l) && l->ctas_started - l->ctas_done != resident[k])
			ok = invalid(v->what, "the blocks of kernel %u", k);
	}
	free(resident);
	return ok;
}

bool gpu_valid_residents(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_state *s = gpu_state(g);
	uint32_t used = 0;
	bool ok = s->n_resident <= gpu_valid_entries(v, g->sec_resident, sizeof(uint32_t));
	struct valid_pool pool;
	valid_pool_init(&pool, s->n_slots + UINT64_C(1));
	for (uint32_t k = 0; k < s->n_slots; k++)
		used += gpu_cta_at(g, k)->used;
	for (uint32_t k = 0; ok && k < s->n_resident; k++) {
		const uint32_t slot = gpu_residents(g)[k];
		ok = slot < s->n_slots && gpu_cta_at(g, slot)->used && valid_claim(&pool, slot + UINT64_C(1), 1);
	}
	valid_pool_free(&pool);
	return (ok && used == s->n_resident) || invalid(v->what, "which blocks are resident");
}

bool gpu_valid_probe(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const struct gpu_probe *p = &gpu_state(g)->probe;
	if (!p->active)
		return true;
	if (!VALID_BOOL(p->is_blind) || !VALID_BOOL(p->has_snapshot) || !VALID_BOOL(p->in_region) || !VALID_BOOL(p->may_enter) || !VALID_BOOL(p->looks) || p->looks || !prove_is_valid(g) ||
	    p->bytes > g->arena.section[g->sec_probe].used || p->cta_slot >= gpu_state(g)->n_slots ||
	    !gpu_cta_at(g, p->cta_slot)->used || p->warp >= gpu_cta_at(g, p->cta_slot)->n_warps)
		return invalid(v->what, "the warp that is looked at for waiting");
	return true;
}
