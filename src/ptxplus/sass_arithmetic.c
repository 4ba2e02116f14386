/* Arithmetic, logic and comparisons of a listing, written as PTXPlus. */
#include <string.h>

#include "ptxplus/sass_insn.h"

/* Magnitudes of single operands: PTXPlus takes them in instructions of their own. */
static void take_magnitudes(struct sass_converter *c, struct sass_insn *copy, unsigned *n_taken)
{
	const int first = c->used.registers + 1 > 60 ? c->used.registers + 1 : 60;
	for (unsigned k = 0; k < copy->n; k++) {
		struct sass_operand *o = &copy->operands[k];
		if (!o->is_magnitude)
			continue;
		const uint32_t temp = (uint32_t)first + (*n_taken)++;
		sass_put_guard(c);
		text_addf(&c->code, "abs.f32 $r%u, $r%u;", temp, o->number);
		sass_next_line(c);
		o->is_magnitude = false;
		o->number = temp;
		if ((int)temp > c->used.registers)
			c->used.registers = (int)temp;
	}
}

void sass_float_sum(struct sass_converter *c, const struct sass_row *r)
{
	struct sass_insn copy = *c->in;
	const struct sass_insn *const in = c->in;
	unsigned taken = 0;
	if (!c->source->exact)
		take_magnitudes(c, &copy, &taken);
	if (taken)
		sass_note(c, "3.2.2 writes .abs, which has no effect");
	c->in = &copy;
	sass_plain(c, r);
	c->in = in;
}

/* ---- doubles ---- */

void sass_double(struct sass_converter *c, const struct sass_row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = sass_real_operands(c, index);
	sass_put_head(c, r->plus);
	text_add(&c->code, text_str(&c->modifiers));
	text_addf(&c->code, ".%s", r->type);
	sass_put_list(c, index, n, &(struct sass_style){.group = 2, .scale = 4}, '|');
	sass_end_line(c);
}

/* DMIN, DMAX: 3.2.2 sees one register of each pair. */
void sass_double_order(struct sass_converter *c, const struct sass_row *r)
{
	if (c->source->exact) {
		sass_plain(c, r);
		return;
	}
	sass_note(c, "3.2.2 takes one register of each pair");
	sass_double(c, &(struct sass_row){r->sass, r->plus, r->put, "ff64"});
}

/* ---- integers ---- */

static bool is_sixteen(enum isa_type t) { return t == ISA_U16 || t == ISA_S16; }

void sass_sum(struct sass_converter *c, const struct sass_row *r)
{
	unsigned index[SASS_OPERANDS];
	for (uint32_t k = 0; k < c->in->n_modifiers; k++) {
		const struct ptx_slice s = c->in->modifiers[k];
		if (!sass_is_part_of_name(c, s))
			continue;
		const unsigned n = sass_real_operands(c, index);
		sass_put_head(c, "addp");
		text_add(&c->code, text_str(&c->modifiers));
		sass_put_types(c, r->type);
		sass_put_list(c, index, n, &(struct sass_style){.group = 1, .scale = sass_type_bytes(c)}, '|');
		text_addf(&c->code, ", $p%.*s;", (int)s.n - 5, s.s + 5);
		if (s.s[5] - '0' > c->used.predicates && !c->source->exact)
			c->used.predicates = s.s[5] - '0';
		return;
	}
	sass_plain(c, r);
}

static void put_product(struct sass_converter *c, const char *opcode, const char *type)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = sass_real_operands(c, index);
	const struct sass_style style = sass_own_style(c);
	sass_put_head(c, opcode);
	text_add(&c->code, text_str(&c->modifiers));
	if (type)
		text_addf(&c->code, ".%s", type);
	sass_put_list(c, index, n, &style, '|');
	sass_end_line(c);
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
		SASS_FAIL(c, c->in->at,
			  c->is_hi ? "a high product of signed 24-bit numbers is unknown" : "expected two types");
		return;
	}
	if (is_signed)
		sass_note(c, "3.2.2 multiplies unsigned numbers");
	put_product(c, c->is_hi ? "mul24.hi" : "mul24.lo", is_signed && !c->source->exact ? "s32" : "u32");
}

void sass_multiply(struct sass_converter *c, const struct sass_row *r)
{
	const bool is_short = sass_word_is(c->in->op, "IMUL32"),
		   both16 = c->n_types == 2 && is_sixteen(c->types[0]) && is_sixteen(c->types[1]);
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

void sass_multiply_add(struct sass_converter *c, const struct sass_row *r)
{
	const bool is_short = !sass_word_is(c->in->op, "IMAD"), sixteen = c->n_types && is_sixteen(c->types[0]);
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
	const unsigned n = sass_real_operands(c, index);
	sass_put_head(c, c->is_24 ? "mad24.lo" : is_short && (c->source->exact || !sixteen) ? "mad.lo" : "mad.wide");
	if (is_short && sixteen)
		sass_note(c, "3.2.2 keeps 16 bits of the product");
	text_addf(&c->code, "%s.%s", text_str(&c->modifiers), type);
	for (unsigned k = 0; k < n; k++) {
		style.scale = k == 3 || !sixteen ? 4 : 2;
		text_add(&c->code, k ? ", " : " ");
		if (!k)
			sass_put_flags(c, '|');
		sass_put_operand(c, &c->in->operands[index[k]], &style, &c->code);
	}
	sass_end_line(c);
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
	const unsigned n = sass_real_operands(c, index);
	const bool inverts = n == 3 && c->in->operands[index[2]].is_inverted;
	if (n != 3) {
		SASS_FAIL(c, c->in->at, "expected three operands");
		return;
	}
	index[1] = index[2];
	if (!inverts)
		sass_note(c, "3.2.2 writes the complement");
	sass_put_head(c, inverts || c->source->exact ? "not" : "mov");
	sass_put_types(c, "b32");
	sass_put_list(c, index, 2, &sass_single, '|');
	sass_end_line(c);
}

void sass_logic(struct sass_converter *c, const struct sass_row *r)
{
	static const char *const words[][2] = {{"AND", "and"}, {"OR", "or"}, {"XOR", "xor"}};
	const char *word = NULL;
	unsigned index[SASS_OPERANDS];
	for (uint32_t k = 0; k < c->in->n_modifiers; k++) {
		if (sass_word_is(c->in->modifiers[k], "PASS_B")) {
			pass_b(c);
			return;
		}
		bool is_24;
		if (!word && sass_type(c->in->modifiers[k], &is_24)) {
			SASS_FAIL(c, c->in->modifiers[k].s, "the operation stands in front of the type");
			return;
		}
		for (unsigned w = 0; w < 3; w++)
			word = sass_word_is(c->in->modifiers[k], words[w][0]) ? words[w][1] : word;
	}
	const unsigned n = sass_real_operands(c, index);
	if (!word || n != 3) {
		SASS_FAIL(c, c->in->at,
			  word ? "expected three operands" : "expected LOP.AND, LOP.OR, LOP.XOR or LOP.PASS_B");
		return;
	}
	const bool a = c->in->operands[index[1]].is_inverted, b = c->in->operands[index[2]].is_inverted;
	word = logic_name(c, a, b, word);
	if (!word || (a && b && !c->source->exact)) {
		SASS_FAIL(c, c->in->at, "PTXPlus has no instruction for this complement");
		return;
	}
	const struct sass_style style = sass_own_style(c);
	sass_put_head(c, word);
	text_add(&c->code, text_str(&c->modifiers));
	sass_put_types(c, r->type);
	sass_put_list(c, index, n, &style, '|');
	sass_end_line(c);
}

/* ---- comparisons ---- */

void sass_compare(struct sass_converter *c, const struct sass_row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = sass_real_operands(c, index);
	const bool integers = *c->in->op.s == 'I', doubles = *c->in->op.s == 'D';
	const struct sass_style style = sass_own_style(c);
	sass_put_head(c, "set");
	text_add(&c->code, text_str(&c->modifiers));
	if (!c->n_types && doubles && !c->source->exact) {
		sass_note(c, "3.2.2 takes one register of each pair");
		text_add(&c->code, ".f32.ff64");
	} else if (!c->n_types) {
		text_addf(&c->code, ".%s.%s", r->type, r->type);
	} else {
		sass_put_types(c, NULL);
		if (c->n_types == 1 && (integers || !c->source->exact))
			text_addf(&c->code, ".%s", integers ? sass_type_name(c->types[0]) : doubles ? "ff64" : "f32");
	}
	for (unsigned k = 0; k < n; k++) {
		const struct sass_style pair = {.group = 2, .scale = 4};
		text_add(&c->code, k ? ", " : " ");
		if (!k)
			sass_put_flags(c, '/');
		sass_put_operand(c, &c->in->operands[index[k]], k && doubles && !c->source->exact ? &pair : &style,
				 &c->code);
	}
	sass_end_line(c);
}

/* Range reduction for SIN, COS and EX2, which PTXPlus functions don't need: the value. */
void sass_reduce_range(struct sass_converter *c, const struct sass_row *r)
{
	const struct sass_insn *in = c->in;
	(void)r;
	if (in->n != 3 || in->operands[2].kind != SASS_WORD) {
		SASS_FAIL(c, in->at, "expected two registers and a function");
		return;
	}
	if (c->source->exact) {
		sass_put_head(c, "nop; //");
		for (uint32_t k = 0; k < in->operands[2].n; k++)
			text_addc(&c->code, (char)(in->operands[2].s[k] | 32));
		text_add(&c->code, ".f32");
	} else {
		sass_put_head(c, in->operands[1].is_magnitude ? "abs.f32" : "mov.f32");
		sass_note(c, "3.2.2 writes nothing, so that the function reads a register without a value");
	}
	sass_put_list(c, (const unsigned[]){0, 1}, 2, &sass_single, '|');
	sass_end_line(c);
}
