/* Character classes of PTX text (ISA "Identifiers", "Constants"); private to the lexer. */
#ifndef PTX_LEX_CLASS_H
#define PTX_LEX_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#define PTX_CHAR_BLANK 1u
#define PTX_CHAR_START 2u /* may begin a name */
#define PTX_CHAR_FOLLOW 4u
#define PTX_CHAR_DIGIT 8u
#define PTX_CHAR_PUNCT 16u
#define PTX_CHAR_HEX 32u

extern const uint8_t ptx_char_class[256];

/* Returns whether c is a decimal digit. */
static inline bool ptx_is_digit(char c) { return c >= '0' && c <= '9'; }

/* Returns the value of a hexadecimal digit, or 16 for any other character. */
static inline unsigned ptx_hex_value(char c)
{
	if (ptx_is_digit(c))
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

#endif
