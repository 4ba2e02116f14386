#include "ptx/lex.h"

#include <string.h>

#include "ptx/lex_class.h"

void ptx_lex_init(struct ptx_lexer *l, const char *text, uint32_t n)
{
	l->text = text;
	l->n = n;
	l->pos = 0;
}

uint32_t ptx_name_hash(const char *s, size_t n)
{
	uint32_t h = PTX_NAME_HASH_START;

	for (size_t i = 0; i < n; i++)
		h = ptx_name_hash_add(h, s[i]);
	return h;
}

/* Skips a comment at pos; false if it has no end. */
static bool skip_comment(struct ptx_lexer *l)
{
	const char *s = l->text + l->pos, *end = l->text + l->n;

	if (s[1] == '/') {
		const char *nl = memchr(s, '\n', (size_t)(end - s));

		l->pos = nl ? (uint32_t)(nl - l->text) : l->n;
		return true;
	}
	for (const char *p = s + 2; (p = memchr(p, '*', (size_t)(end - p))); p++) {
		if (p + 1 < end && p[1] == '/') {
			l->pos = (uint32_t)(p + 2 - l->text);
			return true;
		}
	}
	return false;
}

/* A cpp line marker, `# 12 "file"`, is only recognised as the first thing on a line. */
static bool skip_line_marker(struct ptx_lexer *l)
{
	uint32_t p = l->pos + 1;

	while (p < l->n && (l->text[p] == ' ' || l->text[p] == '\t'))
		p++;
	if (p >= l->n || !ptx_is_digit(l->text[p]))
		return false;
	const char *nl = memchr(l->text + p, '\n', l->n - p);

	l->pos = nl ? (uint32_t)(nl - l->text) : l->n;
	return true;
}

/* Moves to the next token; sets `first`. False at an unterminated comment. */
static bool skip_blanks(struct ptx_lexer *l, struct ptx_token *t)
{
	t->first = l->pos == 0;
	while (l->pos < l->n) {
		char c = l->text[l->pos];

		if (c == '\n')
			t->first = true;
		if (ptx_char_class[(uint8_t)c] & PTX_CHAR_BLANK) {
			l->pos++;
			continue;
		}
		if (c == '/' && l->pos + 1 < l->n && (l->text[l->pos + 1] == '/' || l->text[l->pos + 1] == '*')) {
			uint32_t from = l->pos;

			if (!skip_comment(l))
				return false;
			t->first |= memchr(l->text + from, '\n', l->pos - from) != NULL;
			continue;
		}
		if (c == '#' && t->first && skip_line_marker(l))
			continue;
		break;
	}
	return true;
}

static void bad(struct ptx_lexer *l, struct ptx_token *t, uint32_t n, const char *why)
{
	t->kind = PTX_TOK_BAD;
	t->n = n;
	t->error = why;
	l->pos += n;
}

static void lex_name(struct ptx_lexer *l, struct ptx_token *t)
{
	const char *s = l->text + l->pos;
	uint32_t left = l->n - l->pos, i = 1;
	uint32_t h = ptx_name_hash_add(PTX_NAME_HASH_START, s[0]);

	t->stem_hash = h;
	t->n_stem = 1;
	for (; i < left; i++) {
		uint8_t cls = ptx_char_class[(uint8_t)s[i]];

		if (!(cls & PTX_CHAR_FOLLOW))
			break;
		h = ptx_name_hash_add(h, s[i]);
		if (!(cls & PTX_CHAR_DIGIT)) {
			t->stem_hash = h;
			t->n_stem = i + 1;
		}
	}
	if (i == 1 && (s[0] == '%' || s[0] == '$')) {
		t->kind = (uint8_t)s[0];
		t->n = 1;
		l->pos++;
		return;
	}
	t->kind = PTX_TOK_NAME;
	t->hash = h;
	t->n = i;
	l->pos += i;
}

/* Length of the run of modifier characters from i on: names, dots, and colons in pairs. */
static uint32_t modifier_run(const char *s, uint32_t n, uint32_t i)
{
	for (;;) {
		while (i < n && (ptx_char_class[(uint8_t)s[i]] & PTX_CHAR_FOLLOW) && s[i] != '$')
			i++;
		if (i + 1 < n && s[i] == '.' && (ptx_char_class[(uint8_t)s[i + 1]] & PTX_CHAR_FOLLOW))
			i++;
		else if (i + 2 < n && s[i] == ':' && s[i + 1] == ':' &&
			 (ptx_char_class[(uint8_t)s[i + 2]] & PTX_CHAR_FOLLOW))
			i += 2;
		else
			return i;
	}
}

void ptx_lex_opcode(struct ptx_lexer *l, struct ptx_token *t)
{
	t->n = modifier_run(l->text + t->at, l->n - t->at, t->n);
	l->pos = t->at + t->n;
}

/* `.name` and its `::` parts, but not a second `.name`. */
static void lex_directive(struct ptx_lexer *l, struct ptx_token *t)
{
	const char *s = l->text + l->pos;
	uint32_t left = l->n - l->pos, i = 1;

	while (i < left) {
		if (ptx_char_class[(uint8_t)s[i]] & PTX_CHAR_FOLLOW)
			i++;
		else if (i + 2 < left && s[i] == ':' && s[i + 1] == ':' &&
			 (ptx_char_class[(uint8_t)s[i + 2]] & PTX_CHAR_FOLLOW))
			i += 2;
		else
			break;
	}
	if (i == 1) {
		bad(l, t, 1, "stray '.'");
		return;
	}
	t->kind = PTX_TOK_DIRECTIVE;
	t->n = i;
	l->pos += i;
}

/* A backslash is a character like any other, and so is a line's end (ptxas). */
static void lex_string(struct ptx_lexer *l, struct ptx_token *t)
{
	const char *s = l->text + l->pos;
	uint32_t left = l->n - l->pos, i = 1;

	while (i < left && s[i] != '"')
		i++;
	if (i >= left) {
		const char *end = memchr(s, '\n', left);

		bad(l, t, end ? (uint32_t)(end - s) : left, "unterminated string");
		return;
	}
	t->kind = PTX_TOK_STRING;
	t->n = i + 1;
	l->pos += i + 1;
}

static unsigned two_char_token(char a, char b)
{
	switch (a) {
	case '<': return b == '<' ? PTX_TOK_SHL : b == '=' ? PTX_TOK_LE : 0;
	case '>': return b == '>' ? PTX_TOK_SHR : b == '=' ? PTX_TOK_GE : 0;
	case '=': return b == '=' ? PTX_TOK_EQ : 0;
	case '!': return b == '=' ? PTX_TOK_NE : 0;
	case '&': return b == '&' ? PTX_TOK_AND : 0;
	case '|': return b == '|' ? PTX_TOK_OR : 0;
	default: return 0;
	}
}

static void lex_punctuation(struct ptx_lexer *l, struct ptx_token *t)
{
	char c = l->text[l->pos];
	unsigned two = l->pos + 1 < l->n ? two_char_token(c, l->text[l->pos + 1]) : 0;

	if (!(ptx_char_class[(uint8_t)c] & PTX_CHAR_PUNCT)) {
		bad(l, t, 1, "a character that PTX does not use");
		return;
	}
	t->kind = (uint16_t)(two ? two : (uint8_t)c);
	t->n = two ? 2 : 1;
	l->pos += t->n;
}

void ptx_lex_next(struct ptx_lexer *l, struct ptx_token *t)
{
	bool ended = skip_blanks(l, t);

	t->at = l->pos;
	t->n = 0;
	if (!ended) {
		bad(l, t, l->n - l->pos, "unterminated comment");
		return;
	}
	if (l->pos >= l->n) {
		t->kind = PTX_TOK_END;
		return;
	}
	uint8_t cls = ptx_char_class[(uint8_t)l->text[l->pos]];
	bool dot = l->text[l->pos] == '.';

	if (cls & PTX_CHAR_START) {
		lex_name(l, t);
	} else if ((cls & PTX_CHAR_DIGIT) || (dot && l->pos + 1 < l->n && ptx_is_digit(l->text[l->pos + 1]))) {
		l->pos += t->n = ptx_lex_number(l->text + l->pos, l->n - l->pos, t);
	} else if (dot) {
		lex_directive(l, t);
	} else if (l->text[l->pos] == '"') {
		lex_string(l, t);
	} else {
		lex_punctuation(l, t);
	}
}
