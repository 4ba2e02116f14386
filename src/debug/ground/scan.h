/* Reading the arguments of commands. */
#ifndef DEBUG_SCAN_H
#define DEBUG_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Returns the first character at `s` that is no blank. */
const char *scan_blanks(const char *s);
/* Moves *s behind blanks and `word` if that comes next as a whole word. Returns false, with *s unchanged, otherwise. */
bool scan_word(const char **s, const char *word);
/* Returns the length of the identifier at `s`, which may begin with %; 0 if there is none. */
size_t scan_name(const char *s);
/* Reads a decimal or 0x number behind blanks and moves *s behind the number. Returns false, with nothing changed, if there is none, or it doesn't fit
 * 64 bits. Returns false, too, if a letter, digit, `_`, `$` or `.` follows. */
bool scan_u64(const char **s, uint64_t *out);
/* Reads (X,Y,Z), (X,Y), (X), X or X,Y,Z and moves *s behind it; *n is how many were given, missing ones are 0. Returns false, with an error in
 * `why` and *s unchanged, if that fails; `out` is undefined then. */
bool scan_dim3(const char **s, uint32_t out[3], unsigned *n, struct text *why);
/* Returns the length of `s` up to its end, or to the first comma, closing bracket or (if stop_blank) blank outside of brackets and strings. */
size_t scan_part(const char *s, bool stop_blank);
/* Returns true if only blanks are left. Returns false, with an error in `why`, otherwise. */
bool scan_end(const char *s, struct text *why);

#endif
