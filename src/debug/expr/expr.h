/* Expressions: C over the state of a thread. Parsed once to a tree, evaluated per lane, so that breakpoint conditions are cheap.
 *
 * Names are looked up when evaluated: $variable, register, kernel parameter, buffer, module variable (in that order). Types
 * are PTX's; .bN counts as signed in arithmetic and printing. Arithmetic as C: below 32 bits integers become s32, f16 and bf16
 * become f32. */
#ifndef DEBUG_EXPR_H
#define DEBUG_EXPR_H

#include "debug/csource/ctype.h"
#include "debug/view/focus.h"

/* The place of an lvalue. */
enum expr_place_kind { EXPR_NOWHERE, EXPR_MEMORY, EXPR_ROW, EXPR_PRED, EXPR_VARIABLE, EXPR_PC, EXPR_PARAM,
		       EXPR_FIELD /* of the performance model */ };
struct expr_place {
	enum expr_place_kind kind;
	uint64_t address; /* MEMORY: generic; PARAM: offset in the launch's parameter block */
	uint8_t space;	  /* MEMORY: enum isa_space as written (GENERIC: not said) */
	uint64_t frame;	  /* ROW, PRED: offset of the activation's frame */
	uint32_t ref;	  /* ROW: row ref; PRED: slot */
	uint8_t width;	  /* ROW: bytes of the register where the value is shorter, 0: as its type says */
	uint8_t bit_size, bit_shift; /* MEMORY: a bit-field, its lowest bit in the byte there; 0: none */
	char name[64];	  /* VARIABLE; and what a register or symbol is called, for texts */
};

/* A value. Scalars up to 16 bytes are in `u`; arrays and strings in `data`. */
struct expr_value {
	enum isa_type type; /* of an element; ISA_NOTYPE: void */
	uint8_t pointers;   /* levels of pointer to `type`; then the value itself is a u64 address */
	bool is_array;	    /* `count` elements of `type` (and `pointers`) in data */
	bool is_string;	    /* text in data */
	bool is_object;	    /* of type `c`, a structure or array: `count` bytes in data */
	bool is_missing;    /* of type `c`: it was optimized out */
	bool is_listing;    /* fields of the machine to look at, `count` bytes in data (machine_parts.c); for everything else void */
	const struct ctype *c; /* the type in the source, NULL: PTX's. A reference stands for what it refers to */
	bool is_dim3;	       /* an array of up to four that is shown as {x = 0, y = 0, z = 0} */
	const struct isa_function *function; /* a pointer to its first instruction; NULL: it is something else */
	bool is_function;		     /* the function itself, which decays to that pointer */
	uint64_t count;
	union {
		uint64_t u64;
		int64_t s64;
		double f64;    /* all floats are held as double here; `type` says their precision */
		uint64_t w[2]; /* b128 */
	} u;
	unsigned char *data; /* owned, elements little endian as in memory */
	uint32_t row_length; /* arrays of several dimensions: elements of the innermost, 0: one dimension */
	struct expr_place place;
};
/* Frees the data of a value and clears the value. */
void expr_value_free(struct expr_value *v);
/* Copies a value with its data; `to` is overwritten without being freed. */
void expr_value_copy(struct expr_value *to, const struct expr_value *from);
/* Returns true for a scalar or pointer that isn't zero, for each string, and for an array or structure in memory. Returns false for void. */
bool expr_value_is_true(const struct expr_value *v);
/* Converts a value to an integer: floats are truncated and saturate, arrays in memory become their address. Returns false, with *out undefined, for
 * strings, structures, void, and what was optimized out. */
bool expr_value_integer(const struct expr_value *v, int64_t *out);

struct expr; /* a parsed expression; immutable */

/* Parses the longest expression at the start of `s`, up to a comma, and sets *end after it; with `end` NULL all of the text. Types of the files that
 * are loaded now decide what is a cast. Returns NULL, with an error in `why`, if that fails; else the caller frees it. */
struct expr *expr_parse(struct debug *d, const char *s, const char **end, struct text *why);
/* Frees a parsed expression. NULL does nothing. */
void expr_free(struct expr *e);
/* Returns the text of the expression as written, without blanks around it. The string belongs to the expression. */
const char *expr_text(const struct expr *e);
/* Returns the local variable or argument of the source that an expression of one name meant at its last evaluation. Returns NULL if the name meant
 * something else, or for other expressions. */
const struct cvar *expr_variable(const struct expr *e);
/* Returns true if a name in the expression meant an argument or a local variable of the source, not a static one, at the last evaluation. */
bool expr_names_locals(const struct expr *e);
/* Returns whether the expression contains an assignment, ++ or --. */
bool expr_has_assignment(const struct expr *e);
/* Returns why no watchpoint can be on the expression: it is only a special register, a variable of the debugger, a statistic, a float or a number
 * from 2^63 on. Returns NULL for others; smaller integers are addresses. */
const char *expr_unwatchable(const struct debug *d, const struct expr *e);
/* Returns true if at one of the n instructions (n 0: in any function) all names of the expression mean something, or no function is loaded. Returns
 * false, with an error in `why`, otherwise. With instructions `why` is cleared first. */
bool expr_check_names(struct debug *d, const struct expr *e, const uint32_t *pcs, uint32_t n, struct text *why);

/* Evaluates an expression for thread *t, in the activation `level` calls out; with `t` NULL, only expressions that need no thread have a value.
 * Executes assignments in the expression. Returns false, with an error in `why`, if there is no value or it is too large; else the caller frees *out
 * with expr_value_free. */
bool expr_eval(struct debug *d, const struct expr *e, const struct debug_thread *t, uint32_t level,
	       struct expr_value *out, struct text *why);
/* Evaluates an expression for a watchpoint, with the parameters of expr_eval. An argument that its function hasn't stored yet gets the place where
 * the function will store it, and a host address stays one. Returns false, with an error in `why`, if there is no value; else the caller frees *out.
 * */
bool expr_eval_own_places(struct debug *d, const struct expr *e, const struct debug_thread *t, uint32_t level,
			  struct expr_value *out, struct text *why);
/* Evaluates a condition for lanes of a warp, whose lane 0 is `first`, in their innermost activations. Returns those of `lanes` for which the condition
 * is true or can't be evaluated; `why` gets the first error. (expr_lanes.c) */
uint32_t expr_true_lanes(struct debug *d, const struct expr *e, const struct debug_thread *first, const struct exec_warp *w,
			 uint32_t lanes, struct text *why);
/* Returns at least those of `lanes` for which the condition is true. Reads only registers and special registers. May be called in the middle of exec's
 * run if the top entry of the warp's SIMT stack has the right pc. */
uint32_t expr_possible_lanes(struct debug *d, const struct expr *e, const struct debug_thread *first, const struct exec_warp *w, uint32_t lanes);
/* Parses and evaluates text for the focus and the selected frame. Returns false, with an error in `why`, if there is no value; else the caller frees
 * *out. */
bool debug_eval(struct debug *d, const char *s, struct expr_value *out, struct text *why);
/* Evaluates text for the focus and the selected frame without reading the elements of an array or structure in memory, which gets a place and a type
 * alone. Returns false, with an error in `why`, if there is no value or the last byte isn't readable; else the caller frees *out. */
bool debug_eval_unread(struct debug *d, const char *s, struct expr_value *out, struct text *why);
/* Evaluates text for the focus and the selected frame to a type; memory that the source's pointers point to isn't read, and assignments there aren't
 * made. Returns false, with an error in `why`, if there is no type; else the caller frees *out. */
bool debug_eval_type(struct debug *d, const char *s, struct expr_value *out, struct text *why);
/* Evaluates text to an integer, for the focus and the selected frame; floats are truncated. Returns false, with an error in `why`, if it has no
 * value or the value can't be converted. */
bool debug_eval_integer(struct debug *d, const char *s, int64_t *out, struct text *why);

/* ---- user variables and value history ---- */
/* Adds a copy of a value to the history. Returns its number, from 1. */
uint32_t debug_history_add(struct debug *d, const struct expr_value *v);
/* Returns the number of values in the history. */
size_t debug_history_count(const struct debug *d);
/* Returns value `i` of the history, from 0 and below debug_history_count. It belongs to the debugger and is valid until the next
 * debug_history_add. */
const struct expr_value *debug_history_at(const struct debug *d, size_t i);
/* Sets a user variable to a copy of a value, and creates the variable if it isn't set. `name` is without $. The copy has a place only if the value is
 * in memory or code. */
void debug_variable_set(struct debug *d, const char *name, const struct expr_value *v);
/* Removes a user variable, `name` without $. Does nothing if there is none. */
void debug_variable_forget(struct debug *d, const char *name);
/* Returns the value of a user variable, `name` without $. Returns NULL if it isn't set. It belongs to the debugger and is valid until the next
 * debug_variable_set. */
const struct expr_value *debug_variable_get(const struct debug *d, const char *name);

/* Returns the value that `x` has shown last, with its address as place. Returns NULL if there is none. It belongs to the debugger and is valid
 * until the next `x`. */
const struct expr_value *expr_examined(const struct debug *d);
/* Makes a value the one that `x` has shown last, takes over its data, and frees the one before. */
void expr_set_examined(struct debug *d, const struct expr_value *v);

/* Reads a special register of a thread by its name with its dimension ("%tid.x"), n bytes long. If the thread's block isn't on a core, reads the value
 * that the register would have. Returns false if no special register has that name. */
bool debug_special_read(struct debug *d, const struct debug_where *w, const char *name, size_t n,
			struct expr_value *out);

/* Returns the name, without its $, of variable `k` of those that the debugger itself provides. Returns NULL after the last. */
const char *expr_dollar_name(size_t k);
/* Returns the name, without its $, of function `k` of those that expressions may call. Returns NULL after the last. */
const char *expr_dollar_function(size_t k);

#endif
