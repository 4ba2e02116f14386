/* Writes instructions of a listing as PTXPlus: a row of the table says which, and by which function. */
#include <stdarg.h>
#include <string.h>

#include "ptxplus/sass_convert.h"

struct row {
	const char *sass, *plus; /* plus: with .half */
	void (*put)(struct sass_converter *c, const struct row *r);
	const char *type; /* where none is written */
};

static bool word_is(struct ptx_slice s, const char *text) { return s.n == strlen(text) && !memcmp(s.s, text, s.n); }

void sass_note(struct sass_converter *c, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;
	if (c->source->exact)
		return;
	va_start(ap, fmt);
	text_vaddf(&t, fmt, ap);
	va_end(ap);
	sass_say(c->source, (struct sass_place){c->in->at, c->in->line}, DIAG_NOTE, c->diags, "%s", text_str(&t));
	text_free(&t);
}

/* ---- types and modifiers ---- */

static void add_type(struct sass_converter *c, enum isa_type t)
{
	if (c->n_types < 2)
		c->types[c->n_types++] = t;
	else
		c->types[1] = t;
}

static const char *rounding(struct ptx_slice s)
{
	return word_is(s, "TRUNC") ? ".rz" : word_is(s, "CEIL") ? ".rp" : word_is(s, "FLOOR") ? ".rm" : NULL;
}

static bool has_no_meaning(struct ptx_slice s)
{
	static const char *const names[] = {"S", "SFU", "BEXT", "UN", "NODEP", "IR", "MAD", "CC", "NOINC", "ARV", "WAIT"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (word_is(s, names[k]))
			return true;
	return false;
}

/* Words that belong to certain instructions, which look at them themselves. */
static bool is_part_of_name(const struct sass_converter *c, struct ptx_slice s)
{
	static const char *const lop[] = {"AND", "OR", "XOR", "PASS_B"}, *const atom[] = {"IADD", "IMIN", "IMAX"};
	const bool is_lop = word_is(c->in->op, "LOP"), is_atom = word_is(c->in->op, "GRED") || word_is(c->in->op, "GATOM");
	for (size_t k = 0; k < 4; k++)
		if ((is_lop && word_is(s, lop[k])) || (is_atom && k < 3 && word_is(s, atom[k])))
			return true;
	return s.n > 5 && !memcmp(s.s, "CARRY", 5) && word_is(c->in->op, "IADD");
}

static void take_modifier(struct sass_converter *c, struct ptx_slice s)
{
	bool is_24;
	const enum isa_type t = sass_type(s, &is_24);
	const char *compare = sass_comparison(s), *round = rounding(s);
	if (t) {
		c->is_24 |= is_24;
		add_type(c, t);
	} else if (compare) {
		text_addf(&c->modifiers, ".%s", compare);
	} else if (round) {
		text_add(&c->modifiers, round);
	} else if (word_is(s, "ANY") || word_is(s, "ALL")) {
		text_add(&c->modifiers, word_is(s, "ANY") ? ".any" : ".all");
	} else if (word_is(s, "X") || word_is(s, "E")) {
		text_add(&c->modifiers, word_is(s, "X") ? ".x" : ".e");
		c->has_x = true;
	} else if (word_is(s, "HI")) {
		c->is_hi = true;
	} else if (word_is(s, "SAT")) {
		c->saturates = true;
	} else if (!has_no_meaning(s) && !is_part_of_name(c, s)) {
		SASS_FAIL(c, s.s, "the modifier .%.*s is unknown in this instruction", (int)s.n, s.s);
	}
}

/* Comparisons and bars among the operands are modifiers as well. Returns the number of real operands, which are at c->in->operands[index[k]]. */
static unsigned real_operands(struct sass_converter *c, unsigned index[SASS_OPERANDS])
{
	unsigned n = 0;
	for (unsigned k = 0; k < c->in->n; k++) {
		const struct sass_operand *o = &c->in->operands[k];
		const char *compare = o->kind == SASS_WORD ? sass_comparison((struct ptx_slice){o->s, o->n}) : NULL;
		if (compare) {
			text_addf(&c->modifiers, ".%s", compare);
			continue;
		}
		if (o->is_magnitude)
			text_add(&c->modifiers, ".abs");
		if (o->kind == SASS_MEMORY && o->type)
			add_type(c, o->type);
		index[n++] = k;
	}
	return n;
}

static const char *type_name(enum isa_type t)
{
	switch (t) {
	case ISA_S64:
	case ISA_U64: return "bb64";
	case ISA_B128: return "bb128";
	case ISA_F64: return "ff64";
	default: return isa_type_info[t].name;
	}
}

/* ---- the line ---- */

static void put_guard(struct sass_converter *c)
{
	const struct sass_insn *in = c->in;
	if (in->guard < 0)
		return;
	if (!c->source->exact && in->guard > c->used.predicates)
		c->used.predicates = in->guard;
	text_addf(&c->code, "@$p%d", in->guard);
	if (in->condition.n) {
		const char *name = sass_condition(in->condition);
		text_addf(&c->code, ".%s", strcmp(name, "fl") ? name : "false");
	}
	text_addc(&c->code, ' ');
}

static void put_head(struct sass_converter *c, const char *opcode)
{
	put_guard(c);
	text_add(&c->code, opcode);
}

static void end_line(struct sass_converter *c) { text_add(&c->code, ";"); }

/* Begins another line for the same instruction. */
static void next_line(struct sass_converter *c) { text_add(&c->code, "\n\t"); }

static void put_types(struct sass_converter *c, const char *or_else)
{
	if (!c->n_types) {
		text_addf(&c->code, ".%s", or_else);
		return;
	}
	for (unsigned k = 0; k < c->n_types; k++)
		text_addf(&c->code, ".%s", type_name(c->types[k]));
}

/* Writes the flags of a double destination in front of the first operand. */
static void put_flags(struct sass_converter *c, char joint)
{
	if (c->in->flags < 0)
		return;
	if (c->in->flags > c->used.predicates)
		c->used.predicates = c->in->flags;
	text_addf(&c->code, "$p%d%c", c->in->flags, joint);
}

static void put_list(struct sass_converter *c, const unsigned *index, unsigned n, const struct sass_style *style, char joint)
{
	for (unsigned k = 0; k < n; k++) {
		text_add(&c->code, k ? ", " : " ");
		if (!k)
			put_flags(c, joint);
		sass_put_operand(c, &c->in->operands[index[k]], style, &c->code);
	}
}

/* ---- plain instructions ---- */

static const struct sass_style single = {.group = 1, .scale = 4};

static unsigned type_bytes(const struct sass_converter *c) { return c->n_types ? isa_type_bytes(c->types[0]) : 4; }

/* The size of a memory operand that has no type of its own. */
static struct sass_style own_style(const struct sass_converter *c) { return (struct sass_style){.group = 1, .scale = type_bytes(c)}; }

/* Opcode, modifiers, types, operands. */
static void plain(struct sass_converter *c, const struct row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = real_operands(c, index);
	const struct sass_style style = own_style(c);
	put_head(c, r->plus);
	if (c->saturates && !c->source->exact)
		text_add(&c->code, ".sat");
	text_add(&c->code, text_str(&c->modifiers));
	put_types(c, r->type);
	put_list(c, index, n, &style, '|');
	end_line(c);
	if (c->saturates)
		sass_note(c, "3.2.2 loses .SAT");
	if (c->has_x && !c->source->exact)
		SASS_FAIL(c, c->in->at, "PTXPlus has no counterpart of .X and .E");
}

/* Magnitudes of single operands: PTXPlus takes them in instructions of their own. */
static void take_magnitudes(struct sass_converter *c, struct sass_insn *copy, unsigned *n_taken)
{
	const int first = c->used.registers + 1 > 60 ? c->used.registers + 1 : 60;
	for (unsigned k = 0; k < copy->n; k++) {
		struct sass_operand *o = &copy->operands[k];
		if (!o->is_magnitude)
			continue;
		const uint32_t temp = (uint32_t)first + (*n_taken)++;
		put_guard(c);
		text_addf(&c->code, "abs.f32 $r%u, $r%u;", temp, o->number);
		next_line(c);
		o->is_magnitude = false;
		o->number = temp;
		if ((int)temp > c->used.registers)
			c->used.registers = (int)temp;
	}
}

static void float_sum(struct sass_converter *c, const struct row *r)
{
	struct sass_insn copy = *c->in;
	const struct sass_insn *const in = c->in;
	unsigned taken = 0;
	if (!c->source->exact)
		take_magnitudes(c, &copy, &taken);
	if (taken)
		sass_note(c, "3.2.2 writes .abs, which has no effect");
	c->in = &copy;
	plain(c, r);
	c->in = in;
}

/* ---- doubles ---- */

static void pairs(struct sass_converter *c, const struct row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = real_operands(c, index);
	put_head(c, r->plus);
	text_add(&c->code, text_str(&c->modifiers));
	text_addf(&c->code, ".%s", r->type);
	put_list(c, index, n, &(struct sass_style){.group = 2, .scale = 4}, '|');
	end_line(c);
}

/* DMIN, DMAX: 3.2.2 sees one register of each pair. */
static void double_order(struct sass_converter *c, const struct row *r)
{
	if (c->source->exact) {
		plain(c, r);
		return;
	}
	sass_note(c, "3.2.2 takes one register of each pair");
	pairs(c, &(struct row){r->sass, r->plus, r->put, "ff64"});
}

/* ---- integers ---- */

static bool is_sixteen(enum isa_type t) { return t == ISA_U16 || t == ISA_S16; }

static void sum(struct sass_converter *c, const struct row *r)
{
	unsigned index[SASS_OPERANDS];
	for (uint32_t k = 0; k < c->in->n_modifiers; k++) {
		const struct ptx_slice s = c->in->modifiers[k];
		if (!is_part_of_name(c, s))
			continue;
		const unsigned n = real_operands(c, index);
		put_head(c, "addp");
		text_add(&c->code, text_str(&c->modifiers));
		put_types(c, r->type);
		put_list(c, index, n, &(struct sass_style){.group = 1, .scale = type_bytes(c)}, '|');
		text_addf(&c->code, ", $p%.*s;", (int)s.n - 5, s.s + 5);
		if (s.s[5] - '0' > c->used.predicates && !c->source->exact)
			c->used.predicates = s.s[5] - '0';
		return;
	}
	plain(c, r);
}

static void put_product(struct sass_converter *c, const char *opcode, const char *type)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = real_operands(c, index);
	const struct sass_style style = own_style(c);
	put_head(c, opcode);
	text_add(&c->code, text_str(&c->modifiers));
	if (type)
		text_addf(&c->code, ".%s", type);
	put_list(c, index, n, &style, '|');
	end_line(c);
}

static enum isa_type wider(const struct sass_converter *c)
{
	return c->n_types == 2 && isa_type_bytes(c->types[1]) > isa_type_bytes(c->types[0]) ? c->types[1] : c->types[0];
}

static bool any_signed(const struct sass_converter *c)
{
	return (c->n_types && isa_type_is_signed(c->types[0])) || (c->n_types == 2 && isa_type_is_signed(c->types[1]));
}

static void product24(struct sass_converter *c)
{
	const bool is_signed = any_signed(c);
	if (c->n_types != 2 || (c->is_hi && is_signed)) {
		SASS_FAIL(c, c->in->at, c->is_hi ? "a high product of signed 24-bit numbers is unknown" : "expected two types");
		return;
	}
	if (is_signed)
		sass_note(c, "3.2.2 multiplies unsigned numbers");
	put_product(c, c->is_hi ? "mul24.hi" : "mul24.lo", is_signed && !c->source->exact ? "s32" : "u32");
}

static void multiply(struct sass_converter *c, const struct row *r)
{
	const bool is_short = word_is(c->in->op, "IMUL32"), both16 = c->n_types == 2 && is_sixteen(c->types[0]) && is_sixteen(c->types[1]);
	if (c->is_24) {
		product24(c);
		return;
	}
	if (!c->n_types && !is_short) {
		SASS_FAIL(c, c->in->at, "a multiplication without types");
		return;
	}
	if (both16 && is_short && c->source->exact) {
		put_product(c, "mul.half.lo", any_signed(c) ? "s16" : "u16");
	} else if (both16) {
		if (is_short)
			sass_note(c, "3.2.2 keeps 16 bits of the product");
		put_product(c, is_short ? "mul.half.wide" : "mul.wide", any_signed(c) ? "s16" : "u16");
	} else {
		const char *type = c->n_types ? isa_type_info[wider(c)].name : c->source->exact ? NULL : "u32";
		text_add(&c->modifiers, c->is_hi ? ".hi" : ".lo");
		put_product(c, r->plus, type);
	}
}

/* With guard C3 and a minus in front of the last operand the carry of C1 is added. */
static void multiply_carry(struct sass_converter *c)
{
	struct sass_insn copy = *c->in;
	const struct sass_insn *const in = c->in;
	copy.guard = -1;
	copy.operands[copy.n - 1].is_negated = false;
	c->in = &copy;
	put_product(c, "madp.wide", c->n_types ? isa_type_info[c->types[0]].name : "u32");
	c->code.n--; /* the semicolon */
	c->code.s[c->code.n] = '\0';
	text_add(&c->code, ", $p1;");
	c->in = in;
	if (!c->source->exact && c->used.predicates < 1)
		c->used.predicates = 1;
}

static void multiply_add(struct sass_converter *c, const struct row *r)
{
	const bool is_short = !word_is(c->in->op, "IMAD"), sixteen = c->n_types && is_sixteen(c->types[0]);
	const char *type = c->n_types ? isa_type_info[c->types[0]].name : "u32";
	struct sass_style style = {.group = 1, .scale = 4};
	unsigned index[SASS_OPERANDS];
	(void)r;
	if (c->is_hi) {
		SASS_FAIL(c, c->in->at, "IMAD.HI is unknown");
		return;
	}
	if (c->in->guard == 3 && c->in->n && c->in->operands[c->in->n - 1].is_negated && !c->is_24 && !is_short) {
		multiply_carry(c);
		return;
	}
	const unsigned n = real_operands(c, index);
	put_head(c, c->is_24 ? "mad24.lo" : is_short && (c->source->exact || !sixteen) ? "mad.lo" : "mad.wide");
	if (is_short && sixteen)
		sass_note(c, "3.2.2 keeps 16 bits of the product");
	text_addf(&c->code, "%s.%s", text_str(&c->modifiers), type);
	for (unsigned k = 0; k < n; k++) {
		style.scale = k == 3 || !sixteen ? 4 : 2;
		text_add(&c->code, k ? ", " : " ");
		if (!k)
			put_flags(c, '|');
		sass_put_operand(c, &c->in->operands[index[k]], &style, &c->code);
	}
	end_line(c);
}

/* ---- logic ---- */

static const char *logic_name(struct sass_converter *c, bool inverted_a, bool inverted_b, const char *word)
{
	if (c->source->exact || (!inverted_a && !inverted_b))
		return word;
	sass_note(c, "3.2.2 loses the complement");
	if (!strcmp(word, "and"))
		return inverted_a ? "norn" : "andn";
	if (!strcmp(word, "or"))
		return inverted_a ? "nandn" : "orn";
	return NULL;
}

static void pass_b(struct sass_converter *c)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = real_operands(c, index);
	const bool inverts = n == 3 && c->in->operands[index[2]].is_inverted;
	if (n != 3) {
		SASS_FAIL(c, c->in->at, "expected three operands");
		return;
	}
	index[1] = index[2];
	if (!inverts)
		sass_note(c, "3.2.2 writes the complement");
	put_head(c, inverts || c->source->exact ? "not" : "mov");
	put_types(c, "b32");
	put_list(c, index, 2, &single, '|');
	end_line(c);
}

static void logic(struct sass_converter *c, const struct row *r)
{
	static const char *const words[][2] = {{"AND", "and"}, {"OR", "or"}, {"XOR", "xor"}};
	const char *word = NULL;
	unsigned index[SASS_OPERANDS];
	for (uint32_t k = 0; k < c->in->n_modifiers; k++) {
		if (word_is(c->in->modifiers[k], "PASS_B")) {
			pass_b(c);
			return;
		}
		bool is_24;
		if (!word && sass_type(c->in->modifiers[k], &is_24)) {
			SASS_FAIL(c, c->in->modifiers[k].s, "the operation stands in front of the type");
			return;
		}
		for (unsigned w = 0; w < 3; w++)
			word = word_is(c->in->modifiers[k], words[w][0]) ? words[w][1] : word;
	}
	const unsigned n = real_operands(c, index);
	if (!word || n != 3) {
		SASS_FAIL(c, c->in->at, word ? "expected three operands" : "expected LOP.AND, LOP.OR, LOP.XOR or LOP.PASS_B");
		return;
	}
	const bool a = c->in->operands[index[1]].is_inverted, b = c->in->operands[index[2]].is_inverted;
	word = logic_name(c, a, b, word);
	if (!word || (a && b && !c->source->exact)) {
		SASS_FAIL(c, c->in->at, "PTXPlus has no instruction for this complement");
		return;
	}
	const struct sass_style style = own_style(c);
	put_head(c, word);
	text_add(&c->code, text_str(&c->modifiers));
	put_types(c, r->type);
	put_list(c, index, n, &style, '|');
	end_line(c);
}

/* ---- comparisons ---- */

static void compare(struct sass_converter *c, const struct row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = real_operands(c, index);
	const bool integers = *c->in->op.s == 'I', doubles = *c->in->op.s == 'D';
	const struct sass_style style = own_style(c);
	put_head(c, "set");
	text_add(&c->code, text_str(&c->modifiers));
	if (!c->n_types && doubles && !c->source->exact) {
		sass_note(c, "3.2.2 takes one register of each pair");
		text_add(&c->code, ".f32.ff64");
	} else if (!c->n_types) {
		text_addf(&c->code, ".%s.%s", r->type, r->type);
	} else {
		put_types(c, NULL);
		if (c->n_types == 1 && (integers || !c->source->exact))
			text_addf(&c->code, ".%s", integers ? type_name(c->types[0]) : doubles ? "ff64" : "f32");
	}
	for (unsigned k = 0; k < n; k++) {
		const struct sass_style pair = {.group = 2, .scale = 4};
		text_add(&c->code, k ? ", " : " ");
		if (!k)
			put_flags(c, '/');
		sass_put_operand(c, &c->in->operands[index[k]], k && doubles && !c->source->exact ? &pair : &style, &c->code);
	}
	end_line(c);
}

/* ---- moves and accesses ---- */

static unsigned group_of(const struct sass_converter *c)
{
	if (c->n_types != 1)
		return 1;
	return c->types[0] == ISA_B128 ? 4 : c->types[0] == ISA_S64 || (!c->source->exact && isa_type_bytes(c->types[0]) == 8) ? 2 : 1;
}

static enum isa_type narrower(const struct sass_converter *c)
{
	return c->n_types == 2 && isa_type_bytes(c->types[1]) < isa_type_bytes(c->types[0]) ? c->types[1] : c->types[0];
}

static void shared_move(struct sass_converter *c, const struct row *r)
{
	unsigned index[SASS_OPERANDS];
	const bool by_halves = word_is(c->in->op, "R2G") && c->n_types == 2 && c->types[0] == ISA_U16 && c->types[1] == ISA_U8;
	struct sass_style style = {.group = group_of(c), .scale = 4};
	const unsigned n = real_operands(c, index);
	(void)r;
	put_head(c, "mov");
	if (!c->n_types && c->source->exact) {
		text_add(&c->code, "Error: unsupported number of type modifiers. ");
	} else {
		if (!c->n_types)
			sass_note(c, "3.2.2 writes no instruction, since a type is missing");
		text_addf(&c->code, ".%s", c->n_types ? type_name(narrower(c)) : "u32");
	}
	style.scale = c->n_types ? isa_type_bytes(narrower(c)) : 4;
	for (unsigned k = 0; k < n; k++) {
		const struct sass_operand *o = &c->in->operands[index[k]];
		text_add(&c->code, k ? ", " : " ");
		style.by_halves = by_halves && o->kind == SASS_REGISTER && !o->half;
		sass_put_operand(c, o, &style, &c->code);
	}
	end_line(c);
}

static void move_constant(struct sass_converter *c, const struct row *r)
{
	if (c->n_types + (c->in->n > 1 && c->in->operands[1].type) >= 2)
		plain(c, &(struct row){r->sass, "cvt", r->put, r->type});
	else
		plain(c, r);
}

static void access_memory(struct sass_converter *c, const struct row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned group = group_of(c), n = real_operands(c, index);
	const bool stores = c->in->op.s[1] == 'S';
	if (!c->n_types || n != 2) {
		SASS_FAIL(c, c->in->at, n == 2 ? "an access without a type" : "expected two operands");
		return;
	}
	put_head(c, r->plus);
	if (group > 1)
		text_addf(&c->code, ".v%u.u32", group);
	else
		text_addf(&c->code, ".%s", type_name(c->types[0]));
	if (group == 2 && c->types[0] != ISA_S64)
		sass_note(c, "3.2.2 loads and stores one register of the pair");
	for (unsigned k = 0; k < 2; k++) {
		const bool is_address = k == (stores ? 0 : 1);
		text_add(&c->code, k ? ", " : " ");
		if (is_address != (c->in->operands[index[k]].kind == SASS_MEMORY)) {
			SASS_FAIL(c, c->in->operands[index[k]].s, is_address ? "expected memory" : "expected a register");
			return;
		}
		sass_put_operand(c, &c->in->operands[index[k]], &(struct sass_style){.group = is_address ? 1 : group, .is_bare = is_address, .scale = 4},
				 &c->code);
	}
	end_line(c);
}

static void atomic(struct sass_converter *c, const struct row *r)
{
	static const char *const words[][2] = {{"IADD", "add"}, {"IMIN", "min"}, {"IMAX", "max"}};
	const bool has_result = word_is(c->in->op, "GATOM");
	const char *word = NULL;
	unsigned index[SASS_OPERANDS];
	(void)r;
	for (uint32_t k = 0; k < c->in->n_modifiers; k++)
		for (unsigned w = 0; w < 3; w++)
			word = word_is(c->in->modifiers[k], words[w][0]) ? words[w][1] : word;
	const unsigned n = real_operands(c, index);
	if (!word || !c->n_types || n != 2u + has_result) {
		SASS_FAIL(c, c->in->at, !word ? "expected .IADD, .IMIN or .IMAX" : !c->n_types ? "a type is missing" : "the number of operands is wrong");
		return;
	}
	put_head(c, "atom.global");
	text_addf(&c->code, ".%s.%s %s", word, type_name(c->types[0]), has_result ? "" : "_,  ");
	for (unsigned k = 0; k < n; k++) {
		text_add(&c->code, k ? ", " : "");
		sass_put_operand(c, &c->in->operands[index[k]], &(struct sass_style){.group = 1, .is_bare = true, .scale = 4}, &c->code);
	}
	end_line(c);
}

static void address_register(struct sass_converter *c, const struct row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = real_operands(c, index);
	put_head(c, r->plus);
	put_list(c, index, n, &single, '|');
	if (n == 2)
		text_add(&c->code, ", 0x00000000");
	end_line(c);
}

/* ---- conversions ---- */

static bool has_bars(const struct sass_converter *c)
{
	for (uint32_t k = 0; k < c->in->n; k++)
		if (c->in->operands[k].is_magnitude)
			return true;
	return false;
}

static void magnitude(struct sass_converter *c)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = real_operands(c, index);
	const bool integers = *c->in->op.s == 'I', wide = c->n_types && c->types[0] == ISA_F64 && !c->source->exact;
	put_head(c, integers ? (c->source->exact ? "abs.u32" : "abs.s32") : wide ? "abs.ff64" : "abs.f32");
	if (integers || wide)
		sass_note(c, integers ? "3.2.2 writes abs.u32, which copies" : "3.2.2 takes one register of each pair");
	put_list(c, index, n, &(struct sass_style){.group = wide ? 2 : 1, .scale = 4}, '|');
	end_line(c);
}

/* Directions of rounding as cvt takes them: to integers .rmi, .rni ...; 3.2.2 writes .rm, which cvt ignores. */
static void convert_rounding(struct sass_converter *c)
{
	const bool to_integer = c->n_types == 2 && isa_type_is_float(c->types[1]) && (!isa_type_is_float(c->types[0]) || c->types[0] == c->types[1]);
	const char *m = text_str(&c->modifiers);
	struct text changed = {0};
	if (c->source->exact || !to_integer)
		return;
	const bool any = strstr(m, ".r") != NULL;
	for (; *m; m++) {
		text_addc(&changed, *m);
		if (m[0] == 'r' && strchr("zpm", m[1]) && m[1]) {
			text_addc(&changed, *++m);
			if (*m != 'z' || isa_type_is_float(c->types[0]))
				text_addc(&changed, 'i');
		}
	}
	if (!any && !isa_type_is_float(c->types[0]))
		text_add(&changed, ".rni");
	if (strcmp(text_str(&changed), text_str(&c->modifiers)))
		sass_note(c, "3.2.2 loses the direction of rounding");
	text_clear(&c->modifiers);
	text_add(&c->modifiers, text_str(&changed));
	text_free(&changed);
}

static void put_convert_types(struct sass_converter *c, const char *or_else)
{
	const bool keeps_64 = c->source->exact && *c->in->op.s == 'F';
	if (!c->n_types) {
		text_addf(&c->code, ".%s", or_else);
		return;
	}
	for (unsigned k = 0; k < c->n_types; k++)
		text_addf(&c->code, ".%s", c->types[k] == ISA_F64 && keeps_64 ? "f64" : type_name(c->types[k]));
}

static void convert(struct sass_converter *c, const struct row *r)
{
	unsigned index[SASS_OPERANDS];
	const bool same = c->in->op.s[0] == c->in->op.s[2];
	if (has_bars(c) && same) {
		magnitude(c);
		return;
	}
	const unsigned n = real_operands(c, index);
	convert_rounding(c);
	put_head(c, "cvt");
	if (c->saturates && !c->source->exact)
		text_add(&c->code, ".sat");
	if (c->saturates)
		sass_note(c, "3.2.2 loses .SAT");
	text_add(&c->code, text_str(&c->modifiers));
	put_convert_types(c, r->type);
	for (unsigned k = 0; k < n; k++) {
		const enum isa_type t = c->n_types == 2 ? c->types[k ? 1 : 0] : ISA_U32;
		const bool wide = t == ISA_F64 && !c->source->exact;
		text_add(&c->code, k ? ", " : " ");
		if (!k)
			put_flags(c, '|');
		sass_put_operand(c, &c->in->operands[index[k]], &(struct sass_style){.group = wide ? 2 : 1, .scale = isa_type_bytes(t)}, &c->code);
		if (wide && c->in->operands[index[k]].kind == SASS_REGISTER)
			sass_note(c, "3.2.2 takes one register of the pair");
	}
	end_line(c);
}

/* Range reduction for SIN, COS and EX2, which PTXPlus functions don't need: the value. */
static void reduce_range(struct sass_converter *c, const struct row *r)
{
	const struct sass_insn *in = c->in;
	(void)r;
	if (in->n != 3 || in->operands[2].kind != SASS_WORD) {
		SASS_FAIL(c, in->at, "expected two registers and a function");
		return;
	}
	if (c->source->exact) {
		put_head(c, "nop; //");
		for (uint32_t k = 0; k < in->operands[2].n; k++)
			text_addc(&c->code, (char)(in->operands[2].s[k] | 32));
		text_add(&c->code, ".f32");
	} else {
		put_head(c, in->operands[1].is_magnitude ? "abs.f32" : "mov.f32");
		sass_note(c, "3.2.2 writes nothing, so that the function reads a register without a value");
	}
	put_list(c, (const unsigned[]){0, 1}, 2, &single, '|');
	end_line(c);
}

/* ---- others ---- */

static void vote(struct sass_converter *c, const struct row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = real_operands(c, index);
	put_head(c, r->plus);
	text_add(&c->code, text_str(&c->modifiers));
	if (!c->source->exact) {
		text_add(&c->code, ".pred");
		sass_note(c, "3.2.2 writes no type, so that the text does not load");
	}
	put_list(c, index, n, &single, '|');
	end_line(c);
}

/* The number is the texture's place in the .ptx. */
static void texture(struct sass_converter *c, const struct row *r)
{
	const struct sass_insn *in = c->in;
	uint32_t left = in->n > 1 ? in->operands[1].value : 0;
	(void)r;
	if (in->n < 2 || in->operands[0].kind != SASS_REGISTER || in->operands[1].kind != SASS_NUMBER) {
		SASS_FAIL(c, in->at, "expected a register and the number of a texture");
		return;
	}
	for (uint32_t k = 0; k < c->ptx.scope->n_symbols; k++) {
		const struct ptx_symbol *s = c->ptx.scope->symbols[k];
		if (s->kind != PTX_SYM_VARIABLE || s->type != ISA_TEXREF || left--)
			continue;
		put_head(c, "tex.1d.v4.f32.s32 { ");
		sass_put_operand(c, &in->operands[0], &single, &c->code);
		text_addf(&c->code, ",_,_,_} , %.*s,{ ", (int)s->name.n, s->name.s);
		sass_put_operand(c, &in->operands[0], &single, &c->code);
		text_add(&c->code, ",_,_,_};");
		return;
	}
	SASS_FAIL(c, in->operands[1].s, "%s has no texture of this number", c->source->ptx_name);
}

static void barrier(struct sass_converter *c, const struct row *r)
{
	const struct sass_insn *in = c->in;
	(void)r;
	if (!in->n) {
		put_head(c, "bar.sync 0;");
		return;
	}
	if (in->n != 2 || in->operands[0].kind != SASS_BARRIER || in->operands[0].number || in->operands[1].value != 0xfff) {
		SASS_FAIL(c, in->operands[0].s, "expected b0, 0xfff: all threads at barrier 0");
		return;
	}
	put_head(c, "bar.sync 0x00000000;");
}

/* ---- control flow ---- */

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

static void branch(struct sass_converter *c, const struct row *r)
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
	put_head(c, r->plus);
	c->in = in;
	if (sass_insn_at(c, address) < c->function->end || c->source->exact)
		label(c, address);
	else
		SASS_FAIL(c, in->operands[in->n - 1].s, "no instruction of the function has this address");
	end_line(c);
}

static void sync_point(struct sass_converter *c, const struct row *r)
{
	uint32_t address;
	if (!target(c, &address))
		return;
	put_head(c, r->plus);
	text_addf(&c->code, "0x%08x;", address);
}

/* A break goes to where the innermost PBK says. In 3.2.2 the one that was printed last counts. */
static void set_break(struct sass_converter *c, const struct row *r)
{
	uint32_t address;
	if (!target(c, &address))
		return;
	put_head(c, r->plus);
	end_line(c);
	c->last_pbk = c->in;
}

static void do_break(struct sass_converter *c, const struct row *r)
{
	const struct sass_insn *own = c->brk[c->in - c->listing.insns], *pbk = c->source->exact ? c->last_pbk : own;
	if (!pbk && !c->source->exact) {
		SASS_FAIL(c, c->in->at, "no PBK is in effect here");
		return;
	}
	if (own != c->last_pbk)
		sass_note(c, "3.2.2 goes to where the PBK printed last says");
	put_head(c, r->plus);
	if (pbk)
		label(c, pbk->operands[pbk->n - 1].value);
	end_line(c);
}

static void bare(struct sass_converter *c, const struct row *r)
{
	if (c->in->n) {
		SASS_FAIL(c, c->in->operands[0].s, "this instruction has no operands");
		return;
	}
	put_head(c, r->plus);
	end_line(c);
}

static void computed_branch(struct sass_converter *c, const struct row *r)
{
	put_head(c, r->plus);
	if (c->in->n != 1) {
		SASS_FAIL(c, c->in->at, "expected one operand");
		return;
	}
	put_list(c, (const unsigned[]){0}, 1, &single, '|');
	end_line(c);
}

static const struct row rows[] = {
	{"NOP", "nop", bare, ""}, {"SSY", "ssy ", sync_point, ""}, {"BRA", "bra ", branch, ""}, {"CAL", "callp ", branch, ""}, {"RET", "retp", bare, ""},
	{"EXIT", "exit", bare, ""}, {"PBK", "nop", set_break, ""}, {"BRK", "bra ", do_break, ""}, {"BRX", "brx.u32", computed_branch, ""}, {"BAR", "bar", barrier, ""},
	{"MOV", "mov", plain, "u32"}, {"MVI", "mov", plain, "u32"}, {"MOV32", "mov.half", plain, "u32"}, {"MVC", "mov", move_constant, "u32"},
	{"G2R", "mov", shared_move, ""}, {"R2G", "mov", shared_move, ""}, {"LD", "mov", shared_move, ""}, {"ST", "mov", shared_move, ""},
	{"LDS", "mov", shared_move, ""}, {"STS", "mov", shared_move, ""}, {"GLD", "ld.global", access_memory, ""}, {"GST", "st.global", access_memory, ""},
	{"LLD", "ld.local", access_memory, ""}, {"LST", "st.local", access_memory, ""}, {"GRED", "", atomic, ""}, {"GATOM", "", atomic, ""},
	{"R2A", "shl.b32", address_register, ""}, {"A2R", "mov", plain, "u32"}, {"ADA", "add", plain, "u32"}, {"S2R", "cvt", plain, "u32.u32"},
	{"C2R", "mov", plain, "u32"}, {"R2C", "mov", plain, "pred"}, {"IADD", "add", sum, "u32"}, {"IADD32I", "add", plain, "u32"},
	{"IADD32", "add.half", plain, "u32"}, {"ISAD", "sad", plain, "u32"}, {"IMIN", "min", plain, "s32"}, {"IMAX", "max", plain, "s32"},
	{"IMUL", "mul", multiply, ""}, {"IMUL32I", "mul", multiply, ""}, {"IMUL32", "mul.half", multiply, ""}, {"IMAD", "mad", multiply_add, ""},
	{"IMAD32", "mad", multiply_add, ""}, {"IMAD32I", "mad", multiply_add, ""}, {"SHL", "shl", plain, "u32"}, {"SHR", "shr", plain, "u32"},
	{"LOP", "", logic, "b32"}, {"ISET", "set", compare, "u32"}, {"FSET", "set", compare, "f32"}, {"DSET", "set", compare, "f64"},
	{"FADD", "add", float_sum, "f32"}, {"FADD32I", "add", float_sum, "f32"}, {"FADD32", "add.half", float_sum, "f32"}, {"FMUL", "mul", float_sum, "f32"},
	{"FMUL32I", "mul", float_sum, "f32"}, {"FMUL32", "mul.half", float_sum, "f32"}, {"FMAD", "mad", float_sum, "f32"}, {"FMAD32I", "mad", float_sum, "f32"},
	{"FMIN", "min", float_sum, "f32"}, {"FMAX", "max", float_sum, "f32"}, {"DADD", "add", pairs, "ff64"}, {"DMUL", "mul", pairs, "ff64"},
	{"DFMA", "fma.rz", pairs, "ff64"}, {"DMIN", "min", double_order, "f64"}, {"DMAX", "max", double_order, "f64"}, {"RCP", "rcp", plain, "f32"},
	{"RCP32", "rcp.half", plain, "f32"}, {"RSQ", "rsqrt", plain, "f32"}, {"LG2", "lg2", plain, "f32"}, {"EX2", "ex2", plain, "f32"},
	{"SIN", "sin", plain, "f32"}, {"COS", "cos", plain, "f32"}, {"RRO", "", reduce_range, ""}, {"I2I", "cvt", convert, "u32"},
	{"I2F", "cvt", convert, "u32"}, {"F2I", "cvt", convert, "u32"}, {"F2F", "cvt", convert, "u32"}, {"TEX", "", texture, ""},
	{"TEX32", "", texture, ""}, {"VOTE", "vote", vote, ""},
};

void sass_put_instruction(struct sass_converter *c)
{
	c->n_types = 0;
	c->is_24 = c->is_hi = c->saturates = c->has_x = false;
	text_clear(&c->modifiers);
	if (c->in->is_blank) {
		text_add(&c->code, "nop;");
		return;
	}
	for (uint32_t k = 0; k < c->in->n_modifiers; k++)
		take_modifier(c, c->in->modifiers[k]);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (word_is(c->in->op, rows[k].sass)) {
			if (c->is_24 && rows[k].put != multiply && rows[k].put != multiply_add)
				SASS_FAIL(c, c->in->at, "24-bit numbers are for multiplications");
			else
				rows[k].put(c, &rows[k]);
			return;
		}
	SASS_FAIL(c, c->in->at, "the instruction %.*s is unknown", (int)c->in->op.n, c->in->op.s);
}
