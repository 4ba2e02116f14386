/* CUDA's structures that describe texture and surface objects: driver_types.h and texture_types.h of CUDA 12. */
#ifndef TEXTURE_OBJECTS_H
#define TEXTURE_OBJECTS_H

#include <stddef.h>

struct channels {
	int bits[4], format;
};
struct resource { /* cudaResourceDesc, as all toolkits have it */
	int kind;
	union {
		void *array;
		struct {
			void *p;
			struct channels channels;
			size_t width, height, pitch;
		} memory;
	} of;
};
struct texture { /* cudaTextureDesc */
	int address[3], filter, reads, srgb;
	float border[4];
	int normalized;
	unsigned anisotropy;
	int mipmap_filter;
	float bias, least, most;
	int no_trilinear, seamless;
};
struct extent { /* cudaExtent */
	size_t width, height, depth;
};
enum { ARRAY, MIPMAPS, MEMORY, ROWS }; /* cudaResourceType */

#endif
