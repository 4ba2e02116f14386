/* Texture and surface instructions (PTX ISA "Texture Instructions", "Surface Instructions"): what the fields of isa_insn mean in them.
 *
 *   a       row of the handle, 64 bits; of a .texref, .samplerref or .surfref variable the variable's address
 *   b       row of the sampler's handle in independent mode, or ISA_REF_NONE
 *   mode    enum isa_geometry; txq, suq: enum isa_texture_query; istypep: enum isa_texture_type
 *   mode2   tex: enum isa_lod; tld4: the component, 0 to 3; suld, sust, sured: enum isa_surface_edge
 *   aux     row refs, in this order: vec results (tex, tld4, suld); coordinates; level of detail, or the gradients in x and y; offsets; the
 *           value that depths are compared with; vec sources (sust, sured)
 *   dst     suld of one element, txq, suq: the result's row; istypep: a predicate slot
 *   dst2    tex, tld4: predicate slot "is resident", or ISA_PRED_NONE
 *   c       txq.level: row of the level, else ISA_REF_NONE
 *   type    of the results or sources; type2 of tex: of the coordinates */
#ifndef ISA_TEXTURE_H
#define ISA_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/insn.h"

enum isa_geometry { ISA_GEOMETRY_1D, ISA_GEOMETRY_2D, ISA_GEOMETRY_3D, ISA_GEOMETRY_A1D, ISA_GEOMETRY_A2D, ISA_GEOMETRY_CUBE,
		    ISA_GEOMETRY_ACUBE, ISA_GEOMETRY_2DMS, ISA_GEOMETRY_A2DMS, ISA_GEOMETRIES };
enum isa_lod { ISA_LOD_NONE, ISA_LOD_BASE, ISA_LOD_LEVEL, ISA_LOD_GRADIENT };
enum isa_surface_edge { ISA_EDGE_TRAP, ISA_EDGE_CLAMP, ISA_EDGE_ZERO };
enum isa_texture_type { ISA_IS_TEXREF, ISA_IS_SAMPLERREF, ISA_IS_SURFREF };
enum isa_texture_query {
	ISA_QUERY_WIDTH, ISA_QUERY_HEIGHT, ISA_QUERY_DEPTH, ISA_QUERY_CHANNEL_TYPE, ISA_QUERY_CHANNEL_ORDER, ISA_QUERY_NORMALIZED,
	ISA_QUERY_ARRAY_SIZE, ISA_QUERY_LEVELS, ISA_QUERY_SAMPLES, ISA_QUERY_UNNORMALIZED, ISA_QUERY_FILTER, ISA_QUERY_ADDRESS_0,
	ISA_QUERY_ADDRESS_1, ISA_QUERY_ADDRESS_2, ISA_QUERY_LAYOUT, ISA_QUERIES
};

/* isa_insn.flags of these instructions */
#define ISA_F_TEX_OFFSET 0x0001u  /* offsets are given */
#define ISA_F_TEX_COMPARE 0x0002u /* depths are compared */
#define ISA_F_SURF_TEXELS 0x0004u /* sust.p, sured.p: x counts texels, which are converted */

#define ISA_TEXTURE_ROWS_MAX 24u

/* A geometry's shape. */
struct isa_geometry_info {
	const char *name;     /* as in the opcode */
	uint8_t index;	      /* coordinates before the position: layer, sample number */
	uint8_t position;     /* coordinates of the position: 1 to 3 */
	uint8_t written;      /* elements in the source, padding included */
	uint8_t gradient;     /* elements of a gradient */
	bool is_layered, is_cube, is_sampled;
};
extern const struct isa_geometry_info isa_geometry_info[ISA_GEOMETRIES];
extern const char *const isa_texture_query_names[ISA_QUERIES];

/* Returns the number of coordinates that a texture or surface instruction reads. */
static inline unsigned isa_coordinates(const struct isa_insn *i)
{
	return isa_geometry_info[i->mode].index + isa_geometry_info[i->mode].position;
}
/* Returns the number of register rows that hold a texture instruction's level of detail or gradients. Returns 0 if `is_tex` is false. */
static inline unsigned isa_lod_rows(const struct isa_insn *i, bool is_tex)
{
	return is_tex && i->mode2 == ISA_LOD_LEVEL ? 1u : is_tex && i->mode2 == ISA_LOD_GRADIENT ? 2u * isa_geometry_info[i->mode].gradient : 0u;
}
/* Returns the number of register rows that hold a texture instruction's offsets in texels. */
static inline unsigned isa_offset_rows(const struct isa_insn *i) { return i->flags & ISA_F_TEX_OFFSET ? isa_geometry_info[i->mode].position : 0u; }

#endif
