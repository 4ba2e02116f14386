/* Reads .section blocks of PTX: data directives whose values are numbers, labels of functions' code, sections and variables. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/die.h"
#include "debug/csource/dwarf_numbers.h"
#include "debug/view/inlined.h"

static const char *const section_names[DIE_SECTIONS] = {".debug_info", ".debug_abbrev", ".debug_loc", ".debug_str",
							".debug_ranges"};

struct scan {
	const char *at, *end;
};

static void skip_blanks(struct scan *s)
{
	while (s->at < s->end) {
		if (isspace((unsigned char)*s->at)) {
			s->at++;
		} else if (*s->at == '/' && s->end - s->at > 1 && s->at[1] == '/') {
			while (s->at < s->end && *s->at != '\n')
				s->at++;
		} else {
			return;
		}
	}
}

static bool take(struct scan *s, char c)
{
	skip_blanks(s);
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static size_t word(struct scan *s, const char **out)
{
	skip_blanks(s);
	*out = s->at;
	while (s->at < s->end && (isalnum((unsigned char)*s->at) || strchr("._$%", *s->at)))
		s->at++;
	return (size_t)(s->at - *out);
}

static bool is(const char *s, size_t n, const char *what) { return strlen(what) == n && !memcmp(s, what, n); }

int die_section_of(const char *s, size_t n)
{
	for (int i = 0; i < DIE_SECTIONS; i++)
		if (is(s, n, section_names[i]))
			return i;
	return -1;
}

/* ---- what a name in the data stands for ---- */

static void add_symbol(struct die_symbols *t, const char *name, struct die_symbol s)
{
	uint32_t known;
	size_t n = name ? strlen(name) : 0;
	if (!n || hash_map_get(&t->index, name, n, &known))
		return;
	t->symbols = xgrow(t->symbols, &t->cap_symbols, t->n_symbols + 1, sizeof *t->symbols);
	hash_map_put(&t->index, name, n, (uint32_t)t->n_symbols);
	t->symbols[t->n_symbols++] = s;
}

static void add_function(struct die_symbols *t, const struct isa_function *f)
{
	for (uint32_t i = 0; i < f->n_labels; i++)
		add_symbol(t, f->labels[i].name, (struct die_symbol){.kind = DIE_CODE, .value = f->labels[i].at});
	for (uint32_t i = 0; i < f->n_vars + f->n_params; i++) {
		const struct isa_variable *v = i < f->n_vars ? &f->vars[i] : &f->params[i - f->n_vars];
		add_symbol(t, v->name, (struct die_symbol){.kind = DIE_VARIABLE, .variable = v, .function = f});
	}
	add_symbol(t, f->name, (struct die_symbol){.kind = DIE_CODE, .value = f->first});
}

void die_symbols_make(struct die_symbols *t, const struct isa_program *p, uint32_t file)
{
	*t = (struct die_symbols){0};
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (p->functions[i]->is_defined && p->functions[i]->file == file)
			add_function(t, p->functions[i]);
	/* static variables of several files may have one name; what another file defines is meant by all */
	for (int others = 0; others < 2; others++)
		for (uint32_t i = p->n_variables; i-- > 0;) {
			const struct isa_variable *v = p->variables[i];
			if (!(v->flags & ISA_VAR_UNLOADED) && (v->file != file) == others &&
			    isa_program_module_of(p, v->file) == isa_program_module_of(p, file))
				add_symbol(t, v->name, (struct die_symbol){.kind = DIE_VARIABLE, .variable = v});
		}
}

void die_symbols_free(struct die_symbols *t)
{
	hash_map_free(&t->index);
	free(t->symbols);
}

bool die_symbols_find(const struct die_symbols *t, const char *s, size_t n, struct die_symbol *out)
{
	uint32_t i;
	if (!hash_map_get(&t->index, s, n, &i))
		return false;
	*out = t->symbols[i];
	out->number = i;
	return true;
}

/* ---- values ---- */

static bool number(struct scan *s, uint64_t *out)
{
	char digits[32], *end;
	size_t n = 0;
	skip_blanks(s);
	while (n + 1 < sizeof digits && s->at + n < s->end && (isalnum((unsigned char)s->at[n]) || s->at[n] == '-') &&
	       (!n || s->at[n] != '-')) {
		digits[n] = s->at[n];
		n++;
	}
	digits[n] = '\0';
	*out = strtoull(digits, &end, 0);
	if (end == digits)
		return false;
	s->at += n; /* with a U that may follow */
	return true;
}

static bool term(const struct die_names *names, struct scan *s, struct die_symbol *m)
{
	const char *name;
	skip_blanks(s);
	if (s->at < s->end && (isdigit((unsigned char)*s->at) || *s->at == '-')) {
		*m = (struct die_symbol){.kind = DIE_NUMBER};
		return number(s, &m->value);
	}
	size_t n = word(s, &name);
	return n && names->find(names->self, name, n, m);
}

/* NUMBER, NAME, NAME+NUMBER, NAME-NAME */
static bool value(const struct die_names *names, struct scan *s, struct die_symbol *m)
{
	struct die_symbol other;
	if (!term(names, s, m))
		return false;
	for (;;) {
		bool minus = take(s, '-');
		if (!minus && !take(s, '+'))
			return true;
		if (!term(names, s, &other))
			return false;
		m->value = minus ? m->value - other.value : m->value + other.value;
		if (minus && m->kind == DIE_CODE)
			m->kind = DIE_NUMBER;
	}
}

static bool data(const struct die_names *names, struct scan *s, unsigned bytes, struct text *out)
{
	struct die_symbol m;
	do {
		if (!value(names, s, &m))
			return false;
		if (m.kind == DIE_VARIABLE && bytes == 8 && out->n && (unsigned char)out->s[out->n - 1] == OP_ADDR) {
			struct text e = {0};
			names->place(names->self, &m, &e);
			out->n--;
			text_addn(out, e.s, 9);
			text_free(&e);
		} else {
			text_addn(out, (const char *)&m.value, bytes);
		}
	} while (take(s, ','));
	return true;
}

static bool string(struct scan *s, struct text *out)
{
	skip_blanks(s);
	if (s->at == s->end || *s->at++ != '"')
		return false;
	while (s->at < s->end && *s->at != '"')
		text_addc(out, *s->at++);
	return s->at++ < s->end;
}

/* The block after `.section NAME`; `out` NULL: it isn't wanted. */
static bool section(const struct die_names *names, struct scan *s, struct text *out)
{
	struct text dropped = {0};
	const char *name;
	bool ok = take(s, '{');
	while (ok && !take(s, '}')) {
		size_t n = word(s, &name);
		struct text *to = out ? out : &dropped;
		unsigned bytes = is(name, n, ".b8")    ? 1
				 : is(name, n, ".b16") ? 2
				 : is(name, n, ".b32") ? 4
				 : is(name, n, ".b64") ? 8
						       : 0;
		if (is(name, n, ".ascii") || is(name, n, ".string"))
			ok = string(s, to);
		else if (bytes)
			ok = data(names, s, bytes, to);
		else
			ok = n &&
			     take(s,
				  ':'); /* a label: its references come as offsets of the section in nvcc's and clang's PTX */
	}
	text_free(&dropped);
	return ok;
}

/* Where a file's `.section .debug_info` begins; NULL: there is none. */
static const char *first_section(const struct isa_file *f)
{
	return f->text ? memmem(f->text, f->n_text, ".section", 8) : NULL;
}

bool die_present(const struct isa_file *f)
{
	const char *s = first_section(f);
	return s && memmem(s, (size_t)(f->text + f->n_text - s), ".debug_info", 11) != NULL;
}

bool die_read_sections(const struct isa_file *f, const struct die_names *names, struct text bytes[DIE_SECTIONS])
{
	struct scan s = {first_section(f), f->text + f->n_text};
	while (s.at) {
		const char *name;
		s.at += 8;
		size_t n = word(&s, &name);
		int which = die_section_of(name, n);
		if (!section(names, &s, which >= 0 ? &bytes[which] : NULL))
			return false;
		s.at = memmem(s.at, (size_t)(s.end - s.at), ".section", 8);
	}
	return bytes[DIE_INFO].n && bytes[DIE_ABBREV].n;
}
