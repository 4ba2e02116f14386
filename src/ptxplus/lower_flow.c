/* Branches, calls and breaks of PTXPlus, and the places to which a branch may lead that names no target. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/opcodes.h"
#include "ptxplus/plus.h"

static uint32_t label_index(const struct lower *l, const struct ptx_symbol *s)
{
	if (!s || s->kind != PTX_SYM_LABEL || s->label_at > l->f->n_insns)
		return ISA_NO_TARGET;
	const uint32_t at = l->out->first + s->label_at;
	return at < l->out->end ? at : ISA_NO_TARGET;
}

static void lower_target(struct lower *l, const struct plus_insn *in, uint16_t handler)
{
	l->insn.target = label_index(l, in->operands[0].symbol);
	l->insn.reconv = ISA_NO_RECONV;
	l->insn.handler = l->insn.target == ISA_NO_TARGET ? ISA_H_UNSUPPORTED : handler;
}

/* The guard of callp is looked at by its handler, which does something also where no lane calls. */
static void lower_call(struct lower *l, const struct plus_insn *in)
{
	lower_target(l, in, ISA_H_plus_call);
	l->insn.c = l->insn.guard;
	l->insn.guard = ISA_PRED_TRUE;
}

static void lower_brx(struct lower *l, const struct plus_insn *in)
{
	struct isa_plus plus = {.n_src = 1};
	uint32_t words[ISA_PLUS_WORDS];
	plus.src[0] = plus_source(l, &in->operands[0], ISA_U32);
	memcpy(words, &plus, sizeof words);
	l->insn.type = ISA_U32;
	l->insn.d = lower_aux(l, words, ISA_PLUS_WORDS);
	l->insn.target = ISA_NO_TARGET;
	l->insn.reconv = ISA_NO_RECONV;
	l->insn.handler = ISA_H_plus_brx;
}

bool plus_lower_flow(struct lower *l, const struct ptx_insn *ptx)
{
	const struct plus_insn *in = plus_of(ptx);
	const struct plus_state *s = plus_state_of(l->m);
	switch (l->insn.opcode) {
	case ISA_OP_BRA: lower_target(l, in, ISA_H_plus_bra); return true;
	case ISA_OP_CALLP: lower_call(l, in); return true;
	case ISA_OP_BREAKADDR:
		lower_target(l, in, ISA_H_plus_breakaddr);
		l->insn.a = s->breaks;
		return true;
	case ISA_OP_BREAK:
		l->insn.handler = ISA_H_plus_break;
		l->insn.target = ISA_NO_TARGET;
		l->insn.reconv = ISA_NO_RECONV;
		l->insn.a = s->breaks;
		return true;
	case ISA_OP_BRX: lower_brx(l, in); return true;
	case ISA_OP_RET:
	case ISA_OP_RETP: l->insn.handler = ISA_H_plus_ret; return true;
	case ISA_OP_EXIT: l->insn.handler = ISA_H_exit; return true;
	case ISA_OP_NOP:
	case ISA_OP_SSY: l->insn.handler = in->exits ? ISA_H_exit : ISA_H_membar; return true;
	default: return false;
	}
}

/* ---- computed branches ---- */

/* Appends an instruction's index unless the list has it; `has` has a flag for each instruction of the function. */
static void add_target(struct lower *l, struct lower_words *w, bool *has, uint32_t at)
{
	bool *const had = &has[at - l->out->first];
	if (!*had)
		lower_push(w, at);
	*had = true;
}

/* The words of the constant from which the address is read are addresses; without one each label may be the target. */
static void find_targets(struct lower *l, uint32_t addresses, const struct ptx_symbol *constant, struct lower_words *w)
{
	const struct ptx_init *init = constant ? constant->init : NULL;
	bool *has = xcalloc(l->out->end - l->out->first + (size_t)1, sizeof *has);
	for (uint64_t k = 0; init && k + 4 <= init->n_bytes; k += 4) {
		uint32_t address;
		memcpy(&address, init->bytes + k, 4);
		const uint32_t at = isa_plus_find(&l->p->aux[addresses], l->out->first, address);
		if (at != ISA_NO_TARGET)
			add_target(l, w, has, at);
	}
	const bool is_any = w->n == 1;
	for (uint32_t k = 0; is_any && k < l->f->n_labels; k++)
		if (label_index(l, l->f->labels[k]) != ISA_NO_TARGET)
			add_target(l, w, has, label_index(l, l->f->labels[k]));
	free(has);
}

/* Returns the index in aux of the addresses of the function's instructions, with their number in front. */
static uint32_t list_addresses(struct lower *l)
{
	struct lower_words w = {0};
	uint32_t address = 0;
	lower_push(&w, l->out->end - l->out->first);
	for (uint32_t k = l->out->first; k < l->out->end; k++) {
		lower_push(&w, address);
		address += isa_insn_bytes(&l->p->insns[k]);
	}
	const uint32_t at = lower_aux(l, w.v, (uint32_t)w.n);
	free(w.v);
	return at;
}

static void resolve_brx(struct lower *l, uint32_t addresses, uint32_t at)
{
	struct plus_state *state = plus_state_of(l->m);
	const struct plus_operand *o = &plus_of(&l->f->insns[at - l->out->first])->operands[0];
	const struct ptx_symbol *constant = o->kind == PLUS_MEMORY ? o->symbol : NULL;
	struct plus_targets *t = state->targets;
	while (t && t->constant != constant)
		t = t->next;
	if (!t) {
		struct lower_words w = {0};
		lower_push(&w, 0);
		find_targets(l, addresses, constant, &w);
		w.v[0] = (uint32_t)w.n - 1;
		lower_push(&w, addresses);
		t = POOL_NEW(&l->m->pool, struct plus_targets);
		*t = (struct plus_targets){state->targets, constant, lower_aux(l, w.v, (uint32_t)w.n)};
		state->targets = t;
		free(w.v);
	}
	l->p->insns[at].aux = t->aux;
}

/* ---- breaks ---- */

/* The addresses that are kept where an instruction runs, as the first way to it has them. */
struct kept {
	uint32_t target;
	const struct kept *below;
};
struct search {
	struct lower *l;
	bool *seen;		    /* per instruction of the function */
	const struct kept **before; /* what is kept in front of it */
	struct lower_words open;    /* instructions to be looked at */
};

static void reach(struct search *s, uint32_t at, const struct kept *k)
{
	const uint32_t n = at - s->l->out->first;
	if (at < s->l->out->first || at >= s->l->out->end || s->seen[n])
		return;
	s->seen[n] = true;
	s->before[n] = k;
	lower_push(&s->open, at);
}

static const struct kept *keep(struct search *s, uint32_t target, const struct kept *below)
{
	struct kept *k = POOL_NEW(&s->l->m->pool, struct kept);
	*k = (struct kept){target, below};
	return k;
}

static void follow(struct search *s, uint32_t at)
{
	struct isa_program *p = s->l->p;
	struct isa_insn *i = &p->insns[at];
	const struct kept *k = s->before[at - s->l->out->first];
	bool goes_on = i->guard != ISA_PRED_TRUE;
	switch (i->opcode) {
	case ISA_OP_BREAKADDR: k = keep(s, i->target, k); goes_on = true; break;
	case ISA_OP_BREAK:
		if (k) {
			i->target = k->target;
			reach(s, k->target, k->below);
		}
		break;
	case ISA_OP_BRA: reach(s, i->target, k); break;
	case ISA_OP_CALLP:
		reach(s, i->target, k);
		goes_on = true;
		break;
	case ISA_OP_BRX:
		for (uint32_t n = 0; i->aux && n < p->aux[i->aux]; n++)
			reach(s, p->aux[i->aux + 1 + n], k);
		break;
	case ISA_OP_EXIT:
	case ISA_OP_RET:
	case ISA_OP_RETP: break;
	default: goes_on = true;
	}
	if (goes_on)
		reach(s, at + 1, k);
}

static void resolve_breaks(struct lower *l)
{
	const uint32_t n = l->out->end - l->out->first;
	struct search s = {.l = l, .seen = xcalloc(n + 1, sizeof *s.seen), .before = xcalloc(n + 1, sizeof *s.before)};
	reach(&s, l->out->first, NULL);
	while (s.open.n)
		follow(&s, s.open.v[--s.open.n]);
	free(s.seen);
	free(s.before);
	free(s.open.v);
}

void plus_resolve_flow(struct lower *l)
{
	uint32_t addresses = 0;
	for (uint32_t k = l->out->first; k < l->out->end; k++) {
		if (l->p->insns[k].handler != ISA_H_plus_brx)
			continue;
		addresses = addresses ? addresses : list_addresses(l);
		resolve_brx(l, addresses, k);
	}
	if (plus_state_of(l->m)->breaks)
		resolve_breaks(l);
}
