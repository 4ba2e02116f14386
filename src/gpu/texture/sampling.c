/* Texture and surface objects as instructions see them. */
#include <string.h>

#include "exec/texture.h"
#include "gpu/texture/texture_internal.h"

_Static_assert(GPU_TEXTURE_LEVELS == EXEC_TEXTURE_LEVELS, "the same levels");

/* A channel format of a view: cudaResourceViewFormat, whose numbers count in threes: 1, 2 and 4 channels. */
static bool view_format(int32_t format, struct exec_texture *t)
{
	static const struct { uint8_t bytes, channel; } formats[] = {
		{1, EXEC_CHANNEL_UNSIGNED}, {1, EXEC_CHANNEL_SIGNED}, {2, EXEC_CHANNEL_UNSIGNED}, {2, EXEC_CHANNEL_SIGNED},
		{4, EXEC_CHANNEL_UNSIGNED}, {4, EXEC_CHANNEL_SIGNED}, {2, EXEC_CHANNEL_FLOAT},	  {4, EXEC_CHANNEL_FLOAT}};
	if (!format) /* as the array */
		return true;
	const unsigned k = (unsigned)(format - 1);
	if (format < 0 || k / 3 >= sizeof formats / sizeof *formats)
		return false; /* block compression */
	t->channel_bytes = formats[k / 3].bytes;
	t->channel = formats[k / 3].channel;
	t->n_channels = (uint8_t)(1u << k % 3);
	return true;
}

static bool texel_format(const struct gpu_texels *s, struct exec_texture *t)
{
	for (unsigned k = 0; k < 4; k++)
		t->n_channels = (uint8_t)(t->n_channels + (s->bits[k] > 0));
	t->channel_bytes = (uint8_t)(s->bits[0] / 8);
	t->channel = s->format == 0 ? EXEC_CHANNEL_SIGNED : s->format == 1 ? EXEC_CHANNEL_UNSIGNED : EXEC_CHANNEL_FLOAT; /* cudaChannelFormatKind */
	return t->n_channels && s->format >= 0 && s->format <= 2 && (t->channel_bytes == 1 || t->channel_bytes == 2 || t->channel_bytes == 4) &&
	       (t->channel != EXEC_CHANNEL_FLOAT || t->channel_bytes > 1);
}

static uint32_t at_least_1(uint64_t n) { return n ? n < UINT32_MAX ? (uint32_t)n : UINT32_MAX : 1; }

static void set_extents(const struct gpu_texels *s, struct exec_texture *t)
{
	t->level_at[0] = s->address;
	t->n_levels = 1;
	t->width = at_least_1(s->width);
	t->height = at_least_1(s->height);
	t->depth = at_least_1(s->depth);
	t->layers = 1;
	if (s->kind == GPU_TEXELS_MEMORY) {
		t->width = at_least_1(s->width / exec_texel_bytes(t));
		t->height = t->depth = 1;
		t->is_linear_memory = true;
	} else if (s->kind == GPU_TEXELS_ROWS) {
		t->depth = 1;
		t->pitch = s->pitch;
	} else if (s->flags & (GPU_TEXELS_LAYERED | GPU_TEXELS_CUBE)) {
		t->is_layered = s->flags & GPU_TEXELS_LAYERED;
		t->is_cube = s->flags & GPU_TEXELS_CUBE;
		t->layers = t->depth;
		t->depth = 1;
	}
	if (s->kind == GPU_TEXELS_MIPMAPS && s->n_levels) {
		t->n_levels = s->n_levels;
		memcpy(t->level_at, s->level, sizeof t->level_at);
	}
}

/* Restricts a texture to the levels and layers of a view. */
static void apply_view(const struct gpu_texture_view *v, struct exec_texture *t)
{
	const uint32_t first = v->first_level < t->n_levels ? v->first_level : t->n_levels - 1;
	const uint32_t last = v->last_level < t->n_levels ? v->last_level : t->n_levels - 1;
	for (uint32_t k = first; k < t->n_levels; k++)
		t->level_at[k - first] = t->level_at[k];
	t->n_levels = last >= first ? last - first + 1 : 1;
	t->width = exec_level_extent(t->width, first);
	t->height = exec_level_extent(t->height, first);
	t->depth = exec_level_extent(t->depth, first);
	if (v->first_layer < t->layers && v->first_layer) {
		for (uint32_t k = 0; k < t->n_levels; k++)
			t->level_at[k] = exec_texel_address(t, k, 0, 0, v->first_layer);
		t->layers -= v->first_layer;
	}
	if (v->last_layer >= v->first_layer && v->last_layer - v->first_layer + 1 < t->layers && v->last_layer)
		t->layers = v->last_layer - v->first_layer + 1;
}

static void set_sampler(const struct gpu_sampler *s, struct exec_texture *t)
{
	for (unsigned k = 0; k < 3; k++)
		t->edge[k] = (uint8_t)(s->address[k] >= 0 && s->address[k] <= EXEC_EDGE_BORDER ? s->address[k] : EXEC_EDGE_CLAMP);
	memcpy(t->border, s->border, sizeof t->border);
	t->normalized = s->normalized;
	t->reads_normalized = s->reads_normalized && t->channel != EXEC_CHANNEL_FLOAT && t->channel_bytes < 4;
	t->srgb = s->srgb;
	t->filters = s->filter && exec_texture_is_float(t);
	t->filters_levels = s->mipmap_filter && exec_texture_is_float(t);
	t->is_seamless = s->is_seamless && t->is_cube;
	t->bias = s->bias;
	t->least_level = s->least_level;
	t->most_level = s->most_level;
}

/* Returns the object that a handle names, or the reference at that address. */
static const struct gpu_texture *find_object(const struct gpu *g, uint64_t handle)
{
	const struct gpu_texture *o = gpu_texture_at(g, handle);
	uint64_t bound = 0;
	if (!o && gpu_read(g, handle, &bound, sizeof bound))
		o = gpu_texture_at(g, bound);
	return o;
}

bool textures_find(void *self, uint32_t context, uint64_t handle, struct exec_texture *out)
{
	const struct gpu *g = self;
	const struct gpu_texture *o = find_object(g, handle);
	if (!o || (context != EXEC_ANY_CONTEXT && o->context != context))
		return false;
	*out = (struct exec_texture){.is_surface = o->is_surface};
	if (!texel_format(&o->texels, out) || (o->has_view && !view_format(o->view.format, out)))
		return false;
	set_extents(&o->texels, out);
	if (o->has_view)
		apply_view(&o->view, out);
	if (!o->is_surface)
		set_sampler(&o->sampler, out);
	return true;
}
