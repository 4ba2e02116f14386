#include "isa/print.h"

#include <string.h>

#include "base/text.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"
#include "isa/special.h"

static const char *const space_names[ISA_SPACE_COUNT] = {"generic", "global", "shared", "local",
							 "const",   "param",  "code"};

/* ---- operands ---- */

static void print_const(const struct isa_program *p, uint32_t offset, struct text *out)
{
	/* the row doesn't say how wide it is; the first lane's low bytes tell a reader enough */
	uint64_t v = 0;

	if (offset + 8 > p->n_consts) {
		text_add(out, "#?");
		return;
	}
	memcpy(&v, p->consts + offset, 8);
	/* two equal halves are lanes of 32 bits or less */
	if (v >> 32 == (v & UINT32_MAX))
		v &= UINT32_MAX;
	text_addf(out, "#0x%llx", (unsigned long long)v);
}

static void print_special(uint32_t offset, struct text *out)
{
	static const char dims[] = "xyzw";
	uint32_t row = offset / 128;

	for (unsigned k = 0; k < ISA_SPECIAL_COUNT; k++) {
		const struct isa_special_info *s = &isa_special_info[k];
		if (row < s->row || row >= (uint32_t)s->row + s->dims)
			continue;
		text_add(out, s->name);
		if (s->dims > 1)
			text_addf(out, ".%c", dims[(row - s->row) & 3]);
		return;
	}
	text_add(out, "special?");
}

static void print_ref(const struct isa_program *p, const struct isa_function *f, uint32_t ref, struct text *out)
{
	char name[64];

	switch (ISA_REF_BASE(ref)) {
	case ISA_BASE_FRAME:
		if (f && isa_function_reg_name(f, ISA_RW_ROW(ref), name, sizeof name))
			text_add(out, name);
		else
			text_addf(out, "row+%u", ref);
		break;
	case ISA_BASE_CONST: print_const(p, ISA_REF_OFFSET(ref), out); break;
	case ISA_BASE_SPECIAL: print_special(ISA_REF_OFFSET(ref), out); break;
	default: text_add(out, "_");
	}
}

static void print_pred(const struct isa_function *f, uint32_t pred, struct text *out)
{
	char name[64];

	if (pred & ISA_PRED_NOT)
		text_addc(out, '!');
	if (ISA_PRED_SLOT(pred) == ISA_PRED_TRUE)
		text_add(out, "true");
	else if (ISA_PRED_SLOT(pred) == ISA_PRED_SINK)
		text_addc(out, '_');
	else if (f && isa_function_reg_name(f, ISA_RW_PRED(ISA_PRED_SLOT(pred)), name, sizeof name))
		text_add(out, name);
	else
		text_addf(out, "pred%u", ISA_PRED_SLOT(pred));
}

/* ---- which fields are what ---- */

enum field_kind { FIELD_ROW, FIELD_PRED };

struct fields {
	enum field_kind dst, dst2, a, b, c, d;
};

static struct fields fields_of(const struct isa_insn *i)
{
	struct fields f = {.dst2 = FIELD_PRED};

	switch (i->opcode) {
	case ISA_OP_SETP:
	case ISA_OP_TESTP:
	case ISA_OP_ISSPACEP:
		f.dst = FIELD_PRED;
		f.d = FIELD_PRED;
		break;
	case ISA_OP_SET:
	case ISA_OP_LOP3: f.d = i->opcode == ISA_OP_SET || i->boolop ? FIELD_PRED : FIELD_ROW; break;
	case ISA_OP_SELP: f.c = FIELD_PRED; break;
	case ISA_OP_VOTE:
		f.a = FIELD_PRED;
		f.dst = i->type == ISA_PRED ? FIELD_PRED : FIELD_ROW;
		break;
	case ISA_OP_BAR:
	case ISA_OP_BARRIER:
		f.c = FIELD_PRED;
		f.dst = i->type == ISA_PRED ? FIELD_PRED : FIELD_ROW;
		break;
	default:
		if (i->type == ISA_PRED)
			f.dst = f.a = f.b = FIELD_PRED;
	}
	return f;
}

static bool is_absent(enum field_kind kind, uint32_t v)
{
	return v == ISA_REF_NONE ? true : kind == FIELD_PRED && (v == ISA_PRED_NONE || v == ISA_PRED_SINK);
}

struct printer {
	const struct isa_program *p;
	const struct isa_function *f;
	const struct isa_insn *i;
	struct text *out;
	bool any; /* an operand was printed: a comma comes before the next */
};

static void separate(struct printer *w)
{
	text_add(w->out, w->any ? ", " : " ");
	w->any = true;
}

static void print_field(struct printer *w, enum field_kind kind, uint32_t v)
{
	if (is_absent(kind, v))
		return;
	separate(w);
	if (kind == FIELD_PRED)
		print_pred(w->f, v, w->out);
	else
		print_ref(w->p, w->f, v, w->out);
}

static void print_refs(struct printer *w, uint32_t first, uint32_t n)
{
	separate(w);
	text_addc(w->out, '{');
	for (uint32_t k = 0; k < n && first + k < w->p->n_aux; k++) {
		if (k)
			text_add(w->out, ", ");
		print_ref(w->p, w->f, w->p->aux[first + k], w->out);
	}
	text_addc(w->out, '}');
}

/* ---- families ---- */

static void print_address(struct printer *w)
{
	const struct isa_insn *i = w->i;

	separate(w);
	text_addf(w->out, "%s[", i->space < ISA_SPACE_COUNT ? space_names[i->space] : "?");
	if (i->flags & ISA_F_ADDR_SP)
		text_add(w->out, "sp+");
	if (i->a != ISA_REF_NONE) {
		print_ref(w->p, w->f, i->a, w->out);
		if (i->imm)
			text_addf(w->out, "%+lld", (long long)i->imm);
	} else {
		text_addf(w->out, "0x%llx", (unsigned long long)i->imm);
	}
	text_addc(w->out, ']');
}

static void print_memory(struct printer *w)
{
	const struct isa_insn *i = w->i;
	bool store = i->opcode == ISA_OP_ST;

	if (!store && i->vec > 1 && i->aux)
		print_refs(w, i->aux, i->vec);
	else if (!store)
		print_field(w, FIELD_ROW, i->dst);
	print_address(w);
	if (store && i->vec > 1 && i->aux)
		print_refs(w, i->aux, i->vec);
	print_field(w, FIELD_ROW, i->b);
	print_field(w, FIELD_ROW, i->c);
}

static void print_place(struct printer *w, uint32_t index)
{
	separate(w);
	if (index == UINT32_MAX)
		text_add(w->out, "exit");
	else
		text_addf(w->out, "0x%x", index * ISA_INSN_BYTES);
}

static void print_argument(struct printer *w, const uint32_t *a)
{
	separate(w);
	switch (a[0]) {
	case 0: print_ref(w->p, w->f, a[1], w->out); break;
	case 1: print_pred(w->f, a[1], w->out); break;
	default: text_addf(w->out, "local[sp+0x%x]:%u", a[1], a[2]);
	}
}

static void print_call(struct printer *w)
{
	const struct isa_insn *i = w->i;
	const struct isa_program *p = w->p;

	separate(w);
	if (i->target < p->n_functions)
		text_add(w->out, p->functions[i->target]->name);
	else
		print_ref(p, w->f, i->a, w->out);
	for (uint32_t k = 0; i->aux && k < p->aux[i->aux]; k++)
		print_argument(w, &p->aux[i->aux + 1 + 4 * k]);
}

static void print_branch(struct printer *w)
{
	const struct isa_insn *i = w->i;

	if (i->opcode == ISA_OP_BRA) {
		print_place(w, i->target);
	} else {
		print_field(w, FIELD_ROW, i->a);
		for (uint32_t k = 0; i->aux && k < w->p->aux[i->aux]; k++)
			print_place(w, w->p->aux[i->aux + 1 + k]);
	}
	text_add(w->out, "; lanes meet at");
	w->any = false;
	print_place(w, i->reconv);
}

static void print_plain(struct printer *w)
{
	const struct isa_insn *i = w->i;
	struct fields f = fields_of(i);
	bool pack = i->opcode == ISA_OP_MOV && i->vec > 1 && i->aux;

	print_field(w, f.dst, i->dst);
	print_field(w, f.dst2, i->dst2);
	if (pack)
		print_refs(w, i->aux, i->vec);
	print_field(w, f.a, i->a);
	print_field(w, f.b, i->b);
	print_field(w, f.c, i->c);
	print_field(w, f.d, i->d);
	if (i->imm) {
		separate(w);
		text_addf(w->out, "imm 0x%llx", (unsigned long long)i->imm);
	}
}

void isa_insn_print(const struct isa_program *p, uint32_t index, struct text *out)
{
	const struct isa_insn *i = &p->insns[index];
	struct printer w = {p, isa_program_function_at(p, index), i, out, false};

	if (i->guard != ISA_PRED_TRUE) {
		text_addc(out, '@');
		print_pred(w.f, i->guard, out);
		text_addc(out, ' ');
	}
	if (i->handler == ISA_H_UNSUPPORTED)
		text_addf(out, "unsupported(%s)", isa_opcode_info[i->opcode].name);
	else
		text_add(out, isa_handler_names[i->handler]);
	switch (isa_opcode_info[i->opcode].family) {
	case ISA_FAMILY_MEM:
	case ISA_FAMILY_ATOM: print_memory(&w); break;
	case ISA_FAMILY_BRANCH: print_branch(&w); break;
	case ISA_FAMILY_CALL: print_call(&w); break;
	default:
		if (i->opcode == ISA_OP_CVTA) {
			print_field(&w, FIELD_ROW, i->dst);
			print_address(&w);
		} else {
			print_plain(&w);
		}
	}
}
