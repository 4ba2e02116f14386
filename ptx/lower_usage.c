/* The first walk over a module: the highest register numbers used, the calls, the shared variables that a function names.
 *
 * For a register symbol, `index` counts the numbers that need a place: highest number mentioned + 1, 0 if none is. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptx/lower.h"

#define DEPTH_MAX 8u /* operands inside operands */

struct walk {
	struct lower *l;
	struct lower_usage *use;
	uint32_t number;		   /* of the function, from 1 */
	uint32_t *seen_call, *seen_shared; /* per binding: number of the function that has it in its list */
	struct lower_words calls, shared;
};

static void use_register(struct ptx_symbol *s, uint32_t number)
{
	if (number < (s->count ? s->count : 1) && s->index <= number)
		s->index = number + 1;
}

static void use_function(struct walk *w, const struct ptx_symbol *s, bool is_callee)
{
	const struct ptx_symbol *f = lower_function_symbol(s);

	if (!f->index)
		return;
	uint32_t binding = f->index - 1;
	if (!is_callee)
		w->l->bindings[binding].address_taken = true;
	else if (w->seen_call[binding] != w->number) {
		w->seen_call[binding] = w->number;
		lower_push(&w->calls, binding);
	}
}

static void use_dynamic(struct lower_usage *use, const struct ptx_symbol *s)
{
	use->uses_dynamic = true;
	if (s->align > use->dynamic_align)
		use->dynamic_align = s->align;
}

static void use_variable(struct walk *w, const struct ptx_symbol *s)
{
	if (s->space != ISA_SPACE_SHARED)
		return;
	if (s->linkage == ISA_LINK_EXTERN && !s->bytes) {
		use_dynamic(w->use, s);
		return;
	}
	if (!s->index || s->scope != w->l->m->scope)
		return;
	uint32_t binding = s->index - 1;
	if (w->seen_shared[binding] == w->number)
		return;
	w->seen_shared[binding] = w->number;
	lower_push(&w->shared, binding);
}

static void use_targets(struct walk *w, const struct ptx_symbol *s)
{
	for (uint32_t k = 0; k < s->n_targets; k++)
		if (s->target_symbols && s->target_symbols[k] && s->target_symbols[k]->kind == PTX_SYM_FUNCTION)
			use_function(w, s->target_symbols[k], false);
}

static void use_symbol(struct walk *w, struct ptx_symbol *s, bool is_callee)
{
	switch (s->kind) {
	case PTX_SYM_FUNCTION:
	case PTX_SYM_ALIAS: use_function(w, s, is_callee); break;
	case PTX_SYM_VARIABLE: use_variable(w, s); break;
	case PTX_SYM_TARGETS: use_targets(w, s); break;
	default: break;
	}
}

static void use_operand(struct walk *w, const struct ptx_operand *o, bool is_callee, unsigned depth)
{
	switch (o->kind) {
	case PTX_OP_REG:
		if (o->symbol)
			use_register(o->symbol, o->number);
		break;
	case PTX_OP_SYMBOL:
		if (o->symbol)
			use_symbol(w, o->symbol, is_callee);
		break;
	case PTX_OP_VECTOR:
	case PTX_OP_ADDRESS:
	case PTX_OP_TEXADDR:
	case PTX_OP_PAIR:
	case PTX_OP_LIST:
	case PTX_OP_SUM:
		for (uint32_t k = 0; k < o->n_elems && depth < DEPTH_MAX; k++)
			use_operand(w, &o->elems[k], false, depth + 1);
		break;
	default: break;
	}
}

/* Returns true if control never reaches the next instruction from this one. */
static bool is_last(const struct ptx_insn *in)
{
	if (in->guard)
		return false;
	switch (in->opcode->opcode) {
	case ISA_OP_BRA:
	case ISA_OP_BRX:
	case ISA_OP_EXIT:
	case ISA_OP_RET:
	case ISA_OP_RETP:
	case ISA_OP_BREAK:
	case ISA_OP_TRAP: return true;
	default: return false;
	}
}

static bool falls_off(const struct ptx_function *f)
{
	if (!f->n_insns || !is_last(&f->insns[f->n_insns - 1]))
		return true;
	for (uint32_t k = 0; k < f->n_labels; k++)
		if (f->labels[k]->label_at >= f->n_insns && f->labels[k]->label_at != UINT32_MAX)
			return true;
	return false;
}

/* Returns the operand of a call that names the callee: the first that is no list. */
static uint32_t callee_operand(const struct ptx_insn *in)
{
	return in->n_operands && in->operands[0].kind == PTX_OP_LIST ? 1 : 0;
}

static void walk_insn(struct walk *w, const struct ptx_insn *in)
{
	uint32_t callee = in->opcode->opcode == ISA_OP_CALL ? callee_operand(in) : UINT32_MAX;

	if (in->guard)
		use_register(in->guard, in->guard_number);
	for (uint32_t k = 0; k < in->n_operands; k++)
		use_operand(w, &in->operands[k], k == callee, 0);
	if (callee < in->n_operands && in->operands[callee].kind != PTX_OP_SYMBOL)
		w->use->indirect = true;
}

static void walk_function(struct walk *w, struct ptx_function *f)
{
	w->use->f = f;
	w->number++;
	w->calls.n = w->shared.n = 0;
	for (uint32_t k = 0; k < f->n_params; k++)
		if (f->params[k]->kind == PTX_SYM_REG)
			use_register(f->params[k], 0);
	for (uint32_t i = 0; i < f->n_insns; i++)
		walk_insn(w, &f->insns[i]);
	/* dynamic shared memory may be declared inside the function */
	for (uint32_t s = 0; s < f->n_scopes; s++)
		for (uint32_t k = 0; k < f->scopes[s]->n_symbols; k++) {
			const struct ptx_symbol *v = f->scopes[s]->symbols[k];
			if (v->kind == PTX_SYM_VARIABLE && v->space == ISA_SPACE_SHARED && !v->bytes)
				use_dynamic(w->use, v);
		}
	w->use->calls = pool_dup(&w->l->m->pool, w->calls.v, w->calls.n * sizeof *w->calls.v);
	w->use->n_calls = (uint32_t)w->calls.n;
	w->use->shared = pool_dup(&w->l->m->pool, w->shared.v, w->shared.n * sizeof *w->shared.v);
	w->use->n_shared = (uint32_t)w->shared.n;
	w->use->falls_off = falls_off(f);
	lower_plan_extra(w->use, &w->l->m->pool);
}

/* Functions named in initial values: tables of virtual functions. */
static void walk_initialisers(struct walk *w)
{
	for (uint32_t b = 0; b < w->l->n_bindings; b++) {
		const struct ptx_init *init = w->l->bindings[b].symbol->init;
		for (uint32_t k = 0; init && k < init->n; k++)
			if (init->items[k].symbol && init->items[k].symbol->kind == PTX_SYM_FUNCTION)
				use_function(w, init->items[k].symbol, false);
	}
}

void lower_collect_usage(struct lower *l)
{
	struct walk w = {.l = l};

	w.seen_call = xcalloc((size_t)l->n_bindings + 1, sizeof *w.seen_call);
	w.seen_shared = xcalloc((size_t)l->n_bindings + 1, sizeof *w.seen_shared);
	for (struct ptx_function *f = l->m->functions; f; f = f->next)
		l->n_usage += f->has_body;
	l->usage = POOL_ARRAY(&l->m->pool, struct lower_usage, l->n_usage + 1);
	uint32_t n = 0;
	for (struct ptx_function *f = l->m->functions; f; f = f->next) {
		if (!f->has_body)
			continue;
		w.use = &l->usage[n++];
		walk_function(&w, f);
	}
	walk_initialisers(&w);
	free(w.seen_call);
	free(w.seen_shared);
	free(w.calls.v);
	free(w.shared.v);
}
