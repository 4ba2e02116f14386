/* Characters and strings of expressions, with C's escapes and gdb's \e. */
#include <ctype.h>
#include <string.h>

#include "debug/expr/expr_parse.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"

static unsigned hex_digit(char c) { return (unsigned)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10); }

/* Parses the number of an escape sequence: octal, up to three digits, x and hexadecimal ones, or u and U with 4 and 8. Returns false if there is
 * none. */
static bool escape_number(const char **s, uint32_t *v)
{
	const char *at = *s;
	unsigned most = *at == 'x' ? 8 : *at == 'u' ? 4 : *at == 'U' ? 8 : 0, n = 0;
	*v = 0;
	for (; !most && n < 3 && at[n] >= '0' && at[n] <= '7'; n++)
		*v = *v * 8 + (uint32_t)(at[n] - '0');
	for (at += most > 0; most && n < most && isxdigit((unsigned char)at[n]); n++)
		*v = *v * 16 + hex_digit(at[n]);
	if (n)
		*s = at + n;
	return n;
}

/* Parses one character of a literal, a byte or what an escape sequence stands for. */
static uint32_t parse_escape(const char **s)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	uint32_t v;
	if (**s != '\\')
		return (unsigned char)*(*s)++;
	(*s)++;
	if (escape_number(s, &v))
		return v;
	if (!**s)
		return '\\';
	char c = *(*s)++;
	const char *q = strchr(from, c);
	return (unsigned char)(q ? to[q - from] : c == 'e' ? 033 : c);
}

/* Parses one character of a wide literal: several bytes of UTF-8 are one. */
static uint32_t parse_wide(const char **s)
{
	uint32_t c;
	const size_t n = format_utf8((const unsigned char *)*s, strlen(*s), &c);
	if (n < 2)
		return parse_escape(s);
	*s += n;
	return c;
}

bool parse_is_literal(const char *s)
{
	s += *s == 'L' || *s == 'u' || *s == 'U';
	return *s == '"' || *s == '\'';
}

/* Moves p->s behind the L, u or U of a literal. Returns the type of its characters. */
static struct source_type take_prefix(struct parser *p)
{
	const char *name = *p->s == 'L' ? "wchar_t" : *p->s == 'u' ? "char16_t" : *p->s == 'U' ? "char32_t" : "char";
	p->s += name[0] != 'c' || name[4];
	return (struct source_type){.name = name, .n = (uint32_t)strlen(name), .kind = CTYPE_BASE};
}

static bool is_wide(const struct source_type *t) { return t->n > 4; }

/* Returns whether a character is written by its number in Unicode, \uXXXX. */
static bool is_universal(const char *s) { return s[0] == '\\' && (s[1] == 'u' || s[1] == 'U'); }

struct node *parse_char(struct parser *p)
{
	const struct source_type t = take_prefix(p);
	const char *s = p->s + 1;
	if (!*s)
		return parse_fail(p);
	if (*s == '\'' || (!is_wide(&t) && is_universal(s))) {
		debug_fail(p->why, *s == '\'' ? "A character constant must contain at least one character."
					      : "Could not convert character constant to target character set");
		return NULL;
	}
	struct expr_value v;
	value_int(&v, is_wide(&t) ? t.name[0] == 'w' ? ISA_S32 : t.n == 8 && t.name[4] == '1' ? ISA_U16 : ISA_U32 : ISA_S8,
		  is_wide(&t) ? parse_wide(&s) : parse_escape(&s));
	if (*s != '\'') {
		debug_fail(p->why, strchr(s, '\'') ? "Invalid character constant." : "Unmatched single quote.");
		return NULL;
	}
	struct node *n = parse_constant(p, &v, s + 1);
	n->source = t;
	return n;
}

/* Appends the characters of a string up to its quote, 4 bytes each if it is wide, else in UTF-8. Returns false if the quote is missing. */
static bool append_string(const char **at, bool wide, struct text *out)
{
	const char *s = *at + 1;
	while (*s && *s != '"') {
		const bool is_encoded = !wide && is_universal(s);
		const uint32_t c = wide ? parse_wide(&s) : parse_escape(&s);
		if (is_encoded)
			format_encode_utf8(c, out);
		else
			text_addn(out, (const char *)&c, wide ? 4 : 1);
	}
	*at = s + 1;
	return *s;
}

/* Returns whether a string begins at `s`, with or without a prefix. */
static bool is_string(const char *s) { return parse_is_literal(s) && (*s == '"' || s[1] == '"'); }

/* Finds the type of the characters of strings that are side by side: that of those with a prefix. Returns false if these differ. */
static bool common_type(const struct parser *p, struct source_type *t)
{
	struct parser at = *p;
	struct text ignored = {0};
	bool ok = true;
	*t = take_prefix(&at);
	while (ok && append_string(&at.s, false, &ignored) && is_string(scan_blanks(at.s))) {
		at.s = scan_blanks(at.s);
		const struct source_type next = take_prefix(&at);
		ok = !is_wide(&next) || !is_wide(t) || !strcmp(next.name, t->name);
		*t = is_wide(&next) ? next : *t;
	}
	text_free(&ignored);
	return ok;
}

/* Strings side by side are one. */
struct node *parse_string(struct parser *p)
{
	struct source_type t;
	struct text all = {0};
	bool ok = true;
	if (!common_type(p, &t)) {
		debug_fail(p->why, "Undefined string concatenation.");
		return NULL;
	}
	do {
		take_prefix(p);
		ok = append_string(&p->s, is_wide(&t), &all);
	} while (ok && is_string(scan_blanks(p->s)) && (p->s = scan_blanks(p->s)));
	struct node *node = parse_make(p, NODE_STRING, OP_NONE, NULL, NULL);
	node->text = pool_strn(&p->e->pool, text_str(&all), all.n);
	node->n = (uint32_t)all.n;
	if (is_wide(&t))
		node->source = t;
	text_free(&all);
	if (ok)
		return node;
	debug_fail(p->why, "Unterminated string in expression.");
	return NULL;
}
