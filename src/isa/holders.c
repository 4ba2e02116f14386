/* Follows the address of a variable through a function's registers, whatever their order: a register holds the address if any instruction gives it
 * one. Compilers assign most registers once, so that is exact for what they write. */
#include "isa/holders.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/opcodes.h"

/* Returns whether an opcode's result can be an address because a source is one. */
static bool passes_address(unsigned op)
{
	return op == ISA_OP_MOV || op == ISA_OP_CVTA || op == ISA_OP_ADD || op == ISA_OP_SUB || op == ISA_OP_MAD || op == ISA_OP_SELP ||
	       op == ISA_OP_OR;
}

/* Returns whether an operand of the instruction is the variable's name or a register that holds its address. */
static bool holds_address(const struct isa_program *p, uint32_t pc, const struct isa_operand *o, const struct isa_variable *v,
			  const struct isa_holders *h)
{
	const struct isa_where *w = &p->where[pc];
	const char *text = p->files[w->file].text;
	if (o->kind == ISA_OPERAND_REGISTER)
		return o->word < h->n && h->is_holder[o->word];
	return v && o->kind == ISA_OPERAND_SYMBOL && text && o->n == strlen(v->name) && !memcmp(text + w->offset + o->at, v->name, o->n);
}

bool isa_holders_in(const struct isa_program *p, uint32_t pc, enum isa_operand_role role, const struct isa_variable *v,
			const struct isa_holders *h)
{
	const struct isa_where *w = &p->where[pc];
	for (uint32_t k = 0; k < w->n_operands; k++)
		if (p->operands[w->operands + k].role == role && holds_address(p, pc, &p->operands[w->operands + k], v, h))
			return true;
	return false;
}

/* Marks the registers that an instruction writes. Returns whether one wasn't marked. */
static bool mark_results(const struct isa_program *p, uint32_t pc, struct isa_holders *h)
{
	const struct isa_where *w = &p->where[pc];
	bool is_new = false;
	for (uint32_t k = 0; k < w->n_writes; k++) {
		const uint32_t word = p->rw[w->rw + k];
		is_new |= !h->is_holder[word];
		h->is_holder[word] = 1;
	}
	return is_new;
}

static struct isa_holders none_of(const struct isa_program *p, const struct isa_function *f)
{
	struct isa_holders h = {0};
	for (uint32_t pc = f->first; pc < f->end; pc++)
		for (uint32_t k = 0; k < p->where[pc].n_writes; k++)
			h.n = p->rw[p->where[pc].rw + k] >= h.n ? p->rw[p->where[pc].rw + k] + 1 : h.n;
	h.is_holder = xcalloc(h.n + 1, 1);
	return h;
}

/* Adds registers until no instruction gives another one an address. */
static void add_all(const struct isa_program *p, const struct isa_variable *v, const struct isa_function *f, struct isa_holders *h)
{
	for (bool is_new = true; is_new;) {
		is_new = false;
		for (uint32_t pc = f->first; pc < f->end; pc++)
			if (passes_address(p->insns[pc].opcode) && isa_holders_in(p, pc, ISA_ROLE_SOURCE, v, h))
				is_new |= mark_results(p, pc, h);
	}
}

struct isa_holders isa_holders_find(const struct isa_program *p, const struct isa_variable *v, const struct isa_function *f)
{
	struct isa_holders h = none_of(p, f);
	add_all(p, v, f, &h);
	return h;
}

struct isa_holders isa_holders_of_result(const struct isa_program *p, uint32_t pc, const struct isa_function *f)
{
	struct isa_holders h = none_of(p, f);
	h.begin = pc + 1;
	mark_results(p, pc, &h);
	add_all(p, NULL, f, &h);
	return h;
}

void isa_holders_free(struct isa_holders *h)
{
	free(h->is_holder);
	*h = (struct isa_holders){0};
}

static bool is_written_by(const struct isa_program *p, uint32_t pc, const struct isa_holders *h)
{
	for (uint32_t k = 0; k < p->where[pc].n_writes; k++)
		if (h->is_holder[p->rw[p->where[pc].rw + k]])
			return true;
	return false;
}

void isa_holders_keep_certain(const struct isa_program *p, const struct isa_variable *v, const struct isa_function *f, struct isa_holders *h)
{
	for (bool is_changed = true; is_changed;) {
		is_changed = false;
		for (uint32_t pc = f->first; pc < f->end; pc++) {
			if (!is_written_by(p, pc, h) || pc + 1 == h->begin || (passes_address(p->insns[pc].opcode) && isa_holders_in(p, pc, ISA_ROLE_SOURCE, v, h)))
				continue;
			for (uint32_t k = 0; k < p->where[pc].n_writes; k++)
				h->is_holder[p->rw[p->where[pc].rw + k]] = 0;
			is_changed = true;
		}
	}
}
