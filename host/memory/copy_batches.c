/* Batched copies of pieces or boxes, executed one after the other in a stream. */
#include <stdint.h>

#include "host/memory/arrays.h"
#include "host/host.h"

enum { BY_ADDRESS = 4 };

struct location { /* cudaMemLocation */
	int type, id;
};

/* The access order of a copy's source. */
enum { ORDER_NONE, ORDER_OF_STREAM, ORDER_DURING_CALL, ORDER_ANY };
static bool is_order(int order) { return order > ORDER_NONE && order <= ORDER_ANY; }
static uint32_t how_async(int order) { return order == ORDER_DURING_CALL ? WIRE_DURING_CALL : true; }

/* Returns 0 unless the stream is the legacy default stream, or an error. */
static int check_stream(const void *stream)
{
	const int error = host_enter();
	return error ? error : host_stream(stream) ? 0 : cudaErrorInvalidValue;
}

/* Executes n copies. *failed gets the index of the failed copy (up to toolkit 13.0), SIZE_MAX: none. */
static int do_all(int error, size_t n, int (*copy)(const void *self, size_t k), const void *self, size_t *failed)
{
	if (failed)
		*failed = SIZE_MAX;
	for (size_t k = 0; k < n && !error; k++) {
		error = copy(self, k);
		if (error && failed)
			*failed = k;
	}
	return host_leave(error);
}

/* ---- pieces ---- */

struct attributes { /* cudaMemcpyAttributes */
	int order;
	struct location from, to;
	unsigned flags;
};

struct pieces {
	void *const *to;
	const void *const *from;
	const size_t *bytes;
	size_t n;
	const struct attributes *attributes;
	const size_t *first; /* index of the first copy of each attribute */
	size_t n_attributes;
	void *stream;
};

static int check_pieces(const struct pieces *p)
{
	bool ok = p->to && p->from && p->bytes && p->n && p->attributes && p->first && p->n_attributes &&
		  p->n_attributes <= p->n && !p->first[0];
	for (size_t k = 0; ok && k < p->n_attributes; k++)
		ok = is_order(p->attributes[k].order) && p->first[k] < p->n && (!k || p->first[k] > p->first[k - 1]);
	return ok ? check_stream(p->stream) : cudaErrorInvalidValue;
}

static int order_of(const struct pieces *p, size_t k)
{
	size_t i = p->n_attributes - 1;
	while (p->first[i] > k)
		i--;
	return p->attributes[i].order;
}

static int copy_piece(const void *self, size_t k)
{
	const struct pieces *p = self;
	return host_copy_area(&(struct host_side){(uint64_t)(uintptr_t)p->to[k], 0, 0},
			      &(struct host_side){(uint64_t)(uintptr_t)p->from[k], 0, 0},
			      &(struct host_extent){p->bytes[k], 1, 1},
			      &(struct host_order){p->stream, BY_ADDRESS, how_async(order_of(p, k))});
}

API(cudaMemcpyBatchAsync)
(void *const *to, const void *const *from, const size_t *bytes, size_t n, const struct attributes *attributes,
 const size_t *first, size_t n_attributes, size_t *failed, void *stream)
{
	const struct pieces p = {to, from, bytes, n, attributes, first, n_attributes, stream};
	return do_all(check_pieces(&p), n, copy_piece, &p, failed);
}

API(cudaMemcpyBatchAsync_v2)
(void *const *to, const void *const *from, const size_t *bytes, size_t n, const struct attributes *attributes,
 const size_t *first, size_t n_attributes, void *stream)
{
	return ws_cudaMemcpyBatchAsync(to, from, bytes, n, attributes, first, n_attributes, NULL, stream);
}

/* ---- boxes: lengths are in texels if an array takes part; a length of 0 means that rows, or slices, are adjacent ---- */

enum { POINTER = 1, ARRAY };

struct operand { /* cudaMemcpy3DOperand */
	int type;
	union {
		struct {
			const void *p;
			size_t row, rows;
			struct location hint;
		} pointer;
		struct {
			const void *array;
			size_t x, y, z;
		} array;
	};
};
struct box { /* cudaMemcpy3DBatchOp */
	struct operand from, to;
	size_t width, height, depth;
	int order;
	unsigned flags;
};
_Static_assert(sizeof(struct box) == 112, "as driver_types.h has it");

struct boxes {
	const struct box *box;
	void *stream;
};

static const struct host_array *array_of(const struct operand *o)
{
	return o->type == ARRAY ? host_array_of(o->array.array) : NULL;
}

/* Returns the texel size of a copy; 0 if the two arrays differ in it. */
static uint32_t texel_of(const struct box *b)
{
	const struct host_array *from = array_of(&b->from), *to = array_of(&b->to);
	if (from && to && from->texel_bytes != to->texel_bytes)
		return 0;
	return to ? to->texel_bytes : from ? from->texel_bytes : 1;
}

static bool place_of(const struct operand *o, const struct box *b, uint32_t texel, struct host_place *p)
{
	if (o->type == ARRAY) {
		*p = (struct host_place){.array = o->array.array, .y = o->array.y, .z = o->array.z};
		return !__builtin_mul_overflow(o->array.x, texel, &p->x_bytes);
	}
	*p = (struct host_place){.p = o->pointer.p};
	const size_t row = o->pointer.row ? o->pointer.row : b->width,
		     rows = o->pointer.rows ? o->pointer.rows : b->height;
	return o->type == POINTER && o->pointer.p && row >= b->width && rows >= b->height &&
	       !__builtin_mul_overflow(row, texel, &p->pitch) && !__builtin_mul_overflow(p->pitch, rows, &p->slice);
}

static int copy_box(const void *self, size_t k)
{
	const struct boxes *all = self;
	const struct box *b = &all->box[k];
	const uint32_t texel = texel_of(b);
	struct host_place to, from;
	struct host_extent e = {0, b->height, b->depth};
	if (!texel || !b->width || !b->height || !b->depth || !is_order(b->order) ||
	    __builtin_mul_overflow(b->width, texel, &e.bytes) || !place_of(&b->to, b, texel, &to) ||
	    !place_of(&b->from, b, texel, &from))
		return cudaErrorInvalidValue;
	return host_copy_places(&to, &from, &e, &(struct host_order){all->stream, BY_ADDRESS, how_async(b->order)});
}

API(cudaMemcpy3DBatchAsync)
(size_t n, const struct box *box, size_t *failed, unsigned long long flags, void *stream)
{
	const int error = n && box && !flags ? check_stream(stream) : cudaErrorInvalidValue;
	return do_all(error, n, copy_box, &(struct boxes){box, stream}, failed);
}

API(cudaMemcpy3DBatchAsync_v2)(size_t n, const struct box *box, unsigned long long flags, void *stream)
{
	return ws_cudaMemcpy3DBatchAsync(n, box, NULL, flags, stream);
}
