/* Differential test against ptxas, where it is installed: for every row of forms_*.def, instructions that the row allows and
 * mutations of them (another modifier, another operand, one too few) are accepted or rejected by us as ptxas does.
 *
 * Each instruction goes alone through our parser and checker; ptxas gets all of them in one file, its errors name lines, and what
 * it reported is taken out until the rest assembles. Differences we know are in tests/ptxas/known-differences.txt.
 * PTXAS_ROUNDS=N makes N instructions of each row and setting (default 9), PTXAS_SEED=N takes other random choices, PTXAS_ALL=1 prints every difference, PTXAS_FORM=TEXT only forms that
 * contain TEXT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"
#include "isa/opcodes.h"
#include "ptx/ast.h"
#include "ptx/check.h"
#include "ptx/forms.h"

#include "need_ptxas.h"
#include "ptxas_confirmed.h"
#include "ptxas_known.h"

struct setting {
	unsigned version, sm;
	const char *preamble; /* what surrounds the instructions, NULL: made by write_preamble */
};

static const struct setting settings[] = {{14, 13, NULL}, {23, 20, NULL},  {32, 35, NULL}, {64, 75, NULL},
					  {78, 90, NULL}, {88, 100, NULL}, {90, 100, NULL}};

/* ---- random choices ------------------------------------------------------------------------------------------------- */

static uint64_t random_state;

static unsigned pick(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state >> 20) % n;
}

/* ---- the surroundings ----------------------------------------------------------------------------------------------- */

static const enum isa_type register_types[] = {ISA_B8,	ISA_U8,	 ISA_S8,   ISA_B16, ISA_U16,   ISA_S16,
					       ISA_B32, ISA_U32, ISA_S32,  ISA_F32, ISA_B64,   ISA_U64,
					       ISA_S64, ISA_F64, ISA_PRED, ISA_F16, ISA_F16X2, ISA_B128};
#define N_REGISTER_TYPES (sizeof(register_types) / sizeof(*register_types))

static bool has_type(const struct setting *s, enum isa_type t)
{
	if (t == ISA_F16 || t == ISA_F16X2)
		return s->version >= 42 && s->sm >= 53;
	return t != ISA_B128 || (s->version >= 83 && s->sm >= 70);
}

static void write_preamble(struct text *t, const struct setting *s)
{
	if (s->preamble) {
		text_add(t, s->preamble);
		return;
	}
	text_addf(t, ".version %u.%u\n.target sm_%u\n", s->version / 10, s->version % 10, s->sm);
	if (s->version >= 23)
		text_add(t, ".address_size 64\n");
	text_add(t, ".global .align 16 .b8 gv[256];\n.const .align 16 .b8 cv[256];\n.shared .align 16 .b8 sv[256];\n");
	text_add(t, ".entry k(.param .u64 kp)\n{\n");
	for (size_t i = 0; i < N_REGISTER_TYPES; i++)
		if (has_type(s, register_types[i]))
			text_addf(t, ".reg .%s %%%s_<9>;\n", isa_type_info[register_types[i]].name,
				  isa_type_info[register_types[i]].name);
	text_add(t, ".local .align 16 .b8 lv[256];\nL0:\n");
}

/* ---- instructions --------------------------------------------------------------------------------------------------- */

static void write_word(struct text *t, const struct ptx_form_word *w)
{
	text_addc(t, '.');
	text_addn(t, w->s, w->n);
}

/* A random word of the group into t. */
static void choose_word(struct text *t, const struct ptx_form_group *g)
{
	struct ptx_form_words it;
	struct ptx_form_word w;
	unsigned n = 0;

	ptx_form_words_init(&it, g);
	while (ptx_form_next_word(&it, &w))
		n++;
	n = pick(n);
	ptx_form_words_init(&it, g);
	do
		ptx_form_next_word(&it, &w);
	while (n--);
	write_word(t, &w);
}

static void write_opcode(struct text *t, const struct ptx_form *f, bool mutate)
{
	unsigned n_groups = 0, odd;
	struct ptx_form_group g;
	const char *at = NULL;
	size_t n_names = 1, name, len = strcspn(f->modifiers, ".{");
	const char *p = f->modifiers;

	for (size_t i = 0; i < len; i++)
		n_names += f->modifiers[i] == '|';
	for (name = pick((unsigned)n_names); name; name--)
		p = strchr(p, '|') + 1;
	text_addn(t, p, strcspn(p, "|.{"));
	while (ptx_form_next_group(f, &at, &g))
		n_groups++;
	odd = mutate && n_groups ? pick(n_groups) : 1000;
	at = NULL;
	for (unsigned i = 0; ptx_form_next_group(f, &at, &g); i++) {
		if (i == odd && pick(2)) { /* dropped, or another form's word instead */
			const struct ptx_form *other = &ptx_forms[pick(ptx_form_count)];
			const char *there = NULL;
			struct ptx_form_group stranger;

			while (pick(4) && ptx_form_next_group(other, &there, &stranger))
				;
			if (there && !g.optional && strcmp(other->operands, "*"))
				choose_word(t, &stranger);
			continue;
		}
		if (i != odd && g.optional && pick(3))
			continue;
		choose_word(t, &g);
	}
}

static void write_register(struct text *t, enum isa_type type)
{
	text_addf(t, "%%%s_%u", isa_type_info[type].name, 1 + pick(8));
}

static void write_fitting(struct text *t, const struct setting *s, enum isa_type type, bool wider)
{
	for (unsigned i = 0; i < 200; i++) {
		enum isa_type r = register_types[pick(N_REGISTER_TYPES)];

		if (has_type(s, r) && check_reg_fits(type, r, wider) && !(type == ISA_NOTYPE && r == ISA_PRED)) {
			write_register(t, r);
			return;
		}
	}
	text_add(t, "%b32_1");
}

static void write_constant(struct text *t, enum isa_type type)
{
	switch (isa_type_info[type].cls) {
	case ISA_CLASS_FLOAT:
		text_add(t, type == ISA_F64 ? "0d3FF0000000000000" : pick(2) ? "1.5" : "0f3F800000");
		break;
	default: text_addf(t, "%u", pick(3) ? 32 * pick(4) : pick(2000)); break;
	}
}

static void write_source(struct text *t, const struct setting *s, const struct ptx_rule *r, bool wider)
{
	enum isa_type type = (enum isa_type)r->type;
	bool constants = isa_type_info[type].cls != ISA_CLASS_FLOAT || type == ISA_F32 || type == ISA_F64;

	if (type == ISA_PRED)
		text_add(t, pick(3) ? "" : "!");
	if (r->flags & PTX_RULE_RANGE && pick(2))
		text_addf(t, "%u", (unsigned)r->low + pick((unsigned)(r->high - r->low) + 1));
	else if (constants && type != ISA_PRED && r->kind != PTX_RULE_REG && r->kind != PTX_RULE_SIMD_SRC && !pick(4))
		write_constant(t, type);
	else
		write_fitting(t, s, type, wider);
}

static void write_data(struct text *t, const struct setting *s, const struct ptx_rule *r, unsigned vec)
{
	struct text one = {0};

	write_fitting(&one, s, (enum isa_type)r->type, true);
	if (vec > 1)
		text_add(t, "{");
	for (unsigned i = 0; i < vec; i++)
		text_addf(t, "%s%s", i ? "," : "", text_str(&one));
	if (vec > 1)
		text_add(t, "}");
	text_free(&one);
}

static void write_address(struct text *t, const struct ptx_opcode *op)
{
	static const char *const names[ISA_SPACE_COUNT] = {"gv", "gv", "sv", "lv", "cv", "kp", "gv"};

	switch (pick(3)) {
	case 0: text_addf(t, "[%s]", names[op->space]); break;
	case 1: text_addf(t, "[%s+4]", names[op->space]); break;
	default: text_addf(t, "[%%%s_%u+%u]", pick(2) ? "u64" : "b64", 1 + pick(8), 4 * pick(4)); break;
	}
}

static void write_any(struct text *t, const struct setting *s)
{
	enum isa_type r = register_types[pick(N_REGISTER_TYPES)];

	switch (pick(9)) {
	case 0: text_add(t, "5"); break;
	case 1: text_add(t, "1.5"); break;
	case 2: text_add(t, "0f3F800000"); break;
	case 3: text_add(t, "gv"); break;
	case 4: text_add(t, "[gv]"); break;
	case 5: text_add(t, "%tid.x"); break;
	default: write_register(t, has_type(s, r) ? r : ISA_F32); break;
	}
}

static void write_operand(struct text *t, const struct setting *s, const struct ptx_opcode *op,
			  const struct ptx_rule *r)
{
	static const char *const selectors[] = {"", "", ".b0", ".b3", ".h0", ".h1"};
	bool wider = r->flags & PTX_RULE_WIDER;

	switch ((enum ptx_rule_kind)r->kind) {
	case PTX_RULE_DST:
	case PTX_RULE_PRED_DST:
		if (r->flags & PTX_RULE_SINK && !pick(4)) {
			text_add(t, "_");
			break;
		}
		write_fitting(t, s, (enum isa_type)r->type, wider);
		if (r->flags & PTX_RULE_PAIR || (r->flags & PTX_RULE_MAY_PAIR && pick(2)))
			text_addf(t, "|%%pred_%u", 1 + pick(8));
		break;
	case PTX_RULE_VIDEO_DST:
		write_fitting(t, s, (enum isa_type)r->type, false);
		text_add(t, strpbrk(op->canonical, "24") ? "" : selectors[pick(6)]);
		break;
	case PTX_RULE_VIDEO_SRC:
	case PTX_RULE_SIMD_SRC:
		write_fitting(t, s, (enum isa_type)r->type, false);
		if (!memchr(op->text.s, '2', strcspn(op->text.s, ".")) &&
		    !memchr(op->text.s, '4', strcspn(op->text.s, ".")))
			text_add(t, selectors[pick(6)]);
		break;
	case PTX_RULE_IMM: text_addf(t, "%u", r->flags & PTX_RULE_RANGE ? pick((unsigned)r->high + 1) : 128); break;
	case PTX_RULE_ADDRESS: write_address(t, op); break;
	case PTX_RULE_DATA_DST:
	case PTX_RULE_DATA_SRC: write_data(t, s, r, op->vec); break;
	case PTX_RULE_LABEL: text_add(t, "L0"); break;
	case PTX_RULE_VECTOR:
		for (unsigned i = 0; i < 4; i++)
			text_addf(t, "%c%%f32_%u", i ? ',' : '{', 1 + pick(8));
		text_add(t, "}");
		break;
	default: write_source(t, s, r, wider); break;
	}
}

/* The form's operands; with `mutate` one of them is something else, or missing. */
static void write_operands(struct text *t, const struct setting *s, const struct ptx_opcode *op,
			   const struct ptx_shape *shape, bool mutate)
{
	unsigned n = shape->n_rules, odd = mutate && n ? pick(n) : 1000;
	bool first = true, drop = mutate && !pick(5);

	for (unsigned i = 0; i < n; i++) {
		if ((i == odd && drop) || (shape->rules[i].flags & PTX_RULE_OPTIONAL && pick(2)))
			continue;
		text_add(t, first ? " " : ",");
		first = false;
		if (i == odd)
			write_any(t, s);
		else
			write_operand(t, s, op, &shape->rules[i]);
	}
}

/* ---- verdicts ------------------------------------------------------------------------------------------------------- */

struct line {
	char *text;
	bool ours, theirs; /* rejected */
	bool crashes;	   /* ptxas */
	char *our_message, *their_message;
};

struct lines {
	struct line *v;
	size_t n, cap;
};

static void judge_ourselves(const struct setting *s, struct line *l)
{
	struct text t = {0};
	struct diag_list diags;
	struct ptx_module m = {.file = "line.ptx", .diags = &diags};

	diag_list_init(&diags);
	write_preamble(&t, s);
	text_addf(&t, "%s\nret;\n}\n", l->text);
	m.text = t.s;
	m.n_text = t.n;
	if (ptx_parse(&m))
		ptx_check(&m);
	l->ours = diags.n_errors > 0;
	for (size_t i = 0; i < diags.n && !l->our_message; i++)
		if (diags.v[i].severity == DIAG_ERROR)
			l->our_message = strdup(diags.v[i].message);
	ptx_module_free(&m);
	diag_list_free(&diags);
	text_free(&t);
}

/* Runs ptxas over the lines from..end not rejected yet; returns how many it newly rejected, -1 if it failed without naming any. */
static int ask_ptxas(const struct setting *s, struct lines *ls, size_t from, size_t end, const char *dir)
{
	char path[300], command[800], out[1000];
	struct text t = {0};
	size_t *index = calloc(ls->n + 1, sizeof(*index)), k = 0, first;
	int found = 0, status;
	FILE *f;

	write_preamble(&t, s);
	first = 1;
	for (size_t i = 0; i < t.n; i++)
		first += t.s[i] == '\n';
	for (size_t i = from; i < end; i++) {
		if (ls->v[i].theirs)
			continue;
		text_addf(&t, "%s\n", ls->v[i].text);
		index[k++] = i;
	}
	text_add(&t, "ret;\n}\n");
	snprintf(path, sizeof(path), "%s/lines.ptx", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fwrite(t.s, 1, t.n, f);
	fclose(f);
	text_free(&t);
	snprintf(command, sizeof(command), "ptxas -O0 -arch=sm_%u -o %s/out.cubin %s 2>&1",
		 s->sm < 75 ? 75 : s->sm, dir, path);
	f = popen(command, "r");
	while (f && fgets(out, sizeof(out), f)) {
		const char *at = strstr(out, ", line "), *message;
		size_t number = at ? strtoul(at + 7, NULL, 10) : 0;

		message = at ? strstr(at, "error   : ") : NULL;
		if (at && !message)
			message = strstr(at, "fatal   : ");
		if (!message || number < first || number >= first + k)
			continue;
		found += !ls->v[index[number - first]].theirs;
		ls->v[index[number - first]].theirs = true;
		if (!ls->v[index[number - first]].their_message)
			ls->v[index[number - first]].their_message = strndup(message + 10, strcspn(message + 10, "\n"));
	}
	free(index);
	status = f ? pclose(f) : -1;
	return status && !found ? -1 : found;
}

/* All verdicts for from..end. ptxas 13 crashes at some instructions: those are found by halving and left out. */
static void settle(const struct setting *s, struct lines *ls, size_t from, size_t end, const char *dir)
{
	int found;

	do
		found = ask_ptxas(s, ls, from, end, dir);
	while (found > 0);
	if (!found)
		return;
	if (end - from == 1) {
		ls->v[from].crashes = ls->v[from].theirs = true;
		return;
	}
	settle(s, ls, from, from + (end - from) / 2, dir);
	settle(s, ls, from + (end - from) / 2, end, dir);
}

/* ---- the test ------------------------------------------------------------------------------------------------------- */

static void add_line(struct lines *ls, struct text *t)
{
	if (ls->n == ls->cap) {
		ls->cap = ls->cap ? 2 * ls->cap : 1024;
		ls->v = realloc(ls->v, ls->cap * sizeof(*ls->v));
	}
	text_add(t, ";");
	ls->v[ls->n++] = (struct line){.text = text_take(t)};
}

/* An instruction of the form: kind 0 as allowed, 1 with other modifiers, 2 with other operands. */
static void generate(struct lines *ls, const struct setting *s, const struct ptx_form *f, unsigned kind)
{
	struct ptx_module m = {
		.address_size = 64, .version_major = s->version / 10, .version_minor = s->version % 10, .sm = s->sm};
	struct text t = {0}, valid = {0};
	const struct ptx_opcode *op;

	write_opcode(&valid, f, false);
	if (kind == 1)
		write_opcode(&t, f, true);
	else
		text_add(&t, text_str(&valid));
	op = ptx_opcode_intern(&m, (struct ptx_slice){pool_strn(&m.pool, t.s, t.n), (uint32_t)t.n});
	if (!op->form)
		op = ptx_opcode_intern(&m, (struct ptx_slice){valid.s, (uint32_t)valid.n});
	if (op->form) {
		const struct ptx_shape *shape = &op->shapes[pick(op->n_shapes)];

		for (unsigned i = 0; i < op->n_shapes; i++)
			if (op->shapes[i].form == f)
				shape = &op->shapes[i];
		write_operands(&t, s, op, shape, kind == 2);
		add_line(ls, &t);
	}
	hash_map_free(&m.opcodes);
	pool_free(&m.pool);
	text_free(&t);
	text_free(&valid);
}

static unsigned report(const struct setting *s, const struct lines *ls)
{
	unsigned different = 0;

	for (size_t i = 0; i < ls->n; i++) {
		const struct line *l = &ls->v[i];

		if (l->ours == l->theirs || l->crashes || ptxas_difference_is_known(l->ours, l->text))
			continue;
		if (different++ < 20 || getenv("PTXAS_ALL"))
			print_error("%u/%u %s\n    %s: %s\n", s->version, s->sm, l->text,
				    l->ours ? "we reject" : "ptxas rejects",
				    l->ours ? l->our_message : l->their_message);
	}
	return different;
}

static size_t count_crashes(const struct lines *ls)
{
	size_t n = 0;

	for (size_t i = 0; i < ls->n; i++)
		n += ls->v[i].crashes;
	return n;
}

static void free_lines(struct lines *ls)
{
	for (size_t i = 0; i < ls->n; i++) {
		free(ls->v[i].text);
		free(ls->v[i].our_message);
		free(ls->v[i].their_message);
	}
	free(ls->v);
}

/* Returns the row of confirmed.txt for the lines with our verdicts, and for the differences that we know. */
static char *confirmed_row(const char *name, const struct setting *s, const struct lines *ls)
{
	struct text all = {0};
	char *row, known[300];
	FILE *f = fopen("../ptxas/known-differences.txt", "r");

	write_preamble(&all, s);
	for (size_t i = 0; i < ls->n; i++)
		text_addf(&all, "%s %c\n", ls->v[i].text, ls->v[i].ours ? 'n' : 'y');
	assert_non_null(f);
	while (fgets(known, sizeof(known), f))
		text_add(&all, known);
	fclose(f);
	row = ptxas_confirmed_row(name, &all);
	text_free(&all);
	return row;
}

/* Judges the lines, reports and frees them. */
static unsigned compare_lines(const struct setting *s, struct lines *ls, const char *dir)
{
	unsigned different;
	char name[40], *row;

	for (size_t i = 0; i < ls->n; i++)
		judge_ourselves(s, &ls->v[i]);
	snprintf(name, sizeof(name), "forms-%u-%u", s->version, s->sm);
	row = confirmed_row(name, s, ls);
	if (ptxas_has_confirmed(row)) {
		free(row);
		free_lines(ls);
		return 0;
	}
	settle(s, ls, 0, ls->n, dir);
	different = report(s, ls);
	if (!different)
		ptxas_confirm(row);
	free(row);
	print_message("%u/%u: %zu instructions, %u differences, %zu crash ptxas\n", s->version, s->sm, ls->n, different,
		      count_crashes(ls));
	free_lines(ls);
	return different;
}

static uint64_t seed(void)
{
	const char *s = getenv("PTXAS_SEED");

	return s ? strtoul(s, NULL, 10) : 0;
}

static unsigned compare(const struct setting *s, const char *dir)
{
	struct lines ls = {0};
	const char *only = getenv("PTXAS_FORM"), *more = getenv("PTXAS_ROUNDS");
	unsigned rounds = more ? (unsigned)strtoul(more, NULL, 10) : 9;

	for (unsigned i = 0; i < ptx_form_count; i++) {
		const struct ptx_form *f = &ptx_forms[i];

		if (strpbrk(f->operands, "*t") || !strcmp(f->operands, "mov") || !strcmp(f->operands, "call") ||
		    (only && !strstr(f->modifiers, only)))
			continue;
		/* a stream of its own for each row, so that a change of one leaves the others' instructions alone */
		random_state = (hash_fnv1a64(f->modifiers, strlen(f->modifiers)) ^ s->version) +
			       seed() * 0x9E3779B97F4A7C15u + 1;
		for (unsigned k = 0; k < rounds; k++)
			generate(&ls, s, f, k % 3);
	}
	return compare_lines(s, &ls, dir);
}

static void remove_dir(const char *dir)
{
	static const char *const files[] = {"lines.ptx", "out.cubin"};
	char path[80];

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		unlink(path);
	}
	rmdir(dir);
}

/* tests/ptxas/instructions.txt records verdicts of ptxas 13.0; here the installed one is asked. */
static void recorded_verdicts_hold(void **state)
{
	char dir[] = "/tmp/ptxas-lines-XXXXXX", row[300];
	struct text preamble = {0};
	struct setting setting = {90, 100, NULL};
	struct lines ls = {0};
	FILE *f = fopen("../ptxas/instructions.txt", "r");
	unsigned different = 0;

	(void)state;
	need_ptxas();
	assert_non_null(f);
	while (fgets(row, sizeof(row), f) && *row != '=')
		text_add(&preamble, *row == '#' ? "" : row);
	while (fgets(row, sizeof(row), f)) {
		struct text t = {0};

		text_addn(&t, row + 3, strcspn(row + 3, ";\n"));
		add_line(&ls, &t);
		ls.v[ls.n - 1].ours = *row == 'n';
	}
	fclose(f);
	setting.preamble = text_str(&preamble);
	char *confirmed = confirmed_row("instructions", &setting, &ls);
	if (ptxas_has_confirmed(confirmed)) {
		free(confirmed);
		free_lines(&ls);
		text_free(&preamble);
		return;
	}
	assert_non_null(mkdtemp(dir));
	settle(&setting, &ls, 0, ls.n, dir);
	remove_dir(dir);
	for (size_t i = 0; i < ls.n; i++) {
		if (ls.v[i].ours != ls.v[i].theirs && different++ < 20)
			print_error("%s: recorded as %s, ptxas %s\n", ls.v[i].text, ls.v[i].ours ? "no" : "ok",
				    ls.v[i].theirs ? "rejects" : "accepts");
	}
	free_lines(&ls);
	text_free(&preamble);
	assert_int_equal(different, 0);
	ptxas_confirm(confirmed);
	free(confirmed);
}

static void forms_agree_with_ptxas(void **state)
{
	char dir[] = "/tmp/ptxas-forms-XXXXXX";
	unsigned different = 0;

	(void)state;
	need_ptxas();
	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		different += compare(&settings[i], dir);
	remove_dir(dir);
	assert_int_equal(different, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_verdicts_hold),
		cmocka_unit_test(forms_agree_with_ptxas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
