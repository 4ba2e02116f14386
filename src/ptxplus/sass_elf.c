/* Reads what cuobjdump -elf prints: symbols, constant banks, local memory, the addresses of global variables. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ptxplus/sass.h"

struct elf_reader {
	const struct sass_source *source;
	struct sass_elf *out;
	struct diag_list *diags;
	const char *s, *end; /* of the line at hand */
	const char *next;
	uint32_t line;
	bool ok;
};

static bool next_line(struct elf_reader *r)
{
	const char *const end = r->source->elf + r->source->n_elf;
	if (r->next >= end)
		return false;
	const char *stop = memchr(r->next, '\n', (size_t)(end - r->next));
	r->s = r->next;
	r->end = stop ? stop : end;
	r->next = stop ? stop + 1 : end;
	r->line++;
	return true;
}

static struct ptx_slice word(struct elf_reader *r)
{
	while (r->s < r->end && isspace((unsigned char)*r->s))
		r->s++;
	const char *from = r->s;
	while (r->s < r->end && !isspace((unsigned char)*r->s))
		r->s++;
	return (struct ptx_slice){from, (uint32_t)(r->s - from)};
}

static bool begins_with(const struct elf_reader *r, const char *text)
{
	return (size_t)(r->end - r->s) >= strlen(text) && !memcmp(r->s, text, strlen(text));
}

static bool is_blank_line(const struct elf_reader *r)
{
	for (const char *q = r->s; q < r->end; q++)
		if (!isspace((unsigned char)*q))
			return false;
	return true;
}

static bool number(struct ptx_slice s, uint32_t *v)
{
	char copy[24];
	char *stop;
	if (!s.n || s.n >= sizeof copy)
		return false;
	memcpy(copy, s.s, s.n);
	copy[s.n] = '\0';
	const unsigned long long value = strtoull(copy, &stop, 0);
	*v = (uint32_t)value;
	return !*stop && value <= UINT32_MAX;
}

static const char *keep(struct elf_reader *r, struct ptx_slice s) { return pool_strn(&r->out->pool, s.s, s.n); }

static void fail(struct elf_reader *r, const char *what)
{
	if (r->ok)
		diag_add(r->diags, DIAG_ERROR, r->source->elf_name, r->line, 1, NULL, 0, "%s", what);
	r->ok = false;
}

/* index value size info other shndx name */
static void symbol_line(struct elf_reader *r)
{
	uint32_t v[6];
	for (unsigned k = 0; k < 6; k++)
		if (!number(word(r), &v[k])) {
			fail(r, "expected a symbol: index, value, size, info, other, section and name");
			return;
		}
	const struct ptx_slice name = word(r);
	bool hex = name.n != 0;
	for (uint32_t k = 0; k < name.n; k++)
		hex = hex && isxdigit((unsigned char)name.s[k]);
	if (hex && r->source->exact) {
		fail(r, "3.2.2 takes a name of hexadecimal digits for a number");
		return;
	}
	struct sass_elf *e = r->out;
	e->symbols = xgrow(e->symbols, &e->cap_symbols, e->n_symbols + 1, sizeof *e->symbols);
	e->symbols[e->n_symbols++] = (struct sass_symbol){keep(r, name), v[1], v[2], v[3], v[5]};
	if (name.n >= 10 && !memcmp(name.s, ".nv.global", 10))
		e->global_section = v[5];
}

static void symbol_table(struct elf_reader *r)
{
	next_line(r); /* the heading */
	while (r->ok && next_line(r) && !is_blank_line(r))
		symbol_line(r);
}

/* Words of a constant bank, up to a line without one. */
static void constant(struct elf_reader *r, const char *kernel)
{
	struct sass_elf *e = r->out;
	e->constants = xgrow(e->constants, &e->cap_constants, e->n_constants + 1, sizeof *e->constants);
	struct sass_constant *c = &e->constants[e->n_constants++];
	*c = (struct sass_constant){.kernel = kernel};
	while (next_line(r) && !is_blank_line(r)) {
		for (struct ptx_slice s = word(r); s.n; s = word(r)) {
			uint32_t v;
			if (!number(s, &v)) {
				fail(r, "expected words of constant memory like 0x00000001");
				return;
			}
			c->words = xgrow(c->words, &c->cap, c->n + 1, sizeof *c->words);
			c->words[c->n++] = v;
		}
	}
}

static void relocations(struct elf_reader *r)
{
	struct sass_elf *e = r->out;
	while (next_line(r) && !is_blank_line(r)) {
		uint32_t offset;
		const struct ptx_slice first = word(r), name = word(r);
		if (!number(first, &offset) || !name.n)
			continue; /* a heading */
		e->relocations = xgrow(e->relocations, &e->cap_relocations, e->n_relocations + 1, sizeof *e->relocations);
		e->relocations[e->n_relocations] = (struct sass_relocation){offset, (uint32_t)e->n_relocations, keep(r, name)};
		e->n_relocations++;
	}
}

static int compare_relocations(const void *a, const void *b)
{
	const struct sass_relocation *x = a, *y = b;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

const char *sass_elf_symbol(const struct sass_elf *e, uint32_t offset)
{
	size_t first = 0, end = e->n_relocations;
	while (first < end) {
		const size_t middle = first + (end - first) / 2;
		if (e->relocations[middle].offset < offset)
			first = middle + 1;
		else
			end = middle;
	}
	return first < e->n_relocations && e->relocations[first].offset == offset ? e->relocations[first].symbol : NULL;
}

static void section(struct elf_reader *r)
{
	static const char bank0[] = ".nv.constant0", bank1[] = ".nv.constant1.";
	if (begins_with(r, ".section"))
		word(r);
	while (r->s < r->end && (*r->s == ' ' || *r->s == '\t'))
		r->s++;
	if (begins_with(r, ".symtab")) {
		symbol_table(r);
	} else if (begins_with(r, bank1)) {
		const struct ptx_slice s = word(r);
		constant(r, keep(r, (struct ptx_slice){s.s + sizeof bank1 - 1, s.n - (uint32_t)sizeof bank1 + 1}));
	} else if (begins_with(r, bank0)) {
		constant(r, NULL);
	} else if (begins_with(r, ".nv.local")) {
		r->out->n_locals++;
	} else if (begins_with(r, ".rel.nv.constant14")) {
		relocations(r);
	}
}

bool sass_elf_read(const struct sass_source *s, struct sass_elf *out, struct diag_list *diags)
{
	struct elf_reader r = {.source = s, .out = out, .diags = diags, .next = s->elf, .ok = true};
	out->global_section = UINT32_MAX;
	while (r.ok && next_line(&r))
		section(&r);
	if (out->n_relocations)
		qsort(out->relocations, out->n_relocations, sizeof *out->relocations, compare_relocations);
	if (r.ok && !out->n_symbols)
		fail(&r, "no table of symbols (.section .symtab) was found");
	return r.ok;
}

void sass_elf_free(struct sass_elf *e)
{
	for (size_t k = 0; k < e->n_constants; k++)
		free(e->constants[k].words);
	free(e->constants);
	free(e->symbols);
	free(e->relocations);
	pool_free(&e->pool);
	*e = (struct sass_elf){0};
}
