/* Values of expressions: making, converting, taking apart; and expressions in the arguments of commands. */
#ifndef DEBUG_EXPR_VALUE_H
#define DEBUG_EXPR_VALUE_H

#include "debug/csource/ctype.h"
#include "debug/expr/expr.h"

/* ---- values (value.c) ---- */
void value_int(struct expr_value *v, enum isa_type t, uint64_t bits); /* wraps to the type */
void value_float(struct expr_value *v, enum isa_type t, double x);    /* rounds to the type */
void value_pointer(struct expr_value *v, enum isa_type t, unsigned levels, uint64_t address);
/* From and to little-endian bytes of v->type (pointers: 8 bytes). */
void value_load(struct expr_value *v, enum isa_type t, unsigned pointers, const void *bytes);
void value_store(const struct expr_value *v, void *bytes);
void value_object_decay(struct expr_value *v);
unsigned value_element_bytes(const struct expr_value *v);
bool value_convert(struct expr_value *v, enum isa_type t, unsigned pointers, struct text *why);
const char *value_type_text(const struct expr_value *v, struct text *out); /* "f32 *", "s32 [4]"; returns out's text */
/* Appends the type of a vector, as the gdb stub calls it: dim3, or v4_f32 of a vector of registers. */
void value_vector_type(const struct expr_value *v, struct text *out);
static inline bool value_is_pointer(const struct expr_value *v)
{
	return v->pointers || (v->c && ctype_value(v->c)->kind == CTYPE_POINTER);
}
static inline bool value_is_number(const struct expr_value *v)
{
	return !v->is_array && !v->is_object && !v->is_string && v->type != ISA_NOTYPE;
}
/* Converts a number a user wrote to a type it has to fit: no lost fraction, no overflow; .bN take a float's bits. */
bool value_fit(struct expr_value *v, enum isa_type t, struct text *why);
/* Element i of an array value as a scalar with its place. */
void value_element(const struct expr_value *array, uint64_t i, struct expr_value *out);

/* A value of one of the source's types from its bytes (cvalue.c); bit_size: a bit-field in them, 0: none. */
void cvalue_of_bytes(const struct ctype *t, const void *bytes, unsigned bit_size, unsigned bit_shift, struct expr_value *out);

/* TYPE [*...] at *s, PTX's names and C's (expr_type.c); *s moves behind it. False: none is there. */
bool expr_parse_type(const char **s, enum isa_type *t, uint8_t *pointers);
/* Evaluates n bytes of text without a thread: numbers, buffers, variables. */
bool debug_eval_text(struct debug *d, const char *s, size_t n, struct expr_value *out, struct text *why);
/* The same for a number or an address: an array in memory says where it is, its elements aren't read. */
bool debug_eval_number(struct debug *d, const char *s, size_t n, struct expr_value *out, struct text *why);
bool debug_eval_count(struct debug *d, const char *s, size_t n, uint64_t *out, struct text *why); /* >= 0 */

/* ---- variables of the user, the value history (variables.c) ---- */
size_t debug_variable_count(const struct debug *d);
const char *debug_variable_name(const struct debug *d, size_t i);
const struct expr_value *debug_history_last(const struct debug *d); /* NULL: it is empty */

#endif
