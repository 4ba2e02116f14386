/* Branches, barriers and votes of a listing, written as PTXPlus. */
#include "ptxplus/sass_insn.h"

void sass_vote(struct sass_converter *c, const struct sass_row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = sass_real_operands(c, index);
	sass_put_head(c, r->plus);
	text_add(&c->code, text_str(&c->modifiers));
	if (!c->source->exact) {
		text_add(&c->code, ".pred");
		sass_note(c, "3.2.2 writes no type, so that the text does not load");
	}
	sass_put_list(c, index, n, &sass_single, '|');
	sass_end_line(c);
}

void sass_barrier_wait(struct sass_converter *c, const struct sass_row *r)
{
	const struct sass_insn *in = c->in;
	(void)r;
	if (!in->n) {
		sass_put_head(c, "bar.sync 0;");
		return;
	}
	if (in->n != 2 || in->operands[0].kind != SASS_BARRIER || in->operands[0].number ||
	    in->operands[1].value != 0xfff) {
		SASS_FAIL(c, in->operands[0].s, "expected b0, 0xfff: all threads at barrier 0");
		return;
	}
	sass_put_head(c, "bar.sync 0x00000000;");
}

static void label(struct sass_converter *c, uint32_t address) { text_addf(&c->code, "l0x%08x", address); }

/* The last operand, if it is a number. */
static bool target(struct sass_converter *c, uint32_t *address)
{
	const uint32_t *value = sass_target(c->in);
	if (!value) {
		SASS_FAIL(c, c->in->at, "expected an address");
		return false;
	}
	*address = *value;
	return true;
}

void sass_branch(struct sass_converter *c, const struct sass_row *r)
{
	struct sass_insn copy = *c->in;
	const struct sass_insn *const in = c->in;
	uint32_t address;
	if (!target(c, &address))
		return;
	if (copy.guard < 0 && copy.n == 2 && copy.operands[0].kind == SASS_PREDICATE)
		copy.guard = (int)copy.operands[0].number;
	if (in->op.s[0] == 'C' && (copy.guard >= 0 || in->n != 1)) {
		SASS_FAIL(c, in->n > 1 ? in->operands[0].s : in->at, "a call has no guard");
		return;
	}
	c->in = &copy;
	sass_put_head(c, r->plus);
	c->in = in;
	if (sass_insn_at(c, address) < c->function->end || c->source->exact)
		label(c, address);
	else
		SASS_FAIL(c, in->operands[in->n - 1].s, "no instruction of the function has this address");
	sass_end_line(c);
}

void sass_sync_point(struct sass_converter *c, const struct sass_row *r)
{
	uint32_t address;
	if (!target(c, &address))
		return;
	sass_put_head(c, r->plus);
	text_addf(&c->code, "0x%08x;", address);
}

/* A break goes to where the innermost PBK says. In 3.2.2 the one that was printed last counts. */
void sass_set_break(struct sass_converter *c, const struct sass_row *r)
{
	uint32_t address;
	if (!target(c, &address))
		return;
	sass_put_head(c, r->plus);
	sass_end_line(c);
	c->last_pbk = c->in;
}

void sass_break(struct sass_converter *c, const struct sass_row *r)
{
	const struct sass_insn *own = c->brk[c->in - c->listing.insns], *pbk = c->source->exact ? c->last_pbk : own;
	if (!pbk && !c->source->exact) {
		SASS_FAIL(c, c->in->at, "no PBK is in effect here");
		return;
	}
	if (own != c->last_pbk)
		sass_note(c, "3.2.2 goes to where the PBK printed last says");
	sass_put_head(c, r->plus);
	if (pbk)
		label(c, pbk->operands[pbk->n - 1].value);
	sass_end_line(c);
}

void sass_bare(struct sass_converter *c, const struct sass_row *r)
{
	if (c->in->n) {
		SASS_FAIL(c, c->in->operands[0].s, "this instruction has no operands");
		return;
	}
	sass_put_head(c, r->plus);
	sass_end_line(c);
}

void sass_computed_branch(struct sass_converter *c, const struct sass_row *r)
{
	sass_put_head(c, r->plus);
	if (c->in->n != 1) {
		SASS_FAIL(c, c->in->at, "expected one operand");
		return;
	}
	sass_put_list(c, (const unsigned[]){0}, 1, &sass_single, '|');
	sass_end_line(c);
}
