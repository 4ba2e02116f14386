/* What an instruction reads and writes, by its text: users see the operands as they have written them. */
#include <ctype.h>
#include <string.h>

#include "debug/scan.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "debug/why/origin.h"
#include "isa/opcodes.h"

struct operands {
	struct debug *d;
	const struct isa_function *f;
	uint32_t pc, n;
	struct debug_operand *out;
};

static struct debug_operand *add(struct operands *o, enum debug_operand_kind kind, const char *s, size_t n)
{
	if (o->n == DEBUG_OPERANDS_MAX)
		return &o->out[o->n - 1];
	struct debug_operand *p = &o->out[o->n++];
	*p = (struct debug_operand){.kind = kind};
	n = n < sizeof p->text ? n : sizeof p->text - 1;
	memcpy(p->text, s, n);
	return p;
}

/* A name or a number. */
static void add_word(struct operands *o, const char *s, size_t n, bool in_address)
{
	struct isa_reg_place place;
	if (o->f && isa_function_find_reg(o->f, s, n, o->pc, &place)) {
		struct debug_operand *p = add(o, DEBUG_OPERAND_REGISTER, s, n);
		p->type = place.type;
		p->word = place.is_pred ? ISA_RW_PRED(ISA_PRED_SLOT(place.ref)) : ISA_RW_ROW(place.ref);
	} else if (!in_address && *s != '_') {
		add(o, *s == '%' ? DEBUG_OPERAND_SPECIAL : DEBUG_OPERAND_CONSTANT, s, n);
	}
}

static bool is_word(char c) { return c && strchr("_%$.", c) ? true : isalnum((unsigned char)c) != 0; }

/* All words of a piece of text. */
static void add_words(struct operands *o, const char *s, size_t n, bool in_address)
{
	for (size_t k = 0; k < n;) {
		size_t end = k;
		while (end < n && is_word(s[end]))
			end++;
		const bool negative = end > k && k && s[k - 1] == '-' && isdigit((unsigned char)s[k]);
		if (end > k)
			add_word(o, s + k - negative, end - k + negative, in_address);
		k = end > k ? end : k + 1;
	}
}

static void add_operand(struct operands *o, const char *s, size_t n)
{
	const char *open = memchr(s, '[', n), *close = open ? memchr(open, ']', n - (size_t)(open - s)) : NULL;
	if (!close) {
		add_words(o, s, n, false);
		return;
	}
	add(o, DEBUG_OPERAND_MEMORY, open + 1, (size_t)(close - open - 1));
	add_words(o, open + 1, (size_t)(close - open - 1), true);
}

static bool has_result(const struct isa_insn *i, const struct isa_where *w)
{
	return w->n_writes && i->opcode != ISA_OP_ST && i->opcode != ISA_OP_RED;
}

uint32_t debug_operands(struct debug *d, uint32_t pc, struct debug_operand out[DEBUG_OPERANDS_MAX])
{
	const struct isa_program *p = debug_program(d);
	struct operands o = {.d = d, .f = isa_program_function_at(p, pc), .pc = pc, .out = out};
	struct text insn = {0};
	debug_insn_text(d, pc, &insn);
	const char *s = scan_blanks(text_str(&insn));
	if (*s == '@')
		s = scan_blanks(s + strcspn(s, " \t"));
	s = scan_blanks(s + strcspn(s, " \t;"));
	for (bool result = has_result(&p->insns[pc], &p->where[pc]); *s && *s != ';'; result = false) {
		size_t n = 0;
		for (unsigned depth = 0; s[n] && s[n] != ';' && (depth || s[n] != ','); n++)
			depth += s[n] == '{' || s[n] == '[' || s[n] == '('   ? 1u
				 : s[n] == '}' || s[n] == ']' || s[n] == ')' ? -1u
									     : 0u;
		if (!result)
			add_operand(&o, s, n);
		s += n;
		s = scan_blanks(s + (*s == ','));
	}
	text_free(&insn);
	return o.n;
}

bool debug_writes(struct debug *d, uint32_t pc, uint32_t word, uint32_t *which)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_where *w = &p->where[pc];
	for (*which = 0; *which < w->n_writes; ++*which)
		if (p->rw[w->rw + *which] == word)
			return true;
	return false;
}

bool debug_register_of(struct debug *d, uint32_t pc, uint32_t word, struct debug_operand *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	uint32_t number;
	const struct isa_reg *r = f ? isa_function_reg_of(f, word, &number) : NULL;
	*out = (struct debug_operand){.kind = DEBUG_OPERAND_REGISTER, .word = word};
	if (!r || !isa_function_reg_name(f, word, out->text, sizeof out->text))
		return false;
	out->type = (enum isa_type)r->type;
	return true;
}
