/* Launches: checks, the queue, the end. Functional mode runs them by their ids, unless one waits for another (docs/execution.md). */
#include "gpu/launch/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/xalloc.h"
#include "exec/heap.h"
#include "exec/streams.h"
#include "exec/tensor.h"
#include "gpu/memory/memory.h"
#include "gpu/statistics/logs.h"
#include "gpu/stream/stream_internal.h"
#include "isa/special.h"

uint32_t gpu_registers(const struct gpu *g, const struct isa_function *f)
{
	uint32_t n = g->config ? config_kernel_registers(g->config, f->name) : 0;
	if (n)
		return n;
	if (f->registers)
		return f->registers;
	n = f->live_registers;
	return f->maxnreg && n > f->maxnreg ? f->maxnreg : n;
}

static enum config_cache cache_of(const struct gpu *g, const struct isa_function *f, uint32_t preference)
{
	return g->config ? config_kernel_cache(g->config, f->name, (enum config_cache)preference) : CONFIG_CACHE_DEFAULT;
}

/* Returns the most blocks on a core whose shared memory has `most` bytes. */
static uint32_t blocks_with(const struct gpu *g, const struct isa_function *f, uint32_t threads, uint32_t shared, uint32_t most)
{
	struct allocation_rules r = g->device.rules;
	struct block_fit fit;
	r.shared_bytes = most;
	allocation_fit(&r, &(struct block_needs){threads, gpu_registers(g, f), shared}, &fit);
	return fit.blocks;
}

void gpu_block_needs(const struct gpu *g, uint32_t function, uint32_t threads, uint32_t shared_bytes, struct block_needs *out)
{
	*out = (struct block_needs){threads, gpu_registers(g, g->program.functions[function]), shared_bytes};
}

struct allocation_rules gpu_allocation_rules(const struct gpu *g, uint32_t function)
{
	struct allocation_rules r = g->device.rules;
	r.shared_bytes = config_shared_bytes(&g->device, cache_of(g, g->program.functions[function], CONFIG_CACHE_DEFAULT));
	return r;
}

uint32_t gpu_blocks_per_core(const struct gpu *g, const struct isa_function *f, uint32_t threads, uint32_t shared)
{
	return blocks_with(g, f, threads, shared, config_shared_bytes(&g->device, cache_of(g, f, CONFIG_CACHE_DEFAULT)));
}

static uint32_t blocks_per_core(const struct gpu *g, const struct exec_launch *l, uint32_t shared)
{
	const uint32_t n = blocks_with(g, g->program.functions[l->function], l->threads_per_cta, l->shared_bytes, shared);
	return n ? n : 1;
}

/* Returns true if lanes of the function's warps make progress independently. */
static bool has_independent_threads(const struct gpu *g, const struct isa_function *f)
{
	const struct config_device *d = &g->device;
	return (d->capability ? d->capability : f->sm) >= d->independent_from;
}

/* Returns whose bits tensor instructions of a function give: what was set, else those of the machine or of the function's target. */
static uint8_t tensor_cores_of(const struct gpu *g, const struct isa_function *f)
{
	const struct config_device *d = &g->device;
	const uint8_t set = gpu_state(g)->tensor_rounding;
	return set ? (uint8_t)(set - 1) : (uint8_t)exec_tensor_of_capability(d->capability ? d->capability : f->sm);
}

bool gpu_set_tensor_rounding(struct gpu *g, uint32_t rounding)
{
	if (rounding > EXEC_TENSORS)
		return false;
	gpu_state(g)->tensor_rounding = (uint8_t)rounding;
	for (uint32_t id = 0; id < gpu_state(g)->n_launches; id++) {
		struct gpu_launch_info *l = gpu_launch_at(g, id);
		if (l && l->state != GPU_LAUNCH_DONE)
			l->launch.tensor = tensor_cores_of(g, g->program.functions[l->launch.function]);
	}
	gpu_state_changed(g);
	return true;
}

uint32_t gpu_tensor_rounding(const struct gpu *g) { return gpu_state(g)->tensor_rounding; }

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

/* Returns false with the reason in `why` if the machine has stream buffers and the parameters don't describe streams. */
static bool streams_fit(const struct gpu *g, const struct gpu_launch_spec *s, struct text *why)
{
	if (!g->device.stream_step)
		return true;
	char *params = xcalloc(1, (size_t)g->program.functions[s->function]->param_bytes + 1);
	memcpy(params, s->params ? s->params : "", s->params ? s->n_params : 0);
	bool ok = exec_streams_check(&g->program, s->function, params, g->device.warp_threads, why);
	if (ok && s->shared_dynamic) {
		text_add(why, "the launch asks for shared memory, but with stream buffers there is none");
		ok = false;
	}
	free(params);
	return ok;
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

bool gpu_launch_fits(const struct gpu *g, const struct gpu_launch_spec *s, struct text *why)
{
	static const uint32_t grid_most[3] = {INT32_MAX, 65535, 65535}, block_most[3] = {1024, 1024, 64};
	if (s->context >= GPU_CONTEXTS) {
		text_add(why, "no such context");
		return false;
	}
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
	       threads_fit(g, f, s->block, why) && uids_last(g, s, why) && streams_fit(g, s, why);
}

/* ---- cooperative grids ---- */

#define WORKSPACE_BYTES 64u /* cooperative_groups/details/driver_abi.h: its size, then the barrier */

static bool asks_for_workspace(const struct isa_program *p, const struct isa_function *f)
{
	for (uint32_t pc = f->first; f->is_defined && !f->unloaded && pc < f->end; pc++)
		if (p->insns[pc].a == ISA_REF(ISA_BASE_SPECIAL, 128 * ISA_ROW_ENVREG2))
			return true;
	return false;
}

/* Functions that a kernel might call do. */
static bool functions_ask(const struct isa_program *p)
{
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (!p->functions[k]->is_kernel && asks_for_workspace(p, p->functions[k]))
			return true;
	return false;
}

static bool all_resident(const struct gpu *g, const struct exec_launch *l, uint32_t per_core, struct text *why)
{
	const uint64_t most = (uint64_t)per_core * g->n_cores;
	if (l->n_ctas <= most)
		return true;
	text_addf(why, "a cooperative grid of %llu blocks is too large, %llu of them can be resident at once",
		  (unsigned long long)l->n_ctas, (unsigned long long)most);
	return false;
}

/* False: no memory for the barrier. */
static bool prepare_cooperation(struct gpu *g, struct gpu_launch_info *info, enum gpu_cooperation c, struct text *why)
{
	struct exec_launch *l = &info->launch;
	const uint32_t words[WORKSPACE_BYTES / 4] = {WORKSPACE_BYTES};
	bool needed = c == GPU_COOPERATIVE, useful = needed;
	if (c == GPU_COOPERATIVE_AS_NEEDED) {
		needed = asks_for_workspace(&g->program, g->program.functions[l->function]);
		useful = needed || functions_ask(&g->program);
	}
	if (!useful || (!needed && l->n_ctas > (uint64_t)info->ctas_per_core * g->n_cores))
		return true;
	if (!all_resident(g, l, info->ctas_per_core, why))
		return false;
	l->workspace = gpu_runtime_memory(g, l->context, sizeof words);
	if (l->workspace)
		return gpu_write(g, l->workspace, words, sizeof words);
	text_add(why, "no memory for the barrier of a cooperative grid");
	return false;
}

/* ---- copies of parameters ---- */

#define PARAMS_BYTES_MOST ((size_t)64 << 20)

static void keep_params(struct gpu *g, uint32_t id, const void *params, uint32_t n)
{
	g->params = xgrow(g->params, &g->cap_params, id + (size_t)1, sizeof *g->params);
	for (; g->n_params <= id; g->n_params++)
		g->params[g->n_params] = (struct launch_params){0};
	struct launch_params *p = &g->params[id];
	g->params_bytes -= p->n;
	free(p->bytes);
	*p = (struct launch_params){0};
	if (!n || g->params_bytes + n > PARAMS_BYTES_MOST)
		return;
	p->bytes = memcpy(xmalloc(n), params, n);
	p->n = n;
	g->params_bytes += n;
}

void gpu_record_params(const struct gpu *g, struct text *out)
{
	for (size_t k = 0; k < g->n_params; k++)
		record_bytes(out, g->params[k].bytes, g->params[k].n);
}

void gpu_take_params(struct gpu *g, const char *record, size_t n_record)
{
	struct record_reader r = {record, record ? record + n_record : record, false};
	for (uint32_t id = 0; id < gpu_state(g)->n_launches && r.at != r.end; id++) {
		size_t n;
		const char *params = record_take_bytes(&r, &n);
		if (r.bad || n > UINT32_MAX)
			return;
		keep_params(g, id, params, (uint32_t)n);
	}
}

void gpu_forget_params(struct gpu *g)
{
	for (size_t k = 0; k < g->n_params; k++)
		free(g->params[k].bytes);
	free(g->params);
	g->params = NULL;
	g->n_params = g->cap_params = g->params_bytes = 0;
}

const void *gpu_launch_params(const struct gpu *g, uint32_t id, uint32_t *n)
{
	*n = id < g->n_params ? g->params[id].n : 0;
	return *n ? g->params[id].bytes : NULL;
}

/* ---- the queue ---- */

int64_t gpu_add_launch(struct gpu *g, const struct gpu_launch_spec *spec, bool by_host, struct text *why)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_launch_info info = {.state = GPU_LAUNCH_QUEUED,
				       .performance =
					       spec->mode ? spec->mode == GPU_MODE_PERFORMANCE : g->is_performance,
				       .launch = {.id = s->n_launches,
						  .function = spec->function,
						  .shared_dynamic = spec->shared_dynamic,
						  .stream = spec->stream,
						  .context = spec->context,
						  .first_uid = s->next_uid}};
	struct exec_launch *l = &info.launch;
	memcpy(l->grid, spec->grid, sizeof l->grid);
	memcpy(l->block, spec->block, sizeof l->block);
	g->exec.stack_room = g->device.stack_bytes < ISA_LOCAL_BYTES_MAX ? (uint32_t)g->device.stack_bytes : ISA_LOCAL_BYTES_MAX / 2;
	g->exec.stack_limit = (uint32_t)s->of_context[l->context].limit[GPU_LIMIT_STACK];
	exec_prepare_launch(&g->exec, l);
	l->independent_threads = has_independent_threads(g, g->program.functions[l->function]);
	l->tensor = tensor_cores_of(g, g->program.functions[l->function]);
	l->plus_exact = g->config && config_bool(g->config, "gpgpu_ptxplus_exact");
	info.cache = cache_of(g, g->program.functions[l->function], spec->cache);
	const uint32_t shared = config_shared_bytes(&g->device, (enum config_cache)info.cache);
	if ((uint64_t)l->dynamic_base + spec->shared_dynamic > shared || l->shared_bytes > shared) {
		text_addf(why, "a block needs %llu bytes of shared memory, a core has %u",
			  (unsigned long long)l->dynamic_base + spec->shared_dynamic, shared);
		return -1;
	}
	if (info.performance && g->machine->timing.lacks_scoreboards) {
		text_add(why, "no room for the scoreboards of a program with so many registers");
		return -1;
	}
	info.ctas_per_core = blocks_per_core(g, l, shared);
	if (!prepare_cooperation(g, &info, spec->cooperation, why))
		return -1;
	l->param_offset = heap_alloc(&g->arena, g->exec.sec_param, l->param_bytes);
	if (!l->param_offset || !arena_use(&g->arena, g->sec_launch, (s->n_launches + 1) * sizeof info) ||
	    (by_host && !streams_queue_launch(g, l->stream, l->id))) {
		heap_free(&g->arena, g->exec.sec_param, l->param_offset, l->param_bytes);
		gpu_runtime_free(g, l->workspace);
		text_add(why, "too many launches");
		return -1;
	}
	char *params = arena_at(&g->arena, g->exec.sec_param, l->param_offset);
	memset(params, 0, l->param_bytes);
	if (spec->n_params)
		memcpy(params, spec->params, spec->n_params);
	keep_params(g, l->id, params, l->param_bytes);
	*gpu_launch_at(g, s->n_launches) = info;
	s->next_uid += l->n_threads;
	s->n_launches++;
	if (s->mode_end == info.launch.id)
		gpu_mode_admit(g);
	return info.launch.id;
}

void gpu_end_launch(struct gpu *g, struct gpu_launch_info *l, enum gpu_launch_state state)
{
	gpu_statistics_end(g, l->launch.id);
	gpu_set_state(g, l, state);
	if (state == GPU_LAUNCH_DONE && !l->parent)
		streams_end_launch(g, &l->launch);
	heap_free(&g->arena, g->exec.sec_param, l->launch.param_offset, l->launch.param_bytes);
	l->launch.param_offset = 0;
	gpu_runtime_free(g, l->launch.workspace);
	l->launch.workspace = 0;
	if (l->parent)
		gpu_end_child(g, l);
}
