/* Checks of memory that textures read, against the device's limits. */
#ifndef HOST_TEXELS_H
#define HOST_TEXELS_H

#include "host/memory/arrays.h"

#define HOST_ALL_BYTES UINT64_C(0xffffffff) /* the runtime's default: no limit */
struct host_rows {
	uint64_t at, width, height, pitch; /* width in texels */
	bool any_pitch;			   /* false: the pitch must be aligned for textures */
};

/* Returns 0 if a texture with channels `c` may read `bytes` bytes (HOST_ALL_BYTES: no limit) at `at`, else a runtime error. *offset, and *out_offset
 * if not NULL, get the distance from an aligned address; if `out_offset` is NULL, a distance is an error. */
int host_check_texels(uint64_t at, uint64_t bytes, const struct host_channels *c, size_t *offset, size_t *out_offset);
/* Returns 0 if a texture with channels `c` may read the rows, else a runtime error. *offset, and *out_offset if not NULL, get the distance from an
 * aligned address; if `out_offset` is NULL, a distance is an error. */
int host_check_rows(const struct host_rows *rows, const struct host_channels *c, size_t *offset, size_t *out_offset);

#endif
