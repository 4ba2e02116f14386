/* Arrays: cudaMallocArray and its family, copies to and from them. */
#include <stdlib.h>
#include <string.h>

#include "host/memory/arrays.h"
#include "host/host.h"
#include "host/texture/references.h"

#define FLAGS_OF_OTHERS \
	0xc0u /* sparse arrays and arrays with deferred memory: the device attributes say that they are unsupported */

static struct arrays {
	struct host_lock lock;
	struct entry {
		struct host_array array;
		struct entry *next;
	} * first;
} arrays;

static uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p; }
static uint64_t at_least_1(uint64_t n) { return n ? n : 1; }

/* ---- the table ---- */

const struct host_array *host_array_of(const void *handle)
{
	host_lock(&arrays.lock);
	const struct entry *e = arrays.first;
	while (e && (const void *)&e->array != handle)
		e = e->next;
	host_unlock(&arrays.lock);
	return e ? &e->array : NULL;
}

static void add_array(struct entry *e)
{
	host_lock(&arrays.lock);
	e->next = arrays.first;
	arrays.first = e;
	host_unlock(&arrays.lock);
}

static struct entry *remove_array(const void *handle)
{
	host_lock(&arrays.lock);
	struct entry **e = &arrays.first, *found;
	while (*e && (const void *)&(*e)->array != handle)
		e = &(*e)->next;
	found = *e;
	if (found)
		*e = found->next;
	host_unlock(&arrays.lock);
	return found;
}

/* ---- one array ---- */

uint32_t host_texel_bytes(const struct host_channels *c)
{
	unsigned n = 0;
	while (n < 4 && c->bits[n])
		n++;
	for (unsigned k = 0; k < 4; k++)
		if (c->bits[k] != (k < n ? c->bits[0] : 0))
			return 0;
	if (n == 0 || n == 3 || c->format < 0 || c->format > 2)
		return 0;
	return c->bits[0] == 8 || c->bits[0] == 16 || c->bits[0] == 32 ? n * (uint32_t)c->bits[0] / 8 : 0;
}

static uint64_t row_bytes(const struct host_array *a) { return a->width * a->texel_bytes; }

/* Gets the size of an array. Returns false if it overflows. */
static bool array_bytes(const struct host_array *a, uint64_t *bytes)
{
	uint64_t n;
	return !__builtin_mul_overflow(a->width, a->texel_bytes, &n) &&
	       !__builtin_mul_overflow(n, at_least_1(a->height), &n) &&
	       !__builtin_mul_overflow(n, at_least_1(a->depth), bytes);
}

/* Returns a position in an array as a side of a copy. */
static struct host_side array_position(const struct host_array *a, uint64_t x_bytes, uint64_t y, uint64_t z)
{
	const uint64_t pitch = row_bytes(a), slice = pitch * at_least_1(a->height);
	return (struct host_side){a->at + z * slice + y * pitch + x_bytes, pitch, slice};
}

static bool array_contains(const struct host_array *a, uint64_t x_bytes, uint64_t y, uint64_t z,
			   const struct host_extent *e)
{
	const uint64_t width = row_bytes(a), height = at_least_1(a->height), depth = at_least_1(a->depth);
	return x_bytes <= width && e->bytes <= width - x_bytes && y <= height && e->rows <= height - y && z <= depth &&
	       e->slices <= depth - z;
}

int host_array_create(void **handle, const struct host_channels *c, uint64_t width, uint64_t height, uint64_t depth,
		      unsigned flags, const void *caller)
{
	struct host_array a = {0, *c, width, height, depth, flags, host_texel_bytes(c)};
	struct call_alloc_out out;
	uint64_t bytes;
	int error = host_enter();
	if (error)
		return error;
	if (flags & FLAGS_OF_OTHERS)
		return cudaErrorNotSupported;
	if (!a.texel_bytes)
		return cudaErrorInvalidChannelDescriptor;
	error = host_array_check(width, height, depth, flags, false);
	if (error)
		return error;
	if (!array_bytes(&a, &bytes))
		return cudaErrorMemoryAllocation;
	struct entry *e = calloc(1, sizeof *e);
	if (!e)
		return cudaErrorMemoryAllocation;
	error = call_alloc(&(struct call_alloc){bytes, address_of(caller), 0}, NULL, 0, &out);
	if (error) {
		free(e);
		return error;
	}
	e->array = a;
	e->array.at = out.address;
	add_array(e);
	*handle = &e->array;
	return 0;
}

int host_array_free(void *handle)
{
	int error = host_enter();
	struct entry *e = error ? NULL : remove_array(handle);
	if (error || !e)
		return error ? error : cudaErrorInvalidValue;
	host_references_unbind_array(handle);
	error = call_free(&(struct call_free){e->array.at}, NULL, 0, NULL);
	free(e);
	return error;
}

struct extent { /* cudaExtent */
	size_t width, height, depth;
};

API(cudaMallocArray)(void **array, const struct host_channels *c, size_t width, size_t height, unsigned flags)
{
	return host_leave(array && c ? host_array_create(array, c, width, height, 0, flags, HOST_CALLER())
				     : cudaErrorInvalidValue);
}

API(cudaMalloc3DArray)(void **array, const struct host_channels *c, struct extent e, unsigned flags)
{
	return host_leave(array && c ? host_array_create(array, c, e.width, e.height, e.depth, flags, HOST_CALLER())
				     : cudaErrorInvalidValue);
}

API(cudaFreeArray)(void *array) { return host_leave(array ? host_array_free(array) : 0); }

API(cudaArrayGetInfo)(struct host_channels *c, struct extent *e, unsigned *flags, const void *array)
{
	const struct host_array *a = host_array_of(array);
	if (!a)
		return host_leave(cudaErrorInvalidResourceHandle);
	if (c)
		*c = a->channels;
	if (e)
		*e = (struct extent){a->width, a->height, a->depth};
	if (flags)
		*flags = a->flags;
	return host_leave(0);
}

/* ---- formats of texels ---- */

API_OF(struct host_channels, cudaCreateChannelDesc)(int x, int y, int z, int w, int format)
{
	return (struct host_channels){{x, y, z, w}, format};
}

API(cudaGetChannelDesc)(struct host_channels *c, const void *array)
{
	const struct host_array *a = host_array_of(array);
	if (!a || !c)
		return host_leave(a ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
	*c = a->channels;
	return host_leave(0);
}

static int linear_width(size_t *width, const struct host_channels *c, int device)
{
	enum { MOST = 69 }; /* cudaDevAttrMaxTexture1DLinearWidth: texels of any size */
	const int error = width && c ? device ? cudaErrorInvalidDevice : host_connect() : cudaErrorInvalidValue;
	if (error)
		return error;
	if (!host_texel_bytes(c))
		return cudaErrorInvalidChannelDescriptor;
	*width = (size_t)host_device()->attribute[MOST];
	return 0;
}

API(cudaDeviceGetTexture1DLinearMaxWidth)(size_t *width, const struct host_channels *c, int device)
{
	return host_leave(linear_width(width, c, device));
}

API_OF(int, cuDeviceGetTexture1DLinearMaxWidth)(size_t *width, unsigned format, unsigned n, int device)
{
	struct host_channels c;
	return host_driver_channels(format, n, &c) ? linear_width(width, &c, device) : cudaErrorInvalidValue;
}

/* ---- formats of the driver API ---- */

/* CUarray_format, and the matching cudaChannelFormatKind. */
enum { SIGNED, UNSIGNED, FLOAT };
static const struct format {
	unsigned format;
	int bits, kind;
} formats[] = {{0x01, 8, UNSIGNED}, {0x02, 16, UNSIGNED}, {0x03, 32, UNSIGNED}, {0x08, 8, SIGNED},
	       {0x09, 16, SIGNED},  {0x0a, 32, SIGNED},	  {0x10, 16, FLOAT},	{0x20, 32, FLOAT}};
#define FORMATS (sizeof formats / sizeof *formats)

bool host_driver_channels(unsigned format, unsigned n, struct host_channels *c)
{
	*c = (struct host_channels){0};
	for (size_t k = 0; k < FORMATS; k++) {
		if (formats[k].format != format)
			continue;
		for (unsigned i = 0; i < n && i < 4; i++)
			c->bits[i] = formats[k].bits;
		c->format = formats[k].kind;
		return n == 1 || n == 2 || n == 4;
	}
	return false;
}

bool host_driver_format(const struct host_channels *c, unsigned *format, unsigned *n)
{
	*n = 0;
	while (*n < 4 && c->bits[*n])
		++*n;
	for (size_t k = 0; k < FORMATS; k++)
		if (formats[k].bits == c->bits[0] && formats[k].kind == c->format) {
			*format = formats[k].format;
			return true;
		}
	return false;
}

/* ---- copies ---- */

enum { TO_DEVICE = 1, TO_HOST = 2, WITHIN_DEVICE = 3, BY_ADDRESS = 4 };

static int side_of(const struct host_place *p, const struct host_extent *e, struct host_side *side)
{
	if (!p->array) {
		*side = (struct host_side){address_of(p->p) + p->z * p->slice + p->y * p->pitch + p->x_bytes, p->pitch,
					   p->slice};
		return (e->bytes > p->pitch && e->rows > 1) ? cudaErrorInvalidPitchValue : 0;
	}
	const struct host_array *a = host_array_of(p->array);
	if (!a)
		return cudaErrorInvalidResourceHandle;
	if (!array_contains(a, p->x_bytes, p->y, p->z, e))
		return cudaErrorInvalidValue;
	*side = array_position(a, p->x_bytes, p->y, p->z);
	return 0;
}

int host_place_sides(const struct host_place *to, const struct host_place *from, const struct host_extent *e,
		     struct host_side *a, struct host_side *b)
{
	const int error = side_of(to, e, a);
	return error ? error : side_of(from, e, b);
}

int host_copy_places(const struct host_place *to, const struct host_place *from, const struct host_extent *e,
		     const struct host_order *o)
{
	struct host_side a, b;
	const int error = host_place_sides(to, from, e, &a, &b);
	return error ? error : host_copy_area(&a, &b, e, o);
}

static struct host_order make_order(int kind, void *stream, bool is_async)
{
	return (struct host_order){stream, (uint32_t)kind, is_async};
}

static int copy_to_array(const void *array, size_t x, size_t y, const void *from, size_t pitch, size_t width,
			 size_t height, struct host_order o)
{
	return host_copy_places(&(struct host_place){.array = array, .x_bytes = x, .y = y},
				&(struct host_place){.p = from, .pitch = pitch},
				&(struct host_extent){width, height, 1}, &o);
}

static int copy_from_array(const void *to, size_t pitch, const void *array, size_t x, size_t y, size_t width,
			   size_t height, struct host_order o)
{
	return host_copy_places(&(struct host_place){.p = to, .pitch = pitch},
				&(struct host_place){.array = array, .x_bytes = x, .y = y},
				&(struct host_extent){width, height, 1}, &o);
}

API(cudaMemcpy2DToArray)
(void *to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind)
{
	return host_leave(copy_to_array(to, x, y, from, pitch, width, height, make_order(kind, NULL, false)));
}

API(cudaMemcpy2DToArrayAsync)
(void *to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind, void *stream)
{
	return host_leave(copy_to_array(to, x, y, from, pitch, width, height, make_order(kind, stream, true)));
}

API(cudaMemcpy2DFromArray)
(void *to, size_t pitch, const void *from, size_t x, size_t y, size_t width, size_t height, int kind)
{
	return host_leave(copy_from_array(to, pitch, from, x, y, width, height, make_order(kind, NULL, false)));
}

API(cudaMemcpy2DFromArrayAsync)
(void *to, size_t pitch, const void *from, size_t x, size_t y, size_t width, size_t height, int kind, void *stream)
{
	return host_leave(copy_from_array(to, pitch, from, x, y, width, height, make_order(kind, stream, true)));
}

API(cudaMemcpy2DArrayToArray)
(void *to, size_t to_x, size_t to_y, const void *from, size_t from_x, size_t from_y, size_t width, size_t height,
 int kind)
{
	(void)kind;
	const struct host_order o = make_order(WITHIN_DEVICE, NULL, false);
	return host_leave(host_copy_places(&(struct host_place){.array = to, .x_bytes = to_x, .y = to_y},
					   &(struct host_place){.array = from, .x_bytes = from_x, .y = from_y},
					   &(struct host_extent){width, height, 1}, &o));
}

/* ---- copies of bytes from a position on, across rows, of older toolkits ---- */

static int bytes_side(const void *array, size_t x, size_t y, size_t bytes, struct host_side *side)
{
	const struct host_array *a = host_array_of(array);
	uint64_t all;
	if (!a || !array_bytes(a, &all))
		return cudaErrorInvalidResourceHandle;
	if (x > row_bytes(a) || y > at_least_1(a->height))
		return cudaErrorInvalidValue;
	*side = array_position(a, x, y, 0);
	return bytes > all - (side->at - a->at) ? cudaErrorInvalidValue : 0;
}

static int bytes_to_array(const void *to, size_t x, size_t y, const void *from, size_t bytes, struct host_order o)
{
	struct host_side side;
	const int error = bytes_side(to, x, y, bytes, &side);
	return error ? error
		     : host_copy_area(&side, &(struct host_side){address_of(from), 0, 0},
				      &(struct host_extent){bytes, 1, 1}, &o);
}

static int bytes_from_array(const void *to, const void *from, size_t x, size_t y, size_t bytes, struct host_order o)
{
	struct host_side side;
	const int error = bytes_side(from, x, y, bytes, &side);
	return error ? error
		     : host_copy_area(&(struct host_side){address_of(to), 0, 0}, &side,
				      &(struct host_extent){bytes, 1, 1}, &o);
}

API(cudaMemcpyToArray)(void *to, size_t x, size_t y, const void *from, size_t bytes, int kind)
{
	return host_leave(bytes_to_array(to, x, y, from, bytes, make_order(kind, NULL, false)));
}

API(cudaMemcpyToArrayAsync)(void *to, size_t x, size_t y, const void *from, size_t bytes, int kind, void *stream)
{
	return host_leave(bytes_to_array(to, x, y, from, bytes, make_order(kind, stream, true)));
}

API(cudaMemcpyFromArray)(void *to, const void *from, size_t x, size_t y, size_t bytes, int kind)
{
	return host_leave(bytes_from_array(to, from, x, y, bytes, make_order(kind, NULL, false)));
}

API(cudaMemcpyFromArrayAsync)(void *to, const void *from, size_t x, size_t y, size_t bytes, int kind, void *stream)
{
	return host_leave(bytes_from_array(to, from, x, y, bytes, make_order(kind, stream, true)));
}

API(cudaMemcpyArrayToArray)
(void *to, size_t to_x, size_t to_y, const void *from, size_t from_x, size_t from_y, size_t bytes, int kind)
{
	struct host_side source;
	const int error = bytes_side(from, from_x, from_y, bytes, &source);
	(void)kind;
	return host_leave(error ? error
				: bytes_to_array(to, to_x, to_y, (const void *)(uintptr_t)source.at, bytes,
						 make_order(WITHIN_DEVICE, NULL, false)));
}

/* ---- boxes ---- */

struct box { /* cudaMemcpy3DParms; also cudaMemcpy3DPeerParms without its devices */
	const void *from_array;
	size_t from_at[3];
	struct {
		void *p;
		size_t pitch, width, height;
	} from;
	const void *to_array;
	size_t to_at[3];
	struct {
		void *p;
		size_t pitch, width, height;
	} to;
	struct extent extent;
	int kind;
};

/* Copies a box. Positions and widths are in texels if an array takes part. */
static int copy_box(const struct box *b, void *stream, bool is_async)
{
	const struct host_array *from = b->from_array ? host_array_of(b->from_array) : NULL,
				*to = b->to_array ? host_array_of(b->to_array) : NULL;
	if ((b->from_array && !from) || (b->to_array && !to))
		return cudaErrorInvalidResourceHandle;
	const uint64_t width = to ? to->texel_bytes : from ? from->texel_bytes : 1;
	const struct host_place source = {b->from_array,
					  b->from.p,
					  b->from_at[0] * (from ? from->texel_bytes : 1),
					  b->from_at[1],
					  b->from_at[2],
					  b->from.pitch,
					  b->from.pitch * b->from.height},
				target = {b->to_array,
					  b->to.p,
					  b->to_at[0] * (to ? to->texel_bytes : 1),
					  b->to_at[1],
					  b->to_at[2],
					  b->to.pitch,
					  b->to.pitch * b->to.height};
	const struct host_order o = make_order(b->kind, stream, is_async);
	struct host_extent e = {0, b->extent.height, b->extent.depth};
	return __builtin_mul_overflow(b->extent.width, width, &e.bytes) ? cudaErrorInvalidValue
									: host_copy_places(&target, &source, &e, &o);
}

API(cudaMemcpy3D)(const struct box *b) { return host_leave(b ? copy_box(b, NULL, false) : cudaErrorInvalidValue); }

API(cudaMemcpy3DAsync)(const struct box *b, void *stream)
{
	return host_leave(b ? copy_box(b, stream, true) : cudaErrorInvalidValue);
}

struct peer_box { /* cudaMemcpy3DPeerParms */
	const void *from_array;
	size_t from_at[3];
	struct pitched_part {
		void *p;
		size_t pitch, width, height;
	} from;
	int from_device;
	const void *to_array;
	size_t to_at[3];
	struct pitched_part to;
	int to_device;
	struct extent extent;
};

static int copy_peer(const struct peer_box *b, void *stream, bool is_async)
{
	struct box same;
	if (!b || b->from_device || b->to_device)
		return host_leave(b ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	same = (struct box){
		.from_array = b->from_array, .to_array = b->to_array, .extent = b->extent, .kind = BY_ADDRESS};
	memcpy(same.from_at, b->from_at, sizeof same.from_at);
	memcpy(same.to_at, b->to_at, sizeof same.to_at);
	memcpy(&same.from, &b->from, sizeof same.from);
	memcpy(&same.to, &b->to, sizeof same.to);
	return host_leave(copy_box(&same, stream, is_async));
}

API(cudaMemcpy3DPeer)(const struct peer_box *b) { return copy_peer(b, NULL, false); }
API(cudaMemcpy3DPeerAsync)(const struct peer_box *b, void *stream) { return copy_peer(b, stream, true); }
