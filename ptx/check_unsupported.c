/* Instructions that load and can't run: of their operands only the result is looked at, a vector of registers. */
#include "isa/opcodes.h"
#include "ptx/check.h"

static bool check_element(struct ptx_checker *c, const struct ptx_operand *e, const struct ptx_operand *first)
{
	if (e->kind == PTX_OP_INT || e->kind == PTX_OP_FLOAT || e->kind == PTX_OP_SYMBOL || e->negated)
		return check_mismatch(c, "an element of the result", e, "a register");
	if (e->kind == PTX_OP_REG && first &&
	    !check_elements_agree((enum isa_type)first->symbol->type, (enum isa_type)e->symbol->type))
		return check_mismatch(c, "an element of the result", e, "the type of the other elements");
	return true;
}

static bool check_result(struct ptx_checker *c, const struct ptx_operand *o, bool may_sink)
{
	const struct ptx_operand *first = NULL;

	if (check_is_vector_reg(o))
		return true;
	if (o->kind != PTX_OP_VECTOR)
		return check_mismatch(c, "the result", o, "a vector of registers in braces");
	for (unsigned i = 0; i < o->n_elems; i++) {
		const struct ptx_operand *e = &o->elems[i];

		if (!check_element(c, e, first))
			return false;
		if (e->kind == PTX_OP_SINK && !may_sink)
			return check_mismatch(c, "an element of the result", e, "a register");
		first = first || e->kind != PTX_OP_REG ? first : e;
	}
	if (!first && o->elems[0].kind == PTX_OP_SINK)
		return check_mismatch(c, "the result", o, "at least one register among the elements");
	return true;
}

bool check_unsupported(struct ptx_checker *c)
{
	const struct ptx_operand *o = c->insn->operands;

	if (!c->insn->n_operands)
		return true;
	if (o->kind == PTX_OP_PAIR)
		o = o->elems;
	switch (c->op->opcode) {
	case ISA_OP_WMMA: return o->kind == PTX_OP_ADDRESS || check_result(c, o, false);
	default: return true;
	}
}
