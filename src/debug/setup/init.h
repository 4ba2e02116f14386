/* INIT, what memory is filled with, from text to bytes: zero, fill V, iota, random, file PATH, {V, ...}. Of buffers, of variables at
 * `set var`, and of arguments that are structures. */
#ifndef DEBUG_INIT_H
#define DEBUG_INIT_H

#include "debug/expr/expr.h"
#include "debug/internal.h"

struct init {
	struct debug *d;
	struct text *why;
	bool in_focus;	      /* values may name the focused thread's registers and variables */
	const char *what;     /* in messages: buffer, variable */
	unsigned char *bytes; /* all of it; zeros before */
	/* init_numbers, init_of_type: */
	const struct ctype *whole; /* of the source's, NULL: `count` numbers of `type` */
	enum isa_type type;	   /* of a number; ISA_NOTYPE: there are structures */
	bool is_bool;
	uint64_t count, size; /* elements (numbers or structures, of however many dimensions), bytes of one */
};

void init_numbers(struct init *f, enum isa_type t, uint64_t count);
/* False: it has no size, or one that is nonsense. */
bool init_of_type(struct init *f, const struct ctype *whole);

/* Is it INIT, and no expression? A word that is somebody's name is an expression, if nothing else says what it is. */
bool init_is(struct debug *d, const char *s);
/* INIT up to the text's end. */
bool init_by_text(struct init *f, const char *s);

/* `{V, ...}` at *s for something of the type, as C has it: braces of inner arrays and structures may be left out, .NAME = V and [N] = V say
 * where; what gets no value is zero, unless `is_whole`: then that is a mistake. `to` has room for the type. */
bool init_braces(struct init *f, const struct ctype *t, unsigned char *to, bool is_whole, const char **s);

/* A value of n characters; one that fits numbers of f's type to be stored. */
bool init_eval(struct init *f, const char *s, size_t n, struct expr_value *v);
bool init_fit(struct init *f, struct expr_value *v, enum isa_type t, bool is_bool);

/* Looks for Ctrl-C, the second at each 65536th element; false, with the reason: the user wants no more of it. */
bool init_goes_on_now(const struct debug *d, struct text *why);
static inline bool init_goes_on(const struct debug *d, uint64_t i, struct text *why)
{
	return i & 0xffff || init_goes_on_now(d, why);
}

/* Reads a file of exactly n bytes. */
bool init_read_file(const char *path, unsigned char *bytes, uint64_t n, struct text *why);
/* Bounds of tolerances: the next number at *s; *has: there was one. */
bool init_take_double(struct debug *d, const char **s, double *x, bool *has, struct text *why);

/* At a time, between two looks for Ctrl-C: whole elements, whole pages of the host, and whole sectors of the device's caches. */
#define INIT_PIECE_BYTES (UINT64_C(1) << 20)

/* TYPE[COUNT] of a buffer, or of a variable whose type only its user knows; *s moves behind it (buffer.c). */
bool debug_parse_shape(struct debug *d, const char **s, struct init *f, struct text *why);

#endif
