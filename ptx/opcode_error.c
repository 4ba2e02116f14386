/* Why an opcode text matches no form: names the modifier and lists what was expected. */
#include <limits.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "isa/opcodes.h"
#include "ptx/opcode_match.h"

/* Close enough for "did you mean": one or two slips, fewer than half of the letters. */
static bool is_near(unsigned slips, unsigned n) { return slips && slips <= 2 && 2 * slips < n; }

static void unknown_mnemonic(struct ptx_module *m, const struct opcode_words *w, struct ptx_opcode *op)
{
	unsigned best = UINT32_MAX, found = ISA_OP_NONE;
	struct text t = {0};

	for (unsigned i = 1; i < ISA_OPCODE_COUNT; i++) {
		if (isa_op_is_plus(i))
			continue;
		const char *name = isa_opcode_info[i].name;
		unsigned d = nearest_distance(w->mnemonic.s, w->mnemonic.n, name, (unsigned)strlen(name));

		if (d < best) {
			best = d;
			found = i;
		}
	}
	text_addf(&t, "'%.*s' is not a PTX instruction", (int)w->mnemonic.n, w->mnemonic.s);
	if (isa_op_is_plus(isa_opcode_find(w->mnemonic.s, w->mnemonic.n)))
		text_add(&t, ", but one of PTXPlus");
	else if (is_near(best, w->mnemonic.n))
		text_addf(&t, "; did you mean '%s'?", isa_opcode_info[found].name);
	op->error = pool_strn(&m->pool, t.s, t.n);
	text_free(&t);
}

static uint32_t column_of(const struct ptx_opcode *op, struct ptx_slice s) { return (uint32_t)(s.s - op->text.s); }

struct word_list {
	struct ptx_form_word v[160];
	unsigned n;
};

static void add_expected(struct word_list *l, const struct ptx_form_group *g)
{
	struct ptx_form_words it;
	struct ptx_form_word w;

	ptx_form_words_init(&it, g);
	while (ptx_form_next_word(&it, &w)) {
		bool known = false;

		for (unsigned i = 0; i < l->n && !known; i++)
			known = l->v[i].n == w.n && !memcmp(l->v[i].s, w.s, w.n);
		if (!known && l->n < sizeof(l->v) / sizeof(*l->v))
			l->v[l->n++] = w;
	}
}

static void write_expected(struct text *t, const struct word_list *l)
{
	enum { SHOWN = 24 };

	for (unsigned i = 0; i < l->n && i < SHOWN; i++)
		text_addf(t, "%s.%.*s", i ? " " : "", (int)l->v[i].n, l->v[i].s);
	if (l->n > SHOWN)
		text_add(t, " ...");
}

static bool form_knows(const struct ptx_form *f, struct ptx_slice s)
{
	struct ptx_form_group g;
	const char *at = NULL;

	while (ptx_form_next_group(f, &at, &g)) {
		struct ptx_form_words it;
		struct ptx_form_word w;

		ptx_form_words_init(&it, &g);
		while (ptx_form_next_word(&it, &w))
			if (ptx_form_word_is(&w, s.s, s.n))
				return true;
	}
	return false;
}

/* First modifier that no form of the mnemonic has: its index, -1 if there is none. */
static int find_stranger(const struct opcode_words *w)
{
	for (unsigned i = 0; i < w->n; i++) {
		bool known = false;

		for (unsigned k = 0; k < ptx_form_count && !known; k++)
			known = ptx_form_is_for(&ptx_forms[k], w->mnemonic.s, w->mnemonic.n) &&
				form_knows(&ptx_forms[k], w->v[i]);
		if (!known)
			return (int)i;
	}
	return -1;
}

static void explain_stranger(const struct opcode_words *w, unsigned i, struct word_list *l, struct text *t)
{
	for (unsigned k = 0; k < ptx_form_count; k++) {
		struct ptx_form_group g;
		const char *at = NULL;

		if (!ptx_form_is_for(&ptx_forms[k], w->mnemonic.s, w->mnemonic.n))
			continue;
		while (ptx_form_next_group(&ptx_forms[k], &at, &g))
			add_expected(l, &g);
	}
	text_addf(t, "'%.*s' has no modifier '.%.*s'", (int)w->mnemonic.n, w->mnemonic.s, (int)w->v[i].n, w->v[i].s);
	if (!l->n) {
		text_add(t, "; it takes none");
		return;
	}
	for (unsigned k = 0; k < l->n; k++) {
		if (!is_near(nearest_distance(w->v[i].s, w->v[i].n, l->v[k].s, l->v[k].n), w->v[i].n))
			continue;
		text_addf(t, " (did you mean '.%.*s'?)", (int)l->v[k].n, l->v[k].s);
		break;
	}
	text_add(t, "; expected ");
	write_expected(t, l);
}

/* The form that takes most of what was written; among equals the one with nothing missing. */
static const struct ptx_form *closest(const struct opcode_words *w, struct opcode_match *best)
{
	const struct ptx_form *found = NULL;

	for (unsigned k = 0; k < ptx_form_count; k++) {
		struct opcode_match m;
		bool better;

		if (!ptx_form_is_for(&ptx_forms[k], w->mnemonic.s, w->mnemonic.n))
			continue;
		opcode_try(&ptx_forms[k], w, &m);
		better = !found || m.n_used > best->n_used || (m.n_used == best->n_used && best->missing && !m.missing);
		if (better) {
			found = &ptx_forms[k];
			*best = m;
		}
	}
	return found;
}

/* Does some form have both the modifier and all the types that were written? Then the types are not to blame. */
static bool types_allow(const struct opcode_words *w, struct ptx_slice s)
{
	for (unsigned k = 0; k < ptx_form_count; k++) {
		bool all = ptx_form_is_for(&ptx_forms[k], w->mnemonic.s, w->mnemonic.n) && form_knows(&ptx_forms[k], s);

		for (unsigned i = 0; i < w->n && all; i++)
			all = !w->is_type[i] || form_knows(&ptx_forms[k], w->v[i]);
		if (all)
			return true;
	}
	return false;
}

/* Types of the forms that have the modifier. */
static void add_types_with(const struct opcode_words *w, struct ptx_slice s, struct word_list *l)
{
	for (unsigned k = 0; k < ptx_form_count; k++) {
		struct ptx_form_group g;
		const char *at = NULL;

		if (!ptx_form_is_for(&ptx_forms[k], w->mnemonic.s, w->mnemonic.n) || !form_knows(&ptx_forms[k], s))
			continue;
		while (ptx_form_next_group(&ptx_forms[k], &at, &g))
			if (g.is_type)
				add_expected(l, &g);
	}
}

/* All modifiers exist, but not together: either a group is missing or one doesn't go with the rest. */
static struct ptx_slice explain_combination(const struct opcode_words *w, struct word_list *l, struct text *t)
{
	struct opcode_match best = {0};
	struct ptx_slice where = w->mnemonic;

	if (!closest(w, &best))
		return where;
	if (best.n_used < w->n) {
		unsigned i = 0;

		while (best.used & 1u << i)
			i++;
		where = w->v[i];
		text_addf(t, "'.%.*s' does not go with the other modifiers of '%.*s'", (int)where.n, where.s,
			  (int)w->mnemonic.n, w->mnemonic.s);
		if (!best.missing && !w->is_type[i] && !types_allow(w, where)) {
			add_types_with(w, where, l);
			text_add(t, l->n ? "; it goes with " : "");
			write_expected(t, l);
		}
	} else {
		text_addf(t, "'%.*s' lacks a modifier", (int)w->mnemonic.n, w->mnemonic.s);
	}
	if (best.missing) {
		struct ptx_form_group g = {.s = best.missing, .end = best.missing_end};

		add_expected(l, &g);
		text_add(t, "; expected ");
		write_expected(t, l);
	}
	return where;
}

/* Place of a word in a list, from 1; 0: it isn't there. */
static unsigned find_in(const char *list, struct ptx_slice s)
{
	unsigned place = 1;

	for (const char *p = list; *p; p += strcspn(p, " "), p += *p == ' ', place++)
		if (strcspn(p, " ") == s.n && !memcmp(p, s.s, s.n))
			return place;
	return 0;
}

/* Modifiers may stand in any order, but for those that ptxas has in the names of its instructions, in this order. */
int opcode_misplaced(const struct opcode_words *w)
{
	static const struct {
		const char *mnemonics, *words;
	} names[] = {
		{"mul mad madc mul24 mad24 dp2a", "lo hi wide"},
		{"cvt", "pack"},
		{"cvta", "to"},
		{"shf", "l r"},
		{"div", "full"},
		{"bar barrier", "cta cluster red arrive wait warp"},
		{"fence membar", "proxy"},
		{"cp", "reduce async bulk commit_group wait_group wait_all mbarrier arrive"},
		{"st red", "async bulk"},
		{"mbarrier", "init inval arrive arrive_drop test_wait try_wait expect_tx complete_tx pending_count"},
		{"wmma", "load store mma a b c d"}};
	size_t k = 0;
	unsigned before = 0;

	while (k < sizeof(names) / sizeof(*names) && !find_in(names[k].mnemonics, w->mnemonic))
		k++;
	if (k == sizeof(names) / sizeof(*names))
		return -1;
	for (unsigned i = 0; i < w->n; i++) {
		const unsigned place = find_in(names[k].words, w->v[i]);

		if (place && place < before)
			return (int)i;
		before = place ? place : UINT_MAX;
	}
	return -1;
}

static void explain_misplaced(const struct opcode_words *w, unsigned i, struct text *t)
{
	text_addf(t, "'.%.*s' belongs to the instruction's name: expected it directly behind '%.*s'", (int)w->v[i].n,
		  w->v[i].s, (int)w->mnemonic.n, w->mnemonic.s);
}

void opcode_explain(struct ptx_module *m, const struct opcode_words *w, struct ptx_opcode *op)
{
	struct word_list l = {.n = 0};
	struct text t = {0};
	int stranger;

	if (!op->opcode || isa_op_is_plus(op->opcode)) {
		unknown_mnemonic(m, w, op);
		return;
	}
	if (w->too_many) {
		op->error = "too many modifiers";
		return;
	}
	stranger = find_stranger(w);
	if (stranger >= 0) {
		explain_stranger(w, (unsigned)stranger, &l, &t);
		op->error_col = column_of(op, w->v[stranger]);
	} else if (opcode_misplaced(w) >= 0) {
		explain_misplaced(w, (unsigned)opcode_misplaced(w), &t);
		op->error_col = column_of(op, w->v[opcode_misplaced(w)]);
	} else {
		struct ptx_slice where = explain_combination(w, &l, &t);

		op->error_col = column_of(op, where);
	}
	/* the caret stands at the modifier's dot */
	op->error_col -= op->error_col > 0;
	op->error = pool_strn(&m->pool, text_str(&t), t.n);
	text_free(&t);
}
