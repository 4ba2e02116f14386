/* Numbers of expressions, as C and PTX write them. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_parse.h"
#include "debug/expr/value.h"

struct node *parse_make(struct parser *p, enum node_kind kind, enum expr_op op, struct node *a, struct node *b)
{
	struct node *n = POOL_NEW(&p->e->pool, struct node);
	n->kind = kind;
	n->op = op;
	n->a = a;
	n->b = b;
	return n;
}

struct node *parse_constant(struct parser *p, const struct expr_value *v, const char *end)
{
	struct node *n = parse_make(p, NODE_NUMBER, OP_NONE, NULL, NULL);
	n->number = *v;
	p->s = end;
	return n;
}

static struct node *bad_number(struct parser *p)
{
	size_t n = 0;
	while (parse_is_word(p->s[n]) || p->s[n] == '.')
		n++;
	debug_fail(p->why, "Invalid number \"%.*s\".", (int)n, p->s);
	return NULL;
}

/* 0f3F800000 and 0d3FF0000000000000 */
static struct node *parse_hex_float(struct parser *p, unsigned digits)
{
	uint64_t bits = 0;
	unsigned k = 0;
	for (; k < digits && isxdigit((unsigned char)p->s[2 + k]); k++)
		bits = bits * 16 + (uint64_t)(isdigit((unsigned char)p->s[2 + k])
						      ? p->s[2 + k] - '0'
						      : tolower((unsigned char)p->s[2 + k]) - 'a' + 10);
	if (k != digits || parse_is_word(p->s[2 + k]))
		return bad_number(p);
	struct expr_value v;
	value_load(&v, digits == 8 ? ISA_F32 : ISA_F64, 0, &bits);
	return parse_constant(p, &v, p->s + 2 + k);
}

static struct node *parse_float(struct parser *p)
{
	char *end;
	struct expr_value v;
	double x = strtod(p->s, &end);
	bool single = *end == 'f' || *end == 'F';
	if (parse_is_word(end[single]) || end[single] == '.')
		return bad_number(p);
	value_float(&v, single ? ISA_F32 : ISA_F64, single ? (double)strtof(p->s, NULL) : x);
	return parse_constant(p, &v, end + single);
}

static bool is_float_text(const char *s)
{
	size_t n = strspn(s, "0123456789");
	if (s[n] == '.')
		return s[n + 1] != '.';
	return n && (s[n] == 'e' || s[n] == 'E');
}

/* Returns whether hexadecimal digits with a point or an exponent follow: 1.8p3, and as gdb takes it 1.8 */
static bool is_hex_float(const char *s)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const size_t n = strspn(s, digits), k = s[n] == '.' ? 1 + strspn(s + n + 1, digits) : 0;
	return n + k > (k > 0) && (k > 1 || s[n + k] == 'p' || s[n + k] == 'P');
}

static enum isa_type integer_type(uint64_t v, bool decimal, bool is_unsigned, bool is_long)
{
	if (v <= INT32_MAX && !is_long && !is_unsigned)
		return ISA_S32;
	if (v <= UINT32_MAX && !is_long && (is_unsigned || !decimal))
		return ISA_U32;
	return v <= INT64_MAX && !is_unsigned ? ISA_S64 : ISA_U64;
}

struct node *parse_number(struct parser *p)
{
	const char *s = p->s;
	if (s[0] == '0' && (s[1] == 'f' || s[1] == 'F'))
		return parse_hex_float(p, 8);
	if (s[0] == '0' && (s[1] == 'd' || s[1] == 'D'))
		return parse_hex_float(p, 16);
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X'), binary = s[0] == '0' && (s[1] == 'b' || s[1] == 'B');
	if (!hex && !binary && is_float_text(s))
		return parse_float(p);
	if (hex && is_hex_float(s + 2))
		return parse_float(p);
	unsigned base = hex ? 16 : binary ? 2 : s[0] == '0' ? 8 : 10;
	char *end;
	errno = 0;
	uint64_t v = strtoull(hex || binary ? s + 2 : s, &end, (int)base);
	if (errno == ERANGE) {
		debug_fail(p->why, "Numeric constant too large.");
		return NULL;
	}
	if ((hex || binary) && (end == s + 2 || !isxdigit((unsigned char)s[2])))
		return bad_number(p);
	bool is_unsigned = false, is_long = false;
	for (; *end == 'u' || *end == 'U' || *end == 'l' || *end == 'L'; end++)
		*(*end == 'u' || *end == 'U' ? &is_unsigned : &is_long) = true;
	if (parse_is_word(*end) || (*end == '.' && end[1] != '.'))
		return bad_number(p);
	struct expr_value out;
	value_int(&out, integer_type(v, base == 10, is_unsigned, is_long), v);
	return parse_constant(p, &out, end);
}
