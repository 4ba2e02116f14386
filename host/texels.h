/* Memory that textures are to read: what the device takes. 0, or an error of the runtime's. */
#ifndef HOST_TEXELS_H
#define HOST_TEXELS_H

#include "host/arrays.h"

#define HOST_ALL_BYTES UINT64_C(0xffffffff) /* the runtime's default: however many there are */
struct host_rows {
	uint64_t at, width, height, pitch; /* width in texels */
	bool any_pitch;			   /* else it has to suit textures */
};

/* *offset: how far it is from an address that textures may have; `told`, where a program asks for it, is the same; NULL: it has to be 0. */
int host_check_texels(uint64_t at, uint64_t bytes, const struct host_channels *c, size_t *offset, size_t *told);
int host_check_rows(const struct host_rows *rows, const struct host_channels *c, size_t *offset, size_t *told);

#endif
