/* Applies inputs, and copies them for a journal: the functions of inputs.def. */
#include "gpu/input.h"

#include <string.h>

#include "gpu/memory/memory.h"
#include "gpu/statistics/timelapse.h"

static int64_t put_bytes(struct gpu *g, const struct gpu_input_copy *a)
{
	arena_touch(&g->arena, a->section, a->address, a->n);
	memcpy(arena_at(&g->arena, a->section, a->address), a->data, a->n);
	return 1;
}

static int64_t poke(struct gpu *g, const struct gpu_input_poke *a)
{
	const struct exec_cta *cta = gpu_cta(g, a->slot);
	return cta && exec_poke(&g->exec, cta, a->warp, a->lane, a->address, a->data, a->n);
}

static int64_t apply_copy(struct gpu *g, const struct gpu_input_copy *a)
{
	return a->data ? gpu_copy_to_device(g, a->address, a->data, a->n) : gpu_copy_from_source(g, a->address, a->source, a->n);
}

/* Notes the owner of new memory, unless `address` is 0. Returns the address. */
static int64_t give(struct gpu *g, uint64_t address, const struct gpu_input_alloc *a)
{
	if (!address)
		return 0;
	gpu_give_to(g, address, a->context);
	gpu_piece_at(g, address)->by_program = a->by_program;
	gpu_piece_at(g, address)->made_by = a->caller;
	return (int64_t)address;
}

/* Frees memory, and notes the program's call that asked for it. Returns false if no live allocation begins at the address. */
static bool take(struct gpu *g, const struct gpu_input_memory *a)
{
	if (!gpu_free(g, a->address))
		return false;
	gpu_piece_at(g, a->address)->freed_by = a->caller;
	return true;
}

static int64_t apply(struct gpu *g, const struct gpu_input *in, struct text *why)
{
	switch (in->kind) {
#define INPUT(kind, member, apply, keep) \
	case GPU_INPUT_##kind: { \
		const __typeof__(in->member) *const a = &in->member; \
		(void)a; \
		return apply; \
	}
#include "gpu/inputs.def"
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
	const int64_t result = apply(g, in, why);
	if (g->input_seen)
		g->input_seen(g->input_self, in, result);
	return result;
}

/* ---- copies for a journal ---- */

static uint64_t keep_none(struct gpu_input *in, struct pool *p)
{
	(void)in;
	(void)p;
	return 0;
}

static uint64_t keep_name(struct gpu_input *in, struct pool *p)
{
	const char *name = in->alloc.name;
	in->alloc.name = name ? pool_strn(p, name, strlen(name)) : NULL;
	return 0;
}

static uint64_t keep_data(struct gpu_input *in, struct pool *p)
{
	in->bytes.data = pool_dup(p, in->bytes.data, in->bytes.n);
	return in->bytes.n;
}

/* A refused copy whose bytes were not fetched has none. */
static uint64_t keep_copy(struct gpu_input *in, struct pool *p)
{
	in->copy.source = NULL;
	return in->copy.data ? keep_data(in, p) : 0;
}

static uint64_t keep_params(struct gpu_input *in, struct pool *p)
{
	in->launch.params = pool_dup(p, in->launch.params, in->launch.n_params);
	return 0;
}

static uint64_t keep_texture(struct gpu_input *in, struct pool *p)
{
	in->texture.texture = pool_dup(p, in->texture.texture, sizeof *in->texture.texture);
	return 0;
}

uint64_t gpu_input_keep(const struct gpu *g, const struct gpu_input *in, int64_t result, struct pool *p, struct gpu_input *out)
{
	*out = *in;
	if (in->kind == GPU_INPUT_COPY && in->copy.source && result)
		out->copy.data = g->exec.global + in->copy.address; /* fetched by the copy */
	switch (in->kind) {
#define INPUT(kind, member, apply, keep) case GPU_INPUT_##kind: return keep(out, p);
#include "gpu/inputs.def"
	}
	return 0;
}
