/* Serialisation of 64-bit numbers and byte strings for warpstep's own files; the reader checks every length. */
#ifndef BASE_RECORD_H
#define BASE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Appends a number: 8 bytes, little endian. */
void record_number(struct text *to, uint64_t v);
/* Appends the number n and then n bytes. */
void record_bytes(struct text *to, const void *p, size_t n);
/* Appends a string with its NUL; NULL is read back as NULL. */
void record_string(struct text *to, const char *s);

/* The bytes not read yet, borrowed. `bad` becomes true at the first item that is missing or wrong; all later items read as 0 or NULL. */
struct record_reader {
	const char *at, *end;
	bool bad;
};

/* Reads and returns a number. Sets `bad` and returns 0 if fewer than 8 bytes are left. */
uint64_t record_take_number(struct record_reader *r);
/* Reads and returns a number. Sets `bad` and returns 0 unless the number is below `end`. */
uint64_t record_take_below(struct record_reader *r, uint64_t end);
/* Reads a byte string: returns a pointer into the record and stores the length in *n. Returns NULL and stores 0 if it is missing. */
const char *record_take_bytes(struct record_reader *r, size_t *n);
/* Reads a string and returns a pointer into the record. Sets `bad` and returns NULL unless its only NUL is its last byte. */
const char *record_take_string(struct record_reader *r);

#endif
