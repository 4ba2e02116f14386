/* Memory in rows: the common part of 2D and 3D copies and fills of the runtime and the driver API. */
#ifndef HOST_AREAS_H
#define HOST_AREAS_H

#include "host/graph/graph.h"

/* The start of an area, and the distances from row to row and from slice to slice. */
struct host_side {
	uint64_t at, pitch, slice;
};
struct host_extent {
	uint64_t bytes, rows, slices; /* bytes: size of a row */
};

/* How to execute a call. */
struct host_order {
	const void *stream; /* handle of the stream */
	uint32_t kind;
	uint32_t is_async; /* as in call_copy */
};

/* Returns a copy of an area as the parameters of a graph node. */
struct host_copy_params host_area_node(const struct host_side *to, const struct host_side *from,
				       const struct host_extent *e, uint32_t kind);
/* Copies an area, or adds it to the graph that the stream captures. Returns 0 or an error. */
int host_copy_area(const struct host_side *to, const struct host_side *from, const struct host_extent *e,
		   const struct host_order *o);
/* Fills an area with `value`, an element of `width` bytes, or adds it to the graph that the stream captures. Returns 0 or an error. */
int host_fill_area(const struct host_side *to, const struct host_extent *e, uint32_t value, uint32_t width,
		   const struct host_order *o);
/* Allocates rows of that many bytes with the device's pitch; gets their address and pitch. caller: return address of the program's call. Returns 0 or
 * an error. */
int host_allocate_rows(uint64_t *at, uint64_t *pitch, uint64_t bytes, uint64_t rows, const void *caller);

#endif
