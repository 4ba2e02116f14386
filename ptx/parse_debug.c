/* Debug information: .file, .loc with inlining, .section blocks, @@DWARF lines; and .pragma, which is read and dropped. */
#include "ptx/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* ---- .pragma, .file ---- */

/* Functions take any pragma, the module only the one that functions inherit (ptxas). */
static void check_pragma(struct ptx_parser *p, bool at_module)
{
	static const char *const inside[] = {"\"enable_smem_spilling", "\"frequency", "\"used_bytes_mask"};
	const struct ptx_slice s = ptx_parse_slice(p, &p->tok);

	if (p->tok.kind != PTX_TOK_STRING)
		return;
	for (size_t i = 0; i < sizeof(inside) / sizeof(*inside) && !p->fn; i++)
		if (s.n > strlen(inside[i]) && !memcmp(s.s, inside[i], strlen(inside[i]))) {
			ptx_parse_error(p, p->tok.at, "pragma %s belongs inside functions", ptx_parse_show(p, s));
			return;
		}
	if (at_module && !ptx_slice_is(s, "\"nounroll\""))
		ptx_parse_error(p, p->tok.at, "pragma %s is not known; expected \"nounroll\"", ptx_parse_show(p, s));
	if (s.n > 15 && !memcmp(s.s, "\"used_bytes_mask", 16) && !ptx_parse_version_at_least(p, 8, 3))
		ptx_parse_error(p, p->tok.at, "used_bytes_mask needs .version 8.3 or later");
}

bool ptx_parse_pragma(struct ptx_parser *p, bool at_module)
{
	if (!ptx_parse_version_at_least(p, 2, 0))
		ptx_parse_error(p, p->tok.at, ".pragma needs .version 2.0 or later");
	ptx_parse_advance(p);
	do {
		check_pragma(p, at_module);
		if (!ptx_parse_expect(p, PTX_TOK_STRING, "a string after .pragma"))
			return false;
	} while (ptx_parse_accept(p, ','));
	return ptx_parse_expect(p, ';', "';' after .pragma");
}

/* \ and three octal digits for a byte that isn't ASCII. */
static bool is_octal(const char *c, uint32_t n)
{
	return n > 3 && c[0] == '\\' && (c[1] == '2' || c[1] == '3') && c[2] >= '0' && c[2] <= '7' && c[3] >= '0' &&
	       c[3] <= '7';
}

/* A file's name as LLVM writes it (nvcc, clang): the bytes of UTF-8 in octal, a backslash twice. Those in a path of Windows become slashes:
 * so the last part of the name is found, here and by gdb. A single one is written by hand, and means itself. */
static struct ptx_slice file_name(struct ptx_parser *p, struct ptx_slice s)
{
	if (!memchr(s.s, '\\', s.n))
		return s;
	const bool is_windows = s.n > 2 && isalpha((unsigned char)s.s[0]) && s.s[1] == ':';
	char *out = pool_alloc(&p->m->pool, s.n);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s.n;) {
		const char *c = s.s + i;

		if (is_octal(c, s.n - i)) {
			out[n++] = (char)((c[1] - '0') * 64 + (c[2] - '0') * 8 + c[3] - '0');
			i += 4;
		} else {
			const bool is_twice = s.n - i > 1 && c[0] == '\\' && c[1] == '\\';

			out[n++] = is_twice && is_windows ? '/' : *c;
			i += is_twice ? 2 : 1;
		}
	}
	return (struct ptx_slice){out, n};
}

/* `.file N "name" {, time, size}` */
bool ptx_parse_file(struct ptx_parser *p)
{
	struct ptx_file_entry e;
	struct ptx_value v;

	ptx_parse_advance(p);
	struct ptx_token number = p->tok;

	if (!ptx_parse_u32(p, &e.number, "a file number"))
		return false;
	if (p->tok.kind != PTX_TOK_STRING)
		return ptx_parse_unexpected(p, "the file's name in quotes");
	e.name = file_name(p, (struct ptx_slice){p->m->text + p->tok.at + 1, p->tok.n - 2});
	ptx_parse_advance(p);
	for (unsigned i = 0; i < 2 && ptx_parse_accept(p, ','); i++)
		if (!ptx_parse_const_int(p, &v))
			return false;
	if (!hash_map_put(&p->file_numbers, p->m->text + number.at, number.n, (uint32_t)p->files.n))
		ptx_parse_error(p, number.at, "file number %u is already taken", e.number);
	PTX_GROW(p->files);
	p->files.v[p->files.n++] = e;
	return true;
}

/* ---- .loc ---- */

static uint32_t *loc_slot(struct ptx_parser *p, uint32_t file, uint32_t line, uint32_t col)
{
	uint64_t h = ((uint64_t)file * 0x9E3779B1u + line) * UINT64_C(0x9E3779B97F4A7C15) +
		     col * UINT64_C(0xBF58476D1CE4E5B9);
	uint32_t mask = p->n_loc_slots - 1;

	for (uint32_t i = (uint32_t)(h >> 32) & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &p->loc_slots[i];

		if (!*slot)
			return slot;
		const struct ptx_loc_entry *e = &p->locs.v[*slot - 1];

		if (e->file == file && e->line == line && e->col == col)
			return slot;
	}
}

static void grow_loc_slots(struct ptx_parser *p)
{
	p->n_loc_slots = p->n_loc_slots ? 2 * p->n_loc_slots : 64;
	free(p->loc_slots);
	p->loc_slots = xcalloc(p->n_loc_slots, sizeof(*p->loc_slots));
	for (size_t i = 0; i < p->locs.n; i++) {
		const struct ptx_loc_entry *e = &p->locs.v[i];

		*loc_slot(p, e->file, e->line, e->col) = (uint32_t)i + 1;
	}
}

static void add_loc(struct ptx_parser *p, const struct ptx_loc_entry *e)
{
	if (2 * p->locs.n >= p->n_loc_slots)
		grow_loc_slots(p);
	PTX_GROW(p->locs);
	p->locs.v[p->locs.n++] = *e;
	*loc_slot(p, e->file, e->line, e->col) = (uint32_t)p->locs.n;
	p->loc = (uint32_t)p->locs.n - 1;
}

static bool parse_place(struct ptx_parser *p, struct ptx_loc_entry *e)
{
	return ptx_parse_u32(p, &e->file, "a file number") && ptx_parse_u32(p, &e->line, "a line number") &&
	       ptx_parse_u32(p, &e->col, "a column number");
}

/* `function_name LABEL {+ N}`: the label's offset into .debug_str is applied at the end of the module; the sum is kept with
 * the name as LABEL+N until then. */
static bool parse_function_name(struct ptx_parser *p, struct ptx_loc_entry *e)
{
	uint32_t start = p->tok.at;
	struct ptx_value v;

	if (p->tok.kind != PTX_TOK_NAME && p->tok.kind != PTX_TOK_DIRECTIVE)
		return ptx_parse_unexpected(p, "a label in .debug_str");
	ptx_parse_advance(p);
	if (ptx_parse_accept(p, '+') && !ptx_parse_const_int(p, &v))
		return false;
	e->function = (struct ptx_slice){p->m->text + start, p->prev_end - start};
	return true;
}

static bool parse_inlined_at(struct ptx_parser *p, struct ptx_loc_entry *e)
{
	struct ptx_loc_entry at;
	ptx_offset start = p->tok.at;

	if (!parse_place(p, &at))
		return false;
	uint32_t slot = p->n_loc_slots ? *loc_slot(p, at.file, at.line, at.col) : 0;

	if (slot)
		e->inlined_at = slot - 1;
	else
		ptx_parse_error(p, start, "no .loc before names %u %u %u, where inlined_at says this one was inlined",
				at.file, at.line, at.col);
	return true;
}

/* `function_name LABEL {+ N}, inlined_at FILE LINE COLUMN` */
static bool parse_inlining(struct ptx_parser *p, struct ptx_loc_entry *e)
{
	if (!ptx_slice_is(ptx_parse_slice(p, &p->tok), "function_name"))
		return ptx_parse_unexpected(p, "function_name");
	if (!ptx_parse_version_at_least(p, 7, 0))
		ptx_parse_error(p, p->tok.at, "line information of inlined functions needs .version 7.0 or later");
	ptx_parse_advance(p);
	if (!parse_function_name(p, e) || !ptx_parse_expect(p, ',', "',' and inlined_at"))
		return false;
	if (!ptx_slice_is(ptx_parse_slice(p, &p->tok), "inlined_at"))
		return ptx_parse_unexpected(p, "inlined_at");
	ptx_parse_advance(p);
	return parse_inlined_at(p, e);
}

/* `.loc FILE LINE COLUMN {, function_name LABEL {+ N}, inlined_at FILE LINE COLUMN}` */
bool ptx_parse_loc(struct ptx_parser *p)
{
	struct ptx_loc_entry e = {.inlined_at = UINT32_MAX};

	ptx_parse_advance(p);
	if (!parse_place(p, &e))
		return false;
	if (ptx_parse_accept(p, ',') && !parse_inlining(p, &e))
		return false;
	add_loc(p, &e);
	return true;
}

/* ---- .section ---- */

struct bytes {
	char *v;
	size_t n, cap;
};

static void add_bytes(struct bytes *out, uint64_t value, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		PTX_GROW(*out);
		out->v[out->n++] = (char)(uint8_t)(value >> 8 * i);
	}
}

/* Names with a meaning of their own are no labels. */
static bool is_no_label(const struct ptx_parser *p)
{
	const struct ptx_slice s = ptx_parse_slice(p, &p->tok);

	return p->tok.kind == PTX_TOK_NAME && (ptx_slice_is(s, "_") || ptx_slice_is(s, "WARP_SZ"));
}

/* One value of a section: a number, a label or section name with + N or - LABEL. */
static bool parse_section_value(struct ptx_parser *p, struct bytes *out, unsigned bytes)
{
	struct ptx_value v = {0};
	ptx_offset at = p->tok.at;

	if (is_no_label(p))
		return ptx_parse_unexpected(p, "a number or a label");
	if (p->tok.kind == PTX_TOK_NAME || p->tok.kind == PTX_TOK_DIRECTIVE) {
		ptx_parse_advance(p);
		if (p->tok.kind == '+' || p->tok.kind == '-') {
			ptx_parse_advance(p);
			if (is_no_label(p))
				return ptx_parse_unexpected(p, "a number or a label");
			if (!ptx_parse_accept(p, PTX_TOK_NAME) && !ptx_parse_const_int(p, &v))
				return false;
			if (p->tok.kind == ',')
				return ptx_parse_unexpected(p, "the end of the value: what is computed stands alone");
		}
		v.bits = 0;
	} else if (!ptx_parse_const_int(p, &v)) {
		return false;
	}
	if (bytes == 1 && (v.kind == PTX_VALUE_U64 ? v.bits > UINT8_MAX : (int64_t)v.bits > UINT8_MAX))
		ptx_parse_error(p, at, "a .b8 value of a section lies in 0..255");
	if (out)
		add_bytes(out, v.bits, bytes);
	return true;
}

static bool parse_section_line(struct ptx_parser *p, struct bytes *out)
{
	struct ptx_slice s = ptx_parse_slice(p, &p->tok);
	static const struct {
		const char *directive;
		unsigned bytes;
	} sizes[] = {{".b8", 1}, {".b16", 2}, {".b32", 4}, {".b64", 8}};
	unsigned bytes = 0;

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		bytes = ptx_slice_is(s, sizes[k].directive) ? sizes[k].bytes : bytes;

	if (p->tok.kind == PTX_TOK_NAME && !is_no_label(p)) {
		ptx_parse_advance(p);
		if (out)
			hash_map_put(&p->debug_labels, s.s, s.n, (uint32_t)out->n);
		return ptx_parse_expect(p, ':', "':' after the label");
	}
	if (!bytes)
		return ptx_parse_unexpected(p, "a label, .b8, .b16, .b32, .b64 or '}' in the section");
	ptx_parse_advance(p);
	do {
		if (!parse_section_value(p, out, bytes))
			return false;
	} while (ptx_parse_accept(p, ','));
	return true;
}

/* `.section NAME { ... }`; the text of .debug_str is kept for the names in .loc. */
bool ptx_parse_section(struct ptx_parser *p)
{
	struct ptx_section sec;
	struct bytes bytes = {0}, *out = NULL;

	ptx_parse_advance(p);
	if (p->tok.kind != PTX_TOK_DIRECTIVE)
		return ptx_parse_unexpected(p, "a section's name like .debug_info");
	sec.name = ptx_parse_slice(p, &p->tok);
	if (ptx_slice_is(sec.name, ".debug_str") && !p->debug_str.s)
		out = &bytes;
	ptx_parse_advance(p);
	sec.at = p->tok.at + 1;
	if (!ptx_parse_expect(p, '{', "'{' after the section's name"))
		return false;
	bool ok = true;

	p->open_braces++;
	while (ok && p->tok.kind != '}')
		ok = parse_section_line(p, out);
	if (out && bytes.n)
		p->debug_str = (struct ptx_slice){pool_dup(&p->m->pool, bytes.v, bytes.n), (uint32_t)bytes.n};
	free(bytes.v);
	if (!ok)
		return false;
	p->open_braces--;
	sec.end = p->tok.at;
	ptx_parse_advance(p);
	PTX_GROW(p->sections);
	p->sections.v[p->sections.n++] = sec;
	return true;
}

/* ---- @@DWARF ---- */

/* A number up to `most`, or a label's name, or a difference or sum of these. */
static bool dwarf_value(const char **s, const char *end, uint64_t most, bool labels)
{
	const char *from = *s;

	while (*s < end && (**s == '+' || **s == '-' || **s == '$' || **s == '_' || **s == '.' || **s == '%' ||
			    isalnum((unsigned char)**s)))
		++*s;
	if (*s == from)
		return false;
	if (!isdigit((unsigned char)*from))
		return labels && *from != '+' && *from != '-';
	char *stop, *copy = xstrndup(from, (size_t)(*s - from));
	unsigned long long v = strtoull(copy, &stop, 0);
	bool ok = !*stop && v <= most;

	free(copy);
	return ok;
}

static bool dwarf_blank(const char **s, const char *end)
{
	while (*s < end && (**s == ' ' || **s == '\t' || **s == '\r'))
		++*s;
	return *s < end;
}

/* `.byte 0x1, 0x2` and the like */
static bool dwarf_values(const char *s, const char *end, uint64_t most, bool labels)
{
	do {
		if (!dwarf_blank(&s, end) || !dwarf_value(&s, end, most, labels))
			return false;
	} while (dwarf_blank(&s, end) && *s++ == ',');
	return s == end;
}

/* `.section NAME, "FLAGS", @progbits` */
static bool dwarf_section(const char *s, const char *end)
{
	const char *comma = memchr(s, ',', (size_t)(end - s)), *quote = NULL;

	if (comma && dwarf_blank(&s, end) && *s == '.' && ++comma && dwarf_blank(&comma, end) && *comma == '"')
		quote = memchr(comma + 1, '"', (size_t)(end - comma - 1));
	if (!quote || !dwarf_blank(&s, end))
		return false;
	quote++;
	return dwarf_blank(&quote, end) && *quote++ == ',' && dwarf_blank(&quote, end) && end - quote >= 9 &&
	       !memcmp(quote, "@progbits", 9);
}

/* One line of assembler: a section, or data of one of four sizes. */
static bool dwarf_line(const char *s, const char *end)
{
	static const struct {
		const char *name;
		uint64_t most;
	} sizes[] = {{".byte", UINT8_MAX},  {".4byte", UINT64_MAX}, {".quad", UINT64_MAX}, {".b8", UINT8_MAX},
		     {".b16", UINT64_MAX}, {".b32", UINT64_MAX},   {".b64", UINT64_MAX}};

	if (!dwarf_blank(&s, end))
		return false;
	for (size_t n, i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		n = strlen(sizes[i].name);
		if ((size_t)(end - s) > n && !memcmp(s, sizes[i].name, n) && (s[n] == ' ' || s[n] == '\t'))
			return dwarf_values(s + n, end, sizes[i].most, sizes[i].most != UINT8_MAX);
	}
	return end - s > 9 && !memcmp(s, ".section", 8) && dwarf_section(s + 8, end);
}

/* `@@DWARF ...`: debug information of PTX 1.x, a line of assembler each; read over. */
bool ptx_parse_dwarf_line(struct ptx_parser *p)
{
	uint32_t line = ptx_parse_line(p, p->tok.at);
	ptx_offset at = p->tok.at;

	ptx_parse_advance(p);
	if (p->tok.kind != '@')
		return ptx_parse_unexpected(p, "a declaration, a function or the end of the file");
	ptx_parse_advance(p);
	if (!ptx_slice_is(ptx_parse_slice(p, &p->tok), "DWARF"))
		return ptx_parse_unexpected(p, "DWARF after '@@'");
	if (ptx_parse_version_at_least(p, 2, 0))
		ptx_parse_error(p, at, "@@DWARF is gone since PTX 2.0: expected .section");
	ptx_offset from = p->tok.at + p->tok.n;
	const char *eol = memchr(p->m->text + from, '\n', p->m->n_text - from);

	if (!dwarf_line(p->m->text + from, eol ? eol : p->m->text + p->m->n_text))
		ptx_parse_error(p, at, "expected @@DWARF .section NAME, \"\", @progbits or .byte, .4byte, .quad and values");
	p->lex.pos = line < p->m->n_lines ? p->m->line_start[line] : p->lex.n;
	ptx_parse_advance(p);
	p->tok.first = true;
	return true;
}

/* ---- names of inlined functions ---- */

static struct ptx_slice debug_name(const struct ptx_parser *p, struct ptx_slice written)
{
	uint32_t n = 0, offset, add = 0;

	while (n < written.n && written.s[n] != '+' && written.s[n] != ' ' && written.s[n] != '\t')
		n++;
	if (!hash_map_get(&p->debug_labels, written.s, n, &offset))
		return written;
	while (n < written.n && (written.s[n] < '0' || written.s[n] > '9'))
		n++;
	for (; n < written.n && written.s[n] >= '0' && written.s[n] <= '9' && add < p->debug_str.n; n++)
		add = add * 10 + (uint32_t)(written.s[n] - '0');
	if (offset >= p->debug_str.n || add >= p->debug_str.n - offset)
		return written;
	const char *s = p->debug_str.s + offset + add;

	return (struct ptx_slice){s, (uint32_t)strnlen(s, p->debug_str.n - offset - add)};
}

void ptx_parse_debug_names(struct ptx_parser *p)
{
	for (size_t i = 0; p->debug_str.n && i < p->locs.n; i++)
		if (p->locs.v[i].function.n)
			p->locs.v[i].function = debug_name(p, p->locs.v[i].function);
}
