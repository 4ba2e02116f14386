/* Operands of instructions (ISA "Instruction Operands"). */
#include "ptx/parse.h"

#include <string.h>

#include "ptx/special_names.h"

/* ---- lists of operands on the parser's stack ---- */

static bool push_operand(struct ptx_parser *p, const struct ptx_operand *o, size_t base)
{
	if (p->ops.n - base >= PTX_MAX_ELEMS) {
		ptx_parse_error(p, o->at, "more than %u elements in a list", PTX_MAX_ELEMS);
		return false;
	}
	PTX_GROW(p->ops);
	p->ops.v[p->ops.n++] = *o;
	return true;
}

/* Moves what was pushed since `base` into the pool as the elements of `o`, which is never NULL. */
static void pop_operands(struct ptx_parser *p, struct ptx_operand *o, size_t base)
{
	size_t n = p->ops.n - base;

	o->elems =
		n ? pool_dup(&p->m->pool, p->ops.v + base, n * sizeof(*o)) : POOL_NEW(&p->m->pool, struct ptx_operand);
	o->n_elems = (uint16_t)n;
	p->ops.n = base;
}

static void start_operand(const struct ptx_parser *p, struct ptx_operand *o)
{
	memset(o, 0, sizeof(*o));
	o->at = p->tok.at;
	o->dim = PTX_NO_DIM;
}

/* ---- constants ---- */

static bool begins_constant(const struct ptx_token *t)
{
	switch (t->kind) {
	case PTX_TOK_INT:
	case PTX_TOK_FLOAT:
	case PTX_TOK_NAME:
	case PTX_TOK_BAD:
	case '(':
	case '+':
	case '-':
	case '~':
	case '!': return true;
	default: return false;
	}
}

static bool parse_constant(struct ptx_parser *p, struct ptx_operand *o)
{
	struct ptx_value v;

	if (!begins_constant(&p->tok))
		return ptx_parse_unexpected(p, "an operand");
	if (!ptx_parse_const(p, &v))
		return false;
	o->kind = v.kind == PTX_VALUE_S64 || v.kind == PTX_VALUE_U64 ? PTX_OP_INT : PTX_OP_FLOAT;
	o->is_unsigned = v.kind == PTX_VALUE_U64;
	o->is_f32 = v.kind == PTX_VALUE_F32_BITS;
	o->bits = v.bits;
	return true;
}

/* ---- selectors after a register ---- */

static bool vector_dim(struct ptx_slice s, uint8_t *dim)
{
	static const char letters[] = "xyzwrgba";
	const char *c = s.n == 2 && s.s[1] ? strchr(letters, s.s[1]) : NULL;

	if (c)
		*dim = (uint8_t)((c - letters) & 3);
	return c != NULL;
}

/* .b0-.b3, .h0, .h1 of the scalar video instructions, .b0123 and .h10 of the packed ones */
static bool video_selector(struct ptx_slice s, struct ptx_operand *o)
{
	bool halves = s.n > 1 && s.s[1] == 'h';
	unsigned n = s.n - 2;

	if (s.n < 3 || n > 4 || (s.s[1] != 'b' && !halves))
		return false;
	o->bits = 0;
	for (uint32_t i = 2; i < s.n; i++) {
		if (s.s[i] < '0' || s.s[i] > '7')
			return false;
		o->bits = o->bits << 4 | (uint64_t)(s.s[i] - '0');
	}
	if (n > 1) {
		o->select = halves ? PTX_SELECT_HALVES : PTX_SELECT_BYTES;
		o->dim = (uint8_t)n;
	} else if (o->bits < (halves ? 2 : 4)) {
		o->select = (uint8_t)((halves ? 5 : 1) + o->bits);
	} else {
		return false;
	}
	return true;
}

static bool parse_register_selector(struct ptx_parser *p, struct ptx_operand *o)
{
	struct ptx_slice s = ptx_parse_slice(p, &p->tok);
	unsigned vec = o->symbol->vec;
	struct ptx_slice written = {p->m->text + o->at, p->prev_end - o->at};

	if (vec > 1) {
		if (!vector_dim(s, &o->dim) || o->dim >= vec) {
			ptx_parse_error(p, p->tok.at, "'%s' is no element of the .v%u register '%s': expected %s",
					ptx_parse_show(p, s), vec, ptx_parse_show(p, written),
					vec == 2 ? ".x or .y" : ".x, .y, .z or .w");
			return false;
		}
	} else if (!video_selector(s, o)) {
		ptx_parse_error(p, p->tok.at, "'%s' is no selector of '%s', which is not a vector: expected ',' or ';'",
				ptx_parse_show(p, s), ptx_parse_show(p, written));
		return false;
	}
	ptx_parse_advance(p);
	return true;
}

static bool parse_special_selector(struct ptx_parser *p, struct ptx_operand *o)
{
	struct ptx_slice s = ptx_parse_slice(p, &p->tok);

	if (o->special->dims == 1) {
		ptx_parse_error(p, p->tok.at, "'%s' is not a vector: expected ',' or ';', found '%s'", o->special->name,
				ptx_parse_show(p, s));
		return false;
	}
	if (!vector_dim(s, &o->dim)) {
		ptx_parse_error(p, p->tok.at, "'%s' is no element of %s: expected .x, .y, .z or .w",
				ptx_parse_show(p, s), o->special->name);
		return false;
	}
	ptx_parse_advance(p);
	return true;
}

/* ---- names ---- */

static void use_symbol(struct ptx_parser *p, struct ptx_operand *o, struct ptx_symbol *sym, uint32_t number)
{
	o->symbol = sym;
	o->number = number;
	o->kind = sym->kind == PTX_SYM_REG ? PTX_OP_REG : PTX_OP_SYMBOL;
	if (sym->kind == PTX_SYM_REG && sym->type == ISA_NOTYPE)
		p->bad_insn = true; /* reported where it was first used */
}

/* Special registers give way to a declaration of the same name. */
static bool use_special(struct ptx_parser *p, struct ptx_operand *o)
{
	struct ptx_slice s = ptx_parse_slice(p, &p->tok);
	const struct isa_special_name *row = s.s[0] == '%' ? ptx_special_find(s.s, s.n) : NULL;

	if (!row)
		return false;
	if (!ptx_parse_version_at_least(p, row->version_major, row->version_minor))
		ptx_parse_error(p, p->tok.at, "%s needs .version %u.%u or later", row->name, row->version_major,
				row->version_minor);
	else if (p->m->sm < row->sm)
		ptx_parse_error(p, p->tok.at, "%s needs .target sm_%u or later", row->name, row->sm);
	o->kind = PTX_OP_SPECIAL;
	o->special = row;
	return true;
}

/* Only bra names labels that come later; which label it is shows when its scope ends. */
static bool use_label(struct ptx_parser *p, struct ptx_operand *o, const struct ptx_symbol *found)
{
	if (!ptx_slice_is(p->mnemonic, "bra") || (found && found->kind == PTX_SYM_LABEL && found->scope == p->scope))
		return false;
	if (found && found->kind == PTX_SYM_REG)
		return false;
	struct ptx_slice name = ptx_parse_slice(p, &p->tok);

	o->kind = PTX_OP_SYMBOL;
	o->name_slice = pool_dup(&p->m->pool, &name, sizeof(name));
	return true;
}

/* The name itself, without what may follow it. */
static bool parse_name(struct ptx_parser *p, struct ptx_operand *o)
{
	uint32_t number;

	if (p->tok.n == 1 && p->m->text[p->tok.at] == '_') {
		o->kind = PTX_OP_SINK;
		ptx_parse_advance(p);
		return true;
	}
	struct ptx_symbol *sym = ptx_parse_resolve(p, &p->tok, &number);

	if (!use_label(p, o, sym)) {
		if (sym) {
			use_symbol(p, o, sym, number);
		} else if (!use_special(p, o)) {
			ptx_parse_undeclared(p, &p->tok);
			o->kind = PTX_OP_NONE;
		}
	}
	ptx_parse_advance(p);
	return true;
}

static bool parse_selector(struct ptx_parser *p, struct ptx_operand *o)
{
	if (p->tok.kind != PTX_TOK_DIRECTIVE)
		return true;
	if (o->kind == PTX_OP_REG && o->symbol->type != ISA_NOTYPE)
		return parse_register_selector(p, o);
	if (o->kind == PTX_OP_SPECIAL)
		return parse_special_selector(p, o);
	if (p->bad_insn) {
		ptx_parse_advance(p);
		return true;
	}
	return ptx_parse_unexpected(p, "',' or ';' after the operand");
}

/* ---- addresses ---- */

/* `+ CONSTANT` after a base; several add up. */
static bool parse_displacement(struct ptx_parser *p, struct ptx_operand *o)
{
	struct ptx_value v;

	if (p->tok.kind == '-') {
		ptx_parse_error(p, p->tok.at, "expected '+' before a displacement: a negative one is written +-N");
		return false;
	}
	if (!ptx_parse_accept(p, '+'))
		return true;
	if (!ptx_parse_const_int(p, &v))
		return false;
	o->bits += v.bits;
	return true;
}

/* An index counts scalars, also in arrays of vectors and of several dimensions: that is what ptxas does. */
static uint64_t element_bytes(const struct ptx_symbol *sym)
{
	uint64_t bytes = isa_type_bytes((enum isa_type)sym->type);

	return bytes ? bytes : 1;
}

/* name[CONSTANT], name[%r], name[%r + CONSTANT]: an element of an array. The operand is an address, for mov the symbol displaced. */
static bool parse_index(struct ptx_parser *p, struct ptx_operand *o)
{
	struct ptx_operand base = *o, index;
	size_t first = p->ops.n;
	struct ptx_value v = {0};

	if (o->symbol->kind != PTX_SYM_VARIABLE)
		return ptx_parse_unexpected(p, "',' or ';': only arrays are indexed");
	if (!o->symbol->n_dims) {
		ptx_parse_error(p, p->tok.at, "'%s' is no array: expected ',' or ';'",
				ptx_parse_show(p, o->symbol->name));
		return false;
	}
	ptx_parse_advance(p);
	start_operand(p, &index);
	if (p->tok.kind == PTX_TOK_NAME && !ptx_slice_is(ptx_parse_slice(p, &p->tok), "WARP_SZ")) {
		if (!parse_name(p, &index))
			return false;
		if (index.kind != PTX_OP_REG && index.kind != PTX_OP_NONE) {
			ptx_parse_error(p, index.at, "expected a constant or a register as index");
			return false;
		}
		if (ptx_parse_accept(p, '+') && !ptx_parse_const_int(p, &v))
			return false;
	} else if (!ptx_parse_const_int(p, &v)) {
		return false;
	}
	if (!ptx_parse_expect(p, ']', "']' after the index"))
		return false;
	uint64_t displacement = v.bits * element_bytes(base.symbol);

	if (index.kind == PTX_OP_NONE && ptx_slice_is(p->mnemonic, "mov")) {
		o->bits = displacement;
		return true;
	}
	o->kind = PTX_OP_ADDRESS;
	push_operand(p, &base, first);
	if (index.kind != PTX_OP_NONE)
		push_operand(p, &index, first);
	pop_operands(p, o, first);
	o->bits = displacement;
	return true;
}

static bool parse_vector(struct ptx_parser *p, struct ptx_operand *o);
static bool parse_simple(struct ptx_parser *p, struct ptx_operand *o);

/* The elements of `[a, b, {c, d}]` after the first. */
static bool parse_bracket_list(struct ptx_parser *p, struct ptx_operand *o, size_t base)
{
	while (ptx_parse_accept(p, ',')) {
		struct ptx_operand e;

		start_operand(p, &e);
		if (p->tok.kind == '{' ? !parse_vector(p, &e) : !parse_simple(p, &e))
			return false;
		if (!push_operand(p, &e, base))
			return false;
	}
	o->kind = PTX_OP_TEXADDR;
	pop_operands(p, o, base);
	return ptx_parse_expect(p, ']', "',' or ']'");
}

static bool check_base(struct ptx_parser *p, const struct ptx_operand *e)
{
	static const char *const names[] = {
		[PTX_OP_SPECIAL] = "a special register", [PTX_OP_FLOAT] = "a floating-point constant", [PTX_OP_SINK] = "'_'"};
	const char *what = e->kind < sizeof names / sizeof *names ? names[e->kind] : NULL;

	if (e->kind == PTX_OP_SYMBOL && e->symbol && e->symbol->kind != PTX_SYM_VARIABLE &&
	    e->symbol->kind != PTX_SYM_FUNCTION)
		what = "a name that has no address";
	if (!what)
		return true;
	ptx_parse_error(p, e->at, "%s can't be an address: expected a register, a variable or an integer", what);
	return false;
}

static bool parse_bracket(struct ptx_parser *p, struct ptx_operand *o)
{
	struct ptx_operand base;
	size_t first = p->ops.n;

	ptx_parse_advance(p);
	start_operand(p, &base);
	if (p->tok.kind == PTX_TOK_NAME && !ptx_slice_is(ptx_parse_slice(p, &p->tok), "WARP_SZ")) {
		if (!parse_name(p, &base))
			return false;
	} else if (!parse_constant(p, &base)) {
		return false;
	}
	if (!check_base(p, &base) || (base.kind != PTX_OP_INT && !parse_displacement(p, o)))
		return false;
	if (base.kind != PTX_OP_INT && p->tok.kind == PTX_TOK_DIRECTIVE && !p->bad_insn)
		return ptx_parse_unexpected(p, "'+' or ']': the base is a whole register");
	if (!push_operand(p, &base, first))
		return false;
	if (p->tok.kind == ',')
		return parse_bracket_list(p, o, first);
	o->kind = PTX_OP_ADDRESS;
	pop_operands(p, o, first);
	if (!ptx_parse_expect(p, ']', "'+' or ']' in the address"))
		return false;
	if (ptx_parse_keyword(p, &p->tok) == KW_UNIFIED) /* a hint: the address is in unified memory */
		ptx_parse_advance(p);
	return true;
}

/* ---- vectors, lists, pairs ---- */

/* A register, name, constant, `_`, `!p` or `-%r`. */
static bool parse_simple(struct ptx_parser *p, struct ptx_operand *o)
{
	if (p->tok.kind == '!' || p->tok.kind == '-') {
		uint32_t pos = p->lex.pos;
		struct ptx_token next;

		ptx_lex_next(&p->lex, &next);
		p->lex.pos = pos;
		if (next.kind == PTX_TOK_NAME && !(next.n == 7 && !memcmp(p->m->text + next.at, "WARP_SZ", 7))) {
			o->negated = p->tok.kind == '!' ? PTX_NOT : PTX_MINUS;
			ptx_parse_advance(p);
		}
	}
	if (p->tok.kind != PTX_TOK_NAME || ptx_slice_is(ptx_parse_slice(p, &p->tok), "WARP_SZ"))
		return parse_constant(p, o);
	return parse_name(p, o) && parse_selector(p, o);
}

static bool parse_vector(struct ptx_parser *p, struct ptx_operand *o)
{
	size_t base = p->ops.n;

	p->open_braces++;
	ptx_parse_advance(p);
	do {
		struct ptx_operand e;

		start_operand(p, &e);
		if (!parse_simple(p, &e) || !push_operand(p, &e, base))
			return false;
	} while (ptx_parse_accept(p, ','));
	o->kind = PTX_OP_VECTOR;
	pop_operands(p, o, base);
	p->open_braces -= p->tok.kind == '}';
	return ptx_parse_expect(p, '}', "',' or '}' in the vector");
}

/* `( a, b )` of a call */
static bool parse_list(struct ptx_parser *p, struct ptx_operand *o)
{
	size_t base = p->ops.n;

	ptx_parse_advance(p);
	while (p->tok.kind != ')') {
		struct ptx_operand e;

		start_operand(p, &e);
		if (!parse_simple(p, &e) || !push_operand(p, &e, base))
			return false;
		if (!ptx_parse_accept(p, ','))
			break;
		if (p->tok.kind == ')')
			return ptx_parse_unexpected(p, "an argument after ','");
	}
	o->kind = PTX_OP_LIST;
	pop_operands(p, o, base);
	return ptx_parse_expect(p, ')', "',' or ')' in the list");
}

/* `p|q`, either half of which may be `_`; `{a,b,c,d}|p` of texture loads */
static bool parse_pair(struct ptx_parser *p, struct ptx_operand *o)
{
	size_t base = p->ops.n;
	struct ptx_operand pair, second;

	ptx_parse_advance(p);
	start_operand(p, &second);
	if (p->tok.kind != PTX_TOK_NAME)
		return ptx_parse_unexpected(p, "a register or '_' after '|'");
	if (!parse_name(p, &second))
		return false;
	memset(&pair, 0, sizeof(pair));
	pair.at = o->at;
	pair.dim = PTX_NO_DIM;
	pair.kind = PTX_OP_PAIR;
	push_operand(p, o, base);
	push_operand(p, &second, base);
	pop_operands(p, &pair, base);
	*o = pair;
	return true;
}

/* `%r + CONSTANT`: ptxas adds to a whole register wherever an instruction's operand may be one, though the ISA doesn't say so. */
static bool parse_sum(struct ptx_parser *p, struct ptx_operand *o)
{
	const size_t base = p->ops.n;
	struct ptx_operand sum = {.kind = PTX_OP_SUM, .at = o->at, .dim = PTX_NO_DIM};

	if (!parse_displacement(p, &sum))
		return false;
	push_operand(p, o, base);
	pop_operands(p, &sum, base);
	*o = sum;
	return true;
}

static bool may_be_sum(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_REG && !o->negated && !o->select && o->dim == PTX_NO_DIM;
}

static bool parse_operand(struct ptx_parser *p, struct ptx_operand *o)
{
	start_operand(p, o);
	if (p->tok.kind == '{')
		return parse_vector(p, o) && (p->tok.kind != '|' || parse_pair(p, o));
	if (p->tok.kind == '[')
		return parse_bracket(p, o);
	if (p->tok.kind == '(' && ptx_slice_is(p->mnemonic, "call"))
		return parse_list(p, o);
	if (!parse_simple(p, o))
		return false;
	if (p->tok.kind == '|' && (o->kind == PTX_OP_REG || o->kind == PTX_OP_SINK || o->kind == PTX_OP_NONE))
		return parse_pair(p, o);
	if (p->bad_insn && (p->tok.kind == '+' || p->tok.kind == '[')) {
		struct ptx_operand rest; /* of an undeclared array: one message is enough */

		start_operand(p, &rest);
		return p->tok.kind == '+' ? parse_displacement(p, &rest) : parse_bracket(p, &rest);
	}
	if (p->tok.kind == '+' && may_be_sum(o))
		return parse_sum(p, o);
	if (o->kind != PTX_OP_SYMBOL || !o->symbol)
		return true;
	if (p->tok.kind == '[')
		return parse_index(p, o);
	if (o->symbol->kind != PTX_SYM_VARIABLE)
		return true;
	o->is_sum = p->tok.kind == '+';
	return parse_displacement(p, o);
}

bool ptx_parse_operands(struct ptx_parser *p, struct ptx_insn *insn)
{
	p->ops.n = 0;
	do {
		struct ptx_operand o;

		if (p->ops.n == PTX_MAX_OPERANDS) {
			ptx_parse_error(p, p->tok.at, "more than %u operands", PTX_MAX_OPERANDS);
			return false;
		}
		if (!parse_operand(p, &o))
			return false;
		PTX_GROW(p->ops);
		p->ops.v[p->ops.n++] = o;
	} while (ptx_parse_accept(p, ','));
	insn->n_operands = (uint8_t)p->ops.n;
	if (p->bad_insn)
		return true;
	insn->operands = PTX_POOL_COPY(p, p->ops);
	for (unsigned i = 0; i < insn->n_operands; i++) {
		struct ptx_operand *o = &insn->operands[i];

		if (o->kind == PTX_OP_SYMBOL && !o->symbol) {
			ptx_parse_fixup(p, *o->name_slice, &o->symbol, o->at);
			o->bits = 0;
		}
	}
	return true;
}
