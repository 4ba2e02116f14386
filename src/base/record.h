/* Numbers and byte strings one after the other, for files of our own: written to a text, read back with every length checked. */
#ifndef BASE_RECORD_H
#define BASE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

void record_number(struct text *to, uint64_t v);
void record_bytes(struct text *to, const void *p, size_t n);
void record_string(struct text *to, const char *s); /* NULL comes back as NULL */

/* Once something isn't there it is bad, and all else reads as 0 and NULL. */
struct record_reader {
	const char *at, *end;
	bool bad;
};

uint64_t record_take_number(struct record_reader *r);
/* A number below `end`; else it is bad. */
uint64_t record_take_below(struct record_reader *r, uint64_t end);
/* They lie in what is read. */
const char *record_take_bytes(struct record_reader *r, size_t *n);
/* Ends with a NUL, which is its only one. */
const char *record_take_string(struct record_reader *r);

#endif
