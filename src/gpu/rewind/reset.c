/* The machine as it was before its first launch. What the host put into its memory stays; everything else in the arena begins anew, in the
 * order in which a new device makes it. */
#include <string.h>

#include "base/arena_marks.h"
#include "gpu/launch/launch.h"
#include "gpu/memory/memory.h"
#include "gpu/performance/mode.h"

static void empty_sections(struct gpu *g)
{
	const int section[] = {g->sec_launch, g->sec_cta,    g->sec_resident,  g->sec_probe, g->sec_wait, g->sec_paths, g->sec_statistics,
			       g->sec_counts, g->sec_stream, g->sec_operation, g->sec_event, g->sec_device_stream};
	for (size_t k = 0; k < sizeof section / sizeof *section; k++)
		arena_empty(&g->arena, section[k]);
	exec_reset(&g->exec);
}

/* Nothing was allocated since the mark that is set: so a launch that is repeated finds the bytes there are. */
static void begin_marks(struct gpu *g)
{
	size_t n;
	struct gpu_allocation *t = (struct gpu_allocation *)(uintptr_t)gpu_allocations(g, &n);
	gpu_memory_mark(g);
	for (size_t k = 0; k < n; k++)
		t[k].marks = gpu_state(g)->n_marks;
}

/* Behind it there is nothing but code of modules that have been unloaded. */
static uint32_t end_of_loaded(const struct isa_program *p)
{
	uint32_t end = 0;
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (!p->functions[k]->unloaded && p->functions[k]->end > end)
			end = p->functions[k]->end;
	return end;
}

void gpu_reset(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	gpu_forget_kernels_allocations(g);
	gpu_forget_params(g);
	arena_marks_free(&g->arena);
	g->memory_mark = 0;
	empty_sections(g);
	const struct gpu_state before = *s;
	const struct gpu_schedule schedule = {.spec = s->schedule.spec};
	*s = (struct gpu_state){.epoch = 1,
				.touched = 1,
				.next_uid = 1,
				.heap_first = s->heap_first,
				.heap_next = s->heap_next,
				.n_allocations = s->n_allocations,
				.n_host_addresses = s->n_host_addresses,
				.aliases_changed = s->aliases_changed,
				.n_variables = s->n_variables,
				.sample_interval = s->sample_interval,
				.n_textures = s->n_textures,
				.tensor_rounding = s->tensor_rounding,
				.last_texture = s->last_texture,
				.program_step = isa_program_last_step(&g->program),
				.program_end = g->program.n_insns,
				.gone_first = end_of_loaded(&g->program),
				.gone_end = g->program.n_insns,
				.schedule = schedule};
	memcpy(s->limit, before.limit, sizeof s->limit);
	memcpy(s->of_context, before.of_context, sizeof s->of_context);
	g->host_seconds = 0;
	gpu_program_select_modules(g);
	gpu_mode_reset(g);
	gpu_resend_copies(g);
	begin_marks(g);
}
