/* Texture and surface objects inside src/gpu. */
#ifndef GPU_TEXTURE_INTERNAL_H
#define GPU_TEXTURE_INTERNAL_H

#include "gpu/device/internal.h"
#include "gpu/texture.h"

/* Adds the arena's section for texture and surface objects. Returns false if there is no room. */
bool textures_add_section(struct gpu *g);
/* Destroys all objects of a context. */
void textures_end_context(struct gpu *g, uint32_t context);

#endif
