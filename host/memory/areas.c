/* Memory in rows: allocates, copies and fills rectangles and boxes. Copies of arrays are in arrays.c. */
#include "host/memory/areas.h"
#include "host/host.h"

#define PITCH_ALIGN 512u /* row pitch, as cudaMallocPitch returns on all devices */

static uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p; }

/* Returns whether rows, or slices, are adjacent on both sides. */
static bool are_adjacent(uint64_t to, uint64_t from, uint64_t bytes) { return to == bytes && from == bytes; }

static struct host_pitched pitched_of(const struct host_side *s, const struct host_extent *e)
{
	const uint64_t pitch = s->pitch ? s->pitch : e->bytes;
	return (struct host_pitched){(void *)(uintptr_t)s->at, pitch, e->bytes,
				     e->slices > 1 ? s->slice / pitch : e->rows};
}

struct host_copy_params host_area_node(const struct host_side *to, const struct host_side *from,
				       const struct host_extent *e, uint32_t kind)
{
	return (struct host_copy_params){.from = pitched_of(from, e),
					 .to = pitched_of(to, e),
					 .extent = {e->bytes, e->rows, e->slices},
					 .kind = (int)kind};
}

static int copy_rows(const struct host_side *to, const struct host_side *from, const struct host_extent *e,
		     const struct host_order *o)
{
	const uint32_t is_async = o->is_async && host_thread()->in_graph ? WIRE_BY_GRAPH : o->is_async;
	const uint64_t stream = host_stream(o->stream);
	int error = 0;
	for (uint64_t z = 0; !error && z < e->slices; z++)
		for (uint64_t y = 0; !error && y < e->rows; y++)
			error = call_copy(&(struct call_copy){to->at + z * to->slice + y * to->pitch,
							      from->at + z * from->slice + y * from->pitch, e->bytes,
							      stream, host_copy_direction((int)o->kind), is_async},
					  NULL, 0, NULL);
	return error;
}

int host_copy_area(const struct host_side *to, const struct host_side *from, const struct host_extent *e,
		   const struct host_order *o)
{
	struct host_extent left = *e;
	int error = host_enter();
	if (error || !e->bytes || !e->rows || !e->slices)
		return error;
	if (left.rows > 1 && are_adjacent(to->pitch, from->pitch, left.bytes) &&
	    !__builtin_mul_overflow(left.bytes, left.rows, &left.bytes))
		left.rows = 1;
	if (left.rows == 1 && left.slices > 1 && are_adjacent(to->slice, from->slice, left.bytes) &&
	    !__builtin_mul_overflow(left.bytes, left.slices, &left.bytes))
		left.slices = 1;
	const struct host_work w = {.type = NODE_COPY, .copy = host_area_node(to, from, &left, o->kind)};
	if (o->is_async ? capture_add(o->stream, &w, &error) : capture_check_legacy(o->stream, &error))
		return error;
	return copy_rows(to, from, &left, o);
}

/* Adds a node for each slice if the stream is captured. */
static bool capture_fills(const struct host_side *to, const struct host_extent *e, uint32_t value, uint32_t width,
			  const void *stream, int *error)
{
	bool taken = false;
	for (uint64_t z = 0; !*error && z < e->slices; z++) {
		const struct host_fill_params p = {(void *)(uintptr_t)(to->at + z * to->slice),
						   to->pitch,
						   value,
						   width,
						   e->bytes / width,
						   e->rows};
		taken = capture_add(stream, &(struct host_work){.type = NODE_FILL, .fill = p}, error);
		if (!taken)
			break;
	}
	return taken;
}

int host_fill_area(const struct host_side *to, const struct host_extent *e, uint32_t value, uint32_t width,
		   const struct host_order *o)
{
	int error = host_enter();
	if (error || !e->bytes || capture_fills(to, e, value, width, o->stream, &error))
		return error;
	for (uint64_t z = 0; !error && z < e->slices; z++)
		for (uint64_t y = 0; !error && y < e->rows; y++)
			error = call_fill(&(struct call_fill){to->at + z * to->slice + y * to->pitch, e->bytes,
							      host_stream(o->stream), value, width, !o->is_async},
					  NULL, 0, NULL);
	return error;
}

int host_allocate_rows(uint64_t *at, uint64_t *pitch, uint64_t bytes, uint64_t rows, const void *caller)
{
	struct call_alloc_out out = {0};
	uint64_t step, all;
	int error = host_enter();
	if (error)
		return error;
	if (__builtin_add_overflow(bytes, PITCH_ALIGN - 1, &step))
		return cudaErrorMemoryAllocation;
	step &= ~(uint64_t)(PITCH_ALIGN - 1);
	if (__builtin_mul_overflow(step, rows, &all))
		return cudaErrorMemoryAllocation;
	if (all && !capture_check_unsafe(&error))
		error = call_alloc(&(struct call_alloc){all, address_of(caller), 0}, NULL, 0, &out);
	if (!error)
		*at = out.address, *pitch = step;
	return error;
}

/* ---- allocating ---- */

API(cudaMallocPitch)(void **p, size_t *pitch, size_t width, size_t height)
{
	uint64_t at = 0, step = 0;
	const int error =
		p && pitch ? host_allocate_rows(&at, &step, width, height, HOST_CALLER()) : cudaErrorInvalidValue;
	if (!error)
		*p = (void *)(uintptr_t)at, *pitch = step;
	return host_leave(error);
}

struct pitched { /* cudaPitchedPtr */
	void *p;
	size_t pitch, width, height;
};
struct extent { /* cudaExtent */
	size_t width, height, depth;
};

API(cudaMalloc3D)(struct pitched *p, struct extent e)
{
	uint64_t at = 0, step = 0;
	size_t rows;
	int error = p ? 0 : cudaErrorInvalidValue;
	if (!error && __builtin_mul_overflow(e.height, e.depth, &rows))
		error = cudaErrorMemoryAllocation;
	if (!error)
		error = host_allocate_rows(&at, &step, e.width, rows, HOST_CALLER());
	if (!error)
		*p = (struct pitched){(void *)(uintptr_t)at, step, e.width, e.height};
	return host_leave(error);
}

/* ---- rectangles ---- */

static int copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
		   const struct host_order *o)
{
	if ((width > to_pitch || width > from_pitch) && height > 1)
		return cudaErrorInvalidPitchValue;
	return host_copy_area(&(struct host_side){address_of(to), to_pitch, 0},
			      &(struct host_side){address_of(from), from_pitch, 0},
			      &(struct host_extent){width, height, 1}, o);
}

API(cudaMemcpy2D)
(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind)
{
	return host_leave(copy_2d(to, to_pitch, from, from_pitch, width, height,
				  &(struct host_order){NULL, (uint32_t)kind, false}));
}

API(cudaMemcpy2DAsync)
(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind, void *stream)
{
	return host_leave(copy_2d(to, to_pitch, from, from_pitch, width, height,
				  &(struct host_order){stream, (uint32_t)kind, true}));
}

static int fill_2d(void *p, size_t pitch, int value, size_t width, size_t height, const struct host_order *o)
{
	if (width > pitch && height > 1)
		return cudaErrorInvalidPitchValue;
	return host_fill_area(&(struct host_side){address_of(p), pitch, 0}, &(struct host_extent){width, height, 1},
			      (uint32_t)value & 0xff, 1, o);
}

API(cudaMemset2D)(void *p, size_t pitch, int value, size_t width, size_t height)
{
	return host_leave(fill_2d(p, pitch, value, width, height, &(struct host_order){0}));
}

API(cudaMemset2DAsync)(void *p, size_t pitch, int value, size_t width, size_t height, void *stream)
{
	return host_leave(fill_2d(p, pitch, value, width, height, &(struct host_order){stream, 0, true}));
}

/* ---- boxes ---- */

static int fill_3d(const struct pitched *p, int value, const struct extent *e, const struct host_order *o)
{
	if (e->width > p->pitch && e->height * e->depth > 1)
		return cudaErrorInvalidPitchValue;
	return host_fill_area(&(struct host_side){address_of(p->p), p->pitch, p->pitch * p->height},
			      &(struct host_extent){e->width, e->height, e->depth}, (uint32_t)value & 0xff, 1, o);
}

API(cudaMemset3D)(struct pitched p, int value, struct extent e)
{
	return host_leave(fill_3d(&p, value, &e, &(struct host_order){0}));
}

API(cudaMemset3DAsync)(struct pitched p, int value, struct extent e, void *stream)
{
	return host_leave(fill_3d(&p, value, &e, &(struct host_order){stream, 0, true}));
}
