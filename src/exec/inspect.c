/* Where a lane's SIMT entry, a register row and the predicates of an activation are. */
#include "exec/internal.h"

const struct exec_simt *exec_simt_of_lane(const struct exec *x, const struct exec_warp *w, unsigned lane)
{
	const struct exec_simt *first = arena_at(x->arena, x->sec_simt, w->simt);
	for (uint32_t k = w->n_simt; k-- > 0;)
		if (first[k].mask & lanes_bit(lane))
			return &first[k];
	return NULL;
}

void *exec_row(const struct exec *x, const struct exec_warp *w, uint64_t frame, uint32_t ref)
{
	switch (ISA_REF_BASE(ref)) {
	case ISA_BASE_FRAME: return arena_at(x->arena, x->sec_frame, frame + ISA_REF_OFFSET(ref));
	case ISA_BASE_CONST: return x->program->consts + ISA_REF_OFFSET(ref);
	case ISA_BASE_SPECIAL: return arena_at(x->arena, x->sec_special, w->special + ISA_REF_OFFSET(ref));
	default: return NULL;
	}
}

uint32_t *exec_preds(const struct exec *x, uint64_t frame) { return arena_at(x->arena, x->sec_frame, frame); }
