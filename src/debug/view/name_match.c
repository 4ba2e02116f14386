/* Names of C++ as users write them against those that the compiler has made. */
#include "debug/view/name_match.h"

#include <ctype.h>
#include <string.h>

/* ---- texts ---- */

/* A text read without blanks and the suffixes of numbers, 8u and 8. */
struct reading {
	const char *s, *end;
	bool in_word, in_number;
	bool suffixes; /* count */
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* The next character that counts, 0: none. */
static char next(struct reading *r)
{
	for (; r->s < r->end; r->s++) {
		char c = *r->s;
		if (isspace((unsigned char)c)) {
			r->in_word = r->in_number = false;
			continue;
		}
		if (r->in_number && !r->suffixes && strchr("uUlL", c))
			continue;
		r->in_number = is_word(c) && (r->in_word ? r->in_number : isdigit((unsigned char)c));
		r->in_word = is_word(c);
		r->s++;
		return c;
	}
	return 0;
}

static bool same(const char *a, size_t n_a, const char *b, size_t n_b, bool suffixes)
{
	struct reading x = {.s = a, .end = a + n_a, .suffixes = suffixes},
		       y = {.s = b, .end = b + n_b, .suffixes = suffixes};
	for (;;) {
		char c = next(&x), d = next(&y);
		if (c != d)
			return false;
		if (!c)
			return true;
	}
}

/* ---- parts of a name ---- */

static const char anonymous[] = "(anonymous namespace)";

static size_t anonymous_at(const char *s, const char *end)
{
	const size_t n = sizeof anonymous - 1;
	return (size_t)(end - s) >= n && !memcmp(s, anonymous, n) ? n : 0;
}

/* Length of an operator's name at `p`, 0: none. Its characters don't open arguments: operator(), operator< <int>, operator bool. */
static size_t operator_at(const char *s, const char *p, const char *end)
{
	const char *at = p + 8;
	if (end - p < 8 || memcmp(p, "operator", 8) || (p > s && p[-1] != ':' && p[-1] != ' ') ||
	    (at < end && is_word(*at)))
		return 0;
	if (end - at >= 2 && !memcmp(at, "()", 2))
		return 10;
	if (at < end && *at == ' ') {
		while (at < end && *at != '(')
			at++;
		return (size_t)(at - p);
	}
	while (at < end && strchr("<>=!+-*/%^&|~,[]", *at))
		at++;
	return (size_t)(at - p) + (end - at >= 2 && !memcmp(at, " <", 2));
}

/* Returns the length up to the bracket that closes the one at `s`, ( or {, or all of the text if none does. Comparisons stand in there, so < and >
 * don't count. */
static size_t round_length(const char *s, const char *end)
{
	const char open = *s, close = open == '(' ? ')' : '}';
	unsigned depth = 0;
	for (const char *p = s; p < end; p++) {
		depth += *p == open;
		if (*p == close && !--depth)
			return (size_t)(p + 1 - s);
	}
	return (size_t)(end - s);
}

/* Returns the length up to the bracket that closes the one at `s`, or all of the text if none does. */
static size_t bracket_length(const char *s, const char *end)
{
	unsigned depth = 0;
	if (*s != '<')
		return round_length(s, end);
	for (const char *p = s; p < end;) {
		if (*p == '(' || *p == '{') {
			p += round_length(p, end);
			continue;
		}
		depth += *p == '<';
		if (*p == '>' && p[-1] != '-' && !--depth)
			return (size_t)(p + 1 - s);
		p++;
	}
	return (size_t)(end - s);
}

/* Returns whether the bracket at `p` in the name `s` belongs to a return type decltype(...). */
static bool is_decltype(const char *s, const char *p)
{
	p -= p > s && p[-1] == ' ';
	return p - s >= 8 && !memcmp(p - 8, "decltype", 8);
}

/* Returns the length of a function's parameters with the words behind them, if they belong to a scope: (int) const in f(int) const::{lambda()#1}.
 * Returns 0 for other parameters. */
static size_t scope_parameters(const char *s, const char *end)
{
	static const char *const words[] = {" const", " volatile", " &&", " &"};
	const char *p = s + round_length(s, end);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t n = strlen(words[i]);
		p += (size_t)(end - p) > n && !memcmp(p, words[i], n) ? n : 0;
	}
	return end - p > 2 && p[0] == ':' && p[1] == ':' ? (size_t)(p - s) : 0;
}

const char *name_bare(const char *s, size_t *n)
{
	const char *start = s, *end = s + strlen(s), *p = s;
	while (p < end) {
		size_t skip = anonymous_at(p, end);
		skip = skip ? skip : operator_at(start, p, end);
		if (!skip && *p == '(')
			skip = is_decltype(s, p) ? round_length(p, end) : scope_parameters(p, end);
		else if (!skip && (*p == '<' || *p == '{'))
			skip = bracket_length(p, end);
		if (skip) {
			p += skip;
		} else if (*p == '(' && p == start && p + 1 < end && strchr("*&", p[1])) {
			start = p += 2; /* the function returns a pointer to a function: int (*NAME(int))(float) */
		} else if (*p == '(') {
			break;
		} else if (*p++ == ' ') {
			start = p;
		}
	}
	*n = (size_t)(p - start);
	return start;
}

size_t name_file_scope(const char *bare, size_t n)
{
	const char *rest = n > 10 && !strncmp(bare, "_INTERNAL_", 10) ? memmem(bare, n, "::", 2) : NULL;
	return rest ? (size_t)(rest + 2 - bare) : 0;
}

/* What stands between :: and ::, as in lin::mat<float>::get(int) const. Lengths 0: it has none. */
struct part {
	const char *name, *template, *arguments;
	size_t n_name, n_template, n_arguments; /* arguments: with what is after them */
};
#define PARTS_MAX 32

/* Of a name that continues to the end; more parts than there may be: 0. */
static size_t split(const char *s, const char *end, struct part parts[PARTS_MAX])
{
	size_t n = 0;
	const char *start = s, *p = s;
	struct part now = {.name = s};
	while (n < PARTS_MAX) {
		size_t skip = p < end ? anonymous_at(p, end) : 0;
		skip = skip || p == end ? skip : operator_at(start, p, end);
		if (skip) {
			p += skip;
		} else if (p == end || (p[0] == ':' && p + 1 < end && p[1] == ':')) {
			if (now.arguments)
				now.n_arguments = (size_t)(p - now.arguments);
			else if (!now.template)
				now.n_name = (size_t)(p - now.name);
			parts[n++] = now;
			if (p == end)
				return n;
			now = (struct part){.name = p += 2};
		} else if (*p == '<' && !now.template && !now.arguments) {
			now.template = p;
			now.n_name = (size_t)(p - now.name);
			p += now.n_template = bracket_length(p, end);
		} else if (strchr("(<{", *p)) {
			if (*p == '(' && !now.arguments) {
				now.n_name = now.template ? now.n_name : (size_t)(p - now.name);
				now.arguments = p;
			}
			p += bracket_length(p, end);
		} else {
			p++;
		}
	}
	return 0;
}

static bool part_fits(const struct part *have, const struct part *typed)
{
	if (!same(have->name, have->n_name, typed->name, typed->n_name, true))
		return false;
	if (typed->n_template && !same(have->template, have->n_template, typed->template, typed->n_template, false))
		return false;
	if (!typed->n_arguments)
		return true;
	/* a method's const may be left out */
	size_t brackets = have->n_arguments ? bracket_length(have->arguments, have->arguments + have->n_arguments) : 0;
	return same(have->arguments, have->n_arguments, typed->arguments, typed->n_arguments, true) ||
	       same(have->arguments, brackets, typed->arguments, typed->n_arguments, true);
}

/* The last parts are the same, but for what the typed ones leave out. */
static int match_parts(const struct part *have, size_t n_have, const char *name, size_t n, bool loose)
{
	struct part typed[PARTS_MAX];
	size_t n_typed = split(name, name + n, typed);
	if (!n_typed || n_typed > n_have || (!loose && n_typed < n_have))
		return 0;
	for (size_t k = 1; k <= n_typed; k++)
		if (!part_fits(&have[n_have - k], &typed[n_typed - k]))
			return 0;
	return n_typed == n_have ? 2 : 1;
}

/* Up to the last part's parameters. */
static size_t without_parameters(const char *bare, const struct part *last)
{
	return (size_t)(last->name - bare) + last->n_name + last->n_template;
}

int name_match(const char *demangled, const char *name, size_t n, bool loose)
{
	size_t n_bare;
	struct part have[PARTS_MAX];
	const char *bare = name_bare(demangled, &n_bare);
	bare += name_file_scope(bare, n_bare);
	while (n && isspace((unsigned char)*name)) {
		name++;
		n--;
	}
	bool whole = n > 2 && !memcmp(name, "::", 2);
	if (whole) {
		name += 2;
		n -= 2;
	}
	if (same(demangled, strlen(demangled), name, n, true) || same(bare, strlen(bare), name, n, true))
		return 4;
	size_t n_have = split(bare, bare + strlen(bare), have);
	if (n_have && same(bare, without_parameters(bare, &have[n_have - 1]), name, n, true))
		return 3;
	return match_parts(have, n_have, name, n, loose && !whole);
}

/* ---- in expressions ---- */

bool name_is_qualified(const char *name, size_t n)
{
	return memchr(name, '<', n) || (n > 2 && memmem(name + 1, n - 1, "::", 2));
}

const char *name_last_part(const char *name, size_t n)
{
	const char *last = name;
	int depth = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		depth += strchr("<(", name[i]) ? 1 : strchr(">)", name[i]) ? -1 : 0;
		if (!depth && name[i] == ':' && name[i + 1] == ':')
			last = name + i + 2;
	}
	return last;
}

size_t name_template_arguments(const char *s)
{
	unsigned depth = 0;
	size_t n = 0;
	if (*s != '<')
		return 0;
	for (;; n++) {
		char c = s[n];
		bool both = c && s[n + 1] == c;
		if (c == '<' || c == '(')
			depth++;
		else if (c == '>' || c == ')')
			depth -= depth > 0;
		else if (!c || (both && c == '&' && !strchr(">,", s[n + 2])) ||
			 (c == ':' && !both && s[n - 1] != ':') || !(is_word(c) || strchr(" \t,:*&-'", c)))
			return 0;
		if (!depth)
			return c == '>' && n > 1 ? n + 1 : 0;
	}
}
