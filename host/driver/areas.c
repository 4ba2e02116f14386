/* The driver API's memory in rows: copies of rectangles and boxes between program, device and arrays; fills; pitched memory. */
#include <string.h>

#include "host/memory/arrays.h"
#include "host/driver/driver.h"

enum { TYPE_HOST = 1, TYPE_DEVICE, TYPE_ARRAY, TYPE_UNIFIED }; /* CUmemorytype */
enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST, DEVICE_TO_DEVICE, BY_ADDRESS };

static void *pointer(uint64_t address) { return (void *)(uintptr_t)address; }

/* A side of CUDA_MEMCPY2D and CUDA_MEMCPY3D. */
struct side_2d {
	size_t x_bytes, y;
	unsigned type;
	const void *host;
	uint64_t device;
	const void *array;
	size_t pitch;
};
struct copy_2d {
	struct side_2d from, to;
	size_t bytes, rows;
};
struct side_3d {
	size_t x_bytes, y, z, level;
	unsigned type;
	const void *host;
	uint64_t device;
	const void *array;
	void *reserved;
	size_t pitch, height;
};
struct copy_3d {
	struct side_3d from, to;
	size_t bytes, rows, slices;
};
_Static_assert(sizeof(struct copy_2d) == 128 && sizeof(struct copy_3d) == 200, "as cuda.h has them");

/* ---- copies ---- */

static int place_of(const struct side_3d *s, const struct copy_3d *c, struct host_place *p)
{
	const bool is_array = s->type == TYPE_ARRAY;
	const uint64_t rows = s->height ? s->height : s->y + c->rows;
	*p = (struct host_place){
		.x_bytes = s->x_bytes, .y = s->y, .z = s->z, .pitch = s->pitch, .slice = s->pitch * rows};
	if (s->type < TYPE_HOST || s->type > TYPE_UNIFIED || s->level)
		return cudaErrorInvalidValue;
	if (is_array) {
		p->array = s->array;
		return s->array ? 0 : cudaErrorInvalidResourceHandle;
	}
	p->p = s->type == TYPE_HOST ? s->host : pointer(s->device);
	return (c->rows > 1 || c->slices > 1) && s->x_bytes + c->bytes > s->pitch ? cudaErrorInvalidValue : 0;
}

static uint32_t direction(unsigned to, unsigned from)
{
	if (to == TYPE_UNIFIED || from == TYPE_UNIFIED)
		return BY_ADDRESS;
	return (to != TYPE_HOST ? HOST_TO_DEVICE : 0u) + (from != TYPE_HOST ? DEVICE_TO_HOST : 0u);
}

static int places_of(const struct copy_3d *c, struct host_place *to, struct host_place *from)
{
	const int error = place_of(&c->to, c, to);
	return error ? error : place_of(&c->from, c, from);
}

static int copy_3d(const struct copy_3d *c, void *stream, bool is_async)
{
	struct host_place to, from;
	const int error = places_of(c, &to, &from);
	if (error)
		return error;
	const struct host_order o = {stream, direction(c->to.type, c->from.type), is_async};
	return AS_DRIVER(host_copy_places(&to, &from, &(struct host_extent){c->bytes, c->rows, c->slices}, &o));
}

static struct side_3d side_3d(const struct side_2d *s)
{
	return (struct side_3d){.x_bytes = s->x_bytes,
				.y = s->y,
				.type = s->type,
				.host = s->host,
				.device = s->device,
				.array = s->array,
				.pitch = s->pitch};
}

static int copy_2d(const struct copy_2d *c, void *stream, bool is_async)
{
	const struct copy_3d box = {side_3d(&c->from), side_3d(&c->to), c->bytes, c->rows, 1};
	return copy_3d(&box, stream, is_async);
}

DRIVER(cuMemcpy2D_v2)(const struct copy_2d *c) { return c ? copy_2d(c, NULL, false) : cudaErrorInvalidValue; }
DRIVER(cuMemcpy3D_v2)(const struct copy_3d *c) { return c ? copy_3d(c, NULL, false) : cudaErrorInvalidValue; }

DRIVER(cuMemcpy2DAsync_v2)(const struct copy_2d *c, void *stream)
{
	return c ? copy_2d(c, stream, true) : cudaErrorInvalidValue;
}

DRIVER(cuMemcpy3DAsync_v2)(const struct copy_3d *c, void *stream)
{
	return c ? copy_3d(c, stream, true) : cudaErrorInvalidValue;
}

/* ---- copies as nodes of graphs: arrays are stored as memory ---- */

int ws_cudaGraphAddMemcpyNode(void *to, void *graph, const void *before, size_t n, const struct host_copy_params *p);
int ws_cudaGraphMemcpyNodeSetParams(void *node, const struct host_copy_params *p);
int ws_cudaGraphExecMemcpyNodeSetParams(void *graph, const void *node, const struct host_copy_params *p);
int ws_cudaGraphMemcpyNodeGetParams(const void *node, struct host_copy_params *p);

static int node_of(const struct copy_3d *c, struct host_copy_params *p)
{
	struct host_place to, from;
	struct host_side a, b;
	const struct host_extent e = {c ? c->bytes : 0, c ? c->rows : 0, c ? c->slices : 0};
	int error = c ? places_of(c, &to, &from) : cudaErrorInvalidValue;
	if (!error)
		error = host_place_sides(&to, &from, &e, &a, &b);
	if (!error)
		*p = host_area_node(&a, &b, &e, direction(c->to.type, c->from.type));
	return error;
}

DRIVER(cuGraphAddMemcpyNode)(void *to, void *graph, const void *before, size_t n, const struct copy_3d *c)
{
	struct host_copy_params p;
	const int error = node_of(c, &p);
	return error ? error : AS_DRIVER(ws_cudaGraphAddMemcpyNode(to, graph, before, n, &p));
}

DRIVER(cuGraphMemcpyNodeSetParams)(void *node, const struct copy_3d *c)
{
	struct host_copy_params p;
	const int error = node_of(c, &p);
	return error ? error : AS_DRIVER(ws_cudaGraphMemcpyNodeSetParams(node, &p));
}

DRIVER(cuGraphExecMemcpyNodeSetParams)(void *graph, const void *node, const struct copy_3d *c)
{
	struct host_copy_params p;
	const int error = node_of(c, &p);
	return error ? error : AS_DRIVER(ws_cudaGraphExecMemcpyNodeSetParams(graph, node, &p));
}

static struct side_3d node_side(const struct host_pitched *p, const size_t place[3], bool is_device)
{
	return (struct side_3d){.x_bytes = place[0],
				.y = place[1],
				.z = place[2],
				.type = is_device ? TYPE_DEVICE : TYPE_HOST,
				.host = is_device ? NULL : p->at,
				.device = is_device ? (uint64_t)(uintptr_t)p->at : 0,
				.pitch = p->pitch,
				.height = p->height};
}

/* An array is returned as the memory it lies in. */
DRIVER(cuGraphMemcpyNodeGetParams)(const void *node, struct copy_3d *c)
{
	struct host_copy_params p;
	const int error = c ? AS_DRIVER(ws_cudaGraphMemcpyNodeGetParams(node, &p)) : cudaErrorInvalidValue;
	if (error)
		return error;
	*c = (struct copy_3d){.from = node_side(&p.from, p.from_place, p.kind & DEVICE_TO_HOST),
			      .to = node_side(&p.to, p.to_place, p.kind & HOST_TO_DEVICE),
			      .bytes = p.extent[0],
			      .rows = p.extent[1],
			      .slices = p.extent[2]};
	if (p.kind == BY_ADDRESS) {
		c->from.type = c->to.type = TYPE_UNIFIED;
		c->from.device = (uint64_t)(uintptr_t)p.from.at;
		c->to.device = (uint64_t)(uintptr_t)p.to.at;
	}
	return 0;
}

/* Nodes of any kind: parameters are those of the runtime, except for copies. */
struct driver_node_params { /* CUgraphNodeParams */
	int type, reserved[3];
	union {
		struct {
			int flags, reserved;
			void *context;
			struct copy_3d params;
		} copy;
		struct {
			void *function;
			uint32_t sizes[7];
			void *arguments, *extra, *kernel;
		} kernel;
		long long all[29];
	};
	long long reserved2;
};
_Static_assert(sizeof(struct driver_node_params) == 256, "as cuda.h has it");

int ws_cudaGraphAddNode_v2(void *to, void *graph, const void *before, const void *edges, size_t n,
			   struct driver_node_params *p);
int ws_cudaGraphNodeSetParams(void *node, const struct driver_node_params *p);
int ws_cudaGraphExecNodeSetParams(void *graph, const void *node, const struct driver_node_params *p);

/* Copies the parameters; a kernel may be named by either of two members. */
static struct driver_node_params with_function(const struct driver_node_params *p)
{
	struct driver_node_params mine = *p;
	if (mine.type == NODE_KERNEL && !mine.kernel.function)
		mine.kernel.function = mine.kernel.kernel;
	return mine;
}

DRIVER(cuGraphAddNode_v2)
(void *to, void *graph, const void *before, const void *edges, size_t n, struct driver_node_params *p)
{
	if (!p)
		return cudaErrorInvalidValue;
	if (p->type == NODE_COPY)
		return ws_cuGraphAddMemcpyNode(to, graph, before, n, &p->copy.params);
	if (p->type != NODE_KERNEL)
		return AS_DRIVER(ws_cudaGraphAddNode_v2(to, graph, before, edges, n, p));
	struct driver_node_params mine = with_function(p);
	return AS_DRIVER(ws_cudaGraphAddNode_v2(to, graph, before, edges, n, &mine));
}

DRIVER(cuGraphAddNode)(void *to, void *graph, const void *before, size_t n, struct driver_node_params *p)
{
	return ws_cuGraphAddNode_v2(to, graph, before, NULL, n, p);
}

DRIVER(cuGraphNodeSetParams)(void *node, const struct driver_node_params *p)
{
	if (!p)
		return cudaErrorInvalidValue;
	if (p->type == NODE_COPY)
		return ws_cuGraphMemcpyNodeSetParams(node, &p->copy.params);
	const struct driver_node_params mine = with_function(p);
	return AS_DRIVER(ws_cudaGraphNodeSetParams(node, &mine));
}

DRIVER(cuGraphExecNodeSetParams)(void *graph, const void *node, const struct driver_node_params *p)
{
	if (!p)
		return cudaErrorInvalidValue;
	if (p->type == NODE_COPY)
		return ws_cuGraphExecMemcpyNodeSetParams(graph, node, &p->copy.params);
	const struct driver_node_params mine = with_function(p);
	return AS_DRIVER(ws_cudaGraphExecNodeSetParams(graph, node, &mine));
}

/* ---- arrays as bytes from an offset on, in the first row ---- */

static struct host_place in_array(const void *array, size_t offset)
{
	return (struct host_place){.array = array, .x_bytes = offset};
}

static int copy_row(const struct host_place *to, const struct host_place *from, size_t n, uint32_t kind, void *stream,
		    bool is_async)
{
	const struct host_order o = {stream, kind, is_async};
	return AS_DRIVER(host_copy_places(to, from, &(struct host_extent){n, 1, 1}, &o));
}

static int copy_to_array(const void *array, size_t offset, const void *from, size_t n, uint32_t kind, void *stream,
			 bool is_async)
{
	const struct host_place to = in_array(array, offset), source = {.p = from};
	return copy_row(&to, &source, n, kind, stream, is_async);
}

static int copy_from_array(const void *to, const void *array, size_t offset, size_t n, uint32_t kind, void *stream,
			   bool is_async)
{
	const struct host_place target = {.p = to}, from = in_array(array, offset);
	return copy_row(&target, &from, n, kind, stream, is_async);
}

DRIVER(cuMemcpyHtoA_v2)(const void *array, size_t offset, const void *from, size_t n)
{
	return copy_to_array(array, offset, from, n, HOST_TO_DEVICE, NULL, false);
}

DRIVER(cuMemcpyHtoAAsync_v2)(const void *array, size_t offset, const void *from, size_t n, void *stream)
{
	return copy_to_array(array, offset, from, n, HOST_TO_DEVICE, stream, true);
}

DRIVER(cuMemcpyDtoA_v2)(const void *array, size_t offset, uint64_t from, size_t n)
{
	return copy_to_array(array, offset, pointer(from), n, DEVICE_TO_DEVICE, NULL, false);
}

DRIVER(cuMemcpyAtoH_v2)(void *to, const void *array, size_t offset, size_t n)
{
	return copy_from_array(to, array, offset, n, DEVICE_TO_HOST, NULL, false);
}

DRIVER(cuMemcpyAtoHAsync_v2)(void *to, const void *array, size_t offset, size_t n, void *stream)
{
	return copy_from_array(to, array, offset, n, DEVICE_TO_HOST, stream, true);
}

DRIVER(cuMemcpyAtoD_v2)(uint64_t to, const void *array, size_t offset, size_t n)
{
	return copy_from_array(pointer(to), array, offset, n, DEVICE_TO_DEVICE, NULL, false);
}

DRIVER(cuMemcpyAtoA_v2)(const void *to, size_t to_offset, const void *from, size_t from_offset, size_t n)
{
	const struct host_place a = in_array(to, to_offset), b = in_array(from, from_offset);
	return copy_row(&a, &b, n, DEVICE_TO_DEVICE, NULL, false);
}

/* ---- fills: n elements in each row ---- */

static int fill_rows(uint64_t to, size_t pitch, uint32_t value, uint32_t width, size_t n, size_t rows,
		     const struct host_order *o)
{
	uint64_t bytes;
	if (__builtin_mul_overflow(n, width, &bytes) || (bytes > pitch && rows > 1))
		return cudaErrorInvalidValue;
	return AS_DRIVER(host_fill_area(&(struct host_side){to, pitch, 0}, &(struct host_extent){bytes, rows, 1}, value,
					width, o));
}

#define FILL(type, bits) \
	DRIVER(cuMemsetD2D##bits##_v2)(uint64_t to, size_t pitch, type value, size_t n, size_t rows) \
	{ \
		return fill_rows(to, pitch, value, bits / 8, n, rows, &(struct host_order){0}); \
	} \
	DRIVER(cuMemsetD2D##bits##Async)(uint64_t to, size_t pitch, type value, size_t n, size_t rows, void *stream) \
	{ \
		return fill_rows(to, pitch, value, bits / 8, n, rows, &(struct host_order){stream, 0, true}); \
	}
FILL(unsigned char, 8)
FILL(unsigned short, 16)
FILL(unsigned, 32)

/* ---- rows with a pitch ---- */

DRIVER(cuMemAllocPitch_v2)(uint64_t *to, size_t *pitch, size_t bytes, size_t rows, unsigned element)
{
	if (!to || !pitch || !bytes || !rows || (element != 4 && element != 8 && element != 16))
		return cudaErrorInvalidValue;
	return AS_DRIVER(host_allocate_rows(to, pitch, bytes, rows, HOST_CALLER()));
}
