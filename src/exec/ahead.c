/* A look at registers that a warp hasn't computed yet: straight code is executed for a copy, which is then thrown away. */
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

static bool is_straight(const struct exec *x, uint32_t to)
{
	for (uint32_t pc = x->top->pc; pc < to; pc++)
		if (!only_computes(&x->program->insns[pc]) || pc + 1 == x->top->rpc)
			return false;
	return true;
}

static void compute(struct exec *x, uint32_t to)
{
	for (uint32_t pc = x->top->pc; pc < to; pc++) {
		const struct isa_insn *i = &x->program->insns[pc];
		x->pc = pc;
		x->mask = x->active & exec_pred(x, i->guard);
		if (x->mask)
			x->plain[i->handler](x, i);
		x->event = 0;
	}
}

bool exec_look_ahead(struct exec *x, const struct exec_ahead *a, void (*look)(void *self), void *self)
{
	const struct exec_launch *launch = x->launch;
	const struct isa_function *f = isa_program_function_at(x->program, a->to);
	exec_enter(x, a->launch);
	simt_load_warp(x, a->cta, &a->cta->warp[a->warp]);
	const bool ok = f && a->to >= x->top->pc && x->top->pc >= f->first && is_straight(x, a->to);
	if (ok) {
		char *frame = (char *)exec_preds(x, x->top->frame), *kept = xmalloc(f->frame_bytes);
		memcpy(kept, frame, f->frame_bytes);
		compute(x, a->to);
		look(self);
		memcpy(frame, kept, f->frame_bytes);
		free(kept);
	}
	if (launch)
		exec_enter(x, launch);
	return ok;
}
