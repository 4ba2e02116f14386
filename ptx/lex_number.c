/* Numeric literals (ISA "Constants"): 0f/0d bit patterns, decimal floats, integers in four bases with an optional U. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptx/lex.h"
#include "ptx/lex_class.h"

const uint8_t ptx_char_class[256] = {
	[' '] = PTX_CHAR_BLANK,
	['\t'] = PTX_CHAR_BLANK,
	['\n'] = PTX_CHAR_BLANK,
	['\r'] = PTX_CHAR_BLANK,
	['0' ... '9'] = PTX_CHAR_FOLLOW | PTX_CHAR_DIGIT | PTX_CHAR_HEX,
	['a' ... 'f'] = PTX_CHAR_START | PTX_CHAR_FOLLOW | PTX_CHAR_HEX,
	['A' ... 'F'] = PTX_CHAR_START | PTX_CHAR_FOLLOW | PTX_CHAR_HEX,
	['g' ... 'z'] = PTX_CHAR_START | PTX_CHAR_FOLLOW,
	['G' ... 'Z'] = PTX_CHAR_START | PTX_CHAR_FOLLOW,
	['_'] = PTX_CHAR_START | PTX_CHAR_FOLLOW,
	['$'] = PTX_CHAR_START | PTX_CHAR_FOLLOW,
	['%'] = PTX_CHAR_START,
	['!'] = PTX_CHAR_PUNCT,
	['&'] = PTX_CHAR_PUNCT,
	['('] = PTX_CHAR_PUNCT,
	[')'] = PTX_CHAR_PUNCT,
	['*'] = PTX_CHAR_PUNCT,
	['+'] = PTX_CHAR_PUNCT,
	[','] = PTX_CHAR_PUNCT,
	['-'] = PTX_CHAR_PUNCT,
	['/'] = PTX_CHAR_PUNCT,
	[':'] = PTX_CHAR_PUNCT,
	[';'] = PTX_CHAR_PUNCT,
	['<'] = PTX_CHAR_PUNCT,
	['='] = PTX_CHAR_PUNCT,
	['>'] = PTX_CHAR_PUNCT,
	['?'] = PTX_CHAR_PUNCT,
	['@'] = PTX_CHAR_PUNCT,
	['['] = PTX_CHAR_PUNCT,
	[']'] = PTX_CHAR_PUNCT,
	['^'] = PTX_CHAR_PUNCT,
	['{'] = PTX_CHAR_PUNCT,
	['|'] = PTX_CHAR_PUNCT,
	['}'] = PTX_CHAR_PUNCT,
	['~'] = PTX_CHAR_PUNCT,
};

static uint32_t fail(struct ptx_token *t, uint32_t n, const char *why)
{
	t->kind = PTX_TOK_BAD;
	t->error = why;
	return n;
}

/* End of the run of name characters from i on: a number that touches letters is one bad token, not two good ones. */
static uint32_t run_end(const char *s, uint32_t n, uint32_t i)
{
	while (i < n && (ptx_char_class[(uint8_t)s[i]] & PTX_CHAR_FOLLOW))
		i++;
	return i;
}

/* 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX */
static uint32_t lex_float_bits(const char *s, uint32_t n, struct ptx_token *t, unsigned digits)
{
	uint32_t end = run_end(s, n, 2);

	t->bits = 0;
	for (uint32_t i = 2; i < end; i++) {
		unsigned v = ptx_hex_value(s[i]);

		if (v > 15)
			return fail(t, end, "bad hexadecimal digit in a floating-point literal");
		t->bits = t->bits << 4 | v;
	}
	if (end - 2 != digits)
		return fail(t, end,
			    digits == 8 ? "a 0f literal has exactly 8 hexadecimal digits"
					: "a 0d literal has exactly 16 hexadecimal digits");
	t->kind = PTX_TOK_FLOAT;
	t->is_f32 = digits == 8;
	return end;
}

/* ptxas refuses a constant when another digit follows one that has set bit 63, and cuts others to 64 bits. */
static uint32_t lex_int(const char *s, uint32_t n, struct ptx_token *t, uint32_t i, unsigned base)
{
	uint32_t start = i;
	uint64_t v = 0;
	bool over = false, lost = false;

	for (; i < n && ptx_hex_value(s[i]) < base; i++) {
		lost |= v >> 63;
		over |= __builtin_mul_overflow(v, (uint64_t)base, &v);
		over |= __builtin_add_overflow(v, (uint64_t)ptx_hex_value(s[i]), &v);
	}
	if (i == start)
		return fail(t, run_end(s, n, i), "a number without digits");
	if (lost)
		return fail(t, run_end(s, n, i), "the constant has more than 64 bits");
	t->kind = PTX_TOK_INT;
	t->bits = v;
	t->overflow = over;
	t->is_unsigned = over || v > INT64_MAX;
	if (i < n && s[i] == 'U') {
		t->is_unsigned = true;
		i++;
	}
	uint32_t end = run_end(s, n, i);

	if (end != i && ptx_is_digit(s[i]))
		return fail(t, end, base == 8 ? "bad digit in an octal number" : "bad digit in a binary number");
	return end == i ? i : fail(t, end, "bad suffix after a number");
}

/* Mantissa digits and an exponent without a decimal point, so that the C library's locale does not matter. errno is ERANGE if
 * the value overflows, or underflows and is not exact. */
static double convert_decimal(const char *s, uint32_t n_mantissa, long exponent)
{
	char small[64], *buf = n_mantissa + 32 > sizeof(small) ? xmalloc(n_mantissa + 32) : small, *p = buf;

	for (uint32_t i = 0; i < n_mantissa; i++) {
		if (s[i] == '.') {
			exponent -= (long)(n_mantissa - i - 1);
			continue;
		}
		*p++ = s[i];
	}
	*p++ = 'e';
	if (exponent < 0)
		*p++ = '-';
	char digits[24];
	unsigned nd = 0;

	for (unsigned long e = (unsigned long)(exponent < 0 ? -exponent : exponent); e || !nd; e /= 10)
		digits[nd++] = (char)('0' + e % 10);
	while (nd)
		*p++ = digits[--nd];
	*p = 0;
	errno = 0;
	double v = strtod(buf, NULL);

	if (buf != small)
		free(buf);
	return v;
}

static uint32_t lex_decimal_float(const char *s, uint32_t n, struct ptx_token *t)
{
	uint32_t i = 0, mantissa;
	long exponent = 0;
	bool negative = false;

	while (i < n && ptx_is_digit(s[i]))
		i++;
	if (i < n && s[i] == '.')
		for (i++; i < n && ptx_is_digit(s[i]);)
			i++;
	mantissa = i;
	if (i < n && (s[i] == 'e' || s[i] == 'E')) {
		i++;
		if (i < n && (s[i] == '+' || s[i] == '-'))
			negative = s[i++] == '-';
		if (i >= n || !ptx_is_digit(s[i]))
			return fail(t, run_end(s, n, i), "an exponent without digits");
		for (; i < n && ptx_is_digit(s[i]); i++)
			exponent = exponent > 99999999 ? exponent : exponent * 10 + (s[i] - '0');
	}
	uint32_t end = run_end(s, n, i);

	if (end != i)
		return fail(t, end, "bad suffix after a number");
	double v = convert_decimal(s, mantissa, negative ? -exponent : exponent);

	if (errno == ERANGE)
		return fail(t, end, "the constant is beyond what double precision holds");
	t->kind = PTX_TOK_FLOAT;
	t->is_f32 = false;
	memcpy(&t->bits, &v, 8);
	return end;
}

uint32_t ptx_lex_number(const char *s, uint32_t n, struct ptx_token *t)
{
	char c1 = n > 1 ? s[1] : 0;
	uint32_t i = 0;

	if (s[0] == '0') {
		switch (c1) {
		case 'f':
		case 'F': return lex_float_bits(s, n, t, 8);
		case 'd':
		case 'D': return lex_float_bits(s, n, t, 16);
		case 'x':
		case 'X': return lex_int(s, n, t, 2, 16);
		case 'b':
		case 'B': return lex_int(s, n, t, 2, 2);
		default: break;
		}
	}
	while (i < n && ptx_is_digit(s[i]))
		i++;
	if (i < n && (s[i] == '.' || s[i] == 'e' || s[i] == 'E'))
		return lex_decimal_float(s, n, t);
	return lex_int(s, n, t, 0, s[0] == '0' ? 8 : 10);
}
