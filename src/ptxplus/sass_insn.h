/* One instruction of a listing, written as PTXPlus: the table's rows, and what the functions for them share. */
#ifndef PTXPLUS_SASS_INSN_H
#define PTXPLUS_SASS_INSN_H

#include <string.h>

#include "ptxplus/sass_convert.h"

struct sass_row {
	const char *sass, *plus; /* plus: with .half */
	void (*put)(struct sass_converter *c, const struct sass_row *r);
	const char *type; /* where none is written */
};

/* ---- sass_insn.c: parts of a line, appended to c->code ---- */
/* Returns true if a word of the listing is `text`. */
static inline bool sass_word_is(struct ptx_slice s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.s, text, s.n);
}
/* Ends the line. */
static inline void sass_end_line(struct sass_converter *c) { text_add(&c->code, ";"); }
/* Begins another line for the same instruction. */
static inline void sass_next_line(struct sass_converter *c) { text_add(&c->code, "\n\t"); }
/* Returns true for a modifier that belongs to certain instructions, which look at it themselves. */
bool sass_is_part_of_name(const struct sass_converter *c, struct ptx_slice s);
/* Takes comparisons, bars and types among the operands as modifiers. Returns the number of real operands, which are at c->in->operands[index[k]]. */
unsigned sass_real_operands(struct sass_converter *c, unsigned index[SASS_OPERANDS]);
/* Returns PTXPlus's name of a type, without a dot. */
const char *sass_type_name(enum isa_type t);
/* Writes the guard, if there is one. */
void sass_put_guard(struct sass_converter *c);
/* Writes guard and opcode. */
void sass_put_head(struct sass_converter *c, const char *opcode);
/* Writes the instruction's types, or one where none is written. */
void sass_put_types(struct sass_converter *c, const char *or_else);
/* Writes the flags of a double destination, in front of the first operand. */
void sass_put_flags(struct sass_converter *c, char joint);
/* Writes flags and operands, with commas. */
void sass_put_list(struct sass_converter *c, const unsigned *index, unsigned n, const struct sass_style *style,
		   char joint);

static const struct sass_style sass_single = {.group = 1, .scale = 4};
/* Returns the bytes of the first type. */
static inline unsigned sass_type_bytes(const struct sass_converter *c)
{
	return c->n_types ? isa_type_bytes(c->types[0]) : 4;
}
/* Returns the style of a memory operand that has no type of its own. */
static inline struct sass_style sass_own_style(const struct sass_converter *c)
{
	return (struct sass_style){.group = 1, .scale = sass_type_bytes(c)};
}

/* ---- functions for the table's rows ---- */
typedef void sass_row_fn(struct sass_converter *c, const struct sass_row *r);
sass_row_fn sass_plain; /* opcode, modifiers, types, operands */
/* sass_arithmetic.c */
sass_row_fn sass_float_sum, sass_double, sass_double_order, sass_sum, sass_multiply, sass_multiply_add, sass_logic,
	sass_compare, sass_reduce_range;
/* sass_memory.c */
sass_row_fn sass_shared_move, sass_move_constant, sass_access_memory, sass_atomic, sass_address_register,
	sass_conversion, sass_texture_fetch;
/* sass_flow.c */
sass_row_fn sass_vote, sass_barrier_wait, sass_branch, sass_sync_point, sass_set_break, sass_break, sass_bare,
	sass_computed_branch;

#endif
