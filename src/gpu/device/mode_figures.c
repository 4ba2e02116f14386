/* Figures of the two modes: each mode counts from starts of its own, which are exchanged when the device changes its mode. */
#include "gpu/device/performance_state.h"

static struct gpu_since since_of(const struct gpu_state *s)
{
	return (struct gpu_since){s->run_cycle,	  s->run_insns,	  s->run_warp_insns,
				  s->reset_cycle, s->reset_insns, s->reset_warp_insns};
}

static void set_since(struct gpu_state *s, const struct gpu_since *x)
{
	s->run_cycle = x->run_cycle;
	s->run_insns = x->run_insns;
	s->run_warp_insns = x->run_warp_insns;
	s->reset_cycle = x->reset_cycle;
	s->reset_insns = x->reset_insns;
	s->reset_warp_insns = x->reset_warp_insns;
}

void gpu_mode_swap_figures(struct gpu_state *s)
{
	const struct gpu_since mine = since_of(s);
	const uint64_t away = s->cycle - s->since_cycle;
	set_since(s, &s->since);
	s->run_cycle += away;
	s->reset_cycle += away;
	s->since = mine;
	s->since_cycle = s->cycle;
}

bool gpu_counts_performance(const struct gpu *g)
{
	const struct gpu_covered *c = &gpu_state(g)->covered;
	return g->machine && (c->performance || (g->perf && !c->functional));
}

struct gpu_covered gpu_statistics_cover(const struct gpu *g) { return gpu_state(g)->covered; }

void gpu_instruction_counts(const struct gpu *g, uint32_t first, uint32_t end, struct exec_count *out)
{
	(gpu_counts_performance(g) == (g->perf != NULL) ? exec_counts : exec_other_counts)(&g->exec, first, end, out);
}

void gpu_mode_view_begin(struct gpu *g, struct gpu_mode_view *look)
{
	struct gpu_state *s = gpu_state(g);
	look->on = g->machine && gpu_counts_performance(g) != (g->perf != NULL);
	if (!look->on)
		return;
	*look = (struct gpu_mode_view){true, since_of(s), s->since, s->since_cycle};
	gpu_mode_swap_figures(s);
	g->perf = g->perf ? NULL : g->machine;
}

void gpu_mode_view_end(struct gpu *g, const struct gpu_mode_view *look)
{
	struct gpu_state *s = gpu_state(g);
	if (!look->on)
		return;
	g->perf = g->perf ? NULL : g->machine;
	set_since(s, &look->mine);
	s->since = look->other;
	s->since_cycle = look->since_cycle;
}

/* Each mode's counters stand where they stand: it counts from there. */
void gpu_mode_reset_statistics(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	if (!g->machine)
		return;
	s->since = (struct gpu_since){.run_cycle = s->cycle, .reset_cycle = s->cycle};
	s->since_cycle = s->cycle;
	if (g->perf) {
		s->since.run_insns = s->since.reset_insns = s->insns;
		s->since.run_warp_insns = s->since.reset_warp_insns = s->warp_insns;
		return;
	}
	s->since.run_insns = s->since.reset_insns = g->machine->timing.s->sim_insn;
	g->machine->s->counts = (struct perf_counts){0};
	timing_reset_statistics(&g->machine->timing);
}

/* Launches by kernels have run, or run with their parents. */
static bool belongs_here(const struct gpu *g, const struct gpu_launch_info *l)
{
	return l->parent || l->state == GPU_LAUNCH_KILLED || l->performance == (g->perf != NULL);
}

void gpu_mode_admit(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	s->streams_changed = true;
	while (s->mode_end < s->n_launches && belongs_here(g, gpu_launch_at(g, s->mode_end)))
		s->mode_end++;
}
