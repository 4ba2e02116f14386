/* Arguments of calls: where each is in the caller's activation, and where in the callee's. */
#include "debug/view/view.h"
#include "debug/step/step.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

enum place { PLACE_ROW, PLACE_PRED, PLACE_LOCAL }; /* as in isa_program.aux: kind, place, bytes, type */

static struct debug_argument of_row(uint32_t ref)
{
	if (ISA_REF_BASE(ref) != ISA_BASE_FRAME)
		return (struct debug_argument){.kind = DEBUG_ARGUMENT_CONSTANT};
	return (struct debug_argument){.kind = DEBUG_ARGUMENT_REGISTER, .word = ISA_RW_ROW(ref)};
}

static struct debug_argument of_pred(uint32_t slot)
{
	return (struct debug_argument){.kind = DEBUG_ARGUMENT_REGISTER, .word = ISA_RW_PRED(ISA_PRED_SLOT(slot))};
}

static struct debug_argument in_caller(const uint32_t *words)
{
	if (words[0] == PLACE_LOCAL)
		return (struct debug_argument){.kind = DEBUG_ARGUMENT_MEMORY, .offset = words[1], .bytes = words[2]};
	return words[0] == PLACE_PRED ? of_pred(words[1]) : of_row(words[1]);
}

static struct debug_argument in_callee(const struct isa_function *f, uint32_t k)
{
	const struct isa_variable *v = &f->params[k];
	if (!f->param_regs || f->param_regs[k] == ISA_REF_NONE)
		return (struct debug_argument){
			.kind = DEBUG_ARGUMENT_MEMORY, .offset = (uint32_t)v->address, .bytes = (uint32_t)v->bytes};
	return v->type == ISA_PRED ? of_pred(f->param_regs[k]) : of_row(f->param_regs[k]);
}

bool debug_call_argument(struct debug *d, uint32_t call, uint32_t callee, uint32_t k, struct debug_argument *here,
			 struct debug_argument *there, bool *returns)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = isa_program_function_at(p, callee);
	const uint32_t *words = &p->aux[p->insns[call].aux];
	if (!f || p->insns[call].opcode != ISA_OP_CALL || k >= words[0] || k >= f->n_params)
		return false;
	*here = in_caller(words + 1 + 4 * (size_t)k);
	*there = in_callee(f, k);
	*returns = f->params[k].flags & ISA_VAR_RETURN;
	return true;
}

/* Returns the function without a body that an instruction calls, or NULL. */
static const struct isa_function *builtin_of(const struct isa_program *p, uint32_t call)
{
	const struct isa_insn *i = &p->insns[call];
	if (i->opcode != ISA_OP_CALL || i->handler != ISA_H_call_builtin || i->target >= p->n_functions)
		return NULL;
	return p->functions[i->target];
}

const char *debug_builtin_called(struct debug *d, uint32_t call)
{
	const struct isa_function *f = builtin_of(debug_program(d), call);
	return f ? f->name : NULL;
}

bool debug_builtin_argument(struct debug *d, uint32_t call, uint32_t k, struct debug_argument *here, bool *returns)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = builtin_of(p, call);
	const uint32_t *words = &p->aux[p->insns[call].aux];
	if (!f || k >= words[0] || k >= f->n_params)
		return false;
	*here = in_caller(words + 1 + 4 * (size_t)k);
	*returns = f->params[k].flags & ISA_VAR_RETURN;
	return true;
}
