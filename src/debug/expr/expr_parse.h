/* What the parser of expressions is made of; shared by its files. */
#ifndef DEBUG_EXPR_PARSE_H
#define DEBUG_EXPR_PARSE_H

#include <ctype.h>

#include "debug/expr/expr_internal.h"

struct parser {
	struct debug *d;
	const char *s;
	struct expr *e;
	struct text *why;
	unsigned depth;
	unsigned links;
};

/* Returns whether the character is a letter, digit or _. */
static inline bool parse_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Allocates a node of the tree in the expression's pool, with its kind, operator and operands. */
struct node *parse_make(struct parser *p, enum node_kind kind, enum expr_op op, struct node *a, struct node *b);
/* Allocates a node of a value, and moves p->s to `end`. */
struct node *parse_constant(struct parser *p, const struct expr_value *v, const char *end);
/* Returns the length of a name with its template's arguments and the ::NAMEs after it; `n` is the length of its first part. (expr_scopes.c) */
size_t expr_scan_scopes(const char *name, size_t n);
/* Appends "A syntax error ... near" what is at p->s to p->why. Returns NULL. */
struct node *parse_fail(struct parser *p);
/* Parses the number at p->s, and moves p->s behind it. Returns NULL, with an error in p->why, if it is malformed or too large. (expr_number.c) */
struct node *parse_number(struct parser *p);
/* Returns whether a character constant or a string begins at `s`, with L, u or U in front or without. */
bool parse_is_literal(const char *s);
/* Parses the character constant at p->s, a ' with L, u or U in front or without, and moves p->s behind it. Returns NULL, with an error in p->why, if it is malformed.
 * (expr_literal.c) */
struct node *parse_char(struct parser *p);
/* Parses the string at p->s, a " with L, u or U in front or without, and strings that follow it, and moves p->s behind them. Returns NULL, with an error in p->why, if it isn't terminated. (expr_literal.c) */
struct node *parse_string(struct parser *p);

#endif
