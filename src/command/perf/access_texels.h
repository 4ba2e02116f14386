/* What a warp's texture or surface instruction reads or writes. Inside src/command only. */
#ifndef COMMAND_ACCESS_TEXELS_H
#define COMMAND_ACCESS_TEXELS_H

#include "debug/ground/ground.h"
#include "debug/view/focus.h"
#include "exec/texture.h"

/* A texture or surface access of a warp that had executed so many instructions before it. */
struct texels_seen {
	uint32_t launch, warp;
	uint64_t cta, executed;
	uint32_t pc;
	uint32_t lanes, found; /* that execute it; whose handles name a fitting object */
	struct exec_texels lane[LANES];
};

/* Returns true if an instruction reads or writes texels. */
bool access_is_of_texels(const struct isa_insn *i);
/* Stores what the instruction at `pc` would access for the warp, from its registers, in **seen, which is allocated if it is NULL; the caller frees it. Returns
 * false if the instruction accesses no texels. */
bool access_texels_at(struct debug *d, const struct debug_where *w, uint32_t pc, struct texels_seen **seen);
/* Returns true if the access is the one that the warp has just made. */
bool access_texels_are_of(const struct texels_seen *s, const struct debug_where *w);
/* Answers `info access` for such an access. */
bool access_texels_picture(struct debug *d, const struct debug_where *w, const struct texels_seen *s, bool is_next, struct report *answer);

#endif
