/* The table of texture and surface objects: section "texture", indexed by the number in a handle less 1. */
#include "gpu/texture.h"

#include "gpu/device/valid_internal.h"
#include "gpu/texture/texture_internal.h"

struct entry {
	struct gpu_texture texture;
	uint64_t handle; /* 0: the entry is unused */
};

bool textures_add_section(struct gpu *g)
{
	g->sec_texture = arena_add(&g->arena, "texture", ARENA_HOT, GPU_TEXTURES_MOST * sizeof(struct entry));
	return g->sec_texture >= 0;
}

static struct entry *entry_at(const struct gpu *g, uint32_t k)
{
	return (struct entry *)arena_at(&g->arena, g->sec_texture, 0) + k;
}

static struct entry *find_entry(const struct gpu *g, uint64_t handle)
{
	const uint64_t number = handle >> GPU_TEXTURE_SHIFT;
	struct entry *e = number && number <= gpu_state(g)->n_textures ? entry_at(g, (uint32_t)number - 1) : NULL;
	return e && e->handle == handle ? e : NULL;
}

/* Returns an unused entry, searched from the one after the last that was taken, so that handles of destroyed objects stay invalid for long. NULL if
 * there is no room. */
static struct entry *take_entry(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	for (uint32_t k = 0; k < s->n_textures; k++) {
		const uint32_t at = (s->last_texture + 1 + k) % s->n_textures;
		if (entry_at(g, at)->handle)
			continue;
		s->last_texture = at;
		return entry_at(g, at);
	}
	if (s->n_textures == GPU_TEXTURES_MOST ||
	    !arena_use(&g->arena, g->sec_texture, (s->n_textures + UINT64_C(1)) * sizeof(struct entry)))
		return NULL;
	s->last_texture = s->n_textures++;
	return entry_at(g, s->last_texture);
}

static bool is_valid(const struct gpu_texture *t)
{
	return t->texels.address && !(t->texels.address >> GPU_TEXTURE_SHIFT) && t->texels.kind <= GPU_TEXELS_ROWS &&
	       t->texels.n_levels <= GPU_TEXTURE_LEVELS &&
	       t->context < GPU_CONTEXTS && t->is_surface <= 1 && t->has_view <= 1;
}

uint64_t gpu_texture_create(struct gpu *g, const struct gpu_texture *t)
{
	struct entry *e = is_valid(t) ? take_entry(g) : NULL;
	if (!e)
		return 0;
	e->texture = *t;
	e->handle = (gpu_state(g)->last_texture + UINT64_C(1)) << GPU_TEXTURE_SHIFT | t->texels.address;
	return e->handle;
}

bool gpu_texture_destroy(struct gpu *g, uint32_t context, uint64_t handle, bool is_surface)
{
	struct entry *e = find_entry(g, handle);
	if (!e || e->texture.context != context || e->texture.is_surface != is_surface || e->texture.variable)
		return false;
	*e = (struct entry){0};
	return true;
}

bool gpu_texture_bind(struct gpu *g, const struct gpu_texture *t)
{
	uint64_t handle = 0;
	if (!gpu_read(g, t->variable, &handle, sizeof handle))
		return false;
	for (uint32_t k = 0; k < gpu_state(g)->n_textures; k++)
		if (entry_at(g, k)->handle && entry_at(g, k)->texture.variable == t->variable)
			*entry_at(g, k) = (struct entry){0};
	handle = t->texels.address ? gpu_texture_create(g, t) : 0;
	return gpu_write(g, t->variable, &handle, sizeof handle) && (handle || !t->texels.address);
}

void textures_end_context(struct gpu *g, uint32_t context)
{
	for (uint32_t k = 0; k < gpu_state(g)->n_textures; k++)
		if (entry_at(g, k)->texture.context == context)
			*entry_at(g, k) = (struct entry){0};
}

const struct gpu_texture *gpu_texture_at(const struct gpu *g, uint64_t handle)
{
	const struct entry *e = find_entry(g, handle);
	return e ? &e->texture : NULL;
}

uint32_t gpu_texture_count(const struct gpu *g) { return gpu_state(g)->n_textures; }

const struct gpu_texture *gpu_texture_entry(const struct gpu *g, uint32_t k, uint64_t *handle)
{
	const struct entry *e = entry_at(g, k);
	*handle = e->handle;
	return e->handle ? &e->texture : NULL;
}

/* ---- validation ---- */

bool gpu_valid_textures(struct gpu_valid *v)
{
	const struct gpu_state *s = gpu_state(v->g);
	if (s->n_textures > gpu_valid_entries(v, v->g->sec_texture, sizeof(struct entry)) || s->n_textures > GPU_TEXTURES_MOST ||
	    (s->n_textures && s->last_texture >= s->n_textures))
		return invalid(v->what, "how many textures there are");
	for (uint32_t k = 0; k < s->n_textures; k++) {
		const struct entry *e = entry_at(v->g, k);
		const uint64_t handle = (k + UINT64_C(1)) << GPU_TEXTURE_SHIFT | e->texture.texels.address;
		if (e->handle && (e->handle != handle || !is_valid(&e->texture)))
			return invalid(v->what, "texture %u", k + 1);
	}
	return true;
}
