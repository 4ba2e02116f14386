/* Writes instructions of a listing as PTXPlus: a row of the table says which, and by which function. */
#include <stdarg.h>
#include <string.h>

#include "ptxplus/sass_insn.h"

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
	return sass_word_is(s, "TRUNC")	  ? ".rz"
	       : sass_word_is(s, "CEIL")  ? ".rp"
	       : sass_word_is(s, "FLOOR") ? ".rm"
					  : NULL;
}

static bool has_no_meaning(struct ptx_slice s)
{
	static const char *const names[] = {"S",   "SFU", "BEXT",  "UN",  "NODEP", "IR",
					    "MAD", "CC",  "NOINC", "ARV", "WAIT"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (sass_word_is(s, names[k]))
			return true;
	return false;
}

/* Words that belong to certain instructions, which look at them themselves. */
bool sass_is_part_of_name(const struct sass_converter *c, struct ptx_slice s)
{
	static const char *const lop[] = {"AND", "OR", "XOR", "PASS_B"}, *const atom[] = {"IADD", "IMIN", "IMAX"};
	const bool is_lop = sass_word_is(c->in->op, "LOP"),
		   is_atom = sass_word_is(c->in->op, "GRED") || sass_word_is(c->in->op, "GATOM");
	for (size_t k = 0; k < 4; k++)
		if ((is_lop && sass_word_is(s, lop[k])) || (is_atom && k < 3 && sass_word_is(s, atom[k])))
			return true;
	return s.n > 5 && !memcmp(s.s, "CARRY", 5) && sass_word_is(c->in->op, "IADD");
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
	} else if (sass_word_is(s, "ANY") || sass_word_is(s, "ALL")) {
		text_add(&c->modifiers, sass_word_is(s, "ANY") ? ".any" : ".all");
	} else if (sass_word_is(s, "X") || sass_word_is(s, "E")) {
		text_add(&c->modifiers, sass_word_is(s, "X") ? ".x" : ".e");
		c->has_x = true;
	} else if (sass_word_is(s, "HI")) {
		c->is_hi = true;
	} else if (sass_word_is(s, "SAT")) {
		c->saturates = true;
	} else if (!has_no_meaning(s) && !sass_is_part_of_name(c, s)) {
		SASS_FAIL(c, s.s, "the modifier .%.*s is unknown in this instruction", (int)s.n, s.s);
	}
}

/* Comparisons and bars among the operands are modifiers as well. Returns the number of real operands, which are at c->in->operands[index[k]]. */
unsigned sass_real_operands(struct sass_converter *c, unsigned index[SASS_OPERANDS])
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

const char *sass_type_name(enum isa_type t)
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

void sass_put_guard(struct sass_converter *c)
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

void sass_put_head(struct sass_converter *c, const char *opcode)
{
	sass_put_guard(c);
	text_add(&c->code, opcode);
}

void sass_put_types(struct sass_converter *c, const char *or_else)
{
	if (!c->n_types) {
		text_addf(&c->code, ".%s", or_else);
		return;
	}
	for (unsigned k = 0; k < c->n_types; k++)
		text_addf(&c->code, ".%s", sass_type_name(c->types[k]));
}

/* Writes the flags of a double destination in front of the first operand. */
void sass_put_flags(struct sass_converter *c, char joint)
{
	if (c->in->flags < 0)
		return;
	if (c->in->flags > c->used.predicates)
		c->used.predicates = c->in->flags;
	text_addf(&c->code, "$p%d%c", c->in->flags, joint);
}

void sass_put_list(struct sass_converter *c, const unsigned *index, unsigned n, const struct sass_style *style,
		   char joint)
{
	for (unsigned k = 0; k < n; k++) {
		text_add(&c->code, k ? ", " : " ");
		if (!k)
			sass_put_flags(c, joint);
		sass_put_operand(c, &c->in->operands[index[k]], style, &c->code);
	}
}

/* Opcode, modifiers, types, operands. */
void sass_plain(struct sass_converter *c, const struct sass_row *r)
{
	unsigned index[SASS_OPERANDS];
	const unsigned n = sass_real_operands(c, index);
	const struct sass_style style = sass_own_style(c);
	sass_put_head(c, r->plus);
	if (c->saturates && !c->source->exact)
		text_add(&c->code, ".sat");
	text_add(&c->code, text_str(&c->modifiers));
	sass_put_types(c, r->type);
	sass_put_list(c, index, n, &style, '|');
	sass_end_line(c);
	if (c->saturates)
		sass_note(c, "3.2.2 loses .SAT");
	if (c->has_x && !c->source->exact)
		SASS_FAIL(c, c->in->at, "PTXPlus has no counterpart of .X and .E");
}

static const struct sass_row rows[] = {
	{"NOP", "nop", sass_bare, ""},
	{"SSY", "ssy ", sass_sync_point, ""},
	{"BRA", "bra ", sass_branch, ""},
	{"CAL", "callp ", sass_branch, ""},
	{"RET", "retp", sass_bare, ""},
	{"EXIT", "exit", sass_bare, ""},
	{"PBK", "nop", sass_set_break, ""},
	{"BRK", "bra ", sass_break, ""},
	{"BRX", "brx.u32", sass_computed_branch, ""},
	{"BAR", "bar", sass_barrier_wait, ""},
	{"MOV", "mov", sass_plain, "u32"},
	{"MVI", "mov", sass_plain, "u32"},
	{"MOV32", "mov.half", sass_plain, "u32"},
	{"MVC", "mov", sass_move_constant, "u32"},
	{"G2R", "mov", sass_shared_move, ""},
	{"R2G", "mov", sass_shared_move, ""},
	{"LD", "mov", sass_shared_move, ""},
	{"ST", "mov", sass_shared_move, ""},
	{"LDS", "mov", sass_shared_move, ""},
	{"STS", "mov", sass_shared_move, ""},
	{"GLD", "ld.global", sass_access_memory, ""},
	{"GST", "st.global", sass_access_memory, ""},
	{"LLD", "ld.local", sass_access_memory, ""},
	{"LST", "st.local", sass_access_memory, ""},
	{"GRED", "", sass_atomic, ""},
	{"GATOM", "", sass_atomic, ""},
	{"R2A", "shl.b32", sass_address_register, ""},
	{"A2R", "mov", sass_plain, "u32"},
	{"ADA", "add", sass_plain, "u32"},
	{"S2R", "cvt", sass_plain, "u32.u32"},
	{"C2R", "mov", sass_plain, "u32"},
	{"R2C", "mov", sass_plain, "pred"},
	{"IADD", "add", sass_sum, "u32"},
	{"IADD32I", "add", sass_plain, "u32"},
	{"IADD32", "add.half", sass_plain, "u32"},
	{"ISAD", "sad", sass_plain, "u32"},
	{"IMIN", "min", sass_plain, "s32"},
	{"IMAX", "max", sass_plain, "s32"},
	{"IMUL", "mul", sass_multiply, ""},
	{"IMUL32I", "mul", sass_multiply, ""},
	{"IMUL32", "mul.half", sass_multiply, ""},
	{"IMAD", "mad", sass_multiply_add, ""},
	{"IMAD32", "mad", sass_multiply_add, ""},
	{"IMAD32I", "mad", sass_multiply_add, ""},
	{"SHL", "shl", sass_plain, "u32"},
	{"SHR", "shr", sass_plain, "u32"},
	{"LOP", "", sass_logic, "b32"},
	{"ISET", "set", sass_compare, "u32"},
	{"FSET", "set", sass_compare, "f32"},
	{"DSET", "set", sass_compare, "f64"},
	{"FADD", "add", sass_float_sum, "f32"},
	{"FADD32I", "add", sass_float_sum, "f32"},
	{"FADD32", "add.half", sass_float_sum, "f32"},
	{"FMUL", "mul", sass_float_sum, "f32"},
	{"FMUL32I", "mul", sass_float_sum, "f32"},
	{"FMUL32", "mul.half", sass_float_sum, "f32"},
	{"FMAD", "mad", sass_float_sum, "f32"},
	{"FMAD32I", "mad", sass_float_sum, "f32"},
	{"FMIN", "min", sass_float_sum, "f32"},
	{"FMAX", "max", sass_float_sum, "f32"},
	{"DADD", "add", sass_double, "ff64"},
	{"DMUL", "mul", sass_double, "ff64"},
	{"DFMA", "fma.rz", sass_double, "ff64"},
	{"DMIN", "min", sass_double_order, "f64"},
	{"DMAX", "max", sass_double_order, "f64"},
	{"RCP", "rcp", sass_plain, "f32"},
	{"RCP32", "rcp.half", sass_plain, "f32"},
	{"RSQ", "rsqrt", sass_plain, "f32"},
	{"LG2", "lg2", sass_plain, "f32"},
	{"EX2", "ex2", sass_plain, "f32"},
	{"SIN", "sin", sass_plain, "f32"},
	{"COS", "cos", sass_plain, "f32"},
	{"RRO", "", sass_reduce_range, ""},
	{"I2I", "cvt", sass_conversion, "u32"},
	{"I2F", "cvt", sass_conversion, "u32"},
	{"F2I", "cvt", sass_conversion, "u32"},
	{"F2F", "cvt", sass_conversion, "u32"},
	{"TEX", "", sass_texture_fetch, ""},
	{"TEX32", "", sass_texture_fetch, ""},
	{"VOTE", "vote", sass_vote, ""},
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
		if (sass_word_is(c->in->op, rows[k].sass)) {
			if (c->is_24 && rows[k].put != sass_multiply && rows[k].put != sass_multiply_add)
				SASS_FAIL(c, c->in->at, "24-bit numbers are for multiplications");
			else
				rows[k].put(c, &rows[k]);
			return;
		}
	SASS_FAIL(c, c->in->at, "the instruction %.*s is unknown", (int)c->in->op.n, c->in->op.s);
}
