/* What texture and surface instructions share. Private to src/exec. */
#ifndef EXEC_TEXTURE_UNIT_H
#define EXEC_TEXTURE_UNIT_H

#include "exec/internal.h"
#include "exec/texture.h"
#include "isa/texture.h"

/* ---- texture.c ---- */
/* Stores the object that a handle names. Raises a fault of `lanes` and returns false if there is none, or it is a texture instead of a surface or vice
 * versa. */
bool texture_find(struct exec *x, uint64_t handle, uint32_t lanes, bool is_surface, struct exec_texture *t);
/* Returns the lanes of `lanes` that have the same handles as its lowest lane. */
uint32_t texture_same_handles(const struct exec *x, const struct isa_insn *i, uint32_t lanes);
/* Gives a texture the settings of a separate sampler. */
void texture_take_sampler(struct exec_texture *t, const struct exec_texture *sampler);
/* Returns what a lane asks a texture for: tex, tld4. */
struct exec_sample texture_sample_of(const struct exec *x, const struct isa_insn *i, const struct exec_texture *t, unsigned lane);

/* ---- texture_surface.c ---- */
/* Where a lane of suld, sust or sured accesses a surface. */
struct surface_place {
	int64_t written[3]; /* the coordinates as the lane has them */
	uint32_t index;	    /* the layer as the lane has it */
	uint64_t address;
};
/* Returns the bytes that a lane of the instruction accesses. */
uint32_t texture_surface_bytes(const struct isa_insn *i, const struct exec_texture *t);
/* Finds a lane's place; `rows` are the instruction's coordinates. Returns false if the place is outside of the surface and the instruction doesn't clamp. */
bool texture_surface_place(const struct exec *x, const struct isa_insn *i, const struct exec_texture *t, unsigned lane, const uint32_t *rows,
			   struct surface_place *out);

#endif
