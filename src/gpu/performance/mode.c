/* Changes the device between functional and performance mode, which is a property of each launch.
 *
 * The mode changes while the device is idle. In functional mode the performance model keeps its caches, as GPGPU-Sim's machine does, and its time
 * stands still: the start values of its figures are moved by the cycles of functional mode. */
#include "gpu/performance/mode.h"

#include <stdlib.h>

#include "base/arena_marks.h"
#include "base/xalloc.h"
#include "gpu/memory/memory.h"
#include "gpu/performance/performance.h"
#include "gpu/statistics/statistics.h"
#include "timing/icnt/icnt.h"

static void observe(struct gpu *g)
{
	gpu_state(g)->performance = g->perf != NULL;
	exec_set_needs(&g->exec, EXEC_PART_MODE, g->perf ? perf_needs(g->perf) : 0);
	exec_set_needs(&g->exec, EXEC_PART_WAITS, 0);
	exec_set_needs(&g->exec, EXEC_PART_QUIET, 0);
}

static void change(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	gpu_mode_swap_figures(s);
	exec_exchange_counts(&g->exec);
	gpu_transition(g);
	g->perf = g->perf ? NULL : g->machine;
	s->was_idle = true;
	s->streams_changed = true; /* transfers take time in one mode only */
	s->current = GPU_NONE;
	s->probe.active = false;
	observe(g);
}

/* ---- changing ---- */

static bool is_idle(const struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	if (g->perf && (g->perf->s->in_batch || !fifo_empty(g->perf->finished)))
		return false;
	return !s->n_resident && s->head == s->mode_end;
}

bool gpu_mode_next(struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	if (s->mode_end == s->n_launches || !is_idle(g))
		return false;
	change(g);
	gpu_mode_admit(g);
	return true;
}

void gpu_mode_skip_dropped(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	s->mode_end = s->mode_end > s->head ? s->mode_end : s->head;
	gpu_mode_admit(g);
	gpu_mode_next(g);
}

void gpu_mode_restore(struct gpu *g)
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
	gpu_mode_admit(g);
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
	gpu_resend_copies(g);
	gpu_watch_samples(g, g->sample_fn, g->sample_self);
	arena_marks_adopt(&g->arena); /* marks from before the machine existed include it from now on */
	return true;
}

void gpu_mode_free(struct gpu *g)
{
	if (g->own_timing)
		icnt_config_free(g->own_timing->icnt);
	free(g->own_timing);
	g->own_timing = NULL;
}
