/* The device as a whole: creation, program, looking around. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "exec/streams.h"
#include "gpu/launch/launch.h"
#include "gpu/memory/memory.h"
#include "gpu/performance/mode.h"
#include "gpu/performance/performance.h"
#include "gpu/rewind/restore.h"
#include "gpu/statistics/logs.h"
#include "gpu/stream/stream_internal.h"
#include "gpu/texture/texture_internal.h"
#include "gpu/wait/wait.h"
#include "gpu/wait/paths.h"

static uint64_t cycle_of(void *self)
{
	const struct gpu *g = self;
	return gpu_state(g)->cycle;
}

static uint64_t nanoseconds_of(void *self)
{
	const struct gpu *g = self;
	const uint64_t cycle = gpu_state(g)->cycle + g->exec.n_warp_insns + g->exec.n_run;
	if (!g->perf)
		return cycle;
	return (uint64_t)((double)cycle * g->perf->config->period[CLOCK_CORE] * 1e9);
}

static bool add_sections(struct gpu *g)
{
	struct arena *a = &g->arena;
	g->sec_state = arena_add(a, "device", ARENA_HOT, sizeof(struct gpu_state));
	g->sec_launch = arena_add(a, "launch", ARENA_HOT, g->limits->launches);
	g->sec_allocation = arena_add(a, "allocation", ARENA_HOT, g->limits->allocations);
	g->sec_host_address = arena_add(a, "host-address", ARENA_HOT, g->limits->allocations);
	g->sec_cta = arena_add(a, "cta", ARENA_HOT, (uint64_t)g->max_slots * sizeof(struct exec_cta));
	g->sec_resident = arena_add(a, "resident", ARENA_HOT, (uint64_t)g->max_slots * sizeof(uint32_t));
	g->sec_probe = arena_add(a, "probe", ARENA_HOT, g->limits->probe);
	return gpu_add_device_streams(g) && g->sec_state >= 0 && g->sec_launch >= 0 && g->sec_allocation >= 0 &&
	       g->sec_host_address >= 0 && g->sec_cta >= 0 && g->sec_resident >= 0 && g->sec_probe >= 0 &&
	       wait_add_section(g) && paths_add_section(g) &&
	       statistics_add_sections(g) && streams_add_sections(g) && textures_add_section(g) &&
	       arena_use(a, g->sec_state, sizeof(struct gpu_state));
}

static void init_device(struct gpu *g)
{
	struct config_device *d = &g->device;
	if (g->config)
		config_device(g->config, d);
	if (!g->config || !config_is_set(g->config, "gpgpu_heap_start"))
		d->heap_start = g->limits->heap_start;
	g->n_cores = d->n_clusters * d->cores_per_cluster;
	if (!g->n_cores)
		g->n_cores = 1;
	if (!d->ctas_per_core)
		d->ctas_per_core = 1;
	g->max_slots = g->n_cores * d->ctas_per_core + GPU_NESTED_SLOTS;
}

static void init_exec(struct gpu *g)
{
	struct exec *x = &g->exec;
	x->services = (struct exec_services){.self = g,
					     .find_allocation = gpu_find_allocation,
					     .texture = textures_find,
					     .elsewhere = gpu_elsewhere,
					     .is_read_only = gpu_is_read_only,
					     .device_malloc = gpu_device_malloc,
					     .device_free = gpu_device_free,
					     .device_heap = gpu_device_heap,
					     .output = gpu_add_output,
					     .cycle = cycle_of,
					     .nanoseconds = nanoseconds_of};
	gpu_install_runtime(g);
	x->n_cores = g->n_cores;
	x->warp_threads = g->device.warp_threads;
	x->warps_per_core = g->device.threads_per_core / g->device.warp_threads;
}

/* What a loaded program's variables may take. */
static void limit_program(struct gpu *g)
{
	struct isa_program *p = &g->program;
	p->warp_threads = g->device.warp_threads;
	p->global_end = g->device.heap_start < ISA_MODULE_GLOBALS_END ? g->device.heap_start : ISA_MODULE_GLOBALS_END;
	p->const_most = g->limits->constant < ISA_CONST_BYTES_MAX ? g->limits->constant : ISA_CONST_BYTES_MAX;
}

/* Of a device of zeros that has a program. */
static bool init(struct gpu *g, const struct config *cfg, const struct timing_config *timing, const char *isa_level,
		 struct text *why)
{
	g->config = cfg;
	g->device = (struct config_device){.n_clusters = 15,
					   .cores_per_cluster = 1,
					   .threads_per_core = 1536,
					   .warp_threads = LANES,
					   .ctas_per_core = 8,
					   .shared_bytes_per_core = 48 << 10,
					   .registers_per_core = 32 << 10,
					   .max_cta_threads = 1024,
					   .rules = allocation_of_gpgpusim(1536, LANES, 8, 32 << 10, 48 << 10),
					   .stack_bytes = 64 << 10,
					   .independent_from = 70};
	init_device(g);
	arena_init(&g->arena);
	limit_program(g);
	if (g->device.heap_start >= g->limits->device_end ||
	    !exec_init(&g->exec, &g->arena, &g->program, isa_level, g->limits) || !add_sections(g))
		return false;
	init_exec(g);
	if (g->device.stream_step && !exec_streams_on(&g->exec, g->device.stream_step))
		return false;
	g->is_performance = timing != NULL;
	if (timing && !perf_create(g, timing, why))
		return false;
	struct gpu_state *s = gpu_state(g);
	s->next_uid = 1;
	s->heap_first = s->heap_next = (g->device.heap_start + 255) & ~UINT64_C(255);
	s->epoch = s->touched = 1;
	gpu_default_limits(g);
	gpu_memory_mark(g);
	gpu_program_changed(g);
	return true;
}

static struct gpu *create(const struct config *cfg, const struct timing_config *timing, const char *isa_level,
			  const struct machine_limits *limits, struct text *why)
{
	struct gpu *g = xcalloc(1, sizeof *g);
	g->limits = limits ? limits : machine_limits_of_host();
	isa_program_init(&g->program);
	if (init(g, cfg, timing, isa_level, why))
		return g;
	gpu_destroy(g);
	return NULL;
}

struct gpu *gpu_create(const struct config *cfg, const char *isa_level, const struct machine_limits *limits)
{
	struct text why = {0};
	struct gpu *g = create(cfg, NULL, isa_level, limits, &why);
	text_free(&why);
	return g;
}

struct gpu *gpu_create_performance(const struct config *cfg, const struct timing_config *timing, const char *isa_level,
				   const struct machine_limits *limits, struct text *why)
{
	return create(cfg, timing, isa_level, limits, why);
}

/* All but the program. */
static void empty(struct gpu *g)
{
	perf_destroy(g);
	gpu_mode_free(g);
	exec_free(&g->exec);
	arena_free(&g->arena);
	text_free(&g->output);
	text_free(&g->log);
	gpu_hold_printf(g, false);
	wait_code_free(g);
	gpu_forget_params(g);
	free(g->marks);
}

void gpu_destroy(struct gpu *g)
{
	if (!g)
		return;
	empty(g);
	isa_program_free(&g->program);
	free(g);
}

/* ---- another device in the same place ---- */

/* A device's contents, which its `struct gpu` held before another device took the place. */
struct gpu_aside {
	struct gpu contents;
	bool shares_program; /* with the device that took the place */
};

struct gpu_aside *gpu_set_aside(struct gpu *g, const struct config *cfg, const struct timing_config *timing,
				struct text *why)
{
	struct gpu_aside *old = xcalloc(1, sizeof *old);
	struct isa_program own;
	old->contents = *g;
	old->shares_program = g->program.n_files;
	isa_program_init(&own);
	own.generation = g->program.generation + 1;
	own.refuse = g->program.refuse;
	own.refuse_self = g->program.refuse_self;
	own.place_managed = g->program.place_managed;
	own.managed_self = g->program.managed_self;
	*g = (struct gpu){.limits = old->contents.limits,
			  .program = old->shares_program ? old->contents.program : own,
			  .host_clock = old->contents.host_clock,
			  .input_seen = old->contents.input_seen,
			  .input_self = old->contents.input_self,
			  .found = old->contents.found,
			  .found_self = old->contents.found_self,
			  .place = old->contents.place,
			  .place_self = old->contents.place_self};
	if (init(g, cfg, timing, old->contents.exec.level, why))
		return old;
	gpu_exchange(g, old);
	gpu_aside_free(g, old);
	return NULL;
}

void gpu_exchange(struct gpu *g, struct gpu_aside *aside)
{
	const struct gpu here = *g;
	*g = aside->contents;
	aside->contents = here;
}

void gpu_aside_free(struct gpu *g, struct gpu_aside *aside)
{
	gpu_exchange(g, aside);
	empty(g);
	if (!aside->shares_program)
		isa_program_free(&g->program);
	gpu_exchange(g, aside);
	if (aside->shares_program)
		gpu_program_select_modules(g);
	free(aside);
}
