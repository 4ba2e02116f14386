/* Texture and surface objects inside src/gpu. */
#ifndef GPU_TEXTURE_INTERNAL_H
#define GPU_TEXTURE_INTERNAL_H

#include "gpu/device/internal.h"
#include "gpu/texture.h"

/* Adds the arena's section for texture and surface objects. Returns false if there is no room. */
bool textures_add_section(struct gpu *g);
/* Destroys all objects of a context. */
void textures_end_context(struct gpu *g, uint32_t context);

struct exec_texture;
/* Stores the object of the context with a handle; the address of a bound reference counts as a handle, too. EXEC_ANY_CONTEXT: of any context. `self`
 * is the struct gpu. Returns false if there is none, or if texels of its format can't be read. */
bool textures_find(void *self, uint32_t context, uint64_t handle, struct exec_texture *out);
#endif
