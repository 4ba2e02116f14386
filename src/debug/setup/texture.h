/* Textures and surfaces made at the prompt: buffers of texels, with an object of the device that says how they are read. */
#ifndef DEBUG_TEXTURE_H
#define DEBUG_TEXTURE_H

#include "debug/buffers/buffers.h"
#include "debug/debug.h"
#include "gpu/texture.h"

/* Channels of texels: a PTX type and how many. */
struct texel_format {
	enum isa_type type;
	uint8_t channels; /* 1, 2 or 4 */
};
/* Reads TYPE or TYPExC at *s and moves *s behind it. Returns false, with an error in `why`, if there is none. */
bool texel_format_scan(const char **s, struct texel_format *out, struct text *why);
/* Returns the type of an array of `count` texels, each an array of its channels. Returns NULL for texels of one channel, which are numbers. */
const struct ctype *texel_array(struct debug *d, struct texel_format f, uint64_t count);
/* Appends the format of texels: `u8x4`. */
void texture_format_text(const struct gpu_texels *t, struct text *out);
/* Appends the extents of texels: `[64,64] layers 3`. */
void texture_size_text(const struct gpu_texels *t, struct text *out);
/* Appends how a texture is sampled: `address clamp, filter linear, normalized`. */
void texture_modes_text(const struct gpu_texture *t, struct text *out);

/* Makes the texture, or with `is_surface` the surface, that `NAME FORMAT[W[,H[,D]]] ... [= INIT] ...` describes. Returns its buffer of texels, or NULL
 * with an error in `why`. */
const struct debug_buffer *debug_texture_define(struct debug *d, const char *text, bool is_surface, struct text *why);
/* Binds the texture or surface reference TEXREF to the object NAME of `text`, `TEXREF NAME`. Returns false, with an error in `why`, if one of them
 * doesn't exist or they don't fit. */
bool debug_texture_bind(struct debug *d, const char *text, struct text *why);
/* Returns true if each texture or surface reference that the kernel, or a function that it may call, reads is bound. Returns false, with an error in
 * `why`, if one isn't. */
bool texture_references_are_bound(struct debug *d, uint32_t kernel, struct text *why);

#endif
