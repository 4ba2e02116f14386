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

/* Returns the array with that handle, valid until it is freed; NULL if `handle`, which may be any pointer, is no array's. */
const struct host_array *host_array_of(const void *handle);
/* A position in an array, or at an address with a pitch between rows and a distance `slice` between slices. */
struct host_place {
	const void *array; /* NULL: the position is at address `p` */
	const void *p;
	uint64_t x_bytes, y, z, pitch, slice;
};
/* Converts both places of a copy of extent `e` to addresses and distances: `to` to *a, `from` to *b. Returns 0, or an error if an array doesn't
 * exist, the extent leaves an array, or a pitch is too small for several rows. */
int host_place_sides(const struct host_place *to, const struct host_place *from, const struct host_extent *e,
		     struct host_side *a, struct host_side *b);
/* Copies extent `e` from place `from` to place `to`, each in an array or in memory, as `o` says. With o->is_async in a stream being captured, adds
 * the copy to the capture's graph instead. Returns 0 or an error. */
int host_copy_places(const struct host_place *to, const struct host_place *from, const struct host_extent *e,
		     const struct host_order *o);
/* Allocates an array of texels with channels `c` and these extents (0: no such dimension); *handle gets its handle. Returns 0, or an error if flags,
 * channels or extents aren't supported or memory is short. caller: return address of the program's call. */
int host_array_create(void **handle, const struct host_channels *c, uint64_t width, uint64_t height, uint64_t depth,
		      unsigned flags, const void *caller);
/* Returns 0 if the device allows an array, or with `is_mipmapped` a mipmapped array, with these flags and extents (0: no such dimension). Else
 * returns cudaErrorInvalidValue. */
int host_array_check(uint64_t width, uint64_t height, uint64_t depth, unsigned flags, bool is_mipmapped);
/* Frees an array with its device memory and unbinds references to it. Returns 0, cudaErrorInvalidValue if `handle` is no array's, or another error;
 * if the device can't free the memory, the array is gone, too. */
int host_array_free(void *handle);
/* Sets *c to n channels of the CUarray_format `format`. Returns false, with *c undefined, if the format is unknown or n isn't 1, 2 or 4. */
bool host_driver_channels(unsigned format, unsigned n, struct host_channels *c);
/* Gets the CUarray_format that fits the first channel of *c, and the number of channels. Returns false, with *n set and *format unchanged, if no
 * format has the first channel's bits and kind. */
bool host_driver_format(const struct host_channels *c, unsigned *format, unsigned *n);
/* Returns the bytes of a texel with channels *c. Returns 0 unless there are 1, 2 or 4 channels, all of 8, 16 or 32 bits, of a signed, unsigned or
 * float kind. */
uint32_t host_texel_bytes(const struct host_channels *c);
/* Stores the addresses of a mipmapped array's levels in level[], and returns how many there are, at most GPU_TEXTURE_LEVELS; 0 if `handle`, which may be
 * any pointer, is no mipmapped array's. */
unsigned host_mipmaps_levels(const void *handle, uint64_t *level);
/* Returns the largest level of the mipmapped array with that handle, valid until it is freed; NULL if `handle`, which may be any pointer, is no
 * mipmapped array's. */
const struct host_array *host_mipmaps_of(const void *handle);

#endif
