/* The device runtime's memory: cudaMalloc, cudaFree, copies and memset in kernels. The warp waits at the call until
 * its stream reaches the operation. */
#include "exec/runtime.h"

RT_CALL(rt_malloc, 2)
{
	const uint64_t bytes = rt_arg(c, 1), p = bytes ? c->x->services.device_malloc(c->x->services.self, bytes) : 0;
	if (bytes && !p)
		return RT_MEMORY_ALLOCATION;
	return rt_store(c, rt_arg(c, 0), &p, sizeof p) ? RT_SUCCESS : RT_INVALID_VALUE;
}

RT_CALL(rt_free, 1)
{
	const uint64_t p = rt_arg(c, 0);
	if (p && c->x->services.device_heap(c->x->services.self, p) != EXEC_HEAP_LIVE)
		return RT_INVALID_DEVICE_POINTER;
	if (p)
		c->x->services.device_free(c->x->services.self, p);
	rt_memory_changed(c->x);
	return RT_SUCCESS;
}

/* ---- pieces of memory: depth * height rows of width bytes ---- */

struct side {
	uint64_t address, pitch, slice;
};
struct extent {
	uint64_t width, height, depth;
};

static int copy_row(const struct rt_call *c, uint64_t to, uint64_t from, uint64_t n)
{
	const void *src = builtin_peek(c->x, c->lane, from, n);
	if (!src)
		return RT_INVALID_VALUE;
	return exec_poke(c->x, c->x->cta, c->x->warp->index, c->lane, to, src, n) ? RT_SUCCESS : RT_INVALID_VALUE;
}

static int set_row(const struct rt_call *c, uint64_t to, int value, uint64_t n)
{
	unsigned char block[4096];
	memset(block, value, sizeof block);
	if (!builtin_peek(c->x, c->lane, to, n))
		return RT_INVALID_VALUE;
	while (n) {
		const uint64_t part = n < sizeof block ? n : sizeof block;
		exec_poke(c->x, c->x->cta, c->x->warp->index, c->lane, to, block, part);
		to += part;
		n -= part;
	}
	return RT_SUCCESS;
}

/* Rows and slices that don't overlap; so there are no more of them than memory holds. */
static bool is_pitched(const struct side *s, struct extent e)
{
	uint64_t slice;
	if (e.height > 1 && s->pitch < e.width)
		return false;
	return e.depth == 1 ||
	       (!__builtin_mul_overflow(s->pitch, e.height, &slice) && s->slice >= slice && s->slice >= e.width);
}

/* from: NULL: `value` is set. */
static int each_row(const struct rt_call *c, const struct side *to, const struct side *from, int value, struct extent e)
{
	int error = RT_SUCCESS;
	rt_memory_changed(c->x);
	if (!e.width || !e.height || !e.depth)
		return error;
	if (!is_pitched(to, e) || (from && !is_pitched(from, e)))
		return RT_INVALID_PITCH;
	for (uint64_t z = 0; z < e.depth && !error; z++)
		for (uint64_t y = 0; y < e.height && !error; y++) {
			const uint64_t at = to->address + z * to->slice + y * to->pitch;
			error = from ? copy_row(c, at, from->address + z * from->slice + y * from->pitch, e.width)
				     : set_row(c, at, value, e.width);
		}
	return error;
}

/* Returns true if launches in the stream that the last argument names are unfinished; the call is made again then. */
static bool busy(struct exec *x, const struct isa_insn *i, unsigned n_args)
{
	LANES_EACH (l, x->mask) {
		const struct rt_call c = {x, i, l, n_args};
		if (rt_waits(x, rt_arg(&c, n_args - 1)))
			return true;
	}
	return false;
}

#define RT_STREAM_CALL(name, n_args) \
	static int run_##name(const struct rt_call *c); \
	EXEC_BUILTIN(name) \
	{ \
		if (!busy(x, i, n_args)) \
			rt_each(x, i, n_args, run_##name); \
	} \
	static int run_##name(const struct rt_call *c)

RT_STREAM_CALL(rt_memcpy, 5)
{
	const struct side to = {.address = rt_arg(c, 0)}, from = {.address = rt_arg(c, 1)};
	return each_row(c, &to, &from, 0, (struct extent){rt_arg(c, 2), 1, 1});
}

RT_STREAM_CALL(rt_memcpy_2d, 8)
{
	const struct side to = {rt_arg(c, 0), rt_arg(c, 1), 0}, from = {rt_arg(c, 2), rt_arg(c, 3), 0};
	return each_row(c, &to, &from, 0, (struct extent){rt_arg(c, 4), rt_arg(c, 5), 1});
}

RT_STREAM_CALL(rt_memset, 4)
{
	const struct side to = {.address = rt_arg(c, 0)};
	return each_row(c, &to, NULL, (int)rt_arg(c, 1), (struct extent){rt_arg(c, 2), 1, 1});
}

RT_STREAM_CALL(rt_memset_2d, 6)
{
	const struct side to = {rt_arg(c, 0), rt_arg(c, 1), 0};
	return each_row(c, &to, NULL, (int)rt_arg(c, 2), (struct extent){rt_arg(c, 3), rt_arg(c, 4), 1});
}

/* cudaPitchedPtr and what else these calls take, as the toolkit's driver_types.h lays them out */
struct pitched {
	uint64_t address, pitch, xsize, ysize;
};

RT_STREAM_CALL(rt_memset_3d, 4)
{
	struct pitched p;
	struct extent e;
	rt_struct(c, 0, &p, sizeof p);
	rt_struct(c, 2, &e, sizeof e);
	const struct side to = {p.address, p.pitch, p.pitch * p.ysize};
	return each_row(c, &to, NULL, (int)rt_arg(c, 1), e);
}

struct copy_3d {
	uint64_t from_array, from_pos[3];
	struct pitched from;
	uint64_t to_array, to_pos[3];
	struct pitched to;
	struct extent extent;
	uint64_t kind;
};

RT_STREAM_CALL(rt_memcpy_3d, 2)
{
	struct copy_3d p;
	const void *src = builtin_peek(c->x, c->lane, rt_arg(c, 0), sizeof p);
	if (!src)
		return RT_INVALID_VALUE;
	memcpy(&p, src, sizeof p);
	if (p.from_array || p.to_array)
		return RT_INVALID_VALUE; /* arrays are of textures */
	struct side to = {.pitch = p.to.pitch, .slice = p.to.pitch * p.to.ysize};
	struct side from = {.pitch = p.from.pitch, .slice = p.from.pitch * p.from.ysize};
	to.address = p.to.address + p.to_pos[0] + p.to_pos[1] * to.pitch + p.to_pos[2] * to.slice;
	from.address = p.from.address + p.from_pos[0] + p.from_pos[1] * from.pitch + p.from_pos[2] * from.slice;
	return each_row(c, &to, &from, 0, p.extent);
}
