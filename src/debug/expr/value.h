/* Values of expressions: making, converting, taking apart; and expressions in the arguments of commands. */
#ifndef DEBUG_EXPR_VALUE_H
#define DEBUG_EXPR_VALUE_H

#include "debug/csource/ctype.h"
#include "debug/expr/expr.h"

/* ---- values (value.c) ---- */
/* Makes a value of an integer type, wrapped to the type. */
void value_int(struct expr_value *v, enum isa_type t, uint64_t bits);
/* Makes a value of a floating-point type, rounded to the type. */
void value_float(struct expr_value *v, enum isa_type t, double x);
/* Makes a pointer value with `levels` levels of pointer to a type. */
void value_pointer(struct expr_value *v, enum isa_type t, unsigned levels, uint64_t address);
/* Makes a value from little-endian bytes of a type, of a pointer (8 bytes) if `pointers` isn't 0. A packed type becomes bits. */
void value_load(struct expr_value *v, enum isa_type t, unsigned pointers, const void *bytes);
/* Stores a scalar as little-endian bytes of its type, 8 bytes for a pointer. */
void value_store(const struct expr_value *v, void *bytes);
/* Converts an array of the source's types in memory to a pointer to its first element in place; other values stay. */
void value_object_decay(struct expr_value *v);
/* Returns the bytes of a value's element or of a scalar: 8 for pointers, 1 for strings and types without a size. */
unsigned value_element_bytes(const struct expr_value *v);
/* Converts a scalar, or the address of an array in memory, to a PTX type or pointer in place; floats saturate, and the place is lost. Returns
 * false, with an error in `why`, for other values, for floats to pointers, and for what was optimized out. */
bool value_convert(struct expr_value *v, enum isa_type t, unsigned pointers, struct text *why);
/* Appends the type of a value: "f32 *", "s32 [4]", or the source's. Returns out's text. */
const char *value_type_text(const struct expr_value *v, struct text *out);
/* Appends the type of a vector, as the gdb stub calls it: dim3 if it has three parts, else v4_f32. */
void value_vector_type(const struct expr_value *v, struct text *out);
/* Returns whether the value is a pointer, PTX's or the source's. */
static inline bool value_is_pointer(const struct expr_value *v)
{
	return v->pointers || (v->c && ctype_value(v->c)->kind == CTYPE_POINTER);
}
/* Returns whether the value is a scalar with a type of PTX. */
static inline bool value_is_number(const struct expr_value *v)
{
	return !v->is_array && !v->is_object && !v->is_string && v->type != ISA_NOTYPE;
}
/* Converts a number that a user wrote to type `t` in place. An integer type has to hold it without a lost fraction or overflow; float types round;
 * .bN take a float's bits. Returns false, with an error in `why`, if it doesn't fit or is no number. */
bool value_fit(struct expr_value *v, enum isa_type t, struct text *why);
/* Stores element `i`, which must be below the count, of an array or string value as a scalar. It has a place if the array is in memory. */
void value_element(const struct expr_value *array, uint64_t i, struct expr_value *out);

/* Makes a value of one of the source's types from its bytes, without a place (cvalue.c); the caller frees *out. `bit_size`: bits of a bit-field in
 * them from bit `bit_shift`, 0: none. */
void cvalue_of_bytes(const struct ctype *t, const void *bytes, unsigned bit_size, unsigned bit_shift, struct expr_value *out);

/* Makes a value of a reference type of the source from the object at `address`, which is the address that the reference holds. Returns false if the
 * object can't be read; else the caller frees *out. */
bool cvalue_of_reference(struct debug *d, const struct ctype *reference, uint64_t address, struct expr_value *out);
/* Parses TYPE [*...] at *s, PTX's names and C's, and moves *s behind it (expr_type.c). Returns false if there is none. */
bool expr_parse_type(const char **s, enum isa_type *t, uint8_t *pointers);
/* Evaluates n bytes of text without a thread: numbers, buffers, variables. Returns false, with an error in `why`, if there is no value; else the
 * caller frees *out. */
bool debug_eval_text(struct debug *d, const char *s, size_t n, struct expr_value *out, struct text *why);
/* Evaluates n bytes of text without a thread to a number or an address: an array's elements aren't read, and a texture or surface is its handle. Returns false, with an error in `why`, if
 * there is no value; else the caller frees *out. */
bool debug_eval_number(struct debug *d, const char *s, size_t n, struct expr_value *out, struct text *why);
/* Evaluates n bytes of text without a thread to an integer of at least 0. Returns false, with an error in `why`, if it has no value, is negative,
 * or is a float. */
bool debug_eval_count(struct debug *d, const char *s, size_t n, uint64_t *out, struct text *why);

/* ---- variables of the user, the value history (variables.c) ---- */
/* Returns the number of user variables. */
size_t debug_variable_count(const struct debug *d);
/* Returns the name of user variable `i`, below debug_variable_count, without $. It belongs to the debugger. */
const char *debug_variable_name(const struct debug *d, size_t i);
/* Returns the last value of the history, which belongs to the debugger and is valid until the next debug_history_add. Returns NULL if the history
 * is empty. */
const struct expr_value *debug_history_last(const struct debug *d);

#endif
