/* The operands of each instruction as they are written, kept for commands that explain instructions: kind, role, place in the text. */
#include <ctype.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptx/lower.h"

#define DEPTH_MAX 4u /* operands inside operands */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.'; }

/* Returns how many bytes of the text from `s` to `end` a name has. */
static size_t name_length(const char *s, const char *end)
{
	size_t n = 0;
	while (s + n < end && is_word(s[n]))
		n++;
	return n;
}

/* Returns how many bytes a constant has, which ends in front of what separates operands. */
static size_t constant_length(const char *s, const char *end)
{
	size_t n = 0;
	for (unsigned depth = 0; s + n < end && (depth || !strchr(",;]})", s[n])); n++)
		depth += s[n] == '(' ? 1u : s[n] == ')' ? -1u : 0u;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return n;
}

/* Appends an operand whose text is n bytes from byte `at` of the file. One that no row can hold is left out. */
static struct isa_operand *append(struct lower *l, enum isa_operand_kind kind, enum isa_operand_role role, ptx_offset at, size_t n)
{
	struct isa_program *p = l->p;
	size_t cap = p->cap_operands;
	const uint32_t offset = at - l->in->at;

	if (offset > UINT16_MAX || n > UINT8_MAX || l->n_operands == UINT16_MAX)
		return NULL;
	p->operands = xgrow(p->operands, &cap, p->n_operands + 1, sizeof *p->operands);
	p->cap_operands = (uint32_t)cap;
	struct isa_operand *o = &p->operands[p->n_operands++];
	*o = (struct isa_operand){.at = (uint16_t)offset, .n = (uint8_t)n, .kind = kind, .role = role};
	l->n_operands++;
	return o;
}

static void keep_register(struct lower *l, const struct ptx_operand *o, enum isa_operand_role role, const char *s, const char *end)
{
	const size_t sign = strspn(s, "!- \t"); /* `!%p1`, `-%r1` */
	size_t n = name_length(s + sign, end);

	s += sign;
	if (o->select)
		while (n && s[n - 1] != '.')
			n--;
	n -= o->select && n; /* `%r1.b0`: the register is %r1 */
	struct isa_operand *kept = append(l, ISA_OPERAND_REGISTER, role, o->at + (ptx_offset)sign, n);
	if (!kept)
		return;
	const uint32_t ref = lower_reg_ref(o);
	kept->word = o->symbol->type == ISA_PRED ? ISA_RW_PRED(ref) : ISA_RW_ROW(ref);
}

static void keep_operand(struct lower *l, const struct ptx_operand *o, enum isa_operand_role role, unsigned depth);

static void keep_elements(struct lower *l, const struct ptx_operand *o, enum isa_operand_role role, unsigned depth)
{
	for (uint32_t k = 0; k < o->n_elems && depth < DEPTH_MAX; k++)
		keep_operand(l, &o->elems[k], role, depth + 1);
}

/* An address: what stands in its brackets, then what it is computed from. The coordinates of a texture are values, not addresses. */
static void keep_address(struct lower *l, const struct ptx_operand *o, enum isa_operand_role role, const char *s, const char *end,
			 unsigned depth)
{
	const char *open = memchr(s, '[', (size_t)(end - s));
	const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;

	if (close) {
		const size_t n = (size_t)(close - open - 1);
		append(l, ISA_OPERAND_MEMORY, role, o->at + (ptx_offset)(open + 1 - s), n < UINT8_MAX ? n : UINT8_MAX);
	}
	for (uint32_t k = 0; k < o->n_elems && depth < DEPTH_MAX; k++)
		keep_operand(l, &o->elems[k], k && o->kind == PTX_OP_TEXADDR ? ISA_ROLE_SOURCE : ISA_ROLE_ADDRESS, depth + 1);
}

/* Appends an operand, or the operands that it consists of. */
static void keep_operand(struct lower *l, const struct ptx_operand *o, enum isa_operand_role role, unsigned depth)
{
	const char *s = l->m->text + o->at, *end = l->m->text + l->in->end;

	if (o->at < l->in->at || o->at >= l->in->end) /* made by lowering, not written */
		return;
	switch (o->kind) {
	case PTX_OP_REG:
		if (o->symbol && o->symbol->kind == PTX_SYM_REG)
			keep_register(l, o, role, s, end);
		break;
	case PTX_OP_SPECIAL: append(l, ISA_OPERAND_SPECIAL, role, o->at, name_length(s, end)); break;
	case PTX_OP_INT:
	case PTX_OP_FLOAT: append(l, ISA_OPERAND_CONSTANT, role, o->at, constant_length(s, end)); break;
	case PTX_OP_SYMBOL: append(l, ISA_OPERAND_SYMBOL, role, o->at, role == ISA_ROLE_ADDRESS ? name_length(s, end) : constant_length(s, end)); break;
	case PTX_OP_ADDRESS:
	case PTX_OP_TEXADDR: keep_address(l, o, role, s, end, depth); break;
	case PTX_OP_VECTOR:
	case PTX_OP_PAIR:
	case PTX_OP_SUM:
	case PTX_OP_LIST: keep_elements(l, o, role, depth); break;
	default: break;
	}
}

void lower_keep_operands(struct lower *l, const struct ptx_insn *in)
{
	l->first_operand = l->p->n_operands;
	l->n_operands = 0;
	for (uint32_t k = 0; k < in->n_operands; k++) {
		keep_operand(l, &in->operands[k], ISA_ROLE_SOURCE, 0);
		if (!k)
			l->n_results = l->n_operands;
	}
}

void lower_keep_results(struct lower *l)
{
	struct isa_operand *o = l->p->operands + l->first_operand;

	if (!l->writes.n || l->insn.opcode == ISA_OP_ST || l->insn.opcode == ISA_OP_RED)
		return;
	for (uint32_t k = 0; k < l->n_results; k++)
		o[k].role = ISA_ROLE_RESULT;
}
