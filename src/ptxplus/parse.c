/* Parses instructions of PTXPlus and the directive .constptr. */
#include <string.h>

#include "isa/opcodes.h"
#include "ptx/special_names.h"
#include "ptxplus/plus.h"

/* ---- small pieces ---- */

static bool is_at(const struct ptx_parser *p, unsigned kind) { return p->tok.kind == kind; }

static bool at_directive(const struct ptx_parser *p, const char *word)
{
	return is_at(p, PTX_TOK_DIRECTIVE) && ptx_slice_is(ptx_parse_slice(p, &p->tok), word);
}

/* `.lo` and `.hi` behind a register. */
static uint8_t parse_half(struct ptx_parser *p)
{
	const uint8_t half = at_directive(p, ".lo") ? ISA_PLUS_LO : at_directive(p, ".hi") ? ISA_PLUS_HI : ISA_PLUS_WHOLE;
	if (half)
		ptx_parse_advance(p);
	return half;
}

/* Numbers are decimal or 0x...; nothing stands behind them, and a minus only in front of decimal ones. */
static bool parse_integer(struct ptx_parser *p, bool is_minus, uint64_t *bits)
{
	const struct ptx_slice s = ptx_parse_slice(p, &p->tok);
	const bool hex = s.n > 1 && s.s[0] == '0' && (s.s[1] == 'x' || s.s[1] == 'X');
	const char last = s.s[s.n - 1];
	if (!hex && s.n > 1 && s.s[0] == '0') {
		ptx_parse_error(p, p->tok.at, "'%s': PTXPlus has no octal or binary numbers", ptx_parse_show(p, s));
		return false;
	}
	if (last == 'U' || last == 'u') {
		ptx_parse_error(p, p->tok.at, "'%s': PTXPlus has no U behind numbers", ptx_parse_show(p, s));
		return false;
	}
	if (hex && is_minus) {
		ptx_parse_error(p, p->tok.at, "'-%s': a hexadecimal number has no sign; expected its two's complement", ptx_parse_show(p, s));
		return false;
	}
	*bits = is_minus ? 0 - p->tok.bits : p->tok.bits;
	ptx_parse_advance(p);
	return true;
}

static struct ptx_symbol *parse_register(struct ptx_parser *p, uint32_t *number, uint8_t *half)
{
	struct ptx_symbol *s = is_at(p, PTX_TOK_NAME) ? ptx_parse_resolve(p, &p->tok, number) : NULL;
	if (!s || s->kind != PTX_SYM_REG) {
		if (is_at(p, PTX_TOK_NAME) && !s)
			ptx_parse_undeclared(p, &p->tok);
		else
			ptx_parse_unexpected(p, "a register");
		return NULL;
	}
	if (s->type == ISA_NOTYPE)
		p->bad_insn = true;
	ptx_parse_advance(p);
	*half = parse_half(p);
	return s;
}

/* ---- addresses ---- */

/* What follows the first register in brackets: `+NUMBER`, `+=NUMBER`, `+REGISTER`, `+=REGISTER`. */
static bool parse_displacement(struct ptx_parser *p, struct plus_address *a)
{
	uint64_t bits;
	if (!ptx_parse_accept(p, '+'))
		return true;
	a->is_post = ptx_parse_accept(p, '=');
	const bool is_minus = ptx_parse_accept(p, '-');
	if (is_at(p, PTX_TOK_INT)) {
		if (!parse_integer(p, is_minus, &bits))
			return false;
		a->imm = (uint32_t)bits;
		return true;
	}
	if (is_minus)
		return ptx_parse_unexpected(p, "a number");
	a->other = parse_register(p, &a->other_number, &a->other_half);
	return a->other != NULL;
}

/* Parses from behind `[` to behind `]`. A name may stand in front, which is then in o->symbol. */
static bool parse_address(struct ptx_parser *p, struct plus_operand *o)
{
	struct plus_address *a = &o->address;
	uint32_t number;
	uint64_t bits;
	const struct ptx_symbol *s = is_at(p, PTX_TOK_NAME) ? ptx_parse_resolve(p, &p->tok, &number) : NULL;
	if (is_at(p, PTX_TOK_INT) || is_at(p, '-')) {
		const bool is_minus = ptx_parse_accept(p, '-');
		if (!is_at(p, PTX_TOK_INT))
			return ptx_parse_unexpected(p, "a number");
		if (!parse_integer(p, is_minus, &bits))
			return false;
		a->imm = (uint32_t)bits;
	} else if (s && s->kind == PTX_SYM_VARIABLE && o->kind == PLUS_ADDRESS) {
		o->symbol = (struct ptx_symbol *)s;
		ptx_parse_advance(p);
		if (!parse_displacement(p, a))
			return false;
	} else {
		a->reg = parse_register(p, &a->number, &a->half);
		if (!a->reg || !parse_displacement(p, a))
			return false;
	}
	return ptx_parse_expect(p, ']', "']' after the address");
}

/* Finds the space of a memory operand from the name in front of its bracket. */
static bool find_space(struct ptx_parser *p, const struct ptx_token *name, struct plus_operand *o)
{
	const struct ptx_slice s = ptx_parse_slice(p, name);
	uint32_t number;
	o->symbol = ptx_parse_resolve(p, name, &number);
	if (o->symbol && o->symbol->kind != PTX_SYM_VARIABLE)
		o->symbol = NULL;
	if (s.n == 1 && (s.s[0] == 's' || s.s[0] == 'g')) {
		o->space = s.s[0] == 's' ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL;
		o->symbol = NULL;
		return true;
	}
	if (s.s[0] == 'l') {
		o->space = ISA_SPACE_LOCAL;
		o->symbol = o->symbol && o->symbol->space == ISA_SPACE_LOCAL ? o->symbol : NULL;
		return true;
	}
	o->space = ISA_SPACE_CONST;
	if (s.s[0] == 'c' && o->symbol && o->symbol->space == ISA_SPACE_CONST)
		return true;
	ptx_parse_error(p, name->at, "'%s' names no memory: expected s, g, l... or a declared constant that begins with c", ptx_parse_show(p, s));
	return false;
}

/* ---- operands ---- */

static bool parse_operand(struct ptx_parser *p, struct plus_operand *o, bool is_target);

static bool parse_group(struct ptx_parser *p, struct plus_operand *o)
{
	struct plus_operand elems[8];
	o->kind = PLUS_GROUP;
	p->open_braces++;
	ptx_parse_advance(p);
	do {
		if (o->n_elems == sizeof elems / sizeof *elems)
			return ptx_parse_unexpected(p, "'}' after at most 8 registers");
		struct plus_operand *e = &elems[o->n_elems];
		*e = (struct plus_operand){.at = p->tok.at};
		if (is_at(p, '{') || !parse_operand(p, e, false))
			return is_at(p, '{') ? ptx_parse_unexpected(p, "a register") : false;
		if (e->kind != PLUS_REGISTER && e->kind != PLUS_SINK && e->kind != PLUS_INTEGER) {
			ptx_parse_error(p, e->at, "a group consists of registers");
			return false;
		}
		o->n_elems++;
	} while (ptx_parse_accept(p, ','));
	o->elems = pool_dup(&p->m->pool, elems, o->n_elems * sizeof *elems);
	if (!ptx_parse_expect(p, '}', "'}' after the registers"))
		return false;
	p->open_braces--;
	return true;
}

static bool parse_special(struct ptx_parser *p, struct plus_operand *o)
{
	const struct ptx_slice s = ptx_parse_slice(p, &p->tok);
	static const char *const dims[] = {".x", ".y", ".z"};
	o->special = ptx_special_find(s.s, s.n);
	if (!o->special) {
		ptx_parse_undeclared(p, &p->tok);
		return false;
	}
	o->kind = PLUS_SPECIAL;
	o->dim = PTX_NO_DIM;
	ptx_parse_advance(p);
	for (uint8_t k = 0; k < 3 && o->special->dims > 1 && o->dim == PTX_NO_DIM; k++)
		o->dim = at_directive(p, dims[k]) ? k : PTX_NO_DIM;
	if (o->dim != PTX_NO_DIM)
		ptx_parse_advance(p);
	return true;
}

/* A name: a register, memory, a variable or a label. */
static bool parse_name(struct ptx_parser *p, struct plus_operand *o, bool is_target)
{
	const struct ptx_token name = p->tok;
	const struct ptx_slice s = ptx_parse_slice(p, &name);
	struct ptx_symbol *sym = ptx_parse_resolve(p, &p->tok, &o->number);
	if (ptx_slice_is(s, "_")) {
		o->kind = PLUS_SINK;
		ptx_parse_advance(p);
		return true;
	}
	if (s.s[0] == '%' && (!sym || sym->kind != PTX_SYM_REG))
		return parse_special(p, o);
	if (sym && sym->kind == PTX_SYM_REG) {
		o->kind = PLUS_REGISTER;
		o->symbol = parse_register(p, &o->number, &o->half);
		return o->symbol != NULL;
	}
	ptx_parse_advance(p);
	if (ptx_parse_accept(p, '[')) {
		o->kind = PLUS_MEMORY;
		return find_space(p, &name, o) && parse_address(p, o);
	}
	o->kind = sym && sym->kind == PTX_SYM_VARIABLE ? PLUS_NAME : PLUS_LABEL;
	o->symbol = sym;
	if (o->kind == PLUS_NAME)
		return true;
	if (!is_target && !sym) {
		ptx_parse_undeclared(p, &name);
		return false;
	}
	if (!sym || sym->kind != PTX_SYM_LABEL) {
		o->symbol = NULL;
		ptx_parse_fixup(p, s, &o->symbol, name.at);
	}
	return true;
}

static bool parse_primary(struct ptx_parser *p, struct plus_operand *o, bool is_target)
{
	switch (p->tok.kind) {
	case '{': return parse_group(p, o);
	case '[':
		o->kind = PLUS_ADDRESS;
		ptx_parse_advance(p);
		return parse_address(p, o);
	case PTX_TOK_INT: {
		const bool is_minus = o->is_negated;
		o->kind = PLUS_INTEGER;
		o->is_negated = false;
		return parse_integer(p, is_minus, &o->bits);
	}
	case PTX_TOK_FLOAT:
		o->kind = PLUS_FLOAT;
		o->bits = p->tok.bits;
		o->is_f32 = p->tok.is_f32;
		ptx_parse_advance(p);
		return true;
	case PTX_TOK_NAME: return parse_name(p, o, is_target);
	default: return ptx_parse_unexpected(p, "an operand");
	}
}

static bool parse_operand(struct ptx_parser *p, struct plus_operand *o, bool is_target)
{
	o->at = p->tok.at;
	o->is_not = ptx_parse_accept(p, '!');
	o->is_negated = ptx_parse_accept(p, '-');
	if (!parse_primary(p, o, is_target))
		return false;
	o->n = p->prev_end - o->at;
	if (!is_at(p, '|') && !is_at(p, '/'))
		return true;
	o->joint = (char)p->tok.kind;
	ptx_parse_advance(p);
	o->second = POOL_NEW(&p->m->pool, struct plus_operand);
	o->second->at = p->tok.at;
	if (!parse_primary(p, o->second, false))
		return false;
	o->second->n = p->prev_end - o->second->at;
	return true;
}

/* ---- guards and opcodes ---- */

static bool parse_guard(struct ptx_parser *p, struct ptx_insn *insn, struct plus_insn *in)
{
	uint8_t half = 0;
	in->condition = ISA_CONDITIONS;
	if (!ptx_parse_accept(p, '@'))
		return true;
	insn->guard_negated = ptx_parse_accept(p, '!');
	const ptx_offset at = p->tok.at;
	insn->guard = parse_register(p, &insn->guard_number, &half);
	if (!insn->guard)
		return false;
	if (half || (insn->guard->type != ISA_FLAGS && insn->guard->type != ISA_NOTYPE)) {
		ptx_parse_error(p, at, "a guard is a predicate register");
		return false;
	}
	if (!is_at(p, PTX_TOK_DIRECTIVE))
		return true;
	const struct ptx_slice s = ptx_parse_slice(p, &p->tok);
	in->condition = (uint8_t)isa_condition_find(s.s + 1, s.n - 1);
	if (in->condition == ISA_CONDITIONS)
		ptx_parse_error(p, p->tok.at, "'%s' is no condition of a guard, like .ne or .cf", ptx_parse_show(p, s));
	else if (insn->guard_negated)
		ptx_parse_error(p, p->tok.at, "a guard has '!' or a condition, not both");
	ptx_parse_advance(p);
	return in->condition != ISA_CONDITIONS && !insn->guard_negated;
}

static bool parse_opcode(struct ptx_parser *p, struct plus_insn *in)
{
	struct ptx_token t = p->tok;
	uint32_t at;
	if (!is_at(p, PTX_TOK_NAME))
		return ptx_parse_unexpected(p, "an instruction");
	ptx_lex_opcode(&p->lex, &t);
	p->mnemonic = (struct ptx_slice){p->m->text + t.at, p->tok.n};
	p->tok.n = t.n;
	const uint8_t condition = in->condition;
	const char *error = plus_opcode(in, ptx_parse_slice(p, &t), &at);
	in->condition = condition;
	if (error) {
		ptx_parse_error(p, t.at + at, "'%s': %s", ptx_parse_show(p, ptx_parse_slice(p, &t)), error);
		return false;
	}
	ptx_parse_advance(p);
	return true;
}

/* ---- the instruction ---- */

/* Appends a register to the list by which the first walk finds what a function uses. */
static void note_register(struct ptx_parser *p, struct ptx_symbol *s, uint32_t number)
{
	if (!s)
		return;
	PTX_GROW(p->ops);
	p->ops.v[p->ops.n++] = (struct ptx_operand){.kind = PTX_OP_REG, .dim = PTX_NO_DIM, .number = number, .symbol = s};
}

static void note_registers(struct ptx_parser *p, const struct plus_operand *o)
{
	if (o->kind == PLUS_REGISTER)
		note_register(p, o->symbol, o->number);
	if (o->kind == PLUS_NAME || ((o->kind == PLUS_MEMORY || o->kind == PLUS_ADDRESS) && o->symbol)) {
		PTX_GROW(p->ops);
		p->ops.v[p->ops.n++] = (struct ptx_operand){.kind = PTX_OP_SYMBOL, .dim = PTX_NO_DIM, .symbol = o->symbol};
	}
	note_register(p, o->address.reg, o->address.number);
	note_register(p, o->address.other, o->address.other_number);
	for (uint32_t k = 0; k < o->n_elems; k++)
		note_registers(p, &o->elems[k]);
	if (o->second)
		note_registers(p, o->second);
}

static bool is_target(const struct plus_insn *in)
{
	const unsigned op = in->opcode.opcode;
	return op == ISA_OP_BRA || op == ISA_OP_CALLP || op == ISA_OP_BREAKADDR || op == ISA_OP_MOV || op == ISA_OP_SSY;
}

/* A 64-bit type of one 32-bit register means the register and the next one. */
static void note_pairs(struct ptx_parser *p, const struct plus_insn *in)
{
	bool wide = false;
	for (unsigned k = 0; k < in->opcode.n_types; k++)
		wide |= isa_type_bytes((enum isa_type)in->opcode.types[k]) == 8;
	for (unsigned k = 0; wide && k < in->n; k++) {
		const struct plus_operand *o = &in->operands[k];
		if (o->kind == PLUS_REGISTER && o->symbol && o->number + 1 < o->symbol->count)
			note_register(p, o->symbol, o->number + 1);
	}
}

/* A call of a function: as in PTX. */
static bool parse_call(struct ptx_parser *p, struct plus_insn *in, struct ptx_insn *insn)
{
	struct ptx_insn *plain = POOL_NEW(&p->m->pool, struct ptx_insn);
	*plain = (struct ptx_insn){.at = insn->at, .loc = insn->loc, .line = insn->line, .scope = insn->scope, .operands = p->no_operands};
	if (!ptx_parse_unguarded(p, plain))
		return false;
	in->opcode = *plain->opcode;
	in->plain = plain;
	insn->operands = plain->operands;
	insn->n_operands = plain->n_operands;
	insn->opcode = &in->opcode;
	return true;
}

bool plus_parse_instruction(struct ptx_parser *p, struct ptx_insn *insn)
{
	struct plus_insn *in = POOL_NEW(&p->m->pool, struct plus_insn);
	const char *why = NULL;
	if (!parse_guard(p, insn, in))
		return false;
	if (is_at(p, PTX_TOK_NAME) && ptx_slice_is(ptx_parse_slice(p, &p->tok), "call"))
		return parse_call(p, in, insn);
	if (!parse_opcode(p, in))
		return false;
	while (!is_at(p, ';')) {
		if (in->n == PLUS_OPERANDS)
			return ptx_parse_unexpected(p, "';' after the operands");
		if (!parse_operand(p, &in->operands[in->n], is_target(in)))
			return false;
		in->n++;
		if (!ptx_parse_accept(p, ','))
			break;
	}
	if (!is_at(p, ';'))
		return ptx_parse_missing_semicolon(p) ? false : ptx_parse_unexpected(p, "',' or ';' after the operand");
	ptx_offset at = insn->at;
	why = plus_check(p, in, &at);
	if (why) {
		ptx_parse_error(p, at, "%s", why);
		p->bad_insn = true;
	}
	p->ops.n = 0;
	for (unsigned k = 0; k < in->n; k++)
		note_registers(p, &in->operands[k]);
	note_pairs(p, in);
	insn->operands = p->ops.n ? PTX_POOL_COPY(p, p->ops) : p->no_operands;
	insn->n_operands = (uint8_t)p->ops.n;
	insn->opcode = &in->opcode;
	p->ops.n = 0;
	return true;
}

/* ---- .constptr ---- */

static struct ptx_symbol *parse_constant(struct ptx_parser *p)
{
	struct ptx_symbol *s = is_at(p, PTX_TOK_NAME) ? ptx_scope_find_here(p->m->scope, ptx_parse_slice(p, &p->tok)) : NULL;
	if (!s || s->kind != PTX_SYM_VARIABLE || s->space != ISA_SPACE_CONST) {
		ptx_parse_unexpected(p, "a declared .const variable");
		return NULL;
	}
	ptx_parse_advance(p);
	return s;
}

static bool parse_constptr(struct ptx_parser *p)
{
	struct plus_state *state = plus_state_of(p->m);
	struct plus_constptr *c = POOL_NEW(&p->m->pool, struct plus_constptr);
	uint64_t offset;
	ptx_parse_advance(p);
	c->pointer = parse_constant(p);
	if (!c->pointer || !ptx_parse_expect(p, ',', "',' after the name"))
		return false;
	c->array = parse_constant(p);
	if (!c->array || !ptx_parse_expect(p, ',', "',' after the array"))
		return false;
	if (!is_at(p, PTX_TOK_INT))
		return ptx_parse_unexpected(p, "an offset in bytes");
	if (!parse_integer(p, false, &offset))
		return false;
	c->offset = (uint32_t)offset;
	c->next = state->constptrs;
	state->constptrs = c;
	return ptx_parse_expect(p, ';', "';' after .constptr");
}

bool plus_parse_item(struct ptx_parser *p, bool *ok)
{
	if (!at_directive(p, ".constptr"))
		return false;
	*ok = parse_constptr(p);
	return true;
}
