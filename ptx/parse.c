/* The parser's loop over a module: header directives, then declarations, functions and debug sections in any order. */
#include "ptx/dialect.h"
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

#define VERSION_MAX_MAJOR 9u
#define VERSION_MAX_MINOR 0u

/* ---- header ---- */

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
	if (p->m->dialect)
		p->m->is_plus = ptx_parse_accept(p, '+');
	return true;
}

static void parse_target_item(struct ptx_parser *p, struct ptx_slice s)
{
	if (ptx_slice_is(s, "debug"))
		p->m->target_debug = true;
	else if (ptx_slice_is(s, "map_f64_to_f32"))
		p->m->target_map_f64 = true;
	else if (ptx_slice_is(s, "texmode_independent"))
		p->m->texmode_independent = true;
	else if (!ptx_slice_is(s, "texmode_unified") && !ptx_parse_architecture(p, s))
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
	if (p->m->target_map_f64 && p->m->sm >= 13 && !p->m->dialect && !p->m->is_plus)
		ptx_parse_error(p, 0, "map_f64_to_f32 is for targets below sm_13");
}

/* ---- module ---- */

static bool parse_linked(struct ptx_parser *p, enum isa_linkage linkage)
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
	bool ok;

	if (p->m->dialect && p->m->dialect->item(p, &ok))
		return ok;
	switch (k) {
	case KW_EXTERN: return parse_linked(p, ISA_LINK_EXTERN);
	case KW_VISIBLE: return parse_linked(p, ISA_LINK_VISIBLE);
	case KW_WEAK: return parse_linked(p, ISA_LINK_WEAK);
	case KW_COMMON: return parse_linked(p, ISA_LINK_COMMON);
	case KW_ENTRY:
	case KW_FUNC: return ptx_parse_function(p, ISA_LINK_NONE);
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
		return ptx_parse_variables(p, ISA_LINK_NONE);
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
	ptx_parse_keywords_init(p);
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
