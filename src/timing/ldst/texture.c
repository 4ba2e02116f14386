#include "timing/ldst/texture.h"

#include <assert.h>

#define TILE_BYTES 64u /* from one tile to the next */

uint32_t texture_tile_width(const struct texture_layout *t)
{
	uint32_t width = t->line >= 128 ? 16 : t->line >= 32 ? 8 : 4;
	for (uint32_t r = t->texel >> 2; r && width > 1; r >>= 2)
		width >>= 1;
	return width;
}

uint64_t texture_address(const struct texture_layout *t, uint32_t x, uint32_t y)
{
	assert(t->texel && t->line);
	const uint32_t tile = texture_tile_width(t), row = tile * t->texel, height = t->line > row ? t->line / row : 1;
	const uint64_t first = (uint64_t)(y / height) * t->width / tile;
	return t->base + (first + x / tile) * TILE_BYTES + x * t->texel % row + y % height * row;
}
