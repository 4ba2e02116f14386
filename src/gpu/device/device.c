/* The device as it is now: the program, launches, blocks and contexts that exist, and what is counted. Changes nothing but a launch's state. */
#include <inttypes.h>

#include "gpu/device/performance_state.h"

void gpu_set_host_clock(struct gpu *g, double (*clock)(void)) { g->host_clock = clock; }

/* ---- program ---- */

struct isa_program *gpu_program(struct gpu *g) { return &g->program; }
uint8_t *gpu_marks(struct gpu *g) { return g->marks; }

/* ---- for observers ---- */

bool gpu_has_work(const struct gpu *g)
{
	const struct gpu_state *s = gpu_state(g);
	return s->n_waiting || s->host_operation.number || (g->perf ? perf_has_work(g) : s->head < s->n_launches);
}

bool gpu_is_performance(const struct gpu *g) { return g->perf != NULL; }
struct timing *gpu_timing(struct gpu *g) { return g->perf ? &g->perf->timing : NULL; }
struct timing *gpu_machine_timing(struct gpu *g) { return g->machine ? &g->machine->timing : NULL; }
uint64_t gpu_run_began(const struct gpu *g) { return gpu_state(g)->run_cycle; }
uint64_t gpu_cycle(const struct gpu *g) { return gpu_state(g)->cycle; }
struct text *gpu_output(struct gpu *g) { return &g->output; }
struct text *gpu_log(struct gpu *g) { return g->holds_printf ? &g->log : &g->output; }
struct exec *gpu_exec(struct gpu *g) { return &g->exec; }
struct arena *gpu_arena(struct gpu *g) { return &g->arena; }
const struct config *gpu_config(const struct gpu *g) { return g->config; }
uint32_t gpu_cta_slots(const struct gpu *g) { return gpu_state(g)->n_slots; }
uint32_t gpu_cta_slots_most(const struct gpu *g) { return g->max_slots; }
void gpu_state_changed(struct gpu *g)
{
	gpu_state(g)->epoch++;
	gpu_state(g)->touched++;
}

uint64_t gpu_changes(const struct gpu *g) { return gpu_state(g)->touched; }

struct exec_cta *gpu_cta(struct gpu *g, uint32_t slot)
{
	if (slot >= gpu_state(g)->n_slots || !gpu_cta_at(g, slot)->used)
		return NULL;
	return gpu_cta_at(g, slot);
}

static bool has_begun(const struct gpu_launch_info *l)
{
	return l->state == GPU_LAUNCH_RUNNING || l->state == GPU_LAUNCH_FAILED;
}

/* Several launches may run, and blocks end in any order. */
static int32_t find_resident(const struct gpu *g, uint32_t launch, uint64_t linear, bool *done)
{
	const uint32_t *r = gpu_residents(g);
	for (uint32_t k = 0; k < gpu_state(g)->n_resident; k++) {
		const struct exec_cta *c = gpu_cta_at(g, r[k]);
		if (c->launch == launch && c->linear == linear)
			return (int32_t)r[k];
	}
	*done = linear < gpu_launch_at(g, launch)->ctas_started;
	return -1;
}

int32_t gpu_find_cta(struct gpu *g, uint32_t launch, uint64_t linear, bool *done)
{
	const struct gpu_state *s = gpu_state(g);
	*done = false;
	if (launch >= s->n_launches)
		return -1;
	const struct gpu_launch_info *l = gpu_launch_at(g, launch);
	*done = l->state == GPU_LAUNCH_DONE || l->state == GPU_LAUNCH_KILLED;
	if (!has_begun(l))
		return -1;
	if (g->perf || s->nested || s->has_concurrent)
		return find_resident(g, launch, linear, done);
	if (launch != s->head)
		return -1;
	/* all resident blocks are of the head launch, sorted by id */
	const uint32_t *r = gpu_residents(g);
	uint32_t lo = 0, hi = s->n_resident;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (gpu_cta_at(g, r[mid])->linear < linear)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < s->n_resident && gpu_cta_at(g, r[lo])->linear == linear)
		return (int32_t)r[lo];
	*done = linear < l->ctas_started;
	return -1;
}

bool gpu_prefetch(const struct gpu *g, uint32_t core)
{
	if (!g->perf || core >= g->n_cores)
		return false;
	core_prefetch(&g->perf->timing.core[core]);
	return true;
}

void gpu_get_stats(const struct gpu *g, struct gpu_stats *out)
{
	const struct gpu_state *s = gpu_state(g);
	if (g->perf) {
		perf_get_stats(g, out);
		return;
	}
	*out = (struct gpu_stats){.sim_insn = s->insns - s->run_insns,
				  .tot_sim_insn = s->insns - s->reset_insns,
				  .warp_insns = s->warp_insns - s->run_warp_insns,
				  .tot_warp_insns = s->warp_insns - s->reset_warp_insns,
				  .sim_cycle = s->cycle - s->run_cycle,
				  .tot_sim_cycle = s->cycle - s->reset_cycle};
}

void gpu_set_state(struct gpu *g, struct gpu_launch_info *l, enum gpu_launch_state state)
{
	gpu_state(g)->n_failed -= l->state == GPU_LAUNCH_FAILED;
	gpu_state(g)->n_failed += state == GPU_LAUNCH_FAILED;
	l->state = state;
}

uint32_t gpu_launch_count(const struct gpu *g) { return gpu_state(g)->n_launches; }

bool gpu_launches_left(const struct gpu *g) { return gpu_state(g)->head < gpu_state(g)->n_launches; }

bool gpu_launch_get(const struct gpu *g, uint32_t id, struct gpu_launch_info *out)
{
	if (id >= gpu_state(g)->n_launches)
		return false;
	*out = *gpu_launch_at(g, id);
	return true;
}

bool gpu_within_limits(const struct gpu_limit *limits, unsigned n, struct gpu_event *ev)
{
	for (const struct gpu_limit *l = limits; l < limits + n; l++) {
		if (!l->most || l->reached < l->most)
			continue;
		text_addf(&ev->text, "-%s %" PRIu64, l->option, l->most);
		ev->kind = GPU_EVENT_LIMIT;
		return false;
	}
	return true;
}

bool gpu_is_warm(const struct gpu *g) { return g->perf && g->perf->s->warm; }

/* ---- contexts ---- */

uint32_t gpu_contexts(const struct gpu *g) { return gpu_state(g)->contexts | 1; }

uint32_t gpu_default_stream(uint32_t context) { return context ? UINT32_MAX - context : 0; }

uint32_t gpu_stream_shown(uint32_t stream) { return stream > gpu_default_stream(GPU_CONTEXTS) ? 0 : stream; }

static uint32_t bit(uint32_t context) { return UINT32_C(1) << context; }

uint32_t gpu_contexts_running(const struct gpu *g)
{
	uint32_t all = 0;
	for (uint32_t k = gpu_state(g)->head; k < gpu_state(g)->n_launches; k++)
		if (has_begun(gpu_launch_at(g, k)))
			all |= bit(gpu_launch_at(g, k)->launch.context);
	return all;
}
