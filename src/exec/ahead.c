/* A look at registers that a warp hasn't computed yet: code that goes forwards is executed, and the registers are then restored. */
#include "exec/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "exec/internal.h"
#include "exec/simt.h"
#include "isa/opcodes.h"

/* Returns true if an instruction only computes registers from registers, or loads a parameter of the kernel. */
static bool only_computes(const struct isa_insn *i)
{
	const uint8_t family = isa_opcode_info[i->opcode].family;
	return family == ISA_FAMILY_ALU || (family == ISA_FAMILY_MEM && i->space == ISA_SPACE_PARAM && !(i->flags & ISA_F_PARAM));
}

/* Returns the lanes of a mask that come to an instruction; coming_to[lane] is where the lane comes to next. */
static uint32_t lanes_at(const uint32_t *coming_to, uint32_t mask, uint32_t pc)
{
	uint32_t lanes = 0;
	LANES_EACH (l, mask)
		lanes |= (uint32_t)(coming_to[l] <= pc) << l;
	return lanes;
}

/* Executes an instruction for lanes that come to it, and notes where a branch sends them. Returns false if the instruction may do more than compute
 * or jump forwards. */
static bool compute_one(struct exec *x, uint32_t pc, uint32_t lanes, uint32_t *coming_to)
{
	const struct isa_insn *i = &x->program->insns[pc];
	const bool jumps = i->opcode == ISA_OP_BRA && i->target != ISA_NO_TARGET && i->target > pc;
	if (!jumps && !only_computes(i))
		return false;
	x->pc = pc;
	x->active = lanes;
	x->mask = lanes & exec_pred(x, i->guard);
	if (jumps) {
		LANES_EACH (l, x->mask)
			coming_to[l] = i->target;
	} else if (x->mask) {
		x->plain[i->handler](x, i);
	}
	x->event = 0;
	return true;
}

/* Executes the instructions in front of `to` for the lanes that come to each. Returns the lanes that come to `to`; 0 if none, or if that isn't known. */
static uint32_t compute(struct exec *x, uint32_t to)
{
	const uint32_t mask = x->top->mask;
	uint32_t coming_to[LANES] = {0};
	for (uint32_t pc = x->top->pc; pc < to; pc++) {
		const uint32_t lanes = lanes_at(coming_to, mask, pc);
		if (pc + 1 == x->top->rpc || (lanes && !compute_one(x, pc, lanes, coming_to)))
			return 0;
	}
	return lanes_at(coming_to, mask, to);
}

bool exec_look_ahead(struct exec *x, const struct exec_ahead *a, void (*look)(void *self), void *self)
{
	const struct exec_launch *launch = x->launch;
	const struct isa_function *f = isa_program_function_at(x->program, a->to);
	exec_enter(x, a->launch);
	simt_load_warp(x, a->cta, &a->cta->warp[a->warp]);
	const uint32_t mask = x->top->mask;
	bool ok = f && a->to >= x->top->pc && x->top->pc >= f->first;
	if (ok) {
		char *frame = (char *)exec_preds(x, x->top->frame), *kept = xmalloc(f->frame_bytes);
		memcpy(kept, frame, f->frame_bytes);
		x->top->mask = compute(x, a->to);
		ok = x->top->mask;
		if (ok)
			look(self);
		x->top->mask = mask;
		memcpy(frame, kept, f->frame_bytes);
		free(kept);
	}
	if (launch)
		exec_enter(x, launch);
	return ok;
}
