/* Errors of the checks, and operands that ptxas accepts without a meaning. */
#include <stdarg.h>
#include <string.h>

#include "ptx/check.h"

bool check_fail(struct ptx_checker *c, ptx_offset at, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	if (c->n_errors >= CHECK_MAX_ERRORS)
		return false;
	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	ptx_diag(c->m, DIAG_ERROR, at, "%s", text_str(&t));
	text_free(&t);
	c->n_errors++;
	return false;
}

ptx_offset check_opcode_at(const struct ptx_checker *c)
{
	const char *text = c->m->text + c->insn->at;
	const struct ptx_slice *op = &c->op->text;
	const char *found;

	if (*text != '@')
		return c->insn->at;
	found = memmem(text, c->insn->end - c->insn->at, op->s, op->n);
	/* a guard may be named like the opcode: "@add add.u32"; the last dot-free prefix decides too rarely to matter */
	return found ? (ptx_offset)(found - c->m->text) : c->insn->at;
}

bool check_mismatch(struct ptx_checker *c, const char *what, const struct ptx_operand *o, const char *expected)
{
	struct text t = {0};

	check_describe(&t, o);
	check_fail(c, o->at, "%s of '%.*s' is %s; expected %s", what, (int)c->op->text.n, c->op->text.s, text_str(&t),
		   expected);
	text_free(&t);
	return false;
}

bool check_no_meaning(struct ptx_checker *c, ptx_offset at, const char *what)
{
	if (!c->no_meaning) {
		c->no_meaning = what;
		c->no_meaning_at = at;
	}
	return true;
}
