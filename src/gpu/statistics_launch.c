/* Statistics of single launches, and their new beginning.
 *
 * A launch's record holds all counts as they were when it began, and from its end on what was counted in between. */
#include <stddef.h>

#include "gpu/statistics_internal.h"

struct record {
	bool begun, ended;
	struct statistics_counts n;
};

bool statistics_add_section(struct gpu *g)
{
	g->sec_statistics = arena_add(&g->arena, "statistics", ARENA_PAGED, g->limits->statistics);
	return g->sec_statistics >= 0;
}

/* NULL: there are more launches than places. */
static struct record *record_of(struct gpu *g, uint32_t launch, bool write)
{
	const uint64_t at = (uint64_t)launch * sizeof(struct record);
	if (at + sizeof(struct record) > g->limits->statistics)
		return NULL;
	if (write) {
		if (!arena_use(&g->arena, g->sec_statistics, at + sizeof(struct record)))
			return NULL;
		arena_touch(&g->arena, g->sec_statistics, at, sizeof(struct record));
	}
	return arena_at(&g->arena, g->sec_statistics, at);
}

void gpu_statistics_begin(struct gpu *g, uint32_t launch)
{
	struct record *r = record_of(g, launch, true);
	struct statistics s;
	if (!r)
		return;
	statistics_collect(g, &s);
	*r = (struct record){.begun = true, .n = s.n};
}

static void difference(struct statistics_counts *to, const struct statistics_counts *now, const struct statistics_counts *then)
{
	struct statistics_counts n = *now;
	statistics_subtract(&n, then);
	*to = n;
}

void gpu_statistics_end(struct gpu *g, uint32_t launch)
{
	struct record *r = record_of(g, launch, false);
	struct statistics s;
	if (!r || !r->begun || r->ended)
		return;
	r = record_of(g, launch, true);
	statistics_collect(g, &s);
	difference(&r->n, &s.n, &r->n);
	r->ended = true;
}

bool statistics_of_launch(struct gpu *g, uint32_t launch, struct statistics *out)
{
	const struct record *r = launch < gpu_launch_count(g) ? record_of(g, launch, false) : NULL;
	if (!r || !r->begun)
		return false;
	*out = (struct statistics){0};
	if (r->ended) {
		out->n = r->n;
	} else {
		struct statistics s;
		statistics_collect(g, &s);
		difference(&out->n, &s.n, &r->n);
	}
	statistics_derive(out);
	out->d.run_cycles = out->n.cycles;
	out->d.run_insns = out->n.insns;
	return true;
}

/* ---- a new beginning ---- */

/* What they began with is taken back from launches under way, in the arithmetic of uint64_t. */
static void rebase(struct gpu *g, const struct statistics_counts *now)
{
	for (uint32_t k = gpu_state(g)->head; k < gpu_launch_count(g); k++) {
		struct record *r = record_of(g, k, false);
		if (!r || !r->begun || r->ended)
			continue;
		r = record_of(g, k, true);
		statistics_subtract(&r->n, now);
	}
}

void gpu_statistics_reset(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	struct statistics all;
	statistics_collect(g, &all);
	exec_reset_counts(&g->exec);
	rebase(g, &all.n);
	s->reset_cycle += all.n.cycles;
	s->reset_insns += all.n.insns;
	gpu_mode_reset_statistics(g);
	if (!g->perf) {
		s->reset_warp_insns += all.n.core.warp_icount;
		return;
	}
	s->run_warp_insns = 0;
	g->perf->s->counts = (struct perf_counts){0};
	timing_reset_statistics(&g->perf->timing);
	perf_restart_logs(g);
}
