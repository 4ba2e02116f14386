/* The table of forms and its two pattern languages: modifiers and operands. */
#include "ptx/forms.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FORM(ptx, sm, modifiers, operands) {ptx, sm, 0, 0, false, modifiers, operands},
#define OLD(ptx, sm, last_ptx, last_sm, modifiers, operands) {ptx, sm, last_ptx, last_sm, false, modifiers, operands},
#define SPECIFIC(ptx, sm, modifiers, operands) {ptx, sm, 0, 0, true, modifiers, operands},
const struct ptx_form ptx_forms[] = {
#include "ptx/forms_alu.def"
#include "ptx/forms_memory.def"
#include "ptx/forms_control.def"
#include "ptx/forms_texture.def"
#include "ptx/forms_tensor.def"
#include "ptx/forms_later.def"
};
#undef FORM
#undef OLD
#undef SPECIFIC
const unsigned ptx_form_count = sizeof(ptx_forms) / sizeof(*ptx_forms);

struct form_set {
	const char *name, *members;
};

static const struct form_set form_sets[] = {
#define SET(name, members) {#name, members},
#include "ptx/forms_sets.def"
};

static const char *find_set(const char *s, size_t n)
{
	for (size_t i = 0; i < sizeof(form_sets) / sizeof(*form_sets); i++)
		if (strlen(form_sets[i].name) == n && !memcmp(form_sets[i].name, s, n))
			return form_sets[i].members;
	assert(false && "forms: unknown set");
	return "";
}

/* ---- modifiers ---------------------------------------------------------------------------------------------------- */

bool ptx_form_is_type(const char *s, unsigned n)
{
	static const char *const others[] = {"u2",   "s2",    "u4",    "s4",	"b1",	     "e2m1",	  "e3m2",
					     "e2m3", "ue8m0", "ue4m3", "b8x16", "b6x16_p32", "b4x16_p64", "b1024"};

	if (isa_type_find(s, n))
		return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (strlen(others[i]) == n && !memcmp(others[i], s, n))
			return true;
	return false;
}

bool ptx_form_is_for(const struct ptx_form *f, const char *mnemonic, unsigned n)
{
	const char *p = f->modifiers;

	for (;;) {
		size_t k = strcspn(p, "|.{");

		if (k == n && !memcmp(p, mnemonic, n))
			return true;
		if (p[k] != '|')
			return false;
		p += k + 1;
	}
}

bool ptx_form_next_group(const struct ptx_form *f, const char **at, struct ptx_form_group *g)
{
	const char *p = *at ? *at : f->modifiers + strcspn(f->modifiers, ".{");
	struct ptx_form_words it;
	struct ptx_form_word w;

	if (!*p)
		return false;
	g->optional = *p == '{';
	p += g->optional;
	assert(*p == '.');
	p++;
	g->any = *p == '*';
	p += g->any;
	g->s = p;
	p += strcspn(p, ".{}");
	g->end = p;
	*at = p + (*p == '}');
	ptx_form_words_init(&it, g);
	g->is_type = !g->any && ptx_form_next_word(&it, &w) && ptx_form_is_type(w.s, w.n);
	return true;
}

void ptx_form_words_init(struct ptx_form_words *it, const struct ptx_form_group *g)
{
	*it = (struct ptx_form_words){.p = g->s, .end = g->end};
}

/* Takes one word off a list: "name@PTX/SM|..." */
static void take_word(const char **p, const char *end, struct ptx_form_word *w)
{
	const char *s = *p;
	const char *stop = memchr(s, '|', (size_t)(end - s));
	const char *at;

	if (!stop)
		stop = end;
	*p = stop < end ? stop + 1 : end;
	at = memchr(s, '@', (size_t)(stop - s));
	*w = (struct ptx_form_word){.s = s, .n = (unsigned)((at ? at : stop) - s)};
	if (at) {
		char *rest;

		w->ptx = (unsigned)strtoul(at + 1, &rest, 10);
		w->sm = *rest == '/' ? (unsigned)strtoul(rest + 1, NULL, 10) : 0;
	}
}

bool ptx_form_next_word(struct ptx_form_words *it, struct ptx_form_word *w)
{
	if (it->sp && it->sp < it->send) {
		take_word(&it->sp, it->send, w);
		return true;
	}
	if (it->p >= it->end)
		return false;
	take_word(&it->p, it->end, w);
	if (*w->s != '$' || w->n < 2)
		return true;
	it->sp = find_set(w->s + 1, w->n - 1);
	it->send = it->sp + strlen(it->sp);
	return ptx_form_next_word(it, w);
}

bool ptx_form_word_is(const struct ptx_form_word *w, const char *s, unsigned n)
{
	unsigned i = 0;

	for (unsigned k = 0; k < w->n; k++) {
		if (w->s[k] != '#') {
			if (i >= n || s[i++] != w->s[k])
				return false;
			continue;
		}
		if (i >= n || !isdigit((unsigned char)s[i]))
			return false;
		while (i < n && isdigit((unsigned char)s[i]))
			i++;
	}
	return i == n;
}

/* ---- operands ----------------------------------------------------------------------------------------------------- */

static uint8_t wide_type(uint8_t type)
{
	switch (type) {
	case ISA_U16: return ISA_U32;
	case ISA_S16: return ISA_S32;
	case ISA_U32: return ISA_U64;
	case ISA_S32: return ISA_S64;
	default: return type;
	}
}

struct rule_context {
	const char *p;
	const uint8_t *types;
	unsigned n_types, address_size;
};

static uint8_t parse_type(struct rule_context *c)
{
	size_t n = strspn(c->p, "abcdefghijklmnopqrstuvwxyz0123456789");
	const char *s = c->p;

	c->p += n;
	if (n == 1 && isdigit((unsigned char)*s))
		return (unsigned)(*s - '0') < c->n_types ? c->types[*s - '0'] : (uint8_t)ISA_NOTYPE;
	if (n == 1 && *s == 'w')
		return wide_type(c->types[0]);
	if (n == 3 && !memcmp(s, "ptr", 3))
		return c->address_size == 64 ? ISA_B64 : ISA_B32;
	return (uint8_t)isa_type_find(s, (unsigned)n);
}

static enum ptx_rule_kind rule_kind(char c)
{
	switch (c) {
	case 'd': return PTX_RULE_DST;
	case 'r': return PTX_RULE_REG;
	case 'i': return PTX_RULE_IMM;
	case 'p': return PTX_RULE_PRED_DST;
	case 'q': return PTX_RULE_PRED;
	case 'v': return PTX_RULE_DATA_DST;
	case 'V': return PTX_RULE_DATA_SRC;
	case 'l': return PTX_RULE_LABEL;
	case 't': return PTX_RULE_TARGETS;
	case 'x': return PTX_RULE_VIDEO_DST;
	case 'y': return PTX_RULE_VIDEO_SRC;
	case 'z': return PTX_RULE_SIMD_SRC;
	case '*': return PTX_RULE_ANY;
	default: return PTX_RULE_SRC;
	}
}

/* The marks after an operand's letter. */
static void parse_marks(struct rule_context *c, struct ptx_rule *r)
{
	for (;; c->p++) {
		switch (*c->p) {
		case '~': r->flags |= PTX_RULE_WIDER; break;
		case '&': r->flags |= PTX_RULE_SYMBOL; break;
		case '_': r->flags |= PTX_RULE_SINK; break;
		case '%': r->flags |= PTX_RULE_WARPS; break;
		case ':':
			c->p++;
			r->flags |= *c->p > '9' && *c->p != 'w' ? PTX_RULE_FIXED : 0;
			r->type = parse_type(c);
			c->p--;
			break;
		case '|':
			r->flags |= PTX_RULE_PAIR;
			c->p++;
			break;
		case '<': {
			char *rest;

			r->flags |= PTX_RULE_RANGE;
			r->low = (int32_t)strtol(c->p + 1, &rest, 10);
			r->high = (int32_t)strtol(rest + 1, &rest, 10);
			c->p = rest; /* at > */
			break;
		}
		case '{':
			if (c->p[1] != '|')
				return;
			r->flags |= PTX_RULE_MAY_PAIR;
			c->p += 3;
			break;
		default: return;
		}
	}
}

static void parse_rule(struct rule_context *c, struct ptx_rule *r)
{
	*r = (struct ptx_rule){.type = c->n_types ? c->types[0] : (uint8_t)ISA_NOTYPE};
	if (*c->p == '!' || *c->p == '-') {
		r->flags |= PTX_RULE_NEG;
		c->p++;
	}
	if (*c->p == '[') {
		r->kind = PTX_RULE_ADDRESS;
		c->p += 3;
		return;
	}
	if (*c->p == '{') { /* {a:1,b:1,...}: elements of one type */
		c->p++;
		parse_rule(c, r);
		r->kind = PTX_RULE_VECTOR;
		r->n = 1;
		for (; *c->p != '}'; c->p++)
			r->n = (uint8_t)(r->n + (*c->p == ','));
		c->p++;
		return;
	}
	r->kind = (uint8_t)rule_kind(*c->p);
	if (r->kind == PTX_RULE_PRED_DST || r->kind == PTX_RULE_PRED)
		r->type = ISA_PRED;
	if (*c->p == 'e' && !strncmp(c->p, "e:u64", 5))
		r->flags |= PTX_RULE_POLICY;
	c->p++;
	parse_marks(c, r);
}

unsigned ptx_form_rules(const struct ptx_form *f, const uint8_t *types, unsigned n_types, unsigned address_size,
			bool has_policy, struct ptx_rule *out)
{
	struct rule_context c = {f->operands, types, n_types, address_size};
	bool optional = false;
	unsigned n = 0;

	if (!strcmp(f->operands, "mov") || !strcmp(f->operands, "call")) {
		out[0] = (struct ptx_rule){.kind = *c.p == 'm' ? PTX_RULE_MOV : PTX_RULE_CALL,
					   .type = n_types ? types[0] : 0};
		return 1;
	}
	while (*c.p) {
		assert(n < PTX_MAX_RULES);
		parse_rule(&c, &out[n]);
		if (optional && !(out[n].flags & PTX_RULE_POLICY))
			out[n].flags |= PTX_RULE_OPTIONAL;
		if (!(out[n].flags & PTX_RULE_POLICY) || has_policy)
			n++;
		if (*c.p == '}') {
			optional = false;
			c.p++;
		}
		if (*c.p == '{' && c.p[1] == ',') {
			optional = true;
			c.p++;
		}
		if (*c.p == ',')
			c.p++;
	}
	return n;
}
