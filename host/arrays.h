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
int host_array_create(void **handle, const struct host_channels *c, uint64_t width, uint64_t height, uint64_t depth, unsigned flags,
		      const void *caller);
int host_array_free(void *handle);
/* Is it a mipmapped array (textures.c asks)? */
bool host_mipmaps_known(const void *handle);

#endif
