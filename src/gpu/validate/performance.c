/* The machine above the cores is looked at, and then the performance model. */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "gpu/device/performance_state.h"
#include "gpu/device/valid_internal.h"
#include "gpu/rewind/restore.h"
#include "timing/timing_valid.h"

static bool bools_are_valid(const struct perf_state *s)
{
	return VALID_BOOL(s->in_tick) && VALID_BOOL(s->in_replies) && VALID_BOOL(s->in_batch) && VALID_BOOL(s->streams_had_turn) &&
	       VALID_BOOL(s->deadlock) && VALID_BOOL(s->serve_stream_zero) && VALID_BOOL(s->contexts_overlap) &&
	       VALID_BOOL(s->no_room) && VALID_BOOL(s->warm) && VALID_BOOL(s->watchful);
}

/* The domains' next edges are less than two periods apart, and far from where adding a period changes nothing. */
static bool clocks_are_valid(const struct performance *pf)
{
	double longest = 0, least = INFINITY, most = 0;
	for (unsigned d = 0; d < CLOCKS; d++) {
		const double next = pf->s->next[d], period = pf->config->period[d];
		if (!isfinite(next) || next < 0 || next > period * 1e15)
			return false;
		longest = period > longest ? period : longest;
		least = next < least ? next : least;
		most = next > most ? next : most;
	}
	return most - least <= 2 * longest;
}

/* Where a tick stopped: in front of a core, or of a reply. */
static bool tick_is_valid(const struct gpu *g, const struct performance *pf, const struct timing_place *at)
{
	const struct perf_state *s = pf->s;
	const struct core_config *c = &pf->config->core;
	const uint32_t subs = pf->config->partition.n_partitions * pf->config->partition.subs_per_partition;
	if (s->domains >= 1u << CLOCKS || s->sub_partition > subs || (s->in_tick && s->in_replies))
		return false;
	if (s->in_tick ? !perf_domain(s, CLOCK_CORE) || s->cluster >= c->n_clusters || s->core >= c->cores_per_cluster
		       : s->cluster || s->core)
		return false;
	if (s->in_replies ? !perf_domain(s, CLOCK_ICNT) : s->sub_partition != 0)
		return false;
	return !perf_inside_tick(s) || (at->cta_slot < gpu_state(g)->n_slots && gpu_cta_at(g, at->cta_slot)->used &&
					at->warp < gpu_cta_at(g, at->cta_slot)->n_warps);
}

/* Of all cores only the one at which the tick stopped is inside its cycle. */
static bool cores_stand(const struct performance *pf)
{
	const struct perf_state *s = pf->s;
	const struct core_config *c = &pf->config->core;
	const struct cluster *k = &pf->timing.cluster[s->in_tick ? s->cluster : 0];
	const struct core *stopped = s->in_tick ? &k->core[k->n_cores == 1 ? 0 : k->s->order[s->core]] : NULL;
	for (uint32_t i = 0; i < c->n_cores; i++) {
		const struct core *core = &pf->timing.core[i];
		if ((core->s->in_issue || core->s->executed) != (core == stopped))
			return false;
	}
	return true;
}

static const struct gpu_launch_info *running(const struct gpu *g, uint32_t id)
{
	const struct gpu_launch_info *l = id < gpu_state(g)->n_launches ? gpu_launch_at(g, id) : NULL;
	return l && l->performance && (l->state == GPU_LAUNCH_RUNNING || l->state == GPU_LAUNCH_FAILED) ? l : NULL;
}

/* Each launch that runs has a slot, waits for its children, or is about to be reported as finished. */
static bool kernels_are_valid(const struct gpu *g, const struct performance *pf)
{
	const struct gpu_state *s = gpu_state(g);
	struct valid_pool pool;
	uint32_t left = 0;
	bool ok = fifo_is_valid(pf->finished, pf->n_slots);
	valid_pool_init(&pool, s->n_launches + UINT64_C(1));
	for (uint32_t k = 0; ok && k < pf->n_slots; k++) {
		if (pf->slots[k] == PERF_FREE_SLOT)
			continue;
		const struct gpu_launch_info *l = running(g, pf->slots[k]);
		ok = l && valid_claim(&pool, pf->slots[k] + UINT64_C(1), 1) && !l->waits;
		left += ok && l->ctas_started < l->launch.n_ctas;
	}
	for (uint32_t k = 0; ok && k < pf->finished->n; k++) {
		const uint32_t id = fifo_peek(pf->finished, k);
		const struct gpu_launch_info *l = running(g, id);
		ok = l && valid_claim(&pool, id + UINT64_C(1), 2) && !l->waits && gpu_blocks_are_done(l) && !l->n_children;
	}
	for (uint32_t k = 0; ok && k < s->n_launches; k++) {
		const struct gpu_launch_info *l = running(g, k);
		if (l && l->waits)
			ok = valid_claim(&pool, k + UINT64_C(1), 3) && gpu_blocks_are_done(l) && l->n_children;
		ok = ok && (!l || pool.claimed[k + 1]);
	}
	valid_pool_free(&pool);
	return ok && left == pf->s->n_ctas_left;
}

/* A launch counts the cores that it is bound to. */
static bool bindings_are_valid(const struct gpu *g, const struct performance *pf)
{
	const uint32_t n = gpu_state(g)->n_launches;
	uint32_t *bound = xcalloc(n + (size_t)1, sizeof *bound);
	bool ok = true;
	for (uint32_t k = 0; ok && k < pf->config->core.n_cores; k++) {
		const struct core *c = &pf->timing.core[k];
		if (c->s->launch == UINT32_MAX)
			continue;
		const struct gpu_launch_info *l = running(g, c->s->launch);
		ok = l && c->s->active_ctas <= l->ctas_most;
		if (ok)
			bound[c->s->launch]++;
	}
	for (uint32_t k = 0; ok && k < n; k++)
		ok = !running(g, k) || gpu_launch_at(g, k)->cores_bound == bound[k];
	free(bound);
	return ok;
}

static bool probes_are_valid(const struct gpu *g, const struct performance *pf)
{
	for (uint64_t k = 0; k < (uint64_t)g->max_slots * EXEC_WARPS_PER_CTA; k++)
		if (!VALID_BOOL(pf->probes[k].hashed))
			return false;
	return true;
}

static bool has_blocks(const struct performance *pf)
{
	for (uint32_t k = 0; k < pf->config->core.n_cores; k++)
		if (pf->timing.core[k].s->active_ctas)
			return true;
	return false;
}

/* A machine that has never been used is as it was built. */
bool gpu_valid_performance(struct gpu_valid *v)
{
	struct gpu *g = v->g;
	struct performance *pf = g->machine;
	const struct perf_state *s = pf ? pf->s : NULL;
	if (!pf)
		return true;
	if (!g->arena.section[pf->timing.memory.section].used)
		return !gpu_state(g)->performance || invalid(v->what, "the performance model's state");
	if (!timing_is_valid(&pf->timing, g->max_slots, v->what))
		return false;
	if (!bools_are_valid(s) || !clocks_are_valid(pf) || s->last_cluster_issue >= pf->config->core.n_clusters || s->last_core >= pf->config->core.n_cores ||
	    s->last_issued_kernel >= pf->n_slots || s->cache_choice > CONFIG_CACHE_SHARED || !probes_are_valid(g, pf))
		return invalid(v->what, "the performance model's state");
	if (!tick_is_valid(g, pf, &v->outside->beside.at) || !cores_stand(pf))
		return invalid(v->what, "where inside a cycle the machine stands");
	if (!gpu_state(g)->performance && (perf_inside_tick(s) || has_blocks(pf) || pf->finished->n))
		return invalid(v->what, "what the performance model does in functional mode");
	return (kernels_are_valid(g, pf) && bindings_are_valid(g, pf)) || invalid(v->what, "which kernels run");
}

bool gpu_valid_scoreboards(struct gpu_valid *v)
{
	struct gpu *g = v->g;
	if (!g->machine || !g->arena.section[g->machine->timing.memory.section].used)
		return true;
	return timing_scoreboards_are_valid(&g->machine->timing, v->what);
}

bool gpu_valid_lines(struct gpu_valid *v)
{
	struct gpu *g = v->g;
	if (!g->machine || !g->machine->timing.line || !g->arena.section[g->machine->timing.memory.section].used)
		return true;
	return timing_lines_are_valid(&g->machine->timing, v->what);
}
