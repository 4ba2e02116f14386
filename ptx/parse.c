/* The parser's loop over a module: header directives, then declarations, functions and debug sections in any order. */
#include "ptx/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define VERSION_MAX_MAJOR 9u
#define VERSION_MAX_MINOR 0u

/* ---- tokens and errors ---- */

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
	return ptx_parse_accept(p, kind) || ptx_parse_unexpected(p, what);
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

static void keywords_init(struct ptx_parser *p)
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

/* ---- header ---- */

bool ptx_parse_version_at_least(const struct ptx_parser *p, unsigned major, unsigned minor)
{
	return p->m->version_major > major || (p->m->version_major == major && p->m->version_minor >= minor);
}

/* `.version MAJOR.MINOR`: the number reaches us as a decimal float. A later version of the last edition adds instructions; a file of it
 * mostly has none of them, and what it has is reported where it stands. */
static bool parse_version(struct ptx_parser *p)
{
	struct ptx_slice s = ptx_parse_slice(p, &p->tok);
	uint32_t i = 0, part[2] = {0, 0};
	bool dot = false;

	if (p->tok.kind != PTX_TOK_FLOAT)
		return ptx_parse_unexpected(p, "a version number like 8.0");
	for (; i < s.n && part[dot] < 1000; i++) {
		if (s.s[i] == '.' && !dot && i)
			dot = true;
		else if (s.s[i] >= '0' && s.s[i] <= '9')
			part[dot] = part[dot] * 10 + (uint32_t)(s.s[i] - '0');
		else
			break;
	}
	if (i < s.n || s.s[s.n - 1] == '.')
		return ptx_parse_unexpected(p, "a version number like 8.0");
	p->m->version_major = part[0];
	p->m->version_minor = part[1];
	if (part[0] < 1 || part[0] > VERSION_MAX_MAJOR)
		ptx_parse_error(p, p->tok.at, "unsupported .version %u.%u: expected 1.0 to %u.%u", part[0], part[1],
				VERSION_MAX_MAJOR, VERSION_MAX_MINOR);
	else if (part[0] == VERSION_MAX_MAJOR && part[1] > VERSION_MAX_MINOR)
		ptx_diag(p->m, DIAG_WARNING, p->tok.at, "PTX ISA %u.%u is newer than %u.%u, as which it is read", part[0], part[1],
			 VERSION_MAX_MAJOR, VERSION_MAX_MINOR);
	ptx_parse_advance(p);
	return true;
}

/* Architectures and the first PTX version that has them; `a` and `f` are the first versions with that suffix, 0: none. */
static const struct {
	uint8_t sm, version, a, f;
} architectures[] = {
	{10, 10, 0, 0},	   {11, 10, 0, 0},    {12, 12, 0, 0},	 {13, 12, 0, 0},    {20, 20, 0, 0},
	{21, 20, 0, 0},	   {30, 30, 0, 0},    {32, 40, 0, 0},	 {35, 31, 0, 0},    {37, 41, 0, 0},
	{50, 40, 0, 0},	   {52, 41, 0, 0},    {53, 42, 0, 0},	 {60, 50, 0, 0},    {61, 50, 0, 0},
	{62, 50, 0, 0},	   {70, 60, 0, 0},    {72, 61, 0, 0},	 {75, 63, 0, 0},    {80, 70, 0, 0},
	{86, 71, 0, 0},	   {87, 74, 0, 0},    {88, 73, 0, 0},	 {89, 78, 0, 0},    {90, 78, 80, 0},
	{100, 86, 86, 88}, {101, 86, 86, 88}, {103, 88, 88, 88}, {110, 90, 90, 90}, {120, 87, 87, 88},
	{121, 88, 88, 88},
};

/* sm_NN with an optional suffix, or compute_NN. Fills the number and the suffix; false if the text has another shape. */
static bool read_architecture(struct ptx_slice s, unsigned *sm, char *suffix)
{
	uint32_t i = s.n > 3 && !memcmp(s.s, "sm_", 3) ? 3 : 8, start = i;

	if (i == 8 && (s.n <= 8 || memcmp(s.s, "compute_", 8)))
		return false;
	for (*sm = 0; i < s.n && i < start + 4 && s.s[i] >= '0' && s.s[i] <= '9'; i++)
		*sm = *sm * 10 + (unsigned)(s.s[i] - '0');
	*suffix = i < s.n ? s.s[i] : '\0';
	return i > start && s.n - i <= 1;
}

static bool target_is_architecture(struct ptx_parser *p, struct ptx_slice s)
{
	unsigned sm;
	char suffix;

	if (!read_architecture(s, &sm, &suffix))
		return false;
	for (size_t k = 0; k < sizeof(architectures) / sizeof(*architectures); k++) {
		unsigned since = !suffix	 ? architectures[k].version
				 : suffix == 'a' ? architectures[k].a
				 : suffix == 'f' ? architectures[k].f
						 : 0;

		if (architectures[k].sm != sm || !since)
			continue;
		if (!ptx_parse_version_at_least(p, since / 10, since % 10))
			ptx_parse_error(p, p->tok.at, "%s needs .version %u.%u or later", ptx_parse_show(p, s),
					since / 10, since % 10);
		p->m->sm = sm;
		p->m->sm_suffix = suffix;
		return true;
	}
	return false;
}

static void parse_target_item(struct ptx_parser *p, struct ptx_slice s)
{
	if (ptx_slice_is(s, "debug"))
		p->m->target_debug = true;
	else if (ptx_slice_is(s, "map_f64_to_f32"))
		p->m->target_map_f64 = true;
	else if (ptx_slice_is(s, "texmode_independent"))
		p->m->texmode_independent = true;
	else if (!ptx_slice_is(s, "texmode_unified") && !target_is_architecture(p, s))
		ptx_parse_error(p, p->tok.at,
				"unknown target '%s': expected an architecture like sm_75, or debug, map_f64_to_f32, "
				"texmode_unified, "
				"texmode_independent",
				ptx_parse_show(p, s));
}

static bool parse_target(struct ptx_parser *p)
{
	ptx_offset at = p->tok.at;

	do {
		if (p->tok.kind != PTX_TOK_NAME)
			return ptx_parse_unexpected(p, "a target like sm_75");
		parse_target_item(p, ptx_parse_slice(p, &p->tok));
		ptx_parse_advance(p);
	} while (ptx_parse_accept(p, ','));
	if (!p->m->sm && !p->n_errors)
		ptx_parse_error(p, at, "no architecture in .target: expected one like sm_75");
	return true;
}

bool ptx_parse_inner_target(struct ptx_parser *p)
{
	const unsigned sm = p->m->sm;
	const char suffix = p->m->sm_suffix;
	const ptx_offset at = p->tok.at;

	ptx_parse_advance(p);
	bool ok = p->tok.kind == PTX_TOK_NAME && target_is_architecture(p, ptx_parse_slice(p, &p->tok)) &&
		  p->m->sm <= sm && (!p->m->sm_suffix || p->m->sm_suffix == suffix);

	p->m->sm = sm;
	p->m->sm_suffix = suffix;
	if (!ok)
		return ptx_parse_unexpected(p, "an architecture that is not above the file's .target");
	ptx_diag(p->m, DIAG_WARNING, at, ".target has no effect inside a function: ptxas ignores it, and so do we");
	ptx_parse_advance(p);
	return true;
}

static bool parse_address_size(struct ptx_parser *p)
{
	ptx_offset at = p->tok.at;
	uint32_t v;

	if (!ptx_parse_u32(p, &v, "32 or 64"))
		return false;
	if (v == 32 || v == 64)
		p->m->address_size = v;
	else
		ptx_parse_error(p, at, ".address_size %u: expected 32 or 64", v);
	return true;
}

/* .version, .target, .address_size stand at the start in this order; the last may be left out. */
static void parse_header(struct ptx_parser *p)
{
	p->m->address_size = 32;
	if (ptx_parse_keyword(p, &p->tok) != KW_VERSION) {
		ptx_parse_error(p, p->tok.at, "a PTX file begins with .version, like '.version 8.0'");
	} else {
		ptx_parse_advance(p);
		if (!parse_version(p))
			ptx_parse_skip_statement(p);
	}
	if (!p->m->version_major) {
		p->m->version_major = VERSION_MAX_MAJOR;
		p->m->version_minor = VERSION_MAX_MINOR;
	}
	if (ptx_parse_keyword(p, &p->tok) != KW_TARGET) {
		if (!p->n_errors)
			ptx_parse_error(p, p->tok.at, "expected .target after .version, like '.target sm_75'");
	} else {
		ptx_parse_advance(p);
		if (!parse_target(p))
			ptx_parse_skip_statement(p);
		while (ptx_parse_keyword(p, &p->tok) == KW_TARGET) {
			ptx_parse_advance(p);
			if (!parse_target(p))
				ptx_parse_skip_statement(p);
		}
	}
	if (ptx_parse_keyword(p, &p->tok) == KW_ADDRESS_SIZE) {
		if (!ptx_parse_version_at_least(p, 2, 3))
			ptx_parse_error(p, p->tok.at, ".address_size needs .version 2.3 or later");
		ptx_parse_advance(p);
		if (!parse_address_size(p))
			ptx_parse_skip_statement(p);
	}
	if (p->m->target_map_f64 && p->m->sm >= 13)
		ptx_parse_error(p, 0, "map_f64_to_f32 is for targets below sm_13");
}

/* ---- module ---- */

static bool parse_linked(struct ptx_parser *p, enum ptx_linkage linkage)
{
	ptx_parse_advance(p);
	enum ptx_keyword k = ptx_parse_keyword(p, &p->tok);

	if (k == KW_ENTRY || k == KW_FUNC)
		return ptx_parse_function(p, linkage);
	if (ptx_parse_is_space(k) || k == KW_ATTRIBUTE)
		return ptx_parse_variables(p, linkage);
	return ptx_parse_unexpected(p, "a state space, .entry or .func");
}

static bool misplaced_header(struct ptx_parser *p)
{
	ptx_parse_error(p, p->tok.at,
			"%s belongs at the start of the file, in the order .version, .target, .address_size, once each",
			ptx_parse_show(p, ptx_parse_slice(p, &p->tok)));
	return false;
}

static bool parse_module_item(struct ptx_parser *p)
{
	enum ptx_keyword k = ptx_parse_keyword(p, &p->tok);

	switch (k) {
	case KW_EXTERN: return parse_linked(p, PTX_LINK_EXTERN);
	case KW_VISIBLE: return parse_linked(p, PTX_LINK_VISIBLE);
	case KW_WEAK: return parse_linked(p, PTX_LINK_WEAK);
	case KW_COMMON: return parse_linked(p, PTX_LINK_COMMON);
	case KW_ENTRY:
	case KW_FUNC: return ptx_parse_function(p, PTX_LINK_NONE);
	case KW_ALIAS: return ptx_parse_alias(p);
	case KW_FILE: return ptx_parse_file(p);
	case KW_SECTION: return ptx_parse_section(p);
	case KW_PRAGMA: return ptx_parse_pragma(p, true);
	case KW_VERSION:
	case KW_TARGET:
	case KW_ADDRESS_SIZE: return misplaced_header(p);
	default: break;
	}
	if (ptx_parse_is_space(k) || k == KW_ATTRIBUTE)
		return ptx_parse_variables(p, PTX_LINK_NONE);
	if (p->tok.kind == '@')
		return ptx_parse_dwarf_line(p);
	return ptx_parse_unexpected(p, "a declaration, a function or the end of the file");
}

/* Past the end of a broken declaration: its `;`, or its body, or up to a directive at the start of a line. */
static void skip_module_item(struct ptx_parser *p)
{
	unsigned braces = p->open_braces;

	p->open_braces = 0;
	p->skipping = true;

	for (bool moved = false; p->tok.kind != PTX_TOK_END; moved = true) {
		if (!braces && moved && p->tok.first && p->tok.kind == PTX_TOK_DIRECTIVE)
			break;
		unsigned kind = p->tok.kind;

		braces += kind == '{';
		braces -= kind == '}' && braces;
		ptx_parse_advance(p);
		if (!braces && kind == '}')
			ptx_parse_accept(p, ';'); /* of an initialiser */
		if (!braces && (kind == ';' || kind == '}'))
			break;
	}
	p->skipping = false;
}

static void index_lines(struct ptx_module *m)
{
	const char *end = m->text + m->n_text;
	uint32_t n = 1;

	for (const char *q = m->text; q < end && (q = memchr(q, '\n', (size_t)(end - q))); q++)
		n++;
	m->line_start = POOL_ARRAY(&m->pool, uint32_t, n);
	m->n_lines = 1;
	for (const char *q = m->text; q < end && (q = memchr(q, '\n', (size_t)(end - q))); q++)
		m->line_start[m->n_lines++] = (uint32_t)(q + 1 - m->text);
}

/* Moves the tables collected on the way into the module and frees the parser's own memory. */
static void parser_finish(struct ptx_parser *p)
{
	struct ptx_module *m = p->m;

	ptx_parse_debug_names(p);
	m->locs = PTX_POOL_COPY(p, p->locs);
	m->n_locs = (uint32_t)p->locs.n;
	m->files = PTX_POOL_COPY(p, p->files);
	m->n_files = (uint32_t)p->files.n;
	m->sections = PTX_POOL_COPY(p, p->sections);
	m->n_sections = (uint32_t)p->sections.n;
	free(p->insns.v);
	free(p->ops.v);
	free(p->labels.v);
	free(p->scopes.v);
	free(p->fixups.v);
	free(p->locs.v);
	free(p->files.v);
	free(p->sections.v);
	free(p->loc_slots);
	free(p->numbered_list);
	hash_map_free(&p->pending);
	hash_map_free(&p->numbered);
	hash_map_free(&p->file_numbers);
	hash_map_free(&p->debug_labels);
}

bool ptx_parse(struct ptx_module *m)
{
	size_t first_message = m->diags->n;

	if (m->n_text > UINT32_MAX - 16) {
		diag_add(m->diags, DIAG_ERROR, m->file, 0, 0, NULL, 0, "the file is larger than 4 GB");
		return false;
	}
	struct ptx_parser *p = xcalloc(1, sizeof(*p));

	p->m = m;
	p->loc = UINT32_MAX;
	p->last_function = &m->functions;
	p->no_operands = POOL_NEW(&m->pool, struct ptx_operand);
	index_lines(m);
	m->scope = ptx_scope_new(m, NULL, NULL);
	p->scope = m->scope;
	keywords_init(p);
	ptx_lex_init(&p->lex, m->text, (uint32_t)m->n_text);
	ptx_parse_advance(p);
	parse_header(p);
	while (p->tok.kind != PTX_TOK_END) {
		uint32_t before = p->tok.at;

		if (!parse_module_item(p))
			skip_module_item(p);
		else if (p->tok.at == before && p->tok.kind != PTX_TOK_END)
			ptx_parse_advance(p);
	}
	parser_finish(p);
	bool ok = !p->n_errors;

	ptx_diag_sort(m->diags, first_message);
	free(p);
	return ok;
}
