/* The device's mode, functional or performance, which may be another one for each launch.
 *
 * It changes when nothing is under way: the performance model keeps its caches meanwhile, as GPGPU-Sim's machine does while it runs kernels
 * functionally, and its time stands still: what it counts from is moved by the cycles of the other mode. */
#include <stdlib.h>

#include "base/arena_marks.h"
#include "base/xalloc.h"
#include "gpu/config_timing.h"
#include "gpu/performance.h"
#include "gpu/statistics.h"
#include "timing/icnt/icnt.h"

/* ---- figures of the two modes ---- */

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

/* The other mode's come back, as if no time had passed. */
static void swap_since(struct gpu_state *s)
{
	const struct gpu_since mine = since_of(s);
	const uint64_t away = s->cycle - s->since_cycle;
	set_since(s, &s->since);
	s->run_cycle += away;
	s->reset_cycle += away;
	s->since = mine;
	s->since_cycle = s->cycle;
}

static void observe(struct gpu *g)
{
	gpu_state(g)->performance = g->perf != NULL;
	struct exec_observer o = g->exec.observer;
	o.records = o.defers = g->perf != NULL;
	o.changes = false;
	exec_observe(&g->exec, &o);
}

static void change(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	swap_since(s);
	gpu_transition(g);
	g->perf = g->perf ? NULL : g->machine;
	s->was_idle = true;
	s->streams_changed = true; /* transfers take time in one mode only */
	s->current = GPU_NONE;
	s->probe.active = false;
	observe(g);
}

bool gpu_counts_performance(const struct gpu *g) { return g->machine && (g->perf || g->machine->s->warm); }

void gpu_mode_look(struct gpu *g, struct gpu_look *look)
{
	struct gpu_state *s = gpu_state(g);
	look->on = !g->perf && gpu_counts_performance(g);
	if (!look->on)
		return;
	*look = (struct gpu_look){true, since_of(s), s->since, s->since_cycle};
	swap_since(s);
	g->perf = g->machine;
}

/* Nothing of it stays. */
void gpu_mode_look_away(struct gpu *g, const struct gpu_look *look)
{
	struct gpu_state *s = gpu_state(g);
	if (!look->on)
		return;
	g->perf = NULL;
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

/* ---- changing ---- */

static bool is_idle(const struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	if (g->perf && (g->perf->s->in_batch || !fifo_empty(g->perf->finished)))
		return false;
	return !s->n_resident && s->head == s->mode_end;
}

/* Launches by kernels have run, or run with their parents. */
static bool belongs_here(const struct gpu *g, const struct gpu_launch_info *l)
{
	return l->parent || l->state == GPU_LAUNCH_KILLED || l->performance == (g->perf != NULL);
}

/* The launches in a row that have the device's mode may run. */
static void admit(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	s->streams_changed = true;
	while (s->mode_end < s->n_launches && belongs_here(g, gpu_launch_at(g, s->mode_end)))
		s->mode_end++;
}

bool gpu_mode_next(struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	if (s->mode_end == s->n_launches || !is_idle(g))
		return false;
	change(g);
	admit(g);
	return true;
}

void gpu_mode_settle(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	s->mode_end = s->mode_end > s->head ? s->mode_end : s->head;
	admit(g);
	gpu_mode_next(g);
}

void gpu_mode_of_launch(struct gpu *g, const struct gpu_launch_info *l)
{
	if (gpu_state(g)->mode_end == l->launch.id)
		admit(g);
	gpu_mode_next(g);
}

void gpu_mode_revive(struct gpu *g)
{
	g->perf = gpu_state(g)->performance ? g->machine : NULL;
	observe(g);
}

bool gpu_made_for_performance(const struct gpu *g) { return g->is_performance; }
const struct timing_config *gpu_made_timing(const struct gpu *g) { return g->is_performance ? g->machine->config : NULL; }

bool gpu_set_launch_mode(struct gpu *g, uint32_t id, enum gpu_mode mode)
{
	struct gpu_state *s = gpu_state(g);
	const bool performance = mode ? mode == GPU_MODE_PERFORMANCE : g->is_performance;
	struct text why = {0};
	if (id >= s->n_launches || gpu_launch_at(g, id)->state != GPU_LAUNCH_QUEUED)
		return false;
	const bool possible = !performance || gpu_can_perform(g, &why);
	text_free(&why);
	if (!possible)
		return false;
	gpu_launch_at(g, id)->performance = performance;
	if (id < s->mode_end && performance != (g->perf != NULL))
		s->mode_end = id;
	admit(g);
	gpu_mode_next(g);
	return true;
}

void gpu_mode_reset(struct gpu *g)
{
	if (!g->machine)
		return;
	g->perf = g->machine;
	perf_reset(g);
	if (g->is_performance)
		return;
	g->perf = NULL;
	observe(g);
}

/* ---- a machine for a device that was made without ---- */

static bool read_timing(struct gpu *g, struct timing_config *t, struct text *why)
{
	struct diag_list diags;
	diag_list_init(&diags);
	diags.limit = 1;
	const bool ok = config_timing(g->config, t, &diags) && !diags.n_errors;
	if (!ok && diags.n)
		text_add(why, diags.v[0].message);
	diag_list_free(&diags);
	return ok;
}

bool gpu_can_perform(struct gpu *g, struct text *why)
{
	if (g->machine)
		return true;
	if (!g->config) {
		text_add(why, "the device has no configuration");
		return false;
	}
	gpu_mode_free(g);
	g->own_timing = xcalloc(1, sizeof *g->own_timing);
	if (!read_timing(g, g->own_timing, why))
		return false;
	if (!perf_create(g, g->own_timing, why)) {
		perf_destroy(g);
		observe(g);
		return false;
	}
	g->perf = NULL;
	observe(g);
	gpu_copy_again(g);
	arena_marks_adopt(&g->arena); /* whoever goes back to where there was no machine finds this one */
	return true;
}

void gpu_mode_free(struct gpu *g)
{
	if (g->own_timing)
		icnt_config_free(g->own_timing->icnt);
	free(g->own_timing);
	g->own_timing = NULL;
}
