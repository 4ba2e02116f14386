/* Reads .section blocks of PTX: data directives whose values are numbers, labels of functions' code, sections and variables. */
#include "gdbstub/dwarf_own.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gdbstub/bytes.h"

#define OP_ADDR 0x03u
#define OP_DEREF 0x06u
#define OP_PLUS_UCONST 0x23u
#define OP_BREG7 0x77u
#define OP_BREG12 0x7cu
#define OP_BREG14 0x7eu
#define OP_NOP 0x96u

static const char *const section_names[OWN_SECTIONS] = {".debug_info", ".debug_abbrev", ".debug_loc", ".debug_str",
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

static int section_of(const char *s, size_t n)
{
	for (int i = 0; i < OWN_SECTIONS; i++)
		if (is(s, n, section_names[i]))
			return i;
	return -1;
}

/* ---- what a name in the data stands for ---- */

struct meaning {
	enum { IS_NUMBER, IS_CODE, IS_VARIABLE } kind;
	uint64_t value;
	const struct isa_variable *variable;
	const struct isa_function *function; /* whose variable it is */
};

static bool in_function(const struct isa_function *f, const char *s, size_t n, const struct dwarf *w, struct meaning *m)
{
	for (uint32_t i = 0; i < f->n_labels; i++)
		if (is(s, n, f->labels[i].name)) {
			*m = (struct meaning){.kind = IS_CODE, .value = dwarf_address(w, f->labels[i].at)};
			return true;
		}
	for (uint32_t i = 0; i < f->n_vars + f->n_params; i++) {
		const struct isa_variable *v = i < f->n_vars ? &f->vars[i] : &f->params[i - f->n_vars];
		if (v->name && is(s, n, v->name)) {
			*m = (struct meaning){.kind = IS_VARIABLE, .variable = v, .function = f};
			return true;
		}
	}
	*m = (struct meaning){.kind = IS_CODE, .value = dwarf_address(w, f->first)};
	return is(s, n, f->name);
}

static bool look_up(const struct own *o, const char *s, size_t n, struct meaning *m)
{
	const struct isa_program *p = stub_program(o->w->s);
	int section = section_of(s, n);
	*m = (struct meaning){.kind = IS_NUMBER};
	if (section >= 0) {
		m->value = o->base[section];
		return true;
	}
	if (is(s, n, ".debug_line")) {
		m->value = o->lines;
		return true;
	}
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (p->functions[i]->is_defined && p->functions[i]->file == o->file && !p->functions[i]->unloaded &&
		    in_function(p->functions[i], s, n, o->w, m))
			return true;
	*m = (struct meaning){.kind = IS_NUMBER};
	/* static variables of several files may have one name; what another file defines is meant by all */
	for (uint32_t i = p->n_variables; i-- > 0;) {
		const struct isa_variable *v = p->variables[i];
		if (v->flags & ISA_VAR_UNLOADED || !is(s, n, v->name))
			continue;
		if (v->file == o->file || m->kind != IS_VARIABLE)
			*m = (struct meaning){.kind = IS_VARIABLE, .variable = v};
		if (v->file == o->file)
			break;
	}
	return true; /* or something that isn't here: address 0, which gdb takes for "nowhere" */
}

/* An expression that finds a variable, in the nine bytes of `DW_OP_addr SYMBOL`. */
static void variable_place(const struct own *o, const struct meaning *m, struct text *e)
{
	const struct isa_variable *v = m->variable;
	switch (v->space) {
	case ISA_SPACE_SHARED:
		put8(e, v->flags & ISA_VAR_DYNAMIC_SHARED ? OP_BREG14 : OP_BREG12);
		put_sleb(e, v->flags & ISA_VAR_DYNAMIC_SHARED ? 0 : (int64_t)v->address);
		break;
	case ISA_SPACE_LOCAL:
		put8(e, OP_BREG7);
		put_sleb(e, m->function ? view_layout(o->w->s, m->function)->local_slot : 0);
		put8(e, OP_DEREF);
		put8(e, OP_PLUS_UCONST);
		put_uleb(e, v->address);
		break;
	default:
		put8(e, OP_ADDR);
		put64(e, v->address - o->w->base +
				 (v->space == ISA_SPACE_PARAM	? EXEC_PARAM_WINDOW
				  : v->space == ISA_SPACE_CONST ? EXEC_CONST_WINDOW
								: 0));
	}
	while (e->n < 9)
		put8(e, OP_NOP);
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

static bool term(const struct own *o, struct scan *s, struct meaning *m)
{
	const char *name;
	skip_blanks(s);
	if (s->at < s->end && (isdigit((unsigned char)*s->at) || *s->at == '-')) {
		*m = (struct meaning){.kind = IS_NUMBER};
		return number(s, &m->value);
	}
	size_t n = word(s, &name);
	return n && look_up(o, name, n, m);
}

/* NUMBER, NAME, NAME+NUMBER, NAME-NAME */
static bool value(const struct own *o, struct scan *s, struct meaning *m)
{
	struct meaning other;
	if (!term(o, s, m))
		return false;
	for (;;) {
		bool minus = take(s, '-');
		if (!minus && !take(s, '+'))
			return true;
		if (!term(o, s, &other))
			return false;
		m->value = minus ? m->value - other.value : m->value + other.value;
		if (minus && m->kind == IS_CODE)
			m->kind = IS_NUMBER;
	}
}

static bool data(const struct own *o, struct scan *s, unsigned bytes, struct text *out)
{
	struct meaning m;
	do {
		if (!value(o, s, &m))
			return false;
		if (m.kind == IS_VARIABLE && bytes == 8 && out->n && (unsigned char)out->s[out->n - 1] == OP_ADDR) {
			struct text e = {0};
			variable_place(o, &m, &e);
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

/* The block behind `.section NAME`; `out` NULL: it isn't wanted. */
static bool section(const struct own *o, struct scan *s, struct text *out)
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
			ok = data(o, s, bytes, to);
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

bool own_present(const struct dwarf *w, uint32_t file)
{
	const struct isa_file *f = &stub_program(w->s)->files[file];
	const char *s = first_section(f);
	return s && memmem(s, (size_t)(f->text + f->n_text - s), ".debug_info", 11) != NULL;
}

static bool read_sections(struct own *o)
{
	const struct isa_file *f = &stub_program(o->w->s)->files[o->file];
	struct scan s = {first_section(f), f->text + f->n_text};
	while (s.at) {
		const char *name;
		s.at += 8;
		size_t n = word(&s, &name);
		int which = section_of(name, n);
		if (!section(o, &s, which >= 0 ? &o->bytes[which] : NULL))
			return false;
		s.at = memmem(s.at, (size_t)(s.end - s.at), ".section", 8);
	}
	return o->bytes[OWN_INFO].n && o->bytes[OWN_ABBREV].n;
}

bool own_add(struct dwarf *w, uint32_t file)
{
	struct text *to[OWN_SECTIONS] = {&w->info, &w->abbrev, &w->loc, &w->str, &w->ranges};
	struct own o = {.w = w, .file = file};
	size_t lines = w->line.n;
	o.lines = dwarf_lines(w, file, true);
	for (unsigned i = 0; i < OWN_SECTIONS; i++)
		o.base[i] = to[i]->n;
	bool ok = read_sections(&o) && own_walk(&o);
	for (unsigned i = 0; i < OWN_SECTIONS; i++) {
		if (ok)
			text_addn(to[i], text_str(&o.bytes[i]), o.bytes[i].n);
		text_free(&o.bytes[i]);
	}
	free(o.references);
	if (!ok)
		w->line.n = lines;
	return ok;
}
