/* Arguments that their function hasn't taken yet. Debug information of -G code says where they are once the function's first instructions,
 * its prologue, have moved them there; until then they are in the parameters of PTX. */
#include "debug/csource/cnames.h"
#include "isa/opcodes.h"

static bool same_line(const struct isa_program *p, uint32_t a, uint32_t b)
{
	if (a >= p->n_locs || b >= p->n_locs)
		return a == b;
	const struct isa_loc *x = &p->locs[a], *y = &p->locs[b];
	return x->file == y->file && x->line == y->line && x->col == y->col;
}

static bool writes(const struct isa_program *p, uint32_t pc, const struct isa_reg_place *reg)
{
	const struct isa_where *w = &p->where[pc];
	const uint32_t word = reg->is_pred ? ISA_RW_PRED(reg->ref) : ISA_RW_ROW(reg->ref);
	for (uint32_t k = 0; k < w->n_writes; k++)
		if (p->rw[w->rw + k] == word)
			return true;
	return false;
}

static bool jumps(const struct isa_program *p, uint32_t pc)
{
	const uint8_t family = isa_opcode_info[p->insns[pc].opcode].family;
	return family == ISA_FAMILY_BRANCH || family == ISA_FAMILY_CALL || family == ISA_FAMILY_EXIT;
}

bool cargument_in_prologue(const struct isa_program *p, const struct isa_function *f, uint32_t pc)
{
	if (pc < f->first || pc >= f->end)
		return false;
	for (uint32_t i = f->first; i < pc; i++)
		if (jumps(p, i) || !same_line(p, p->where[f->first].loc, p->where[i + 1].loc))
			return false;
	return true;
}

const struct isa_variable *cargument_untaken(const struct isa_program *p, const struct isa_function *f,
					     const struct cvar *v, uint32_t pc)
{
	if (!v->parameter || !cargument_in_prologue(p, f, pc))
		return NULL;
	const struct cplace *place = cvar_place(v, pc);
	for (uint32_t i = f->first; place && place->kind == CPLACE_REGISTER && i < pc; i++)
		if (writes(p, i, &place->reg))
			return NULL;
	return v->parameter;
}
