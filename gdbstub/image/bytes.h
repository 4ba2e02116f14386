/* Little-endian numbers appended to a byte buffer, as object files want them. */
#ifndef GDBSTUB_IMAGE_BYTES_H
#define GDBSTUB_IMAGE_BYTES_H

#include <stdint.h>
#include <string.h>

#include "base/text.h"

/* Appends the lowest byte of a number. */
static inline void put8(struct text *t, unsigned v) { text_addc(t, (char)v); }

/* Appends two bytes of a number. */
static inline void put16(struct text *t, unsigned v)
{
	uint16_t x = (uint16_t)v;
	text_addn(t, (const char *)&x, 2);
}

/* Appends four bytes of a number. */
static inline void put32(struct text *t, uint64_t v)
{
	uint32_t x = (uint32_t)v;
	text_addn(t, (const char *)&x, 4);
}

/* Appends eight bytes of a number. */
static inline void put64(struct text *t, uint64_t v) { text_addn(t, (const char *)&v, 8); }

/* Appends a string with its final 0. */
static inline void put_string(struct text *t, const char *s) { text_addn(t, s, strlen(s) + 1); }

/* Appends an unsigned number as ULEB128. */
static inline void put_uleb(struct text *t, uint64_t v)
{
	do {
		put8(t, (unsigned)(v & 0x7f) | (v >> 7 ? 0x80u : 0));
		v >>= 7;
	} while (v);
}

/* Appends a signed number as SLEB128. */
static inline void put_sleb(struct text *t, int64_t v)
{
	for (;;) {
		unsigned low = (unsigned)(v & 0x7f);
		v >>= 7; /* arithmetic */
		if ((v == 0 && !(low & 0x40)) || (v == -1 && (low & 0x40))) {
			put8(t, low);
			return;
		}
		put8(t, low | 0x80);
	}
}

/* Overwrites the four bytes at offset `at`, which were put before. */
static inline void patch32(struct text *t, size_t at, uint64_t v)
{
	uint32_t x = (uint32_t)v;
	memcpy(t->s + at, &x, 4);
}

#endif
