/* What an instruction reads and writes: users see the operands as they are written. */
#include <string.h>

#include "debug/view/view.h"
#include "debug/step/step.h"

/* Fills an operand from its row. Returns false if it isn't one that is read. */
static bool operand_of(const struct isa_program *p, uint32_t pc, const struct isa_operand *row, struct debug_operand *out)
{
	static const enum debug_operand_kind kinds[] = {[ISA_OPERAND_REGISTER] = DEBUG_OPERAND_REGISTER,
							[ISA_OPERAND_SPECIAL] = DEBUG_OPERAND_SPECIAL,
							[ISA_OPERAND_CONSTANT] = DEBUG_OPERAND_CONSTANT,
							[ISA_OPERAND_SYMBOL] = DEBUG_OPERAND_CONSTANT,
							[ISA_OPERAND_MEMORY] = DEBUG_OPERAND_MEMORY};
	const struct isa_file *f = &p->files[p->where[pc].file];
	const struct isa_function *in = isa_program_function_at(p, pc);
	struct isa_reg_place place;
	const size_t n = row->n < sizeof out->text ? row->n : sizeof out->text - 1;
	const bool is_register = row->kind == ISA_OPERAND_REGISTER;
	if (row->role == ISA_ROLE_RESULT || !f->text || (row->role == ISA_ROLE_ADDRESS && !is_register))
		return false;
	*out = (struct debug_operand){.kind = kinds[row->kind], .is_address = row->role == ISA_ROLE_ADDRESS, .word = row->word};
	memcpy(out->text, f->text + p->where[pc].offset + row->at, n);
	if (is_register && in && isa_function_find_reg(in, out->text, n, pc, &place))
		out->type = place.type;
	return true;
}

uint32_t debug_operands(struct debug *d, uint32_t pc, struct debug_operand out[DEBUG_OPERANDS_MAX])
{
	const struct isa_program *p = debug_program(d);
	const struct isa_where *w = &p->where[pc];
	uint32_t n = 0;
	for (uint32_t k = 0; k < w->n_operands && n < DEBUG_OPERANDS_MAX; k++)
		n += operand_of(p, pc, &p->operands[w->operands + k], &out[n]);
	return n;
}

bool debug_writes(struct debug *d, uint32_t pc, uint32_t word, uint32_t *which)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_where *w = &p->where[pc];
	for (*which = 0; *which < w->n_writes; ++*which)
		if (p->rw[w->rw + *which] == word)
			return true;
	return false;
}

bool debug_register_of(struct debug *d, uint32_t pc, uint32_t word, struct debug_operand *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	uint32_t number;
	const struct isa_reg *r = f ? isa_function_reg_of(f, word, &number) : NULL;
	*out = (struct debug_operand){.kind = DEBUG_OPERAND_REGISTER, .word = word};
	if (!r || !isa_function_reg_name(f, word, out->text, sizeof out->text))
		return false;
	out->type = (enum isa_type)r->type;
	return true;
}
