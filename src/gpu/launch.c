/* Launches: checks, the queue, placing blocks on cores.
 *
 * In functional mode launches run one after the other in the order they came, whatever their stream (stream_order.c). Blocks become resident by id,
 * each when the scheduler gets to it. Block b is placed on the first core from b modulo the number of cores on that has room, in its
 * lowest free slot; a core has room for as many blocks as its slots, threads, shared memory and registers allow, at least one. */
#include <string.h>

#include "exec/heap.h"
#include "gpu/performance.h"
#include "gpu/statistics.h"
#include "gpu/stream_internal.h"

static uint32_t registers_of(const struct gpu *g, const struct isa_function *f)
{
	uint32_t n = g->config ? config_kernel_registers(g->config, f->name) : 0;
	if (n)
		return n;
	n = f->live_registers;
	return f->maxnreg && n > f->maxnreg ? f->maxnreg : n;
}

static uint32_t shared_per_core(const struct gpu *g, const struct isa_function *f)
{
	return config_shared_bytes(&g->device,
				   g->config ? config_kernel_cache(g->config, f->name) : CONFIG_CACHE_DEFAULT);
}

static uint32_t blocks_per_core(const struct gpu *g, const struct exec_launch *l)
{
	const struct config_device *d = &g->device;
	const struct isa_function *f = g->program.functions[l->function];
	uint32_t n = d->ctas_per_core, threads = l->warps_per_cta * LANES;
	uint32_t regs = (registers_of(g, f) + 3) & ~3u;
	if (d->threads_per_core / threads < n)
		n = d->threads_per_core / threads;
	if (l->shared_bytes && shared_per_core(g, f) / l->shared_bytes < n)
		n = shared_per_core(g, f) / l->shared_bytes;
	if (regs && d->registers_per_core / (regs * threads) < n)
		n = d->registers_per_core / (regs * threads);
	return n ? n : 1;
}

/* ---- checks ---- */

static bool in_range(const char *what, const uint32_t v[3], const uint32_t most[3], struct text *why)
{
	for (int d = 0; d < 3; d++) {
		if (!v[d] || v[d] > most[d]) {
			text_addf(why, "%s (%u,%u,%u): %c must be 1 to %u", what, v[0], v[1], v[2], "xyz"[d], most[d]);
			return false;
		}
	}
	return true;
}

static bool threads_fit(const struct gpu *g, const struct isa_function *f, const uint32_t block[3], struct text *why)
{
	uint64_t n = (uint64_t)block[0] * block[1] * block[2];
	uint64_t most =
		(uint64_t)f->maxntid[0] * (f->maxntid[1] ? f->maxntid[1] : 1) * (f->maxntid[2] ? f->maxntid[2] : 1);
	if (n > g->device.max_cta_threads) {
		text_addf(why, "a block of %llu threads is too large, the device takes %u", (unsigned long long)n,
			  g->device.max_cta_threads);
		return false;
	}
	if (most && n > most) {
		text_addf(why, "a block of %llu threads is too large, %s was compiled for at most %llu (.maxntid)",
			  (unsigned long long)n, f->name, (unsigned long long)most);
		return false;
	}
	for (int d = 0; f->reqntid[0] && d < 3; d++) {
		uint32_t want = f->reqntid[d] ? f->reqntid[d] : 1;
		if (block[d] != want) {
			text_addf(why, "block (%u,%u,%u): %s was compiled for blocks of (%u,%u,%u) (.reqntid)",
				  block[0], block[1], block[2], f->name, f->reqntid[0],
				  f->reqntid[1] ? f->reqntid[1] : 1, f->reqntid[2] ? f->reqntid[2] : 1);
			return false;
		}
	}
	return true;
}

/* Threads are numbered through all launches, in 64 bits. */
static bool uids_last(const struct gpu *g, const struct gpu_launch_spec *s, struct text *why)
{
	uint64_t blocks = (uint64_t)s->grid[0] * s->grid[1] * s->grid[2], last = gpu_state(g)->next_uid;
	uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
	if (!__builtin_mul_overflow(blocks, threads, &threads) && !__builtin_add_overflow(threads, last, &last))
		return true;
	text_addf(why, "a grid of %llu blocks has more threads than can be numbered", (unsigned long long)blocks);
	return false;
}

static bool spec_fits(const struct gpu *g, const struct gpu_launch_spec *s, struct text *why)
{
	static const uint32_t grid_most[3] = {INT32_MAX, 65535, 65535}, block_most[3] = {1024, 1024, 64};
	if (s->function >= g->program.n_functions || !g->program.functions[s->function]->is_kernel ||
	    !g->program.functions[s->function]->is_defined) {
		text_add(why, "not a kernel");
		return false;
	}
	const struct isa_function *f = g->program.functions[s->function];
	if (f->unloaded) {
		text_addf(why, "%s was replaced by a newer load", f->name);
		return false;
	}
	if (s->n_params > f->param_bytes) {
		text_addf(why, "%s takes %u bytes of parameters, not %u", f->name, f->param_bytes, s->n_params);
		return false;
	}
	return in_range("grid", s->grid, grid_most, why) && in_range("block", s->block, block_most, why) &&
	       threads_fit(g, f, s->block, why) && uids_last(g, s, why);
}

int64_t gpu_launch(struct gpu *g, const struct gpu_launch_spec *spec, struct text *why)
{
	struct gpu_state *s = gpu_state(g);
	if (!spec_fits(g, spec, why))
		return -1;
	struct gpu_launch_info info = {.state = GPU_LAUNCH_QUEUED,
				       .performance =
					       spec->mode ? spec->mode == GPU_MODE_PERFORMANCE : g->is_performance,
				       .launch = {.id = s->n_launches,
						  .function = spec->function,
						  .shared_dynamic = spec->shared_dynamic,
						  .stream = spec->stream,
						  .first_uid = s->next_uid}};
	struct exec_launch *l = &info.launch;
	memcpy(l->grid, spec->grid, sizeof l->grid);
	memcpy(l->block, spec->block, sizeof l->block);
	exec_prepare_launch(&g->exec, l);
	const uint32_t shared = shared_per_core(g, g->program.functions[l->function]);
	if ((uint64_t)l->dynamic_base + spec->shared_dynamic > shared || l->shared_bytes > shared) {
		text_addf(why, "a block needs %llu bytes of shared memory, a core has %u",
			  (unsigned long long)l->dynamic_base + spec->shared_dynamic, shared);
		return -1;
	}
	if (info.performance && g->machine->timing.lacks_scoreboards) {
		text_add(why, "no room for the scoreboards of a program with so many registers");
		return -1;
	}
	info.ctas_per_core = blocks_per_core(g, l);
	l->param_offset = heap_alloc(&g->arena, g->exec.sec_param, l->param_bytes);
	if (!l->param_offset || !arena_use(&g->arena, g->sec_launch, (s->n_launches + 1) * sizeof info) ||
	    !streams_queue_launch(g, l->stream, l->id)) {
		heap_free(&g->arena, g->exec.sec_param, l->param_offset, l->param_bytes);
		text_add(why, "too many launches");
		return -1;
	}
	char *params = arena_at(&g->arena, g->exec.sec_param, l->param_offset);
	memset(params, 0, l->param_bytes);
	if (spec->n_params)
		memcpy(params, spec->params, spec->n_params);
	*gpu_launch_at(g, s->n_launches) = info;
	s->next_uid += l->n_threads;
	s->n_launches++;
	gpu_mode_of_launch(g, &info);
	return info.launch.id;
}

void gpu_end_launch(struct gpu *g, struct gpu_launch_info *l, enum gpu_launch_state state)
{
	gpu_statistics_end(g, l->launch.id);
	l->state = state;
	if (state == GPU_LAUNCH_DONE)
		streams_end_launch(g, &l->launch);
	heap_free(&g->arena, g->exec.sec_param, l->launch.param_offset, l->launch.param_bytes);
	l->launch.param_offset = 0;
}

void gpu_kill(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	for (uint32_t k = s->head; k < s->n_launches; k++)
		gpu_statistics_end(g, k);
	if (g->perf) {
		gpu_statistics_reset(g); /* totals, too, begin with the new machine */
		perf_kill(g);
	} else {
		gpu_drop_blocks(g);
	}
	for (; s->head < s->n_launches; s->head++)
		if (gpu_launch_at(g, s->head)->state != GPU_LAUNCH_DONE)
			gpu_end_launch(g, gpu_launch_at(g, s->head), GPU_LAUNCH_KILLED);
	s->mode_end = s->n_launches;
	streams_drop(g);
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

/* ---- resident blocks ---- */

/* A free slot for block `linear`; false if all cores are full. */
static bool find_slot(const struct gpu *g, uint32_t per_core, uint64_t linear, uint32_t *core, uint32_t *slot)
{
	uint32_t first = (uint32_t)(linear % g->n_cores);
	for (uint32_t k = 0; k < g->n_cores; k++) {
		*core = (first + k) % g->n_cores;
		for (uint32_t n = 0; n < per_core; n++) {
			*slot = *core * g->device.ctas_per_core + n;
			if (*slot >= gpu_state(g)->n_slots || !gpu_cta_at(g, *slot)->used)
				return true;
		}
	}
	return false;
}

bool gpu_start_block(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_launch_info *l = gpu_launch_at(g, s->head);
	uint32_t core, slot;
	if (l->ctas_started == l->launch.n_ctas || !find_slot(g, l->ctas_per_core, l->ctas_started, &core, &slot))
		return false;
	if (!arena_use(&g->arena, g->sec_cta, (slot + 1) * sizeof(struct exec_cta)) ||
	    !arena_use(&g->arena, g->sec_resident, (s->n_resident + 1) * sizeof(uint32_t)))
		return false;
	struct exec_cta *c = gpu_cta_at(g, slot);
	c->core = core;
	c->core_slot = slot % g->device.ctas_per_core;
	if (!exec_start_cta(&g->exec, c, slot, &l->launch, l->ctas_started))
		return false;
	for (uint32_t w = 0; w < c->n_warps; w++)
		c->warp[w].quantum = GPU_QUANTUM;
	if (slot >= s->n_slots)
		s->n_slots = slot + 1;
	l->ctas_started++;
	gpu_residents(g)[s->n_resident++] = slot;
	return true;
}

void gpu_finish_block(struct gpu *g, uint32_t index)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t *r = gpu_residents(g);
	if (s->probe.active && s->probe.cta_slot == r[index])
		s->probe.active = false;
	exec_finish_cta(&g->exec, gpu_cta_at(g, r[index]));
	s->n_resident--;
	memmove(&r[index], &r[index + 1], (s->n_resident - index) * sizeof *r);
	s->current = GPU_NONE;
}

void gpu_drop_blocks(struct gpu *g)
{
	while (gpu_state(g)->n_resident)
		gpu_finish_block(g, gpu_state(g)->n_resident - 1);
}
