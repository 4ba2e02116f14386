/* Where texels lie for caches and memory. Source: behaviour of GPGPU-Sim 3.2.2.
 *
 * One-dimensional textures lie in memory as they are. Two-dimensional ones are seen as tiles of Tx by Ty texels that fill a line of the L1T,
 * so that neighbours in both directions share one; tiles of a row follow each other 64 bytes apart whatever the line's size. Only the places
 * the memory system sees are those; the values are read where the host has put them. */
#ifndef TIMING_TEXTURE_H
#define TIMING_TEXTURE_H

#include <stdint.h>

struct texture_layout {
	uint64_t base;
	uint32_t width; /* of a row, texels */
	uint32_t texel; /* bytes, a power of two */
	uint32_t line;	/* of the L1T, bytes */
};
/* Returns the width of a tile in texels; its height is line / (width * texel). */
uint32_t texture_tile_width(const struct texture_layout *t);
/* Returns the address that caches and memory see for texel (x, y). */
uint64_t texture_address(const struct texture_layout *t, uint32_t x, uint32_t y);

#endif
