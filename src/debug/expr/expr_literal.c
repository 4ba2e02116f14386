/* Characters and strings of expressions, with C's escapes and gdb's \e. */
#include <string.h>

#include "debug/expr/expr_parse.h"
#include "debug/expr/value.h"

static unsigned char parse_escape(const char **s)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	unsigned v = 0, n = 0;
	if (**s != '\\')
		return (unsigned char)*(*s)++;
	(*s)++;
	for (; n < 3 && **s >= '0' && **s <= '7'; n++)
		v = v * 8 + (unsigned)(*(*s)++ - '0');
	if (n)
		return (unsigned char)v;
	if (!**s)
		return '\\';
	char c = *(*s)++;
	const char *q = strchr(from, c);
	return (unsigned char)(q ? to[q - from] : c == 'e' ? 033 : c);
}

struct node *parse_char(struct parser *p)
{
	const char *s = p->s + 1;
	if (!*s)
		return parse_fail(p);
	struct expr_value v;
	value_int(&v, ISA_S8, parse_escape(&s));
	if (*s != '\'') {
		debug_fail(p->why, "Unmatched single quote.");
		return NULL;
	}
	struct node *n = parse_constant(p, &v, s + 1);
	n->source = (struct source_type){.name = "char", .n = 4, .kind = CTYPE_BASE};
	return n;
}

struct node *parse_string(struct parser *p)
{
	const char *s = p->s + 1;
	char *text = pool_alloc(&p->e->pool, strlen(s) + 1);
	uint32_t n = 0;
	while (*s && *s != '"')
		text[n++] = (char)parse_escape(&s);
	if (!*s) {
		debug_fail(p->why, "Unterminated string in expression.");
		return NULL;
	}
	struct node *node = parse_make(p, NODE_STRING, OP_NONE, NULL, NULL);
	node->text = text;
	node->n = n;
	p->s = s + 1;
	return node;
}
