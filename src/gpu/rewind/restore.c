#include "gpu/rewind/restore.h"
#include "gpu/input.h"
#include "gpu/moment.h"
#include "gpu/launch/launch.h"

#include "base/arena_marks.h"
#include "exec/pending.h"
#include "gpu/device/performance_state.h"
#include "gpu/stream/stream_internal.h"
#include "gpu/texture.h"
#include "isa/special.h"

void gpu_outside_record(const struct gpu *g, struct text *out)
{
	struct gpu_beside b;
	gpu_keep_beside(g, &b);
	const uint64_t values[] = {g->is_performance, g->machine != NULL, b.at.core,	b.at.cta_slot, b.at.warp,
				   b.at.pc,	      b.stopped};
	for (unsigned k = 0; k < sizeof values / sizeof *values; k++)
		record_number(out, values[k]);
	struct text params = {0};
	gpu_record_params(g, &params);
	record_bytes(out, params.s, params.n);
	text_free(&params);
}

void gpu_outside_take(struct record_reader *r, struct gpu_outside *o)
{
	*o = (struct gpu_outside){0};
	o->made_for_performance = record_take_below(r, 2);
	o->has_machine = record_take_below(r, 2);
	r->bad |= o->made_for_performance && !o->has_machine;
	uint32_t *const at[] = {&o->beside.at.core, &o->beside.at.cta_slot, &o->beside.at.warp, &o->beside.at.pc};
	for (unsigned k = 0; k < 4; k++)
		*at[k] = (uint32_t)record_take_below(r, UINT64_C(1) << 32);
	o->beside.stopped = (enum timing_stopped)record_take_below(r, TIMING_LANDED + 1);
	o->params = record_take_bytes(r, &o->n_params);
}

struct arena_saved_page *gpu_memory_marked(const struct gpu *g, size_t *n)
{
	*n = 0;
	return g->memory_mark ? arena_saved_since(&g->arena, g->memory_mark, g->exec.sec_global, n) : NULL;
}

bool gpu_restore_begin(struct gpu *g, const struct gpu_outside *o, struct text *why)
{
	gpu_program_changed(g);
	return !o->has_machine || gpu_can_perform(g, why);
}

void gpu_restore_empty(struct gpu *g)
{
	arena_marks_free(&g->arena);
	g->memory_mark = 0;
	arena_clear(&g->arena);
}

void gpu_restore_mark(struct gpu *g)
{
	g->memory_mark = arena_marks_begin(&g->arena, g->limits->saved) ? arena_mark(&g->arena) : 0;
}

void gpu_restore_end(struct gpu *g, const struct gpu_outside *o)
{
	struct gpu_beside b = o->beside;
	b.memory_mark = g->memory_mark;
	b.n_functions = g->program.n_functions;
	g->host_seconds = 0;
	gpu_program_changed(g);
	gpu_revive(g, &b);
	gpu_take_params(g, o->params, o->n_params);
}

#define GPU_RECORD_REVISION 3u /* of what gpu_outside_record and config_record write */

const uint32_t *gpu_layout(size_t *n)
{
	static const uint32_t sizes[] = {GPU_RECORD_REVISION,
					 sizeof(void *),
					 ISA_SPECIAL_BYTES,
					 ISA_ROW_TID,
					 sizeof(struct gpu_state),
					 sizeof(struct gpu_allocation),
					 sizeof(struct gpu_launch_info),
					 sizeof(struct stream),
					 sizeof(struct operation),
					 sizeof(struct stream_event),
					 sizeof(struct gpu_texture),
					 sizeof(struct perf_state),
					 sizeof(struct exec_launch),
					 sizeof(struct exec_simt),
					 sizeof(struct exec_warp),
					 sizeof(struct exec_barrier),
					 sizeof(struct exec_cta),
					 sizeof(struct exec_pending),
					 sizeof(struct exec_count),
					 sizeof(struct timing_state),
					 sizeof(struct timing_line),
					 sizeof(struct cluster_state),
					 sizeof(struct latency_stats),
					 sizeof(struct core_state),
					 sizeof(struct core_warp),
					 sizeof(struct core_stats),
					 sizeof(struct inst),
					 sizeof(struct mem_access),
					 sizeof(struct mem_request),
					 sizeof(struct requests_state),
					 sizeof(struct sdram_request),
					 sizeof(struct gpu_input),
					 sizeof(struct gpu_moment)};
	*n = sizeof sizes / sizeof *sizes;
	return sizes;
}
