/* Calls against their signature, branch tables against their index. */
#include "ptx/check.h"

/* A call's parts: `call (returns), callee, (arguments), prototype;`, all but the callee optional. */
struct call_parts {
	const struct ptx_operand *returns, *callee, *arguments, *table;
};

static bool take_parts(struct ptx_checker *c, struct call_parts *p)
{
	const struct ptx_operand *o = c->insn->operands, *end = o + c->insn->n_operands;

	*p = (struct call_parts){.callee = NULL};
	if (o < end && o->kind == PTX_OP_LIST)
		p->returns = o++;
	if (o == end) {
		check_fail(c, check_opcode_at(c), "call without a function");
		return false;
	}
	p->callee = o++;
	if (o < end && o->kind == PTX_OP_LIST)
		p->arguments = o++;
	if (o < end)
		p->table = o++;
	if (o < end)
		return check_mismatch(c, "an operand", o, "nothing more");
	return true;
}

/* The signature: of the function named, or of the prototype or the first of the targets of an indirect call. */
static const struct ptx_function *find_signature(struct ptx_checker *c, const struct call_parts *p)
{
	const struct ptx_symbol *s;

	if (p->callee->kind == PTX_OP_SYMBOL) {
		s = p->callee->symbol;
		if (p->table) {
			check_mismatch(c, "an operand of a direct call", p->table, "nothing more");
			return NULL;
		}
		if (s && (s->kind == PTX_SYM_FUNCTION || s->kind == PTX_SYM_ALIAS) && s->function)
			return s->function;
		check_mismatch(c, "the callee", p->callee, "a function, or a register with its address");
		return NULL;
	}
	if (p->callee->kind != PTX_OP_REG || !check_reg_fits(ISA_U32, (enum isa_type)p->callee->symbol->type, true)) {
		check_mismatch(c, "the callee", p->callee, "a function, or a register with its address");
		return NULL;
	}
	if (!p->table || p->table->kind != PTX_OP_SYMBOL || !p->table->symbol) {
		check_fail(c, p->callee->at,
			   "an indirect call needs a prototype or a list of call targets as its last operand");
		return NULL;
	}
	s = p->table->symbol;
	if (s->kind == PTX_SYM_PROTOTYPE)
		return s->function;
	if (s->kind == PTX_SYM_TARGETS && s->n_targets && s->target_symbols && s->target_symbols[0])
		return s->target_symbols[0]->function;
	check_mismatch(c, "the last operand", p->table, "a .callprototype or .calltargets label");
	return NULL;
}

/* A parameter variable for a parameter: arrays must have the same size and alignment, scalars agreeing types. */
static bool variable_fits(const struct ptx_symbol *formal, const struct ptx_symbol *actual)
{
	bool array = formal->n_dims > 0;

	if (!actual || actual->kind != PTX_SYM_VARIABLE || actual->space != ISA_SPACE_PARAM ||
	    array != (actual->n_dims > 0))
		return false;
	if (formal->kind == PTX_SYM_REG && formal->vec > 1) /* its elements lie one after the other */
		return !array && actual->bytes == formal->bytes;
	if (!array)
		return formal->vec == actual->vec &&
		       check_reg_fits((enum isa_type)formal->type, (enum isa_type)actual->type, false);
	return !formal->bytes || (formal->bytes == actual->bytes && formal->align == actual->align);
}

/* Vectors in registers go element by element. */
static bool register_fits(const struct ptx_symbol *formal, const struct ptx_operand *o)
{
	const enum isa_type type = (enum isa_type)formal->type, have = (enum isa_type)o->symbol->type;

	if (formal->n_dims || o->dim != PTX_NO_DIM || o->select || formal->vec != o->symbol->vec)
		return false;
	if (formal->vec > 1)
		return formal->kind == PTX_SYM_REG && isa_type_bytes(type) == isa_type_bytes(have);
	return check_reg_fits(type, have, false);
}

/* ptxas also takes vectors and scalars of the same size for each other, a predicate for one of 32 bits, and then reads registers that
 * were never written. */
static bool has_other_shape(const struct ptx_symbol *formal, const struct ptx_operand *o)
{
	const unsigned formal_bytes = formal->vec * isa_type_bytes((enum isa_type)formal->type),
		       bytes = o->symbol->type == ISA_PRED
				       ? 4
				       : o->symbol->vec * isa_type_bytes((enum isa_type)o->symbol->type);

	return formal->kind == PTX_SYM_REG && formal->vec != o->symbol->vec && formal_bytes == bytes &&
	       formal->type != ISA_PRED && o->dim == PTX_NO_DIM && !o->select;
}

/* ... and constants of 32 or 64 bits for vectors, whose elements are then zero. */
static bool is_constant_for_vector(const struct ptx_symbol *formal, const struct ptx_operand *o, bool is_return)
{
	const unsigned bytes = formal->vec * isa_type_bytes((enum isa_type)formal->type);

	if (formal->kind != PTX_SYM_REG || formal->vec <= 1 || is_return)
		return false;
	return o->kind == PTX_OP_FLOAT && o->is_f32 ? bytes == 4 : bytes == 8;
}

static bool argument_fits(struct ptx_checker *c, const struct ptx_symbol *formal, const struct ptx_operand *o,
			  bool is_return)
{
	bool scalar = !formal->n_dims && formal->vec <= 1;

	if (o->negated && !(o->negated == PTX_NOT && formal->type == ISA_PRED))
		return false;
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_OP_REG:
		return register_fits(formal, o) ||
		       (has_other_shape(formal, o) && check_no_meaning(c, o->at, "a vector of another shape"));
	case PTX_OP_FLOAT:
		if (is_constant_for_vector(formal, o, is_return))
			return check_no_meaning(c, o->at, "a constant for a vector");
		if (isa_type_info[formal->type].cls == ISA_CLASS_BITS || formal->type == ISA_F16)
			return scalar && !is_return;
		__attribute__((fallthrough));
	case PTX_OP_INT:
		if (is_constant_for_vector(formal, o, is_return))
			return check_no_meaning(c, o->at, "a constant for a vector");
		return scalar && !is_return && check_constant_fits((enum isa_type)formal->type, o);
	case PTX_OP_SYMBOL: return variable_fits(formal, o->symbol) && !o->symbol->is_param;
	case PTX_OP_SINK: return is_return;
	default: return false;
	}
}

static bool is_parameter(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_SYMBOL && o->symbol && o->symbol->kind == PTX_SYM_VARIABLE && o->symbol->is_param;
}

static void describe_formal(struct text *t, const struct ptx_symbol *s)
{
	if (s->kind == PTX_SYM_REG && s->vec > 1)
		text_addf(t, "a .v%u .%s register", s->vec, isa_type_info[s->type].name);
	else if (s->kind == PTX_SYM_REG)
		text_addf(t, "a .%s register", isa_type_info[s->type].name);
	else if (s->n_dims || s->vec > 1)
		text_addf(t, "a .param variable of %llu bytes with alignment %u", (unsigned long long)s->bytes,
			  s->align);
	else
		text_addf(t, "a .param variable or register of type .%s", isa_type_info[s->type].name);
}

static bool check_list(struct ptx_checker *c, const struct ptx_function *f, const struct ptx_operand *list,
		       bool is_return)
{
	uint32_t n = is_return ? f->n_returns : f->n_params - f->n_returns;
	struct ptx_symbol **formals = f->params + (is_return ? 0 : f->n_returns);
	uint32_t given = list ? list->n_elems : 0;
	bool ok = true;

	if (given != n)
		return check_fail(c, list ? list->at : check_opcode_at(c), "'%.*s' has %u %s%s, the call gives %u",
				  (int)f->name.n, f->name.s, n, is_return ? "return value" : "parameter",
				  n == 1 ? "" : "s", given);
	for (uint32_t i = 0; i < n; i++) {
		struct text t = {0};

		if (argument_fits(c, formals[i], &list->elems[i], is_return))
			continue;
		if (is_parameter(&list->elems[i]))
			return check_fail(c, list->elems[i].at,
					  "parameters of the caller can't be handed on: expected a .param "
					  "variable of its body");
		describe_formal(&t, formals[i]);
		ok = check_mismatch(c, is_return ? "a return value" : "an argument", &list->elems[i], text_str(&t));
		text_free(&t);
	}
	return ok;
}

/* Every function of a .calltargets list must be able to take the call. */
static bool check_targets(struct ptx_checker *c, const struct call_parts *p)
{
	const struct ptx_symbol *list = p->table->symbol;

	for (uint32_t i = 0; i < list->n_targets; i++) {
		const struct ptx_function *f = list->target_symbols[i] ? list->target_symbols[i]->function : NULL;

		if (f && (!check_list(c, f, p->returns, true) || !check_list(c, f, p->arguments, false)))
			return false;
	}
	return true;
}

bool check_call(struct ptx_checker *c)
{
	struct call_parts p;
	const struct ptx_function *f;

	if (!take_parts(c, &p))
		return false;
	f = find_signature(c, &p);
	if (!f)
		return false;
	if (f->is_kernel)
		return check_fail(c, p.callee->at, "'%.*s' is a kernel and can't be called", (int)f->name.n, f->name.s);
	if (p.table && p.table->symbol->kind == PTX_SYM_TARGETS)
		return check_targets(c, &p);
	return check_list(c, f, p.returns, true) && check_list(c, f, p.arguments, false);
}

bool check_branch_table(struct ptx_checker *c, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_SYMBOL && o->symbol && o->symbol->kind == PTX_SYM_TARGETS && o->symbol->n_targets &&
	    o->symbol->target_symbols[0] && o->symbol->target_symbols[0]->kind == PTX_SYM_LABEL)
		return true;
	return check_mismatch(c, "the table", o, "a .branchtargets label");
}
