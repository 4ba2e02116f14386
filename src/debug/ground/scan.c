/* Reading the arguments of commands. */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "debug/ground/ground.h"
#include "debug/ground/scan.h"

bool debug_fail(struct text *why, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(why, fmt, ap);
	va_end(ap);
	return false;
}

const char *scan_blanks(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

bool scan_word(const char **s, const char *word)
{
	const char *p = scan_blanks(*s);
	size_t n = strlen(word);
	if (strncmp(p, word, n) || is_name(p[n]))
		return false;
	*s = p + n;
	return true;
}

size_t scan_name(const char *s)
{
	size_t n = 0;
	if (isdigit((unsigned char)*s))
		return 0;
	if (*s == '%')
		n = 1;
	while (is_name(s[n]))
		n++;
	return n == 1 && *s == '%' ? 0 : n;
}

static bool digit_value(char c, unsigned base, unsigned *v)
{
	if (c >= '0' && c <= '9')
		*v = (unsigned)(c - '0');
	else if (isxdigit((unsigned char)c))
		*v = (unsigned)(tolower((unsigned char)c) - 'a') + 10;
	else
		return false;
	return *v < base;
}

bool scan_u64(const char **s, uint64_t *out)
{
	const char *p = scan_blanks(*s);
	unsigned base = 10, digit;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit((unsigned char)p[2])) {
		base = 16;
		p += 2;
	}
	if (!digit_value(*p, base, &digit))
		return false;
	uint64_t v = 0;
	for (; digit_value(*p, base, &digit); p++)
		if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit, &v))
			return false;
	if (is_name(*p) || *p == '.')
		return false;
	*s = p;
	*out = v;
	return true;
}

bool scan_dim3(const char **s, uint32_t out[3], unsigned *n, struct text *why)
{
	const char *p = scan_blanks(*s);
	bool paren = *p == '(';
	uint64_t v;
	out[0] = out[1] = out[2] = 0;
	*n = 0;
	if (paren)
		p++;
	do {
		if (*n == 3 || !scan_u64(&p, &v) || v > UINT32_MAX)
			return debug_fail(why, "coordinates are numbers like 3 or (1,0,0)");
		out[(*n)++] = (uint32_t)v;
		p = scan_blanks(p);
	} while (*p == ',' && (paren || isdigit((unsigned char)*scan_blanks(p + 1))) && p++);
	if (paren && *p++ != ')')
		return debug_fail(why, "a ) is missing after the coordinates");
	*s = p;
	return true;
}

size_t scan_part(const char *s, bool stop_blank)
{
	int depth = 0;
	size_t n = 0;
	for (; s[n]; n++) {
		if (s[n] == '"') {
			while (s[n + 1] && s[n + 1] != '"')
				n += 1u + (s[n + 1] == '\\' && s[n + 2]);
			n += s[n + 1] != '\0';
		} else if (strchr("([{", s[n])) {
			depth++;
		} else if (strchr(")]}", s[n]) && --depth < 0) {
			break;
		} else if (!depth && (s[n] == ',' || (stop_blank && isspace((unsigned char)s[n])))) {
			break;
		}
	}
	return n;
}

bool scan_end(const char *s, struct text *why)
{
	s = scan_blanks(s);
	return !*s || debug_fail(why, "junk at the end of the arguments: %s", s);
}
