/* What textures and surfaces are made of, and how a texture is sampled.
 *
 * Texels lie in global memory, row by row. Sources: CUDA C++ Programming Guide, appendix "Texture Fetching" (filters, 8 bits of fraction in
 * weights, address modes) and "Cubemap Textures"; PTX ISA, "Texture Instructions" and "Surface Instructions". */
#ifndef EXEC_TEXTURE_H
#define EXEC_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#define EXEC_TEXTURE_LEVELS 18u /* the largest extent is 2^17 */

enum exec_channel { EXEC_CHANNEL_UNSIGNED, EXEC_CHANNEL_SIGNED, EXEC_CHANNEL_FLOAT };
enum exec_edge { EXEC_EDGE_WRAP, EXEC_EDGE_CLAMP, EXEC_EDGE_MIRROR, EXEC_EDGE_BORDER }; /* cudaTextureAddressMode */

struct exec_texture {
	uint64_t level_at[EXEC_TEXTURE_LEVELS]; /* address of each level's first texel */
	uint32_t n_levels;
	uint32_t width, height, depth; /* of level 0 in texels, each at least 1 */
	uint32_t layers;	       /* layers, faces of cubes included; 1 if there are none */
	uint64_t pitch;		       /* bytes from a row to the next; 0: rows lie without gaps */
	uint8_t n_channels, channel_bytes, channel; /* 1, 2 or 4; 1, 2 or 4; enum exec_channel */
	uint8_t edge[3];			    /* enum exec_edge for x, y, z */
	bool is_surface, is_layered, is_cube;
	bool is_linear_memory;			/* of a buffer without rows: fetches by number only */
	bool normalized;			/* coordinates count from 0 to 1 */
	bool reads_normalized, srgb;		/* integers become fractions of their largest value */
	bool filters, filters_levels, is_seamless;
	float border[4], bias, least_level, most_level;
};

/* Returns the bytes of a texel. */
static inline uint32_t exec_texel_bytes(const struct exec_texture *t) { return (uint32_t)t->n_channels * t->channel_bytes; }
/* Returns an extent of level `level`, whose extent at level 0 is n. */
static inline uint32_t exec_level_extent(uint32_t n, uint32_t level) { return n >> level ? n >> level : 1; }
/* Returns the address of a texel that exists; z is the layer of a layered texture. */
uint64_t exec_texel_address(const struct exec_texture *t, uint32_t level, uint32_t x, uint32_t y, uint32_t z);

/* A texel that takes part in a result. */
struct exec_texel {
	bool is_border;
	float weight;
	uint64_t address;
};
#define EXEC_TEXELS_MAX 16u

/* What a lane asks for. */
struct exec_sample {
	uint8_t geometry;    /* enum isa_geometry */
	bool by_number;	     /* coordinates are integers: numbers of texels, without filter */
	bool gathers;	     /* the four texels of a bilinear footprint, unweighted, in CUDA's order */
	uint32_t index;	     /* layer */
	int32_t number[3];   /* by_number */
	float at[3];
	int32_t offset[3];
	float level;	     /* of detail; ignored if the texture has one level */
};
/* Finds the texels of a sample and their weights, which add up to 1 unless `gathers`. Returns how many, at most EXEC_TEXELS_MAX. */
unsigned exec_sample_texels(const struct exec_texture *t, const struct exec_sample *s, struct exec_texel out[EXEC_TEXELS_MAX]);

/* Returns the address that the performance model reads for a sample with texels `texel`: one for each look-up, as in GPGPU-Sim 3.2.2. With a filter that is the
 * footprint's first texel; without normalised coordinates it is the texel that has the coordinates. */
uint64_t exec_sample_address(const struct exec_texture *t, const struct exec_sample *s, const struct exec_texel *texel, unsigned n);

struct exec_texture_rows;
struct isa_insn;
/* Fills in where the rows of a texture lie, for the performance model: none for one dimension and for linear memory. */
void exec_texture_rows_of(const struct isa_insn *i, const struct exec_texture *t, struct exec_texture_rows *out);

/* What a lane of a texture or surface instruction reads or writes. */
struct exec_texels {
	struct exec_texture of;
	struct exec_sample sample; /* the coordinates; of surfaces in sample.number and sample.index */
	struct exec_texel texel[EXEC_TEXELS_MAX];
	uint32_t n;	/* texels; 0 if a surface's edge mode drops the access */
	uint32_t bytes; /* of each */
};
struct exec;
struct exec_warp;
/* Finds what tex, tld4, suld, sust or sured accesses in a lane of the warp that is loaded in x. Returns false for other instructions and for handles that
 * name no fitting object; out->sample has the coordinates even then. */
bool exec_texels_of_lane(const struct exec *x, const struct isa_insn *i, unsigned lane, struct exec_texels *out);
/* Adds up the weights of texels that are the same, of which the first one stays, and drops those without a weight. */
void exec_texels_merge(struct exec_texels *t);
/* Finds what the texture or surface instruction at `pc` would access in a lane of any warp, of whichever context, from the registers of the warp's
 * top activation. Returns false as exec_texels_of_lane does. */
bool exec_texels_ahead(const struct exec *x, const struct exec_warp *w, uint32_t pc, unsigned lane, struct exec_texels *out);

/* Returns a channel of a texel at a host address as f32, as the texture's read mode says. `channel` may be one that the texel doesn't have: the fourth is
 * 1 then, others are 0. */
float exec_texel_float(const struct exec_texture *t, const char *texel, unsigned channel);
/* Returns a channel of a texel as an integer of 32 bits, extended by its sign, or as its bits; without a conversion of floats but to f32. */
uint32_t exec_texel_bits(const struct exec_texture *t, const char *texel, unsigned channel);
/* Returns whether what the texture returns are f32 numbers. */
static inline bool exec_texture_is_float(const struct exec_texture *t) { return t->channel == EXEC_CHANNEL_FLOAT || t->reads_normalized; }

#endif
