/* INIT, what memory is filled with, from text to bytes: zero, fill V, iota, random, file PATH, {V, ...}. Of buffers, of variables at
 * `set var`, and of arguments that are structures. */
#ifndef DEBUG_INIT_H
#define DEBUG_INIT_H

#include "debug/expr/expr.h"
#include "debug/ground/ground.h"

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

/* Sets what is filled: `count` numbers of a type. */
void init_numbers(struct init *f, enum isa_type t, uint64_t count);
/* Sets what is filled: a value of one of the source's types. Returns false if the type has no size, or one that overflows. */
bool init_of_type(struct init *f, const struct ctype *whole);

/* Returns true if the text is INIT, as `fill V` or `{V, ...}`, rather than an expression. A word of INIT alone is an expression if it is also the
 * name of a value. */
bool init_is(struct debug *d, const char *s);
/* Fills f->bytes, which the caller has allocated with f->count * f->size zeros, as the INIT in `s` says; all of `s` must be INIT. Returns false, with
 * an error in f->why, if that fails or Ctrl-C is pressed. */
bool init_by_text(struct init *f, const char *s);

/* Parses `{V, ...}` at *s for a type as C does (inner braces may be left out; .NAME = V, [N] = V) and moves *s behind it. What gets no value is
 * zero, or an error if `is_whole`. `to` has room for the type. Returns false, with an error in f->why, if that fails. */
bool init_braces(struct init *f, const struct ctype *t, unsigned char *to, bool is_whole, const char **s);

/* Evaluates a value of n characters, for the focused thread if f->in_focus, else without a thread; the caller frees it with expr_value_free.
 * Arrays and structures in memory get a place and a type, but no data. Returns false, with an error in f->why, if that fails. */
bool init_eval(struct init *f, const char *s, size_t n, struct expr_value *v);
/* Converts *v in place to type `t`, which has to hold its value; with `is_bool` to 0 or 1. Returns false, with an error in f->why, if the value
 * doesn't fit. */
bool init_fit(struct init *f, struct expr_value *v, enum isa_type t, bool is_bool);

/* Returns whether the user has not pressed Ctrl-C; if Ctrl-C was pressed, adds an error to `why`. */
bool init_goes_on_now(const struct debug *d, struct text *why);
/* Looks for Ctrl-C at each 65536th element. Returns false, with an error in `why`, if Ctrl-C was pressed, else true. */
static inline bool init_goes_on(const struct debug *d, uint64_t i, struct text *why)
{
	return i & 0xffff || init_goes_on_now(d, why);
}

/* Reads a file of exactly n bytes into `bytes`. Returns false, with an error in `why`, if the file can't be read or has another size; `bytes` may be
 * overwritten then. */
bool init_read_file(struct debug *d, const char *path, unsigned char *bytes, uint64_t n, struct text *why);
/* Evaluates the next blank-separated number at *s, a bound or tolerance, into *x and moves *s behind it; *has is false if there is none. Returns
 * false, with an error in `why`, if it is no number. */
bool init_take_double(struct debug *d, const char **s, double *x, bool *has, struct text *why);

/* At a time, between two looks for Ctrl-C: whole elements, whole pages of the host, and whole sectors of the device's caches. */
#define INIT_PIECE_BYTES (UINT64_C(1) << 20)

/* Parses TYPE[COUNT] at *s, moves *s behind it, and sets what `f` fills (buffer.c). Returns false, with an error in `why`, if that fails; *s may
 * have moved then. */
bool debug_parse_shape(struct debug *d, const char **s, struct init *f, struct text *why);

#endif
