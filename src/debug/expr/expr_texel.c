/* NAME[X,Y]: texels by their coordinates. */
#include "debug/buffers/buffers.h"
#include "debug/expr/expr_internal.h"
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
