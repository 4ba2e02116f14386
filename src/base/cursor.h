/* A reader of little-endian numbers in a byte array, as in ELF and DWARF files. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The bytes not read yet, [at, end), borrowed. `ok` becomes false at the first read past the end; reads then give 0. */
struct cursor {
	unsigned char *at, *end;
	bool ok;
};

/* Reads an unsigned number of `bytes` bytes (at most 8). Returns 0 and clears c->ok if fewer bytes are left. */
static inline uint64_t cursor_fixed(struct cursor *c, unsigned bytes)
{
	uint64_t v = 0;
	if ((size_t)(c->end - c->at) < bytes) {
		c->ok = false;
		c->at = c->end;
		return 0;
	}
	memcpy(&v, c->at, bytes);
	c->at += bytes;
	return v;
}

/* Reads an unsigned LEB128 number (DWARF 5, 7.6); bits above the 64th are dropped. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t v = 0;
	for (unsigned shift = 0; c->at < c->end; shift += 7) {
		unsigned char b = *c->at++;
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	c->ok = false;
	return 0;
}

/* Reads a signed LEB128 number (DWARF 5, 7.6); bits above the 64th are dropped. */
static inline int64_t cursor_sleb(struct cursor *c)
{
	unsigned char *from = c->at;
	uint64_t v = cursor_uleb(c);
	unsigned bits = 7 * (unsigned)(c->at - from < 10 ? c->at - from : 10);
	return c->ok && bits < 64 && c->at[-1] & 0x40 ? (int64_t)(v | ~UINT64_C(0) << bits) : (int64_t)v;
}

/* Skips n bytes. */
static inline void cursor_skip(struct cursor *c, uint64_t n)
{
	if ((uint64_t)(c->end - c->at) < n) {
		c->ok = false;
		c->at = c->end;
	} else {
		c->at += n;
	}
}

#endif
