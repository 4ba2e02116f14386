/* What other rooms ask of the performance model's state. */
#include "gpu/device/performance_state.h"

bool perf_has_work(const struct gpu *g) { return g->perf->s->in_batch || gpu_state(g)->n_children; }

uint32_t perf_free_slot(const struct performance *pf)
{
	uint32_t slot = 0;
	while (slot < pf->n_slots && pf->slots[slot] != PERF_FREE_SLOT)
		slot++;
	return slot;
}

bool perf_runs_kernels(const struct gpu *g)
{
	for (uint32_t k = 0; k < g->perf->n_slots; k++)
		if (g->perf->slots[k] != PERF_FREE_SLOT)
			return true;
	return false;
}

bool perf_slots_are_full(const struct gpu *g) { return g->perf && perf_free_slot(g->perf) == g->perf->n_slots; }

void perf_get_stats(const struct gpu *g, struct gpu_stats *out)
{
	const struct gpu_state *s = gpu_state(g);
	const struct timing *t = &g->perf->timing;
	*out = (struct gpu_stats){
		.sim_insn = t->s->sim_insn - s->run_insns,
		.tot_sim_insn = t->s->sim_insn - s->reset_insns,
		.sim_cycle = s->cycle - s->run_cycle,
		.tot_sim_cycle = s->cycle - s->reset_cycle,
	};
	for (uint32_t k = 0; k < g->perf->config->core.n_cores; k++)
		out->tot_warp_insns += t->core[k].stats->warp_icount;
	out->warp_insns = out->tot_warp_insns - s->run_warp_insns;
}
