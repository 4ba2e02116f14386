/* Semantic checks: walks a parsed module and holds every instruction against its form. */
#include "ptx/check.h"

#include "isa/opcodes.h"

/* The form needs a newer PTX version or a larger target than the module's. */
static void check_minimum(struct ptx_checker *c, const struct ptx_shape *s)
{
	struct ptx_slice what = s->need.n ? s->need : c->op->text;
	const char *dot = s->need.n ? "." : "";
	ptx_offset at = check_opcode_at(c);
	bool new_ptx = s->ptx > c->version, new_sm = s->sm > c->m->sm;

	if (s->need.n)
		at += (ptx_offset)(s->need.s - c->op->text.s) - 1;
	if (new_ptx)
		check_fail(c, at, "'%s%.*s' needs PTX ISA version %u.%u or later, this file is .version %u.%u", dot,
			   (int)what.n, what.s, s->ptx / 10u, s->ptx % 10u, c->m->version_major, c->m->version_minor);
	if (new_sm)
		check_fail(c, at, "'%s%.*s' needs .target sm_%u or higher, this file is .target sm_%u", dot,
			   (int)what.n, what.s, s->sm, c->m->sm);
	if (s->form->specific && !c->m->sm_suffix)
		check_fail(
			c, at,
			"'%s%.*s' needs a target with features of its own such as sm_%ua, this file is .target sm_%u",
			dot, (int)what.n, what.s, s->sm, c->m->sm);
}

static bool is_outdated(const struct ptx_checker *c, const struct ptx_shape *s)
{
	return (s->form->last_ptx || s->form->last_sm) && c->version > s->form->last_ptx && c->m->sm > s->form->last_sm;
}

/* Forms of old PTX versions and targets that newer ones dropped. */
static bool check_outdated(struct ptx_checker *c, const struct ptx_shape *s)
{
	struct text t = {0};

	if (!is_outdated(c, s))
		return true;
	if (s->form->last_ptx)
		text_addf(&t, " after PTX ISA version %u.%u", s->form->last_ptx / 10u, s->form->last_ptx % 10u);
	if (s->form->last_sm)
		text_addf(&t, " above .target sm_%u", s->form->last_sm);
	check_fail(c, check_opcode_at(c), "'%.*s' in this form does not exist%s", (int)c->op->text.n, c->op->text.s,
		   text_str(&t));
	text_free(&t);
	return false;
}

static bool shape_counts(const struct ptx_shape *s, unsigned n)
{
	return (n >= s->n_required && n <= s->n_rules) || (s->n_rules && s->rules[0].kind == PTX_RULE_ANY) ||
	       (s->n_rules && (s->rules[0].kind == PTX_RULE_CALL || s->rules[0].kind == PTX_RULE_MOV));
}

static bool shape_exists(const struct ptx_checker *c, const struct ptx_shape *s)
{
	return s->ptx <= c->version && s->sm <= c->m->sm && (c->m->sm_suffix || !s->form->specific) &&
	       !is_outdated(c, s);
}

/* The form that the operands choose: the right count first, then one that the module's version and target have. */
static const struct ptx_shape *choose_shape(const struct ptx_checker *c)
{
	const struct ptx_shape *found = NULL;

	for (unsigned i = 0; i < c->op->n_shapes; i++) {
		const struct ptx_shape *s = &c->op->shapes[i];

		if (!shape_counts(s, c->insn->n_operands))
			continue;
		if (shape_exists(c, s))
			return s;
		found = found ? found : s;
	}
	return found;
}

static bool check_count(struct ptx_checker *c)
{
	const struct ptx_shape *s = &c->op->shapes[0];
	unsigned n = c->insn->n_operands, low = s->n_required, high = s->n_rules;
	ptx_offset at = n > high ? c->insn->operands[high].at : check_opcode_at(c);
	struct text t = {0};

	for (unsigned i = 1; i < c->op->n_shapes; i++) {
		low = c->op->shapes[i].n_required < low ? c->op->shapes[i].n_required : low;
		high = c->op->shapes[i].n_rules > high ? c->op->shapes[i].n_rules : high;
	}
	if (n > high)
		at = c->insn->operands[high].at;
	text_addf(&t, low == high ? "%u" : "%u to %u", low, high);
	check_fail(c, at, "'%.*s' takes %s operand%s, not %u", (int)c->op->text.n, c->op->text.s, text_str(&t),
		   high == 1 ? "" : "s", n);
	text_free(&t);
	return false;
}

/* Operands that a form leaves to a file of their own. */
static bool check_by_family(struct ptx_checker *c)
{
	switch (isa_opcode_info[c->op->opcode].family) {
	case ISA_FAMILY_TEXTURE: return check_texture(c);
	case ISA_FAMILY_TENSOR: return check_tensor(c);
	default: return true;
	}
}

static bool check_operands(struct ptx_checker *c, const struct ptx_shape *s)
{
	unsigned k = 0;
	bool skip = c->insn->n_operands < s->n_rules, ok = true;

	if (s->n_rules && s->rules[0].kind == PTX_RULE_ANY)
		return check_by_family(c);
	if (s->n_rules && s->rules[0].kind == PTX_RULE_MOV)
		return check_mov(c);
	if (s->n_rules && s->rules[0].kind == PTX_RULE_CALL)
		return check_call(c);
	for (unsigned i = 0; i < s->n_rules && k < c->insn->n_operands; i++) {
		if (skip && s->rules[i].flags & PTX_RULE_OPTIONAL)
			continue;
		ok = check_operand(c, k, &s->rules[i], &c->insn->operands[k]) && ok;
		k++;
	}
	return ok;
}

static void check_guard(struct ptx_checker *c)
{
	const struct ptx_symbol *g = c->insn->guard;

	if (g && (g->kind != PTX_SYM_REG || g->type != ISA_PRED))
		check_fail(c, c->insn->at, "the guard must be a predicate register, '%.*s' is not", (int)g->name.n,
			   g->name.s);
}

/* The opcode being checked, to be written to. */
static struct ptx_opcode *own_opcode(struct ptx_checker *c)
{
	struct ptx_opcode *op = c->m->opcode_list[0];

	for (uint32_t i = 0; op != c->op && i < c->m->n_opcodes; i++)
		op = c->m->opcode_list[i];
	return op;
}

/* One warning for each opcode that loads but can't run, or has modifiers without effect. */
static void warn_once(struct ptx_checker *c)
{
	struct ptx_opcode *op = own_opcode(c);

	if (op->warned)
		return;
	op->warned = true;
	if (op->unsupported)
		ptx_diag(c->m, DIAG_WARNING, check_opcode_at(c),
			 "'%.*s' is not supported yet; reaching it stops with CUDA_EXCEPTION_4", (int)op->text.n,
			 op->text.s);
	if (op->ignored)
		ptx_diag(c->m, DIAG_WARNING, check_opcode_at(c) + op->ignored_col,
			 "'%s' has no effect in '%.*s': ptxas ignores it, and so do we", op->ignored, (int)op->text.n,
			 op->text.s);
}

static void check_insn(struct ptx_checker *c)
{
	const struct ptx_shape *s;

	c->op = c->insn->opcode;
	if (c->insn->guard)
		check_guard(c);
	if (!c->op->form) {
		check_fail(c, check_opcode_at(c) + c->op->error_col, "%s", c->op->error);
		return;
	}
	if ((c->op->unsupported || c->op->ignored) && !c->op->warned)
		warn_once(c);
	s = choose_shape(c);
	if (!s) {
		check_count(c);
		return;
	}
	if (s->ptx > c->version || s->sm > c->m->sm || s->form->specific)
		check_minimum(c, s);
	if (s->form->last_ptx || s->form->last_sm)
		check_outdated(c, s);
	if (c->op->opcode == ISA_OP_TESTP && !c->op->mode)
		check_no_meaning(c, check_opcode_at(c), "no property to test");
	if (check_operands(c, s) && s->n_rules > 1)
		check_memory(c);
}

/* One warning for each opcode. */
static void warn_no_meaning(struct ptx_checker *c)
{
	const struct ptx_opcode *op = c->op;

	if (op->warned_meaning || op->unsupported)
		return;
	own_opcode(c)->warned_meaning = true;
	ptx_diag(c->m, DIAG_WARNING, c->no_meaning_at,
		 "'%.*s' has no meaning with %s, which ptxas accepts; reaching it stops with CUDA_EXCEPTION_4",
		 (int)op->text.n, op->text.s, c->no_meaning);
}

static void check_one(struct ptx_checker *c, struct ptx_insn *in)
{
	const unsigned before = c->n_errors;

	c->insn = in;
	c->no_meaning = NULL;
	check_insn(c);
	in->no_meaning = c->no_meaning && c->n_errors == before;
	if (in->no_meaning)
		warn_no_meaning(c);
}

bool ptx_check(struct ptx_module *m)
{
	struct ptx_checker c = {.m = m, .version = m->version_major * 10 + m->version_minor};

	check_directives(&c);
	for (struct ptx_function *f = m->functions; f; f = f->next) {
		c.fn = f;
		for (uint32_t i = 0; i < f->n_insns && c.n_errors < CHECK_MAX_ERRORS && !ptx_interrupted(m); i++)
			check_one(&c, &f->insns[i]);
	}
	if (c.n_errors >= CHECK_MAX_ERRORS)
		ptx_diag(m, DIAG_NOTE, c.insn ? c.insn->at : 0, "%u errors; the rest of the file was not checked",
			 c.n_errors);
	return !c.n_errors;
}
