/* What the parser of expressions is made of; shared by its files. */
#ifndef DEBUG_EXPR_PARSE_H
#define DEBUG_EXPR_PARSE_H

#include <ctype.h>

#include "debug/expr/expr_internal.h"

struct parser {
	const char *s;
	struct expr *e;
	struct text *why;
	unsigned depth;
	unsigned links;
};

static inline bool parse_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* A node of the tree; and one of a value, after which the text goes on at `end`. */
struct node *parse_make(struct parser *p, enum node_kind kind, enum expr_op op, struct node *a, struct node *b);
struct node *parse_constant(struct parser *p, const struct expr_value *v, const char *end);
/* expr_scopes.c: length of a name with its template's arguments and the ::NAMEs after it; `n`: of its first part. */
size_t expr_scan_scopes(const char *name, size_t n);
/* "A syntax error ..."; NULL. */
struct node *parse_fail(struct parser *p);
/* expr_number.c, expr_literal.c: at a number, ' or ". NULL: it is none, and why. */
struct node *parse_number(struct parser *p);
struct node *parse_char(struct parser *p);
struct node *parse_string(struct parser *p);

#endif
