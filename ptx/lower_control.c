/* Control flow: branches, tables of labels, calls. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptx/lower.h"

/* Instruction index of a label, ISA_NO_TARGET if it has none. */
static uint32_t label_index(const struct lower *l, const struct ptx_symbol *s)
{
	if (!s || s->kind != PTX_SYM_LABEL || s->label_at > l->f->n_insns)
		return ISA_NO_TARGET;
	uint32_t at = l->out->first + lower_place_of(l->use, s->label_at);
	return at < l->out->end ? at : ISA_NO_TARGET;
}

static void lower_bra(struct lower *l)
{
	const struct ptx_operand *o = l->in->operands;

	l->insn.reconv = ISA_NO_RECONV;
	l->insn.target = l->in->n_operands == 1 && o->kind == PTX_OP_SYMBOL ? label_index(l, o->symbol) : ISA_NO_TARGET;
	l->insn.handler = l->in->guard ? ISA_H_bra : ISA_H_bra_uni;
	if (l->insn.target == ISA_NO_TARGET)
		lower_unsupported(l);
}

static void lower_brx(struct lower *l)
{
	const struct ptx_operand *o = l->in->operands;
	const struct ptx_symbol *s = l->in->n_operands == 2 && o[1].kind == PTX_OP_SYMBOL ? o[1].symbol : NULL;

	l->insn.target = ISA_NO_TARGET;
	l->insn.reconv = ISA_NO_RECONV;
	if (!s || s->kind != PTX_SYM_TARGETS || !s->n_targets || !s->target_symbols) {
		lower_unsupported(l);
		return;
	}
	uint32_t *words = xmalloc(((size_t)s->n_targets + 1) * sizeof *words), n = 0;
	for (uint32_t k = 0; k < s->n_targets; k++) {
		uint32_t at = label_index(l, s->target_symbols[k]);
		if (at == ISA_NO_TARGET)
			lower_unsupported(l);
		else
			words[++n] = at;
	}
	words[0] = n;
	l->insn.a = lower_source(l, &o[0], ISA_U32);
	l->insn.a_bytes = 4;
	l->insn.aux = lower_aux(l, words, n + 1);
	l->insn.handler = ISA_H_brx_idx;
	free(words);
}

/* ---- calls ---- */

enum arg_kind { ARG_ROW, ARG_PRED, ARG_LOCAL };

struct call {
	const struct ptx_operand *returns, *callee, *args, *table;
	const struct ptx_function *signature; /* NULL: not known */
};

static const struct ptx_function *signature_of(const struct call *c)
{
	const struct ptx_symbol *s = c->callee->kind == PTX_OP_SYMBOL ? c->callee->symbol
				     : c->table			      ? c->table->symbol
								      : NULL;

	if (s && s->kind == PTX_SYM_TARGETS)
		s = s->n_targets && s->target_symbols ? s->target_symbols[0] : NULL;
	return s ? s->function : NULL;
}

static bool take_call(const struct ptx_insn *in, struct call *c)
{
	const struct ptx_operand *o = in->operands, *end = o + in->n_operands;

	*c = (struct call){0};
	if (o < end && o->kind == PTX_OP_LIST)
		c->returns = o++;
	if (o == end)
		return false;
	c->callee = o++;
	if (o < end && o->kind == PTX_OP_LIST)
		c->args = o++;
	if (o < end && o->kind == PTX_OP_SYMBOL)
		c->table = o++;
	c->signature = signature_of(c);
	return true;
}

/* One argument's four words: caller's kind, place, bytes, type. */
static void put_argument(struct lower *l, const struct ptx_operand *o, const struct ptx_symbol *formal, bool is_return,
			 uint32_t *w)
{
	enum isa_type type = formal ? (enum isa_type)formal->type : ISA_B32;

	w[0] = ARG_ROW;
	w[1] = ISA_REF_NONE;
	w[2] = isa_type_bytes(type);
	w[3] = (uint32_t)type;
	switch (o->kind) {
	case PTX_OP_SINK: break;
	case PTX_OP_SYMBOL:
		if (!o->symbol)
			break;
		struct lower_place p = lower_symbol_place(l, o->symbol, o->bits);
		w[0] = ARG_LOCAL;
		w[1] = (uint32_t)p.address;
		w[2] = (uint32_t)o->symbol->bytes;
		w[3] = o->symbol->type;
		if (p.kind != LOWER_PLACE_LOCAL)
			lower_unsupported(l);
		break;
	case PTX_OP_REG:
		if (o->symbol && o->symbol->type == ISA_PRED) {
			w[0] = ARG_PRED;
			w[1] = is_return ? lower_pred_dest(l, o) : lower_pred_source(l, o);
			w[2] = 0;
			w[3] = ISA_PRED;
			break;
		}
		w[1] = is_return ? lower_dest(l, o) : lower_source(l, o, type);
		w[2] = lower_reg_bytes(o);
		w[3] = o->symbol ? o->symbol->type : w[3];
		break;
	case PTX_OP_FLOAT:
		/* the pattern as written where the type is no floating-point one that it is converted to; of less than 32 bits ptxas
		 * passes none */
		w[1] = type == ISA_F32 || type == ISA_F64 ? lower_source(l, o, type)
							  : lower_const_row(l, w[2] < 4 ? 0 : o->bits, 0, w[2]);
		break;
	default: w[1] = lower_source(l, o, type);
	}
}

/* An argument's element k, if it is a vector: a register's row, or a part of the variable that holds all of them. */
static struct ptx_operand argument_element(const struct ptx_operand *o, const struct ptx_symbol *formal, uint32_t k)
{
	struct ptx_operand e = *o;

	if (o->kind == PTX_OP_REG)
		e.dim = (uint8_t)k;
	else if (o->kind == PTX_OP_SYMBOL)
		e.bits += (uint64_t)k * isa_type_bytes((enum isa_type)formal->type);
	return e;
}

static uint32_t put_elements(struct lower *l, const struct ptx_operand *o, const struct ptx_symbol *formal,
			     bool is_return, uint32_t *w)
{
	const uint32_t n = formal ? lower_param_places(formal) : 1;

	if (n == 1) {
		put_argument(l, o, formal, is_return, w);
		return 1;
	}
	for (uint32_t k = 0; k < n; k++) {
		const struct ptx_operand e = argument_element(o, formal, k);

		put_argument(l, &e, formal, is_return, &w[4 * k]);
		if (e.kind == PTX_OP_SYMBOL) {
			w[4 * k + 2] = isa_type_bytes((enum isa_type)formal->type);
			w[4 * k + 3] = formal->type;
		}
	}
	return n;
}

#define VECTOR_MAX 4u /* elements of a vector register */

static uint32_t put_arguments(struct lower *l, const struct call *c)
{
	const uint32_t n_returns = c->returns ? c->returns->n_elems : 0, n_args = c->args ? c->args->n_elems : 0;
	uint32_t *words = xmalloc(((size_t)n_returns + n_args) * VECTOR_MAX * 4 * sizeof *words + sizeof *words);

	words[0] = 0;
	for (uint32_t k = 0; k < n_returns + n_args; k++) {
		bool is_return = k < n_returns;
		const struct ptx_operand *o = is_return ? &c->returns->elems[k] : &c->args->elems[k - n_returns];
		const struct ptx_function *f = c->signature;
		uint32_t place = is_return ? k : (f ? f->n_returns : 0) + k - n_returns;
		bool known = f && (is_return ? k < f->n_returns : place < f->n_params);
		words[0] += put_elements(l, o, known ? f->params[place] : NULL, is_return, &words[1 + 4 * words[0]]);
	}
	uint32_t aux = lower_aux(l, words, words[0] * 4 + 1);
	free(words);
	return aux;
}

static void direct_call(struct lower *l, const struct ptx_symbol *s)
{
	const struct lower_binding *b = lower_binding_of(l, s);

	if (!b || b->index == LINK_NONE) {
		lower_unsupported(l);
		return;
	}
	l->insn.target = b->index;
	l->insn.handler = isa_call_handler(l->p->functions[b->index]);
	if (b->by_ref)
		isa_link_ref(
			l->link,
			(struct link_ref){.kind = LINK_CALL, .byte_of = 0xff, .symbol = b->link, .at = l->p->n_insns});
}

static void lower_call(struct lower *l)
{
	struct call c;

	l->insn.target = ISA_NO_TARGET;
	l->insn.reconv = ISA_NO_RECONV;
	if (!take_call(l->in, &c)) {
		lower_unsupported(l);
		return;
	}
	if (c.callee->kind == PTX_OP_SYMBOL && c.callee->symbol) {
		direct_call(l, c.callee->symbol);
	} else {
		l->insn.a = lower_source(l, c.callee, ISA_B64);
		l->insn.a_bytes = (uint8_t)lower_reg_bytes(c.callee);
		l->insn.handler = ISA_H_call_indirect;
	}
	l->insn.aux = put_arguments(l, &c);
}

void lower_control(struct lower *l)
{
	switch (l->insn.opcode) {
	case ISA_OP_BRA: lower_bra(l); break;
	case ISA_OP_BRX: lower_brx(l); break;
	case ISA_OP_CALL: lower_call(l); break;
	default: /* exit, ret */ break;
	}
}
