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

/* Returns graph-node parameters for a copy of extent `e` from `from` to `to` in the direction `kind`. A pitch of 0 becomes the row size. */
struct host_copy_params host_area_node(const struct host_side *to, const struct host_side *from,
				       const struct host_extent *e, uint32_t kind);
/* Copies extent `e` from `from` to `to` as `o` says. With o->is_async in a stream being captured, adds the copy to the capture's graph instead.
 * Returns 0, also for an empty extent, or an error. */
int host_copy_area(const struct host_side *to, const struct host_side *from, const struct host_extent *e,
		   const struct host_order *o);
/* Fills extent `e` at `to` with elements `value` of `width` bytes, of which e->bytes is a multiple, as `o` says. In a stream being captured, adds
 * fills to the capture's graph instead. Returns 0, also for an empty extent, or an error. */
int host_fill_area(const struct host_side *to, const struct host_extent *e, uint32_t value, uint32_t width,
		   const struct host_order *o);
/* Allocates `rows` rows of `bytes` bytes for the program's call that returns to `caller`. *at and *pitch get the address and the pitch, `bytes`
 * rounded up to a multiple of 512; without any bytes *at is 0. Returns 0, or an error with both unchanged. */
int host_allocate_rows(uint64_t *at, uint64_t *pitch, uint64_t bytes, uint64_t rows, const void *caller);

#endif
