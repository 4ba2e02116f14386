/* Expressions from text to tree: recursive descent, C's precedences, @ between shifts and sums as in gdb. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_parse.h"
#include "debug/expr/value.h"
#include "debug/expr/fields.h"
#include "debug/ground/scan.h"
#include "debug/view/view.h"

#define DEPTH_MAX 100
#define LINKS_MAX 8000 /* operators and subscripts in a row: they make a tree as deep as the chain is long */

static struct node *parse_assign(struct parser *p);
static struct node *parse_comma(struct parser *p);
static struct node *parse_unary(struct parser *p);

struct node *parse_fail(struct parser *p)
{
	debug_fail(p->why, "A syntax error in expression, near `%s'.", scan_blanks(p->s));
	return NULL;
}

/* One more link of a chain; false if there are too many. */
static bool link_on(struct parser *p)
{
	return ++p->links <= LINKS_MAX || debug_fail(p->why, "the expression is too long");
}

/* One more level of nesting, within which `parse` reads. */
static struct node *parse_deeper(struct parser *p, struct node *(*parse)(struct parser *p))
{
	if (++p->depth > DEPTH_MAX) {
		debug_fail(p->why, "the expression is nested too deeply");
		return NULL;
	}
	struct node *n = parse(p);
	p->depth--;
	return n;
}

static bool take(struct parser *p, const char *token)
{
	const char *s = scan_blanks(p->s);
	size_t n = strlen(token);
	if (strncmp(s, token, n))
		return false;
	p->s = s + n;
	return true;
}

/* ---- primaries ---- */

/* Length of .x, .y, .z, .w after a name, 0 if there is none. */
static size_t dim_suffix(const char *s)
{
	return s[0] == '.' && s[1] && strchr("xyzw", s[1]) && !parse_is_word(s[2]) ? 2 : 0;
}

/* %tid, threadIdx: what is after the dot belongs to the name. */
static bool has_dims(const char *name, size_t n)
{
	char word[16];
	if (*name == '%')
		return true;
	if (n >= sizeof word)
		return false;
	memcpy(word, name, n);
	word[n] = '\0';
	return expr_is_cuda_name(word);
}

/* Parses what is in the brackets behind a space's name, which may be a variable's. */
static struct node *parse_space(struct parser *p, enum isa_space space)
{
	const char *name = debug_space_name(space);
	struct node *n = parse_make(p, NODE_SPACE, OP_NONE, NULL, NULL), *variable = parse_make(p, NODE_NAME, OP_NONE, NULL, NULL);
	n->space = (uint8_t)space;
	n->type = ISA_U32;
	if (!(n->a = parse_assign(p)))
		return NULL;
	if (take(p, "..") && !(n->b = parse_assign(p)))
		return NULL;
	variable->text = pool_strn(&p->e->pool, name, strlen(name));
	variable->n = (uint32_t)strlen(name);
	n->c = parse_make(p, n->b ? NODE_SLICE : NODE_INDEX, OP_NONE, variable, n->a);
	n->c->c = n->b;
	return take(p, "]") ? n : parse_fail(p);
}

/* N or A..B */
static struct node *parse_field_index(struct parser *p)
{
	struct node *first = parse_assign(p), *last;
	if (!first || !take(p, ".."))
		return first;
	if (!(last = parse_assign(p)))
		return NULL;
	struct node *n = parse_make(p, NODE_SLICE, OP_NONE, NULL, first);
	n->c = last;
	return n;
}

/* core[0].warp[3].pc: a field of the machine; core[0..3].issued: of several; core[0].l1d: all fields of a part. */
static struct node *parse_field(struct parser *p)
{
	struct node *node = parse_make(p, NODE_FIELD, OP_NONE, NULL, NULL),
		    **index[FIELD_INDICES] = {&node->a, &node->b, &node->c};
	struct text path = {0};
	unsigned k = 0;
	bool ok = true;
	for (size_t n = scan_name(p->s); ok && n; n = *p->s == '['		       ? 1
						      : *p->s == '.' && p->s[1] != '.' ? 1 + scan_name(p->s + 1)
										       : 0) {
		if (*p->s != '[') {
			text_addn(&path, p->s, n);
			p->s += n;
			continue;
		}
		p->s++;
		text_add(&path, "[]");
		ok = k < FIELD_INDICES && (*index[k++] = parse_field_index(p)) != NULL && take(p, "]");
	}
	node->text = pool_strn(&p->e->pool, text_str(&path), path.n);
	node->n = (uint32_t)path.n;
	text_free(&path);
	return ok ? node : p->why->n ? NULL : parse_fail(p);
}

/* The name is kept with the tree. */
static void own_source_type(struct parser *p, struct node *n)
{
	n->source.name = pool_strn(&p->e->pool, n->source.name, n->source.n);
}

static void own_dims(struct parser *p, struct node *n, const struct array_dims *dims)
{
	n->dims = dims->n ? pool_dup(&p->e->pool, dims, sizeof *dims) : NULL;
}

/* The operand of sizeof: (TYPE), (TYPE[N]) or an expression. */
static struct node *parse_sizeof(struct parser *p)
{
	struct node *size = parse_make(p, NODE_SIZEOF, OP_NONE, NULL, NULL);
	struct array_dims dims;
	p->s += 6;
	const char *s = scan_blanks(p->s);
	if (*s == '(') {
		const char *t = s + 1;
		if (expr_parse_type(&t, &size->type, &size->pointers) && expr_scan_dims(&t, &dims) && *scan_blanks(t) == ')') {
			own_dims(p, size, &dims);
			p->s = scan_blanks(t) + 1;
			return size;
		}
		t = s + 1;
		if (expr_scan_source_type(&t, &size->source) && expr_scan_dims(&t, &dims) && *scan_blanks(t) == ')' &&
		    (size->source.kind != CTYPE_VOID || size->source.pointers)) {
			own_source_type(p, size);
			own_dims(p, size, &dims);
			p->s = scan_blanks(t) + 1;
			return size;
		}
		size->source.name = NULL;
	}
	size->a = parse_unary(p);
	return size->a ? size : NULL;
}

static struct node *parse_name(struct parser *p)
{
	static const enum isa_space spaces[] = {ISA_SPACE_GLOBAL, ISA_SPACE_SHARED, ISA_SPACE_LOCAL,
						ISA_SPACE_CONST,  ISA_SPACE_PARAM,  ISA_SPACE_GENERIC};
	size_t n = scan_name(p->s);
	if (!n)
		return parse_fail(p);
	const char *name = p->s;
	size_t field;
	if (field_scan(name, &field))
		return parse_field(p);
	if (n == 6 && !memcmp(name, "sizeof", 6))
		return parse_sizeof(p);
	if (*scan_blanks(name + n) == '[')
		for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
			const char *w = debug_space_name(spaces[i]);
			if (strlen(w) == n && !memcmp(w, name, n)) {
				p->s = scan_blanks(name + n) + 1;
				return parse_space(p, spaces[i]);
			}
		}
	n = expr_scan_scopes(name, n);
	if (dim_suffix(name + n) && has_dims(name, n))
		n += 2;
	struct node *node = parse_make(p, NODE_NAME, OP_NONE, NULL, NULL);
	node->text = pool_strn(&p->e->pool, name, n);
	node->n = (uint32_t)n;
	p->s = name + n;
	return node;
}

/* ::NAME, ::NAME::NAME: what is outside of functions. */
static struct node *parse_global_name(struct parser *p)
{
	p->s += 2;
	struct node *node = parse_make(p, NODE_NAME, OP_NONE, NULL, NULL);
	size_t n = expr_scan_scopes(p->s, scan_name(p->s));
	node->text = pool_strn(&p->e->pool, p->s, n);
	node->n = (uint32_t)n;
	node->is_global = true;
	p->s += n;
	return node;
}

/* 'MODULE'::NAME: a variable or function of that module. */
static struct node *parse_module_name(struct parser *p, size_t prefix)
{
	const char *name = p->s;
	struct node *node = parse_make(p, NODE_NAME, OP_NONE, NULL, NULL);
	const size_t n = prefix + expr_scan_scopes(name + prefix, scan_name(name + prefix));
	node->text = pool_strn(&p->e->pool, name, n);
	node->n = (uint32_t)n;
	node->is_global = true;
	p->s = name + n;
	return node;
}

/* Length of NAME, NAME[WORD], NAME[WORD][WORD]. */
static size_t scan_statistic(const char *s)
{
	size_t n = 0;
	while (parse_is_word(s[n]))
		n++;
	while (s[n] == '[') {
		size_t inside = 1;
		while (parse_is_word(s[n + inside]))
			inside++;
		if (inside == 1 || s[n + inside] != ']')
			break;
		n += inside + 1;
	}
	return n;
}

/* $stat.gpu_ipc, and $stat."Hops average" for names with blanks in them. */
static struct node *parse_statistic(struct parser *p, const char *s)
{
	const bool quoted = *s == '"';
	const size_t n = quoted ? strcspn(s + 1, "\"") : scan_statistic(s);
	if (quoted && s[n + 1] != '"') {
		debug_fail(p->why, "Unterminated string in expression.");
		return NULL;
	}
	struct node *node = parse_make(p, NODE_STATISTIC, OP_NONE, NULL, NULL);
	node->text = pool_strn(&p->e->pool, s + quoted, n);
	node->n = (uint32_t)n;
	p->s = s + n + 2 * quoted;
	return node;
}

/* Makes a call of a $NAME whose bracket was read. */
static struct node *parse_arguments(struct parser *p, struct node *node)
{
	struct node **const at[EXPR_ARGUMENTS] = {&node->a, &node->b, &node->c};
	node->kind = NODE_CALL;
	if (take(p, ")"))
		return node;
	for (unsigned k = 0; k < EXPR_ARGUMENTS; k++) {
		if (!(*at[k] = parse_assign(p)))
			return NULL;
		if (take(p, ")"))
			return node;
		if (!take(p, ","))
			return parse_fail(p);
	}
	debug_fail(p->why, "too many arguments of $%s", node->text);
	return NULL;
}

static struct node *parse_dollar(struct parser *p)
{
	const char *s = p->s + 1;
	size_t n = *s == '$';
	while (parse_is_word(s[n]))
		n++;
	if (n == 4 && !memcmp(s, "stat", 4) && s[4] == '.' && (s[5] == '"' || parse_is_word(s[5])))
		return parse_statistic(p, s + 5);
	struct node *node = parse_make(p, NODE_DOLLAR, OP_NONE, NULL, NULL);
	node->text = pool_strn(&p->e->pool, s, n);
	node->n = (uint32_t)n;
	p->s = s + n;
	return *s == '_' && take(p, "(") ? parse_arguments(p, node) : node;
}

/* Parses {V, V, ...}. */
static struct node *parse_list(struct parser *p)
{
	struct node *first = NULL, **at = &first;
	p->s++;
	do {
		struct node *element = link_on(p) ? parse_assign(p) : NULL;
		if (!element)
			return NULL;
		*at = parse_make(p, NODE_LIST, OP_NONE, element, NULL);
		at = &(*at)->b;
	} while (take(p, ","));
	return take(p, "}") ? first : parse_fail(p);
}

static struct node *parse_primary(struct parser *p)
{
	const char *s = p->s = scan_blanks(p->s);
	if (*s == '(') {
		p->s++;
		struct node *n = parse_comma(p);
		return !n ? NULL : take(p, ")") ? n : parse_fail(p);
	}
	if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1])))
		return parse_number(p);
	const size_t module = *s == '\'' ? debug_module_prefix(s, strlen(s)) : 0;
	if (module && scan_name(s + module))
		return parse_module_name(p, module);
	if (parse_is_literal(s))
		return *s == '"' || (*s != '\'' && s[1] == '"') ? parse_string(p) : parse_char(p);
	if (*s == '$')
		return parse_dollar(p);
	if (*s == '{')
		return parse_list(p);
	if (s[0] == ':' && s[1] == ':' && scan_name(s + 2) && s[2] != '%')
		return parse_global_name(p);
	return parse_name(p);
}

/* .NAME, .CLASS::NAME or the same with -> after `of`; NULL: there is none. */
static struct node *parse_member(struct parser *p, struct node *of)
{
	const char *s = scan_blanks(p->s);
	bool arrow = s[0] == '-' && s[1] == '>', dot = s[0] == '.' && s[1] != '.';
	const char *name = arrow || dot ? scan_blanks(s + 1 + arrow) : s;
	size_t n = arrow || dot ? expr_scan_scopes(name, scan_name(name)) : 0;
	if (!n || *name == '%' || *name == '$')
		return NULL;
	struct node *node = parse_make(p, NODE_MEMBER, OP_NONE, of, NULL);
	node->text = pool_strn(&p->e->pool, name, n);
	node->n = (uint32_t)n;
	node->is_post = arrow;
	p->s = name + n;
	return node;
}

static struct node *parse_postfix(struct parser *p)
{
	struct node *n = parse_primary(p), *member;
	while (n) {
		if (!link_on(p))
			return NULL;
		if ((member = parse_member(p, n)) != NULL) {
			n = member;
			continue;
		}
		if (take(p, "[")) {
			struct node *i = parse_assign(p), *last = NULL;
			while (i && take(p, ",")) { /* coordinates of a texel */
				struct node *next = parse_assign(p);
				i = next ? parse_make(p, NODE_BINARY, OP_COMMA, i, next) : NULL;
			}
			if (!i || (take(p, "..") && !(last = parse_assign(p))))
				return NULL;
			if (!take(p, "]"))
				return parse_fail(p);
			n = parse_make(p, last ? NODE_SLICE : NODE_INDEX, OP_NONE, n, i);
			n->c = last;
		} else if (n->kind == NODE_NAME && *scan_blanks(p->s) == '(') {
			debug_fail(p->why, "functions of the program can't be called: a call is code of a kernel, which runs only in a launch; `break FUNCTION` and `finish` show what one returns");
			return NULL;
		} else if (take(p, "++") || take(p, "--")) {
			n = parse_make(p, NODE_STEP, p->s[-1] == '+' ? OP_ADD : OP_SUB, n, NULL);
			n->is_post = p->e->assigns = true;
		} else {
			break;
		}
	}
	return n;
}

/* Returns whether a name means a type of the source, and no variable at the selected frame, which would hide it. */
static bool is_type(struct parser *p, const struct source_type *t)
{
	struct expr_value v = {0};
	struct text ignored = {0};
	if (!cnames_type(p->d, t->name, t->n, CTYPE_VOID))
		return false;
	char *name = xstrndup(t->name, t->n);
	const bool is_variable = debug_eval_type(p->d, name, &v, &ignored);
	expr_value_free(&v);
	text_free(&ignored);
	free(name);
	return !is_variable;
}

/* Returns whether `(NAME) x` is a cast. In front of an operator that has one operand or two, a name in brackets is one only if it means a type. */
static bool is_source_cast(struct parser *p, const struct source_type *t, const char *after, char close)
{
	if (close == '}' || t->kind != CTYPE_VOID || t->pointers)
		return true;
	after = scan_blanks(after);
	if (isalnum((unsigned char)*after) || strchr("_$('\"~", *after ? *after : ')') || (*after == '!' && after[1] != '='))
		return true;
	return strchr("+-*&.", *after ? *after : ')') && is_type(p, t);
}

static struct node *parse_source_cast(struct parser *p, char close)
{
	const char *s = p->s + 1;
	struct source_type t;
	struct array_dims dims;
	if (!expr_scan_source_type(&s, &t) || !expr_scan_dims(&s, &dims) || *s != close ||
	    !is_source_cast(p, &t, s + 1, close))
		return NULL;
	struct node *n = parse_make(p, NODE_CAST, OP_NONE, NULL, NULL);
	n->space = (uint8_t)expr_space_word(p->s + 1);
	n->source = t;
	own_source_type(p, n);
	own_dims(p, n, &dims);
	p->s = s + 1;
	return n;
}

static struct node *parse_cast(struct parser *p, char close)
{
	const char *s = p->s + 1;
	enum isa_type t;
	uint8_t pointers;
	struct array_dims dims;
	if (!expr_parse_type(&s, &t, &pointers) || !expr_scan_dims(&s, &dims) || *scan_blanks(s) != close)
		return parse_source_cast(p, close);
	struct node *n = parse_make(p, NODE_CAST, OP_NONE, NULL, NULL);
	n->space = (uint8_t)expr_space_word(p->s + 1);
	n->type = t;
	n->pointers = pointers;
	p->s++;
	expr_scan_char_type(&p->s, &n->source);
	own_dims(p, n, &dims);
	p->s = scan_blanks(s) + 1;
	return n;
}

static struct node *parse_unary_inner(struct parser *p)
{
	static const struct {
		char c;
		enum expr_op op;
	} ops[] = {{'-', OP_NEG}, {'+', OP_PLUS}, {'!', OP_NOT}, {'~', OP_INVERT}, {'*', OP_DEREF}, {'&', OP_ADDRESS}};
	const char *s = p->s = scan_blanks(p->s);
	if (!strncmp(s, "++", 2) || !strncmp(s, "--", 2)) {
		p->s += 2;
		struct node *a = parse_unary(p);
		p->e->assigns = true;
		return a ? parse_make(p, NODE_STEP, *s == '+' ? OP_ADD : OP_SUB, a, NULL) : NULL;
	}
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (*s == ops[i].c) {
			p->s++;
			struct node *a = parse_unary(p);
			return a ? parse_make(p, NODE_UNARY, ops[i].op, a, NULL) : NULL;
		}
	if (*s == '(' || *s == '{') {
		struct node *cast = parse_cast(p, *s == '(' ? ')' : '}');
		if (cast) {
			cast->a = parse_unary(p);
			if (!cast->a || *s == '(')
				return cast->a ? cast : NULL;
			if (cast->dims) {
				cast->is_post = true;
				return cast;
			}
			cast->pointers++; /* {type} addr is *(type *)addr */
			cast->source.pointers++;
			return parse_make(p, NODE_UNARY, OP_DEREF, cast, NULL);
		}
	}
	return parse_postfix(p);
}

static struct node *parse_unary(struct parser *p) { return parse_deeper(p, parse_unary_inner); }

/* ---- binary operators ---- */

static const struct {
	char token[3];
	int level;
	enum node_kind kind;
	enum expr_op op;
} binaries[] = {
	{"||", 2, NODE_OR, OP_NONE},	{"&&", 3, NODE_AND, OP_NONE},	   {"==", 7, NODE_BINARY, OP_EQ},
	{"!=", 7, NODE_BINARY, OP_NE},	{"<=", 8, NODE_BINARY, OP_LE},	   {">=", 8, NODE_BINARY, OP_GE},
	{"<<", 9, NODE_BINARY, OP_SHL}, {">>", 9, NODE_BINARY, OP_SHR},	   {"|", 4, NODE_BINARY, OP_OR},
	{"^", 5, NODE_BINARY, OP_XOR},	{"&", 6, NODE_BINARY, OP_AND},	   {"<", 8, NODE_BINARY, OP_LT},
	{">", 8, NODE_BINARY, OP_GT},	{"@", 10, NODE_BINARY, OP_REPEAT}, {"+", 11, NODE_BINARY, OP_ADD},
	{"-", 11, NODE_BINARY, OP_SUB}, {"*", 12, NODE_BINARY, OP_MUL},	   {"/", 12, NODE_BINARY, OP_DIV},
	{"%", 12, NODE_BINARY, OP_REM},
};

/* Index of the operator at the parser's place, -1: none. `+=` and the like are no binary operators. */
static int binary_at(struct parser *p)
{
	const char *s = scan_blanks(p->s);
	for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
		size_t n = strlen(binaries[i].token);
		if (strncmp(s, binaries[i].token, n))
			continue;
		bool can_assign = binaries[i].op >= OP_ADD && binaries[i].op <= OP_OR;
		return can_assign && s[n] == '=' ? -1 : (int)i;
	}
	return -1;
}

static struct node *parse_binary(struct parser *p, int level)
{
	struct node *a = parse_unary(p);
	if (!a)
		return NULL;
	for (int i; (i = binary_at(p)) >= 0 && binaries[i].level >= level;) {
		p->s = scan_blanks(p->s) + strlen(binaries[i].token);
		bool tight = binaries[i].op == OP_REM && scan_name(p->s);
		if (!link_on(p))
			return NULL;
		if (++p->depth > DEPTH_MAX) {
			debug_fail(p->why, "the expression is nested too deeply");
			return NULL;
		}
		struct node *b = parse_binary(p, binaries[i].level + 1);
		p->depth--;
		if (!b)
			return NULL;
		a = parse_make(p, binaries[i].kind, binaries[i].op, a, b);
		a->is_tight = tight;
	}
	return a;
}

static struct node *parse_conditional(struct parser *p)
{
	struct node *a = parse_binary(p, 2);
	if (!a || !take(p, "?"))
		return a;
	struct node *n = parse_make(p, NODE_IF, OP_NONE, a, NULL);
	if (!(n->b = parse_assign(p)))
		return NULL;
	if (!take(p, ":"))
		return parse_fail(p);
	n->c = parse_assign(p);
	return n->c ? n : NULL;
}

static struct node *parse_assign_inner(struct parser *p)
{
	struct node *a = parse_conditional(p);
	if (!a)
		return NULL;
	const char *s = scan_blanks(p->s);
	enum expr_op op = OP_NONE;
	size_t n = 1;
	if (*s != '=' || s[1] == '=') {
		op = OP_REPEAT;
		for (size_t i = 0; op == OP_REPEAT && i < sizeof binaries / sizeof *binaries; i++) {
			n = strlen(binaries[i].token) + 1;
			if (binaries[i].op >= OP_ADD && binaries[i].op <= OP_OR &&
			    !strncmp(s, binaries[i].token, n - 1) && s[n - 1] == '=')
				op = binaries[i].op;
		}
		if (op == OP_REPEAT)
			return a;
	}
	p->s = s + n;
	p->e->assigns = true;
	struct node *b = parse_assign(p);
	return b ? parse_make(p, NODE_ASSIGN, op, a, b) : NULL;
}

static struct node *parse_assign(struct parser *p) { return parse_deeper(p, parse_assign_inner); }

/* A, B: both are evaluated, the last one counts. Where commas part expressions from each other only inside of parentheses. */
static struct node *parse_comma(struct parser *p)
{
	struct node *a = parse_assign(p);
	while (a && take(p, ",")) {
		struct node *b = link_on(p) ? parse_assign(p) : NULL;
		a = b ? parse_make(p, NODE_BINARY, OP_COMMA, a, b) : NULL;
	}
	return a;
}

struct expr *expr_parse(struct debug *d, const char *s, const char **end, struct text *why)
{
	struct expr *e = xcalloc(1, sizeof *e);
	struct parser p = {.d = d, .s = s, .e = e, .why = why};
	e->root = end ? parse_assign(&p) : parse_comma(&p);
	if (e->root && !end && *scan_blanks(p.s)) {
		parse_fail(&p);
		e->root = NULL;
	}
	if (!e->root) {
		expr_free(e);
		return NULL;
	}
	if (end)
		*end = p.s;
	s = scan_blanks(s);
	size_t n = p.s > s ? (size_t)(p.s - s) : 0;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	e->text = xstrndup(s, n);
	return e;
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	pool_free(&e->pool);
	free(e->text);
	free(e);
}

const char *expr_text(const struct expr *e) { return e->text; }

bool expr_has_assignment(const struct expr *e) { return e->assigns; }
