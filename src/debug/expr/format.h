/* Values as text, the way gdb 13 writes them. */
#ifndef DEBUG_FORMAT_H
#define DEBUG_FORMAT_H

#include "debug/expr/expr.h"

/* /NFU. format 0: natural. unit: 0, 'b', 'h', 'w', 'g'. */
struct format_spec {
	char format; /* one of x d u o t z c f a s i, or 0 */
	char unit;
	int64_t count; /* 1 without a number; negative: backwards (x/-3x) */
	bool has_count;
};
/* Parses what follows a command's name, "/4fw rest", and sets *end to the rest with blanks skipped; a text without a slash gives the defaults.
 * Returns false, with an error in `why`, if the format is malformed. */
bool format_parse(const char *s, const char **end, struct format_spec *out, struct text *why);

/* Appends a value without newline: `42`, `{1, 2, 3 <repeats 12 times>}`, `(f32 *) 0x80000000`. `f` may be NULL: natural format. */
void format_value(struct debug *d, const struct expr_value *v, const struct format_spec *f, struct text *out);

/* Appends a scalar of `type` from its little-endian bytes. `format` is x, z, a, o, t, d, u, c or f as in format_spec; any other is the natural
 * format. */
void format_scalar(enum isa_type type, const void *bytes, char format, struct text *out);

/* Appends a float as gdb does, with the digits that tell any two values of its type apart: 9 for f32, 17 for f64; inf, nan(0x7fffff). */
void format_float(enum isa_type type, const void *bytes, struct text *out);
/* Returns the double that a float type's bytes stand for (f16, bf16, f8 too). */
double format_to_double(enum isa_type type, const void *bytes);
/* Stores a double as a float type's bytes, rounded to nearest even; what is too large becomes infinity, in e4m3 NaN. */
void format_from_double(enum isa_type type, double v, void *bytes);

/* Appends a character: 'a', '\n', '\000'. */
void format_char(struct text *out, unsigned char c);

/* Appends a value of one of the source's types in a format_spec's format (cformat.c). `typed`: `(int *) 0x80000000`, as print shows pointers and
 * references. */
void cformat_value(struct debug *d, const struct expr_value *v, char format, bool typed, struct text *out);


/* Returns the length of the character of UTF-8 at `s`, in n bytes, and stores its number. Returns 0 if the bytes are no character. */
size_t format_utf8(const unsigned char *s, size_t n, uint32_t *c);
/* Appends the character of a number in UTF-8. */
void format_encode_utf8(uint32_t c, struct text *out);
/* Appends the first character of the n bytes at `s` as text in quotes has it: the character itself, or an escape sequence for `quote`, a control
 * character, or one that the environment can't show. Returns how many bytes of `s` it took. *escaped is whether the text before ends in an octal
 * escape, and is updated. */
size_t format_quoted(const unsigned char *s, size_t n, char quote, bool *escaped, struct text *out);
#endif
