/* NAME[X,Y]: texels by their coordinates. */
#include "debug/buffers/buffers.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "exec/texture.h"
#include "gpu/texture.h"

#define COORDINATES_MAX 3u

/* Stores the extents in the order of INIT: x, y, z or layers. Returns how many there are. */
static unsigned extents_of(const struct gpu_texels *t, int64_t out[COORDINATES_MAX])
{
	unsigned n = 0;
	out[n++] = (int64_t)t->width;
	if (t->height)
		out[n++] = (int64_t)t->height;
	if (t->depth)
		out[n++] = (int64_t)t->depth;
	return n;
}

/* Splits X,Y,Z, which is (X,Y),Z. Returns how many there are; more than COORDINATES_MAX: `out` is undefined. */
static unsigned coordinates_of(struct node *n, struct node *out[COORDINATES_MAX])
{
	unsigned count = 1, k;
	for (struct node *left = n; left->kind == NODE_BINARY && left->op == OP_COMMA; left = left->a)
		count++;
	for (k = count; count <= COORDINATES_MAX && k > 1; n = n->a)
		out[--k] = n->b;
	out[0] = n;
	return count;
}

static bool eval_coordinates(struct eval *v, const struct debug_buffer *b, struct node *n, int64_t *out)
{
	const struct gpu_texture *t = gpu_texture_at(v->d->g, b->handle);
	struct node *at[COORDINATES_MAX];
	int64_t extent[COORDINATES_MAX], i, number = 0, step = 1;
	const unsigned given = coordinates_of(n, at), wanted = t ? extents_of(&t->texels, extent) : 0;
	if (given != wanted)
		return debug_fail(v->why, "%s has %u coordinates, got %u", b->name, wanted, given);
	for (unsigned k = 0; k < given; k++) {
		if (!eval_integer(v, at[k], &i))
			return false;
		if (i < 0 || i >= extent[k])
			return debug_fail(v->why, "%s has no such texel: %c is %lld, it has to be below %lld", b->name,
					  t->texels.flags && k == given - 1 ? 'l' : "xyz"[k], (long long)i, (long long)extent[k]);
		number += i * step;
		step *= extent[k];
	}
	*out = number;
	return true;
}

bool eval_subscript(struct eval *v, const struct node *n, int64_t *out)
{
	const bool has_comma = n->b->kind == NODE_BINARY && n->b->op == OP_COMMA;
	const struct debug_buffer *b = has_comma && n->a->kind == NODE_NAME ? debug_buffer_find(v->d, n->a->text, n->a->n) : NULL;
	return b && b->handle ? eval_coordinates(v, b, n->b, out) : eval_integer(v, n->b, out);
}

/* ---- textures of programs ---- */

/* Returns the handle of the first object whose texels begin at an address. Returns 0 if there is none. */
static uint64_t handle_at(const struct gpu *g, uint64_t address)
{
	uint64_t handle;
	for (uint32_t k = 0; k < gpu_texture_count(g); k++) {
		const struct gpu_texture *t = gpu_texture_entry(g, k, &handle);
		if (t && t->texels.address == address)
			return handle;
	}
	return 0;
}

/* Finds the handle that the subscripted node means. Returns 0 if it means none. */
static uint64_t handle_of(struct eval *v, struct node *n)
{
	const struct debug_buffer *b = n->kind == NODE_NAME ? debug_buffer_find(v->d, n->text, n->n) : NULL;
	struct expr_value base = {0};
	struct text ignored = {0}, *const why = v->why;
	uint64_t handle = 0;
	if (b)
		return b->handle ? 0 : handle_at(v->d->g, b->address);
	v->why = &ignored;
	if (n->kind == NODE_NAME ? eval_name(v, n, true, &base) : eval_node(v, n, &base)) {
		const bool is_reference = base.place.kind == EXPR_MEMORY && (base.type == ISA_TEXREF || base.type == ISA_SURFREF);
		if (!is_reference || !gpu_read(v->d->g, base.place.address, &handle, sizeof handle))
			handle = value_element_bytes(&base) == sizeof handle && !base.is_array ? base.u.u64 : 0;
	}
	v->why = why;
	expr_value_free(&base);
	text_free(&ignored);
	return gpu_texture_at(v->d->g, handle) ? handle : 0;
}

static bool find_texel(struct eval *v, const struct exec_texture *t, struct node *n, struct texel_place *out)
{
	static const enum isa_type types[3][3] = {{ISA_U8, ISA_U16, ISA_U32}, {ISA_S8, ISA_S16, ISA_S32}, {ISA_NOTYPE, ISA_F16, ISA_F32}};
	const uint32_t slices = t->is_layered || t->is_cube ? t->layers : t->depth, extent[COORDINATES_MAX] = {t->width, t->height, slices};
	struct node *at[COORDINATES_MAX];
	int64_t i[COORDINATES_MAX] = {0};
	const unsigned given = coordinates_of(n, at);
	if (given > COORDINATES_MAX)
		return debug_fail(v->why, "a texel has at most %u coordinates, got %u", COORDINATES_MAX, given);
	for (unsigned k = 0; k < given; k++) {
		if (!eval_integer(v, at[k], &i[k]))
			return false;
		if (i[k] < 0 || i[k] >= extent[k])
			return debug_fail(v->why, "no such texel: %c is %lld, it has to be below %u", "xyz"[k], (long long)i[k], extent[k]);
	}
	out->address = exec_texel_address(t, 0, (uint32_t)i[0], (uint32_t)i[1], (uint32_t)i[2]);
	out->type = types[t->channel][t->channel_bytes / 2];
	out->channels = t->n_channels;
	return true;
}

bool eval_texel(struct eval *v, const struct node *n, struct texel_place *out, bool *is_texel)
{
	const bool has_comma = n->b->kind == NODE_BINARY && n->b->op == OP_COMMA && !n->c;
	const struct exec_services *s = &gpu_exec(v->d->g)->services;
	struct exec_texture t;
	const uint64_t handle = has_comma ? handle_of(v, n->a) : 0;
	*is_texel = handle && s->texture && s->texture(s->self, EXEC_ANY_CONTEXT, handle, &t);
	return *is_texel && find_texel(v, &t, n->b, out);
}
