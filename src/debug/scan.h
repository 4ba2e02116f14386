/* Reading the arguments of commands. */
#ifndef DEBUG_SCAN_H
#define DEBUG_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

const char *scan_blanks(const char *s);
bool scan_word(const char **s, const char *word); /* takes `word` if it stands there as a whole word */
size_t scan_name(const char *s);		  /* length of an identifier, 0: none */
bool scan_u64(const char **s, uint64_t *out);	  /* decimal or 0x; false: no number */
bool scan_dim3(const char **s, uint32_t out[3], unsigned *n,
	       struct text *why); /* (X,Y,Z), (X,Y), (X), X, X,Y,Z; missing ones 0 */
/* Length of the part up to a comma, closing bracket or (if stop_blank) blank outside of brackets and strings. */
size_t scan_part(const char *s, bool stop_blank);
bool scan_end(const char *s, struct text *why); /* nothing but blanks left */

#endif
