/* The parser's tokens: reading them, errors at them, recovery behind a broken statement, keywords. */
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "ptx/parse.h"

void ptx_parse_advance(struct ptx_parser *p)
{
	p->prev_end = p->tok.at + p->tok.n;
	if (p->stop) {
		p->tok = (struct ptx_token){.kind = PTX_TOK_END, .at = p->tok.at};
		return;
	}
	ptx_lex_next(&p->lex, &p->tok);
	if (p->tok.first && ptx_interrupted(p->m)) {
		p->stop = true;
		p->tok.kind = PTX_TOK_END;
	}
	if (p->tok.kind == PTX_TOK_BAD && (!p->skipping || p->tok.n > 1))
		ptx_parse_error(p, p->tok.at, "%s", p->tok.error);
}

void ptx_parse_error(struct ptx_parser *p, ptx_offset at, const char *fmt, ...)
{
	struct text message = {0};
	va_list ap;

	p->bad_insn = true;
	if (p->stop)
		return;
	va_start(ap, fmt);
	text_vaddf(&message, fmt, ap);
	va_end(ap);
	ptx_diag(p->m, DIAG_ERROR, at, "%s", text_str(&message));
	text_free(&message);
	if (++p->n_errors >= PTX_MAX_ERRORS) {
		ptx_diag(p->m, DIAG_NOTE, at, "%u errors; the rest of the file was not read", p->n_errors);
		p->stop = true;
		p->tok.kind = PTX_TOK_END;
	}
}

const char *ptx_parse_show(struct ptx_parser *p, struct ptx_slice s)
{
	struct text t = {0};

	for (uint32_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.s[i];

		if (i == 60) {
			text_add(&t, "...");
			break;
		}
		if (c >= ' ' && c < 127)
			text_addc(&t, (char)c);
		else
			text_addf(&t, "\\x%02x", c);
	}
	const char *r = pool_strn(&p->m->pool, text_str(&t), t.n);

	text_free(&t);
	return r;
}

struct ptx_slice ptx_parse_slice(const struct ptx_parser *p, const struct ptx_token *t)
{
	return (struct ptx_slice){p->m->text + t->at, t->n};
}

bool ptx_parse_unexpected(struct ptx_parser *p, const char *what)
{
	if (p->tok.kind == PTX_TOK_BAD) /* already reported */
		return false;
	if (p->tok.kind != PTX_TOK_END) {
		ptx_parse_error(p, p->tok.at, "expected %s, found '%s'", what,
				ptx_parse_show(p, ptx_parse_slice(p, &p->tok)));
		return false;
	}
	ptx_parse_error(p, p->tok.at, "expected %s, found the end of the file", what);
	p->stop = true;
	return false;
}

bool ptx_parse_accept(struct ptx_parser *p, unsigned kind)
{
	if (p->tok.kind != kind)
		return false;
	ptx_parse_advance(p);
	return true;
}

bool ptx_parse_expect(struct ptx_parser *p, unsigned kind, const char *what)
{
	if (ptx_parse_accept(p, kind))
		return true;
	return kind == ';' && ptx_parse_missing_semicolon(p) ? false : ptx_parse_unexpected(p, what);
}

bool ptx_parse_missing_semicolon(struct ptx_parser *p)
{
	const char *text = p->m->text;
	if (p->tok.kind == PTX_TOK_BAD || (p->tok.kind != '}' && !(p->tok.first && p->tok.kind != PTX_TOK_END)) || !p->prev_end)
		return false;
	ptx_offset from = p->prev_end;
	while (from && !strchr(" \t\r\n,;", text[from - 1]))
		from--;
	ptx_parse_error(p, p->prev_end, "missing ';' after '%s'", ptx_parse_show(p, (struct ptx_slice){text + from, p->prev_end - from}));
	return true;
}

/* A token that begins a line and can begin a statement: the one before probably just lacks its semicolon. After a comma or an
 * opening bracket it is the same statement, on several lines. */
static bool looks_like_statement(const struct ptx_parser *p)
{
	if (p->prev_end && strchr(",([{|+", p->m->text[p->prev_end - 1]))
		return false;
	return p->tok.first && (p->tok.kind == PTX_TOK_NAME || p->tok.kind == PTX_TOK_DIRECTIVE || p->tok.kind == '@');
}

static void skip_statement(struct ptx_parser *p)
{
	unsigned braces = p->open_braces;

	p->open_braces = 0;
	while (p->tok.kind != PTX_TOK_END) {
		if (p->tok.kind == ';') {
			ptx_parse_advance(p);
			return;
		}
		if (looks_like_statement(p))
			return;
		if (p->tok.kind == '}' && !braces--)
			return;
		if (p->tok.kind == '{')
			braces++;
		ptx_parse_advance(p);
	}
}

void ptx_parse_skip_statement(struct ptx_parser *p)
{
	p->skipping = true;
	skip_statement(p);
	p->skipping = false;
}

bool ptx_parse_u32(struct ptx_parser *p, uint32_t *v, const char *what)
{
	if (p->tok.kind != PTX_TOK_INT)
		return ptx_parse_unexpected(p, what);
	if (p->tok.bits > UINT32_MAX) { /* of more than 64 bits the low ones count, as ptxas has it */
		ptx_parse_error(p, p->tok.at, "%s is too big: at most 4294967295 fits here",
				ptx_parse_show(p, ptx_parse_slice(p, &p->tok)));
		return false;
	}
	*v = (uint32_t)p->tok.bits;
	ptx_parse_advance(p);
	return true;
}

uint32_t ptx_parse_line(struct ptx_parser *p, ptx_offset at)
{
	const struct ptx_module *m = p->m;

	if (m->line_start[p->line] > at)
		p->line = 0;
	while (p->line + 1 < m->n_lines && m->line_start[p->line + 1] <= at)
		p->line++;
	return p->line + 1;
}

/* ---- keywords ---- */

static const char *const keyword_text[KW_COUNT] = {
	"",
#define KEYWORD(id, name) name,
#include "ptx/keywords.def"
};

static unsigned keyword_slot(const char *s, uint32_t n)
{
	return ((uint8_t)s[1] * 5u + (uint8_t)s[n - 1] * 31u + n * 7u) & 255u;
}

void ptx_parse_keywords_init(struct ptx_parser *p)
{
	for (unsigned k = 1; k < KW_COUNT; k++) {
		unsigned i = keyword_slot(keyword_text[k], (uint32_t)strlen(keyword_text[k]));

		while (p->keyword_slots[i])
			i = (i + 1) & 255u;
		p->keyword_slots[i] = (uint8_t)k;
	}
}

enum ptx_keyword ptx_parse_keyword(const struct ptx_parser *p, const struct ptx_token *t)
{
	const char *s = p->m->text + t->at;

	if (t->kind != PTX_TOK_DIRECTIVE)
		return KW_NONE;
	for (unsigned i = keyword_slot(s, t->n); p->keyword_slots[i]; i = (i + 1) & 255u) {
		const char *word = keyword_text[p->keyword_slots[i]];

		if (strlen(word) == t->n && !memcmp(word, s, t->n))
			return (enum ptx_keyword)p->keyword_slots[i];
	}
	return KW_NONE;
}
