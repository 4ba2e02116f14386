/* Arrays of texels. They are stored in device memory row by row without gaps; their handles exist only in the program's process. */
#ifndef HOST_ARRAYS_H
#define HOST_ARRAYS_H

#include <stdint.h>

#include "host/memory/areas.h"

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
	uint64_t width, height, depth; /* as given: 0 for the missing dimensions of a 1D or 2D array */
	unsigned flags;
	uint32_t texel_bytes;
};

/* Returns the array of a handle; NULL if the handle is none, or was freed. */
const struct host_array *host_array_of(const void *handle);
/* A position in an array, or at an address with a pitch between rows and a distance `slice` between slices. */
struct host_place {
	const void *array; /* NULL: the position is at address `p` */
	const void *p;
	uint64_t x_bytes, y, z, pitch, slice;
};
/* Gets both sides of a copy between two places, after checking them against the extent. Returns 0 or an error. */
int host_place_sides(const struct host_place *to, const struct host_place *from, const struct host_extent *e,
		     struct host_side *a, struct host_side *b);
/* Copies between two places. Returns 0 or an error. */
int host_copy_places(const struct host_place *to, const struct host_place *from, const struct host_extent *e,
		     const struct host_order *o);
/* Creates an array and gets its handle. caller: return address of the program's call. Returns 0 or an error. */
int host_array_create(void **handle, const struct host_channels *c, uint64_t width, uint64_t height, uint64_t depth,
		      unsigned flags, const void *caller);
/* Returns 0 if an array may have these extents, or an error (array_limits.c). */
int host_array_check(uint64_t width, uint64_t height, uint64_t depth, unsigned flags, bool is_mipmapped);
/* Frees an array and unbinds references to it. Returns 0 or an error. */
int host_array_free(void *handle);
/* Gets the channels of a CUarray_format and a number of channels. Returns false if there is no such format. */
bool host_driver_channels(unsigned format, unsigned n, struct host_channels *c);
/* Gets the CUarray_format and number of channels. Returns false if there is no such format. */
bool host_driver_format(const struct host_channels *c, unsigned *format, unsigned *n);
/* Returns the size of a texel; 0 if there is no such format. */
uint32_t host_texel_bytes(const struct host_channels *c);
/* Returns the largest array of a mipmapped array; NULL if the handle is none. */
const struct host_array *host_mipmaps_of(const void *handle);

#endif
