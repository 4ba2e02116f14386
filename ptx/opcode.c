/* Opcode texts: taken apart, matched with the ISA's forms, interned. */
#include "ptx/opcode.h"

#include <ctype.h>
#include <string.h>

#include "isa/opcodes.h"
#include "ptx/opcode_match.h"

#define MAX_SHAPES 6

static struct ptx_slice trim(const char *s, const char *end)
{
	while (s < end && isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	return (struct ptx_slice){s, (uint32_t)(end - s)};
}

static void split(struct ptx_slice text, struct opcode_words *w)
{
	const char *p = text.s, *end = text.s + text.n;
	const char *dot = memchr(p, '.', text.n);

	w->n = 0;
	w->too_many = false;
	w->mnemonic = trim(p, dot ? dot : end);
	while (dot) {
		p = dot + 1;
		dot = memchr(p, '.', (size_t)(end - p));
		if (w->n == PTX_MAX_MODIFIERS) {
			w->too_many = true;
			return;
		}
		w->v[w->n] = trim(p, dot ? dot : end);
		w->is_type[w->n] = ptx_form_is_type(w->v[w->n].s, w->v[w->n].n);
		w->n++;
	}
}

/* Finds the modifier among a group's alternatives: 1 + its place, 0 if it isn't there. */
static unsigned find_word(const struct ptx_form_group *g, struct ptx_slice s, struct ptx_form_word *out)
{
	struct ptx_form_words it;
	unsigned i = 0;

	ptx_form_words_init(&it, g);
	while (ptx_form_next_word(&it, out)) {
		i++;
		if (ptx_form_word_is(out, s.s, s.n))
			return i;
	}
	return 0;
}

static void take_word(struct opcode_match *m, unsigned i, unsigned position, const struct ptx_form_word *word)
{
	m->used |= 1u << i;
	m->order[m->n_used++] = (uint8_t)i;
	m->position[i] = (uint8_t)position;
	if (word->ptx > m->ptx || word->sm > m->sm) {
		m->ptx = word->ptx > m->ptx ? word->ptx : m->ptx;
		m->sm = word->sm > m->sm ? word->sm : m->sm;
		m->need = (int)i;
	}
}

/* Gives a group its modifier: the first one left that fits; types must be the next type left. */
static bool fill_group(const struct ptx_form_group *g, const struct opcode_words *w, struct opcode_match *m)
{
	bool filled = false;

	for (unsigned i = 0; i < w->n; i++) {
		struct ptx_form_word word;
		unsigned position;

		if (m->used & 1u << i || (!g->any && g->is_type != w->is_type[i]))
			continue;
		position = find_word(g, w->v[i], &word);
		if (position) {
			take_word(m, i, position, &word);
			filled = true;
			if (!g->any)
				return true;
		} else if (g->is_type) {
			return false;
		}
	}
	return filled;
}

void opcode_try(const struct ptx_form *f, const struct opcode_words *w, struct opcode_match *m)
{
	struct ptx_form_group g;
	const char *at = NULL;

	*m = (struct opcode_match){.ptx = f->ptx, .sm = f->sm, .need = -1};
	while (ptx_form_next_group(f, &at, &g)) {
		if (!fill_group(&g, w, m) && !g.optional && !g.any && !m->missing) {
			m->missing = g.s;
			m->missing_end = g.end;
		}
	}
	m->ok = !m->missing && m->n_used == w->n;
}

static void collect_types(const struct opcode_words *w, struct ptx_opcode *op)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->is_type[i] && op->n_types < 4)
			op->types[op->n_types++] = (uint8_t)isa_type_find(w->v[i].s, w->v[i].n);
}

static bool has_word(const struct opcode_words *w, const char *s)
{
	for (unsigned i = 0; i < w->n; i++)
		if (slice_is(w->v[i], s))
			return true;
	return false;
}

static void make_shape(struct ptx_module *m, const struct ptx_form *f, const struct opcode_words *w,
		       const struct opcode_match *match, const struct ptx_opcode *op, struct ptx_shape *shape)
{
	struct ptx_rule rules[PTX_MAX_RULES];
	unsigned n = ptx_form_rules(f, op->types, op->n_types, m->address_size, has_word(w, "L2::cache_hint"), rules);

	*shape = (struct ptx_shape){
		.form = f, .n_rules = (uint8_t)n, .ptx = (uint8_t)match->ptx, .sm = (uint8_t)match->sm};
	for (unsigned i = 0; i < n; i++)
		shape->n_required = (uint8_t)(shape->n_required + !(rules[i].flags & PTX_RULE_OPTIONAL));
	if (match->need >= 0)
		shape->need = w->v[match->need];
	shape->rules = pool_dup(&m->pool, rules, n * sizeof(*rules));
}

/* Finds the forms that take the words, and decodes the opcode by the first. Their number. */
static unsigned match_forms(struct ptx_module *m, struct ptx_opcode *op, const struct opcode_words *w,
			    struct ptx_shape *shapes)
{
	struct opcode_match match;
	unsigned n = 0;

	op->n_types = 0;
	collect_types(w, op);
	for (unsigned i = 0; i < ptx_form_count && n < MAX_SHAPES; i++) {
		if (!ptx_form_is_for(&ptx_forms[i], w->mnemonic.s, w->mnemonic.n))
			continue;
		opcode_try(&ptx_forms[i], w, &match);
		if (!match.ok)
			continue;
		if (!n)
			opcode_decode(m, w, &match, op);
		make_shape(m, &ptx_forms[i], w, &match, op, &shapes[n++]);
	}
	return n;
}

static void resolve(struct ptx_module *m, struct ptx_opcode *op)
{
	struct opcode_words w, fewer;
	struct ptx_shape shapes[MAX_SHAPES];
	unsigned n = 0;

	split(op->text, &w);
	op->vec = 1;
	op->opcode = (uint16_t)isa_opcode_find(w.mnemonic.s, w.mnemonic.n);
	if (op->opcode && !w.too_many && opcode_misplaced(&w) < 0) {
		n = match_forms(m, op, &w, shapes);
		if (!n && opcode_ignore(m, &w, &fewer, op))
			n = match_forms(m, op, &fewer, shapes);
	}
	if (!n) {
		op->ignored = NULL;
		opcode_explain(m, &w, op);
		return;
	}
	op->form = shapes[0].form;
	op->shapes = pool_dup(&m->pool, shapes, n * sizeof(*shapes));
	op->n_shapes = (uint8_t)n;
}

const struct ptx_opcode *ptx_opcode_intern(struct ptx_module *m, struct ptx_slice text)
{
	struct ptx_opcode *op;
	uint32_t i;

	if (hash_map_get(&m->opcodes, text.s, text.n, &i))
		return m->opcode_list[i];
	op = POOL_NEW(&m->pool, struct ptx_opcode);
	op->text = text;
	resolve(m, op);
	if (!(m->n_opcodes & (m->n_opcodes - 1))) { /* a power of two (or 0) is full */
		uint32_t cap = m->n_opcodes ? 2 * m->n_opcodes : 1;
		struct ptx_opcode **list = POOL_ARRAY(&m->pool, struct ptx_opcode *, cap);

		if (m->n_opcodes)
			memcpy(list, m->opcode_list, m->n_opcodes * sizeof(*list));
		m->opcode_list = list;
	}
	m->opcode_list[m->n_opcodes] = op;
	hash_map_put(&m->opcodes, text.s, text.n, m->n_opcodes++);
	return op;
}
