/* A machine that may hold anything is looked at: every section of the performance model. */
#include "timing/timing_valid.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "timing/core/core_valid.h"
#include "timing/timing.h"

/* ---- clusters ---- */

static bool cluster_is_valid(const struct timing *t, struct timing_valid *v, uint32_t id)
{
	const struct cluster *k = &t->cluster[id];
	uint64_t seen = 0;
	if (!timing_claim_fifo(v, k->response, t->cfg->core.cluster_response_fifo, PLACE_BACK) ||
	    k->s->next_core >= k->n_cores || (t->responding[id >> 6] >> (id & 63) & 1) != (k->response->n != 0))
		return false;
	for (uint32_t n = 0; n < k->n_cores && n < 64; n++) {
		if (k->s->order[n] >= k->n_cores || seen >> k->s->order[n] & 1)
			return false;
		seen |= UINT64_C(1) << k->s->order[n];
	}
	for (uint32_t n = 0; n < k->response->n; n++) {
		const struct mem_request *m = request_at(v->q, fifo_peek(k->response, n));
		if (m->cluster != id || m->type == L2_WRBK_ACC || m->type == L2_WR_ALLOC_R)
			return false;
	}
	return true;
}

static bool clusters_are_valid(const struct timing *t, struct timing_valid *v)
{
	const uint32_t n = t->cfg->core.n_clusters;
	for (uint32_t k = 0; k < n; k++)
		if (!cluster_is_valid(t, v, k))
			return invalid(v->what, "cluster %u", k);
	return !(n & 63) || !(t->responding[n >> 6] >> (n & 63)) || invalid(v->what, "which clusters have replies");
}

/* ---- all of it ---- */

/* Requests of the cores, but for parts of divided ones, which the divided one stands for. */
static bool core_requests_are_valid(struct core_valid *cores, struct timing_valid *v)
{
	for (uint32_t r = 1; r < v->place.n; r++) {
		const struct mem_request *m = request_at(v->q, r);
		if (v->place.claimed[r] == PLACE_FREE || m->whole || m->type == L2_WRBK_ACC || m->type == L2_WR_ALLOC_R)
			continue;
		if (!core_request_is_valid(&cores[m->core], r))
			return invalid(v->what, "request %u of core %u", r, m->core);
	}
	return true;
}

static bool blocks_are_valid(const struct timing *t, struct core_valid *cores, struct timing_valid *v)
{
	const uint32_t n = t->cfg->core.n_cores;
	for (uint32_t k = 0; k < n; k++)
		if (!core_is_valid(&cores[k]))
			return false;
	if (!clusters_are_valid(t, v) || (t->icnt && !icnt_is_valid(t->icnt, v)) ||
	    !partitions_are_valid(t->partitions, v) || !requests_places_are_valid(v) || !core_requests_are_valid(cores, v))
		return false;
	for (uint32_t k = 0; k < n; k++)
		if (!core_counts_are_valid(&cores[k]))
			return false;
	return true;
}

static void prepare(const struct timing *t, uint32_t n_slots, struct timing_valid *v, struct text *what)
{
	const struct core_config *c = &t->cfg->core;
	const struct partition_config *p = &t->cfg->partition;
	*v = (struct timing_valid){.q = &t->requests,
				   .what = what,
				   .n_insns = t->exec->program->n_insns,
				   .n_cores = c->n_cores,
				   .cores_per_cluster = c->cores_per_cluster,
				   .n_warps = c->n_warps,
				   .n_partitions = p->n_partitions,
				   .n_subs = p->n_partitions * p->subs_per_partition,
				   .n_banks = p->dram.t.nbk,
				   .n_slots = n_slots};
}

static void release(struct timing_valid *v)
{
	valid_pool_free(&v->place);
	for (unsigned k = 0; k < REQUEST_LEVELS; k++) {
		valid_pool_free(&v->listed[k]);
		free(v->waiter[k]);
	}
}

static bool machine_is_valid(const struct timing *t, struct timing_valid *v)
{
	const uint32_t n = t->cfg->core.n_cores;
	if (!requests_pool_is_valid(v) || !requests_are_valid(v))
		return false;
	for (unsigned k = 0; k < REQUEST_LEVELS; k++) {
		valid_pool_init(&v->listed[k], v->place.n);
		v->waiter[k] = xcalloc(v->place.n + 1, sizeof *v->waiter[k]);
	}
	struct core_valid *cores = xcalloc(n, sizeof *cores);
	for (uint32_t k = 0; k < n; k++)
		core_valid_init(&cores[k], &t->core[k], v);
	const bool ok = blocks_are_valid(t, cores, v);
	for (uint32_t k = 0; k < n; k++)
		core_valid_free(&cores[k]);
	free(cores);
	return ok;
}

bool timing_is_valid(struct timing *t, uint32_t n_slots, struct text *what)
{
	struct timing_valid v;
	if (t->memory.arena->section[t->memory.section].used != t->memory.used ||
	    t->memory.arena->section[t->memory.pools].used != t->memory.pools_used || !VALID_BOOL(t->s->stuck) ||
	    t->s->split > t->exec->program->n_insns)
		return invalid(what, "the performance model's state");
	prepare(t, n_slots, &v, what);
	const bool ok = machine_is_valid(t, &v);
	release(&v);
	return ok;
}

bool timing_scoreboards_are_valid(struct timing *t, struct text *what)
{
	const struct arena_section *s = &t->memory.arena->section[t->scoreboard_section];
	const uint64_t row = (uint64_t)t->cfg->core.n_cores * t->cfg->core.n_warps * 2 * sizeof(uint64_t);
	const uint64_t words = timing_program_registers(&t->program, t->exec->program->n_insns) / 64 + 1;
	if (s->used % row || s->used / row < words || s->used / row < TIMING_LOW_WORDS)
		return invalid(what, "the size of the scoreboards");
	timing_revived(t);
	return true;
}

bool timing_lines_are_valid(const struct timing *t, struct text *what)
{
	const uint64_t n = t->exec->program->n_insns;
	return t->memory.arena->section[t->line_section].used >= n * sizeof(struct timing_line) ||
	       invalid(what, "figures of single lines");
}
