/* Which instructions load or store floats though their type doesn't say so: a compare-and-swap loop holds its float in an untyped register, from and to which
 * moves copy it. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "debug/step/step.h"
#include "history/trace.h"
#include "isa/opcodes.h"

/* The types of a function's registers, as what moves copy from and to them says. */
struct words {
	struct word {
		uint32_t word;
		uint8_t type; /* enum isa_type: a float type, or ISA_NOTYPE */
	} *w;
	size_t n, cap;
};

static struct word *word_of(struct words *s, uint32_t word)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->w[k].word == word)
			return &s->w[k];
	return NULL;
}

static bool is_float(enum isa_type t) { return isa_type_is_float(t) && isa_type_bytes(t) >= 2; }

/* Returns what is known of a register. */
static struct word *add_word(struct words *s, struct debug *d, uint32_t pc, uint32_t word)
{
	struct debug_operand r;
	struct word *known = word_of(s, word);
	if (known)
		return known;
	const bool is_known = !ISA_RW_IS_PRED(word) && debug_register_of(d, pc, word, &r) && is_float(r.type);
	s->w = xgrow(s->w, &s->cap, s->n + 1, sizeof *s->w);
	s->w[s->n] = (struct word){word, (uint8_t)(is_known ? r.type : ISA_NOTYPE)};
	return &s->w[s->n++];
}

/* Returns true if a move has made a type known. */
static bool follow_move(struct words *s, struct debug *d, uint32_t pc)
{
	const struct isa_program *p = gpu_program(debug_gpu(d));
	const struct isa_where *at = &p->where[pc];
	if (p->insns[pc].opcode != ISA_OP_MOV || at->n_writes != 1 || at->n_reads != 1)
		return false;
	add_word(s, d, pc, p->rw[at->rw]);
	struct word *from = add_word(s, d, pc, p->rw[at->rw + 1]), *to = word_of(s, p->rw[at->rw]);
	if (!from->type == !to->type)
		return false;
	from->type = to->type = from->type ? from->type : to->type;
	return true;
}

/* Returns the float type, as wide as the access, of a register that the instruction loads, stores or exchanges. */
static enum isa_type type_of(struct words *s, struct debug *d, uint32_t pc)
{
	const struct isa_program *p = gpu_program(debug_gpu(d));
	const struct isa_insn *i = &p->insns[pc];
	const struct isa_where *at = &p->where[pc];
	for (uint32_t k = 0; k < (uint32_t)at->n_writes + at->n_reads; k++) {
		const struct word *w = add_word(s, d, pc, p->rw[at->rw + k]);
		if (w->type && isa_type_bytes((enum isa_type)w->type) == isa_type_bytes((enum isa_type)i->type))
			return (enum isa_type)w->type;
	}
	return ISA_NOTYPE;
}

static void look_at_function(struct debug *d, const struct isa_function *f, uint8_t *type, bool *any)
{
	const struct isa_program *p = gpu_program(debug_gpu(d));
	struct words s = {0};
	for (bool more = true; more;) {
		more = false;
		for (uint32_t pc = f->first; pc < f->end; pc++)
			more |= follow_move(&s, d, pc);
	}
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		const struct isa_insn *i = &p->insns[pc];
		const bool accesses = isa_op_is_load(i->opcode) || isa_op_is_store(i->opcode) ||
				      isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM;
		if (!accesses || is_float((enum isa_type)i->type))
			continue;
		type[pc] = (uint8_t)type_of(&s, d, pc);
		*any |= type[pc] != ISA_NOTYPE && i->space != ISA_SPACE_PARAM;
	}
	free(s.w);
}

bool float_words(struct history *h, uint8_t **out)
{
	const struct isa_program *p = gpu_program(h->g);
	bool any = false;
	*out = xcalloc(p->n_insns + 1u, 1);
	for (uint32_t k = 0; k < p->n_functions; k++)
		if (p->functions[k]->is_defined)
			look_at_function(h->d, p->functions[k], *out, &any);
	return any;
}
