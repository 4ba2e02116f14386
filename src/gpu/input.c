#include "gpu/input.h"

#include <string.h>

#include "gpu/device/internal.h"

static int64_t put_bytes(struct gpu *g, const struct gpu_input *in)
{
	arena_touch(gpu_arena(g), in->section, in->address, in->n);
	memcpy(arena_at(gpu_arena(g), in->section, in->address), in->data, in->n);
	return 1;
}

static int64_t poke(struct gpu *g, const struct gpu_input *in)
{
	const struct exec_cta *cta = gpu_cta(g, in->slot);
	return cta && exec_poke(gpu_exec(g), cta, in->warp, in->lane, in->address, in->data, in->n);
}

static int64_t copy(struct gpu *g, const struct gpu_input *in)
{
	return in->data ? gpu_copy_to_device(g, in->address, in->data, in->n)
			: gpu_copy_from_source(g, in->address, in->source, in->n);
}

static int64_t own(struct gpu *g, const struct gpu_input *in, uint64_t address)
{
	if (address)
		gpu_give_to(g, address, in->context);
	return (int64_t)address;
}

static int64_t take(struct gpu *g, const struct gpu_input *in, struct text *why)
{
	switch (in->kind) {
	case GPU_INPUT_ALLOC: return own(g, in, gpu_alloc(g, in->n, in->name));
	case GPU_INPUT_ALLOC_PAGES: return own(g, in, gpu_alloc_pages(g, in->n, in->name));
	case GPU_INPUT_FREE: return gpu_free(g, in->address);
	case GPU_INPUT_HOST_ADDRESS: return gpu_set_host_address(g, in->address, in->n);
	case GPU_INPUT_RESERVE: return own(g, in, gpu_reserve(g, in->n, in->address, in->name));
	case GPU_INPUT_MAP: return gpu_map(g, in->address, in->n, (enum gpu_map)in->number, in->from);
	case GPU_INPUT_UNRESERVE: return gpu_unreserve(g, in->address);
	case GPU_INPUT_WRITE: return gpu_write(g, in->address, in->data, in->n);
	case GPU_INPUT_COPY: return copy(g, in);
	case GPU_INPUT_READ:
	case GPU_INPUT_WAITED: return 1;
	case GPU_INPUT_POKE: return poke(g, in);
	case GPU_INPUT_BYTES: return put_bytes(g, in);
	case GPU_INPUT_TOUCHED: gpu_state_changed(g); return 1;
	case GPU_INPUT_LAUNCH: return gpu_launch(g, in->launch, why);
	case GPU_INPUT_MODE: return gpu_set_launch_mode(g, (uint32_t)in->address, (enum gpu_mode)in->n);
	case GPU_INPUT_SPIN: return gpu_resume_waiting(g, in->slot, in->warp);
	case GPU_INPUT_MARK: gpu_memory_mark(g); return 1;
	case GPU_INPUT_PUT_BACK: return gpu_memory_put_back(g);
	case GPU_INPUT_KILL: gpu_kill(g); return 1;
	case GPU_INPUT_RESET: gpu_reset(g); return 1;
	case GPU_INPUT_STREAM: return gpu_stream_create(g, &in->stream);
	case GPU_INPUT_STREAM_DESTROY: return gpu_stream_destroy(g, in->number);
	case GPU_INPUT_EVENT: return gpu_stream_event_create(g, in->context);
	case GPU_INPUT_EVENT_DESTROY: return gpu_stream_event_destroy(g, in->number);
	case GPU_INPUT_OPERATION: return (int64_t)gpu_enqueue(g, &in->operation);
	case GPU_INPUT_DONE: return gpu_operation_done(g);
	case GPU_INPUT_SCHEDULE: gpu_set_schedule(g, in->data); return 1;
	case GPU_INPUT_MODULE_LOAD: gpu_module_loaded(g, in->number); return 1;
	case GPU_INPUT_MODULE_UNLOAD: gpu_module_unloaded(g, in->number); return 1;
	case GPU_INPUT_LIMIT: return gpu_set_limit(g, in->context, (enum gpu_limit_id)in->address, in->n);
	case GPU_INPUT_CONTEXT: return gpu_context_begin(g, in->context);
	case GPU_INPUT_CONTEXT_KILL: return gpu_context_kill(g, in->context);
	case GPU_INPUT_CONTEXT_END: return gpu_context_end(g, in->context);
	case GPU_INPUT_SHARE: return gpu_share(g, in->address, in->context, in->n);
	}
	return 0;
}

void gpu_watch_inputs(struct gpu *g, void (*seen)(void *self, const struct gpu_input *in, int64_t result), void *self)
{
	g->input_seen = seen;
	g->input_self = self;
}

int64_t gpu_input(struct gpu *g, const struct gpu_input *in, struct text *why)
{
	const int64_t result = take(g, in, why);
	if (g->input_seen)
		g->input_seen(g->input_self, in, result);
	return result;
}
