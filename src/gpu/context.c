/* Creates and ends contexts, and drops their work. Memory, limits and streams of a context are kept in the rooms of these. */
#include <string.h>

#include "gpu/functional/functional.h"
#include "gpu/launch/launch.h"
#include "gpu/memory/memory.h"
#include "gpu/performance/mode.h"
#include "gpu/performance/performance.h"
#include "gpu/statistics/logs.h"
#include "gpu/statistics/statistics.h"
#include "gpu/stream/stream_internal.h"
#include "gpu/texture/texture_internal.h"

static uint32_t bit(uint32_t context) { return UINT32_C(1) << context; }

static bool context_exists(const struct gpu *g, uint32_t context)
{
	return context < GPU_CONTEXTS && gpu_contexts(g) & bit(context);
}

bool gpu_context_begin(struct gpu *g, uint32_t context)
{
	if (context >= GPU_CONTEXTS || context_exists(g, context) || !streams_begin_context(g, context))
		return false;
	gpu_default_limits_of(g, context);
	gpu_state(g)->contexts |= bit(context);
	return true;
}

/* ---- work ---- */

bool gpu_context_has_work(const struct gpu *g, uint32_t context)
{
	return gpu_contexts(g) == 1 ? gpu_has_work(g) : streams_have_work(g, context);
}

static bool is_over(const struct gpu_launch_info *l)
{
	return l->state == GPU_LAUNCH_DONE || l->state == GPU_LAUNCH_KILLED;
}

static bool has_begun(const struct gpu_launch_info *l)
{
	return l->state == GPU_LAUNCH_RUNNING || l->state == GPU_LAUNCH_FAILED;
}

/* ---- dropping it ---- */

/* Ends launches that have finished and aren't reported yet. */
static void end_finished(struct gpu *g)
{
	while (!fifo_empty(g->perf->finished)) {
		struct gpu_launch_info *l = gpu_launch_at(g, fifo_pop(g->perf->finished));
		gpu_end_launch(g, l, GPU_LAUNCH_DONE);
		if (l->parent)
			perf_child_finished(g, l);
	}
}

/* Rebuilds the machine if contexts in `gone` have blocks on it, since single blocks can't be removed. Returns the contexts that lose work, a bit each.
 * Performance mode only. */
static uint32_t empty_machine(struct gpu *g, uint32_t gone)
{
	end_finished(g);
	const uint32_t running = gpu_contexts_running(g);
	if (!(running & gone))
		return gone;
	for (uint32_t k = gpu_state(g)->head; k < gpu_state(g)->n_launches; k++)
		if (has_begun(gpu_launch_at(g, k)))
			gpu_statistics_end(g, k);
	gpu_statistics_reset(g); /* totals, too, begin with the new machine */
	perf_kill(g);
	return gone | running;
}

/* Removes the resident blocks of the contexts in `gone`. Functional mode only. */
static void drop_blocks(struct gpu *g, uint32_t gone)
{
	for (uint32_t k = gpu_state(g)->n_resident; k-- > 0;)
		if (gone & bit(gpu_launch_at(g, gpu_cta_at(g, gpu_residents(g)[k])->launch)->launch.context))
			functional_finish_block(g, k);
}

static void end_launches(struct gpu *g, uint32_t gone)
{
	struct gpu_state *s = gpu_state(g);
	for (uint32_t k = s->head; k < s->n_launches; k++) {
		struct gpu_launch_info *l = gpu_launch_at(g, k);
		if (is_over(l) || !(gone & bit(l->launch.context)))
			continue;
		s->n_begun -= !g->perf && !l->parent && has_begun(l);
		gpu_end_launch(g, l, GPU_LAUNCH_KILLED);
	}
	while (s->head < s->n_launches && is_over(gpu_launch_at(g, s->head)))
		s->head++;
}

/* Removes launches that have ended from the state of the functional scheduler. */
static void reset_scheduler(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	gpu_remove_killed_children(g);
	if (s->nested && is_over(gpu_launch_at(g, s->nested - 1)))
		s->nested = 0;
	if (s->other && is_over(gpu_launch_at(g, s->other - 1)))
		s->other = 0;
	s->has_concurrent &= s->n_begun > 0;
	s->must_yield &= s->n_begun > 0;
}

static uint32_t drop(struct gpu *g, uint32_t gone)
{
	if (g->perf)
		gone = empty_machine(g, gone);
	else
		drop_blocks(g, gone);
	end_launches(g, gone);
	reset_scheduler(g);
	streams_drop_contexts(g, gone);
	gpu_mode_skip_dropped(g);
	gpu_transition(g);
	streams_settle(g);
	return gone;
}

uint32_t gpu_context_kill(struct gpu *g, uint32_t context) { return context_exists(g, context) ? drop(g, bit(context)) : 0; }

uint32_t gpu_context_end(struct gpu *g, uint32_t context)
{
	if (!context_exists(g, context))
		return 0;
	const uint32_t gone = drop(g, bit(context));
	streams_end_context(g, context);
	textures_end_context(g, context);
	gpu_free_kernels_allocations(g, context);
	gpu_default_limits_of(g, context);
	gpu_state(g)->contexts &= ~bit(context);
	return gone;
}
