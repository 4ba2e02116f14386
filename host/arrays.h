/* Arrays of texels. They lie in device memory row by row, without gaps; only the program has handles of them. */
#ifndef HOST_ARRAYS_H
#define HOST_ARRAYS_H

#include <stdint.h>

#include "host/areas.h"

/* cudaChannelFormatDesc */
struct host_channels {
	int bits[4];
	int format;
};

#define HOST_ARRAY_LAYERED 1u /* cudaArrayLayered */
#define HOST_ARRAY_SURFACE 2u /* cudaArraySurfaceLoadStore */
#define HOST_ARRAY_CUBE 4u    /* cudaArrayCubemap */
struct host_array {
	uint64_t at;
	struct host_channels channels;
	uint64_t width, height, depth; /* as given: 0 for what a 1D or 2D array hasn't */
	unsigned flags;
	uint32_t texel_bytes;
};

/* NULL: it is none, or has been freed. */
const struct host_array *host_array_of(const void *handle);
/* The place of a texel, as a side of a copy. */
struct host_side host_array_side(const struct host_array *a, uint64_t x_bytes, uint64_t y, uint64_t z);
/* A place in an array, or at an address where rows lie `pitch` bytes apart, and slices `slice`. */
struct host_place {
	const void *array; /* NULL: at an address */
	const void *p;
	uint64_t x_bytes, y, z, pitch, slice;
};
int host_place_sides(const struct host_place *to, const struct host_place *from, const struct host_extent *e,
		     struct host_side *a, struct host_side *b);
int host_copy_places(const struct host_place *to, const struct host_place *from, const struct host_extent *e,
		     const struct host_order *o);
int host_array_create(void **handle, const struct host_channels *c, uint64_t width, uint64_t height, uint64_t depth,
		      unsigned flags, const void *caller);
/* May it have these extents? 0, or an error (array_limits.c). */
int host_array_check(uint64_t width, uint64_t height, uint64_t depth, unsigned flags, bool is_mipmapped);
int host_array_free(void *handle);
/* A CUarray_format and a number of channels; false: there is no such format (driver_arrays.c). */
bool host_driver_channels(unsigned format, unsigned n, struct host_channels *c);
bool host_driver_format(const struct host_channels *c, unsigned *format, unsigned *n); /* and back */
uint32_t host_texel_bytes(const struct host_channels *c);			       /* 0: no such format */
/* The largest array of a mipmapped one; NULL: it is none. */
const struct host_array *host_mipmaps_of(const void *handle);

#endif
