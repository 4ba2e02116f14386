/* What a texture or surface is to be, from text. Inside src/debug/setup only. */
#ifndef DEBUG_TEXTURE_PARSE_H
#define DEBUG_TEXTURE_PARSE_H

#include "debug/setup/texture.h"

struct texture_plan {
	const char *name; /* n_name characters */
	size_t n_name;
	struct texel_format format;
	bool is_surface, is_cube, has_size, has_lod;
	unsigned dims;
	uint64_t extent[3], layers, levels; /* layers: cubes are counted, 0: not layered; levels: at least 1 */
	struct gpu_sampler sampler;
	uint8_t n_border; /* values of the border that were given */
	char *border[4];  /* their texts, owned */
	const struct debug_buffer *of; /* whose memory it shares, or NULL */
	char *init;	  /* owned; NULL: none */
};
/* Parses the arguments of `texture` or `surface`. Returns false, with an error in `why`, if they are wrong. In either case the caller frees the plan
 * with texture_plan_free. */
bool texture_plan_parse(struct debug *d, const char *args, struct texture_plan *p, struct text *why);
/* Frees what a plan owns. */
void texture_plan_free(struct texture_plan *p);
/* Checks that extents, layers, levels and settings fit each other. Returns false, with an error in `why`, if they don't. */
bool texture_plan_check(struct texture_plan *p, struct text *why);
/* Returns the number of texels in the `levels` largest mipmap levels together; more than BYTES_MAX if that is too large. */
uint64_t texture_plan_texels(const struct texture_plan *p, uint64_t levels);

#endif
