/* Memory in rows: what 2D and 3D copies and fills have in common, of the runtime and of the driver API. */
#ifndef HOST_AREAS_H
#define HOST_AREAS_H

#include "host/graph.h"

/* Where an area begins, and how far it is to its next row, and to the next slice. */
struct host_side {
	uint64_t at, pitch, slice;
};
struct host_extent {
	uint64_t bytes, rows, slices; /* bytes of a row */
};

/* How a call is to be done. */
struct host_order {
	const void *stream; /* its handle */
	uint32_t kind;
	uint32_t is_async; /* as in call_copy */
};

/* The same as a node of a graph. */
struct host_copy_params host_area_node(const struct host_side *to, const struct host_side *from,
				       const struct host_extent *e, uint32_t kind);
int host_copy_area(const struct host_side *to, const struct host_side *from, const struct host_extent *e,
		   const struct host_order *o);
int host_fill_area(const struct host_side *to, const struct host_extent *e, uint32_t value, uint32_t width,
		   const struct host_order *o);
/* Rows of so many bytes, one behind the other with a distance that suits the device. */
int host_alloc_rows(uint64_t *at, uint64_t *pitch, uint64_t bytes, uint64_t rows, const void *caller);

#endif
